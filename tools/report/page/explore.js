// What the served page adds: the knobs of a scenario, each a slider under the predicted time over its choices. The server
// answers for the closed form at once and for the event engine as its runs end (tools/serve/server.hpp).
const {chart, dot, drawCharts, duration, element, figure, line, percent, plain, ruleX, section} = page;  // of main.js, which ran before

const kPollInterval = 400;  // ms

async function ask(what, body) {
  const answer = await fetch(what, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.error);
  return json;
}

/// "+12.3 %" of a time against another.
function change(time, reference) {
  const share = time / reference - 1;
  return `${share >= 0 ? "+" : "−"}${percent(Math.abs(share))}`;
}

/// "#6,1,1": the choice of each knob, so that an address can be kept as long as the server lives.
function positionIn(hash, knobs) {
  const choices = hash.slice(1).split(",").map(Number);
  const good = choices.length === knobs.length && choices.every((choice, k) => Number.isInteger(choice) && choice >= 0 && choice < knobs[k].choices.length);
  return good ? choices : null;
}

/// The times on a logarithmic axis: at least a factor of two, so that what hardly matters looks flat.
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
  const points = new Map();  // of the event engine, by position

  const closedForm = () => curves?.[0][at[0]];
  const key = (position) => position.join();
  const along = (position, k, choice) => position.map((each, knob) => (knob === k ? choice : each));

  function pointsOf(k) {
    return knobs[k].choices.flatMap((choice, number) => {
      const point = points.get(key(along(at, k, number)));
      return point?.time_s ? [{choice, time: point.time_s}] : [];
    });
  }

  function plot(k) {
    const {choices, id, label} = knobs[k];
    // Kinds of networks have no order that a line could follow.
    const curve = id === "topology" ? (values, options) => dot(values, {symbol: "square", r: 4, ...options}) : line;
    const curveOf = (of) => (of?.[k] ?? []).flatMap(({time_s: time}, number) => (time ? [{choice: choices[number], time}] : []));
    return (width) => {
      const lines = [curveOf(before), curveOf(curves)];
      const dots = pointsOf(k);
      const times = [...lines.flat(), ...dots].map(({time}) => time);
      const every = Math.ceil((Math.max(...choices.map((each) => each.length)) * 7.5 * choices.length) / (width - 70));
      return {
        width, height: 190, marginLeft: 56, marginBottom: 28, marginRight: 14,
        x: {type: "point", domain: choices, label: null, ticks: choices.filter((_, number) => number % every === 0)},
        y: {type: "log", domain: times.length > 0 ? domainOf(times) : [1, 10], label: null, grid: true, ticks: 4, tickFormat: (value) => duration(value, 3)},
        marks: [
          ruleX([choices[at[k]]], {stroke: "var(--line)", strokeWidth: 8}),
          curve(lines[0], {x: "choice", y: "time", stroke: "var(--quiet)", strokeDasharray: "4 4"}),
          curve(lines[1], {x: "choice", y: "time", stroke: "var(--accent)", strokeWidth: 2}),
          dot(dots, {x: "choice", y: "time", stroke: "#d9822b", fill: "var(--surface)", strokeWidth: 2, r: 4.5, title: ({choice, time}) => `event engine, ${label} ${choice}: ${duration(time, 6)}`}),
        ],
      };
    };
  }

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
    event.textContent = !point ? "…" : point.time_s ? duration(point.time_s, 5) + (same || !firstPoint?.time_s ? "" : ` (${change(point.time_s, firstPoint.time_s)})`) : `none: ${point.why}`;
    charts.forEach((each) => each.redraw());
    history.replaceState(null, "", `#${key(at)}`);
  }

  async function update() {
    before ??= (await ask("curves", {at: start})).curves;
    const asked = key(at);
    const answer = await ask("curves", {at});
    if (asked !== key(at)) return;  // moved on meanwhile
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
    if (document.hidden) return;  // the server stops its runs without polls
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
    element("dl", {class: "facts times"}, element("div", {}, element("dt", {}, "closed form"), closed), element("div", {}, element("dt", {}, "event engine"), event)),
    state,
    element(
      "div",
      {class: "knobs"},
      knobs.map((knob, k) =>
        element(
          "div",
          {class: "knob"},
          element("label", {for: `knob-${knob.id}-slider`}, knob.label, " ", readouts[k]),
          figure(`knob-${knob.id}`, charts[k], ""),
          element("div", {class: "controls"}, sliders[k]),
          element("p", {class: "sets"}, knob.what),
        ),
      ),
    ),
    element("p", {class: "state"}, "Lines and squares: the closed form, dashed as the scenario has it. Circles: the event engine."),
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
