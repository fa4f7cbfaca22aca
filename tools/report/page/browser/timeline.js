// The activities of a few ranks over time: one lane per rank with a bar for each state, and messages as arrows between lanes.
// The program has reduced the timeline to a drawable part (simulator/results/timeline/excerpt.hpp). Times are picoseconds since
// its beginning.
import * as Plot from "@observablehq/plot";
import {chart, kPartColours} from "./chart.js";
import {element, figure, section, table} from "./dom.js";
import {count, duration, percent, unitOf} from "./format.js";

const kPicosecond = 1e-12;
/// Vertical extents of bars in a lane of height 1. Work is a tall bar and waiting a low one, so that they differ without colour.
const kWork = [0.16, 0.84];
const kWaiting = [0.38, 0.62];
const kCollective = [0.9, 0.97];
const kLatest = 100;  // the latest beginning of a window, in its lengths, for which the axis begins at 0
const kLeastShare = 0.001;  // the smallest share that the caption mentions

const isWaiting = (state) => state.endsWith("wait");

/// Returns one entry for each bar.
function barsOf({ranks, activities, statements}) {
  return ranks.flatMap(({name, spans}, lane) =>
    spans.map(([begin, end, activity, statement]) => {
      const state = activities[activity];
      const [top, bottom] = isWaiting(state) ? kWaiting : kWork;
      return {name, begin, end, state, statement: statements[statement], top: lane + top, bottom: lane + bottom};
    }),
  );
}

function collectivesOf({ranks, statements}) {
  const [top, bottom] = kCollective;
  return ranks.flatMap(({name, collectives}, lane) =>
    collectives.map(([begin, end, statement]) => ({
      name, begin, end, state: "collective", statement: statements[statement], top: lane + top, bottom: lane + bottom,
    })),
  );
}

/// Returns the arrows, from the edge of the sender's bars to the edge of the receiver's.
function arrowsOf({messages}) {
  const [top, bottom] = kWork;
  return messages.map(([from, to, left, received]) => ({
    left, received, from: from + (from < to ? bottom : top), to: to + (from < to ? top : bottom),
  }));
}

/// Returns the picoseconds in each state for each rank.
function totalsOf({ranks, activities}) {
  return ranks.map(({spans}) => {
    const totals = new Map();
    for (const [begin, end, activity] of spans) totals.set(activities[activity], (totals.get(activities[activity]) ?? 0) + end - begin);
    return totals;
  });
}

const axisName = ({number}) => `rank ${number}`;

/// Returns the time axis. It begins at 0, or at the beginning of the window if ticks would differ in their last digits only.
function axisOf({begin_s, end_s}) {
  const zero = begin_s > kLatest * (end_s - begin_s) ? begin_s : 0;
  const [unit, unitName] = unitOf(end_s - zero);
  const since = zero > 0 ? ` after ${duration(zero, 9)}` : "";
  return {
    label: `time${since}, ${unitName} →`, grid: true, domain: [(begin_s - zero) / unit, (end_s - zero) / unit],
    transform: (value) => (begin_s - zero + value * kPicosecond) / unit,
  };
}

function lanes(name, timeline, states, label) {
  const bars = [...barsOf(timeline), ...collectivesOf(timeline)];
  const arrows = arrowsOf(timeline);
  const tooltip = (bar) => {
    const begin = timeline.begin_s + bar.begin * kPicosecond;
    return `${bar.name}\n${bar.state} for ${duration((bar.end - bar.begin) * kPicosecond)}, from ${duration(begin, 7)} on\n${bar.statement}`;
  };
  return chart(name, label, (width) => ({
    width,
    height: 58 + 34 * timeline.ranks.length,
    marginTop: 8,
    marginBottom: 40,
    marginLeft: 20 + 8 * Math.max(...timeline.ranks.map((rank) => axisName(rank).length)),
    marginRight: 16,
    x: axisOf(timeline),
    y: {domain: [0, timeline.ranks.length], reverse: true, label: null},
    color: {domain: states, range: states.map((state) => kPartColours[state]), legend: true},
    marks: [
      Plot.axisY(timeline.ranks.map((_, lane) => lane + 0.5), {tickSize: 0, tickFormat: (at) => axisName(timeline.ranks[Math.floor(at)])}),
      Plot.rect(bars, {x1: "begin", x2: "end", y1: "top", y2: "bottom", fill: "state", title: tooltip}),
      Plot.arrow(arrows, {x1: "left", x2: "received", y1: "from", y2: "to", stroke: "currentColor", strokeOpacity: 0.75, strokeWidth: 1, headLength: 4, headAngle: 50}),
    ],
  }));
}

/// Formats "Rank 3" or "Ranks 0 to 7". Numbers have gaps only in a file that another program has changed.
function rankNames(ranks) {
  const [first, last] = [ranks[0].number, ranks.at(-1).number];
  return first === last ? `Rank ${first}` : `Ranks ${first} to ${last}`;
}

function captionOf(timeline, totals, hasCollectives) {
  const {ranks, messages, begin_s, end_s, ranks_in_file, begin_of_file_s, end_of_file_s} = timeline;
  const sums = new Map();
  for (const each of totals) for (const [state, time] of each) sums.set(state, (sums.get(state) ?? 0) + time);
  const all = [...sums.values()].reduce((a, b) => a + b, 0);
  const largest = [...sums].sort(([, a], [, b]) => b - a).slice(0, 3).filter(([, time]) => time >= kLeastShare * all);
  const shares = largest.map(([state, time]) => `${percent(time / all)} ${state}`);
  const sentences = [
    `${rankNames(ranks)} from ${duration(begin_s, 6)} to ${duration(end_s, 6)}: of their time ${shares.join(", ")}.`,
  ];
  if (begin_of_file_s < begin_s) sentences.push(`Before, from ${duration(begin_of_file_s, 6)} on, all of them wait.`);
  if ([...sums.keys()].some(isWaiting)) sentences.push("Tall bars are work, low bars are waiting.");
  if (hasCollectives) sentences.push("A thin line below a lane is a collective.");
  if (messages.length > 0) sentences.push(`Arrows are messages, ${count(messages.length)} in all, from where each leaves its sender's node to where its receiver begins to take it.`);
  if (ranks.length < ranks_in_file) sentences.push(`These are the first ${count(ranks.length)} of the ${count(ranks_in_file)} ranks in the file.`);
  if (end_s < end_of_file_s) {
    const bars = ranks.reduce((sum, {spans}) => sum + spans.length, 0);
    sentences.push(`The picture ends where it has ${count(bars)} bars; the file continues until ${duration(end_of_file_s, 6)}.`);
  }
  return sentences.join(" ");
}

function numbersOf({ranks, begin_s, end_s}, totals, states, hasCollectives) {
  const columns = ["rank", ...states, ...(hasCollectives ? ["of all within collectives"] : [])].map((title, k) => ({title, number: k > 0}));
  const cell = (time) => ({text: duration(time * kPicosecond), value: time * kPicosecond});
  const rows = ranks.map(({name, collectives}, lane) => {
    const row = [name, ...states.map((state) => cell(totals[lane].get(state) ?? 0))];
    if (hasCollectives) row.push(cell(collectives.reduce((sum, [begin, end]) => sum + end - begin, 0)));
    return row;
  });
  return table(`What each rank did from ${duration(begin_s, 6)} to ${duration(end_s, 6)}`, columns, rows);
}

export function timeline({name: file, result}, k) {
  const title = "A timeline of a few ranks";
  const source = element("p", {class: "source"}, result.title ? `${file}: ${result.title}` : file);
  const totals = totalsOf(result);
  const states = result.activities.filter((state) => totals.some((of) => of.has(state)));
  if (states.length === 0) return section(title, source, element("p", {}, "No rank is active in the window of this timeline."));
  const hasCollectives = result.ranks.some(({collectives}) => collectives.length > 0);
  const name = `timeline-${k}`;
  const caption = captionOf(result, totals, hasCollectives);
  const picture = lanes(name, result, hasCollectives ? [...states, "collective"] : states, caption);
  return section(title, source, figure(name, picture, caption, numbersOf(result, totals, states, hasCollectives)));
}
