// Costs of messages found by `fit`: half the round-trip time over sizes with the line of each row, and the residuals.
import * as Plot from "@observablehq/plot";
import {chart} from "./chart.js";
import {figure, section, table} from "./dom.js";
import {count, counted, duration, percent, plain, unitOf} from "./format.js";
import {reach, ticksOf} from "./ticks.js";

const kSteps = 24;  // pieces of a row's line, which is a curve where both axes are logarithmic
const kColours = {eager: "#3b82c4", rendezvous: "#d9822b"};
const kUnits = [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]];

function size(bytes) {
  const [unit, name] = kUnits.find(([each]) => bytes >= each) ?? kUnits.at(-1);
  return bytes % unit === 0 ? `${bytes / unit} ${name}` : `${count(bytes)} B`;
}

/// Returns the position of a size on the logarithmic axis; a size of 0 is drawn at 0.5.
const place = (bytes) => Math.max(bytes, 0.5);

/// Returns ticks at powers of two, at most nine.
function sizeTicks([least, most]) {
  const first = Math.max(0, Math.ceil(Math.log2(least))), last = Math.floor(Math.log2(most));
  const step = Math.max(1, Math.ceil((last - first) / 8));
  return Array.from({length: Math.floor((last - first) / step) + 1}, (_, k) => 2 ** (first + k * step));
}

const lineOf = ({from, to, protocol, intercept_s: intercept, slope_s: slope}, row) =>
  Array.from({length: kSteps + 1}, (_, k) => {
    const bytes = place(from) * (place(to) / place(from)) ** (k / kSteps);
    return {bytes, seconds: intercept + slope * (from === to ? from : bytes), row, protocol};
  });

const breaksOf = ({rows}) => rows.filter((row) => row.up_to !== undefined).map((row) => row.up_to);

const rowOf = ({rows}, bytes) => rows.find(({to}) => bytes <= to) ?? rows.at(-1);

const tooltip = ({bytes, seconds, residual, outlier}) => `${size(bytes)}\n${duration(seconds)}, fitted ${duration(seconds * (1 + residual))}${outlier ? "\nan outlier" : ""}`;

/// Returns the scale of sizes and its marks.
function sizesAxis({points}) {
  const domain = reach(points.map(({bytes}) => place(bytes)));
  return {scale: {type: "log", domain, label: null}, marks: [Plot.axisX(sizeTicks(domain), {text: size, label: "bytes →"})]};
}

function times(layer, label) {
  const sizes = sizesAxis(layer);
  const [least, most] = reach(layer.points.map(({seconds}) => seconds));
  const [unit, unitName] = unitOf(Math.sqrt(least * most));
  return chart("times", label, (width) => ({
    width,
    height: 340,
    marginLeft: 60,
    marginBottom: 42,
    x: sizes.scale,
    y: {type: "log", grid: true, label: `↑ half a round trip, ${unitName}`, ticks: ticksOf("log", [least / unit, most / unit]), tickFormat: (value) => plain(value, 3), transform: (value) => value / unit},
    color: {domain: Object.keys(kColours), range: Object.values(kColours), legend: layer.rows.some(({protocol}) => protocol === "rendezvous")},
    marks: [
      ...sizes.marks,
      Plot.ruleX(breaksOf(layer), {stroke: "currentColor", strokeOpacity: 0.35, strokeDasharray: "4 3"}),
      Plot.dot(layer.points, {x: ({bytes}) => place(bytes), y: "seconds", r: 3, stroke: ({bytes}) => rowOf(layer, bytes).protocol, strokeOpacity: 0.8, symbol: ({outlier}) => (outlier ? "times" : "circle"), title: tooltip}),
      layer.rows.map((row, k) => Plot.line(lineOf(row, k), {x: "bytes", y: "seconds", stroke: "currentColor", strokeWidth: 1.5})),
    ],
  }));
}

function residuals(layer, label) {
  const sizes = sizesAxis(layer);
  const kept = layer.points.filter(({outlier}) => !outlier);
  const most = 1.1 * Math.max(0.001, ...kept.map(({residual}) => Math.abs(residual)));
  return chart("residuals", label, (width) => ({
    width,
    height: 150,
    marginLeft: 60,
    marginBottom: 42,
    x: sizes.scale,
    y: {grid: true, domain: [-100 * most, 100 * most], label: "↑ fitted beyond measured, %", ticks: 5},
    color: {domain: Object.keys(kColours), range: Object.values(kColours)},
    marks: [
      ...sizes.marks,
      Plot.ruleX(breaksOf(layer), {stroke: "currentColor", strokeOpacity: 0.35, strokeDasharray: "4 3"}),
      Plot.ruleY([0]),
      Plot.dot(kept, {x: ({bytes}) => place(bytes), y: ({residual}) => 100 * residual, r: 2, fill: ({bytes}) => rowOf(layer, bytes).protocol, title: tooltip}),
    ],
  }));
}

const kCosts = [["o_send", "o_send_s"], ["L", "L_s"], ["o_recv", "o_recv_s"], ["o_request", "o_request_s"], ["o_ack", "o_ack_s"]];
const kGaps = [["G_send", "G_send_s"], ["G", "G_s"], ["G_recv", "G_recv_s"]];

function rowsTable(layer) {
  const shown = (keys) => keys.filter(([name, key]) => name === "L" || name === "G" || layer.rows.some((row) => row[key] > 0));
  const costs = shown(kCosts), gaps = shown(kGaps);
  const columns = ["bytes", "protocol", ...costs.map(([name]) => name), ...gaps.map(([name]) => `${name}, ns/B`), "sizes", "off by"];
  const rows = layer.rows.map((row) => [
    row.up_to === undefined ? `from ${size(row.from)}` : `to ${count(row.up_to)}`,
    row.protocol,
    ...costs.map(([, key]) => ({text: duration(row[key]), value: row[key]})),
    ...gaps.map(([, key]) => ({text: plain(1e9 * row[key], 5), value: row[key]})),
    {text: count(row.sizes), value: row.sizes},
    {text: percent(row.deviation), value: row.deviation},
  ]);
  return table(`Costs of messages, layer ${layer.layer}`, columns.map((title, k) => ({title, number: k > 1})), rows);
}

function captionOf(layer) {
  const outliers = layer.points.filter(({outlier}) => outlier).length;
  const {threshold, rows} = layer;
  const most = Math.max(...rows.map(({deviation}) => deviation));
  const sentences = [
    `${layer.layer}: ${count(layer.points.length)} times of ${layer.tables.map(({file}) => file.split("/").at(-1)).join(", ")} as ${counted(rows.length, "row")}, each off by ${percent(most)} at most (root of the mean square).`,
    rows.length > 1 && `Rows end at ${breaksOf(layer).map((bytes) => `${count(bytes)} B`).join(", ")}.`,
    threshold && `Sends return by themselves up to ${count(threshold.bytes)} B, as ${threshold.measured ? "measured" : "given"}.`,
    outliers > 0 && `${count(outliers)} ${outliers === 1 ? "time is an outlier (a cross)" : "times are outliers (crosses)"}.`,
  ];
  return sentences.filter(Boolean).join(" ");
}

function assumptions({rows}) {
  return rows.flatMap((row) => row.assumptions.map((text) => [row.up_to === undefined ? `from ${size(row.from)}` : `to ${count(row.up_to)}`, text]));
}

export function fitted({name, result}, number) {
  const figures = result.layers.flatMap((layer) => {
    const caption = captionOf(layer);
    const assumed = assumptions(layer);
    return [
      figure(`fit-${number}-${layer.layer}`, times(layer, caption), caption, rowsTable(layer)),
      figure(`fit-${number}-${layer.layer}-residuals`, residuals(layer, `How far the rows of layer ${layer.layer} are from each time, in per cent.`), "How far the rows are from each time.", table("Number of rows", [{title: "rows", number: true}, {title: "BIC", number: true}, {title: "off by", number: true}], layer.by_rows.map((each) => [String(each.rows), {text: plain(each.bic, 5), value: each.bic}, {text: percent(each.deviation), value: each.deviation}]))),
      assumed.length > 0 && table(`Assumptions, layer ${layer.layer}`, [{title: "bytes"}, {title: "assumption"}], assumed),
    ].filter(Boolean);
  });
  return section(`Costs of messages, ${name.split("/").at(-1).replace(/\.json$/, "")}`, ...figures);
}
