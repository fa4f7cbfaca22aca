// The links for which messages waited longest, as bars. A torus of two or three dimensions is drawn too, with these links and
// their ends.
import * as Plot from "@observablehq/plot";
import {chart} from "./chart.js";
import {element, figure, section, table} from "./dom.js";
import {duration, percent, unitOf} from "./format.js";

function waitBars(hottest, label) {
  const [unit, unitName] = unitOf(hottest[0].wait_s);
  return chart("links", label, (width) => ({
    width,
    height: 50 + 30 * hottest.length,
    marginBottom: 40,
    marginLeft: Math.min(190, width / 2),
    marginRight: 70,
    x: {label: `waited, ${unitName} →`, grid: true, transform: (value) => value / unit},
    y: {label: null, domain: hottest.map(({link}) => link)},
    marks: [
      Plot.barX(hottest, {x: "wait_s", y: "link", fill: "#7a4fb0", rx: 2}),
      Plot.text(hottest, {x: "wait_s", y: "link", text: (d) => duration(d.wait_s, 3), textAnchor: "start", dx: 6}),
      Plot.ruleX([0]),
    ],
  }));
}

/// Returns the two ends of "(3, 0, 1) to (4, 0, 1)". The third coordinate is 0 in two dimensions.
function endsOf(link) {
  const found = /^\(([\d, ]+)\) (?:to|and) \(([\d, ]+)\)$/.exec(link);
  return found && found.slice(1).map((text) => [...text.split(", ").map(Number), 0].slice(0, 3));
}

/// Projects a point, seen from above at an angle: x to the right, y to the back, z upwards.
const project = ([x, y, z]) => ({u: x + 0.45 * y, v: z + 0.35 * y});

function torusDrawing(dimensions, links, label) {
  const [nx, ny, nz] = [...dimensions, 1].slice(0, 3).map((length) => length - 1);
  const corner = (k) => [k & 1 ? nx : 0, k & 2 ? ny : 0, k & 4 ? nz : 0];
  const edges = [];
  for (let k = 0; k < 8; ++k) for (const bit of [1, 2, 4]) if (!(k & bit)) edges.push([corner(k), corner(k | bit)]);
  const line = ([a, b]) => ({x1: project(a).u, y1: project(a).v, x2: project(b).u, y2: project(b).v});
  const grid = [];
  for (let x = 0; x <= nx; ++x) grid.push([[x, 0, 0], [x, ny, 0]]);
  for (let y = 0; y <= ny; ++y) grid.push([[0, y, 0], [nx, y, 0]]);
  const most = links[0].wait_s;
  const hot = links.map(({ends, wait_s, link}) => ({...line(ends), share: wait_s / most, link}));
  const dots = links.flatMap(({ends}) => ends.map(project));
  const spread = {u: nx + 0.45 * ny + 1, v: nz + 0.35 * ny + 1};
  return chart("torus", label, (width) => ({
    width: Math.round(Math.min(width, (360 * spread.u) / spread.v)),
    height: Math.round(Math.min(360, (width * spread.v) / spread.u)),
    margin: 6,
    axis: null,
    x: {domain: [-0.5, spread.u - 0.5]},
    y: {domain: [-0.5, spread.v - 0.5]},
    marks: [
      Plot.link(grid.map(line), {x1: "x1", y1: "y1", x2: "x2", y2: "y2", stroke: "currentColor", strokeOpacity: 0.12}),
      Plot.link(edges.map(line), {x1: "x1", y1: "y1", x2: "x2", y2: "y2", stroke: "currentColor", strokeOpacity: 0.45}),
      Plot.arrow(hot, {x1: "x1", y1: "y1", x2: "x2", y2: "y2", stroke: "#d9532b", strokeWidth: (d) => 2 + 3 * d.share, headLength: 6}),
      Plot.dot(dots, {x: "u", y: "v", r: 4, fill: "#d9532b"}),
    ],
  }));
}

const kNothing = 0.0005;  // a share of the time of all ranks that the page writes as 0.0 %

export function links({result}) {
  const waits = result.link_waits;
  if (!waits) return null;
  const share = waits.all_s / (result.ranks * result.time_s);
  if (waits.hottest.length === 0 || share < kNothing) {
    const cost = waits.all_s > 0 ? `All messages together waited ${duration(waits.all_s)} for links, less than 0.05\u00a0% of the time of all ranks.` : "No message waited for a link.";
    return section("Links", element("p", {}, cost));
  }
  const [hottest] = waits.hottest;
  const caption = `All messages together waited ${duration(waits.all_s)} for links, longest for ${hottest.link}: ${duration(hottest.wait_s)}.`;
  const rows = waits.hottest.map(({link, wait_s}) => [link, {text: duration(wait_s), value: wait_s}, percent(wait_s / waits.all_s)]);
  const numbers = table("Links most waited for", [{title: "link"}, {title: "waited", number: true}, {title: "of all", number: true}], rows);
  const figures = [figure("links", waitBars(waits.hottest, caption), caption, numbers)];
  const drawn = waits.hottest.map((each) => ({...each, ends: endsOf(each.link)})).filter(({ends}) => ends);
  const shape = result.torus ?? [];
  if (drawn.length > 0 && (shape.length === 2 || shape.length === 3)) {
    const label = `These links on the torus of ${shape.join(" x ")} nodes, seen from above at an angle; a line across all of it is a cable that closes a ring.`;
    figures.push(figure("torus", torusDrawing(shape, drawn, label), label));
  }
  return section("The busiest links", ...figures);
}
