// Maps of the process grid, north at the top as in the figures of the thesis: computing, waiting, queueing, finish.
import {element, section} from "./dom.js";
import {count} from "./format.js";
import {heatMap} from "./heat.js";
import {wave} from "./wave.js";

const kMaps = [
  ["wait_s", "Waiting"],
  ["queue_s", "Queueing for bus, NIC and links"],
  ["compute_s", "Computing"],
  ["finish_s", "Finish"],
];

export function ranks({result}) {
  const array = result.rank_array;
  if (!array) return null;
  const each = array.columns_per_cell * array.rows_per_cell * (array.planes_per_cell ?? 1);
  const planes = array.planes ? "; planes one after another, the lowest first" : "";
  const size = each === 1 ? "one rank" : `${count(each)} ranks (their mean)`;
  const maps = kMaps.filter(([key]) => array[key]).map(([key, title]) => heatMap(`map-${key}`, title, array, array[key]));
  return [
    array.first_tile_s && wave(array, result.ranks),
    section(
      "The process grid",
      element("p", {class: "hint"}, `Columns from west to east, rows from north to south${planes}; a cell is ${size}.`),
      element("div", {class: "maps"}, maps),
    ),
  ];
}
