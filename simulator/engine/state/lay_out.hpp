// From a program and a machine to the layout of a run (layout.hpp): all costs are folded and all numbers given here.
#pragma once

#include "simulator/engine/state/layout.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::engine {

/// Throws std::overflow_error (a cost beyond virtual time) and std::length_error (too many channels, costs or packets).
/// `machine` must outlive the layout.
struct LayoutAndChannels {
    Layout layout;
    Channels channels;
};
LayoutAndChannels lay_out(const program::Program& program, const machine::Machine& machine);

}  // namespace warpfront::engine
