// Which of a node's requests is granted next, where messages request too: begun ones that leave, and matches.
#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "simulator/engine/stepping/program_interpreter.hpp"

namespace warpfront::engine {

/// Whether the node grants a departure, a match, or else what `next` says. A rank's own request comes before those of its
/// messages, and whatever is there at `limit` before all of that time.
ResourceRequest::Kind ProgramInterpreter::next_kind(std::uint32_t node, const NextRequest& next,
                                                    std::int64_t limit) const {
    using Kind = ResourceRequest::Kind;
    using Turn = std::tuple<std::int64_t, bool, network::Age, std::uint32_t>;  // time, whether it is a match, age, rank
    const BegunMessage* const begun = protocol_.begun().first(node);
    const std::optional<network::Order> match = protocol_.open_receives().first(node);
    if (begun == nullptr && !match) return Kind::of_rank;
    Kind kind = Kind::of_rank;
    Turn first{limit, false, {}, 0};
    if (next.rank != kNone) {
        const Turn turn{next.time, is_match(next.rank), age_of(layout_, state_.ranks[next.rank]), next.rank};
        first = std::min(first, turn);
    }
    if (begun != nullptr) {
        const Turn turn{begun->clock, false, begun->age, layout_.rank_of_send_endpoint(begun->send_endpoint)};
        if (turn < first) kind = Kind::departure;
        first = std::min(first, turn);
    }
    if (match && Turn{match->time.ps, true, match->age, match->rank.index} < first) kind = Kind::match;
    return kind;
}

/// The rank that is served next, where `next` has the first request of the node: a match follows all else of its time.
std::uint32_t ProgramInterpreter::before_matches(std::uint32_t node, const NextRequest& next) const {
    if (next.rank == kNone || !is_match(next.rank)) return next.rank;
    std::pair<network::Age, std::uint32_t> oldest{{~std::uint64_t{0}, 0xFFFF}, next.rank};
    for (std::uint32_t core = 0; core < layout_.cores; ++core) {
        if (state_.servers[layout_.hot_state_of(node) + core].free_at.ps != next.time) continue;
        const std::uint32_t rank = layout_.ranks_on[std::size_t{node} * layout_.cores + core];
        if (is_match(rank)) continue;
        oldest = std::min(oldest, std::pair(age_of(layout_, state_.ranks[rank]), rank));
    }
    return oldest.second;
}

network::Order ProgramInterpreter::order_of(const ResourceRequest& request) {
    using Kind = ResourceRequest::Kind;
    if (request.kind == Kind::ejection) return {{request.time}, {}, {request.who}};
    if (request.kind == Kind::match) {
        return {{request.time}, protocol_.open_receives().next(request.who).age, {request.who}};
    }
    if (request.kind == Kind::of_rank) {
        return {{request.time}, age_of(layout_, state_.ranks[request.who]), {request.who}};
    }
    return {{request.time}, protocol_.begun().all().at(request.who).age, {layout_.rank_of_send_endpoint(request.who)}};
}

}  // namespace warpfront::engine
