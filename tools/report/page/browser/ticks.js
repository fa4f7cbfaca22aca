// Positions and labels of the ticks of an axis.
import {plain} from "./format.js";

const kLogarithmicFrom = 8;  // the least factor between the ends of a logarithmic axis
const kNarrow = 4;           // a factor between the ends that has too few ticks of 1, 2 and 5
const kLetter = 8;           // the width in pixels of the widest letter of a label
const kMeanLetter = 7.2;     // the mean width in pixels of a letter in words

/// Returns the minimum and the maximum.
export const reach = (values) => values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]);

/// Returns "log" if the numbers are positive and span a factor of eight or more, otherwise "linear".
export function scaleOf(values) {
  const [least, most] = reach(values);
  return least > 0 && most / least >= kLogarithmicFrom ? "log" : "linear";
}

function linearTicks(least, most, count) {
  const rough = (most - least) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough) * power;
  const first = Math.ceil(least / step - 1e-9);
  return Array.from({length: Math.floor(most / step + 1e-9) - first + 1}, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

/// Returns ticks at 1, 2 and 5 times the powers of ten, at the powers alone if there are many, at more values if there are few.
function logarithmicTicks(least, most) {
  const decades = Math.log10(most / least);
  const factors = decades > 4 ? [1] : decades > 1.3 ? [1, 2, 5] : [1, 1.5, 2, 3, 5, 7];
  const ticks = [];
  for (let exponent = Math.floor(Math.log10(least)); 10 ** exponent <= most; ++exponent) {
    for (const factor of factors) ticks.push(Number(`${factor}e${exponent}`));
  }
  return ticks.filter((tick) => tick >= least && tick <= most);
}

export function ticksOf(type, [least, most], count = 6) {
  if (!(most > least)) return [least];
  return type === "log" && most / least >= kNarrow ? logarithmicTicks(least, most) : linearTicks(least, most, count);
}

/// Formats the labels of ticks with as many digits as they need to be distinct.
export function labelsOf(ticks) {
  for (let digits = 3; digits < 12; ++digits) {
    const labels = ticks.map((tick) => plain(tick, digits));
    if (new Set(labels).size === new Set(ticks).size) return labels;
  }
  return ticks.map(String);
}

/// Formats numbers of ranks: "1Ki" if all are multiples of 1,024, otherwise "1,024".
export function rankLabels(ranks) {
  const binary = ranks.every((each) => each >= 1024 && each % 1024 === 0);
  return ranks.map((each) => (binary ? `${each / 1024}Ki` : each.toLocaleString("en-GB")));
}

const kPrefixed = {s: {0: "s", "-3": "ms", "-6": "µs", "-9": "ns", "-12": "ps"}};
const kRaised = {"-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹"};
const raised = (number) => [...String(number)].map((letter) => kRaised[letter]).join("");

/// Returns the power of a thousand that leaves numbers of at most six letters, and the unit with that power: [1e6, "10⁶ s"].
/// An exponent in the unit becomes a superscript: "s^2" becomes "s²".
export function unitFor(values, plainUnit) {
  const unit = plainUnit?.replace(/\^(\d)/g, (_, power) => kRaised[power]);
  const most = Math.max(...values.map(Math.abs));
  if (most === 0 || !Number.isFinite(most) || (most >= 0.01 && most < 1e5)) return [1, unit];
  const exponent = 3 * Math.floor(Math.log10(most) / 3);
  return [10 ** exponent, kPrefixed[unit]?.[exponent] ?? `10${raised(exponent)}${unit ? ` ${unit}` : ""}`];
}

/// Returns the labels, in their order, with those removed that would overlap a later one.
export function thinned(labels, pixels) {
  const shown = labels.map(() => false);
  let limit = Infinity;
  for (let k = labels.length - 1; k >= 0; --k) {
    const half = (kLetter * labels[k].length) / 2 + 3;
    if (pixels[k] + half > limit) continue;
    shown[k] = true;
    limit = pixels[k] - half;
  }
  return labels.map((label, k) => (shown[k] ? label : ""));
}

/// Returns true if the labels fit side by side, each in `room` pixels.
export const fit = (labels, room) => Math.max(...labels.map((label) => label.length)) * kLetter <= room;
export const widthOf = (labels) => kLetter * Math.max(...labels.map((label) => label.length));
/// Returns the estimated width of words, whose letters are narrower on average than digits.
export const widthOfText = (texts) => kMeanLetter * Math.max(0, ...texts.map((text) => text.length));
