// One chart of Observable Plot, drawn at the width of its place, and redrawn when the width changes; the colours of parts.
import * as Plot from "@observablehq/plot";
import {element} from "./dom.js";

/// Colours of the parts of the breakdown and of the critical path. Parts differ by their position too, never by colour alone.
export const kPartColours = {
  compute: "#3b82c4", send: "#5aa469", recv: "#8fbf5a", wait: "#d9822b", "bus wait": "#c2504a", "processing wait": "#a0622d", "nic wait": "#a8457f",
  "link wait": "#7a4fb0", collective: "#808a94", overhead: "#5aa469", latency: "#d9822b", bandwidth: "#b8912f",
  manager: "#c2504a", data: "#d9822b", sharing: "#b8912f", conditions: "#7a4fb0", "no task": "#808a94", absent: "#b0b7be",
  bus: "#c2504a", processing: "#a0622d", nic: "#a8457f", link: "#7a4fb0", memory: "#4a5fb0", wire: "#8f6f1f", "message rate": "#c46a9e", packets: "#6b8f2a",
};

const places = new Map();

/// Draws every chart of the document. A chart has no width before it is in the document.
export function drawCharts() {
  for (const [place, draw] of places) draw(Math.floor(place.getBoundingClientRect().width));
}

/// Returns the place of a chart. `options` returns the options of Plot for a width in pixels; `label` describes the picture in
/// words. The method `redraw` of the place draws the chart again after the options have changed.
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
  // Draws after the observer has returned. A drawing that changes the size of its place would otherwise notify it recursively.
  new ResizeObserver(([entry]) => requestAnimationFrame(() => draw(Math.floor(entry.contentRect.width)))).observe(place);
  return place;
}
