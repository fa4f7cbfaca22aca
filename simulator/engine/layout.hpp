// The run laid out flat: one code array for all classes, channels numbered, costs folded per (size, path). Built once
// per run from program and machine; read-only while the engine steps.
//
// Numbering. Code: classes one after another, `place` of loop and end_loop and every program counter are indices into
// the whole array. Channels: first the inlets of all ranks in rank order, then, if the program has collectives,
// `collective_steps` per rank. Paths: the few distinct (layer, latency beyond L) between ranks; the cost of a send is
// costs[size * paths + path].
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/network/allreduce.hpp"
#include "simulator/network/cost.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::engine {

inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

/// Where a rank's messages go on one of its outlets.
struct Outlet {
    std::uint32_t channel = 0;
    std::uint32_t peer = 0;
    std::uint32_t path = 0;
};

struct Layout {
    std::vector<program::Instruction> code;     // send, allreduce: amount = index of the size
    std::vector<std::uint32_t> entry;           // by class: its first instruction
    std::vector<std::uint32_t> first_outlet;    // by rank
    std::vector<Outlet> outlets;
    std::vector<std::uint32_t> first_inlet;     // by rank; the rank's inlets are channels first_inlet[r] ...
    std::vector<std::uint32_t> source;          // by inlet channel: who sends on it

    network::RecursiveDoubling doubling{1};
    std::uint32_t collective_steps = 0;         // 0 where the program has no collective
    std::uint32_t first_collective = 0;         // channel of (rank 0, step 0)
    std::vector<std::uint16_t> collective_path;  // by (rank, step): path to the rank it sends to

    std::uint32_t paths = 1;
    std::vector<network::MessageCost> costs;

    std::uint32_t cores = 1;                    // ranks per node at most
    std::vector<std::uint32_t> node_of;         // by rank
    std::vector<std::uint32_t> ranks_on;        // by node and core: rank, or kNone

    std::uint32_t ranks = 0;
    std::uint32_t channels = 0;
    bool shares = false;                        // some message holds a shared resource
    Time lookahead;                             // least time from one node to an effect on another

    std::uint64_t bytes() const;                // memory held
};

Layout lay_out(const program::Program& program, const machine::Machine& machine);

}  // namespace warpfront::engine
