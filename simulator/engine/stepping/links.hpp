// Grants links, one after another along a route. State::link_waits contains the total wait of messages for each link.
//
// With adaptive routing (machine/routes/routing.hpp), the route of each message is chosen when its links are granted,
// from the state of all links (UGAL: Singh 2005, "Load-balanced routing in interconnection networks"; UGAL-G of Kim,
// Dally, Scott & Abts 2008, "Technology-driven, highly-scalable dragonfly topology"). For a message that requests its
// links at time t,
//   cost of a route = sum over its links of max(0, time at which the link is free - t) + links * link latency
// A message takes its Valiant route only if it costs strictly less than the minimal route. The message then arrives
// later by the additional latency of this route, and by the additional time of its slowest wire for the bytes; it
// arrives earlier if that wire is faster. For a bundle of parallel links, the cost is that of the link that the first
// packet would take. All requests for links are granted in one order, so the choice does not depend on the number of
// threads. It depends only on times relative to t, so it is the same when the state of the machine recurs
// (recurrence/recurrence.hpp). The messages of a channel may take different routes; they are still received in the
// order in which they were sent (MessageProtocol::arrive).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "simulator/engine/recording/critical_paths.hpp"
#include "simulator/engine/recording/timeline_recorder.hpp"
#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/partition_context.hpp"

namespace warpfront::engine {

/// The sender of a message that uses a link, and the statement that sends it.
struct LinkUser {
    Rank rank;
    std::uint16_t site = 0;
};

inline LinkUser user_of(const LinkRequest& request) { return {request.order.rank, request.order.age.site}; }

/// Grants a packet one of the parallel links of a bundle. Returns the time of the grant in picoseconds.
std::int64_t grant_bundle(const Layout& layout, State& state, ServerId first, Rank rank, std::int64_t time, Time hold);

/// Grants a packet the link whose first server is `first`. The link is requested at `time` for the service time `hold`.
/// Returns the time of the grant in picoseconds. Throws TimeOverflow.
template <bool kPlain>
std::int64_t grant_link(const Layout& layout, State& state, ServerId first, const LinkUser& user, std::int64_t time,
                        Time hold) {
    const Features<kPlain> run{layout, state};
    const std::int64_t granted = layout.links.parallel == 1 ? state.servers[first].grant({time}, hold).ps
                                                            : grant_bundle(layout, state, first, user.rank, time, hold);
    if (run.timeline() != nullptr) [[unlikely]] {
        run.timeline()->hold(user.rank, record::Resource::link, granted, hold.ps);
    }
    if (granted > time) {
        std::int64_t& waits = state.link_waits[layout.link_of(first)];
        if (__builtin_add_overflow(waits, granted - time, &waits)) {
            PartitionContext::throw_overflow(user.rank, user.site);
        }
    }
    return granted;
}

/// Grants a link to a message of one packet. If the message waits, its critical path continues that of the message that
/// has occupied the link.
template <bool kPlain>
std::int64_t grant_link_to_message(const Layout& layout, State& state, ServerId first, const LinkUser& user,
                                   std::int64_t time, Time hold) {
    const Features<kPlain> run{layout, state};
    const std::int64_t granted = grant_link<kPlain>(layout, state, first, user, time, hold);
    if (run.paths() != nullptr) [[unlikely]] {
        run.paths()->hold(run.paths()->leaving(), first, {time, granted, {{hold.ps}, {}}}, PathPart::link);
    }
    return granted;
}

/// The routes that a message may take. The list begins with the links of the minimal route, of which there are
/// `minimal`. If routing is adaptive, the links of the alternative route follow.
struct RouteCandidates {
    std::size_t minimal = 0;
    std::optional<machine::Detour> detour;
};
RouteCandidates find_routes(const Layout& layout, const State& state, SendEndpointId send_endpoint,
                            std::vector<machine::LinkId>& route);

/// The chosen route of a message. `extra_latency` is its additional latency if it is the longer route.
struct RouteChoice {
    bool detours = false;
    Time extra_latency;
};
/// Chooses the route of a message. Then `route` contains only the links of this route.
RouteChoice choose_route(const Layout& layout, const State& state, const LinkRequest& request,
                         const RouteCandidates& candidates, std::vector<machine::LinkId>& route);

/// The grant of a route: when the last link is granted, and how much longer the flight takes than on the minimal route,
/// without waiting.
struct RouteGrant {
    std::int64_t time = 0;
    Time detour;
};
/// Grants the links of the stored route to a message of one packet. The first link is requested at `time`, and each
/// further link when the previous one is granted. Returns when the last link is granted. Throws TimeOverflow.
template <bool kPlain>
std::int64_t grant_stored_route(const Layout& layout, State& state, SendEndpointId sender, const LinkUser& user,
                                std::int64_t time, CostId cost) {
    const network::Packets* const by_speed = &layout.packets[layout.size_of(cost).index * layout.speeds];
    for (const RouteLink& link : layout.stored_routes.of(sender)) {
        time = grant_link_to_message<kPlain>(layout, state, link.server, user, time, by_speed[link.speed].last);
    }
    return time;
}

/// Grants the links of its route to a message of one packet. Throws TimeOverflow.
RouteGrant grant_route(PartitionContext& context, const LinkRequest& request);

}  // namespace warpfront::engine
