// The shared parts of the stepping, laid out for a program on a machine, so that each part can be tested alone.
#pragma once

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/partition_context.hpp"
#include "tests/engine/fixtures.hpp"

namespace warpfront::test {

struct Parts {
    Parts(const program::Program& program, const machine::Machine& machine)
        : Parts(engine::lay_out(program, machine)) {}

    engine::RankLine& line(Rank rank) { return state.ranks[rank]; }

    engine::Layout layout;
    engine::State state;
    engine::PartitionContext context;

private:
    explicit Parts(engine::LayoutAndChannels laid_out)
        : layout(std::move(laid_out.layout)), state(layout, laid_out.channels), context(layout, state) {}
};

}  // namespace warpfront::test
