#include <algorithm>
#include <map>
#include <numeric>
#include <span>

#include "simulator/program/counting.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::program {
namespace {

struct Side {
    std::uint64_t count = 0;
    std::uint16_t site = 0;  // first statement

    void add(std::uint64_t times, std::uint16_t from) {
        if (count == 0) site = from;
        count = checked_sum(count, times);
    }
};

/// Endpoints that one instruction may use by turns, joined with those of others that share some; and the messages there
/// whose channel the run decides.
struct Group {
    std::vector<std::uint32_t> endpoints;
    Side any;
};

/// What a class does on each of its channels.
struct Ends {
    std::vector<Side> sends, receives;
    std::map<Channel, std::uint64_t> sent, received;
    std::vector<Group> taken, answered;  // receive endpoints of recv_any and irecv_any, send endpoints of replies
    std::map<Channel, bool> is_taken, is_answered;
};

/// Collects the groups of one direction.
class Groups {
public:
    explicit Groups(std::size_t endpoints) : root_(endpoints), any_(endpoints) {
        std::iota(root_.begin(), root_.end(), 0U);
    }
    void add(std::span<const std::uint32_t> endpoints, std::uint64_t times, std::uint16_t site) {
        used_.insert(used_.end(), endpoints.begin(), endpoints.end());
        for (const std::uint32_t each : endpoints) join(endpoints.front(), each);
        any_[root_of(endpoints.front())].add(times, site);
    }
    std::vector<Group> take() {
        std::sort(used_.begin(), used_.end());
        used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
        std::map<std::uint32_t, Group> groups;
        for (const std::uint32_t each : used_) {
            Group& group = groups[root_of(each)];
            group.endpoints.push_back(each);
            group.any = any_[root_of(each)];
        }
        std::vector<Group> all;
        for (auto& [root, group] : groups) all.push_back(std::move(group));
        return all;
    }

private:
    std::uint32_t root_of(std::uint32_t endpoint) const {
        while (root_[endpoint] != endpoint) endpoint = root_[endpoint];
        return endpoint;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t first = root_of(a);
        const std::uint32_t second = root_of(b);
        if (first == second) return;
        root_[second] = first;
        if (any_[second].count > 0) any_[first].add(any_[second].count, any_[second].site);
    }

    std::vector<std::uint32_t> root_;  // by endpoint: another of its group, or itself
    std::vector<Side> any_;            // by root
    std::vector<std::uint32_t> used_;
};

Ends ends_of(const RankClass& rank_class) {
    Ends ends;
    ends.sends.resize(rank_class.send_endpoints.size());
    ends.receives.resize(rank_class.receive_endpoints.size());
    Groups taken(ends.receives.size());
    Groups answered(ends.sends.size());
    for_each_counted(rank_class.code, [&](const Instruction& instruction, std::uint64_t times) {
        if (!sends(instruction.op) && !receives(instruction.op)) return;
        const std::span<const std::uint32_t> endpoints = endpoints_of(instruction, rank_class);
        if (chooses(instruction.op)) return taken.add(endpoints, times, instruction.site);
        if (answers(instruction.op)) return answered.add(endpoints, times, instruction.site);
        (sends(instruction.op) ? ends.sends : ends.receives)[endpoints.front()].add(times, instruction.site);
    });
    ends.taken = taken.take();
    ends.answered = answered.take();
    for (std::size_t i = 0; i < ends.sends.size(); ++i) ends.sent[rank_class.send_endpoints[i]] = ends.sends[i].count;
    for (std::size_t i = 0; i < ends.receives.size(); ++i)
        ends.received[rank_class.receive_endpoints[i]] = ends.receives[i].count;
    for (const Group& group : ends.taken) {
        for (const std::uint32_t each : group.endpoints) ends.is_taken[rank_class.receive_endpoints[each]] = true;
    }
    for (const Group& group : ends.answered) {
        for (const std::uint32_t each : group.endpoints) ends.is_answered[rank_class.send_endpoints[each]] = true;
    }
    return ends;
}

class Comparison {
public:
    explicit Comparison(const Program& program) : program_(program) {
        for (const RankClass& rank_class : program.classes) ends_.push_back(ends_of(rank_class));
    }

    std::vector<Mismatch> run(std::size_t limit) {
        std::vector<Mismatch> found;
        for (std::uint32_t index = 0; index < program_.class_of.size() && found.size() < limit; ++index) {
            const RankClass& rank_class = program_.of(Rank{index});
            const Ends& ends = ends_[program_.class_of[index]];
            for (std::size_t i = 0; i < ends.sends.size(); ++i) {
                add_send(found, Rank{index}, rank_class.send_endpoints[i], ends.sends[i]);
            }
            for (std::size_t i = 0; i < ends.receives.size(); ++i) {
                add_receive(found, Rank{index}, rank_class.receive_endpoints[i], ends.receives[i]);
            }
            for (const Group& group : ends.taken) add_group(found, Rank{index}, group, false);
            for (const Group& group : ends.answered) add_group(found, Rank{index}, group, true);
        }
        found.resize(std::min(found.size(), limit));
        return found;
    }

private:
    /// The peer's ends; nullptr if there is no such rank.
    const Ends* peer_ends(Rank rank, std::int32_t delta) const {
        const std::int64_t peer = std::int64_t{rank.index} + delta;
        if (peer < 0 || peer >= static_cast<std::int64_t>(program_.class_of.size())) return nullptr;
        return &ends_[program_.class_of[static_cast<std::size_t>(peer)]];
    }

    template <class Value>
    static Value at(const std::map<Channel, Value>& values, const Channel& channel) {
        const auto found = values.find(channel);
        return found == values.end() ? Value{} : found->second;
    }
    static Channel opposite(const Channel& channel) { return {-channel.delta, channel.tag}; }

    void add_send(std::vector<Mismatch>& found, Rank rank, const Channel& channel, const Side& side) const {
        const Ends* peer = peer_ends(rank, channel.delta);
        const bool any = at(ends_[program_.class_of[rank.index]].is_answered, channel) ||
                         (peer && at(peer->is_taken, opposite(channel)));
        if (any) return;
        const std::uint64_t received = peer ? at(peer->received, opposite(channel)) : 0;
        if (received != side.count) found.push_back({rank, channel, true, side.site, side.count, received});
    }

    /// If the peer sends on the channel, the peer's own entry reports the difference.
    void add_receive(std::vector<Mismatch>& found, Rank rank, const Channel& channel, const Side& side) const {
        const Ends* peer = peer_ends(rank, channel.delta);
        if (at(ends_[program_.class_of[rank.index]].is_taken, channel)) return;
        if (peer && at(peer->is_answered, opposite(channel))) return;
        if (side.count > 0 && (!peer || at(peer->sent, opposite(channel)) == 0)) {
            found.push_back({rank, channel, false, side.site, side.count, 0});
        }
    }

    /// Messages of a group are compared in sum; not where the partner's are decided by the run as well.
    void add_group(std::vector<Mismatch>& found, Rank rank, const Group& group, bool sends) const {
        const RankClass& rank_class = program_.of(rank);
        const Ends& own = ends_[program_.class_of[rank.index]];
        const std::vector<Channel>& channels = sends ? rank_class.send_endpoints : rank_class.receive_endpoints;
        std::uint64_t count = group.any.count;
        std::uint64_t peer_count = 0;
        for (const std::uint32_t each : group.endpoints) {
            const Channel other = opposite(channels[each]);
            const Ends* peer = peer_ends(rank, channels[each].delta);
            if (peer && at(sends ? peer->is_taken : peer->is_answered, other)) return;
            count = checked_sum(count, (sends ? own.sends : own.receives)[each].count);
            if (peer) peer_count = checked_sum(peer_count, at(sends ? peer->received : peer->sent, other));
        }
        if (count == peer_count) return;
        found.push_back({rank, channels[group.endpoints.front()], sends, group.any.site, count, peer_count, true});
    }

    const Program& program_;
    std::vector<Ends> ends_;  // by class
};

}  // namespace

std::vector<Mismatch> mismatches(const Program& program, std::size_t limit) { return Comparison(program).run(limit); }

}  // namespace warpfront::program
