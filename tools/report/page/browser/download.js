// A drawn chart as a separate picture, for a slide: SVG, or PNG at three times the size. It always has the colours of the light
// scheme, and contains its title and its legend.
const kFont = "13px system-ui, 'DejaVu Sans', sans-serif";
const kMargin = 12;
const kLine = 20;  // pixels
const kPngScale = 3;
const kColours = "color: #1c232b; --surface: #ffffff; background: #ffffff;";
const kNamespace = "http://www.w3.org/2000/svg";

const made = (tag, attributes) => {
  const shape = document.createElementNS(kNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
  return shape;
};

const textAt = (text, x, y, weight = 400) => {
  const shape = made("text", {x, y, style: `font: ${weight} ${kFont}`, fill: "currentColor"});
  shape.textContent = text;
  return shape;
};

/// Draws the entries of a legend in lines of at most the width of the picture, and returns their height.
function drawLegend(target, legend, width, top) {
  const measure = document.createElement("canvas").getContext("2d");
  measure.font = kFont;
  let x = kMargin;
  let y = top;
  const entries = [...(legend?.querySelectorAll(".entry") ?? [])].filter((entry) => !entry.closest("[hidden]"));
  for (const entry of entries) {
    const text = entry.textContent;
    const wide = 40 + measure.measureText(text).width + 18;
    if (x > kMargin && x + wide > width) [x, y] = [kMargin, y + kLine];
    const sample = entry.querySelector("svg").cloneNode(true);
    sample.setAttribute("x", x);
    sample.setAttribute("y", y - 10);
    target.append(sample, textAt(text, x + 40, y));
    x += wide;
  }
  return entries.length > 0 ? y - top + kLine : 0;
}

/// Returns the text of an SVG file of the chart in `place`.
function svgOf(place, title) {
  const charts = [...place.querySelectorAll("svg")];
  const main = charts.at(-1);
  const width = Number(main.getAttribute("width"));
  const height = Number(main.getAttribute("height"));
  const all = made("svg", {xmlns: kNamespace, width, style: kColours});
  const legend = place.closest("figure")?.querySelector(".legend");
  all.append(textAt(title, kMargin, kMargin + 10, 600));
  const top = kMargin + 10 + kLine + drawLegend(all, legend, width, kMargin + 10 + kLine);
  const copy = main.cloneNode(true);
  copy.setAttribute("y", top);
  copy.setAttribute("overflow", "visible");
  all.append(made("rect", {width, height: top + height, fill: "#ffffff"}), copy);
  all.prepend(all.querySelector(":scope > rect"));
  all.setAttribute("height", top + height);
  return new XMLSerializer().serializeToString(all);
}

function save(url, name) {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}

function savePng(svg, name) {
  const picture = new Image();
  picture.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = picture.width * kPngScale;
    canvas.height = picture.height * kPngScale;
    const pen = canvas.getContext("2d");
    pen.scale(kPngScale, kPngScale);
    pen.drawImage(picture, 0, 0);
    save(canvas.toDataURL("image/png"), `${name}.png`);
  };
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

/// Returns two buttons that save the chart in `place`. In the file `title` is above the chart.
export function downloads(place, name, title) {
  const file = name.replaceAll(/[^\w-]+/g, "-");
  const svg = () => svgOf(place, title);
  const asSvg = () => save(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg())}`, `${file}.svg`);
  const button = (text, onclick) => {
    const made = document.createElement("button");
    made.type = "button";
    made.title = `Save this picture as ${text}`;
    made.textContent = text;
    made.addEventListener("click", onclick);
    return made;
  };
  const buttons = document.createElement("div");
  buttons.className = "downloads";
  buttons.append(button("SVG", asSvg), button("PNG", () => savePng(svg(), file)));
  return buttons;
}
