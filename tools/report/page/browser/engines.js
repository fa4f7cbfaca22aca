// Engines side by side: results with their intervals, and the rows of comparisons.
import * as Plot from "@observablehq/plot";
import {chart} from "./chart.js";
import {comparison} from "./comparison.js";
import {figure, section, table} from "./dom.js";
import {duration, unitOf} from "./format.js";

/// Returns a chart with one bar per result, and its interval from `low` to `high` if it has one.
function bars(name, entries, label) {
  const most = Math.max(...entries.map(({time, high}) => high ?? time));
  const [unit, unitName] = unitOf(most);
  return chart(name, label, (width) => ({
    width,
    height: 55 + 34 * entries.length,
    marginBottom: 40,
    marginLeft: Math.min(230, width / 2.5),
    marginRight: 30,
    x: {label: `time, ${unitName} →`, grid: true, domain: [0, (1.05 * most) / unit], transform: (value) => value / unit},
    y: {label: null, domain: entries.map(({title}) => title)},
    marks: [
      Plot.barX(entries, {x: "time", y: "title", fill: "#3b82c4", rx: 2, insetTop: 2, insetBottom: 2}),
      Plot.ruleY(entries.filter(({low}) => low !== undefined), {x1: "low", x2: "high", y: "title", stroke: "currentColor", strokeWidth: 2, marker: "tick"}),
      Plot.ruleX([0]),
    ],
  }));
}

function entriesOf(runs) {
  const several = runs.length > 1;
  return runs.flatMap(({name, result}) => {
    const [low, high] = result.interval_s ?? [];
    const title = several ? `${name}: ${result.engine}` : result.engine;
    const own = [{title, time: result.time_s, low, high}];
    return result.closed_form_s ? [...own, {title: several ? `${name}: closed form` : "closed form", time: result.closed_form_s}] : own;
  });
}

function ofRuns(runs) {
  const entries = entriesOf(runs);
  if (entries.length < 2) return null;
  const sorted = [...entries].sort((a, b) => a.time - b.time);
  const caption = `From ${duration(sorted[0].time)} (${sorted[0].title}) to ${duration(sorted.at(-1).time)} (${sorted.at(-1).title}).`;
  const rows = entries.map(({title, time, low, high}) => [title, {text: duration(time, 6), value: time}, low === undefined ? "" : `${duration(low)} to ${duration(high)}`]);
  return figure("engines", bars("engines", entries, caption), caption, table("Engines", [{title: "engine"}, {title: "time", number: true}, {title: "95 % interval", number: true}], rows));
}

export function engines(runs, comparisons) {
  const figures = [ofRuns(runs), ...comparisons.map(comparison)].filter(Boolean);
  return figures.length > 0 ? section("Engines side by side", ...figures) : null;
}
