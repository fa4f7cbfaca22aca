// How the points of a study are laid out in a picture: which axis runs along x, which tells lines apart, which facets.

const kOfRanks = ["ranks.columns", "ranks.rows"];

/// The keys of an axis; a label of its own stands first.
const keysOf = (axis) => Object.keys(axis);

/// "0.316us" as a number and its unit, or null.
function quantity(text) {
  const found = /^([-+]?[\d.]+(?:e[-+]?\d+)?)\s*([^\d\s].*)?$/i.exec(text);
  return found && {number: Number(found[1]), unit: found[2] ?? ""};
}

function isOfRanks(axis) {
  return keysOf(axis).some((key) => kOfRanks.includes(key));
}

/// What a point is at on an axis: a number where the axis is to scale, else its text.
function place(axis, points) {
  if (isOfRanks(axis)) return {label: "ranks", of: (point) => point.ranks, numeric: true};
  const [key] = keysOf(axis);
  const values = points.map((point) => quantity(point.set[key]));
  const unit = values[0]?.unit;
  if (values.every((value) => value && value.unit === unit)) {
    return {label: unit ? `${key}, ${unit}` : key, of: (point) => quantity(point.set[key]).number, numeric: true};
  }
  return {label: key, of: (point) => point.set[key], numeric: false};
}

/// The best is sought over x; otherwise x is the axis with the most values.
export function layout(study) {
  const varying = study.axes.filter((axis) => Object.values(axis)[0].length > 1);
  const over = study.best?.[0]?.over;
  const most = varying.reduce((a, b) => (a && Object.values(a)[0].length >= Object.values(b)[0].length ? a : b), undefined);
  const along = varying.find((axis) => keysOf(axis).includes(over)) ?? most ?? study.axes[0];
  const others = varying.filter((axis) => axis !== along);
  const facet = others.length > 1 ? others.shift() : undefined;
  const lineName = (point) => others.map((axis) => (isOfRanks(axis) ? `${point.ranks.toLocaleString("en-GB")} ranks` : `${keysOf(axis)[0]} ${point.set[keysOf(axis)[0]]}`)).join(", ");
  const named = (axis) => (isOfRanks(axis) ? place(axis, study.points) : {label: keysOf(axis)[0], of: (point) => point.set[keysOf(axis)[0]]});
  return {x: place(along, study.points), facet: facet && named(facet), lineName};
}

/// Logarithmic where it spans a factor of eight.
export function scaleOf(values) {
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length < values.length) return "point";
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least > 0 && most / least >= 8 ? "log" : "linear";
}
