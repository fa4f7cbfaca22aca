// Which of a node's requests is granted next, where messages request too: begun ones that leave, and matches.
#include <algorithm>
#include <utility>

#include "simulator/engine/stepping/program_interpreter.hpp"

namespace warpfront::engine {

/// Whether a begun message of the node requests something before `limit`, and before `rank` does at `time`.
bool ProgramInterpreter::departure_is_next(std::uint32_t node, std::int64_t limit, std::int64_t time,
                                           std::uint32_t rank) const {
    const std::int64_t departs = protocol_.begun().first_request(node);
    return departs < limit && (departs < time || (departs == time && departs_before(node, rank)));
}

/// Whether an open receive of the node is matched before `limit`, and before `rank` requests something at `time`. Begun
/// messages come first; of matches that of the oldest statement.
bool ProgramInterpreter::match_is_next(std::uint32_t node, std::int64_t limit, std::int64_t time,
                                       std::uint32_t rank) const {
    const OpenReceives& open = protocol_.open_receives();
    const std::int64_t matched = open.first_time(node);
    if (matched >= std::min(limit, protocol_.begun().first_request(node))) return false;
    if (rank == kNone || matched != time) return matched < time;
    return is_match(rank) && open.first_is_before(node, age_of(layout_, state_.ranks[rank]), rank);
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

/// A message that its rank has begun and the request of a rank are for the same time.
bool ProgramInterpreter::departs_before(std::uint32_t node, std::uint32_t rank) const {
    return rank == kNone || is_match(rank) ||
           protocol_.begun().is_before(node, age_of(layout_, state_.ranks[rank]), rank);
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
    return {{request.time}, protocol_.begun().find(request.who)->age, {layout_.rank_of_send_endpoint(request.who)}};
}

}  // namespace warpfront::engine
