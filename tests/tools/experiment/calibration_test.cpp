// The changes of a calibration in an experiment, and the parts that it does not change.
#include "simulator/scenario/calibration.hpp"

#include "simulator/analytic/plug_and_play.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tests/tools/experiments.hpp"
#include "tools/answer/prediction/context.hpp"

namespace {

using Overrides = std::vector<std::string>;

/// One compute block of 10 us, on a machine whose o_send is 1 us; calibrated: 1.5 times as long and 2 us more, o_send 3
/// us, jitter 1 us.
class Calibrated2x1 {
public:
    Calibrated2x1() {
        scratch_.file("m.psl",
                      "application m { param wg: time = 10us\n"
                      "  iteration { compute wg  recv from west  send 8B to east }\n"
                      "  closed_form { work = wg  tiles = 1  east_west = 8B  north_south = 8B\n"
                      "                corners = [northwest] } }\n");
        scratch_.file("p.yaml",
                      "name: p\nsize: exact\ncores: 1\ncalibration: c.yaml\n"
                      "topology: {kind: torus, dimensions: [4], bandwidth: 1GBps, latency: 0us}\n"
                      "layers:\n  network: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}]\n");
        scratch_.file("c.yaml",
                      "platform: {layers: {network: {o_send: 3us}}}\nnoise: {jitter: 1us}\n"
                      "computing: {m: {factor: 1.5, per_block: 2us}}\nerror: {deviation: 0.04, groups: 5}\n");
    }

    void write_calibration(const std::string& text) const { scratch_.file("c.yaml", text); }

    Experiment experiment(const Overrides& sets = {}) const {
        const auto file = scratch_.file("s.yaml", "model: m.psl\nplatform: p.yaml\nranks: {columns: 2, rows: 1}\n");
        return experiment_of(file, sets);
    }

private:
    Scratch scratch_;
};

Time o_send(const machine::Machine& machine) { return machine.profile(machine.network()).front().o_send; }

Time work(const Experiment& experiment) { return {experiment.program.of({0}).code.front().amount}; }

}  // namespace

TEST_CASE("a calibration changes computing, message costs and noise") {
    const Experiment experiment = Calibrated2x1().experiment();
    CHECK(work(experiment) == Time{17'000'000});  // 1.5 * 10 us + 2 us
    CHECK(o_send(experiment.machine) == Time{3'000'000});
    CHECK(experiment.noise.jitter == Time{1'000'000});
    REQUIRE(experiment.calibrated);
    CHECK(experiment.calibrated->error == PredictionError{0.04, 5});
}

TEST_CASE("faults of the calibration are reported beside an unreadable hardware file") {
    const Scratch scratch;
    scratch.file("m.psl", "application m { iteration { compute 1us } }\n");
    scratch.file("c.yaml", "noise: {jitter: 3}\n");
    const auto file = scratch.file(
        "s.yaml", "model: m.psl\nplatform: none.yaml\ncalibration: c.yaml\nranks: {columns: 2, rows: 1}\n");
    CHECK(kinds_of(faults_of([&] { experiment_of(file, {}); })) == Kinds{unreadable_file, missing_unit});
}

TEST_CASE("calibration off leaves every value as described") {
    const Experiment experiment = Calibrated2x1().experiment({"calibration=off"});
    CHECK(work(experiment) == Time{10'000'000});
    CHECK(o_send(experiment.machine) == Time{1'000'000});
    CHECK(experiment.noise.off());
    CHECK_FALSE(experiment.calibrated);
}

TEST_CASE("a scenario's values have priority over a calibration, and its factors multiply the calibrated values") {
    const Calibrated2x1 calibrated;
    CHECK(calibrated.experiment({"noise=off"}).noise.off());
    CHECK(calibrated.experiment({"noise.cv=0.1"}).noise.jitter == Time{});
    CHECK(o_send(calibrated.experiment({"platform.layers.network.o_send=5us"}).machine) == Time{5'000'000});
    CHECK(o_send(calibrated.experiment({"platform.layers.network.o_send=2x"}).machine) == Time{6'000'000});
}

TEST_CASE("closed forms use the published values, and the scenario's changes to them") {
    const Calibrated2x1 calibrated;
    CHECK(o_send(calibrated.experiment().published_machine()) == Time{1'000'000});
    CHECK(calibrated.experiment().program.closed_form.front().work == Time{10'000'000});
    const Experiment changed = calibrated.experiment({"platform.layers.network.o_send=5us"});
    CHECK(o_send(changed.published_machine()) == Time{5'000'000});
}

TEST_CASE("a note names the calibration and its terms, but not if only closed forms are requested") {
    const Experiment experiment = Calibrated2x1().experiment();
    const std::string last = notes_of(experiment, {&Engine::event, 1}).back();
    CHECK(last.starts_with("calibrated by `"));
    CHECK(last.ends_with("c.yaml`: message costs, noise, computing times x 1.5, 2 us per block"));
    CHECK(notes_of(experiment, {&Engine::analytic, 1}).empty());
    const std::vector<Engine> both{Engine::analytic, Engine::simgrid};
    CHECK(notes_of(experiment, both).size() == 1);
}

TEST_CASE("a calibration may state only an error: nothing changes, and the note has the origin of the interval") {
    const Calibrated2x1 measured_nowhere;
    measured_nowhere.write_calibration("error: {deviation: 0.07, groups: 4}\n");
    const Experiment experiment = measured_nowhere.experiment();
    CHECK(work(experiment) == Time{10'000'000});
    CHECK(experiment.noise.off());
    CHECK(experiment.calibrated->error == PredictionError{0.07, 4});
    CHECK(experiment.calibrated->note.starts_with("not calibrated; `"));
    CHECK(experiment.calibrated->note.ends_with("c.yaml` gives the 95 % interval"));
    // A calibration with terms of another application does not apply to this one.
    measured_nowhere.write_calibration("computing: {other: {factor: 2}}\nerror: {deviation: 0.07, groups: 4}\n");
    CHECK_FALSE(measured_nowhere.experiment().calibrated->error);
}

TEST_CASE("a calibration is an input of the result") {
    const Calibrated2x1 calibrated;
    CHECK(calibrated.experiment().sources.size() == calibrated.experiment({"calibration=off"}).sources.size() + 1);
}
