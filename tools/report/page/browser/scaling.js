// The points of a study: each of its columns over one axis, with one line for each engine and combination of the other axes,
// or bars if the axis has categories.
import * as Plot from "@observablehq/plot";
import {chart} from "./chart.js";
import {element, figure, section, table} from "./dom.js";
import {counted, plain} from "./format.js";
import {labelMarks, labelsAtEnds} from "./line_labels.js";
import {statementsTable} from "./statements.js";
import {layout, titleOf} from "./study_axes.js";
import {legend, placeIn, styleOf} from "./study_lines.js";
import {fit, labelsOf, rankLabels, reach, scaleOf, thinned, ticksOf, unitFor, widthOf} from "./ticks.js";

const kMostValues = 12;  // values of x that each have a tick
const kFlat = 0.04;      // the least share that an axis spans, so that values that hardly differ look flat
const kLongestLabel = 24;  // letters of a value that is not a number
const kScaling = ["time", "job", "speed-up"];
const kMostIdeals = 4;  // lines of ideal scaling; if there are more, only the first is drawn
const kBetweenBars = 0.25;  // a share of the width of a category

const hasValue = ({value}) => typeof value === "number";
const hasInterval = ({low}) => low !== undefined;

/// Returns a point of a line: its place, its value and, with several seeds, the ends of the interval of its mean.
function pointOf(point, engine, column, x) {
  const [low, high] = point.engines?.[engine]?.ci95?.[column] ?? [];
  return {x: x.of(point), value: point.engines?.[engine]?.[column], ranks: point.ranks, low, high};
}

/// Returns one line for each engine and combination, with the points in the order of x. A point without a value is a gap.
function linesOf(study, column, {x, lineOf}, points) {
  const engines = study.engines.filter((engine) => points.some((point) => typeof point.engines?.[engine]?.[column] === "number"));
  const at = x.order ? (point) => x.order.indexOf(x.of(point)) : x.of;
  const names = [...new Set(points.map(lineOf))];
  return names.flatMap((name) => {
    const own = points.filter((point) => lineOf(point) === name).sort((a, b) => at(a) - at(b));
    return engines.map((engine) => ({name, engine, points: own.map((point) => pointOf(point, engine, column, x))}));
  }).filter(({points: own}) => own.some(hasValue));
}

/// Returns the lines of ideal scaling from the first point of the first engine that has one. Under strong scaling the time is
/// inversely proportional to the ranks; under weak scaling it is constant.
function idealOf(study, column, {x}, lines) {
  if (!study.scaling || !x.ofRanks || !kScaling.includes(column) || (column === "speed-up" && study.over !== study.x)) return [];
  const firsts = lines.filter(({name}, k) => lines.findIndex((other) => other.name === name) === k);
  const ideals = firsts.map(({name, points}) => {
    const first = points.find(hasValue);
    const gain = (ranks) => (study.scaling === "strong" ? ranks / first.ranks : 1);
    return {name, points: points.map(({x: at, ranks}) => ({x: at, value: column === "speed-up" ? first.value * gain(ranks) : first.value / gain(ranks)}))};
  });
  return column === "speed-up" || ideals.length > kMostIdeals ? ideals.slice(0, 1) : ideals;
}

/// Returns the numbers that a source publishes for a column, at their points.
function statedOf(study, column, {x}, points) {
  const stated = (study.published ?? []).filter(({of}) => of === column).flatMap((each) => (each.stated ?? []).map((number) => ({...number, states: each.states})));
  return stated.flatMap(({point, value, states}) => points.filter((each) => each.point === point).map((each) => ({x: x.of(each), value, states})));
}

const shortened = (text) => (text.length > kLongestLabel ? `${text.slice(0, kLongestLabel - 1)}…` : text);

/// Returns the ticks of x with their labels. If labels do not fit side by side, numbers are thinned and categories are rotated.
function xAxis(x, lines, width) {
  const values = [...new Set(lines.flatMap(({points}) => points.map((point) => point.x)))];
  const label = `${x.label} →`;
  if (x.order) {
    const domain = x.order.filter((each) => values.includes(each));
    const labels = domain.map(shortened);
    const rotated = !fit(labels, width / domain.length - 6);
    const text = (value) => shortened(value);
    const rotation = rotated ? {tickRotate: -40, textAnchor: "end"} : {};
    const height = rotated ? 12 + 0.62 * widthOf(labels) : 18;
    const step = width / (domain.length + kBetweenBars);
    return {scale: {type: "band", domain, padding: kBetweenBars}, marks: [Plot.axisX(domain, {text, label: null, ...rotation})], label, height, bandwidth: step * (1 - kBetweenBars)};
  }
  values.sort((a, b) => a - b);
  const type = scaleOf(values);
  const [least, most] = reach(values);
  const ticks = values.length <= kMostValues ? values : ticksOf(type, [least, most]);
  const labels = x.ofRanks ? rankLabels(ticks) : labelsOf(ticks);
  const share = type === "log" ? (value) => Math.log(value / least) / Math.log(most / least) : (value) => (value - least) / (most - least);
  const shown = thinned(labels, ticks.map((tick) => (most > least ? share(tick) * (width - 16) : width / 2)));
  const domain = most > least ? [least, most] : [least - 1, least + 1];
  return {scale: {type, domain, inset: 8}, marks: [Plot.gridX(ticks), Plot.axisX(ticks, {text: (tick) => shown[ticks.indexOf(tick)], label: null})], label, height: 18};
}

/// Returns the scale and the ticks of y. With bars it begins at zero, so it cannot be logarithmic.
function yAxis(values, column, unit, fromZero) {
  let [least, most] = reach(fromZero ? [...values, 0] : values);
  const type = fromZero ? "linear" : scaleOf(values);
  const short = (kFlat * Math.max(Math.abs(least), Math.abs(most)) - (most - least)) / 2;
  if (short > 0) [least, most] = [least - short, most + short];
  if (least === most) [least, most] = [least - 1, most + 1];
  const [size, name] = unitFor(values, unit);
  const ticks = ticksOf(type, [least / size, most / size]);
  const labels = labelsOf(ticks);
  const transform = (value) => value / size;
  return {
    scale: {type, domain: [least / size, most / size], ...(fromZero ? {insetTop: 8} : {inset: 8}), transform},
    marks: [Plot.gridY(ticks, {y: (tick) => tick * size}), Plot.axisY(ticks, {y: (tick) => tick * size, text: (_, k) => labels[k], label: null})],
    label: `↑ ${column}${name ? `, ${name}` : ""}`,
    width: widthOf(labels),
    /// Returns the distance of a value from the top of a frame of `height` pixels.
    heightOf: (value, height) => {
      const place = type === "log" ? Math.log : (each) => each;
      return 8 + (height - 16) * (1 - (place(value) - place(least)) / (place(most) - place(least)));
    },
  };
}

function linesAndDots(lines, style, title) {
  const xy = {x: "x", y: "value"};
  // Hollow marks are drawn first, so that both marks are visible if engines agree.
  const hollowFirst = [...lines].sort((a, b) => style(a).filled - style(b).filled);
  return [
    ...lines.map((each) => Plot.line(each.points, {...xy, stroke: style(each).stroke, strokeWidth: 2, strokeDasharray: style(each).dashes || undefined})),
    ...lines.map((each) => intervals(each)),
    ...hollowFirst.map((each) => {
      const {symbol, stroke, filled} = style(each);
      return Plot.dot(each.points.filter(hasValue), {...xy, symbol, r: filled ? 3 : 4.5, stroke, strokeWidth: 2, fill: filled ? stroke : "var(--surface)", title: title(each)});
    }),
  ];
}

/// Returns the intervals of a line's points, moved by `dx` pixels.
function intervals(line, dx = 0) {
  return Plot.ruleX(line.points.filter(hasInterval), {x: "x", y1: "low", y2: "high", dx, stroke: "currentColor", strokeWidth: 1.5, marker: "tick"});
}

/// Returns the bars of all lines, side by side at every category.
function bars(lines, style, bandwidth, title) {
  const each = bandwidth / lines.length;
  return lines.flatMap((line, k) => {
    const {stroke, filled} = style(line);
    const bar = Plot.barY(line.points.filter(hasValue), {
      x: "x", y: "value", insetLeft: k * each + 1, insetRight: (lines.length - 1 - k) * each + 1,
      fill: filled ? stroke : "var(--surface)", stroke, strokeWidth: 2, title: title(line),
    });
    return [bar, intervals(line, (k - (lines.length - 1) / 2) * each)];
  });
}

/// Draws one panel of a figure.
function picture(name, study, column, laid, points, names) {
  const lines = linesOf(study, column, laid, points);
  const ideal = idealOf(study, column, laid, lines);
  const stated = statedOf(study, column, laid, points);
  const values = [...lines, ...ideal, {points: stated}].flatMap(({points: own}) => own.filter(hasValue).flatMap(({value, low, high}) => [value, low, high].filter((each) => each !== undefined)));
  const style = ({name: line, engine}) => styleOf(engine, ...placeIn(study.engines, names, engine, line));
  const xy = {x: "x", y: "value"};
  const [least, most] = reach(values);
  const label = `${column} over ${laid.x.label}: ${counted(lines.length, "line")} from ${plain(least)} to ${plain(most)}${study.units[column] ? ` ${study.units[column]}` : ""}`;
  const place = chart(name, label, (width) => {
    const inBars = laid.x.order !== undefined;
    const y = yAxis(values, column, study.units[column], inBars);
    const marginLeft = Math.max(44, y.width + 14);
    const textOf = (line) => (names.length > 1 ? line.name : line.engine);
    const labels = inBars ? {ends: [], width: 0} : labelsAtEnds(lines, style, textOf, width);
    const marginRight = 20 + labels.width;
    const x = xAxis(laid.x, lines, width - marginLeft - marginRight);
    const frameHeight = Math.min(400, Math.max(240, width * 0.5)) - 18;
    place.closest("figure")?.querySelector(".legend .lines")?.toggleAttribute("hidden", labels.ends.length > 0);
    const title = ({name: line, engine}) => (point) => `${[engine, line].filter(Boolean).join(", ")}, ${laid.x.label} ${typeof point.x === "number" ? plain(point.x, 7) : point.x}: ${plain(point.value)}${hasInterval(point) ? ` (${plain(point.low)} to ${plain(point.high)})` : ""}`;
    return {
      width,
      height: frameHeight + x.height + 58,
      marginTop: 28,
      marginLeft,
      marginBottom: x.height + 30,
      marginRight,
      x: {...x.scale, label: x.label, labelOffset: x.height + 26},
      y: {...y.scale, label: y.label},
      marks: [
        Plot.frame({strokeOpacity: 0.2}),
        ...x.marks,
        ...y.marks,
        Plot.text([y.label], {frameAnchor: "top-left", dx: -marginLeft + 2, dy: -22, text: (each) => each}),
        Plot.text([x.label], {frameAnchor: "bottom-right", dy: x.height + 22, text: (each) => each}),
        ...ideal.map((each) => Plot.line(each.points, {...xy, stroke: "currentColor", strokeWidth: 1, strokeOpacity: 0.75, className: "ideal"})),
        ...(inBars ? bars(lines, style, x.bandwidth, title) : linesAndDots(lines, style, title)),
        Plot.dot(stated, {...xy, symbol: "times", r: 5, stroke: "currentColor", strokeWidth: 2, title: ({states, value}) => `published, ${states}: ${plain(value)}`}),
        ...labelMarks(labels.ends, frameHeight, (value) => y.heightOf(value, frameHeight)),
      ],
    };
  });
  return place;
}

function columnFigure(name, study, column) {
  const laid = layout(study);
  const panels = [...new Set(study.points.map(laid.panelOf))];
  const names = [...new Set(study.points.map(laid.lineOf))];
  const lines = linesOf(study, column, laid, study.points);
  const engines = [...new Set(lines.map(({engine}) => engine))];
  const hasIdeal = idealOf(study, column, laid, lines).length > 0;
  const drawn = panels.map((panel, k) => {
    const points = study.points.filter((point) => laid.panelOf(point) === panel);
    const made = picture(`${name}-${k}`, study, column, laid, points, names);
    made.dataset.title = [titleOf(study), `${column} over ${laid.x.label}`, panel].filter(Boolean).join(": ");
    return panel === "" ? made : element("div", {class: "panel"}, element("h3", {}, panel), made);
  });
  const stated = statedOf(study, column, laid, study.points).length > 0 ? " Crosses are what the source states." : "";
  const seeds = lines.some(({points}) => points.some(hasInterval)) ? ` Points with noise are means of ${study.seeds} seeds; bars are 95 % intervals of the means.` : "";
  const caption = `${column} over ${laid.x.label}, ${counted(study.points.length, "point")}.${seeds}${stated}`;
  return figure(name, element("div", {}, legend(names, engines, study.engines, {hasIdeal, inBars: laid.x.order !== undefined}), element("div", {class: "panels"}, drawn)), caption);
}

function numbers(study, columns) {
  const keys = study.axes.flatMap((axis) => Object.keys(axis));
  const series = study.engines.flatMap((engine) => columns.map((column) => [engine, column]));
  const valuesOf = (column) => study.points.flatMap(({engines}) => Object.values(engines ?? {}).map((values) => values[column]).filter((value) => typeof value === "number"));
  const units = Object.fromEntries(columns.map((column) => [column, unitFor(valuesOf(column), study.units[column])]));
  const heads = [{title: "point", number: true}, ...keys.map((title) => ({title})), {title: "ranks", number: true}];
  for (const [engine, column] of series) heads.push({title: `${engine} ${column}${units[column][1] ? `, ${units[column][1]}` : ""}`, number: true});
  const rows = study.points.map((point) => [
    String(point.point), ...keys.map((key) => point.set[key] ?? ""), {text: point.ranks.toLocaleString("en-GB"), value: point.ranks},
    ...series.map(([engine, column]) => {
      const value = point.engines?.[engine]?.[column];
      const [low, high] = point.engines?.[engine]?.ci95?.[column] ?? [];
      const half = low === undefined ? "" : ` ± ${plain((high - low) / 2 / units[column][0], 2)}`;
      return typeof value === "number" ? {text: `${plain(value / units[column][0], 6)}${half}`, value} : "";
    }),
  ]);
  return table("Points of the study", heads, rows);
}

/// Names the points that are not distinguishable from the best.
function rivalsOf({not_distinguishable: rivals = [], one_seed: isOfOneSeed}, study, over) {
  const keys = Object.keys(study.axes.find((axis) => over in axis) ?? {});
  const names = rivals.map(({point: number}) => study.points.find((each) => each.point === number)).map(({set}) => keys.map((key) => set[key]).join(" x "));
  return isOfOneSeed ? "one seed: not known" : names.join(", ");
}

/// Returns the table of the best values that the study requests: for each engine the value and its point.
function bestOf(study) {
  if (!study.best?.length) return undefined;
  const heads = [{title: "best"}, {title: "over"}, {title: "engine"}, {title: "value", number: true}, {title: "ranks", number: true}, {title: "point"}, {title: "not distinguishable from"}];
  const rows = study.best.map((best) => {
    const {of, over, engine, point: number, value} = best;
    const point = study.points.find((each) => each.point === number);
    const [size, unit] = unitFor([value], study.units[of]);
    const text = `${plain(value / size, 6)}${unit ? `${unit.startsWith("10") ? " ×" : ""} ${unit}` : ""}`;
    return [of, over, engine, {text, value}, point.ranks.toLocaleString("en-GB"), Object.entries(point.set).map(([key, set]) => `${key}=${set}`).join(", "), rivalsOf(best, study, over)];
  });
  return table("Best values", heads, rows);
}

/// Returns a figure for each column that has values, or only for columns with statements, then the best values and all numbers.
export function studyFigures(result, id, ofStatements = false) {
  const known = (column) => result.points.some(({engines}) => Object.values(engines ?? {}).some((values) => typeof values[column] === "number"));
  const columns = Object.keys(result.units).filter(known);
  const stated = new Set((result.published ?? []).map(({of}) => of));
  const drawn = ofStatements && stated.size > 0 ? columns.filter((column) => stated.has(column)) : columns;
  const figures = drawn.map((column) => columnFigure(`study-${id}-${column}`, result, column));
  return [...figures, bestOf(result), element("details", {}, element("summary", {}, "The numbers"), numbers(result, columns))];
}

export function scaling({name, result}, k) {
  return section(titleOf(result), element("p", {class: "source"}, name), statementsTable(result.published), ...studyFigures(result, k));
}
