#include "simulator/engine/stepping/event_order.hpp"

namespace warpfront::engine {

EventOrder::Place EventOrder::place_of(EventId id) const {
    const auto kind = static_cast<std::uint32_t>(id.kind());
    switch (id.kind()) {
        case EventKind::acknowledge:
        case EventKind::leave: return {1, {}, 0, kind, id.index()};
        case EventKind::end_of_block: return {1, age_of(layout_, state_.ranks[id.rank()]), id.index(), kind, 0};
        case EventKind::arrival: {
            const ReceiveEndpointId at = id.receive_endpoint();
            if (layout_.is_of_collective(at)) return {2, {1, 0}, 0, kind, at.index};
            const auto& numbers = layout_.receive_endpoint_numbers;
            return {2, {}, numbers.rank_of(at).index, kind, numbers.place_of(at)};
        }
        case EventKind::request: return {3, age_of(layout_, state_.ranks[id.rank()]), id.index(), kind, 0};
        case EventKind::departure: {
            const SendEndpointId departs = id.send_endpoint();
            return {3, begun_.all().at(departs).age, layout_.rank_of(departs).index, kind,
                    layout_.send_endpoint_numbers.place_of(departs)};
        }
        case EventKind::links: {
            const LinkRequest& request = link_requests_[id.index()];
            return {layout_.has_lookahead ? 5U : 3U, request.order.age, request.order.rank.index, kind, request.number};
        }
        case EventKind::revocable: {
            const RevocableEvent& event = revocable_[id.index()];
            const std::uint32_t turn = event.kind != RevocableEvent::Kind::end_of_block ? 4 : 3;
            return {layout_.progress_in_calls && turn == 3 ? 1 : turn, event.age, event.rank.index, kind,
                    static_cast<std::uint32_t>(event.kind)};
        }
    }
    return {};
}

}  // namespace warpfront::engine
