// The prediction: the time with its interval, the run that it belongs to, and the closed form beside it.
import {element} from "./dom.js";
import {count, counted, duration, percent} from "./format.js";

function fact(name, value, data) {
  return element("div", {class: "fact"}, element("dt", {}, name), element("dd", {"data-value": data}, value));
}

/// Returns a bar from 0 to the larger value, with the interval as a band; it consists of elements of the page.
function intervalBar(time, [low, high]) {
  const most = 1.1 * Math.max(time, high);
  const at = (value) => `${((100 * value) / most).toFixed(2)}%`;
  const text = `predicted ${duration(time)}, 95 % interval from ${duration(low)} to ${duration(high)}`;
  return element(
    "div",
    {class: "interval", role: "img", "aria-label": text, "data-figure": "interval"},
    element("span", {class: "predicted", style: `width:${at(time)}`}),
    element("span", {class: "band", style: `left:${at(low)};width:calc(${at(high)} - ${at(low)})`}),
    element("span", {class: "mark", style: `left:${at(time)}`}),
  );
}

function ensembleFact(ensemble) {
  if (!ensemble) return [];
  const mean = ensemble.mean_s ?? ensemble.mean;
  return mean === undefined ? [] : [fact("mean of the runs", duration(mean, 6), mean)];
}

export function prediction({name, result}) {
  const facts = [];
  if (result.interval_s) {
    const [low, high] = result.interval_s;
    facts.push(fact("95 % interval", `${duration(low, 4)} to ${duration(high, 4)}`));
  }
  facts.push(...ensembleFact(result.ensemble));
  if (result.closed_form_s) {
    const above = result.time_s / result.closed_form_s - 1;
    const side = above < 0 ? "below" : "above";
    facts.push(fact("closed form", `${duration(result.closed_form_s)} (predicted is ${percent(Math.abs(above))} ${side} it)`, result.closed_form_s));
  }
  facts.push(fact("ranks", `${count(result.ranks)} on ${counted(result.nodes, "node")}`, result.ranks));
  facts.push(fact("iterations", count(result.iterations), result.iterations));
  for (const [name, done] of Object.entries(result.tasks?.tasks ?? {})) facts.push(fact(`tasks ${name}`, count(done), done));
  if (result.work && !result.tasks) facts.push(fact("messages", count(result.work.messages), result.work.messages));
  return element(
    "div",
    {class: "prediction"},
    element("p", {class: "source"}, `${name}, ${result.engine} engine`),
    element("p", {class: "time", "data-value": result.time_s}, duration(result.time_s, 6)),
    element("p", {class: "what"}, "predicted time"),
    result.interval_s && intervalBar(result.time_s, result.interval_s),
    element("dl", {class: "facts"}, facts),
  );
}
