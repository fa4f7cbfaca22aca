// Skipping ahead on shipped machines: cases in which an earlier design, which skipped node by node within a sweep, gave
// other times than the full replay or a deadlock that was none. `auto` must give every figure of `full`.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tests/engine/same_run.hpp"
#include "tests/scratch.hpp"
#include "tools/engines.hpp"
#include "tools/experiment.hpp"

using namespace warpfront;

namespace {

const std::string kProject = WARPFRONT_SOURCE_DIR;
const std::string kSweep3d = kProject + "/models/sweep3d/billion.yaml";

void check_replays_agree(const std::string& scenario, const std::vector<std::string>& sets) {
    const tools::Experiment prepared =
        tools::build_experiment(scenario::read_scenario(scenario::read_document(scenario, sets)));
    const auto record = [&](engine::Replay replay, unsigned threads) {
        engine::Options options = tools::options_of(prepared);
        options.replay = replay;
        options.threads = threads;
        return tools::predict(tools::Engine::event, prepared, options).record;
    };
    const record::Record full = record(engine::Replay::full, 1);
    for (const unsigned threads : {1U, 2U}) {
        CAPTURE(threads);
        test::check_same_run(record(engine::Replay::auto_, threads), full);
    }
}

}  // namespace

TEST_CASE("nodes of eight cores in a row, three sweeps and an allreduce: full and auto agree") {
    const test::Scratch scratch;
    scratch.file("m.psl", "import \"" + kProject +
                              "/models/pipeline.psl\"\n"
                              "application sweeps {\n"
                              "    iteration k {\n"
                              "        for start in [southwest, northwest, northwest] {\n"
                              "            pipeline(start, 20, 0us, 1.2us, 384B, 288B)\n"
                              "        }\n"
                              "        allreduce 8B\n"
                              "    }\n"
                              "}\n");
    const auto file = scratch.file("s.yaml",
                                   "model: m.psl\n"
                                   "platform: " +
                                       kProject +
                                       "/platforms/xt4-16core.yaml\n"
                                       "ranks: {columns: 5, rows: 6}\n"
                                       "node: {columns: 1, rows: 8}\n"
                                       "placement: linear\n");
    check_replays_agree(file, {"platform.nic.enabled=off"});
}

TEST_CASE("twelve ranks whose buses hold them longer than their work: full and auto agree") {
    check_replays_agree(kSweep3d, {"ranks.columns=4", "ranks.rows=3", "cells_per_rank.x=32", "cells_per_rank.y=32",
                                   "parameters.nz=800", "parameters.wg=0.316us", "parameters.fixup_iterations=0",
                                   "iterations=2", "platform.bus.o_dma=12us", "platform.nic.enabled=off"});
}

TEST_CASE("nodes of four cores in columns: full and auto agree") {
    check_replays_agree(kSweep3d,
                        {"platform=../../platforms/xt4-quad.yaml", "ranks.columns=24", "ranks.rows=5", "node.columns=1",
                         "node.rows=4", "parameters.nx=24", "parameters.ny=15", "parameters.nz=1232", "parameters.mk=5",
                         "parameters.mmi=3", "parameters.wg=0.414us", "parameters.fixup_iterations=0", "iterations=1"});
}

TEST_CASE("nodes of two cores with slow buses: full and auto agree") {
    check_replays_agree(kSweep3d,
                        {"platform.bus.o_dma=6us", "ranks.columns=11", "ranks.rows=2", "node.columns=2", "node.rows=1",
                         "cells_per_rank.x=8", "cells_per_rank.y=13", "parameters.wg=0.001us", "parameters.nz=1752",
                         "parameters.mk=2", "parameters.mmi=6", "parameters.fixup_iterations=0", "iterations=4"});
}

TEST_CASE("nodes at rest that are woken before what they were to send has come to its time: full and auto agree") {
    // An earlier draft sent such messages ahead, and then again.
    check_replays_agree(kProject + "/models/lu/lu.yaml",
                        {"platform=../../platforms/xt4.yaml", "platform.links.enabled=off",
                         "platform.links.overhead=0.00181us", "ranks.columns=3", "ranks.rows=6", "node.columns=1",
                         "node.rows=1", "placement=linear", "parameters.nx=3", "parameters.ny=18", "parameters.nz=1197",
                         "parameters.htile=9", "parameters.wg=1e-06us", "parameters.wg_pre=0.000634us",
                         "parameters.wg_rhs=0us", "parameters.fixup_iterations=0", "calibration=off", "iterations=1"});
}

TEST_CASE("nodes at rest, some of whose messages share links and whose links collectives take: full and auto agree") {
    check_replays_agree(kSweep3d, {"ranks.columns=32", "ranks.rows=16", "parameters.nz=80",
                                   "parameters.fixup_iterations=0", "calibration=off", "iterations=2"});
}
