#include "simulator/engine/rest/rests.hpp"

#include <algorithm>
#include <utility>

#include "simulator/engine/stepping/links.hpp"

namespace warpfront::engine {

bool Rests::apply(const Layout& layout, const Channels& channels) {
    const bool adaptive = layout.routes != nullptr && layout.routes->routing == machine::Routing::adaptive;
    const bool plain =
        !adaptive && !layout.eager_limit && !layout.links.circuit && !layout.memory.shared && !layout.mixed_link_use;
    const bool collectives_wait = layout.collective_steps > 0 && layout.soonest_collective <= layout.lookahead;
    if (!plain || collectives_wait || layout.nodes > kMostNodesAtRest || !has_many_tiles(layout.code)) {
        return false;
    }
    for (std::uint32_t end = layout.first_collective_receive_endpoint; end < channels.needs_post_notice.size(); ++end) {
        if (channels.needs_post_notice[end]) return false;
    }
    return true;
}

Rests::Rests(const Observed& machine, const Channels& channels)
    : machine_(machine),
      layout_(machine.layout),
      state_(machine.state),
      watch_(machine.layout, machine.state, channels),
      resting_(machine.layout.nodes) {}

void Rests::begin() {
    for (const auto& each : machine_.partitions) each->watch(watch_, resting_);
}

bool Rests::settle(std::int64_t granted, bool wakes_all) {
    put_to_rest();
    for (const auto& each : machine_.partitions) {
        if (!begun_.empty()) intercept(*each);
        for (const NodeEvent& event : each->context.unexpected) take(event);
        each->context.unexpected.clear();
    }
    for (const std::uint32_t node : begun_) send_due(node, granted);
    for (const std::uint32_t node : begun_) align(node);
    for (const std::uint32_t node : begun_) stay(node, granted);
    for (const auto& each : machine_.partitions) {
        for (const std::uint32_t node : each->context.acted) stay(node, granted);
        each->context.acted.clear();
    }
    find_crossings();
    for (std::uint32_t node = 0; wakes_all && resting_.count() > 0 && node < layout_.nodes; ++node) want_awake(node);
    return wake_wanted(granted);
}

void Rests::put_to_rest() {
    begun_.clear();
    for (const auto& each : machine_.partitions) {
        for (auto& [node, rest] : each->context.begun) {
            resting_.put(node, std::move(rest));
            begun_.push_back(node);
        }
        each->context.begun.clear();
    }
    std::sort(begun_.begin(), begun_.end());
}

/// Messages of collectives are known one phase before they take their links.
void Rests::find_crossings() {
    for (const auto& each : machine_.partitions) {
        for (const std::uint32_t send_endpoint : each->context.collectives_begun) cross(send_endpoint, true);
        each->context.collectives_begun.clear();
    }
    for (const auto& each : machine_.partitions) {
        for (const std::uint32_t send_endpoint : each->context.collectives_left) cross(send_endpoint, false);
        each->context.collectives_left.clear();
    }
}

void Rests::cross(std::uint32_t send_endpoint, bool begun) {
    find_route(layout_, state_, send_endpoint, route_);
    for (const machine::LinkId link : route_) {
        const std::uint32_t server = layout_.link_server[link.index];
        if (server >= layout_.hot_state_of(layout_.nodes)) continue;
        const std::uint32_t node = server / layout_.hot.stride;
        if (begun) {
            ++watch_.crossings(node);
            want_awake(node);
        } else {
            --watch_.crossings(node);
        }
    }
}

/// Events of the phase that were sent to nodes before these came to rest.
void Rests::intercept(Partition& from) {
    for (std::vector<RemoteEvent>& box : from.sent()) {
        std::int64_t link_delay = 0;
        std::size_t kept = 0;
        for (std::size_t k = 0; k < box.size(); ++k) {
            const RemoteEvent event = box[k];
            const NodeEvent full = from.protocol.between_nodes(event, link_delay);
            if (!resting_.at_rest(full.to)) {
                box[kept++] = event;
            } else if (event.kind == RemoteEvent::delay) {
                link_delay = event.time;
            } else {
                link_delay = 0;
                from.context.unexpected.push_back(full);
            }
        }
        box.resize(kept);
    }
}

/// Streams between this node and others at rest of which both ends expect the same.
void Rests::align(std::uint32_t node) {
    Rest& rest = *resting_.rest(node);
    const auto join = [&](Stream& own, std::uint32_t other, bool out) {
        Rest* const peer = resting_.rest(other);
        if (other == node || peer == nullptr || peer->length != rest.length || rest.wakes || peer->wakes) return;
        Stream* const theirs = find_stream(out ? peer->in : peer->out, own.next);
        if (theirs == nullptr || theirs->broken || !(theirs->next == own.next)) return;
        own.implicit = theirs->implicit = true;
    };
    for (Stream& stream : rest.in) join(stream, stream.next.from, false);
    for (Stream& stream : rest.out) join(stream, stream.next.to, true);
}

/// An event for a node at rest.
void Rests::take(const NodeEvent& event) {
    if (resting_.take(event)) return;
    resting_.rest(event.to)->unexpected.push_back(event);
    want_awake(event.to);
}

/// From a node at rest, or one that was.
void Rests::deliver(const NodeEvent& event) {
    if (resting_.at_rest(event.to)) {
        take(event);
        return;
    }
    Partition& from = partition(event.from == kNone ? event.to : event.from);
    from.context.note_effect(event);
    from.context.push(event, from.sent()[machine_.partition_of[event.to]]);
}

void Rests::send_due(std::uint32_t node, std::int64_t granted) {
    sent_again_.clear();
    resting_.rest(node)->send_due(granted, sent_again_);
    for (const NodeEvent& event : sent_again_) deliver(event);
}

/// The node stays at rest, unless an event has not come or its loop has ended.
void Rests::stay(std::uint32_t node, std::int64_t granted) {
    const Rest* const rest = resting_.rest(node);
    if (rest == nullptr || rest->wakes) return;
    const bool all_came = std::none_of(rest->in.begin(), rest->in.end(),
                                       [&](const Stream& stream) { return rest->is_due(stream, granted); });
    if (all_came && rest->end >= granted) {
        schedule(node);
    } else {
        want_awake(node);
    }
}

/// The node is looked at when the next thing is to be done for it.
void Rests::schedule(std::uint32_t node) {
    Rest& rest = *resting_.rest(node);
    const std::int64_t action = rest.next_action();
    if (action == rest.action) return;
    rest.action = action;
    partition(node).act_at(action, node);
}

}  // namespace warpfront::engine
