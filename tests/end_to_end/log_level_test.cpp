// `--log-level`: which messages stderr has. The answer on stdout is the same.
#include <string>

#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;

namespace {

/// What stderr has of a run whose timeline is empty, since it is over by then.
std::string messages_of_warned_run(const std::string& options) {
    const Scratch scratch;
    const Outcome outcome = invoke("run " + kSmall + "--timeline-time 100s..101s --timeline " +
                                   quoted(scratch.folder() / "timeline.json") + " " + options);
    CHECK(outcome.status == 0);
    return without_heartbeats(outcome.err);
}

}  // namespace

TEST_CASE("the level error leaves out warnings, the other levels and --quiet have them") {
    const std::string warned = messages_of_warned_run("");
    CHECK(warned.starts_with("warning: "));
    CHECK(count(warned, "\n") == 1);
    CHECK(messages_of_warned_run("--log-level error") == "");
    CHECK(messages_of_warned_run("--log-level warn") == warned);
    CHECK(messages_of_warned_run("--log-level info") == warned);
    CHECK(messages_of_warned_run("--quiet") == warned);
    CHECK(holds(messages_of_warned_run("--log-level debug"), warned));
    CHECK(messages_of_warned_run("--quiet --log-level error") == "");
}

TEST_CASE("the level debug says what was read, on which machine it ran, how, and what it took") {
    const Outcome outcome =
        invoke("run " + kSmall + "--seeds 2 --threads 2 --set noise.cv=0.05 --set seed=1 --log-level debug");
    CHECK(outcome.status == 0);
    for (const std::string& line : lines_of(without_heartbeats(outcome.err)))
        CHECK_MESSAGE(line.starts_with("debug: "), line);
    for (const char* part : {"read `", "/billion.yaml`, `", "/sweep3d.psl`", "machine `", "16 ranks on 8 nodes",
                             "engine `event`, seed 1", "engine `event`, seed 2", "threads: 1", " of memory needed, ",
                             " available", " of 24,576 messages stepped in "}) {
        CHECK_MESSAGE(holds(outcome.err, part), std::string(part));
    }
    const Outcome closed_form = invoke("run " + kSmall + "--engine analytic --log-level debug");
    CHECK(holds(closed_form.err, "engine `analytic`"));
    CHECK(closed_form.out == invoke("run " + kSmall + "--engine analytic").out);
}

TEST_CASE("each sub-command takes a level, and errors are of every level") {
    for (const char* command : {"run", "explain", "estimate", "compare", "study", "serve", "calibrate"}) {
        const Outcome outcome = invoke(std::string(command) + " no.yaml --log-level error");
        CHECK(outcome.status == 2);
        CHECK(holds(outcome.err, "cannot read `no.yaml`"));
    }
    CHECK(holds(invoke("trace no.yaml --out build/no --log-level error").err, "cannot read `no.yaml`"));
    CHECK(holds(invoke("report no.json -o - --log-level error").err, "cannot read `no.json`"));
    CHECK(holds(invoke("check no.yaml --log-level error").err, "cannot read `no.yaml`"));
    CHECK(invoke("lsp --log-level error").err == "");
}
