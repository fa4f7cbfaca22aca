// The layout of a study in pictures: the axis along x, the axis of the panels and the axes of the lines.
import {counted} from "./format.js";

/// Returns the keys of an axis; its label, if it has one, is the first.
const keysOf = (axis) => Object.keys(axis);
const sizeOf = (axis) => Object.values(axis)[0].length;
const isLabelled = (axis, study) => (study.labels ?? []).includes(keysOf(axis)[0]);
/// Returns true if the axis changes the ranks. A variant has null for a key that it does not change.
const isOfRanks = (axis) => keysOf(axis).some((key) => (key === "ranks" || key.startsWith("ranks.")) && !axis[key].includes(null));
const distinct = (values) => new Set(values).size === values.length;

/// Splits "0.316us" into a number and its unit; returns null for other texts.
function quantity(text) {
  const found = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*([^\d\s].*)?$/i.exec(text);
  return found && {number: Number(found[1]), unit: found[2] ?? ""};
}

/// Returns the first key whose values are distinct numbers with one unit.
function numericKey(axis) {
  return keysOf(axis).find((key) => {
    const values = axis[key].map(quantity);
    return values.every((value) => value && value.unit === values[0].unit) && distinct(values.map(({number}) => number));
  });
}

/// Returns the keys that distinguish the values of an axis: the first, or all keys if values of the first repeat.
function distinctKeys(axis) {
  const keys = keysOf(axis);
  return distinct(axis[keys[0]]) ? [keys[0]] : keys;
}

/// Returns true if points that differ only along this axis have different numbers of ranks.
function changesRanks(axis, points) {
  const others = (point) => Object.entries(point.set).filter(([key]) => !(key in axis)).join();
  return isOfRanks(axis) && distinct(points.map((point) => `${others(point)} ${point.ranks}`));
}

/// Returns the position of points on an axis: a number if the axis is to scale, otherwise a text, whose order along the axis is
/// `order`.
function place(axis, study) {
  if (changesRanks(axis, study.points)) return {label: "ranks", of: (point) => point.ranks, ofRanks: true};
  const key = isLabelled(axis, study) ? undefined : numericKey(axis);
  if (key) {
    const {unit} = quantity(axis[key][0]);
    return {label: unit ? `${key}, ${unit}` : key, of: (point) => quantity(point.set[key]).number};
  }
  const keys = distinctKeys(axis);
  const order = axis[keys[0]].map((_, k) => keys.map((each) => axis[each][k]).join(" x "));
  return {label: keys.join(" x "), of: (point) => keys.map((each) => point.set[each]).join(" x "), order};
}

/// Returns a function that formats the value of an axis: "1,024 ranks", "mk=4". A label that is not a number is unchanged.
function wordsOf(axis, study) {
  const alone = study.axes.filter((each) => isOfRanks(each) && sizeOf(each) > 1).length === 1;
  if (alone && !isLabelled(axis, study) && changesRanks(axis, study.points)) return (point) => counted(point.ranks, "rank");
  if (isLabelled(axis, study) && !axis[keysOf(axis)[0]].every(quantity)) return (point) => point.set[keysOf(axis)[0]];
  const name = (key) => key.slice(key.lastIndexOf(".") + 1);
  return (point) => distinctKeys(axis).map((key) => `${name(key)}=${point.set[key]}`).join(", ");
}

/// Lays out a study. The axis along x is the one that the study names, if it has several values, otherwise the last axis with
/// several. If three axes vary, the first of the others has one panel for each of its values.
export function layout(study) {
  const varying = study.axes.filter((axis) => sizeOf(axis) > 1);
  const along = varying.find((axis) => keysOf(axis).includes(study.x)) ?? varying.at(-1) ?? study.axes.at(-1);
  const others = varying.filter((axis) => axis !== along);
  const panelOf = others.length > 1 ? wordsOf(others.shift(), study) : () => "";
  const words = others.map((axis) => wordsOf(axis, study));
  return {x: place(along, study), panelOf, lineOf: (point) => words.map((of) => of(point)).join(", ")};
}

/// Returns the question of a study, or its name with the keys that vary: "Study quad: ranks and htile".
export function titleOf(study) {
  if (study.question) return study.question;
  const varying = study.axes.filter((axis) => sizeOf(axis) > 1);
  const names = varying.map((axis) => (changesRanks(axis, study.points) ? "ranks" : distinctKeys(axis).map((key) => key.slice(key.lastIndexOf(".") + 1)).join(" x ")));
  const [last, ...before] = names.reverse();
  const words = before.length > 0 ? `${before.reverse().join(", ")} and ${last}` : last;
  return words ? `Study ${study.study}: ${words}` : `Study ${study.study}`;
}
