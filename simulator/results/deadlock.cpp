#include "simulator/results/deadlock.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "simulator/results/formatting.hpp"
#include "simulator/results/statement.hpp"

namespace warpfront::results {

namespace {

using record::Blocked;

constexpr std::size_t kMostShown = 12;

/// The wait-for graph, sorted by rank.
class WaitFor {
public:
    explicit WaitFor(std::span<const Blocked> blocked) : blocked_(blocked.begin(), blocked.end()) {
        std::sort(blocked_.begin(), blocked_.end(), [](const Blocked& a, const Blocked& b) { return a.rank < b.rank; });
    }

    std::size_t size() const { return blocked_.size(); }
    const Blocked& operator[](std::size_t at) const { return blocked_[at]; }

    /// The index of `rank` among the blocked ranks; size() if it is not blocked.
    std::size_t find(Rank rank) const {
        const auto at = std::lower_bound(blocked_.begin(), blocked_.end(), rank,
                                         [](const Blocked& each, Rank wanted) { return each.rank < wanted; });
        return at == blocked_.end() || at->rank != rank ? size() : static_cast<std::size_t>(at - blocked_.begin());
    }

private:
    std::vector<Blocked> blocked_;
};

struct WaitPath {
    std::vector<std::size_t> members;  // each waits for the next
    bool is_cycle = false;             // and the last waits for the first
};

/// The first cycle found by following the peers from each rank in turn; without a cycle, the chain of the lowest rank.
WaitPath find_path(const WaitFor& graph) {
    constexpr std::size_t kUnseen = static_cast<std::size_t>(-1);
    std::vector<std::size_t> walk_of(graph.size(), kUnseen);
    WaitPath first_chain;
    for (std::size_t start = 0; start < graph.size(); ++start) {
        std::vector<std::size_t> path;
        std::size_t at = start;
        while (at != graph.size() && walk_of[at] == kUnseen) {
            walk_of[at] = start;
            path.push_back(at);
            at = graph.find(graph[at].peer);
        }
        if (at != graph.size() && walk_of[at] == start) {
            path.erase(path.begin(), std::find(path.begin(), path.end(), at));
            std::rotate(path.begin(), std::min_element(path.begin(), path.end()), path.end());
            return {path, true};
        }
        if (start == 0) first_chain.members = path;
    }
    return first_chain;
}

std::string line(const Blocked& blocked, const program::Program& program) {
    std::string text =
        fmt::format("\n  {} waits{}", rank_text(blocked.rank, program), in_statement(blocked.site, program));
    text += fmt::format(" for rank {}", blocked.peer.index);
    if (blocked.what != Blocked::What::collective && blocked.tag >= 0) text += fmt::format(", tag {}", blocked.tag);
    return text + fmt::format(", since {}", duration(blocked.since));
}

std::string ranks(std::size_t count) { return count == 1 ? "1 rank" : fmt::format("{} ranks", count); }

std::string describe_cycle(const WaitFor& graph, const WaitPath& cycle, const program::Program& program) {
    const std::size_t shown = std::min(kMostShown, cycle.members.size());
    const std::string cause =
        cycle.members.size() == 1 ? "1 rank waits for itself" : ranks(cycle.members.size()) + " wait for each other";
    std::string text = fmt::format("deadlock: {}; {} blocked in all", cause, ranks(graph.size()));
    for (std::size_t at = 0; at < shown; ++at) text += line(graph[cycle.members[at]], program);
    if (shown < cycle.members.size()) {
        text += fmt::format("\n  ... and {} more, the last waits for rank {}", cycle.members.size() - shown,
                            graph[cycle.members[0]].rank.index);
    }
    return text;
}

std::string describe_chain(const WaitFor& graph, const WaitPath& chain, const program::Program& program) {
    const std::size_t hidden = chain.members.size() - std::min(kMostShown, chain.members.size());
    const Rank finished = graph[chain.members.back()].peer;
    std::string text = fmt::format("deadlock: {} for a rank that has finished; {} blocked in all",
                                   chain.members.size() == 1 ? "1 rank waits" : ranks(chain.members.size()) + " wait",
                                   ranks(graph.size()));
    if (hidden > 0) text += fmt::format("\n  ... {} more wait for those that follow", hidden);
    for (std::size_t at = hidden; at < chain.members.size(); ++at) text += line(graph[chain.members[at]], program);
    return text + fmt::format("\n  {} has finished", rank_text(finished, program));
}

}  // namespace

std::string describe_deadlock(std::span<const Blocked> blocked, const program::Program& program) {
    if (blocked.empty()) return {};
    const WaitFor graph(blocked);
    const WaitPath path = find_path(graph);
    return path.is_cycle ? describe_cycle(graph, path, program) : describe_chain(graph, path, program);
}

}  // namespace warpfront::results
