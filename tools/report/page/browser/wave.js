// The first wave across the process grid, with a slider of time: a cell lights up when its first tile is done, and fades behind
// the front.
import {element, section} from "./dom.js";
import {count, duration} from "./format.js";
import {arrayCanvas, paint, rampColour, rampGradient} from "./heat.js";

const kSteps = 500;
const kSecondsOfPlay = 6;

/// Returns the colour of a cell by the time since its first tile, relative to the whole wave: the front is brightest.
function colourAt(done, time, whole) {
  if (done > time) return null;
  return rampColour(1 - Math.min(1, (time - done) / (0.6 * whole)));
}

export function wave(array, ranks) {
  const done = array.first_tile_s;
  const first = done.reduce((a, b) => Math.min(a, b), Infinity);
  const last = done.reduce((a, b) => Math.max(a, b), 0);
  const label = `The first tile is done after ${duration(first)} by the first rank and after ${duration(last)} by the last.`;
  const {canvas, frame, readout} = arrayCanvas("wave", array, label, (cell) => `first tile done at ${duration(done[cell])}`);
  const spoken = element("output", {class: "when", for: "wave-time"});
  const slider = element("input", {type: "range", id: "wave-time", min: "0", max: kSteps, value: kSteps / 2, oninput: show});
  const play = element("button", {type: "button", onclick: () => (playing ? stop() : start())}, "Play");
  let playing = 0;

  function show() {
    const time = (slider.value / kSteps) * last;
    paint(canvas, array, (cell) => colourAt(done[cell], time, last));
    const reached = done.filter((each) => each <= time).length / done.length;
    const text = `${duration(time, 4)}: ${count(Math.round(reached * ranks))} of ${count(ranks)} ranks have done their first tile`;
    spoken.textContent = text;
    slider.setAttribute("aria-valuetext", text);
  }
  function stop() {
    cancelAnimationFrame(playing);
    playing = 0;
    play.textContent = "Play";
  }
  function start() {
    const from = performance.now() - (Number(slider.value) % kSteps) * ((1000 * kSecondsOfPlay) / kSteps);
    const frameOf = (now) => {
      slider.value = Math.round(((now - from) / (1000 * kSecondsOfPlay)) * kSteps);
      show();
      if (Number(slider.value) < kSteps) playing = requestAnimationFrame(frameOf);
      else stop();
    };
    play.textContent = "Pause";
    playing = requestAnimationFrame(frameOf);
  }
  show();
  return section(
    "The first wave",
    element(
      "figure",
      {class: "wave"},
      frame,
      element("div", {class: "controls"}, play, element("label", {for: "wave-time", class: "spoken"}, "time"), slider),
      element("div", {class: "scale", "aria-hidden": "true"}, element("span", {}, "long done"), element("span", {class: "ramp", style: `background:${rampGradient}`}), element("span", {}, "the front")),
      element("figcaption", {}, spoken, element("br"), label, " ", readout),
    ),
  );
}
