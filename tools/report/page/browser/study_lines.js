// The lines of a study's picture: a colour and a mark for each combination of the other axes (for each engine, if there is no
// other axis), a pattern of dashes for each engine, the same in every study.
import {element} from "./dom.js";

const kPalette = ["#3b82c4", "#d9822b", "#4f9a5f", "#c2504a", "#7a4fb0", "#808a94", "#c2569b", "#a08c1f"];
const kMarks = ["circle", "square", "triangle", "diamond"];

/// Patterns of dashes by engine, in the order of `warpfront run --help`.
const kDashes = {
  event: "", simgrid: "2 3", analytic: "7 4", "plug-and-play": "12 4", "plug-and-play-2d": "7 3 2 3", cmp: "12 3 2 3",
  "simultaneous-sweeps": "7 3 2 3 2 3", "separate-cores-sweeps": "4 2", heterogeneous: "12 3 4 3", "unequal-cells": "12 3 2 3 2 3",
  "sp2-loggp": "2 6", "sp2-loggp-smp": "7 8", mpp: "12 8", "pipeline-bottlenecks": "4 6", allreduce: "2 3 2 8", overlapped: "7 2",
};

/// Returns the colour of one of `count` lines: from the palette, or one of many hues, alternately light and dark.
function colour(k, count) {
  if (count <= kPalette.length) return kPalette[k];
  return `hsl(${Math.round((210 + (360 * k) / count) % 360)}, 65%, ${k % 2 === 0 ? 45 : 60}%)`;
}

/// Returns the style of a line. Marks of the event engine are filled, all others are hollow.
export function styleOf(engine, k, count) {
  return {stroke: colour(k, count), symbol: kMarks[k % kMarks.length], dashes: kDashes[engine] ?? "1 2", filled: engine === "event"};
}

/// Returns the index of a line among the lines with different colours, and their number. In a study with a single line per
/// engine the engines have different colours.
export const placeIn = (engines, names, engine, name) => (names.length > 1 ? [names.indexOf(name), names.length] : [engines.indexOf(engine), engines.length]);

const kOutlines = {
  circle: "M16,6m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0Z", square: "M12.5,2.5h7v7h-7Z", triangle: "M16,1.5l4.5,8h-9Z", diamond: "M16,1l5,5l-5,5l-5,-5Z",
};

/// Returns an entry of the legend: a piece of the line with its mark, and its name.
function entry(text, {stroke, dashes, symbol, filled, thin, bar}) {
  const made = (tag, attributes) => {
    const shape = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
    return shape;
  };
  const sample = made("svg", {width: 32, height: 12, viewBox: "0 0 32 12", "aria-hidden": "true"});
  if (bar) sample.append(made("rect", {x: 8, y: 1, width: 16, height: 10, stroke, "stroke-width": 2, fill: filled ? stroke : "var(--surface)"}));
  else sample.append(made("path", {d: "M0,6H32", stroke, fill: "none", "stroke-width": thin ? 1 : 2, "stroke-dasharray": dashes}));
  if (symbol && !bar) sample.append(made("path", {d: kOutlines[symbol], stroke, "stroke-width": 2, fill: filled ? stroke : "var(--surface)"}));
  return element("span", {class: "entry"}, sample, text);
}

/// Returns the legend of a picture: colours, dashes and thin lines, or bars. The group `lines`, with the colours, is hidden if
/// the lines themselves have labels (line_labels.js).
export function legend(lines, engines, enginesOfStudy, {hasIdeal, inBars}) {
  const ofLines = lines.length > 1 ? lines.map((text, k) => entry(text, {...styleOf(engines.includes("event") ? "event" : engines[0], k, lines.length), dashes: "", bar: inBars})) : [];
  const plain = lines.length > 1 ? {stroke: "currentColor", symbol: undefined} : {};
  const ofEngines = engines.map((engine) => entry(engine, {...styleOf(engine, ...placeIn(enginesOfStudy, lines, engine, lines[0])), ...plain, bar: inBars}));
  const ideal = hasIdeal ? [entry("ideal scaling from the first point", {stroke: "currentColor", dashes: "", thin: true})] : [];
  const rest = [...ofEngines, ...ideal];
  return element("div", {class: "legend"}, ofLines.length > 0 && element("div", {class: "lines"}, ofLines), rest.length > 0 && element("div", {}, rest));
}
