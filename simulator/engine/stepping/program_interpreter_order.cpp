// Which of a node's requests is granted next, where messages request too: begun ones that leave, and matches.
#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "simulator/engine/stepping/program_interpreter.hpp"

namespace warpfront::engine {

/// Whether the node grants a departure, a match, or else what `next` says. A rank's own request comes before those of
/// its messages, and whatever is there at `limit` before all of that time.
ResourceRequest::Kind ProgramInterpreter::next_kind(Node node, const NextRequest& next, std::int64_t limit) const {
    using Kind = ResourceRequest::Kind;
    using Turn = std::tuple<std::int64_t, bool, network::Age, Rank>;  // time, whether it is a match, age, rank
    const BegunMessage* const begun = protocol_.begun().first(node);
    const std::optional<network::Order> match = protocol_.open_receives().first(node);
    if (begun == nullptr && !match) return Kind::of_rank;
    Kind kind = Kind::of_rank;
    Turn first{limit, false, {}, {}};
    if (next.rank != kNone) {
        const Turn turn{next.time, is_match(next.rank), age_of(layout_, state_.ranks[next.rank]), next.rank};
        first = std::min(first, turn);
    }
    if (begun != nullptr) {
        const Turn turn{begun->clock, false, begun->age, layout_.rank_of(begun->send_endpoint)};
        if (turn < first) kind = Kind::departure;
        first = std::min(first, turn);
    }
    if (match && Turn{match->time.ps, true, match->age, match->rank} < first) kind = Kind::match;
    return kind;
}

/// The rank that is served next, where `next` has the first request of the node: a match follows all else of its time.
Rank ProgramInterpreter::before_matches(Node node, const NextRequest& next) const {
    if (next.rank == kNone || !is_match(next.rank)) return next.rank;
    std::pair<network::Age, Rank> oldest{{~std::uint64_t{0}, 0xFFFF}, next.rank};
    for (const Core core : layout_.all_cores()) {
        if (state_.request_time(layout_.hot_state_of(node), core) != next.time) continue;
        const Rank rank = layout_.rank_on(node, core);
        if (is_match(rank)) continue;
        oldest = std::min(oldest, std::pair(age_of(layout_, state_.ranks[rank]), rank));
    }
    return oldest.second;
}

network::Order ProgramInterpreter::order_of(const ResourceRequest& request) {
    using Kind = ResourceRequest::Kind;
    if (request.kind == Kind::ejection) return {{request.time}, {}, {request.index}};
    if (request.kind == Kind::match) {
        return {{request.time}, protocol_.open_receives().next(request.rank()).age, request.rank()};
    }
    if (request.kind == Kind::of_rank) {
        return {{request.time}, age_of(layout_, state_.ranks[request.rank()]), request.rank()};
    }
    const SendEndpointId departs = request.send_endpoint();
    return {{request.time}, protocol_.begun().all().at(departs).age, layout_.rank_of(departs)};
}

}  // namespace warpfront::engine
