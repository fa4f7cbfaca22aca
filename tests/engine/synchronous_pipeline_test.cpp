// A pipeline of synchronous messages inside one node: every wave a rank receives from the west, receives from the
// north, sends east, sends south; a message starts when both ends are ready and keeps both busy for one step.
//
// The machine that steps it so: all costs but S*G = 1 step are zero, every message makes the rendezvous. The step that
// keeps the sender busy is a block of its program.
#include <cstdint>
#include <utility>

#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/fixtures.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

constexpr std::int64_t kStep = 1'000'000;
constexpr std::int64_t kBytes = 1000;  // a step at 1 ns/B

machine::Machine one_node(RankGrid grid) {
    machine::Machine machine = simple_machine(grid, {grid.columns, grid.rows});
    const machine::ProfileRow row{.up_to = {},
                                  .protocol = machine::Protocol::rendezvous,
                                  .o_send = {},
                                  .o_recv = {},
                                  .L = {},
                                  .G = {1e-9},
                                  .G_recv = {}};
    machine.profiles = {machine::Profile{row}, machine::Profile{row}, machine::Profile{row}};
    return machine;
}

program::Program waves_over(RankGrid grid, std::int64_t waves, std::int64_t work) {
    return spmd(grid, 1, [&](Rank rank) {
        const auto stride = static_cast<std::int32_t>(grid.columns);
        ClassBuilder builder;
        builder.loop(waves);
        if (grid.column(rank) > 1) builder.recv(-1);
        if (grid.row(rank) > 1) builder.recv(-stride);
        builder.work(work);
        if (grid.column(rank) < grid.columns) builder.send(1, kBytes).work(kStep);
        if (grid.row(rank) < grid.rows) builder.send(stride, kBytes).work(kStep);
        return builder.end().iteration().build();
    });
}

}  // namespace

TEST_CASE("computing and messages of a synchronous pipeline add up") {
    // N sweeps over Px x Py ranks: (Px + Py - 1 + N - 1) T_cpu + (2 (Px + Py - 2) + 4 (N - 1)) T_msg
    for (const auto& [Px, Py] : {std::pair{3U, 3U}, {3U, 8U}, {10U, 7U}}) {
        for (const std::int64_t N : {1, 2, 9}) {
            for (const std::int64_t cpu : {0, 1, 5}) {
                CAPTURE(Px);
                CAPTURE(Py);
                CAPTURE(N);
                CAPTURE(cpu);
                const RankGrid grid{Px, Py};
                const record::Record record = engine::run(waves_over(grid, N, cpu * kStep), one_node(grid), {});
                const std::int64_t diagonal = std::int64_t{Px} + Py;
                const std::int64_t expected = (diagonal - 1 + N - 1) * cpu + 2 * (diagonal - 2) + 4 * (N - 1);
                CHECK(record.rank_finish.back() == WideTime{Time{expected * kStep}});
            }
        }
    }
}
