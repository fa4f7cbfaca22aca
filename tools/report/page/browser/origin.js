// The origin of a result: the command that reproduces it, inputs with their hashes, notes, and the scenario of the run.
import {element, section, table} from "./dom.js";
import {count, counted, duration} from "./format.js";

function facts(result) {
  const context = result.context ?? {};
  const rows = [["version", context.version], ["computer", context.host], ["seed", context.seed === undefined ? undefined : String(context.seed)]];
  const work = result.work;
  if (work) rows.push(["took", `${duration(work.wall_s)} on ${counted(work.threads, "thread")}, ${result.tasks ? `${count(work.events)} events` : `${count(work.messages_replayed)} messages stepped`}`]);
  if (result.digest) rows.push(["digest", result.digest]);
  return rows.filter(([, value]) => value).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]);
}

export function origin(results) {
  const parts = results.map(({name, result}) => {
    const context = result.context ?? {};
    const inputs = Object.entries(context.inputs ?? {}).map(([path, hash]) => [path, {text: hash}]);
    return element(
      "article",
      {},
      element("h3", {}, name),
      context.command && element("pre", {class: "command", tabindex: "0", "aria-label": "the command that makes it again"}, element("code", {}, context.command)),
      element("dl", {class: "facts small"}, facts(result)),
      result.notes?.length > 0 && element("ul", {class: "notes"}, result.notes.map((note) => element("li", {}, note))),
      inputs.length > 0 && table("Inputs", [{title: "file"}, {title: "SHA-256"}], inputs),
      context.scenario && element("details", {}, element("summary", {}, "The scenario as it was run"), element("pre", {tabindex: "0"}, JSON.stringify(context.scenario, null, 2))),
    );
  });
  return section("Where this is from", ...parts.map((part) => part));
}
