// Skipping ahead on shipped machines: `auto` must give every value of `full`, and skip iterations.
#include "simulator/scenario/scenario.hpp"
#include "tests/engine/same_run.hpp"
#include "tests/scratch.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/prediction/engines.hpp"

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
    const record::Record skipping = record(engine::Replay::auto_, 1);
    const record::Record on_two_threads = record(engine::Replay::auto_, 2);
    test::check_same_run(skipping, full);
    test::check_same_run(on_two_threads, full);
    CHECK(skipping.work->messages_replayed < full.work->messages_replayed);
    CHECK(on_two_threads.work->messages_replayed == skipping.work->messages_replayed);
}

/// Checks a row of `ranks` ranks, of which the first computes for no time, on a torus whose messages use links and no
/// NIC: a rank receives a message without an event.
void check_replays_agree_on_links_alone(int ranks, const std::string& iterations, const std::string& placement,
                                        const std::string& layer) {
    const test::Scratch scratch;
    const auto machine =
        scratch.file("m.yaml",
                     "name: links alone\n"
                     "topology: {kind: torus, dimensions: [2], routing: minimal, bandwidth: 1MBps, latency: 0us}\n"
                     "size: fit\n"
                     "cores: 1\n"
                     "links_in_L: 0\n"
                     "links: {enabled: on}\n"
                     "message_processing: {enabled: on}\n"
                     "layers:\n"
                     "  network:\n"
                     "    - {o_recv: 0us, G: 1MBps, holds: [links], " +
                         layer + "}\n");
    const auto factors = scratch.file("factors.csv", "rank,wave,factor\n0,,0\n");
    check_replays_agree(
        kSweep3d, {"platform=" + machine.string(), "heterogeneity.map=" + factors.string(), "ranks.columns=1",
                   "ranks.rows=" + std::to_string(ranks), "node.columns=1", "node.rows=1", "placement=" + placement,
                   "iterations=" + iterations, "parameters.nx=1", "parameters.ny=" + std::to_string(ranks),
                   "parameters.nz=1", "parameters.mk=1", "parameters.mmi=6", "parameters.mmo=6",
                   "parameters.wg=1e-06us", "parameters.fixup_iterations=0", "calibration=off"});
}

}  // namespace

TEST_CASE("as shipped, with ranks of different speeds on different nodes") {
    check_replays_agree(kSweep3d, {"ranks.columns=16", "ranks.rows=16", "parameters.nz=80", "iterations=8"});
    check_replays_agree(kProject + "/models/lu/lu.yaml", {"ranks.columns=8", "ranks.rows=8", "iterations=8"});
}

TEST_CASE("nodes of eight cores in a row, three sweeps and an allreduce") {
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
    check_replays_agree(file, {"platform.nic.enabled=off", "iterations=8"});
}

TEST_CASE("twelve ranks whose buses hold them longer than their work") {
    check_replays_agree(kSweep3d, {"ranks.columns=4", "ranks.rows=3", "cells_per_rank.x=32", "cells_per_rank.y=32",
                                   "parameters.nz=200", "parameters.wg=0.316us", "parameters.fixup_iterations=0",
                                   "iterations=8", "platform.bus.o_dma=12us", "platform.nic.enabled=off",
                                   "noise={interruptions: {per_second: 1, length: 0.94ms}, repeats_after: 1}"});
}

TEST_CASE("LU on nodes of one core, a row of six to a column") {
    check_replays_agree(kProject + "/models/lu/lu.yaml",
                        {"platform=../../platforms/xt4.yaml", "platform.links.enabled=off",
                         "platform.links.overhead=0.00181us", "ranks.columns=3", "ranks.rows=6", "node.columns=1",
                         "node.rows=1", "placement=linear", "parameters.nx=3", "parameters.ny=18", "parameters.nz=297",
                         "parameters.htile=9", "parameters.wg=1e-06us", "parameters.wg_pre=0.000634us",
                         "parameters.wg_rhs=0us", "parameters.fixup_iterations=0", "calibration=off", "iterations=8"});
}

TEST_CASE("some messages share links, and collectives take the links of nodes") {
    check_replays_agree(kSweep3d, {"ranks.columns=32", "ranks.rows=16", "parameters.nz=80",
                                   "parameters.fixup_iterations=0", "calibration=off", "iterations=5"});
}

TEST_CASE("a message that ends an iteration is received before the next window begins") {
    check_replays_agree_on_links_alone(2, "3", "block", "protocol: eager, o_send: 3us, L: 1us");
}

TEST_CASE("a rank that ends pausing finds receives that were posted before, but released with it") {
    check_replays_agree_on_links_alone(5, "6", "random(0)",
                                       "protocol: rendezvous, o_send: 3.94us, L: 0.00103us, processing: 0.06us");
}
