// Elements, figures and tables. Text is inserted as text nodes only, so that no name in a result becomes markup.
import {downloads} from "./download.js";

/// Returns an element with attributes and children; functions among the attributes are event listeners ("onclick").
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return made;
}

let sections = 0;

export function section(title, ...children) {
  const id = `section-${++sections}`;
  return element("section", {"aria-labelledby": id}, element("h2", {id}, title), ...children);
}

/// Adds to each chart of a picture the buttons that save it under the name of the figure.
function withDownloads(name, picture, caption) {
  const charts = picture.matches(".chart") ? [picture] : [...picture.querySelectorAll(".chart")];
  const holder = element("div", {}, picture);
  charts.forEach((place, k) => {
    const both = element("div", {class: "saveable"});  // one item of a grid
    place.replaceWith(both);
    both.append(place, downloads(place, charts.length > 1 ? `${name}-${k}` : name, place.dataset.title ?? caption));
  });
  return holder;
}

/// Returns a picture with its caption, which describes it in words, and its numbers in a table that can be opened.
export function figure(name, picture, caption, numbers) {
  return element(
    "figure",
    {"data-figure": name},
    withDownloads(name, picture, caption),
    element("figcaption", {}, caption),
    numbers && element("details", {}, element("summary", {}, "The numbers"), numbers),
  );
}

/// Returns a table. `columns` are {title, number}; the cells of `rows` are texts, or {text, value} with the value of the result.
export function table(caption, columns, rows) {
  const head = columns.map(({title, number}) => element("th", {scope: "col", class: number ? "number" : undefined}, title));
  const body = rows.map((cells) =>
    element(
      "tr",
      {},
      cells.map((cell, k) => {
        const number = columns[k].number ? "number" : undefined;
        if (k === 0) return element("th", {scope: "row", class: number}, cell.text ?? cell);
        return element("td", {class: number, "data-value": cell.value}, cell.text ?? cell);
      }),
    ),
  );
  return element(
    "div",
    {class: "table", tabindex: "0", role: "region", "aria-label": caption},
    element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, head)), element("tbody", {}, body)),
  );
}
