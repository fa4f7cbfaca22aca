// Parts of a scenario without effect are noted, each with its place.
#include "simulator/scenario/scenario_lints.hpp"

#include "tests/scratch.hpp"
#include "tools/answer/experiment/experiment.hpp"

using namespace warpfront::tools;

namespace {

using LintTexts = std::vector<std::string>;

const std::string kRow = "{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: [links]}";

/// Returns the lints of a scenario, without its folder.
LintTexts lints_of(const std::filesystem::path& file) {
    const scenario::ScenarioDocument document = scenario::read_document(file, {});
    const Experiment prepared = build_experiment(scenario::read_scenario(document));
    LintTexts notes =
        scenario::lints(document, prepared.scenario, prepared.program, prepared.hardware, prepared.machine);
    for (std::string& note : notes) note.erase(0, file.parent_path().string().size() + 1);
    return notes;
}

const std::string kSharedLinks =
    "name: m\nsize: exact\ncores: 1\nlinks: {}\n"
    "topology: {kind: torus, dimensions: [4], bandwidth: 1GBps, latency: 0us}\n"
    "layers:\n  network: [" +
    kRow + "]\n";

/// Returns the lints of a scenario of two ranks, from line 4 on, on a torus with shared links. The last
/// `fixup_iterations` iterations of the model take `wg_fixup`; its parameter `idle` is never used.
LintTexts noted(const std::string& more, const std::string& platform = "m.yaml") {
    const Scratch scratch;
    scratch.file("m.yaml", kSharedLinks);
    scratch.file("m.psl",
                 "application m { param wg: time = 1us  param wg_fixup: time = wg  param fixup_iterations: int = 0\n"
                 "  param idle: int = 1  iteration k {\n"
                 "    compute if k > iterations - fixup_iterations then wg_fixup else wg } }\n");
    return lints_of(
        scratch.file("s.yaml", "model: m.psl\nplatform: " + platform + "\nranks: {columns: 2, rows: 1}\n" + more));
}

}  // namespace

TEST_CASE("a scenario of which everything has an effect has no notes") {
    CHECK(noted("seed: 3\nnoise: {cv: 0.1}\nplacement: {rule: random, seed: 5}\niterations: 4\n"
                "parameters: {wg: 1us, wg_fixup: 2us, fixup_iterations: 2}\n") == LintTexts{});
}

TEST_CASE("keys of `--set` are examined as those of the file are, and for a run they alone") {
    const Scratch scratch;
    scratch.file("m.yaml", kSharedLinks);
    scratch.file("m.psl", "application m { param wg: time = 1us iteration { compute wg } }\n");
    const auto file = scratch.file("s.yaml",
                                   "model: m.psl\nplatform: m.yaml\nranks: {columns: 2, rows: 1}\n"
                                   "placement: {rule: linear, seed: 3}\n");
    const std::vector<std::string> sets{"seed=7", "platform.links.choice=adaptive"};
    const scenario::ScenarioDocument document = scenario::read_document(file, sets);
    const Experiment prepared = build_experiment(scenario::read_scenario(document));
    const auto lints = [&](scenario::Examined examined) {
        return scenario::lints(document, prepared.scenario, prepared.program, prepared.hardware, prepared.machine,
                               examined);
    };
    const LintTexts of_arguments{
        "--set seed=7:1:6: `seed` has no effect: neither the noise nor the speeds of ranks are random",
        "--set platform.links.choice=adaptive:1:23: `choice` has no effect: there is no parallel link"};
    CHECK(lints(scenario::Examined::arguments) == of_arguments);
    CHECK(lints(scenario::Examined::all) ==
          LintTexts{of_arguments[0], file.string() + ":4:33: `seed` has no effect: the placement is not random",
                    of_arguments[1]});
}

TEST_CASE("a parameter that the model never uses is noted") {
    CHECK(noted("parameters: {idle: 3}\n") ==
          LintTexts{"s.yaml:4:20: `idle` has no effect: `m` never uses this parameter"});
}

TEST_CASE("a time on which no work depends with these values is noted") {
    CHECK(noted("iterations: 4\nparameters: {wg: 1us, wg_fixup: 2us}\n") ==
          LintTexts{"s.yaml:5:33: `wg_fixup` has no effect: with the values of this scenario, no work depends on this "
                    "parameter"});
    CHECK(noted("iterations: 4\nparameters: {wg: 1us, wg_fixup: 2us, fixup_iterations: 4}\n") ==
          LintTexts{
              "s.yaml:5:18: `wg` has no effect: with the values of this scenario, no work depends on this parameter"});
}

namespace {

/// Returns the lints of a scenario of two cores, from line 4 on.
LintTexts noted_of_tasks(const std::string& list, const std::string& more, const std::string& platform = "") {
    const Scratch scratch;
    scratch.file("m.psl", "application m { param each: time = 1us " + list + " { task x { compute each } } }\n");
    return lints_of(scratch.file("s.yaml", "model: m.psl\nplatform: {file: " WARPFRONT_SOURCE_DIR
                                           "/platforms/origin2000.yaml" +
                                               platform + "}\nranks: {columns: 2, rows: 1}\n" + more));
}

}  // namespace

TEST_CASE("a time of tasks has an effect") {
    CHECK(noted_of_tasks("tasks on core", "parameters: {each: 1us}\n") == LintTexts{});
}

TEST_CASE("keys of ranks beside lists of tasks are noted") {
    CHECK(noted_of_tasks("tasks on core", "iterations: 5\nnoise: {cv: 0.1, redrawn: off}\nplacement: linear\n") ==
          LintTexts{"s.yaml:5:27: `redrawn` has no effect: lists of tasks have no iterations",
                    "s.yaml:6:12: `placement` has no effect: tasks send no messages"});
    const LintTexts of_platform = noted_of_tasks("tasks on core", "", ", links_in_L: 0");
    REQUIRE(of_platform.size() == 1);
    CHECK(of_platform[0].find("`links_in_L` has no effect: tasks send no messages") != std::string::npos);
}

TEST_CASE("a seed is noted if nothing is random") {
    const LintTexts idle{"s.yaml:4:7: `seed` has no effect: neither the noise nor the speeds of ranks are random"};
    CHECK(noted("seed: 3\n") == idle);
    CHECK(noted("seed: 3\nnoise: {periodic: {period: 1ms, length: 1us, aligned: on}}\n") == idle);
    CHECK(noted("seed: 3\nnoise: {periodic: {period: 1ms, length: 1us}}\n") == LintTexts{});
}

TEST_CASE("the seed of a placement is noted if neither its rule nor its taken hosts are random") {
    CHECK(noted("placement: {rule: linear, seed: 3}\n") ==
          LintTexts{"s.yaml:4:33: `seed` has no effect: the placement is not random"});
    CHECK(noted("placement: {rule: linear, seed: 3, fragmentation: 0.2}\n") == LintTexts{});
}

TEST_CASE("noise of no amplitude is noted") {
    CHECK(noted("noise: {cv: 0}\n") == LintTexts{"s.yaml:4:13: `cv` has no effect: its value is zero"});
    CHECK(noted("noise: {periodic: {period: 1ms, length: 0us}}\n") ==
          LintTexts{"s.yaml:4:41: `periodic` has no effect: its `length` is zero"});
    CHECK(noted("heterogeneity: {classes: [{share: 1, speed: 1}]}\n") ==
          LintTexts{"s.yaml:4:26: `classes` has no effect: every class has the speed 1"});
}

TEST_CASE("an override of the machine without effect is noted where the scenario has it") {
    CHECK(noted("", "{file: m.yaml, links: {choice: adaptive}}") ==
          LintTexts{"s.yaml:2:42: `choice` has no effect: there is no parallel link"});
    CHECK(noted("", "{file: m.yaml, links: {choice: adaptive, parallel: 2}}") == LintTexts{});
}
