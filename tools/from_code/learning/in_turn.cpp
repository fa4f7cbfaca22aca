#include "tools/from_code/learning/in_turn.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace warpfront::learning {

namespace {

/// Messages between the first rank and another one that are received in the order in which they are sent.
using Channel = std::tuple<bool, std::uint32_t, std::uint32_t, std::int32_t>;  // from the first rank, other, tag

/// A loop of the first rank over all others.
struct Turns {
    std::size_t begin = 0;              // on the first rank
    std::size_t count = 0;              // of messages in a turn
    std::vector<std::size_t> others{};  // by other rank, its first step of the turn
};

bool is_blocking(StepKind kind) { return kind == StepKind::send || kind == StepKind::recv; }

class TurnFinder {
public:
    explicit TurnFinder(std::vector<RankSteps>& ranks) : ranks_(ranks) {
        for (std::uint32_t rank = 1; rank < ranks.size(); ++rank) {
            const std::vector<Step>& steps = ranks[rank].steps;
            for (std::size_t at = 0; at < steps.size(); ++at) {
                if (!is_message(steps[at]) || steps[at].peer != Rank{0}) continue;
                messages_[channel(steps[at], rank, is_receive(steps[at].kind))].push_back(at);
            }
        }
        std::map<Channel, std::size_t> next;
        const std::vector<Step>& steps = ranks.front().steps;
        for (const Step& step : steps) {
            if (!is_message(step)) {
                partners_.push_back(0);
                continue;
            }
            const Channel own = channel(step, step.peer.index, is_send(step.kind));
            const std::size_t ordinal = next[own]++;
            const std::vector<std::size_t>& there = messages_[own];
            partners_.push_back(ordinal < there.size() ? there[ordinal] : 0);
        }
    }

    void take() {
        std::vector<Turns> all;
        for (std::size_t at = 0; at < ranks_.front().steps.size();) {
            const std::optional<Turns> turns = turns_at(at);
            if (turns) all.push_back(*turns);
            at += turns ? turns->count * (ranks_.size() - 1) : 1;
        }
        remove_other_calls(all);
        for (const Turns& each : all) mark(each);
        if (!all.empty()) shorten();
    }

private:
    static bool is_message(const Step& step) { return is_send(step.kind) || is_receive(step.kind); }
    static Channel channel(const Step& step, std::uint32_t other, bool from_first) {
        return {from_first, other, step.communicator, step.tag};
    }

    /// Returns the loop over all other ranks that begins at a step of the first rank.
    std::optional<Turns> turns_at(std::size_t begin) const {
        const std::vector<Step>& steps = ranks_.front().steps;
        std::size_t count = 0;
        while (begin + count < steps.size() && is_blocking(steps[begin + count].kind) &&
               steps[begin + count].peer == Rank{1}) {
            ++count;
        }
        Turns turns{begin, count};
        if (count == 0 || begin + count * (ranks_.size() - 1) > steps.size()) return std::nullopt;
        for (std::uint32_t rank = 1; rank < ranks_.size(); ++rank) {
            const std::size_t first = begin + count * (rank - 1);
            turns.others.push_back(partners_[first]);
            for (std::size_t at = 0; at < count; ++at) {
                if (!is_turn(steps[first + at], steps[begin + at], rank, partners_[first + at], partners_[first] + at))
                    return std::nullopt;
            }
        }
        return turns;
    }

    /// Returns true if a step of the first rank repeats a step of the first turn, and its partner is the expected step.
    bool is_turn(const Step& step, const Step& first, std::uint32_t rank, std::size_t partner,
                 std::size_t expected) const {
        if (step.kind != first.kind || step.site != first.site || step.phase != first.phase ||
            step.peer != Rank{rank} || partner != expected || expected >= ranks_[rank].steps.size()) {
            return false;
        }
        const Step& other = ranks_[rank].steps[expected];
        return is_blocking(other.kind) && other.kind != step.kind && other.peer == Rank{0};
    }

    /// Removes the loops whose calls have other messages as well, such as those between all neighbours.
    void remove_other_calls(std::vector<Turns>& all) const {
        std::set<std::uint32_t> others;
        while (true) {
            std::vector<std::set<std::size_t>> taken(ranks_.size());
            for (const Turns& each : all) {
                for (std::size_t at = 0; at < each.count * (ranks_.size() - 1); ++at) taken[0].insert(each.begin + at);
                for (std::size_t rank = 1; rank < ranks_.size(); ++rank) {
                    for (std::size_t at = 0; at < each.count; ++at) taken[rank].insert(each.others[rank - 1] + at);
                }
            }
            const std::size_t known = others.size();
            for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
                const std::vector<Step>& steps = ranks_[rank].steps;
                for (std::size_t at = 0; at < steps.size(); ++at) {
                    if (is_message(steps[at]) && !taken[rank].contains(at)) others.insert(steps[at].site);
                }
            }
            std::erase_if(all, [&](const Turns& each) { return has_call(each, others); });
            if (others.size() == known) return;
        }
    }

    bool has_call(const Turns& turns, const std::set<std::uint32_t>& calls) const {
        for (std::size_t at = 0; at < turns.count; ++at) {
            if (calls.contains(ranks_.front().steps[turns.begin + at].site)) return true;
            for (std::size_t rank = 1; rank < ranks_.size(); ++rank) {
                if (calls.contains(ranks_[rank].steps[turns.others[rank - 1] + at].site)) return true;
            }
        }
        return false;
    }

    /// Marks the steps of a loop; on the first rank those of the first turn stand for all turns.
    void mark(const Turns& turns) {
        const std::size_t turns_of_first = ranks_.size() - 1;
        std::vector<Step>& steps = ranks_.front().steps;
        for (std::size_t at = 0; at < turns.count; ++at) {
            const bool gathers = steps[turns.begin + at].kind == StepKind::recv;
            const std::uint32_t site = ranks_.back().steps[turns.others.back() + at].site;
            for (std::size_t rank = 1; rank < ranks_.size(); ++rank) {
                Step& step = ranks_[rank].steps[turns.others[rank - 1] + at];
                if (!gathers) step.bytes = steps[turns.begin + (rank - 1) * turns.count + at].bytes;
                put(ranks_[rank].steps, turns.others[rank - 1], at, gathers, site);
            }
            put(steps, turns.begin, at, gathers, site);
            steps[turns.begin + at].operations = static_cast<std::uint32_t>(turns_of_first);
        }
        for (std::size_t at = turns.count; at < turns.count * turns_of_first; ++at) {
            steps[turns.begin].work += steps[turns.begin + at].work;
            turned_.insert(turns.begin + at);
        }
    }

    static void put(std::vector<Step>& steps, std::size_t begin, std::size_t at, bool gathers, std::uint32_t site) {
        Step& step = steps[begin + at];
        step.kind = gathers ? StepKind::gather_in_turn : StepKind::scatter_in_turn;
        step.site = site;
        step.joined = at > 0;
        if (at > 0) steps[begin].work += std::exchange(step.work, Time{});
    }

    /// Removes the turns of the first rank after the first one.
    void shorten() {
        std::vector<Step> left;
        std::vector<std::uint32_t> moved;  // new index of each step
        const std::vector<Step>& steps = ranks_.front().steps;
        for (std::size_t at = 0; at < steps.size(); ++at) {
            moved.push_back(static_cast<std::uint32_t>(left.size()));
            if (turned_.contains(at)) continue;
            left.push_back(steps[at]);
            if (left.back().kind == StepKind::wait) left.back().begun = moved[left.back().begun];
        }
        ranks_.front().steps = std::move(left);
    }

    std::vector<RankSteps>& ranks_;
    std::map<Channel, std::vector<std::size_t>> messages_;  // steps of the other ranks
    std::vector<std::size_t> partners_;                     // by step of the first rank, the step of the other rank
    std::set<std::size_t> turned_;                          // steps of the first rank after the first turn
};

}  // namespace

void take_turns(std::vector<RankSteps>& ranks) {
    constexpr std::size_t kFewest = 3;
    if (ranks.size() >= kFewest) TurnFinder(ranks).take();
}

}  // namespace warpfront::learning
