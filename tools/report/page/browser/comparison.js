// The rows of a comparison: predicted over measured times with their errors or, without measurements, the times of each row.
import * as Plot from "@observablehq/plot";
import {chart} from "./chart.js";
import {element, figure, table} from "./dom.js";
import {counted, duration, plain} from "./format.js";
import {reach, scaleOf, ticksOf} from "./ticks.js";

const kBands = [{percent: 10, opacity: 0.1}, {percent: 5, opacity: 0.15}];
const kMargin = 1.15;  // a factor that widens the range of times on each side

const rowName = (row, at) => row.label || row.table || `row ${at + 1}`;

/// Returns the time of a row by an engine or a published prediction.
const timeOf = (row, method) => row.time_s?.[method] ?? row[`${method}_s`];

/// Returns the points of a row that has a measurement: the engines, then published predictions.
function pointsOf(row, engines) {
  const methods = Object.keys(row.difference_pct ?? {}).filter((each) => each.endsWith("/exec")).map((each) => each.slice(0, -5));
  return methods.map((method) => {
    const error = (time) => (100 * (time - row.exec_s)) / row.exec_s;
    const [low, high] = row.interval_s?.[method] ?? [];
    return {
      method, published: !engines.includes(method), row: `${row.table || row.label}, ${row.columns} x ${row.rows}`, measured: row.exec_s,
      predicted: timeOf(row, method), error: row.difference_pct[`${method}/exec`],
      low: low === undefined ? undefined : error(low), high: high === undefined ? undefined : error(high),
    };
  });
}

/// Returns the row with the largest error of each method, each row once.
function worstOf(points, methods) {
  const worst = methods.map((method) => points.filter((each) => each.method === method).reduce((a, b) => (Math.abs(b.error) > Math.abs(a.error) ? b : a)));
  return worst.filter(({row}, k) => worst.findIndex((other) => other.row === row) === k);
}

function measuredPictures(name, points, methods, label) {
  const times = points.flatMap(({measured, predicted}) => [measured, predicted]);
  const [least, most] = reach(times);
  const domain = [least / kMargin, most * kMargin];
  const type = scaleOf(times);
  const ticks = ticksOf(type, domain);
  const counts = Object.fromEntries(methods.map((method) => [method, `${method} (${points.filter((each) => each.method === method).length})`]));
  const common = (width) => ({
    width, marginLeft: 60, marginBottom: 45, marginRight: 20, color: {legend: true, domain: methods, tickFormat: (method) => counts[method]}, symbol: {domain: methods},
    x: {type, domain, ticks, tickFormat: (tick) => plain(tick), label: "measured, s →", grid: true},
  });
  const title = ({method, row, error}) => `${method}, ${row}: ${plain(error, 3)} %`;
  const dots = (y) => [false, true].map((published) => Plot.dot(points.filter((each) => each.published === published), {
    x: "measured", y, stroke: "method", symbol: "method", fill: published ? "none" : "method", r: 4, strokeWidth: 2, title,
  }));
  const same = (time) => time;
  const bands = kBands.map(({percent, opacity}) => {
    const [low, high] = [1 - percent / 100, 1 + percent / 100];
    return Plot.areaY(domain, {x: same, y1: (time) => low * time, y2: (time) => high * time, fill: "#5aa469", fillOpacity: opacity, clip: true});
  });
  const over = chart(name, label, (width) => ({
    ...common(width),
    height: Math.min(460, Math.max(280, width * 0.6)),
    y: {type, domain, ticks, tickFormat: (tick) => plain(tick), label: "↑ predicted, s", grid: true},
    marks: [...bands, Plot.line(domain, {x: same, y: same, stroke: "currentColor", strokeOpacity: 0.5}), ...dots("predicted")],
  }));
  const errors = points.flatMap(({error, low, high}) => [error, low, high]).filter((each) => each !== undefined);
  const [lowest, highest] = reach([...errors, -10, 10]);
  const worst = worstOf(points, methods);
  const errorLabel = `Errors: ${worst.map(({method, row, error}) => `${method} at most ${plain(error, 3)} % (${row})`).join("; ")}.`;
  const below = chart(`${name}-error`, errorLabel, (width) => ({
    ...common(width),
    color: {domain: methods},
    height: 260,
    y: {domain: [1.15 * lowest, 1.15 * highest], label: "↑ error, %", grid: true},
    marks: [
      ...kBands.map(({percent, opacity}) => Plot.rect([percent], {x1: domain[0], x2: domain[1], y1: -percent, y2: percent, fill: "#5aa469", fillOpacity: opacity})),
      Plot.ruleY([0]),
      Plot.ruleX(points.filter(({low}) => low !== undefined), {x: "measured", y1: "low", y2: "high", stroke: "method", strokeWidth: 1.5, marker: "tick"}),
      ...dots("error"),
      ...worst.map((each) => {
        const right = each.measured > Math.sqrt(least * most);
        return Plot.text([each], {x: "measured", y: "error", text: "row", dx: right ? -9 : 9, textAnchor: right ? "end" : "start", fill: "currentColor", stroke: "var(--surface)", strokeWidth: 4});
      }),
    ],
  }));
  return [element("div", {}, over, below), `${label} ${errorLabel} Bands are 5 and 10 %; filled marks are of engines, others of published predictions${points.some(({low}) => low !== undefined) ? "; bars are 95 % intervals" : ""}.`];
}

function timesPicture(name, rows, engines, label) {
  const points = rows.flatMap((row, at) => Object.entries(row.time_s ?? {}).map(([engine, time]) => ({row: rowName(row, at), engine, time})));
  return chart(name, label, (width) => ({
    width, height: Math.min(460, Math.max(280, width * 0.6)), marginLeft: 60, marginBottom: 45, grid: true,
    color: {legend: true, domain: engines}, symbol: {domain: engines},
    x: {type: "point", label: null, tickRotate: -30}, y: {label: "↑ time, s"},
    marks: [Plot.dot(points, {x: "row", y: "time", stroke: "engine", symbol: "engine", r: 5, strokeWidth: 2})],
  }));
}

function numbers(rows, methods) {
  const columns = [{title: "row"}, {title: "ranks", number: true}, ...methods.map((method) => ({title: method, number: true})), {title: "measured", number: true}];
  const seconds = (time) => (time === undefined ? "" : {text: duration(time, 5), value: time});
  const cells = rows.map((row, at) => [rowName(row, at), {text: String(row.ranks), value: row.ranks}, ...methods.map((method) => seconds(timeOf(row, method))), seconds(row.exec_s)]);
  return table("Rows of the comparison", columns, cells);
}

export function comparison({name, result}, k) {
  const points = result.rows.flatMap((row) => (row.exec_s > 0 ? pointsOf(row, result.engines) : []));
  const methods = [...new Set([...result.engines, ...points.map(({method}) => method)])].filter((method) => points.some((each) => each.method === method));
  const id = `comparison-${k}`;
  const rows = counted(result.rows.length, "row");
  if (points.length === 0) {
    const label = `${name}: times of ${rows} by engine.`;
    return figure(id, timesPicture(id, result.rows, result.engines, label), label, numbers(result.rows, result.engines));
  }
  const [pictures, caption] = measuredPictures(id, points, methods, `${name}: predicted over measured times of ${rows}; on the line they are equal.`);
  return figure(id, pictures, caption, numbers(result.rows, methods));
}
