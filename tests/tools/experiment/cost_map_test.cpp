// The waves of a cost map: tiles count through allreduces, and lines without work are noted.
#include "tests/scratch.hpp"
#include "tests/tools/experiments.hpp"
#include "tools/answer/prediction/context.hpp"

namespace {

/// Two stacks of three tiles of 10 us on four ranks in a row, with an allreduce between them.
class TwoStacks {
public:
    TwoStacks() {
        scratch_.file("m.psl",
                      "application m { iteration {\n"
                      "  repeat 3 { recv from west  compute 10us  send 8B to east }\n"
                      "  allreduce 8B\n"
                      "  repeat 3 { recv from west  compute 10us  send 8B to east } } }\n");
        scratch_.file("p.yaml",
                      "name: p\nsize: exact\ncores: 1\n"
                      "topology: {kind: torus, dimensions: [4], bandwidth: 1GBps, latency: 0us}\n"
                      "layers:\n  network: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}]\n");
        file_ = scratch_.file("s.yaml",
                              "model: m.psl\nplatform: p.yaml\nranks: {columns: 4, rows: 1}\niterations: 2\n"
                              "heterogeneity: {map: map.csv}\n");
    }

    Experiment with_map(const std::string& lines) const {
        scratch_.file("map.csv", "rank,wave,factor\n" + lines);
        return experiment_of(file_, {});
    }

private:
    Scratch scratch_;
    std::filesystem::path file_;
};

}  // namespace

TEST_CASE("the tiles of a cost map count on after an allreduce, whose steps the waves of engines count as well") {
    const TwoStacks stacks;
    const Experiment experiment = stacks.with_map("1,2,3\n1,3,5\n2,,7\n");
    // Recursive doubling on 4 ranks has 2 steps: tile 3, the first of the second stack, is in wave 3 + 2 = 5.
    REQUIRE(experiment.noise.map.size() == 3);
    CHECK(experiment.noise.map[0].wave == 2U);
    CHECK(experiment.noise.map[1].wave == 5U);
    CHECK_FALSE(experiment.noise.map[2].wave.has_value());
    CHECK(experiment.cost_map[1].wave == 3U);
}

TEST_CASE("lines of a cost map whose rank has no work in their wave have no effect, with a note") {
    const TwoStacks stacks;
    const Experiment experiment = stacks.with_map("1,2,3\n1,6,5\n3,99,5\n");
    CHECK(experiment.noise.map.size() == 1);
    const std::vector<std::string> notes = notes_of(experiment, {});
    CHECK(std::ranges::find(notes,
                            "`heterogeneity.map`: 2 of 3 lines have no effect, since their ranks have no work in "
                            "these waves, such as rank 1 in wave 6") != notes.end());
}
