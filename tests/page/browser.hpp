// A page as a headless browser shows it: Chromium opens a copy of the file with a probe appended, which records the
// elements that were drawn.
#pragma once

#include <nlohmann/json.hpp>

#include "tests/end_to_end/program.hpp"

namespace warpfront::page_test {

using end_to_end::Outcome;
using end_to_end::quoted;

/// The script that records the page. Figures by name have the number of shapes or of painted pixels, their words, bars
/// and buttons; their lines with colour, dashes and places along x in pixels, the labels at the ends of these, and the
/// visible part of the legend. Further it records [shown text, value in the result] of every number that has its value,
/// whether everything fits the width, and the text for screen readers.
inline constexpr std::string_view kProbe = R"(<script>
window.errors = [];
addEventListener("error", (event) => errors.push(event.message));
setTimeout(() => {
  const painted = (canvas) => {
    const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((each, k) => k % 4 === 3 && each > 0).length;
  };
  const figures = {};
  for (const figure of document.querySelectorAll("[data-figure]")) {
    const shapes = figure.tagName === "CANVAS"
      ? painted(figure)
      : figure.querySelectorAll("rect, path, line, circle, span").length;
    const name = figure.dataset.figure;
    const box = figure.getBoundingClientRect();
    const lines = [...figure.querySelectorAll("svg [aria-label=line] path")].map((path) => {
      const {stroke, strokeDasharray, strokeWidth} = getComputedStyle(path);
      const xs = path.getAttribute("d").match(/[-\d.]+(?=,)/g).map(Number);
      return {stroke, dashes: strokeDasharray, width: strokeWidth, xs};
    });
    const texts = [...figure.querySelectorAll("svg text")].map((each) => each.textContent);
    const bars = [...figure.querySelectorAll("svg [aria-label=bar] rect")].map((rect) => {
      const {x, y, height} = rect.getBBox();
      return {x, y, height};
    });
    const saves = [...figure.querySelectorAll(".downloads button")].map((button) => button.textContent);
    const ends = [...figure.querySelectorAll("svg .end text")].map((each) => {
      const {top, bottom, right} = each.getBoundingClientRect();
      return {text: each.textContent, top, bottom, right};
    });
    const legend = [...figure.querySelectorAll(".legend > div")]
      .filter((group) => group.getClientRects().length > 0)
      .flatMap((group) => [...group.querySelectorAll(".entry")].map((entry) => entry.textContent));
    figures[name] = {shapes, area: box.width * box.height, right: box.right, lines, bars, saves, texts, ends, legend};
  }
  const described = (picture) => (picture.getAttribute("aria-label") ?? "").length > 20;
  const probe = {
    figures, errors,
    drawn: document.documentElement.dataset.drawn, title: document.title,
    heading: document.querySelector("h1").textContent,
    values: [...document.querySelectorAll("[data-value]")]
      .map((each) => [each.textContent, Number(each.dataset.value)]),
    overflow: document.documentElement.scrollWidth - innerWidth,
    described: [...document.querySelectorAll("svg[role=img], canvas")].every(described),
    tables: document.querySelectorAll("table").length,
    tooltips: [...document.querySelectorAll("svg title")].map((each) => each.textContent),
    captions: [...document.querySelectorAll("figcaption")].map((each) => each.textContent),
    scripts: document.scripts.length, images: document.images.length,
    background: getComputedStyle(document.body).backgroundColor, text: document.body.innerText,
    slider: document.querySelector("input[type=range]")?.getAttribute("aria-valuetext"),
  };
  const place = document.createElement("meta");
  place.id = "probe";
  place.content = encodeURIComponent(JSON.stringify(probe));
  document.head.append(place);
}, 1000);
</script>)";

inline std::string decoded(const std::string& text) {
    std::string bytes;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%') {
            bytes += text[at];
            continue;
        }
        bytes += static_cast<char>(std::stoi(text.substr(at + 1, 2), nullptr, 16));
        at += 2;
    }
    return bytes;
}

struct Window {
    int width = 1100;
    bool dark = false;
};

inline constexpr std::string_view kProbed = "<meta id=\"probe\" content=\"";

/// Opens a page that has the probe. One process takes less than half the time of several, but may crash, in particular
/// as it ends: without a record the browser opens the page as usual.
inline Outcome opened(const std::filesystem::path& page, Window window) {
    Outcome outcome;
    for (const char* const processes : {"--no-zygote --single-process", ""}) {
        const test::Scratch scratch;
        outcome = end_to_end::run_in(
            scratch.folder(),
            fmt::format("HOME={0} timeout 60 chromium-headless-shell --no-sandbox --disable-gpu "
                        "--disable-dev-shm-usage --user-data-dir={0} --virtual-time-budget=4000 --window-size={1},900 "
                        "--blink-settings=preferredColorScheme={2} --enable-logging=stderr {3} --dump-dom {4}",
                        quoted(scratch.folder() / "profile"), window.width, window.dark ? 0 : 1, processes,
                        "'file://" + page.string() + "'"));
        if (end_to_end::holds(outcome.out, std::string(kProbed))) break;
    }
    return outcome;
}

/// Returns the record of the probe, with the browser's log of the page as `console`.
inline nlohmann::json seen(const std::filesystem::path& page, Window window = {}) {
    const test::Scratch scratch;
    std::string text = end_to_end::text_of(page);
    const std::size_t head = text.find("<title>");
    REQUIRE(head != std::string::npos);
    const auto copy = scratch.file("page.html", text.insert(head, kProbe));
    const Outcome outcome = opened(copy, window);
    const std::size_t at = outcome.out.find(kProbed);
    REQUIRE_MESSAGE(at != std::string::npos, outcome.err, outcome.out.substr(0, 2000));
    const std::size_t start = at + kProbed.size();
    nlohmann::json probe =
        nlohmann::json::parse(decoded(outcome.out.substr(start, outcome.out.find('"', start) - start)));
    std::istringstream lines(outcome.err);
    std::string console;
    for (std::string line; std::getline(lines, line);) {
        if (end_to_end::holds(line, ":CONSOLE")) console += line + "\n";
    }
    probe["console"] = console;
    return probe;
}

/// A run with `arguments`, and the record of its report in the browser.
struct SeenRun {
    nlohmann::json result;
    nlohmann::json probe;

    explicit SeenRun(const std::string& arguments) {
        const test::Scratch scratch;
        const auto run = scratch.folder() / "run.json";
        const auto page = scratch.folder() / "page.html";
        REQUIRE(end_to_end::invoke(fmt::format("run {} --quiet --json {}", arguments, quoted(run))).status == 0);
        REQUIRE(end_to_end::invoke(fmt::format("report {} -o {}", quoted(run), quoted(page))).status == 0);
        result = nlohmann::json::parse(end_to_end::text_of(run));
        probe = seen(page);
        CHECK(probe["errors"].empty());
    }
};

/// Returns true if the page shows a number with exactly this value.
inline bool shows(const nlohmann::json& probe, double value) {
    for (const auto& [text, shown] : probe["values"].get<std::vector<std::pair<std::string, nlohmann::json>>>()) {
        if (shown.is_number() && shown.get<double>() == value && !text.empty()) return true;
    }
    return false;
}

}  // namespace warpfront::page_test
