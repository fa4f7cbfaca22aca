// Composes the page from the results that the program has put into it: a list of {name, result}. A result has one of the schemas
// warpfront.result/1, warpfront.comparison/1, warpfront.study/1, warpfront.sources/1, warpfront.fit/1 and
// warpfront.timeline-excerpt/1.
import "./style.css";
import {axisY, dot, gridY, line, ruleX, text} from "@observablehq/plot";
import {binds} from "./binds.js";
import {chart, drawCharts} from "./chart.js";
import {element, figure, section, table} from "./dom.js";
import {engines} from "./engines.js";
import {fitted} from "./fitted.js";
import {counted, duration, percent, plain} from "./format.js";
import {links} from "./links.js";
import {origin} from "./origin.js";
import {prediction} from "./prediction.js";
import {ranks} from "./ranks.js";
import {scaling} from "./scaling.js";
import {sources} from "./sources.js";
import {titleOf} from "./study_axes.js";
import {ticksOf} from "./ticks.js";
import {timeline} from "./timeline.js";

const results = JSON.parse(document.getElementById("results").textContent);
const ofSchema = (schema) => results.filter(({result}) => result.schema === schema);
const runs = ofSchema("warpfront.result/1");
const comparisons = ofSchema("warpfront.comparison/1");
const studies = ofSchema("warpfront.study/1");
const published = ofSchema("warpfront.sources/1");
const fits = ofSchema("warpfront.fit/1");
const timelines = ofSchema("warpfront.timeline-excerpt/1");
const withContext = results.filter((each) => !timelines.includes(each) && !fits.includes(each));

/// Returns the first run that has a value. Values of single ranks and links are shown for one run only.
const first = (has) => runs.find(({result}) => has(result));
const shown = (make, run) => (run ? make(run) : null);

/// Returns the title of a result: "sweep3d on xt4, 8,192 ranks", or the question of a study.
function title() {
  const {result} = runs[0] ?? {};
  const stem = (path) => (path?.file ?? path)?.split("/").at(-1).replace(/\.\w+$/, "");
  const scenario = result?.context?.scenario;
  if (scenario) return `${stem(scenario.model ?? scenario.trace) ?? "prediction"} on ${stem(scenario.platform) ?? "a machine"}, ${counted(result.ranks, "rank")}`;
  if (published.length > 0) return "What sources publish, beside what comes out here";
  const study = studies[0]?.result;
  return (study && titleOf(study)) ?? timelines[0]?.result.title ?? results.map(({name}) => stem(name)).join(", ");
}

document.title = `${title()} · warpfront`;
document.querySelector("h1").textContent = title();
document.querySelector("main").append(
  ...[
    runs.length > 0 && element("div", {class: "predictions"}, runs.map(prediction)),
    shown(binds, first((result) => result.breakdown) ?? first((result) => result.critical_path)),
    engines(runs, comparisons),
    shown(ranks, first((result) => result.rank_array)),
    timelines.map(timeline),
    shown(links, first((result) => result.link_waits)),
    studies.map(scaling),
    published.map(sources),
    fits.map(fitted),
    withContext.length > 0 && origin(withContext),
  ].flat(2).filter(Boolean),
);
drawCharts();
document.documentElement.dataset.drawn = "true";

// These are for explore.js, which the served page adds.
export {axisY, chart, dot, drawCharts, duration, element, figure, gridY, line, percent, plain, ruleX, section, table, text, ticksOf};
