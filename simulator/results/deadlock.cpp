#include "simulator/results/deadlock.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/results/formatting.hpp"

namespace warpfront::results {

namespace {

using record::Blocked;

constexpr std::size_t kMostShown = 12;

/// The wait-for graph, sorted by rank.
class WaitFor {
public:
    explicit WaitFor(std::span<const Blocked> blocked) : blocked_(blocked.begin(), blocked.end()) {
        std::ranges::sort(blocked_, [](const Blocked& a, const Blocked& b) { return a.rank < b.rank; });
    }

    std::size_t size() const { return blocked_.size(); }
    const Blocked& operator[](std::size_t at) const { return blocked_[at]; }

    /// Returns the index of `rank` among the blocked ranks; size() if it is not blocked.
    std::size_t find(Rank rank) const {
        const auto at = std::ranges::lower_bound(blocked_, rank, {}, &Blocked::rank);
        return at == blocked_.end() || at->rank != rank ? size() : static_cast<std::size_t>(at - blocked_.begin());
    }

private:
    std::vector<Blocked> blocked_;
};

/// Returns the cycle as indices. If there is none, returns an empty list and sets `chain` to the chain of the lowest
/// rank.
std::vector<std::size_t> find_cycle(const WaitFor& graph, std::vector<std::size_t>& chain) {
    constexpr std::size_t kUnseen = static_cast<std::size_t>(-1);
    std::vector<std::size_t> walk_of(graph.size(), kUnseen);
    for (std::size_t start = 0; start < graph.size(); ++start) {
        std::vector<std::size_t> path;
        std::size_t at = start;
        while (at != graph.size() && walk_of[at] == kUnseen) {
            walk_of[at] = start;
            path.push_back(at);
            at = graph.find(graph[at].peer);
        }
        if (at != graph.size() && walk_of[at] == start) {
            path.erase(path.begin(), std::ranges::find(path, at));
            std::rotate(path.begin(), std::ranges::min_element(path), path.end());
            return path;
        }
        if (start == 0) chain = path;
    }
    return {};
}

std::string line(const Blocked& blocked, const program::Program& program) {
    std::string text =
        fmt::format("\n  {} waits{}", rank_text(blocked.rank, program), in_statement(blocked.site, program));
    text += ' ' + wanted(blocked);
    if (blocked.what != Blocked::What::collective && blocked.tag >= 0) text += fmt::format(", tag {}", blocked.tag);
    return blocked.since ? text + fmt::format(", since {}", duration(*blocked.since)) : text;
}

std::string describe_cycle(const WaitPath& cycle, std::size_t blocked, const program::Program& program) {
    const std::size_t shown = std::min(kMostShown, cycle.members.size());
    const std::string cause = cycle.members.size() == 1
                                  ? "1 rank waits for itself"
                                  : counted(cycle.members.size(), "rank") + " wait for each other";
    std::string text = fmt::format("deadlock: {}; {} blocked in all", cause, counted(blocked, "rank"));
    for (std::size_t at = 0; at < shown; ++at) text += line(cycle.members[at], program);
    if (shown < cycle.members.size()) {
        text += fmt::format("\n  ... and {} more; the last of them waits for rank {}", cycle.members.size() - shown,
                            cycle.members[0].rank.index);
    }
    return text + "\n  " + remedy(cycle);
}

std::string describe_chain(const WaitPath& chain, std::size_t blocked, const program::Program& program) {
    const std::size_t hidden = chain.members.size() - std::min(kMostShown, chain.members.size());
    const Rank finished = chain.members.back().peer;
    std::string text =
        fmt::format("deadlock: {} for a rank that has finished; {} blocked in all",
                    chain.members.size() == 1 ? "1 rank waits" : counted(chain.members.size(), "rank") + " wait",
                    counted(blocked, "rank"));
    if (hidden > 0) text += fmt::format("\n  ... {} more ranks wait for those that follow", hidden);
    for (std::size_t at = hidden; at < chain.members.size(); ++at) text += line(chain.members[at], program);
    return text + fmt::format("\n  {} has finished", rank_text(finished, program));
}

}  // namespace

WaitPath wait_path(std::span<const Blocked> blocked) {
    const WaitFor graph(blocked);
    std::vector<std::size_t> members;
    std::vector<std::size_t> cycle = find_cycle(graph, members);
    WaitPath path{{}, !cycle.empty()};
    if (path.is_cycle) members = std::move(cycle);
    for (const std::size_t member : members) path.members.push_back(graph[member]);
    return path;
}

std::string wanted(const Blocked& blocked) {
    if (blocked.partners > 1) {
        return fmt::format("for any of {} messages, such as that of rank {}", blocked.partners, blocked.peer.index);
    }
    return fmt::format("for rank {}{}", blocked.peer.index, blocked.what == Blocked::What::send ? " to receive" : "");
}

std::string remedy(const WaitPath& path) {
    if (!path.is_cycle) return {};
    const auto waits_in = [&](Blocked::What what) {
        return std::ranges::any_of(path.members, [what](const Blocked& each) { return each.what == what; });
    };
    const bool sends = waits_in(Blocked::What::send);
    const bool receives = waits_in(Blocked::What::recv);
    if (waits_in(Blocked::What::collective)) {
        return sends || receives ? "expected the collective and the messages in the same order on all these ranks"
                                 : "expected the collectives in the same order on all these ranks";
    }
    if (!sends) {
        return path.members.size() == 1 ? "expected an `isend` to the rank itself before it receives"
                                        : "expected one of these ranks to send before it receives";
    }
    constexpr std::string_view kWhy = "these sends end only once their messages are received";
    if (path.members.size() == 1) return fmt::format("{}: expected an `irecv` before the send, or an `isend`", kWhy);
    if (!receives)
        return fmt::format("{}: expected one of these ranks to receive first, or `isend` or `sendrecv`", kWhy);
    return fmt::format("{}: expected sends and receives in the same order on both sides, or `isend`", kWhy);
}

std::string describe_deadlock(std::span<const Blocked> blocked, const program::Program& program) {
    if (blocked.empty()) return {};
    const WaitPath path = wait_path(blocked);
    return path.is_cycle ? describe_cycle(path, blocked.size(), program)
                         : describe_chain(path, blocked.size(), program);
}

}  // namespace warpfront::results
