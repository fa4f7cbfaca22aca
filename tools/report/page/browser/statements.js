// Statements of a source beside the results of the engines: the published value, ours, and the reason for a difference.
import {element, table} from "./dom.js";
import {plain} from "./format.js";

/// Returns the verdict of the program; for statements of a study, which have none, it is derived from the engines.
export function verdictOf({verdict, engines, reason, tested_by: test}) {
  if (verdict) return verdict;
  if (engines.length === 0) return "not run";
  if (engines.every(({agrees}) => agrees)) return "agrees";
  if (!reason) return "DIFFERS";
  return test ? "explained" : "not known";
}

const kMarks = {agrees: "✓", explained: "≈", "not known": "?", DIFFERS: "✗", "not run": "–"};

function oursOf({engine, ours, agrees, difference_pct: difference}) {
  const percent = difference && !ours.includes("%") ? ` (${difference > 0 ? "+" : "−"}${plain(Math.abs(difference), 2)} %)` : "";
  return `${engine} ${ours}${percent}${agrees ? "" : " ✗"}`;
}

function whyOf({reason, tested_by: test}, verdict) {
  if (verdict === "not known") return reason;
  return verdict === "explained" ? `${reason} (tested by ${test})` : "";
}

export function statementsTable(statements) {
  if (!statements?.length) return undefined;
  const heads = [{title: "published"}, {title: "there"}, {title: "here"}, {title: ""}, {title: "why it differs"}];
  const rows = statements.map((each) => {
    const verdict = verdictOf(each);
    return [each.states, each.expected, each.engines.map(oursOf).join("; "), `${kMarks[verdict]} ${verdict}`, whyOf(each, verdict)];
  });
  return element("div", {class: "statements"}, table("What the source states", heads, rows));
}
