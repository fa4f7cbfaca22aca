// How nodes at rest are woken: moved to the end of a period, then stepped to where the machine is.
#include <algorithm>
#include <utility>

#include "simulator/engine/rest/rests.hpp"

namespace warpfront::engine {

void Rests::want_awake(std::uint32_t node) {
    Rest* const rest = resting_.rest(node);
    if (rest == nullptr || rest->wakes) return;
    rest->wakes = true;
    waking_.push_back(node);
}

/// What a node sends once it is awake may wake others. False where none is to be woken.
bool Rests::wake_wanted(std::int64_t granted) {
    if (waking_.empty()) return false;
    while (!waking_.empty()) {
        woken_.swap(waking_);
        waking_.clear();
        std::sort(woken_.begin(), woken_.end());
        for (const std::uint32_t node : woken_) end_implicit(node, granted);
        for (const std::uint32_t node : woken_) wake(node, granted);
    }
    return true;
}

/// What nodes at rest took from each other up to now counts as taken by both.
void Rests::end_implicit(std::uint32_t node, std::int64_t granted) {
    Rest& rest = *resting_.rest(node);
    const auto part = [&](Stream& own, std::uint32_t other, bool out) {
        if (!own.implicit) return;
        Rest& peer = *resting_.rest(other);
        Stream& theirs = *find_stream(out ? peer.in : peer.out, own.next);
        const std::int64_t over = granted - own.next.cause;
        const std::int64_t events = over > 0 ? (over - 1) / rest.length + 1 : 0;
        rest.advance(own, events);
        peer.advance(theirs, events);
        own.implicit = theirs.implicit = false;
        if (!peer.wakes) schedule(other);
    };
    for (Stream& stream : rest.in) part(stream, stream.next.from, false);
    for (Stream& stream : rest.out) part(stream, stream.next.to, true);
}

void Rests::wake(std::uint32_t node, std::int64_t granted) {
    std::unique_ptr<Rest> rest = resting_.remove(node);
    std::int64_t periods = std::min(rest->periods, std::max<std::int64_t>(0, (granted - rest->begin) / rest->length));
    for (const Stream& stream : rest->in) periods = std::min(periods, stream.count);
    if (periods > 0) move(node, *rest, periods);
    watch_.resume(node, periods);
    replay(node, *rest, periods, granted);
    partition(node).context.spare_rests.push_back(std::move(rest));
}

/// The node's state, so many periods later.
void Rests::move(std::uint32_t node, const Rest& rest, std::int64_t periods) {
    const std::int64_t shift = periods * rest.length;
    const std::size_t hot = layout_.hot_state_of(node);
    const auto later = [shift](std::int64_t& time) {
        if (time != kHorizon.ps) time += shift;
    };
    for (std::uint32_t core = 0; core < layout_.cores; ++core) {
        const std::uint32_t rank = layout_.ranks_on[std::size_t{node} * layout_.cores + core];
        if (rank == kNone) continue;
        later(state_.request_time(hot, core));
        move_rank(rank, partition(node).context.backlog, shift, periods);
    }
    if (layout_.ejects) later(state_.arrival(layout_, node));
    for (std::uint32_t server = layout_.hot.buses; server < layout_.hot.used; ++server) {
        state_.servers[hot + server].free_at.ps += shift;
    }
    skip(node, rest, periods);
}

void Rests::move_rank(std::uint32_t rank, Backlog& backlog, std::int64_t shift, std::int64_t periods) {
    RankLine& line = state_.ranks[rank];
    line.clock += shift;
    partition(line.node).context.check_horizon(rank, line);
    watch_.trips_left(line) -= static_cast<std::uint32_t>(periods);
    add_waves(line, static_cast<std::uint64_t>(periods));
    for (std::uint32_t k = 0; k < layout_.receive_endpoint_numbers.room(rank); ++k) {
        const std::uint32_t end = layout_.receive_endpoint_numbers.at(rank, k);
        ReceiveEndpoint& head = state_.receive_endpoints[end];
        if (!is(head, ReceiveState::empty)) head.time += shift;
        if (!head.queued) continue;
        for (Backlog::Entry* at = backlog.first(end); at != nullptr; at = backlog.after(*at)) at->time += shift;
    }
    for (std::uint32_t k = 0; k < layout_.send_endpoint_numbers.room(rank); ++k) {
        state_.send_endpoints[layout_.send_endpoint_numbers.at(rank, k)].posted += shift;
    }
}

/// Counts what was not stepped.
void Rests::skip(std::uint32_t node, const Rest& rest, std::int64_t periods) {
    Skipped& skipped = machine_.skipped;
    if (skipped.waits.empty()) skipped.waits.resize(layout_.ranks);
    for (std::uint32_t core = 0; core < layout_.cores; ++core) {
        const std::uint32_t rank = layout_.ranks_on[std::size_t{node} * layout_.cores + core];
        if (rank == kNone) continue;
        const std::int64_t* const waits = &rest.waits[std::size_t{core} * 3];
        skipped.waits[rank].bus += Wide{waits[0]} * periods;
        skipped.waits[rank].nic += Wide{waits[1]} * periods;
        skipped.waits[rank].link += Wide{waits[2]} * periods;
        skipped.tiles_of_ranks += periods;
    }
    skipped.messages += rest.messages * static_cast<std::uint64_t>(periods);
    skipped.messages_in_sweeps += rest.messages * static_cast<std::uint64_t>(periods);
    const std::size_t of_ranks = std::size_t{layout_.cores} * 3;
    if (rest.waits.size() == of_ranks) return;
    if (skipped.link_waits.empty()) skipped.link_waits.resize(state_.link_waits.size());
    const std::size_t first = std::size_t{node} * layout_.own_links();
    for (std::size_t link = 0; of_ranks + link < rest.waits.size(); ++link) {
        skipped.link_waits[first + link] += Wide{rest.waits[of_ranks + link]} * periods;
    }
}

/// From the end of so many periods of its rest to `granted`.
void Rests::replay(std::uint32_t node, Rest& rest, std::int64_t periods, std::int64_t granted) {
    PartitionContext& context = partition(node).context;
    taken_again_.clear();
    taken_again_.swap(rest.unexpected);
    for (Stream& stream : rest.in) {
        const std::int64_t events = stream.count - periods;
        rest.advance(stream, -events);
        for (std::int64_t k = 0; k < events; ++k, rest.advance(stream, 1)) taken_again_.push_back(stream.next);
    }
    std::stable_sort(taken_again_.begin(), taken_again_.end(), [](const NodeEvent& a, const NodeEvent& b) {
        return std::pair(a.cause, a.time) < std::pair(b.cause, b.time);
    });
    sent_again_.clear();
    context.kept_back = &sent_again_;
    const bool own_links_at_once = std::exchange(context.own_links_at_once, true);  // no other message has taken them
    const std::int64_t known_until = std::max(context.known_until, granted);
    for (const NodeEvent& event : taken_again_) {
        step(node, std::min(event.cause, granted));
        box_.clear();
        context.push(event, box_);
        partition(node).protocol.take(box_);
    }
    step(node, granted);
    context.known_until = known_until;
    context.own_links_at_once = own_links_at_once;
    context.kept_back = nullptr;
    context.requests.clear();
    context.link_requests.clear();
    push_requests(node);
    send_rest(rest, periods);
}

/// What the node has sent since the end of these periods, without what was sent for it.
void Rests::send_rest(Rest& rest, std::int64_t periods) {
    for (Stream& stream : rest.out) {
        for (; stream.count < periods; rest.advance(stream, 1)) deliver(stream.next);  // before they came to their turn
        stream.count -= periods;
    }
    for (const NodeEvent& event : sent_again_) {
        Stream* const stream = find_stream(rest.out, event);
        if (stream != nullptr && stream->count > 0) {
            --stream->count;
        } else {
            deliver(event);
        }
    }
}

/// Steps a node that is awake again; of what others send it all is known that they did before `limit`.
void Rests::step(std::uint32_t node, std::int64_t limit) const {
    Partition& own = partition(node);
    own.context.known_until = limit;
    own.interpreter.run_until_quiescent();
    own.interpreter.serve_node(node, limit);
}

/// The wheel has forgotten those of a node that was at rest or was to be.
void Rests::push_requests(std::uint32_t node) {
    Partition& own = partition(node);
    const std::size_t hot = layout_.hot_state_of(node);
    for (std::uint32_t core = 0; core < layout_.cores; ++core) {
        const std::int64_t time = state_.request_time(hot, core);
        if (time != kHorizon.ps) own.serve_at(time, node);
        const std::uint32_t rank = layout_.ranks_on[std::size_t{node} * layout_.cores + core];
        for (std::uint32_t k = 0; rank != kNone && k < layout_.receive_endpoint_numbers.room(rank); ++k) {
            const ReceiveEndpoint& head = state_.receive_endpoints[layout_.receive_endpoint_numbers.at(rank, k)];
            if (head.awaited && is(head, ReceiveState::in_flight)) own.serve_at(head.time, node);
        }
    }
}

}  // namespace warpfront::engine
