#include "simulator/engine/stepping/message_protocol.hpp"

#include <algorithm>
#include <utility>

#include "simulator/engine/stepping/prefetch.hpp"

namespace warpfront::engine {

MessageProtocol::MessageProtocol(PartitionContext& context)
    : context_(context),
      layout_(context.layout),
      state_(context.state),
      resources_(context),
      arrivals_(context),
      begun_(context),
      candidates_(context.layout) {}

/// Whether the post is known that the message has to wait for.
bool MessageProtocol::may_leave(SendEndpointId send_endpoint, const network::MessageCost& cost) const {
    return !cost.rendezvous || state_.send_endpoints[send_endpoint].has_post;
}

/// When the sender, whose o_send is over at `requested`, learns of that post.
std::int64_t MessageProtocol::leaves_at(SendEndpointId send_endpoint, std::int64_t requested,
                                        const network::MessageCost& cost) const {
    if (!cost.rendezvous) return requested;
    return std::max(state_.send_endpoints[send_endpoint].posted, requested + cost.request.ps) + cost.answer.ps;
}

Next MessageProtocol::send(Rank rank, RankLine& line, SendEndpointId send_endpoint, SizeId size) {
    const CostId cost = layout_.cost_of(size, state_.send_endpoint(send_endpoint).path);
    begin_message(send_endpoint, cost);
    return begin_send(rank, line, send_endpoint, cost);
}

/// The sender is notified where it may have to wait for the post.
void MessageProtocol::post(std::int64_t time, ReceiveEndpointId receive_endpoint) {
    const ReceiveEndpoint& head = state_.receive_endpoints[receive_endpoint];
    if (!head.needs_post_notice) return;
    if (state_.paths != nullptr) {
        state_.paths->post(head.send_endpoint, layout_.rank_of(receive_endpoint));
    }
    if (head.is_local) {
        accept_post(head.send_endpoint, time);
        return;
    }
    auto& events = context_.events_for(layout_.rank_of(head.send_endpoint), time + layout_.lookahead.ps);
    state_.budget.push(events, RemoteEvent::of_post(time, head.send_endpoint));
}

/// The sender learns of a post. If a message waits for this one, its acknowledgement comes one `answer` after both met.
void MessageProtocol::accept_post(SendEndpointId send_endpoint, std::int64_t posted) {
    state_.add_post(send_endpoint, posted);
    PostedSendEndpoint& out = state_.send_endpoints[send_endpoint];
    if (!out.blocked) return;
    BegunMessage* const begun = layout_.has_begun ? begun_.find(send_endpoint) : nullptr;
    const Rank rank = layout_.rank_of(send_endpoint);
    RankLine& line = state_.ranks[rank];
    const auto waiting = begun == nullptr ? DepartingMessage{rank, send_endpoint, line}
                                          : DepartingMessage{rank, send_endpoint, *begun, begun};
    if (!may_leave(send_endpoint, layout_.costs[waiting.requester.request_cost])) return;
    out.blocked = 0;
    meet(waiting);
    if (request_departure(waiting) == Next::go_on) context_.wake(rank, line);
}

void MessageProtocol::take(const std::vector<RemoteEvent>& events) {
    std::int64_t link_delay = 0;
    const EventPrefetcher ahead(layout_, state_, events);
    for (std::size_t k = 0; k < events.size(); ++k) {
        ahead.fetch(k);
        const RemoteEvent& event = events[k];
        switch (event.kind) {
            case RemoteEvent::post: accept_post(event.send_endpoint(), event.time); break;
            case RemoteEvent::delay: link_delay = event.time; break;
            case RemoteEvent::request: accept_request(event.receive_endpoint(), {event.time, event.number}); break;
            case RemoteEvent::data:
                arrive(event.receive_endpoint(), event.time, std::exchange(link_delay, 0), event.cost());
        }
    }
}

/// The head's data is known: the rank takes it when both are there.
Next MessageProtocol::receive(Rank rank, RankLine& line, ReceiveEndpointId receive_endpoint) {
    ReceiveEndpoint& head = state_.receive_endpoints[receive_endpoint];
    const std::int64_t waited = head.time - line.clock;
    if (state_.paths != nullptr) state_.paths->receive(rank, line, receive_endpoint, waited);
    if (waited > 0) {
        if (state_.timeline != nullptr) {
            const Delay delay = head.delayed ? state_.delays[receive_endpoint] : Delay{};
            record_wait(rank, line, head.time, delay, waited);
        }
        if (head.delayed && line.collective_position == 0) account_wait(rank, state_.delays[receive_endpoint], waited);
        line.clock = head.time;
    }
    if (state_.timeline != nullptr) state_.timeline->receive(rank, receive_endpoint, line.clock);
    const CostId cost = head.cost();
    if (layout_.has_choices) [[unlikely]]
        choices_.take(receive_endpoint);
    pop(receive_endpoint, head);
    return unpack(rank, line, cost);
}

void MessageProtocol::record_activity(Rank rank, const RankLine& line, record::Activity activity) {
    if (!state_.overheads.empty()) {
        Overheads& sum = state_.overheads[rank];
        const std::int64_t took = line.collective_position == 0 ? line.clock - sum.until : 0;
        if (activity == record::Activity::send) sum.send += took;
        if (activity == record::Activity::recv) sum.recv += took;
        sum.until = line.clock;
    }
    if (state_.timeline == nullptr) return;
    state_.timeline->advance(rank, activity, line.clock, layout_.code[line.at].site);
}

/// Counts, in the time that a receiver waited for its message, what the message waited at the NIC and at links.
void MessageProtocol::account_wait(Rank rank, const Delay& delay, std::int64_t waited) {
    const std::int64_t ejection = std::min(waited, delay.ejection);
    state_.ranks[rank].nic_wait += ejection;
    const std::int64_t links = std::min(waited - ejection, delay.link);
    if (links > 0) state_.statistics[rank].link_wait += links;
}

/// Records that wait in the timeline: what the message waited in the network comes last.
void MessageProtocol::record_wait(Rank rank, const RankLine& line, std::int64_t until, const Delay& delay,
                                  std::int64_t waited) {
    const std::int64_t ejection = std::min(waited, delay.ejection);
    const std::int64_t links = std::min(waited - ejection, delay.link);
    const std::uint16_t site = layout_.code[line.at].site;
    state_.timeline->advance(rank, record::Activity::wait, until - ejection - links, site);
    state_.timeline->advance(rank, record::Activity::link_wait, until - ejection, site);
    state_.timeline->advance(rank, record::Activity::nic_wait, until, site);
}

void MessageProtocol::pop(ReceiveEndpointId receive_endpoint, ReceiveEndpoint& head) {
    head.awaited = 0;
    head.delayed = 0;
    if (!head.queued) {
        set(head, ReceiveState::empty);
        if (head.in_choice) [[unlikely]]
            refresh_candidate(receive_endpoint);
        return;
    }
    bool more = false;
    const Backlog::Entry next = context_.backlog.pop(receive_endpoint, more);
    head.queued = more;
    head.time = next.time;
    head.set_cost(next.cost());
    set(head, next.in_flight ? ReceiveState::in_flight : ReceiveState::data);
    const bool of_collective = layout_.is_of_collective(receive_endpoint);
    if (!of_collective && (next.delay.link > 0 || next.delay.ejection > 0)) {
        head.delayed = 1;
        state_.delays[receive_endpoint] = next.delay;
    }
    if (head.in_choice) [[unlikely]]
        refresh_candidate(receive_endpoint);
}

}  // namespace warpfront::engine
