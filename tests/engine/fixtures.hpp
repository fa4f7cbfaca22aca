// Small programs and machines built by hand, so that these suites need neither the language nor a platform.
#pragma once

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "tests/preamble.hpp"

namespace warpfront::test {

using program::Channel;
using program::Instruction;
using program::Op;

inline constexpr std::int64_t ns = 1'000;  // picoseconds
inline constexpr std::int64_t us = 1'000'000;

inline Instruction compute(std::int64_t picoseconds) { return {.op = Op::compute, .amount = picoseconds}; }

/// Builder of one class's code; channels are numbered in the order of their first use.
class ClassBuilder {
public:
    ClassBuilder& step(Instruction instruction) {
        instruction.site = static_cast<std::uint16_t>(rank_class_.code.size());
        rank_class_.code.push_back(instruction);
        return *this;
    }
    ClassBuilder& work(std::int64_t picoseconds) { return step(compute(picoseconds)); }
    ClassBuilder& delay(std::int64_t picoseconds) { return step({.op = Op::delay, .amount = picoseconds}); }
    ClassBuilder& send(std::int32_t delta, std::int64_t bytes, std::int32_t tag = 0) {
        return step({.op = Op::send, .operand = place(rank_class_.send_endpoints, {delta, tag}), .amount = bytes});
    }
    ClassBuilder& recv(std::int32_t delta, std::int32_t tag = 0) {
        return step({.op = Op::recv, .operand = place(rank_class_.receive_endpoints, {delta, tag})});
    }
    ClassBuilder& post(std::int32_t delta, std::int32_t tag = 0) {
        return step({.op = Op::irecv, .operand = place(rank_class_.receive_endpoints, {delta, tag})});
    }
    ClassBuilder& await(std::int32_t delta, std::int32_t tag = 0) {
        return step({.op = Op::wait_recv, .operand = place(rank_class_.receive_endpoints, {delta, tag})});
    }
    ClassBuilder& isend(std::int32_t delta, std::int64_t bytes, std::int32_t tag = 0) {
        return step({.op = Op::isend, .operand = place(rank_class_.send_endpoints, {delta, tag}), .amount = bytes});
    }
    ClassBuilder& ssend(std::int32_t delta, std::int64_t bytes, std::int32_t tag = 0) {
        return step({.op = Op::ssend, .operand = place(rank_class_.send_endpoints, {delta, tag}), .amount = bytes});
    }
    ClassBuilder& recv_any(const std::vector<Channel>& channels) {
        return step({.op = Op::recv_any, .operand = choice(channels)});
    }
    ClassBuilder& await_any(const std::vector<Channel>& channels) {
        return step({.op = Op::wait_any, .operand = choice(channels)});
    }
    /// Posts a receive for any of the channels. `await_open` takes the number of its choice in the class, from 0.
    ClassBuilder& post_any(const std::vector<Channel>& channels) {
        return step({.op = Op::irecv_any, .operand = choice(channels)});
    }
    ClassBuilder& await_open(std::uint32_t number) { return step({.op = Op::wait_recv_any, .operand = number}); }
    /// Replies to the source of the latest recv_any, which took from the same ranks.
    ClassBuilder& reply(const std::vector<Channel>& channels, std::int64_t bytes) {
        program::Reply reply{static_cast<std::uint32_t>(rank_class_.choices.size() - 1), {}};
        for (const Channel& channel : channels) {
            reply.send_endpoints.push_back(place(rank_class_.send_endpoints, channel));
        }
        rank_class_.replies.push_back(reply);
        const auto number = static_cast<std::uint32_t>(rank_class_.replies.size() - 1);
        return step({.op = Op::reply, .operand = number, .amount = bytes});
    }
    /// Begins a reply on any of the channels. `await_reply` takes its number in the class, from 0.
    ClassBuilder& begin_reply(const std::vector<Channel>& channels, std::int64_t bytes) {
        reply(channels, bytes);
        rank_class_.code.back().op = Op::ireply;
        return *this;
    }
    ClassBuilder& await_reply(std::uint32_t number) { return step({.op = Op::wait_reply, .operand = number}); }
    ClassBuilder& await_sent(std::int32_t delta, std::int32_t tag = 0) {
        return step({.op = Op::wait_send, .operand = place(rank_class_.send_endpoints, {delta, tag})});
    }
    ClassBuilder& allreduce(std::int64_t bytes) { return step({.op = Op::allreduce, .amount = bytes}); }
    /// Enters phase `number` of Program::phases; 0 leaves all phases.
    ClassBuilder& phase(std::uint32_t number) { return step({.op = Op::phase, .operand = number}); }
    ClassBuilder& iteration() { return step({.op = Op::iteration}); }
    ClassBuilder& loop(std::int64_t iterations) {
        open_.push_back(static_cast<std::uint32_t>(rank_class_.code.size()));
        return step({.op = Op::loop, .depth = static_cast<std::uint8_t>(open_.size() - 1), .amount = iterations});
    }
    ClassBuilder& end() {
        const std::uint32_t first = open_.back();
        open_.pop_back();
        const auto last = static_cast<std::uint32_t>(rank_class_.code.size());
        rank_class_.code[first].operand = last;
        return step({.op = Op::end_loop, .depth = rank_class_.code[first].depth, .operand = first});
    }
    program::RankClass build() {
        step({.op = Op::finish});
        return rank_class_;
    }

private:
    std::uint32_t choice(const std::vector<Channel>& channels) {
        program::Choice choice;
        for (const Channel& channel : channels) {
            choice.receive_endpoints.push_back(place(rank_class_.receive_endpoints, channel));
        }
        rank_class_.choices.push_back(choice);
        return static_cast<std::uint32_t>(rank_class_.choices.size() - 1);
    }
    static std::uint32_t place(std::vector<Channel>& channels, Channel channel) {
        const auto index =
            static_cast<std::size_t>(std::find(channels.begin(), channels.end(), channel) - channels.begin());
        if (index == channels.size()) channels.push_back(channel);
        return static_cast<std::uint32_t>(index);
    }

    program::RankClass rank_class_;
    std::vector<std::uint32_t> open_;
};

/// Returns a program with one class per rank, given by `build(rank)`.
template <typename Build>
program::Program spmd(RankGrid grid, std::int64_t iterations, const Build& build) {
    program::Program program;
    program.name = "test";
    program.grid = grid;
    program.iterations = iterations;
    for (std::uint32_t rank = 0; rank < grid.ranks(); ++rank) {
        const program::RankClass rank_class = build(Rank{rank});
        const auto at = std::find(program.classes.begin(), program.classes.end(), rank_class);
        program.class_of.push_back(static_cast<std::uint32_t>(at - program.classes.begin()));
        if (at == program.classes.end()) program.classes.push_back(rank_class);
    }
    program.sites.resize(64);
    return program;
}

/// Begins the code of one rank, for `program_of`.
inline ClassBuilder does() { return {}; }

/// Returns a program in which rank k executes `ranks[k]` and the ranks beyond nothing; all end their only iteration.
inline program::Program program_of(RankGrid grid, std::vector<ClassBuilder> ranks) {
    ranks.resize(grid.ranks());
    return spmd(grid, 1, [&](Rank rank) { return ranks[rank.index].iteration().build(); });
}

/// Sweeps over the grid, one per entry of `starts` (0 = starts northwest, 3 = southeast, bit 0 east, bit 1 south). Each
/// has a stack of tiles: recv x, recv y, work, send x, send y. Then come `allreduces` of 8 bytes and the mark.
struct Wavefront {
    RankGrid grid;
    std::int64_t tiles = 1;
    std::int64_t work = 0;  // picoseconds
    std::int64_t bytes = 8;
    std::vector<unsigned> starts{0};
    int allreduces = 0;
    std::int64_t iterations = 1;
};

inline program::Program wavefront(const Wavefront& code) {
    return spmd(code.grid, code.iterations, [&](Rank rank) {
        ClassBuilder builder;
        const std::uint32_t column = code.grid.column(rank);
        const std::uint32_t row = code.grid.row(rank);
        const auto stride = static_cast<std::int32_t>(code.grid.columns);
        builder.loop(code.iterations);
        for (const unsigned start : code.starts) {
            const bool east = (start & 1U) != 0;
            const bool south = (start & 2U) != 0;
            const bool has_west = column > 1;
            const bool has_east = column < code.grid.columns;
            const bool has_north = row > 1;
            const bool has_south = row < code.grid.rows;
            builder.loop(code.tiles);
            if (east ? has_east : has_west) builder.recv(east ? 1 : -1);
            if (south ? has_south : has_north) builder.recv(south ? stride : -stride);
            builder.work(code.work);
            if (east ? has_west : has_east) builder.send(east ? -1 : 1, code.bytes);
            if (south ? has_north : has_south) builder.send(south ? -stride : stride, code.bytes);
            builder.end();
        }
        for (int k = 0; k < code.allreduces; ++k) builder.allreduce(8);
        builder.iteration().end();
        return builder.build();
    });
}

/// Returns a machine with round numbers: eager up to 1000 bytes, rendezvous above; o = 4 us, L = 1 us, G = 1 ns/B; on
/// chip o = 2 us, G = 0. Network messages occupy the bus, if it is on, for 3 us + 0.1 ns/B, on the receiver's side
/// before its overhead. Star routes without extra latency.
inline machine::Machine simple_machine(RankGrid grid, machine::Patch patch = {}, bool bus = false) {
    machine::Machine machine;
    machine.name = "simple";
    machine.cores = patch.ranks();
    const machine::ProfileRow eager{.up_to = Bytes{1000},
                                    .protocol = machine::Protocol::eager,
                                    .o_send = {4 * us},
                                    .o_recv = {4 * us},
                                    .L = {1 * us},
                                    .G = {1e-9},
                                    .G_recv = {},
                                    .receiver_hold = machine::ReceiverHold::before_overhead,
                                    .holds_bus = bus};
    machine::ProfileRow rendezvous = eager;
    rendezvous.up_to.reset();
    rendezvous.protocol = machine::Protocol::rendezvous;
    machine::ProfileRow chip{.up_to = {},
                             .protocol = machine::Protocol::eager,
                             .o_send = {2 * us},
                             .o_recv = {2 * us},
                             .L = {},
                             .G = {},
                             .G_recv = {},
                             .receiver_hold = machine::ReceiverHold::before_overhead,
                             .holds_bus = false};
    machine.profiles = {machine::Profile{chip}, machine::Profile{chip}, machine::Profile{eager, rendezvous}};
    if (bus) machine.bus = machine::Bus{.o_dma = {3 * us}, .G_dma = {1e-10}};
    machine.routes = {.zone = machine::StarRoutes{2, {}}, .links_in_L = 2};
    machine.placement = machine::cut(grid, patch);
    machine.hosts = machine.hosts_before_growth = machine.placement.nodes();
    for (std::uint32_t node = 0; node < machine.placement.nodes(); ++node) machine.placement.host_of.push_back({node});
    return machine;
}

}  // namespace warpfront::test
