#include "simulator/program/mismatches.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>

#include "simulator/program/execution.hpp"

namespace warpfront::program {

namespace {

// Sends and receives.

struct Side {
    std::uint64_t count = 0;
    std::uint16_t site = 0;  // first statement that sends or receives on the channel

    void add(std::uint64_t times, std::uint16_t from) {
        if (count == 0) site = from;
        count = checked_sum(count, times);
    }
};

/// Endpoints whose messages can only be counted together, since the run determines which of them is used. If two
/// instructions share an endpoint, their endpoints form one group. `any` counts the messages of the group.
struct Group {
    std::vector<std::uint32_t> endpoints;
    Side any;
};

/// The number of messages of a class on each of its channels.
struct Ends {
    std::vector<Side> sends, receives;
    std::map<Channel, std::uint64_t> sent, received;
    /// groups of receive endpoints of recv_any and irecv_any, and of send endpoints of replies
    std::vector<Group> taken, answered;
    std::map<Channel, bool> is_taken, is_answered;
};

/// Collects groups of endpoints of one direction, sending or receiving.
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

    std::vector<std::uint32_t> root_;  // for each endpoint: another endpoint of its group, or the endpoint itself
    std::vector<Side> any_;            // messages of each group, stored at its root endpoint
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
        if (sends(instruction.op, Operand::reply)) return answered.add(endpoints, times, instruction.site);
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
    /// Returns the channels of the rank at distance `delta`; nullptr if there is no such rank.
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

    /// Adds a receive without a send. If the peer also sends on the channel, the mismatch is reported for the peer's
    /// send.
    void add_receive(std::vector<Mismatch>& found, Rank rank, const Channel& channel, const Side& side) const {
        const Ends* peer = peer_ends(rank, channel.delta);
        if (at(ends_[program_.class_of[rank.index]].is_taken, channel)) return;
        if (peer && at(peer->is_answered, opposite(channel))) return;
        if (side.count > 0 && (!peer || at(peer->sent, opposite(channel)) == 0)) {
            found.push_back({rank, channel, false, side.site, side.count, 0});
        }
    }

    /// Adds a mismatch if a group sends and receives different numbers of messages. Skips a group if the channel of a
    /// partner belongs to a group on the partner's side.
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
    std::vector<Ends> ends_;  // endpoints of each class
};

// Compares the allreduces of two classes in order, without expanding loops. Prefixes are compared by their polynomial
// hash modulo 2^61 - 1. The hash of a loop is a power, which is computed in logarithmic time. Equal sequences have
// equal hashes. Different sequences have equal hashes with a probability of about 10^-17.

constexpr std::uint64_t kModulus = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t kBase = 1'442'695'040'888'963'407 % kModulus;

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>(Wide{static_cast<std::int64_t>(a)} * static_cast<std::int64_t>(b) % kModulus);
}

struct Digest {
    std::uint64_t hash = 0;
    std::uint64_t power = 1;  // kBase to the power of the number of allreduces
};

Digest joined(const Digest& a, const Digest& b) {
    return {(product(a.hash, b.power) + b.hash) % kModulus, product(a.power, b.power)};
}

Digest repeated(Digest each, std::uint64_t times) {
    Digest all;
    for (; times > 0; times /= 2, each = joined(each, each)) {
        if (times % 2 == 1) all = joined(all, each);
    }
    return all;
}

struct Allreduce {
    std::int64_t bytes = 0;
    std::uint16_t site = 0;
};

/// An allreduce, or a loop that contains allreduces.
struct Step {
    Allreduce allreduce;
    std::vector<Step> body;  // the steps in a loop
    std::uint64_t times = 1;
    std::uint64_t count = 1;  // number of allreduces in one iteration
    Digest digest;            // digest of one iteration
};

class Sequence {
public:
    explicit Sequence(const RankClass& rank_class) {
        std::size_t at = 0;
        steps_ = block(rank_class.code, at);
        for (const Step& step : steps_) count_ = checked_sum(count_, checked_product(step.times, step.count));
    }

    std::uint64_t count() const { return count_; }
    Digest prefix(std::uint64_t length) const { return prefix(steps_, length); }

    const Allreduce& at(std::uint64_t index) const {
        const std::vector<Step>* steps = &steps_;
        for (std::size_t i = 0;;) {
            const Step& step = (*steps)[i];
            if (index >= step.times * step.count) {
                index -= step.times * step.count;
                ++i;
            } else if (step.body.empty()) {
                return step.allreduce;
            } else {
                index %= step.count;
                steps = &step.body;
                i = 0;
            }
        }
    }

private:
    static std::vector<Step> block(const std::vector<Instruction>& code, std::size_t& at) {
        std::vector<Step> steps;
        for (; at < code.size() && code[at].op != Op::end_loop; ++at) {
            const Instruction& now = code[at];
            Step step;
            if (now.op == Op::loop) {
                step.times = static_cast<std::uint64_t>(now.amount);
                step.body = block(code, ++at);
                if (step.body.empty()) continue;
                step.count = 0;
                for (const Step& each : step.body) {
                    step.count = checked_sum(step.count, checked_product(each.times, each.count));
                }
                step.digest = prefix(step.body, step.count);
            } else if (now.op == Op::allreduce) {
                step.allreduce = {now.amount, now.site};
                step.digest = {(static_cast<std::uint64_t>(now.amount) + 1) % kModulus, kBase};
            } else {
                continue;
            }
            steps.push_back(std::move(step));
        }
        return steps;
    }

    static Digest prefix(const std::vector<Step>& steps, std::uint64_t length) {
        Digest all;
        for (const Step& step : steps) {
            const std::uint64_t times = std::min(step.times, length / step.count);
            all = joined(all, repeated(step.digest, times));
            length -= times * step.count;
            if (times == step.times) continue;
            return length > 0 ? joined(all, prefix(step.body, length)) : all;
        }
        return all;
    }

    std::vector<Step> steps_;
    std::uint64_t count_ = 0;
};

/// Returns the length of the common prefix of two sequences of allreduces.
std::uint64_t common(const Sequence& a, const Sequence& b) {
    std::uint64_t same = 0;
    std::uint64_t beyond = std::min(a.count(), b.count()) + 1;
    while (beyond - same > 1) {
        const std::uint64_t middle = same + (beyond - same) / 2;
        (a.prefix(middle).hash == b.prefix(middle).hash ? same : beyond) = middle;
    }
    return same;
}

// Iterations closed by an allreduce.

/// The loops that `has_closed_iterations` requires: outermost loops of a class with one iteration of the code, and an
/// allreduce at its end, in each of their iterations.
struct Loops {
    bool all = true;  // true if the code outside of these loops has only work, allreduces and marks of phases
    std::vector<std::size_t> begins;
};

bool is_iteration(const std::vector<Instruction>& code, std::size_t begin) {
    const std::size_t end = code[begin].operand;
    const auto first = code.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = code.begin() + static_cast<std::ptrdiff_t>(end);
    const auto is_mark = [](const Instruction& each) { return each.op == Op::iteration; };
    return end >= begin + 3 && code[end - 1].op == Op::iteration && code[end - 2].op == Op::allreduce &&
           std::count_if(first, last, is_mark) == 1;
}

Loops loops_of(const std::vector<Instruction>& code) {
    Loops loops;
    for (std::size_t at = 0; at < code.size(); ++at) {
        const Op op = code[at].op;
        if (op == Op::loop && is_iteration(code, at)) {
            loops.begins.push_back(at);
            at = code[at].operand;
        } else if (!computes(op) && op != Op::allreduce && op != Op::phase && op != Op::finish) {
            loops.all = false;
        }
    }
    return loops;
}

/// Returns true if all messages are received after adding one iteration to every class's loop with this number.
bool is_closed(Program program, const std::vector<Loops>& loops, std::size_t number) {
    for (std::size_t k = 0; k < loops.size(); ++k) ++program.classes[k].code[loops[k].begins[number]].amount;
    return mismatches(program, 1).empty();
}

bool equal_trips(const Program& program, const std::vector<Loops>& loops, std::size_t number) {
    const auto iterations = [&](std::size_t k) { return program.classes[k].code[loops[k].begins[number]].amount; };
    for (std::size_t k = 1; k < loops.size(); ++k) {
        if (iterations(k) != iterations(0)) return false;
    }
    return true;
}

}  // namespace

std::vector<Mismatch> mismatches(const Program& program, std::size_t limit) { return Comparison(program).run(limit); }

std::optional<CollectiveMismatch> collective_mismatch(const Program& program) {
    const Sequence first(program.of(Rank{0}));
    std::vector<bool> seen(program.classes.size(), false);
    seen[program.class_of[0]] = true;
    for (std::uint32_t rank = 1; rank < program.class_of.size(); ++rank) {
        if (seen[program.class_of[rank]]) continue;
        seen[program.class_of[rank]] = true;
        const Sequence here(program.of(Rank{rank}));
        const std::uint64_t same = common(first, here);
        if (same == first.count() && same == here.count()) continue;
        CollectiveMismatch found;
        found.rank = Rank{rank};
        found.count_of_first = first.count();
        found.count = here.count();
        found.number = same + 1;
        if (same < first.count()) found.at_first = {first.at(same).site, Bytes{first.at(same).bytes}};
        if (same < here.count()) found.here = {here.at(same).site, Bytes{here.at(same).bytes}};
        return found;
    }
    return std::nullopt;
}

bool has_closed_iterations(const Program& program) {
    if (has_isend(program) || has_choices(program)) return false;
    std::vector<Loops> loops;
    for (const RankClass& rank_class : program.classes) {
        loops.push_back(loops_of(rank_class.code));
        if (!loops.back().all || loops.back().begins.size() != loops.front().begins.size()) return false;
    }
    if (loops.empty() || !mismatches(program, 1).empty()) return false;
    for (std::size_t number = 0; number < loops.front().begins.size(); ++number) {
        if (!equal_trips(program, loops, number) || !is_closed(program, loops, number)) return false;
    }
    return true;
}

}  // namespace warpfront::program
