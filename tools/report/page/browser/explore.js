// The part of the page that only the server adds: the knobs of a scenario, each a slider below the predicted time over its
// choices. The closed form arrives at once, the event engine as its runs end (tools/report/server/server.hpp).
const {axisY, chart, dot, drawCharts, duration, element, figure, gridY, line, percent, plain, ruleX, section, table, text, ticksOf} = page;  // the exports of main.js, which has run before

const kPollInterval = 400;  // milliseconds

async function ask(what, body) {
  const answer = await fetch(what, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.error);
  return json;
}

/// Formats the difference of a time from another: "+12.3 %".
function change(time, reference) {
  const share = time / reference - 1;
  return `${share >= 0 ? "+" : "−"}${percent(Math.abs(share))}`;
}

/// Reads the choice of each knob from "#6,1,1", so that an address can be kept as long as the server runs.
function positionIn(hash, knobs) {
  const choices = hash.slice(1).split(",").map(Number);
  const good = choices.length === knobs.length && choices.every((choice, k) => Number.isInteger(choice) && choice >= 0 && choice < knobs[k].choices.length);
  return good ? choices : null;
}

/// Formats the 95 % interval of a point of the event engine.
const intervalOf = ({interval_s: [low, high]}) => `${duration(low)} to ${duration(high)}`;

/// Returns the range of a logarithmic axis of times: a factor of two or more, so that small effects look flat.
function domainOf(times) {
  const least = Math.min(...times);
  const most = Math.max(...times);
  const wider = Math.max(1.06, Math.sqrt(2 / (most / least)));
  return [least / wider, most * wider];
}

function explore(served) {
  const {knobs} = served;
  const start = knobs.map((knob) => knob.start);
  let at = positionIn(location.hash, knobs) ?? [...start];
  let moved = 0;  // the knob that was moved last
  let curves = null;
  let before = null;  // the curves at the start
  const points = new Map();  // the answers of the event engine, by position

  const closedForm = () => curves?.[0][at[0]];
  const key = (position) => position.join();
  const along = (position, k, choice) => position.map((each, knob) => (knob === k ? choice : each));

  function pointsOf(k) {
    return knobs[k].choices.flatMap((choice, number) => {
      const point = points.get(key(along(at, k, number)));
      const [low, high] = point?.interval_s ?? [];
      return point?.time_s ? [{choice, time: point.time_s, low, high}] : [];
    });
  }

  function plot(k) {
    const {choices, id, label} = knobs[k];
    // Kinds of networks have no order, so no line connects them.
    const curve = id === "topology" ? (values, options) => dot(values, {symbol: "square", r: 4, ...options}) : line;
    const curveOf = (of) => (of?.[k] ?? []).flatMap(({time_s: time}, number) => (time ? [{choice: choices[number], time}] : []));
    return (width) => {
      const base = curveOf(before);
      const dots = pointsOf(k);
      const bars = dots.filter(({low}) => low !== undefined);
      // The curve of the scenario itself does not extend the axis: after a change of the ranks it may be far away.
      const shown = [...curveOf(curves), ...dots, ...bars.flatMap(({low, high}) => [{time: low}, {time: high}])].map(({time}) => time).filter((time) => time > 0);
      const [least, most] = shown.length > 0 ? domainOf(shown) : [1, 10];
      const ticks = ticksOf("log", [least, most], 4);
      const outside = base.length > 0 && (base.every(({time}) => time > most) ? "above" : base.every(({time}) => time < least) ? "below" : null);
      const far = outside ? [`the scenario: ${duration(before[k][start[k]].time_s ?? base[0].time, 3)}, ${outside}`] : [];
      const every = Math.ceil((Math.max(...choices.map((each) => each.length)) * 7.5 * choices.length) / (width - 70));
      return {
        width, height: 190, marginLeft: 56, marginBottom: 28, marginRight: 14,
        x: {type: "point", domain: choices, label: null, ticks: choices.filter((_, number) => number % every === 0)},
        y: {type: "log", domain: [least, most], label: null},
        marks: [
          gridY(ticks),
          axisY(ticks, {text: (value) => duration(value, 3), label: null}),
          ruleX([choices[at[k]]], {stroke: "var(--line)", strokeWidth: 8}),
          curve(base, {x: "choice", y: "time", stroke: "var(--quiet)", strokeDasharray: "4 4", clip: true}),
          text(far, {frameAnchor: outside === "above" ? "top" : "bottom", dy: outside === "above" ? 4 : -4, fill: "var(--quiet)", text: (each) => each}),
          curve(curveOf(curves), {x: "choice", y: "time", stroke: "var(--accent)", strokeWidth: 2}),
          ruleX(bars, {x: "choice", y1: (each) => Math.max(each.low, least), y2: "high", stroke: "#d9822b", strokeWidth: 2, marker: "tick"}),
          dot(dots, {x: "choice", y: "time", stroke: "#d9822b", fill: "var(--surface)", strokeWidth: 2, r: 3.5, title: ({choice, time, low: from, high: to}) => `event engine, ${label} ${choice}: ${duration(time, 6)}${from === undefined ? "" : `, 95 % interval ${duration(from)} to ${duration(to)}`}`}),
        ],
      };
    };
  }

  /// Returns the table of the values of a knob. Those of the event engine appear as its runs end.
  function numbersOf(k) {
    const columns = [{title: knobs[k].label}, ...["closed form", "event engine", "95 % interval"].map((title) => ({title, number: true}))];
    const rows = knobs[k].choices.map((choice, number) => {
      const form = curves?.[k][number];
      const point = points.get(key(along(at, k, number)));
      const of = (answer) => (answer?.time_s ? {text: duration(answer.time_s, 6), value: answer.time_s} : "");
      return [choice, of(form), of(point), point?.interval_s ? intervalOf(point) : ""];
    });
    return table(`Predicted time over ${knobs[k].label.toLowerCase()}`, columns, rows);
  }
  const numbers = knobs.map(() => element("div", {}));

  const charts = knobs.map((knob, k) => chart(`knob-${knob.id}`, `Predicted time over ${knob.label.toLowerCase()}: closed form as a line or squares, event engine as circles.`, (width) => plot(k)(width)));
  const readouts = knobs.map((knob) => element("output", {for: `knob-${knob.id}-slider`, class: "when"}));
  const sliders = knobs.map((knob, k) =>
    element("input", {
      type: "range", id: `knob-${knob.id}-slider`, min: "0", max: knob.choices.length - 1, value: knob.start,
      oninput: (event) => move(k, Number(event.target.value)),
    }),
  );
  const closed = element("dd", {"data-shown": "closed-form"});
  const event = element("dd", {"data-shown": "event"});
  const interval = element("dd", {"data-shown": "interval", class: "interval-text"});
  const state = element("p", {class: "state", role: "status"});
  const saved = element("p", {class: "state", role: "status"});

  function show() {
    knobs.forEach((knob, k) => {
      sliders[k].value = at[k];
      readouts[k].textContent = knob.choices[at[k]];
      sliders[k].setAttribute("aria-valuetext", knob.choices[at[k]]);
    });
    const now = closedForm();
    const first = before?.[0][start[0]];
    const same = key(at) === key(start);
    closed.textContent = !now ? "…" : now.time_s ? duration(now.time_s, 5) + (same || !first?.time_s ? "" : ` (${change(now.time_s, first.time_s)})`) : `none: ${now.why}`;
    const point = points.get(key(at));
    const firstPoint = points.get(key(start));
    interval.textContent = point?.interval_s ? `95\u00a0% interval: ${intervalOf(point)}` : "";
    event.textContent = !point ? "…" : point.time_s ? duration(point.time_s, 5) + (same || !firstPoint?.time_s ? "" : ` (${change(point.time_s, firstPoint.time_s)})`) : `none: ${point.why}`;
    charts.forEach((each) => each.redraw());
    numbers.forEach((each, k) => each.replaceChildren(numbersOf(k)));
    history.replaceState(null, "", `#${key(at)}`);
  }

  async function update() {
    before ??= (await ask("curves", {at: start})).curves;
    const asked = key(at);
    const answer = await ask("curves", {at});
    if (asked !== key(at)) return;  // the sliders have moved meanwhile
    curves = answer.curves;
    show();
  }
  function move(k, choice) {
    at = along(at, k, choice);
    moved = k;
    saved.textContent = "";
    show();
    update().catch(lost);
    poll();
  }
  function reset() {
    at = [...start];
    saved.textContent = "";
    show();
    update().catch(lost);
    poll();
  }
  async function save() {
    try {
      const {file} = await ask("save", {at});
      saved.textContent = `Saved as ${file}: warpfront run ${file}`;
    } catch (error) {
      saved.textContent = `Not saved: ${error.message}`;
    }
  }
  function lost() {
    state.textContent = "The server has ended. Start it again: its address will be another.";
  }

  let pollTimer = 0;
  async function poll() {
    clearTimeout(pollTimer);
    if (document.hidden) return;  // without polls the server stops its runs
    try {
      const seen = await ask("points", {at, knob: moved});
      const known = points.size;
      for (const point of seen.points) points.set(key(point.at), point);
      if (points.size !== known) show();
      const runs = seen.running.map(({at: position, done}) => `${knobs[moved].choices[position[moved]]} (${plain(100 * done, 2)} %)`);
      const over = knobs[moved].label.toLowerCase();
      const left = runs.length > 0 || seen.waiting > 0;
      state.textContent = left ? `Event engine, over ${over}: ${runs.join(", ")}${runs.length > 0 ? "; " : ""}${seen.waiting} to come.` : `Event engine, over ${over}: all done. Move another slider, and it runs over that.`;
      clearTimeout(pollTimer);
      pollTimer = setTimeout(poll, kPollInterval);
    } catch {
      lost();
    }
  }
  document.addEventListener("visibilitychange", poll);

  show();
  update().then(poll, lost);
  return section(
    "What if",
    element("p", {class: "source"}, served.scenario),
    element("dl", {class: "facts times"}, element("div", {}, element("dt", {}, "closed form"), closed), element("div", {}, element("dt", {}, "event engine"), event, interval)),
    state,
    element(
      "div",
      {class: "knobs"},
      knobs.map((knob, k) =>
        element(
          "div",
          {class: "knob"},
          element("label", {for: `knob-${knob.id}-slider`}, knob.label, " ", readouts[k]),
          figure(`knob-${knob.id}`, charts[k], "", numbers[k]),
          element("div", {class: "controls"}, sliders[k]),
          element("p", {class: "sets"}, knob.what),
        ),
      ),
    ),
    element("p", {class: "state"}, "Lines and squares: the closed form, dashed as the scenario has it. Circles: the event engine; bars: its 95 % interval, where one further run lies, such as the measured one."),
    element(
      "div",
      {class: "actions"},
      element("button", {type: "button", onclick: save}, "Save as a scenario"),
      element("button", {type: "button", onclick: reset}, "Back to the scenario"),
    ),
    saved,
  );
}

const served = JSON.parse(document.getElementById("served").textContent);
if (!document.querySelector(".prediction")) {
  const name = served.scenario.split("/").at(-1);
  document.title = `${name} · warpfront`;
  document.querySelector("h1").textContent = name;
}
document.querySelector("main").prepend(explore(served));
drawCharts();
