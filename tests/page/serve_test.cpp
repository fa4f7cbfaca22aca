// `warpfront serve` as a browser shows it: the knobs of the scenario, the closed form at once, the event engine's time
// when its run has ended.
#include "tests/page/browser.hpp"

using namespace warpfront::page_test;
using end_to_end::holds;
using end_to_end::json_of;
using end_to_end::kRoot;
using end_to_end::kSmall;
using end_to_end::run_in;
using end_to_end::time_of;

namespace {

/// Starts the server, runs `use` with its address in $url, and ends the server by SIGTERM; its exit status is the last
/// line.
std::string while_served(const std::string& arguments, const std::string& use) {
    return fmt::format(
        "out=$(mktemp); {} serve {} >\"$out\" & server=$!; "
        "for k in $(seq 200); do test -s \"$out\" && break; sleep 0.05; done; url=$(head -n 1 \"$out\"); {}; "
        "kill -TERM $server; wait $server; echo; echo \"status $?\"; rm \"$out\"",
        quoted(WARPFRONT_PROGRAM), arguments, use);
}

/// Returns the document that the browser has of the page at `hash` after five seconds, without the time that it waits
/// for responses. Checks that its console is empty.
std::string served(const std::string& arguments, const std::string& hash = "") {
    const test::Scratch scratch;
    const std::string browser = fmt::format(
        "HOME={0} timeout 60 chromium-headless-shell --no-sandbox --disable-gpu --disable-dev-shm-usage "
        "--user-data-dir={0} --virtual-time-budget=5000 --enable-logging=stderr --dump-dom \"$url{1}\"",
        quoted(scratch.folder() / "profile"), hash);
    const Outcome outcome = run_in(kRoot, while_served(arguments, browser));
    CHECK(holds(outcome.out, "status 0"));
    CHECK_FALSE(holds(outcome.err, ":CONSOLE"));
    return outcome.out;
}

/// The text of the element with this `data-shown`.
std::string text_in(const std::string& dom, const std::string& name) {
    const std::size_t at = dom.find("data-shown=\"" + name + "\"");
    REQUIRE(at != std::string::npos);
    const std::size_t begin = dom.find('>', at) + 1;
    return dom.substr(begin, dom.find('<', begin) - begin);
}

}  // namespace

TEST_CASE("the served page shows both engines' times at the start, a slider for each knob, and no error") {
    const std::string page = served(kSmall);
    for (const char* id : {"ranks", "tile", "cores", "latency", "overhead", "bandwidth", "topology"}) {
        CHECK_MESSAGE(holds(page, fmt::format("id=\"knob-{}-slider\"", id)), id);
        CHECK_MESSAGE(holds(page, fmt::format("data-figure=\"knob-{}\"", id)), id);
    }
    const double event = time_of("run " + kSmall);
    const double closed_form = time_of("run " + kSmall + "--engine analytic");
    CHECK(text_in(page, "event") == fmt::format("{:.5g}&nbsp;ms", 1e3 * event));
    CHECK(text_in(page, "closed-form") == fmt::format("{:.5g}&nbsp;ms", 1e3 * closed_form));
}

TEST_CASE("an address with a position opens there, and shows how much longer the run takes") {
    CHECK(holds(text_in(served(kSmall, "#2,1,1,4,6,4,0"), "closed-form"), "(+"));  // twice the overhead
}

TEST_CASE("a result is served with the scenario that was run, and shown below, and so is a timeline") {
    const test::Scratch scratch;
    const auto result = scratch.folder() / "run.json";
    const auto timeline = scratch.folder() / "timeline.json";
    REQUIRE(end_to_end::invoke("run " + kSmall + "--quiet --json " + quoted(result) + " --timeline " + quoted(timeline))
                .status == 0);
    const std::string page = served(quoted(timeline) + " " + quoted(result));
    const double closed_form = time_of("run " + kSmall + "--engine analytic");
    CHECK(text_in(page, "closed-form") == fmt::format("{:.5g}&nbsp;ms", 1e3 * closed_form));
    CHECK(holds(page, "The first wave"));
    CHECK(holds(page, "data-figure=\"timeline-0\""));
}

TEST_CASE(
    "on a calibrated machine the event engine's points have their 95 % interval: in words, as bars, in the numbers") {
    const std::string scenario = kSmall + "--set platform=../../platforms/xt4.yaml --set calibration=on ";
    const std::string page = served(scenario);
    const nlohmann::json interval = json_of("run " + scenario)["interval_s"];
    const auto in_ms = [](double time) { return fmt::format("{:.4g}&nbsp;ms", 1e3 * time); };
    const std::string words = fmt::format("{} to {}", in_ms(interval[0]), in_ms(interval[1]));
    CHECK(text_in(page, "interval") == "95&nbsp;% interval: " + words);
    CHECK(holds(page, "<td class=\"number\">" + words + "</td>"));
    CHECK(holds(page, ", 95 % interval " + fmt::format("{} to {}", in_ms(interval[0]), in_ms(interval[1]))));
}

TEST_CASE("after ranks are moved the scenario's own curve does not stretch the axes, and is where words say") {
    const std::string page = served("models/lu/lu.yaml --set iterations=1", "#6,0,4,4,4,0");
    const double own = time_of("run models/lu/lu.yaml --set iterations=1 --engine analytic");
    CHECK(holds(page, fmt::format("the scenario: {:.3g}&nbsp;ms, below",
                                  1e3 * own)));  // more ranks have more cells, so all take longer
}

TEST_CASE("a file that is not a scenario is refused before anything is served") {
    const auto refused = [](const std::string& arguments) {
        const Outcome outcome = end_to_end::invoke("serve " + arguments);
        CHECK(outcome.status == 2);
        CHECK(outcome.out == "");
        return outcome.err;
    };
    CHECK(holds(refused("models/lu/lu.yaml models/sweep3d/billion.yaml"), "several scenarios are given"));
    CHECK(holds(refused("nowhere.yaml"), "nowhere.yaml"));
    CHECK(holds(refused("models/lu/lu.yaml --set ranks.colums=3"), "did you mean `columns`?"));
}
