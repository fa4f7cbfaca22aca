// One chart of Observable Plot, drawn as wide as its place and again when that changes; colours of parts and engines.
import * as Plot from "@observablehq/plot";
import {element} from "./dom.js";

/// Of the breakdown and of the critical path; told apart also by their place, never by colour alone.
export const kPartColours = {
  compute: "#3b82c4", send: "#5aa469", recv: "#8fbf5a", wait: "#d9822b", "bus wait": "#c2504a", "processing wait": "#a0622d", "nic wait": "#a8457f",
  "link wait": "#7a4fb0", collective: "#808a94", overhead: "#5aa469", latency: "#d9822b", bandwidth: "#b8912f",
  manager: "#c2504a", data: "#d9822b", sharing: "#b8912f", conditions: "#7a4fb0", "no task": "#808a94", absent: "#b0b7be",
  bus: "#c2504a", processing: "#a0622d", nic: "#a8457f", link: "#7a4fb0", memory: "#4a5fb0", wire: "#8f6f1f", "message rate": "#c46a9e",
};

const places = new Map();

/// Draws every chart that stands in the document; until then none is known to have a width.
export function drawCharts() {
  for (const [place, draw] of places) draw(Math.floor(place.getBoundingClientRect().width));
}

/// `options` makes those of Plot for a width in pixels; `label` says in words what is seen. `redraw` of what is returned draws
/// again, when what `options` gives has changed.
export function chart(name, label, options) {
  const place = element("div", {class: "chart"});
  let drawn = 0;
  const draw = (width) => {
    if (width === drawn || width < 50) return;
    drawn = width;
    const picture = Plot.plot({className: "plot", style: {background: "none", fontSize: "13px", overflow: "visible"}, ...options(width), ariaLabel: label});
    const svg = picture.tagName === "svg" ? picture : picture.querySelector("svg:last-of-type");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
    place.replaceChildren(picture);
  };
  places.set(place, draw);
  place.redraw = () => {
    drawn = 0;
    draw(Math.floor(place.getBoundingClientRect().width));
  };
  // After the observer has returned, since a drawing that changes its place at once would notify it within itself.
  new ResizeObserver(([entry]) => requestAnimationFrame(() => draw(Math.floor(entry.contentRect.width)))).observe(place);
  return place;
}
