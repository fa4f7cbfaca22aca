#include "simulator/program/walk.hpp"

#include <algorithm>
#include <cstddef>

#include "simulator/program/execution.hpp"
#include "simulator/program/mismatches.hpp"

namespace warpfront::program {

namespace {

std::uint32_t ranks_of(const Program& program) { return static_cast<std::uint32_t>(program.class_of.size()); }

/// The messages that have been sent and received so far on one channel (sender, receiver, tag). The k-th message is
/// received by the k-th post.
struct ChannelTraffic {
    std::uint64_t sent = 0;
    std::uint64_t posted = 0;
    std::uint64_t received = 0;
    std::uint64_t needed = 0;  // number of posts that the latest message needs before it leaves
    /// number of each message among all messages of the program; only if the program has choices
    std::vector<std::uint64_t> order;
};

/// The state of one rank in the walk.
struct Walker {
    Position position;
    bool begun = false;  // true if the current instruction has already sent, posted or entered its allreduce
    std::uint64_t allreduces = 0;
    std::vector<std::size_t> sends;     // for each send endpoint, index into traffic_
    std::vector<std::size_t> receives;  // for each receive endpoint, index into traffic_
    std::vector<bool> open;             // for each receive endpoint, true if its posted receive has not been waited for
    std::vector<std::size_t> chosen;    // for each choice, the receive endpoint whose message was taken last
    std::vector<std::uint32_t> replied;  // for each reply, the send endpoint of the latest nonblocking reply
    std::vector<std::uint32_t> posted;   // choices whose irecv_any has not taken a message yet, in the order of posting
};

class Walk {
public:
    Walk(const Program& program, const Buffering& buffering)
        : program_(program),
          buffering_(buffering),
          has_choices_(program::has_choices(program)),
          walkers_(ranks_of(program)) {
        for (std::uint32_t rank = 0; rank < walkers_.size(); ++rank) {
            for (std::size_t k = 0; k < program_.of({rank}).send_endpoints.size(); ++k) {
                walkers_[rank].sends.push_back(traffic_.size());
                traffic_.emplace_back();
            }
        }
        for (std::uint32_t rank = 0; rank < walkers_.size(); ++rank) connect({rank});
    }

    /// Advances all ranks except `held` until none can continue. Returns false if this takes more than `most` steps. An
    /// attempt to advance a rank counts as a step.
    bool run(std::uint64_t most, std::optional<Rank> held = std::nullopt) {
        for (moved_ = true; moved_;) {
            moved_ = false;
            for (std::uint32_t rank = 0; rank < walkers_.size(); ++rank) {
                if (held && held->index == rank) continue;
                if (most-- == 0) return false;
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
    /// Returns the first of the ranks that have begun the fewest allreduces. All ranks that are stuck in an allreduce
    /// wait for it, since they have begun one more.
    Rank first_behind() const {
        const auto first = std::ranges::min_element(walkers_, {}, &Walker::allreduces);
        return {static_cast<std::uint32_t>(first - walkers_.begin())};
    }
    /// Returns the wait of a stuck rank. `first_behind` is the result of the function of this name.
    Stuck stuck(Rank rank, Rank first_behind) const;

private:
    const Instruction& now(Rank rank) const { return program_.of(rank).code[walkers_[rank.index].position.at]; }

    /// Connects a rank's endpoints with the traffic of their channels. If the peer never sends, the endpoint is
    /// connected with separate traffic, which remains empty.
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
    bool may_go_on(Rank rank, Walker& walker, const Instruction& step);
    void begin_send(Rank rank, std::uint32_t endpoint, const Instruction& step);
    bool may_receive(Walker& walker, std::uint32_t endpoint) {
        ChannelTraffic& traffic = traffic_[walker.receives[endpoint]];
        if (traffic.sent == traffic.received) return false;
        ++traffic.received;
        walker.open[endpoint] = false;
        return true;
    }
    std::optional<std::uint64_t> first_for_any(const Walker& walker, std::uint32_t endpoint) const;
    bool may_choose(const RankClass& rank_class, Walker& walker, const Instruction& step);
    bool is_next(const RankClass& rank_class, const Walker& walker, const Choice& choice, std::uint32_t endpoint) const;
    bool match_posted(const RankClass& rank_class, Walker& walker);
    bool may_leave(const Walker& walker, std::uint32_t endpoint) const {
        const ChannelTraffic& traffic = traffic_[walker.sends[endpoint]];
        return traffic.posted >= traffic.needed;
    }
    static std::uint32_t answers_on(const RankClass& rank_class, const Walker& walker, const Instruction& step) {
        const Reply& reply = rank_class.replies[step.operand];
        return reply.send_endpoints[walker.chosen[reply.choice]];
    }
    std::vector<Channel> partners_of(Rank rank) const;
    /// Returns true if all ranks have begun the allreduce of this number. No rank begins one that is more than one
    /// ahead of another rank's, so the sum of all numbers shows it.
    bool all_in_allreduce(std::uint64_t number) const { return allreduces_ >= number * walkers_.size(); }

    const Program& program_;
    const Buffering& buffering_;
    const bool has_choices_;
    std::vector<Walker> walkers_;
    std::vector<ChannelTraffic> traffic_;
    std::uint64_t messages_ = 0;    // messages that have been numbered so far
    std::uint64_t allreduces_ = 0;  // sum of the allreduces that ranks have begun
    bool moved_ = false;            // true if some rank has made progress in the current pass over all ranks
};

bool Walk::step(Rank rank) {
    Walker& walker = walkers_[rank.index];
    const Instruction& step = now(rank);
    if (finished(rank) || !may_go_on(rank, walker, step)) return false;
    walker.begun = false;
    walker.position.pass(step);
    return true;
}

void Walk::begin_send(Rank rank, std::uint32_t endpoint, const Instruction& step) {
    ChannelTraffic& traffic = traffic_[walkers_[rank.index].sends[endpoint]];
    ++traffic.sent;
    if (has_choices_) traffic.order.push_back(messages_++);
    const Rank receiver = peer_of(rank, program_.of(rank).send_endpoints[endpoint]);
    const bool buffered = step.op != Op::ssend && buffering_.eager(rank, receiver, step);
    if (!buffered) traffic.needed = traffic.sent;
}

/// Performs the part of the instruction that does not depend on other ranks. Returns true if the rank can continue,
/// because the message or post for which the instruction waits exists.
bool Walk::may_go_on(Rank rank, Walker& walker, const Instruction& step) {
    const RankClass& rank_class = program_.of(rank);
    const bool begins = !walker.begun;
    walker.begun = true;
    moved_ = moved_ || begins;
    const auto send = [&](std::uint32_t endpoint) {
        if (begins) begin_send(rank, endpoint, step);
        return may_leave(walker, endpoint);
    };
    const auto post = [&] {
        if (begins) ++traffic_[walker.receives[step.operand]].posted;
        walker.open[step.operand] = true;
    };
    const bool any = operation(step.op).operand == Operand::choice || operation(step.op).operand == Operand::reply;
    switch (operation(step.op).effect) {
        case Effect::send: return send(any ? answers_on(rank_class, walker, step) : step.operand);
        case Effect::begin_send:
            if (any) walker.replied[step.operand] = answers_on(rank_class, walker, step);
            send(any ? walker.replied[step.operand] : step.operand);
            return true;
        case Effect::end_send: return may_leave(walker, any ? walker.replied[step.operand] : step.operand);
        case Effect::receive:
            if (any) return may_choose(rank_class, walker, step);
            post();
            return may_receive(walker, step.operand);
        case Effect::post: any ? walker.posted.push_back(step.operand) : post(); return true;
        case Effect::end_receive:
            if (!any) return may_receive(walker, step.operand);
            if (step.op == Op::wait_any) return may_choose(rank_class, walker, step);
            match_posted(rank_class, walker);
            return std::find(walker.posted.begin(), walker.posted.end(), step.operand) == walker.posted.end();
        case Effect::collective:
            if (begins) {
                ++walker.allreduces;
                ++allreduces_;
            }
            return all_in_allreduce(walker.allreduces);
        case Effect::work:
        case Effect::loop:
        case Effect::mark: return true;
        case Effect::finish: return false;
    }
    return false;
}

/// Returns the number of the first message on this endpoint that a receive from any source may take. If the endpoint
/// has a posted receive, its first message is reserved for that receive.
std::optional<std::uint64_t> Walk::first_for_any(const Walker& walker, std::uint32_t endpoint) const {
    const ChannelTraffic& traffic = traffic_[walker.receives[endpoint]];
    const std::uint64_t first = traffic.received + (walker.open[endpoint] ? 1 : 0);
    return first < traffic.sent ? std::optional(traffic.order[first]) : std::nullopt;
}

/// Returns true if the first message of this endpoint precedes all other messages from the same source.
bool Walk::is_next(const RankClass& rank_class, const Walker& walker, const Choice& choice,
                   std::uint32_t endpoint) const {
    const std::optional<std::uint64_t> own = first_for_any(walker, endpoint);
    const std::int32_t source = rank_class.receive_endpoints[endpoint].delta;
    const auto is_later = [&](std::uint32_t each) {
        const std::optional<std::uint64_t> other = first_for_any(walker, each);
        return rank_class.receive_endpoints[each].delta != source || !other || *other >= *own;
    };
    return own && std::all_of(choice.receive_endpoints.begin(), choice.receive_endpoints.end(), is_later);
}

/// Takes the first available message. Returns false if there is none.
bool Walk::may_choose(const RankClass& rank_class, Walker& walker, const Instruction& step) {
    const Choice& choice = rank_class.choices[step.operand];
    for (std::size_t place = 0; place < choice.receive_endpoints.size(); ++place) {
        const std::uint32_t endpoint = choice.receive_endpoints[place];
        if (step.op == Op::wait_any) {
            if (!walker.open[endpoint] || !may_receive(walker, endpoint)) continue;
        } else {
            if (!is_next(rank_class, walker, choice, endpoint)) continue;
            ChannelTraffic& traffic = traffic_[walker.receives[endpoint]];
            ++traffic.received;
            ++traffic.posted;
        }
        walker.chosen[step.operand] = place;
        return true;
    }
    return false;
}

/// Matches posted receives from any source with available messages. Returns true if at least one has been matched.
bool Walk::match_posted(const RankClass& rank_class, Walker& walker) {
    return std::erase_if(walker.posted, [&](std::uint32_t choice) {
               return may_choose(rank_class, walker, {.op = Op::recv_any, .operand = choice});
           }) > 0;
}

/// Returns the channels for whose messages or posts the rank waits.
std::vector<Channel> Walk::partners_of(Rank rank) const {
    const Instruction& step = now(rank);
    const RankClass& rank_class = program_.of(rank);
    const Walker& walker = walkers_[rank.index];
    if (step.op == Op::wait_reply) return {rank_class.send_endpoints[walker.replied[step.operand]]};
    if (step.op == Op::reply) return {rank_class.send_endpoints[answers_on(rank_class, walker, step)]};
    const auto& ends = on_send_side(step.op) ? rank_class.send_endpoints : rank_class.receive_endpoints;
    std::vector<Channel> channels;
    for (const std::uint32_t place : endpoints_of(step, rank_class)) {
        if (step.op != Op::wait_any || walker.open[place]) channels.push_back(ends[place]);
    }
    return channels;
}

Stuck Walk::stuck(Rank rank, Rank first_behind) const {
    const Instruction& step = now(rank);
    if (step.op == Op::allreduce) return {Stuck::What::allreduce, rank, first_behind, 0, step.site};
    const std::vector<Channel> channels = partners_of(rank);
    const auto is_stuck = [&](const Channel& channel) { return !finished(peer_of(rank, channel)); };
    const auto found = std::find_if(channels.begin(), channels.end(), is_stuck);
    const Channel& channel = found == channels.end() ? channels.front() : *found;
    return {on_send_side(step.op) ? Stuck::What::send : Stuck::What::recv,
            rank,
            peer_of(rank, channel),
            channel.tag,
            step.site,
            static_cast<std::uint32_t>(channels.size())};
}

/// Returns the first statement of `rank` that sends to `receiver` on a channel with several messages.
std::optional<std::uint16_t> sends_to(const Program& program, Rank rank, Rank receiver) {
    const RankClass& rank_class = program.of(rank);
    const std::vector<Traffic> sent = traffic_by_send_endpoint(rank_class);
    for (const Instruction& step : rank_class.code) {
        if (!sends(step.op, Operand::send_endpoint) ||
            peer_of(rank, rank_class.send_endpoints[step.operand]) != receiver)
            continue;
        if (sent[step.operand].messages > 1) return step.site;
    }
    return std::nullopt;
}

}  // namespace

Buffering all_eager() {
    return {[](Rank, Rank, const Instruction&) { return true; }};
}

Buffering all_rendezvous() {
    return {[](Rank, Rank, const Instruction&) { return false; }};
}

std::optional<std::vector<Stuck>> stuck_ranks(const Program& program, const Buffering& buffering, std::uint64_t most) {
    Walk walk(program, buffering);
    if (!walk.run(most)) return std::nullopt;
    std::vector<Stuck> stuck;
    const Rank first_behind = ranks_of(program) > 0 ? walk.first_behind() : Rank{};
    for (std::uint32_t rank = 0; rank < ranks_of(program); ++rank) {
        if (!walk.finished({rank})) stuck.push_back(walk.stuck({rank}, first_behind));
    }
    return stuck;
}

std::optional<std::vector<RunAhead>> run_ahead(const Program& program, const Buffering& buffering, std::uint64_t most) {
    std::vector<RunAhead> found;
    for (std::uint32_t receiver = 0; receiver < ranks_of(program); ++receiver) {
        Walk walk(program, buffering);
        if (!walk.run(most, Rank{receiver})) return std::nullopt;
        for (std::uint32_t rank = 0; rank < ranks_of(program); ++rank) {
            if (rank == receiver || !walk.finished({rank})) continue;
            if (const auto site = sends_to(program, {rank}, {receiver})) found.push_back({{rank}, {receiver}, *site});
        }
    }
    return found;
}

std::optional<Program> shortened(const Program& program, std::int64_t most) {
    Program result = program;
    for (RankClass& each : result.classes) {
        for (Instruction& step : each.code) {
            if (step.op == Op::loop) step.amount = std::min(step.amount, most);
        }
    }
    if (!mismatches(result, 1).empty() || collective_mismatch(result)) return std::nullopt;
    return result;
}

}  // namespace warpfront::program
