// Grants of links, link by link along a route. The waits of messages for each link are summed in State::link_waits.
//
// Adaptive routing (machine/routes/routing.hpp) decides for each message when its links are granted, from the state of
// all links (UGAL: Singh 2005, "Load-balanced routing in interconnection networks"; UGAL-G of Kim, Dally, Scott & Abts
// 2008, "Technology-driven, highly-scalable dragonfly topology"). For a message that requests its links at time t,
//   cost of a route = sum over its links of max(0, time at which the link falls free - t) + links * link latency
// and the message takes its Valiant route only if that costs strictly less than the minimal route. It then arrives
// later by the additional latency of that route, and by the additional time of its slowest wire for the bytes (earlier,
// if that wire is faster). For a bundle of parallel links, the cost is that of the link that the first packet would
// take. Link requests of a machine are granted in one order, so the decision does not depend on threads; it depends
// only on times relative to t, so a recurring state of the machine decides in the same way (recurrence/recurrence.hpp).
// The messages of a channel may take different routes; they are still received in the order of their sends
// (MessageProtocol::arrive).
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

/// The sender of a message that takes a link, and the statement that sends it.
struct LinkUser {
    Rank rank;
    std::uint16_t site = 0;
};

inline LinkUser user_of(const LinkRequest& request) { return {request.order.rank, request.order.age.site}; }

/// Returns the link of the bundle that a packet of this rank takes, if it requests a link at `time`.
ServerId link_of_bundle(const Layout& layout, const State& state, ServerId first, Rank rank, std::int64_t time);

/// Grants a packet one of the parallel links of a bundle and returns the time of the grant, in picoseconds.
std::int64_t grant_bundle(const Layout& layout, State& state, ServerId first, Rank rank, std::int64_t time, Time hold);

/// Grants a packet the link whose first server is `first`, requested at `time`, for a service time `hold`. Returns the
/// time of the grant, in picoseconds. Throws TimeOverflow.
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

/// Grants a link to the packet of this number of a message. If the packet waits, the message's critical path continues
/// the path of the message that occupied the link before.
template <bool kPlain>
std::int64_t grant_link_on_path(const Layout& layout, State& state, ServerId first, const LinkUser& user,
                                std::int64_t time, const network::Packets& packets, std::int64_t packet = 0) {
    const Features<kPlain> run{layout, state};
    const Time hold = packets.of(packet);
    if (run.paths() == nullptr) [[likely]]
        return grant_link<kPlain>(layout, state, first, user, time, hold);
    const ServerId link = link_of_bundle(layout, state, first, user.rank, time);
    const std::int64_t granted = grant_link<kPlain>(layout, state, first, user, time, hold);
    run.paths()->hold(run.paths()->leaving(), link, {time, granted, {hold, {}}, packets.beyond(packet)},
                      PathPart::link);
    return granted;
}

/// The candidate routes of a message. A list of links contains the `minimal` links of the minimal route first; if
/// routing is adaptive, the links of the alternative route follow.
struct RouteCandidates {
    std::size_t minimal = 0;
    std::optional<machine::Detour> detour;
};
RouteCandidates find_routes(const Layout& layout, const State& state, SendEndpointId send_endpoint,
                            std::vector<machine::LinkId>& route);

/// The chosen route of a message; `extra_latency` is the additional latency if the longer route is chosen.
struct RouteChoice {
    bool detours = false;
    Time extra_latency;
};
/// Chooses the route of a message and leaves only the links of this route in `route`.
RouteChoice choose_route(const Layout& layout, const State& state, const LinkRequest& request,
                         const RouteCandidates& candidates, std::vector<machine::LinkId>& route);

/// The grant of a route: the time at which the last link is granted, and the additional flight time, without waiting,
/// compared with the minimal route.
struct RouteGrant {
    std::int64_t time = 0;
    Time detour;
};
/// Grants the links of the stored route of a message of one packet, which requests the first at `time`, each requested
/// when the previous one is granted. Returns the time at which the last is granted. Throws TimeOverflow.
template <bool kPlain>
std::int64_t grant_stored_route(const Layout& layout, State& state, SendEndpointId sender, const LinkUser& user,
                                std::int64_t time, CostId cost) {
    const network::Packets* const by_speed = &layout.packets[layout.size_of(cost).index * layout.speeds];
    for (const RouteLink& link : layout.stored_routes.of(sender)) {
        time = grant_link_on_path<kPlain>(layout, state, link.server, user, time, by_speed[link.speed]);
    }
    return time;
}

/// Grants the links of the route of a message of one packet that requests them. Throws TimeOverflow.
RouteGrant grant_route(PartitionContext& context, const LinkRequest& request);

}  // namespace warpfront::engine
