#include "simulator/program/walk.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace warpfront::program {

namespace {

std::uint32_t ranks_of(const Program& program) { return static_cast<std::uint32_t>(program.class_of.size()); }

Rank peer_of(Rank rank, const Channel& channel) {
    return {static_cast<std::uint32_t>(std::int64_t{rank.index} + channel.delta)};
}

/// Of one (sender, receiver, tag): what has happened so far. A message uses the post of the same number.
struct Traffic {
    std::uint64_t sent = 0;
    std::uint64_t posted = 0;
    std::uint64_t received = 0;
};

/// A rank and its present instruction.
struct Walker {
    std::size_t at = 0;
    std::array<std::int64_t, kMaxLoopDepth> trips_left{};
    bool begun = false;  // the present instruction has sent, posted, or come to its allreduce
    std::uint64_t allreduces = 0;
    std::vector<std::size_t> sends;     // by send endpoint: index of its traffic
    std::vector<std::size_t> receives;  // by receive endpoint
};

class Walk {
public:
    Walk(const Program& program, Sends sends) : program_(program), sends_(sends), walkers_(ranks_of(program)) {
        for (std::uint32_t rank = 0; rank < walkers_.size(); ++rank) {
            for (std::size_t k = 0; k < program_.of({rank}).send_endpoints.size(); ++k) {
                walkers_[rank].sends.push_back(traffic_.size());
                traffic_.emplace_back();
            }
        }
        for (std::uint32_t rank = 0; rank < walkers_.size(); ++rank) connect({rank});
    }

    /// Until no rank can go on; `held` takes no step. False where that takes more than `most` instructions.
    bool run(std::uint64_t most, std::optional<Rank> held = std::nullopt) {
        for (bool moved = true; moved;) {
            moved = false;
            for (std::uint32_t rank = 0; rank < walkers_.size(); ++rank) {
                if (held && held->index == rank) continue;
                while (step({rank})) {
                    moved = true;
                    if (most-- == 0) return false;
                }
            }
        }
        return true;
    }

    bool finished(Rank rank) const { return now(rank).op == Op::finish; }
    Stuck stuck(Rank rank) const;

private:
    const Instruction& now(Rank rank) const { return program_.of(rank).code[walkers_[rank.index].at]; }

    /// A receive from a rank that never sends has traffic of its own, in which nothing happens.
    void connect(Rank rank) {
        for (const Channel& channel : program_.of(rank).receive_endpoints) {
            const Rank from = peer_of(rank, channel);
            const std::vector<Channel>& ends = program_.of(from).send_endpoints;
            const auto found = std::find(ends.begin(), ends.end(), Channel{-channel.delta, channel.tag});
            if (found == ends.end()) traffic_.emplace_back();
            const std::size_t own = found == ends.end()
                                        ? traffic_.size() - 1
                                        : walkers_[from.index].sends[static_cast<std::size_t>(found - ends.begin())];
            walkers_[rank.index].receives.push_back(own);
        }
    }

    bool step(Rank rank);
    bool may_go_on(Walker& walker, const Instruction& step);
    bool may_receive(const Walker& walker, const Instruction& step) {
        Traffic& traffic = traffic_[walker.receives[step.operand]];
        if (traffic.sent == traffic.received) return false;
        ++traffic.received;
        return true;
    }
    bool may_leave(const Walker& walker, const Instruction& step) const {
        const Traffic& traffic = traffic_[walker.sends[step.operand]];
        return sends_ == Sends::buffered || traffic.posted >= traffic.sent;
    }
    bool all_in_allreduce(std::uint64_t number) const {
        return std::all_of(walkers_.begin(), walkers_.end(),
                           [&](const Walker& each) { return each.allreduces >= number; });
    }

    const Program& program_;
    Sends sends_;
    std::vector<Walker> walkers_;
    std::vector<Traffic> traffic_;
};

bool Walk::step(Rank rank) {
    Walker& walker = walkers_[rank.index];
    const Instruction& step = now(rank);
    switch (step.op) {
        case Op::finish: return false;
        case Op::loop: walker.trips_left[step.depth] = step.amount; break;
        case Op::end_loop:
            if (--walker.trips_left[step.depth] > 0) walker.at = step.operand;
            break;
        default:
            if (!may_go_on(walker, step)) return false;
    }
    walker.begun = false;
    ++walker.at;
    return true;
}

/// What the instruction does at once is done; whether what it waits for is there.
bool Walk::may_go_on(Walker& walker, const Instruction& step) {
    const bool begins = !walker.begun;
    walker.begun = true;
    switch (step.op) {
        case Op::send:
            if (begins) ++traffic_[walker.sends[step.operand]].sent;
            return may_leave(walker, step);
        case Op::isend: ++traffic_[walker.sends[step.operand]].sent; return true;
        case Op::wait_send: return may_leave(walker, step);
        case Op::recv:
            if (begins) ++traffic_[walker.receives[step.operand]].posted;
            return may_receive(walker, step);
        case Op::irecv: ++traffic_[walker.receives[step.operand]].posted; return true;
        case Op::wait_recv: return may_receive(walker, step);
        case Op::allreduce:
            if (begins) ++walker.allreduces;
            return all_in_allreduce(walker.allreduces);
        default: return true;
    }
}

Stuck Walk::stuck(Rank rank) const {
    const Instruction& step = now(rank);
    const RankClass& rank_class = program_.of(rank);
    if (step.op == Op::allreduce) {
        const std::uint64_t number = walkers_[rank.index].allreduces;
        const auto missing = std::find_if(walkers_.begin(), walkers_.end(),
                                          [&](const Walker& each) { return each.allreduces < number; });
        return {Stuck::What::allreduce, rank, {static_cast<std::uint32_t>(missing - walkers_.begin())}, 0, step.site};
    }
    const bool sends = step.op == Op::send || step.op == Op::wait_send;
    const Channel& channel =
        sends ? rank_class.send_endpoints[step.operand] : rank_class.receive_endpoints[step.operand];
    return {sends ? Stuck::What::send : Stuck::What::recv, rank, peer_of(rank, channel), channel.tag, step.site};
}

/// The first statement of `rank` that sends to `receiver`.
std::optional<std::uint16_t> sends_to(const Program& program, Rank rank, Rank receiver) {
    const RankClass& rank_class = program.of(rank);
    for (const Instruction& step : rank_class.code) {
        if (is_send(step.op) && peer_of(rank, rank_class.send_endpoints[step.operand]) == receiver) return step.site;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::vector<Stuck>> stuck_ranks(const Program& program, Sends sends, std::uint64_t most) {
    Walk walk(program, sends);
    if (!walk.run(most)) return std::nullopt;
    std::vector<Stuck> stuck;
    for (std::uint32_t rank = 0; rank < ranks_of(program); ++rank) {
        if (!walk.finished({rank})) stuck.push_back(walk.stuck({rank}));
    }
    return stuck;
}

std::optional<RunAhead> run_ahead(const Program& program, std::uint64_t most) {
    if (program.iterations < 2) return std::nullopt;
    for (std::uint32_t receiver = 0; receiver < ranks_of(program); ++receiver) {
        Walk walk(program, Sends::buffered);
        if (!walk.run(most, Rank{receiver})) return std::nullopt;
        for (std::uint32_t rank = 0; rank < ranks_of(program); ++rank) {
            if (rank == receiver || !walk.finished({rank})) continue;
            if (const auto site = sends_to(program, {rank}, {receiver})) return RunAhead{{rank}, {receiver}, *site};
        }
    }
    return std::nullopt;
}

}  // namespace warpfront::program
