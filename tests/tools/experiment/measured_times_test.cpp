// Computing times, scaled from the machine that a scenario's file describes to the machine of a run.
#include "simulator/scenario/measured_times.hpp"

#include "simulator/scenario/scenario.hpp"
#include "tests/scratch.hpp"
#include "tests/tools/experiments.hpp"
#include "tools/answer/prediction/context.hpp"

namespace {

using Overrides = std::vector<std::string>;

std::string machine_named(const std::string& name, const std::string& processor) {
    return "name: " + name + "\nsize: exact\ncores: 1\n" + processor +
           "topology: {kind: torus, dimensions: [4], bandwidth: 1GBps, latency: 0us}\n"
           "layers:\n  network: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}]\n";
}

/// slow.yaml computes at 110 Mflop/s, fast.yaml at 350, twin.yaml at 110; silent.yaml states no speed.
void write_machines(const Scratch& scratch) {
    scratch.file("slow.yaml", machine_named("slow", "processor: {name: P3, speed: 110Mflops}\n"));
    scratch.file("fast.yaml", machine_named("fast", "processor: {speed: 350Mflops}\n"));
    scratch.file("twin.yaml", machine_named("twin", "processor: {speed: 110Mflops}\n"));
    scratch.file("silent.yaml", machine_named("silent", ""));
    scratch.file("like.yaml", "like: slow.yaml\nname: like\nprocessor: {speed: 220Mflops}\n");
    scratch.file("m.psl",
                 "application m { param wg: time  param own: time = 7us  param size: bytes = 1B\n"
                 "  iteration { compute wg  recv from west  send size to east  compute own }\n"
                 "  closed_form { work = wg  tiles = 1  east_west = size  north_south = size\n"
                 "                corners = [northwest] } }\n");
}

struct Outcome {
    Time work;         // of `wg`, in the program of the event engine and SimGrid
    Time closed_form;  // the same in the parameters of the closed form
    Time own;          // of the model's default
    std::vector<std::string> notes;
    std::size_t sources = 0;
};

Outcome outcome_of(const Scratch& scratch, const std::string& platform, const Overrides& sets,
                   const std::string& more = "parameters: {wg: 10us}\n") {
    const auto file =
        scratch.file("s.yaml", "model: m.psl\nplatform: " + platform +
                                   "\nranks: {columns: 2, rows: 1}\nnode: {columns: 1, rows: 1}\n" + more);
    const Experiment experiment = experiment_of(file, sets);
    std::vector<Time> computes;
    for (const program::Instruction& step : experiment.program.of({0}).code) {
        if (step.op == program::Op::compute) computes.push_back({step.amount});
    }
    return {computes.at(0), experiment.program.closed_form.at(0).work, computes.at(1),
            notes_of(experiment, {&Engine::event, 1}), experiment.sources.size()};
}

Outcome on_slow(const Overrides& sets) {
    const Scratch scratch;
    write_machines(scratch);
    return outcome_of(scratch, "slow.yaml", sets);
}

}  // namespace

TEST_CASE("a measured time is scaled by the speeds of the two processors, rounded once, for every engine") {
    const Outcome there = on_slow({"platform=fast.yaml"});
    // 10 us * 110 / 350 = 3.142857142... us
    CHECK(there.work == Time{3'142'857});
    CHECK(there.closed_form == Time{3'142'857});
}

TEST_CASE("each time of a measured list is scaled") {
    const Scratch scratch;
    write_machines(scratch);
    scratch.file(
        "m.psl",
        "application m { param wg: [time]  iteration { compute wg[1]  allreduce 1B  compute wg[2] }\n"
        "  closed_form { work = wg[1]  tiles = 1  east_west = 1B  north_south = 1B  corners = [northwest] } }\n");
    const Outcome there = outcome_of(scratch, "slow.yaml", {"platform=fast.yaml"}, "parameters: {wg: [10us, 20us]}\n");
    // 10 us and 20 us * 110 / 350
    CHECK(there.work == Time{3'142'857});
    CHECK(there.own == Time{6'285'714});
}

TEST_CASE("a note reports the scaled keys, the factor and both machines") {
    const Outcome there = on_slow({"platform=fast.yaml"});
    REQUIRE(there.notes.size() == 1);
    CHECK(there.notes[0].starts_with("the values of `wg` in `"));
    CHECK(there.notes[0].ends_with(
        "s.yaml` were multiplied by 0.314286, from `slow.yaml` (P3, 110 Mflop/s) to `fast.yaml` (350 Mflop/s)"));
    CHECK(there.sources == 4);  // scenario, model, fast.yaml; and slow.yaml, whose speed it states
    CHECK(on_slow({"platform=silent.yaml"}).sources == 3);
}

TEST_CASE("a faster processor of the same machine scales too") {
    CHECK(on_slow({"platform.processor.speed=2x"}).work == Time{5'000'000});         // 10 us / 2
    CHECK(on_slow({"platform.processor.speed=440Mflops"}).work == Time{2'500'000});  // 10 us * 110 / 440
    CHECK(on_slow({"platform=like.yaml"}).work == Time{5'000'000});                  // 10 us * 110 / 220
}

TEST_CASE("times of the user, of the model and of equal processors stay as they are") {
    const Outcome given = on_slow({"platform=fast.yaml", "parameters.wg=9us"});
    CHECK(given.work == Time{9'000'000});
    CHECK(given.notes.empty());
    CHECK(on_slow({"platform=fast.yaml"}).own == Time{7'000'000});
    const Outcome twin = on_slow({"platform=twin.yaml"});
    CHECK(twin.work == Time{10'000'000});
    CHECK(twin.notes.empty());
}

TEST_CASE("without both speeds nothing is scaled, and the note names the file that states none") {
    const Outcome there = on_slow({"platform=silent.yaml"});
    CHECK(there.work == Time{10'000'000});
    REQUIRE(there.notes.size() == 1);
    CHECK(there.notes[0].ends_with("since `silent.yaml` does not state the speed of its processor"));
    const Scratch scratch;
    write_machines(scratch);
    CHECK(outcome_of(scratch, "silent.yaml", {"platform=fast.yaml"})
              .notes.at(0)
              .ends_with("since `silent.yaml` does not state the speed of its processor"));
    CHECK(outcome_of(scratch, "silent.yaml", {"platform.processor.speed=1Gflops"})
              .notes.at(0)
              .ends_with("are not scaled to the changed speed of this processor, since the file states no speed"));
}

TEST_CASE("overrides within the file belong to the machine on which its times were measured") {
    const Scratch scratch;
    write_machines(scratch);
    const std::string twice = "{file: slow.yaml, processor: {speed: 2x}}";
    CHECK(outcome_of(scratch, twice, {}).work == Time{10'000'000});
    // an override of the file alone keeps those beside it: 10 us * (2 * 110) / (2 * 350)
    CHECK(outcome_of(scratch, twice, {"platform=fast.yaml"}).work == Time{3'142'857});
    CHECK(outcome_of(scratch, twice, {"platform.processor.speed=4x"}).work == Time{5'000'000});  // 10 us * 220 / 440
}

TEST_CASE("the echo of a scaled scenario repeats the run") {
    const Scratch scratch;
    write_machines(scratch);
    const auto file = scratch.file(
        "s.yaml", "model: m.psl\nplatform: slow.yaml\nranks: {columns: 2, rows: 1}\nparameters: {wg: 10us}\n");
    const Overrides sets{"platform={file: fast.yaml, processor: {speed: 2x}}"};
    const Experiment first = experiment_of(file, sets);
    const auto again = scratch.file("again.yaml", scenario::echo(first.scenario).dump());
    const Experiment second = experiment_of(again);
    CHECK(second.program.classes == first.program.classes);
    CHECK(first.program.closed_form.at(0).work == Time{1'571'429});  // 10 us * 110 / 700 = 1.5714285... us
    CHECK_FALSE(second.times_note);
}

namespace {

scenario::MeasuredTimes scaled_to_machine(scenario::Scenario& scenario) {
    return scale_measured_times(scenario, machine::read_hardware_tree(scenario.platform));
}

}  // namespace

TEST_CASE("a scenario is scaled only once, and not where its file names no platform") {
    const Scratch scratch;
    write_machines(scratch);
    const auto scaled = [&](const std::string& platform) {
        const auto file = scratch.file(
            "s.yaml", "model: m.psl\nranks: {columns: 2, rows: 1}\n" + platform + "parameters: {wg: 10us}\n");
        return scenario::read_scenario(scenario::read_document(file, Overrides{"platform=fast.yaml"}));
    };
    scenario::Scenario read = scaled("platform: slow.yaml\n");
    CHECK(scaled_to_machine(read).note);
    CHECK_FALSE(scaled_to_machine(read).note);
    CHECK(read.bindings.parameters.at("wg").text == "3142857ps");
    scenario::Scenario own = scaled("");
    CHECK_FALSE(scaled_to_machine(own).note);
    CHECK(own.bindings.parameters.at("wg").text == "10us");
}

TEST_CASE("the speed of a trace is multiplied where times are divided") {
    const Scratch scratch;
    write_machines(scratch);
    scratch.file("t/traces.txt", "r0.txt\n");
    scratch.file("t/r0.txt", "0 init\n0 compute 1000000\n0 finalize\n");
    const auto file =
        scratch.file("s.yaml", "trace: t\nspeed: 1Gflops\nplatform: slow.yaml\nranks: {columns: 1, rows: 1}\n");
    const auto work = [&](const Overrides& sets) {
        const Experiment experiment = experiment_of(file, sets);
        return experiment.program.of({0}).code.at(0).amount;
    };
    CHECK(work({}) == 1'000'000'000);                                     // 10^6 flops at 1 Gflop/s: 1 ms
    CHECK(work({"platform=fast.yaml"}) == 314'285'714);                   // at 350 / 110 Gflop/s
    CHECK(work({"platform=fast.yaml", "speed=2Gflops"}) == 500'000'000);  // as given
}
