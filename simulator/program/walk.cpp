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
    std::vector<std::size_t> sends;      // by send endpoint: index of its traffic
    std::vector<std::size_t> receives;   // by receive endpoint
    std::vector<bool> open;              // by receive endpoint: posted and not waited for
    std::vector<std::size_t> chosen;     // by choice: the place of the message that was taken last
    std::vector<std::uint32_t> replied;  // by reply: the send endpoint of the message that was begun last
    std::vector<std::uint32_t> posted;   // choices of irecv_any that have no message yet, in the order of posting
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
        for (moved_ = true; moved_;) {
            moved_ = false;
            for (std::uint32_t rank = 0; rank < walkers_.size(); ++rank) {
                if (held && held->index == rank) continue;
                moved_ = match_posted(program_.of({rank}), walkers_[rank]) || moved_;
                while (step({rank})) {
                    moved_ = true;
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
        walkers_[rank.index].open.resize(program_.of(rank).receive_endpoints.size());
        walkers_[rank.index].chosen.resize(program_.of(rank).choices.size());
        walkers_[rank.index].replied.resize(program_.of(rank).replies.size());
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
    bool may_go_on(const RankClass& rank_class, Walker& walker, const Instruction& step);
    bool may_receive(Walker& walker, std::uint32_t endpoint) {
        Traffic& traffic = traffic_[walker.receives[endpoint]];
        if (traffic.sent == traffic.received) return false;
        ++traffic.received;
        walker.open[endpoint] = false;
        return true;
    }
    bool may_choose(const RankClass& rank_class, Walker& walker, const Instruction& step);
    bool match_posted(const RankClass& rank_class, Walker& walker);
    bool may_leave(const Walker& walker, std::uint32_t endpoint, bool buffered) const {
        const Traffic& traffic = traffic_[walker.sends[endpoint]];
        return buffered || traffic.posted >= traffic.sent;
    }
    static std::uint32_t answers_on(const RankClass& rank_class, const Walker& walker, const Instruction& step) {
        const Reply& reply = rank_class.replies[step.operand];
        return reply.send_endpoints[walker.chosen[reply.choice]];
    }
    std::vector<Channel> partners_of(Rank rank) const;
    bool all_in_allreduce(std::uint64_t number) const {
        return std::all_of(walkers_.begin(), walkers_.end(),
                           [&](const Walker& each) { return each.allreduces >= number; });
    }

    const Program& program_;
    Sends sends_;
    std::vector<Walker> walkers_;
    std::vector<Traffic> traffic_;
    bool moved_ = false;  // some rank has begun or ended an instruction since all were looked at
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
            if (!may_go_on(program_.of(rank), walker, step)) return false;
    }
    walker.begun = false;
    ++walker.at;
    return true;
}

/// What the instruction does at once is done; whether what it waits for is there.
bool Walk::may_go_on(const RankClass& rank_class, Walker& walker, const Instruction& step) {
    const bool begins = !walker.begun;
    const bool buffered = sends_ == Sends::buffered;
    walker.begun = true;
    moved_ = moved_ || begins;
    const auto send = [&](std::uint32_t endpoint, bool waits_for_no_post) {
        if (begins) ++traffic_[walker.sends[endpoint]].sent;
        return may_leave(walker, endpoint, waits_for_no_post);
    };
    const auto post = [&] {
        if (begins) ++traffic_[walker.receives[step.operand]].posted;
        walker.open[step.operand] = true;
    };
    switch (step.op) {
        case Op::send: return send(step.operand, buffered);
        case Op::ssend: return send(step.operand, false);
        case Op::reply: return send(answers_on(rank_class, walker, step), buffered);
        case Op::isend: return send(step.operand, true);
        case Op::ireply:
            walker.replied[step.operand] = answers_on(rank_class, walker, step);
            return send(walker.replied[step.operand], true);
        case Op::wait_reply: return may_leave(walker, walker.replied[step.operand], buffered);
        case Op::wait_send: return may_leave(walker, step.operand, buffered);
        case Op::recv: post(); return may_receive(walker, step.operand);
        case Op::irecv: post(); return true;
        case Op::wait_recv: return may_receive(walker, step.operand);
        case Op::irecv_any: walker.posted.push_back(step.operand); return true;
        case Op::wait_recv_any:
            match_posted(rank_class, walker);
            return std::find(walker.posted.begin(), walker.posted.end(), step.operand) == walker.posted.end();
        case Op::recv_any:
        case Op::wait_any: return may_choose(rank_class, walker, step);
        case Op::allreduce:
            if (begins) ++walker.allreduces;
            return all_in_allreduce(walker.allreduces);
        default: return true;
    }
}

/// Takes the first message that there is; one from any source is posted by that.
bool Walk::may_choose(const RankClass& rank_class, Walker& walker, const Instruction& step) {
    const std::vector<std::uint32_t>& places = rank_class.choices[step.operand].receive_endpoints;
    for (std::size_t place = 0; place < places.size(); ++place) {
        if (step.op == Op::wait_any && !walker.open[places[place]]) continue;
        if (!may_receive(walker, places[place])) continue;
        if (step.op == Op::recv_any) ++traffic_[walker.receives[places[place]]].posted;
        walker.chosen[step.operand] = place;
        return true;
    }
    return false;
}

/// Each takes the first message that there is. True where one has.
bool Walk::match_posted(const RankClass& rank_class, Walker& walker) {
    return std::erase_if(walker.posted, [&](std::uint32_t choice) {
               return may_choose(rank_class, walker, {.op = Op::recv_any, .operand = choice});
           }) > 0;
}

/// The channels on which the rank waits.
std::vector<Channel> Walk::partners_of(Rank rank) const {
    const Instruction& step = now(rank);
    const RankClass& rank_class = program_.of(rank);
    const Walker& walker = walkers_[rank.index];
    if (step.op == Op::wait_reply) return {rank_class.send_endpoints[walker.replied[step.operand]]};
    if (step.op == Op::reply) return {rank_class.send_endpoints[answers_on(rank_class, walker, step)]};
    if (step.op == Op::wait_send || is_send(step.op)) return {rank_class.send_endpoints[step.operand]};
    if (!chooses(step.op)) return {rank_class.receive_endpoints[step.operand]};
    std::vector<Channel> channels;
    for (const std::uint32_t place : rank_class.choices[step.operand].receive_endpoints) {
        if (step.op != Op::wait_any || walker.open[place]) channels.push_back(rank_class.receive_endpoints[place]);
    }
    return channels;
}

Stuck Walk::stuck(Rank rank) const {
    const Instruction& step = now(rank);
    if (step.op == Op::allreduce) {
        const std::uint64_t number = walkers_[rank.index].allreduces;
        const auto missing = std::find_if(walkers_.begin(), walkers_.end(),
                                          [&](const Walker& each) { return each.allreduces < number; });
        return {Stuck::What::allreduce, rank, {static_cast<std::uint32_t>(missing - walkers_.begin())}, 0, step.site};
    }
    const std::vector<Channel> channels = partners_of(rank);
    const auto is_stuck = [&](const Channel& channel) { return !finished(peer_of(rank, channel)); };
    const auto found = std::find_if(channels.begin(), channels.end(), is_stuck);
    const Channel& channel = found == channels.end() ? channels.front() : *found;
    const bool sends =
        is_send(step.op) || step.op == Op::wait_send || step.op == Op::wait_reply || step.op == Op::reply;
    return {sends ? Stuck::What::send : Stuck::What::recv, rank, peer_of(rank, channel), channel.tag, step.site,
            static_cast<std::uint32_t>(channels.size())};
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
