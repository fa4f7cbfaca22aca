// The points of a study: each of its columns over one axis, a line per engine and combination of the other axes.
import * as Plot from "@observablehq/plot";
import {chart} from "./chart.js";
import {element, figure, section, table} from "./dom.js";
import {plain} from "./format.js";
import {layout, scaleOf} from "./study_axes.js";

const kColours = ["#3b82c4", "#d9822b", "#5aa469", "#c2504a", "#7a4fb0", "#808a94", "#a8457f", "#b59a2b"];

function valuesOf(study, column, {x, facet, lineName}) {
  return study.points.flatMap((point) =>
    Object.entries(point.engines).flatMap(([engine, columns]) =>
      typeof columns[column] !== "number"
        ? []
        : [{x: x.of(point), value: columns[column], engine, line: lineName(point) || engine, facet: facet?.of(point), key: `${engine} ${lineName(point)}`}],
    ),
  );
}

function picture(name, study, column, label) {
  const laid = layout(study);
  const values = valuesOf(study, column, laid);
  const unit = study.units[column];
  const lines = [...new Set(values.map(({line}) => line))];
  const engines = [...new Set(values.map(({engine}) => engine))];
  const ticks = [...new Set(values.map(({x}) => x))];
  const channels = {x: "x", y: "value", z: "key", stroke: "line", ...(laid.facet && {fy: "facet"})};
  const facets = laid.facet ? new Set(values.map(({facet}) => facet)).size : 1;
  const solid = (engine) => engine === engines[0];
  return chart(name, label, (width) => ({
    width,
    height: facets * Math.min(400, Math.max(260, width * 0.5)) + 60,
    marginLeft: 64,
    marginBottom: 42,
    marginRight: laid.facet ? 90 : 20,
    grid: true,
    x: {type: scaleOf(values.map(({x}) => x)), label: `${laid.x.label} →`, inset: 8, ...(ticks.length <= 9 && typeof ticks[0] === "number" && {ticks, tickFormat: (value) => (value >= 10000 ? `${plain(value / 1024, 3)}Ki` : plain(value))})},
    y: {type: scaleOf(values.map(({value}) => value)), label: `↑ ${column}${unit ? `, ${unit}` : ""}`, tickFormat: (value) => plain(value, 3)},
    fy: {label: laid.facet?.label},
    color: {legend: lines.length > 1, domain: lines, range: lines.map((_, k) => kColours[k % kColours.length])},
    marks: [
      Plot.frame({strokeOpacity: 0.2}),
      Plot.line(values.filter(({engine}) => solid(engine)), {...channels, strokeWidth: 2}),
      Plot.line(values.filter(({engine}) => !solid(engine)), {...channels, strokeWidth: 2, strokeDasharray: "5 4"}),
      Plot.dot(values, {...channels, symbol: "engine", r: 4, strokeWidth: 2, fill: "var(--surface)", title: (d) => `${d.key}: ${plain(d.value)}`}),
    ],
  }));
}

function numbers(study, columns) {
  const keys = Object.keys(study.points[0].set);
  const series = study.engines.flatMap((engine) => columns.map((column) => [engine, column]));
  const heads = [{title: "point", number: true}, ...keys.map((title) => ({title})), {title: "ranks", number: true}];
  for (const [engine, column] of series) heads.push({title: `${engine} ${column} ${study.units[column] ?? ""}`, number: true});
  const rows = study.points.map((point) => [
    String(point.point), ...keys.map((key) => point.set[key]), {text: point.ranks.toLocaleString("en-GB"), value: point.ranks},
    ...series.map(([engine, column]) => {
      const value = point.engines[engine]?.[column];
      return typeof value === "number" ? {text: plain(value, 6), value} : "";
    }),
  ]);
  return table("Points of the study", heads, rows);
}

export function scaling({name, result}, k) {
  const columns = Object.keys(result.units);
  const styles = result.engines.map((engine, at) => `${engine} ${at === 0 ? "solid" : "dashed"}`).join(", ");
  const figures = columns.map((column) => {
    const label = `${column} over ${layout(result).x.label}, ${result.points.length} points (${styles}).`;
    return figure(`study-${k}-${column}`, picture(`study-${k}-${column}`, result, column, label), label);
  });
  const title = result.question ?? `Study ${result.study}`;
  return section(title, element("p", {class: "source"}, name), ...figures, element("details", {}, element("summary", {}, "The numbers"), numbers(result, columns)));
}
