// A map of the process grid as a canvas with a scale: one pixel per cell, enlarged without smoothing. The pointer or the arrow
// keys move a cursor, and the value of its cell is shown. Planes are drawn beside each other, one pixel apart.
import {interpolateViridis} from "d3-scale-chromatic";
import {element} from "./dom.js";
import {duration} from "./format.js";

function channels(colour) {
  const hex = /^#(..)(..)(..)$/.exec(colour);
  return hex ? hex.slice(1).map((each) => parseInt(each, 16)) : colour.match(/\d+/g).slice(0, 3).map(Number);
}

/// The colours of shares from 0 to 1, in 256 steps.
const kRamp = Array.from({length: 256}, (_, k) => channels(interpolateViridis(k / 255)));
export const rampColour = (share) => kRamp[Math.round(255 * Math.min(1, Math.max(0, share)))];
export const rampGradient = `linear-gradient(90deg, ${[0, 0.25, 0.5, 0.75, 1].map(interpolateViridis).join(", ")})`;

/// Returns the coordinates of a cell, counted from 0.
function coordinates(array, cell) {
  return {
    column: cell % array.columns,
    row: Math.floor(cell / array.columns) % array.rows,
    plane: Math.floor(cell / (array.columns * array.rows)),
  };
}

/// Formats the columns, rows and planes of a cell.
export function cellName(array, cell) {
  const {column, row, plane} = coordinates(array, cell);
  const span = (at, each) => (each === 1 ? `${at + 1}` : `${at * each + 1} to ${(at + 1) * each}`);
  const name = `column ${span(column, array.columns_per_cell)}, row ${span(row, array.rows_per_cell)}`;
  return array.planes ? `${name}, plane ${span(plane, array.planes_per_cell)}` : name;
}

/// Arranges the planes of the process grid in lines, the lowest first, so that the picture is as square as possible. Returns its
/// size in pixels, and functions from a cell to its pixel and back; a pixel between planes has no cell.
function layout(array) {
  const planes = array.planes ?? 1;
  const size = (across) => [across * (array.columns + 1) - 1, Math.ceil(planes / across) * (array.rows + 1) - 1];
  const elongation = (across) => {
    const [width, height] = size(across);
    return Math.abs(Math.log((width * array.columns_per_cell) / (height * array.rows_per_cell)));
  };
  const counts = Array.from({length: planes}, (_, k) => k + 1);
  const across = counts.reduce((best, each) => (elongation(each) < elongation(best) ? each : best));
  const [width, height] = size(across);
  return {
    width,
    height,
    aspect: (width * array.columns_per_cell) / (height * array.rows_per_cell),
    pixel: (cell) => {
      const {column, row, plane} = coordinates(array, cell);
      return [(plane % across) * (array.columns + 1) + column, Math.floor(plane / across) * (array.rows + 1) + row];
    },
    cell: (x, y) => {
      const column = x % (array.columns + 1);
      const row = y % (array.rows + 1);
      const plane = Math.floor(y / (array.rows + 1)) * across + Math.floor(x / (array.columns + 1));
      const inside = x >= 0 && y >= 0 && x < width && column < array.columns && row < array.rows && plane < planes;
      return inside ? (plane * array.rows + row) * array.columns + column : null;
    },
  };
}

/// Paints every cell. `colourOf` returns the colour [r, g, b] of a cell, or null if nothing is drawn.
export function paint(canvas, array, colourOf) {
  const {width, height, pixel} = layout(array);
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, height);
  for (let cell = 0; cell < array.columns * array.rows * (array.planes ?? 1); ++cell) {
    const colour = colourOf(cell);
    const [x, y] = pixel(cell);
    if (colour) image.data.set([...colour, 255], 4 * (y * width + x));
  }
  context.putImageData(image, 0, 0);
}

/// Returns a canvas in the shape of the process grid with its cursor; `textOf` returns the text of a cell.
export function arrayCanvas(name, array, label, textOf) {
  const {width, height, aspect, pixel, cell: cellAt} = layout(array);
  const planes = array.planes ?? 1;
  const canvas = element("canvas", {width, height, role: "img", "aria-label": label, "data-figure": name});
  const cursor = element("span", {class: "cursor", hidden: true});
  const readout = element("output", {class: "readout", "aria-live": "polite"}, "\u00a0");
  let cell = 0;
  const move = (to) => {
    cell = to;
    const [x, y] = pixel(cell);
    cursor.style.cssText = `left:${(100 * x) / width}%;top:${(100 * y) / height}%;width:${100 / width}%;height:${100 / height}%`;
    cursor.hidden = false;
    readout.textContent = `${cellName(array, cell)}: ${textOf(cell)}`;
  };
  const steps = {
    ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, -1, 0], ArrowDown: [0, 1, 0], PageUp: [0, 0, 1], PageDown: [0, 0, -1],
  };
  const keys = planes > 1 ? "Arrow keys read out cells, Page Up and Page Down those of other planes." : "Arrow keys read out cells.";
  const frame = element(
    "div",
    {
      class: "array", style: `aspect-ratio:${aspect};max-width:calc(${aspect.toFixed(4)} * var(--highest-array))`, tabindex: "0", role: "group", "aria-label": `${label} ${keys}`,
      onpointermove: (event) => {
        const box = canvas.getBoundingClientRect();
        const x = Math.floor(((event.clientX - box.left) / box.width) * width);
        const y = Math.floor(((event.clientY - box.top) / box.height) * height);
        const under = cellAt(x, y);
        if (under !== null) move(under);
      },
      onpointerleave: () => { cursor.hidden = true; readout.textContent = "\u00a0"; },
      onkeydown: (event) => {
        const step = steps[event.key];
        if (!step) return;
        event.preventDefault();
        const {column, row, plane} = coordinates(array, cell);
        const within = (at, count) => Math.min(count - 1, Math.max(0, at));
        const to = [within(column + step[0], array.columns), within(row + step[1], array.rows), within(plane + step[2], planes)];
        move((to[2] * array.rows + to[1]) * array.columns + to[0]);
      },
    },
    canvas,
    cursor,
  );
  return {canvas, frame, readout};
}

/// Returns the number of digits at which the ends of a scale differ.
function digitsBetween(least, most) {
  let digits = 3;
  while (digits < 10 && duration(least, digits) === duration(most, digits)) ++digits;
  return digits;
}

/// Returns a map of values with its scale.
export function heatMap(name, title, array, values) {
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const digits = digitsBetween(least, most);
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
