#include "simulator/engine/stepping/partition_context.hpp"

#include "simulator/engine/engine.hpp"

namespace warpfront::engine {

void PartitionContext::throw_overflow(std::uint32_t rank, std::uint16_t site) { throw TimeOverflow({rank}, site); }

void PartitionContext::send(const NodeEvent& event, bool recorded) {
    if (kept_back != nullptr) {
        kept_back->push_back(event);
        return;
    }
    if (recorded && event.from != kNone && watch->records(event.from)) watch->note(event.from, event);
    if (resting->at_rest(event.to)) {
        if (!resting->take(event)) unexpected.push_back(event);
        return;
    }
    note_effect(event);
    push(event, remote_events[partition_of == nullptr ? 0 : (*partition_of)[event.to]]);
}

bool PartitionContext::observe(std::uint32_t node, std::int64_t limit) {
    std::unique_ptr<Rest> rest;
    const bool recurs = watch->recurs(node, backlog, words);
    if (recurs && may_rest && !watch->is_crossed(node)) rest = watch->rest(node, spare_rests);
    if (rest == nullptr) {
        watch->record(node, words, spare_periods);
        return false;
    }
    watch->halt(node, spare_periods);
    rest->request_due(limit, link_requests);
    begun.emplace_back(node, std::move(rest));
    return true;
}

void PartitionContext::act(std::uint32_t node, std::int64_t limit) {
    Rest* const rest = resting->rest(node);
    if (rest == nullptr || rest->action >= limit) return;
    due.clear();
    rest->send_due(limit, due);
    for (const NodeEvent& event : due) send(event, false);
    rest->request_due(limit, link_requests);
    acted.push_back(node);
}

void PartitionContext::push(const NodeEvent& event, std::vector<RemoteEvent>& box) const {
    const bool data = event.kind == RemoteEvent::data;
    const std::int64_t delay = data ? event.time - event.cause - layout.costs[event.cost].flight.ps : 0;
    if (delay > 0) state.budget.push(box, RemoteEvent{delay, event.target, RemoteEvent::delay, 0});
    RemoteEvent pushed{.time = event.time, .target = event.target};
    pushed.kind = event.kind;
    pushed.cost = event.cost;
    state.budget.push(box, pushed);
}

std::uint64_t PartitionContext::bytes() const {
    std::uint64_t sum = backlog.bytes() + ready.capacity() * sizeof(std::uint32_t) +
                        requests.capacity() * sizeof(ResourceRequest) + link_requests.capacity() * sizeof(LinkRequest);
    for (const auto& box : remote_events) sum += box.capacity() * sizeof(RemoteEvent);
    return sum;
}

}  // namespace warpfront::engine
