// Labels at the right ends of the lines of a study's picture, beside its frame. Each colour has one label, at the height of the
// last value of its line; labels that would overlap are moved apart.
import * as Plot from "@observablehq/plot";
import {widthOfText} from "./ticks.js";

const kMost = 8;         // the number of labels; with more lines the legend has them
const kShare = 0.28;     // the largest share of the width of the picture
const kApart = 16;       // pixels from label to label
const kMark = 22;        // pixels from the frame to the text; the mark of the line is between them

/// Returns, for each colour, the label and the last value of the first line that has values.
function endsOf(lines, style, textOf) {
  const colours = new Set();
  return lines.flatMap((line) => {
    const last = line.points.filter(({value}) => typeof value === "number").at(-1);
    const {stroke} = style(line);
    if (!last || colours.has(stroke)) return [];
    colours.add(stroke);
    return [{text: textOf(line), value: last.value, style: style(line)}];
  });
}

/// Returns the labels of `lines` and their width in pixels; none if there is one line, or if the labels do not fit.
export function labelsAtEnds(lines, style, textOf, width) {
  const ends = endsOf(lines, style, textOf);
  const wide = kMark + widthOfText(ends.map(({text}) => text));
  return ends.length > 1 && ends.length <= kMost && wide <= kShare * width ? {ends, width: wide} : {ends: [], width: 0};
}

/// Returns heights from 0 to `height` in the order of `wanted`, each at least kApart below the previous one and close to its
/// wanted height. Neighbours that touch form a group around the mean of their wanted heights.
export function apart(wanted, height) {
  const groups = [];
  for (const at of wanted) {
    groups.push({sum: at, count: 1});
    const top = ({sum, count}) => Math.max(0, Math.min(height - (count - 1) * kApart, sum / count - ((count - 1) * kApart) / 2));
    for (;;) {
      const [above, below] = groups.slice(-2);
      if (!below || top(above) + above.count * kApart <= top(below)) break;
      groups.splice(-2, 2, {sum: above.sum + below.sum, count: above.count + below.count});
    }
    for (const group of groups) group.top = top(group);
  }
  return groups.flatMap(({top, count}) => Array.from({length: count}, (_, k) => top + k * kApart));
}

/// Returns the marks of labels beside a frame of `height` pixels; `heightOf` returns the distance of a value from its top.
export function labelMarks(ends, height, heightOf) {
  const sorted = [...ends].sort((a, b) => heightOf(a.value) - heightOf(b.value));
  const heights = apart(sorted.map(({value}) => heightOf(value)), height);
  return sorted.flatMap(({text, style: {stroke, symbol, filled}}, k) => [
    Plot.dot([text], {frameAnchor: "top-right", dx: 11, dy: heights[k], symbol, r: filled ? 3 : 4, stroke, strokeWidth: 2, fill: filled ? stroke : "var(--surface)"}),
    Plot.text([text], {frameAnchor: "top-right", dx: kMark, dy: heights[k], text: (each) => each, textAnchor: "start", lineAnchor: "middle", className: "end"}),
  ]);
}
