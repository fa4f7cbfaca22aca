// The adjustable parts of `warpfront serve`: the knobs of a scenario, the keys that they set, and a position as a
// scenario.
#include "tools/report/server/exploration.hpp"

#include <nlohmann/json.hpp>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/read_file.hpp"
#include "tests/approx.hpp"
#include "tests/scratch.hpp"
#include "tests/tools/experiments.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/report/server/answers.hpp"
#include "tools/report/server/knobs.hpp"

namespace {

using Texts = std::vector<std::string>;

Exploration explored(const std::string& scenario, const Texts& sets = {}) {
    const std::filesystem::path file = std::filesystem::path(WARPFRONT_SOURCE_DIR) / "models" / scenario;
    return {file, input::read_file(file), sets};
}

const Texts kSmall{"ranks={columns: 8, rows: 4}", "parameters.nz=20", "iterations=1", "calibration=off"};

Texts ids(const Exploration& exploration) {
    Texts found;
    for (const Knob& knob : exploration.knobs()) found.push_back(knob.id);
    return found;
}

std::size_t number_of(const Exploration& exploration, const std::string& id) {
    const Texts all = ids(exploration);
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), id) - all.begin());
}

const Knob& knob(const Exploration& exploration, const std::string& id) {
    return exploration.knobs().at(number_of(exploration, id));
}

Texts labels(const Knob& knob) {
    Texts found;
    for (const Choice& choice : knob.choices) found.push_back(choice.label);
    return found;
}

/// Returns the start with one knob moved.
Position moved(const Exploration& exploration, const std::string& id, const std::string& label) {
    Position at = exploration.start();
    const Texts all = labels(knob(exploration, id));
    at.choices[number_of(exploration, id)] =
        static_cast<std::size_t>(std::find(all.begin(), all.end(), label) - all.begin());
    return at;
}

WideTime closed_form(const Experiment& experiment) { return predict(Engine::analytic, experiment).record.finish; }

}  // namespace

TEST_CASE("Sweep3D on the XT4 has every knob, LU has no tile height, and each starts where the scenario is") {
    const Exploration sweep3d = explored("sweep3d/billion.yaml", kSmall);
    CHECK(ids(sweep3d) == Texts{"ranks", "tile", "cores", "latency", "overhead", "bandwidth", "topology"});
    CHECK(labels(knob(sweep3d, "ranks")).front() == "2 x 1");  // a patch: one node
    CHECK(knob(sweep3d, "ranks").choices[knob(sweep3d, "ranks").start].label == "8 x 4");
    CHECK(labels(knob(sweep3d, "tile")) == Texts{"1", "2", "3", "4", "5", "6", "8", "10", "15", "20"});  // up to nz
    CHECK(labels(knob(sweep3d, "cores")) == Texts{"1 x 1", "2 x 1", "2 x 2", "2 x 4", "4 x 4"});
    CHECK(sweep3d.sets_at(sweep3d.start()).empty());
    CHECK(ids(explored("lu/lu.yaml")) == Texts{"ranks", "cores", "latency", "overhead", "bandwidth", "topology"});
}

TEST_CASE("a factor multiplies times, and bandwidths, which may be written as times per byte") {
    const Exploration sweep3d = explored("sweep3d/billion.yaml", kSmall);
    CHECK(sweep3d.sets_at(moved(sweep3d, "latency", "2x")) ==
          Texts{"platform.layers.chip.L=2x", "platform.layers.network.L=2x", "platform.links.all.latency=2x"});
    const Texts bandwidth = sweep3d.sets_at(moved(sweep3d, "bandwidth", "2x"));
    CHECK(std::count(bandwidth.begin(), bandwidth.end(), "platform.layers.network.G.bandwidth=2x") == 1);
    CHECK(std::count(bandwidth.begin(), bandwidth.end(), "platform.nic.injection.bandwidth=2x") == 1);
    CHECK(sweep3d.words_of(moved(sweep3d, "bandwidth", "2x")) == "Bandwidth 2x");
}

TEST_CASE("a quantity that the scenario sets is no longer scaled, a factor of its own is multiplied") {
    Texts sets = kSmall;
    sets.insert(sets.end(), {"platform.layers.chip.L=1us", "platform.layers.network.L=0.5x"});
    const Exploration own = explored("sweep3d/billion.yaml", sets);
    CHECK(own.sets_at(moved(own, "latency", "4x")) ==
          Texts{"platform.layers.network.L=2x", "platform.links.all.latency=4x"});  // 0.5 * 4
}

TEST_CASE("an array of several planes is halved and doubled along all three sides, and so are patches") {
    const Exploration cubes = explored(
        "halo3d/halo3d.yaml", {"ranks={columns: 8, rows: 4, planes: 4}", "node={columns: 2, rows: 1, planes: 1}"});
    CHECK(labels(knob(cubes, "ranks")).front() == "2 x 1");  // a patch: one node of one plane
    CHECK(cubes.sets_at(moved(cubes, "ranks", "16 x 8 x 8")) == Texts{"ranks={columns: 16, rows: 8, planes: 8}"});
    CHECK(cubes.sets_at(moved(cubes, "cores", "2 x 2 x 2")) ==
          Texts{"node={columns: 2, rows: 2, planes: 2}", "platform.cores=8"});
    CHECK(cubes.experiment(moved(cubes, "cores", "2 x 2 x 2")).machine.placement.nodes() == 16);  // 128 ranks
}

TEST_CASE("more cores per node than the machine has come with their number") {
    const Exploration sweep3d = explored("sweep3d/billion.yaml", kSmall);
    CHECK(sweep3d.sets_at(moved(sweep3d, "cores", "1 x 1")) == Texts{"node={columns: 1, rows: 1}"});
    CHECK(sweep3d.sets_at(moved(sweep3d, "cores", "2 x 4")) == Texts{"node={columns: 2, rows: 4}", "platform.cores=8"});
    CHECK(sweep3d.experiment(moved(sweep3d, "cores", "2 x 4")).machine.placement.nodes() == 4);  // 32 ranks
}

TEST_CASE("ranks that are spread over their nodes stay so in other patches, listed cores do not") {
    const auto sets = [](const std::string& key) {
        Texts all = kSmall;
        all.insert(all.end(), {"platform=../../platforms/epyc.yaml", key});
        const Exploration epyc = explored("sweep3d/billion.yaml", all);
        return std::pair(epyc.sets_at(moved(epyc, "cores", "2 x 2")), knob(epyc, "cores").what);
    };
    CHECK(sets("node.fill=spread").first == Texts{"node={columns: 2, rows: 2, fill: spread}"});
    CHECK(sets("node.fill=spread").second == "the patch of ranks on each node");
    const auto [listed, what] = sets("node.cores=[0, 32]");
    CHECK(listed == Texts{"node={columns: 2, rows: 2}"});
    CHECK(what ==
          "the patch of ranks on each node; a patch of 2 x 1 has the cores of `node.cores`, any other patch the first "
          "ones");
}

TEST_CASE("topologies by rule hold the nodes, whatever their number") {
    const Exploration sweep3d = explored("sweep3d/billion.yaml", kSmall);
    for (const char* ranks : {"2 x 1", "8 x 4", "64 x 32", "256 x 128"}) {
        for (const TopologyKind kind : kTopologyKinds) {
            Position at = moved(sweep3d, "ranks", ranks);
            at.choices.back() = moved(sweep3d, "topology", std::string(name_of(kind))).choices.back();
            CAPTURE(ranks);
            CAPTURE(name_of(kind));
            const Experiment experiment = sweep3d.experiment(at);
            CHECK(experiment.machine.hosts >= experiment.machine.placement.nodes());
            CHECK(experiment.machine.routes.gap({0}).seconds_per_byte == approx(1 / 6e9));  // the XT4's links
        }
    }
}

TEST_CASE("a choice of the topology has the name of the network that it sets") {
    const Exploration sweep3d = explored("sweep3d/billion.yaml", kSmall);
    CHECK(labels(knob(sweep3d, "topology")) == Texts{"as it is", "torus", "fat tree", "dragonfly", "HyperX"});
    for (const auto& [label, kind] : std::initializer_list<std::pair<const char*, const char*>>{
             {"torus", "torus"}, {"fat tree", "fat_tree"}, {"dragonfly", "dragonfly"}, {"HyperX", "hyperx"}}) {
        CAPTURE(label);
        const Texts sets = sweep3d.sets_at(moved(sweep3d, "topology", label));
        CHECK(sets.front().starts_with(std::string("platform.topology={kind: ") + kind + ","));
    }
}

TEST_CASE("every choice of every knob is an experiment, for every shipped application") {
    for (const char* scenario : {"sweep3d/billion.yaml", "chimaera/chimaera.yaml", "lu/lu.yaml"}) {
        const Exploration exploration = explored(scenario, {"ranks={columns: 8, rows: 4}", "iterations=1"});
        Curves curves(exploration, 1);
        for (const auto& curve : curves.from(exploration.start())) {
            for (const Answer& answer : curve) CHECK_MESSAGE(answer.time, scenario, answer.why);
        }
    }
}

TEST_CASE("every choice of every knob is an experiment on every shipped machine") {
    const std::filesystem::path platforms = std::filesystem::path(WARPFRONT_SOURCE_DIR) / "platforms";
    int machines = 0;
    for (const auto& file : std::filesystem::directory_iterator(platforms)) {
        if (file.path().extension() != ".yaml") continue;
        const std::string machine = file.path().filename();
        if (machine.starts_with("origin2000-disks")) continue;  // it has two hosts
        CAPTURE(machine);
        const Exploration exploration =
            explored("sweep3d/billion.yaml",
                     {"ranks={columns: 8, rows: 8}", "node={columns: 1, rows: 1}", "parameters.nz=20", "iterations=1",
                      "calibration=off", "platform={file: ../../platforms/" + machine + ", size: fit}"});
        Curves curves(exploration, 1);
        for (const auto& curve : curves.from(exploration.start())) {
            for (const Answer& answer : curve) CHECK_MESSAGE(answer.time, answer.why);
        }
        ++machines;
    }
    CHECK(machines > 25);
}

TEST_CASE("along each knob the closed form is what it is for the scenario with those keys set") {
    const Exploration sweep3d = explored("sweep3d/billion.yaml", kSmall);
    Curves curves(sweep3d, 2);
    const Position at = moved(sweep3d, "overhead", "2x");
    const auto answers = curves.from(at);
    CHECK(answers.size() == sweep3d.knobs().size());
    const std::size_t tile = number_of(sweep3d, "tile");
    Texts sets = kSmall;
    for (const char* key :
         {"layers.chip.o_send", "layers.chip.o_recv", "layers.network.o_send", "layers.network.o_recv", "bus.o_dma"}) {
        sets.push_back("platform." + std::string(key) + "=2x");
    }
    sets.push_back("parameters.mk=5");
    const Exploration by_hand = explored("sweep3d/billion.yaml", sets);
    CHECK(answers[tile][4].time == closed_form(by_hand.experiment(by_hand.start())));  // the fifth height is 5
}

TEST_CASE("if waits for eager messages are a considerable part of the published form, curves are without them") {
    const auto curve_and_forms = [](const Texts& more) {
        Texts sets = kSmall;  // two cells in a row on a rank: messages are eager
        sets.insert(sets.end(), {"parameters.nx=16", "parameters.ny=8"});
        sets.insert(sets.end(), more.begin(), more.end());
        const Exploration exploration = explored("sweep3d/billion.yaml", sets);
        const Position start = exploration.start();
        const Experiment experiment = exploration.experiment(start);
        return std::array{Curves(exploration, 1).from(start)[0][start.choices[0]].time.value(),
                          predict(Engine::analytic, experiment).record.finish,
                          predict(Engine::overlapped(), experiment).record.finish};
    };
    const auto near = curve_and_forms({});
    CHECK(near[0] == near[1]);
    const auto far = curve_and_forms({"platform.layers.network.L=100us"});
    CHECK(far[0] == far[2]);
    CHECK(far[2] < far[1]);
}

TEST_CASE("a fault of an experiment or a failed run is a reason in one line in place of a time") {
    const Answer fault = answer_of([]() -> WideTime {
        throw input::BadInput(input::DiagnosticKind::out_of_range, {}, "too many ranks", "expected fewer");
    });
    CHECK_FALSE(fault.time);
    CHECK(fault.why == "too many ranks");
    const Answer deadlock = answer_of([]() -> WideTime { throw RunFailed("deadlock\nrank 0 waits"); });
    CHECK_FALSE(deadlock.time);
    CHECK(deadlock.why == "deadlock");
}

TEST_CASE("a position has the number of a choice for each knob") {
    const auto sweep3d = explored("sweep3d/billion.yaml", kSmall);
    CHECK_FALSE(sweep3d.is_position(nlohmann::json::array({0, 0})));
    CHECK_FALSE(sweep3d.is_position(nlohmann::json::array({0, 0, 0, 0, 0, 0, 5})));
    CHECK_FALSE(sweep3d.is_position(nlohmann::json::array({0, 0, 0, -1, 0, 0, 0})));
    CHECK(sweep3d.is_position(nlohmann::json::array({0u, 0u, 0u, 0u, 0u, 0u, 4u})));
}

TEST_CASE("a saved position is a scenario with the same answers, from any folder") {
    const test::Scratch scratch;
    const Exploration sweep3d = explored("sweep3d/billion.yaml", kSmall);
    Position at = moved(sweep3d, "bandwidth", "0.35x");
    at.choices.back() = 2;  // a fat tree
    const auto file = save_scenario(sweep3d, at, scratch.folder() / "a/b");
    CHECK(file.parent_path() == scratch.folder() / "a/b");
    const Exploration saved(file, input::read_file(file), {});
    const Experiment there = sweep3d.experiment(at);
    const Experiment here = saved.experiment(saved.start());
    CHECK(closed_form(here) == closed_form(there));
    CHECK(predict(Engine::event, here).record.rank_finish == predict(Engine::event, there).record.rank_finish);
    CHECK(holds(input::read_file(file)->text(), "Bandwidth 0.35x, Topology fat tree"));
    CHECK(save_scenario(sweep3d, at, scratch.folder() / "a/b") == file);
    CHECK(save_scenario(sweep3d, sweep3d.start(), scratch.folder() / "a/b") != file);
}
