// The section on limits: the time of the rank that finishes last, by part and by phase, the time of all ranks, and the parts of
// the critical path if the result has one.
import * as Plot from "@observablehq/plot";
import {figure, section, table} from "./dom.js";
import {duration, percent, unitOf, words} from "./format.js";
import {chart, kPartColours} from "./chart.js";

function partsOf(breakdown) {
  return Object.entries(breakdown).map(([key, value]) => ({part: words(key), value}));
}

/// Returns a chart with one bar for each part, in the order of the result.
function bars(name, parts, total, label) {
  const [unit, unitName] = unitOf(total);
  const shown = parts.filter(({value}) => value > 0);
  return chart(name, label, (width) => ({
    width,
    height: 50 + 30 * shown.length,
    marginLeft: Math.max(90, 8 * Math.max(...shown.map(({part}) => part.length)) + 12),
    marginRight: 70,
    marginBottom: 40,
    x: {label: `${unitName} →`, grid: true, transform: (value) => value / unit, domain: [0, Math.max(...shown.map(({value}) => value)) / unit]},
    y: {label: null, domain: shown.map(({part}) => part)},
    color: {domain: Object.keys(kPartColours), range: Object.values(kPartColours)},
    marks: [
      Plot.barX(shown, {x: "value", y: "part", fill: (d) => (d.part in kPartColours ? d.part : "compute"), rx: 2}),
      Plot.text(shown, {x: "value", y: "part", text: (d) => percent(d.value / total), textAnchor: "start", dx: 6}),
      Plot.ruleX([0]),
    ],
  }));
}

function breakdownFigure(result) {
  const parts = partsOf(result.breakdown);
  const over = result.over_ranks;
  const longest = parts.reduce((a, b) => (b.value > a.value ? b : a));
  const {rank: number, column, row, plane} = result.last_rank ?? {};
  const rank = result.last_rank ? `rank ${number} (column ${column}, row ${row}${plane ? `, plane ${plane}` : ""})` : "the last rank";
  const caption = `Where the time of ${rank}, the last to finish, went: most of it, ${percent(longest.value / result.time_s)}, is ${longest.part}.`;
  const columns = [{title: "part"}, {title: "last rank", number: true}, {title: "share", number: true}];
  if (over) for (const title of ["least of all ranks", "mean", "most"]) columns.push({title, number: true});
  const rows = parts.map(({part, value}) => {
    const row = [part, {text: duration(value), value}, percent(value / result.time_s)];
    const all = over?.[`${part.replaceAll(" ", "_")}_s`];
    if (over) for (const which of ["least", "mean", "most"]) row.push(all ? {text: duration(all[which]), value: all[which]} : "");
    return row;
  });
  return figure("breakdown", bars("breakdown", parts, result.time_s, caption), caption, table("Where the time went", columns, rows));
}

/// Returns the figure of the time of all cores together, for self-scheduled tasks.
function coresFigure({tasks}) {
  const parts = partsOf(tasks.cores);
  const total = parts.reduce((sum, {value}) => sum + value, 0);
  const longest = parts.reduce((a, b) => (b.value > a.value ? b : a));
  const ahead = tasks.fetched_ahead;
  const margin = ahead ? ` Data that was fetched ahead was there ${duration(ahead.mean_margin_s)} before it was needed, ${duration(ahead.least_margin_s)} at least.` : "";
  const caption = `Where the time of all cores went: ${percent(longest.value / total)} is ${longest.part}.${margin}`;
  const columns = [{title: "part"}, {title: "core time", number: true}, {title: "share", number: true}];
  const rows = parts.map(({part, value}) => [part, {text: duration(value), value}, percent(value / total)]);
  return figure("cores", bars("cores", parts, total, caption), caption, table("Where the time of cores went", columns, rows));
}

/// Returns the figure of the activities of the cores over time, for self-scheduled tasks. The activities are stacked, with
/// computing at the bottom.
function coresOverTimeFigure({tasks: {over_time: overTime}, time_s: time}) {
  const parts = Object.entries(overTime)
    .filter(([, values]) => Array.isArray(values) && values.some((value) => value > 0))
    .map(([key, values]) => ({part: words(key.replace(/_cores$/, "")), values}));
  const [unit, unitName] = unitOf(time);
  const steps = parts.flatMap(({part, values}) => values.map((cores, at) => {
    const begin = at * overTime.interval_s;
    const end = Math.min(begin + overTime.interval_s, time);
    // the end of the run cuts the last interval
    return {part, begin: begin / unit, end: end / unit, cores: (cores * overTime.interval_s) / (end - begin)};
  })).filter(({begin, end}) => end > begin);
  const computing = parts.find(({part}) => part === "compute")?.values ?? [0];
  const caption = `What the cores do over time, in intervals of ${duration(overTime.interval_s)}: ${computing.reduce((a, b) => Math.max(a, b), 0).toFixed(1)} compute at most.`;
  const columns = [{title: "from", number: true}, ...parts.map(({part}) => ({title: part, number: true}))];
  const rows = parts[0].values.map((_, at) => [
    {text: duration(at * overTime.interval_s), value: at * overTime.interval_s},
    ...parts.map(({values}) => ({text: values[at].toFixed(2), value: values[at]})),
  ]);
  const drawn = chart("cores-over-time", caption, (width) => ({
    width,
    height: 260,
    marginBottom: 40,
    x: {label: `${unitName} →`},
    y: {label: "↑ cores", grid: true},
    color: {domain: parts.map(({part}) => part), range: parts.map(({part}) => kPartColours[part]), legend: true},
    marks: [
      Plot.rectY(steps, Plot.stackY({x1: "begin", x2: "end", y: "cores", fill: "part", order: parts.map(({part}) => part), title: (d) => `${d.part}: ${d.cores.toFixed(2)} cores`})),
      Plot.ruleY([0]),
    ],
  }));
  return figure("cores-over-time", drawn, caption, table("What the cores do over time", columns, rows));
}

/// Returns the figure of the rate of all transfers to and from cluster memory over time, for self-scheduled tasks.
function transfersFigure({tasks: {over_time: {transfers}}, time_s: time}) {
  const [unit, unitName] = unitOf(time);
  const interval = transfers.interval_s;
  const steps = transfers.bytes_per_s.map((rate, at) => ({begin: (at * interval) / unit, end: Math.min((at + 1) * interval, time) / unit, rate: rate / 1e6}));
  const most = Math.max(...steps.map(({rate}) => rate));
  const caption = `What moves between nodes and cluster memory over time, in intervals of ${duration(interval)}: ${most.toPrecision(4)} MB/s at most.`;
  const columns = [{title: "from", number: true}, {title: "MB/s", number: true}];
  const rows = steps.map(({rate}, at) => [{text: duration(at * interval), value: at * interval}, {text: rate.toPrecision(4), value: rate}]);
  const drawn = chart("transfers-over-time", caption, (width) => ({
    width,
    height: 180,
    marginBottom: 40,
    marginLeft: 60,
    x: {label: `${unitName} →`, domain: [0, time / unit]},
    y: {label: "↑ MB/s", grid: true},
    marks: [Plot.rectY(steps, {x1: "begin", x2: "end", y: "rate", fill: kPartColours.data}), Plot.ruleY([0])],
  }));
  return figure("transfers-over-time", drawn, caption, table("Transfers over time", columns, rows));
}

/// Returns the figure of the time by phase. Time outside the phases of the model is `no phase`.
function phasesFigure(result) {
  const phases = result.phases.map(({name, ...times}) => ({part: name ?? "no phase", value: times.time_s, ...times}));
  const longest = phases.reduce((a, b) => (b.value > a.value ? b : a));
  const caption = `The phases of the code, of the rank that finishes last: ${percent(longest.value / result.time_s)} of its time is ${longest.part}.`;
  const titles = ["last rank", "least of all ranks", "mean", "most"];
  const columns = [{title: "phase"}, ...titles.map((title) => ({title, number: true}))];
  const rows = phases.map((each) => [
    each.part,
    ...["time_s", "least_s", "mean_s", "most_s"].map((key) => ({text: duration(each[key]), value: each[key]})),
  ]);
  return figure("phases", bars("phases", phases, result.time_s, caption), caption, table("Time by phase", columns, rows));
}

const kNoBars = ["tasks", "queued", "contention", "fill", "steady", "nonwavefront"];  // a sum of other parts, and parts of another division of the time

/// Returns the figure of the critical path. The parts that add up to the time are bars. Filling and the steady state divide the
/// same time in another way, so the caption contains them. Only a closed form has time that belongs to neither of the two.
function pathFigure(result) {
  const path = result.critical_path;
  const disjoint = {...path, compute_s: path.compute_s - (path.noise_s ?? 0), bandwidth_s: path.bandwidth_s - (path.wire_s ?? 0) - (path.packets_s ?? 0)};
  const parts = partsOf(path.tasks ? path : disjoint).filter(({part}) => !kNoBars.includes(part));
  const longest = parts.reduce((a, b) => (b.value > a.value ? b : a));
  const share = (value) => `${duration(value)} (${percent(value / result.time_s)})`;
  const isClosedForm = path.nonwavefront_s !== undefined;
  const other = path.nonwavefront_s > 0 ? `, ${share(path.nonwavefront_s)} lie between sweeps` : "";
  const fill = path.fill_s > 0 ? ` For ${share(path.fill_s)} of the time pipelines filled, ${other ? "" : "the other "}${share(path.steady_s)} are the steady state${other}.` : "";
  const waited = path.queued_s > 0 ? `${share(path.queued_s)} of it are` : "None of it is";
  const ofWorkers = path.tasks ? ` ${waited} of tasks that had waited for a free worker.` : "";
  const what = isClosedForm ? "The terms of the closed form" : `The longest chain of events through the ${path.tasks ? "tasks" : "ranks"}`;
  const caption = `${what}: ${percent(longest.value / result.time_s)} of ${isClosedForm ? "its time" : "it"} is ${longest.part}.${fill}${ofWorkers}`;
  const columns = [{title: "part"}, {title: "time", number: true}, {title: "share", number: true}];
  const rows = partsOf(path).filter(({part}) => !["tasks", "queued"].includes(part)).map(({part, value}) => [part, {text: duration(value), value}, percent(value / result.time_s)]);
  return figure("critical-path", bars("critical-path", parts, result.time_s, caption), caption, table("Parts of the critical path", columns, rows));
}

export function binds({result}) {
  const figures = [];
  if (result.tasks) figures.push(coresFigure(result), coresOverTimeFigure(result));
  if (result.tasks?.over_time.transfers) figures.push(transfersFigure(result));
  if (result.breakdown && !result.tasks) figures.push(breakdownFigure(result));
  if (result.phases) figures.push(phasesFigure(result));
  if (result.critical_path) figures.push(pathFigure(result));
  return figures.length > 0 ? section("What binds", ...figures) : null;
}
