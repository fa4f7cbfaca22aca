// One map of the rank array as a canvas: a pixel per cell, enlarged without smoothing, with a scale, and a cursor that the
// pointer or the arrow keys move and whose cell is read out.
import {interpolateViridis} from "d3-scale-chromatic";
import {element} from "./dom.js";
import {duration} from "./format.js";

function channels(colour) {
  const hex = /^#(..)(..)(..)$/.exec(colour);
  return hex ? hex.slice(1).map((each) => parseInt(each, 16)) : colour.match(/\d+/g).slice(0, 3).map(Number);
}

/// Of a share from 0 to 1; 256 steps.
const kRamp = Array.from({length: 256}, (_, k) => channels(interpolateViridis(k / 255)));
export const rampColour = (share) => kRamp[Math.round(255 * Math.min(1, Math.max(0, share)))];
export const rampGradient = `linear-gradient(90deg, ${[0, 0.25, 0.5, 0.75, 1].map(interpolateViridis).join(", ")})`;

/// Ranks of a cell in words.
export function cellName(array, cell) {
  const column = cell % array.columns;
  const row = Math.floor(cell / array.columns);
  const span = (at, each) => (each === 1 ? `${at + 1}` : `${at * each + 1} to ${(at + 1) * each}`);
  return `column ${span(column, array.columns_per_cell)}, row ${span(row, array.rows_per_cell)}`;
}

/// `colourOf` gives [r, g, b] or null (nothing drawn) of a cell.
export function paint(canvas, array, colourOf) {
  const context = canvas.getContext("2d");
  const image = context.createImageData(array.columns, array.rows);
  for (let cell = 0; cell < array.columns * array.rows; ++cell) {
    const colour = colourOf(cell);
    if (colour) image.data.set([...colour, 255], 4 * cell);
  }
  context.putImageData(image, 0, 0);
}

/// A canvas of the array's shape with the cursor; `say` gives the text of a cell.
export function arrayCanvas(name, array, label, say) {
  const canvas = element("canvas", {
    width: array.columns, height: array.rows, role: "img", "aria-label": label, "data-figure": name,
  });
  const aspect = (array.columns * array.columns_per_cell) / (array.rows * array.rows_per_cell);
  const cursor = element("span", {class: "cursor", hidden: true});
  const readout = element("output", {class: "readout", "aria-live": "polite"}, "\u00a0");
  let cell = 0;
  const move = (to) => {
    cell = to;
    const [width, height] = [100 / array.columns, 100 / array.rows];
    cursor.style.cssText = `left:${(cell % array.columns) * width}%;top:${Math.floor(cell / array.columns) * height}%;width:${width}%;height:${height}%`;
    cursor.hidden = false;
    readout.textContent = `${cellName(array, cell)}: ${say(cell)}`;
  };
  const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
  const frame = element(
    "div",
    {
      class: "array", style: `aspect-ratio:${aspect};max-width:calc(${aspect.toFixed(4)} * var(--highest-array))`, tabindex: "0", role: "group", "aria-label": `${label} Arrow keys read out cells.`,
      onpointermove: (event) => {
        const box = canvas.getBoundingClientRect();
        const column = Math.floor(((event.clientX - box.left) / box.width) * array.columns);
        const row = Math.floor(((event.clientY - box.top) / box.height) * array.rows);
        if (column >= 0 && column < array.columns && row >= 0 && row < array.rows) move(row * array.columns + column);
      },
      onpointerleave: () => { cursor.hidden = true; readout.textContent = "\u00a0"; },
      onkeydown: (event) => {
        const step = steps[event.key];
        if (!step) return;
        event.preventDefault();
        const column = Math.min(array.columns - 1, Math.max(0, (cell % array.columns) + step[0]));
        const row = Math.min(array.rows - 1, Math.max(0, Math.floor(cell / array.columns) + step[1]));
        move(row * array.columns + column);
      },
    },
    canvas,
    cursor,
  );
  return {canvas, frame, readout};
}

/// As many digits as tell the ends of a scale apart.
function telling(least, most) {
  let digits = 3;
  while (digits < 10 && duration(least, digits) === duration(most, digits)) ++digits;
  return digits;
}

/// A map of values with its scale.
export function heatMap(name, title, array, values) {
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const digits = telling(least, most);
  const where = (value) => cellName(array, values.indexOf(value));
  const label = `${title}: from ${duration(least, digits)} at ${where(least)} to ${duration(most, digits)} at ${where(most)}.`;
  const {canvas, frame, readout} = arrayCanvas(name, array, label, (cell) => duration(values[cell], digits + 1));
  paint(canvas, array, (cell) => rampColour(most > least ? (values[cell] - least) / (most - least) : 0.5));
  const scale = element(
    "div",
    {class: "scale", "aria-hidden": "true"},
    element("span", {"data-value": least}, duration(least, digits)),
    element("span", {class: "ramp", style: `background:${rampGradient}`}),
    element("span", {"data-value": most}, duration(most, digits)),
  );
  return element("figure", {class: "map"}, element("h3", {}, title), frame, scale, element("figcaption", {}, readout, element("span", {class: "spoken"}, label)));
}
