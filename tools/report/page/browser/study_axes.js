// How the points of a study are laid out in pictures: which axis runs along x, which tells panels and which lines apart.
import {counted} from "./format.js";

/// The keys of an axis; a label of its own stands first.
const keysOf = (axis) => Object.keys(axis);
const sizeOf = (axis) => Object.values(axis)[0].length;
const isLabelled = (axis, study) => (study.labels ?? []).includes(keysOf(axis)[0]);
/// A variant has null for a key that it leaves as it is.
const isOfRanks = (axis) => keysOf(axis).some((key) => (key === "ranks" || key.startsWith("ranks.")) && !axis[key].includes(null));
const distinct = (values) => new Set(values).size === values.length;

/// "0.316us" as a number and its unit, or null.
function quantity(text) {
  const found = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*([^\d\s].*)?$/i.exec(text);
  return found && {number: Number(found[1]), unit: found[2] ?? ""};
}

/// The first key whose values are different numbers of one unit.
function numericKey(axis) {
  return keysOf(axis).find((key) => {
    const values = axis[key].map(quantity);
    return values.every((value) => value && value.unit === values[0].unit) && distinct(values.map(({number}) => number));
  });
}

/// The keys that tell the values of an axis apart: the first, or all where its values repeat. A label stands for all.
function tellingKeys(axis) {
  const keys = keysOf(axis);
  return distinct(axis[keys[0]]) ? [keys[0]] : keys;
}

/// Whether the points of an axis, the others equal, have different numbers of ranks.
function tellsRanks(axis, points) {
  const others = (point) => Object.entries(point.set).filter(([key]) => !(key in axis)).join();
  return isOfRanks(axis) && distinct(points.map((point) => `${others(point)} ${point.ranks}`));
}

/// What a point is at on an axis: a number where the axis is to scale, else the text of its value; `order` has the texts as the
/// axis lists them.
function place(axis, study) {
  if (tellsRanks(axis, study.points)) return {label: "ranks", of: (point) => point.ranks, ofRanks: true};
  const key = isLabelled(axis, study) ? undefined : numericKey(axis);
  if (key) {
    const {unit} = quantity(axis[key][0]);
    return {label: unit ? `${key}, ${unit}` : key, of: (point) => quantity(point.set[key]).number};
  }
  const keys = tellingKeys(axis);
  const order = axis[keys[0]].map((_, k) => keys.map((each) => axis[each][k]).join(" x "));
  return {label: keys.join(" x "), of: (point) => keys.map((each) => point.set[each]).join(" x "), order};
}

/// The value of an axis in words: "1,024 ranks", "mk=4"; of a label with texts that are no numbers the text alone.
function wordsOf(axis, study) {
  const alone = study.axes.filter((each) => isOfRanks(each) && sizeOf(each) > 1).length === 1;
  if (alone && !isLabelled(axis, study) && tellsRanks(axis, study.points)) return (point) => counted(point.ranks, "rank");
  if (isLabelled(axis, study) && !axis[keysOf(axis)[0]].every(quantity)) return (point) => point.set[keysOf(axis)[0]];
  const name = (key) => key.slice(key.lastIndexOf(".") + 1);
  return (point) => tellingKeys(axis).map((key) => `${name(key)}=${point.set[key]}`).join(", ");
}

/// The axis that the study names for its pictures, if it has several values; else the last that does. Of three that vary the
/// first of the others has a panel for each of its values.
export function layout(study) {
  const varying = study.axes.filter((axis) => sizeOf(axis) > 1);
  const along = varying.find((axis) => keysOf(axis).includes(study.x)) ?? varying.at(-1) ?? study.axes.at(-1);
  const others = varying.filter((axis) => axis !== along);
  const panelOf = others.length > 1 ? wordsOf(others.shift(), study) : () => "";
  const words = others.map((axis) => wordsOf(axis, study));
  return {x: place(along, study), panelOf, lineOf: (point) => words.map((of) => of(point)).join(", ")};
}

/// The question of a study, or its name and the keys that vary: "Study quad: ranks and htile".
export function titleOf(study) {
  if (study.question) return study.question;
  const varying = study.axes.filter((axis) => sizeOf(axis) > 1);
  const names = varying.map((axis) => (tellsRanks(axis, study.points) ? "ranks" : tellingKeys(axis).map((key) => key.slice(key.lastIndexOf(".") + 1)).join(" x ")));
  const [last, ...before] = names.reverse();
  const words = before.length > 0 ? `${before.reverse().join(", ")} and ${last}` : last;
  return words ? `Study ${study.study}: ${words}` : `Study ${study.study}`;
}
