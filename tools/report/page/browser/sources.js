// The items that `sources` has run: the number of statements that agree, then each item with its statements and its picture.
import {comparison} from "./comparison.js";
import {element, section, table} from "./dom.js";
import {plain} from "./format.js";
import {studyFigures} from "./scaling.js";
import {statementsTable, verdictOf} from "./statements.js";

const kOrder = ["DIFFERS", "not known", "explained", "agrees", "not run"];

function summary(items) {
  const counts = (statements) => kOrder.map((verdict) => {
    const count = statements.filter((each) => verdictOf(each) === verdict).length;
    return {text: count > 0 ? String(count) : "", value: count};
  });
  const heads = [{title: "item"}, {title: "what"}, {title: "differ", number: true}, {title: "cause not known", number: true}, {title: "differ by a tested cause", number: true}, {title: "agree", number: true}, {title: "not run", number: true}];
  const link = ({item}) => ({text: element("a", {href: `#${item}`}, item)});
  const rows = items.map((each) => [link(each), each.title, ...counts(each.statements)]);
  return element("div", {class: "statements items"}, table("Statements of each item", heads, rows));
}

function itemSection(item, k) {
  const {result} = item;
  const drawn = result.schema === "warpfront.study/1" ? studyFigures(result, `s${k}`, true) : [comparison({name: item.item, result}, `s${k}`)];
  const made = section(item.title || item.item, element("p", {class: "source"}, item.source || item.item), statementsTable(item.statements), ...drawn);
  made.id = item.item;
  return made;
}

export function sources({result}) {
  const all = result.items.flatMap(({statements}) => statements);
  const agree = all.filter((each) => verdictOf(each) === "agrees").length;
  const head = `${all.length} statements of ${result.items.length} items, ${plain((100 * agree) / Math.max(1, all.length), 3)} % agree`;
  return [section(head, summary(result.items)), ...result.items.map(itemSection)];
}
