// Engines side by side: the results given, or the rows of a comparison, with their intervals and what was measured.
import * as Plot from "@observablehq/plot";
import {chart} from "./chart.js";
import {figure, section, table} from "./dom.js";
import {duration, unitOf} from "./format.js";

/// One bar per result; `low` and `high` where the result has an interval.
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

/// Predicted over measured or, where nothing is measured, the times by row.
function ofComparison({name, result}, k) {
  const points = result.rows.flatMap((row, at) =>
    Object.entries(row.time_s ?? {}).map(([engine, time]) => ({row: rowName(row, at), ranks: row.ranks, engine, time, measured: row.exec_s})),
  );
  const measured = points.filter(({measured: time}) => time > 0);
  const label = measured.length > 0
    ? `${name}: predicted over measured times of ${result.rows.length} rows; on the line they are equal.`
    : `${name}: times of ${result.rows.length} rows by engine.`;
  const columns = [{title: "row"}, {title: "ranks", number: true}, ...result.engines.map((engine) => ({title: engine, number: true})), {title: "measured", number: true}];
  const rows = result.rows.map((row, at) => [
    rowName(row, at), {text: String(row.ranks), value: row.ranks},
    ...result.engines.map((engine) => (row.time_s?.[engine] === undefined ? "" : {text: duration(row.time_s[engine], 5), value: row.time_s[engine]})),
    row.exec_s === undefined ? "" : {text: duration(row.exec_s, 5), value: row.exec_s},
  ]);
  const name_ = `comparison-${k}`;
  const picture = chart(name_, label, (width) => ({
    width,
    height: Math.min(460, Math.max(280, width * 0.6)),
    marginLeft: 60,
    marginBottom: 45,
    grid: true,
    color: {legend: true, domain: result.engines},
    symbol: {domain: result.engines},
    ...(measured.length > 0
      ? {
          x: {type: "log", label: "measured, s →"}, y: {type: "log", label: "↑ predicted, s"},
          marks: [Plot.line([...measured].sort((a, b) => a.measured - b.measured), {x: "measured", y: "measured", stroke: "currentColor", strokeOpacity: 0.5}), Plot.dot(measured, {x: "measured", y: "time", stroke: "engine", symbol: "engine", r: 5, strokeWidth: 2})],
        }
      : {
          x: {type: "point", label: null, tickRotate: -30}, y: {label: "↑ time, s"},
          marks: [Plot.dot(points, {x: "row", y: "time", stroke: "engine", symbol: "engine", r: 5, strokeWidth: 2})],
        }),
  }));
  return figure(name_, picture, label, table("Rows of the comparison", columns, rows));
}

function rowName(row, at) {
  return row.label || row.table || `row ${at + 1}`;
}

export function engines(runs, comparisons) {
  const figures = [ofRuns(runs), ...comparisons.map(ofComparison)].filter(Boolean);
  return figures.length > 0 ? section("Engines side by side", ...figures) : null;
}
