// What the state of a run takes.
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/state/layout.hpp"

#include <doctest/doctest.h>

#include "simulator/engine/estimate.hpp"
#include "tests/engine/fixtures.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

constexpr RankGrid kGrid{8, 4};

/// Each rank passes 8 B on, and reduces so many bytes where there are any.
program::Program chain(std::int64_t reduced) {
    return spmd(kGrid, 1, [reduced](Rank rank) {
        ClassBuilder builder;
        if (rank.index + 1 < kGrid.ranks()) builder.send(1, 8);
        if (rank.index > 0) builder.recv(-1);
        if (reduced > 0) builder.allreduce(reduced);
        return builder.iteration().build();
    });
}

std::uint64_t held(std::int64_t reduced) {
    const auto laid_out = engine::lay_out(chain(reduced), simple_machine(kGrid, {2, 1}));
    return engine::State(laid_out.layout, laid_out.channels).bytes();
}

std::uint64_t estimated(std::int64_t reduced) {
    return engine::estimate_bytes(chain(reduced), simple_machine(kGrid, {2, 1}), {.replay = engine::Replay::full});
}

// 32 ranks take 5 steps. In each a rank has an receive endpoint of 16 bytes, and an send endpoint: of 8 bytes where the
// receiver need not notify of its posts, of 16 if it must. Messages above 1000 B are rendezvous.
constexpr std::uint64_t kEager = 32 * 5 * (16 + 8);
constexpr std::uint64_t kRendezvous = 32 * 5 * (16 + 16);

}  // namespace

TEST_CASE("a step of an allreduce takes 24 bytes a rank where its messages are eager, 32 where they make rendezvous") {
    CHECK(held(8) - held(0) == kEager);
    CHECK(held(2000) - held(0) == kRendezvous);
}

TEST_CASE("estimates distinguish these two") { CHECK(estimated(2000) - estimated(8) == kRendezvous - kEager); }

TEST_CASE("where one rank receives from all others, memory is taken for the channels that there are") {
    // 512 ranks, 511 channels: a receive and a send endpoint each of some 70 bytes with its queue. A table of 512 x 512
    // would take 4 MiB for receive endpoints of 16 bytes alone.
    const RankGrid grid{512, 1};
    const auto program = spmd(grid, 1, [](Rank rank) {
        ClassBuilder builder;
        for (std::int32_t other = 1; rank.index == 0 && other < 512; ++other) builder.recv(other);
        if (rank.index > 0) builder.send(-static_cast<std::int32_t>(rank.index), 8);
        return builder.iteration().build();
    });
    const auto laid_out = engine::lay_out(program, simple_machine(grid));
    CHECK(engine::State(laid_out.layout, laid_out.channels).bytes() < 512 * 512);
    CHECK(engine::estimate_bytes(program, simple_machine(grid), {}) < 512 * 1024);
}
