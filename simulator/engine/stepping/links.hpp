// Grants links, one after another along a route. State::link_waits contains the total wait of messages for each link.
//
// A message of one packet requests the first link when it leaves its node, and each further link when the previous link
// is granted. If it waits for a link, it requests the next one with a separate event, at the time of the grant. Until
// then, the next link stays free for other messages. So every link is granted in the order of requests. A message that
// waits nowhere is granted its whole route with one event.
//
// Adaptive routing (machine/routes/routing.hpp) decides for each message from the state of all links (UGAL: Singh 2005,
// "Load-balanced routing in interconnection networks"; UGAL-G of Kim, Dally, Scott & Abts 2008, "Technology-driven,
// highly-scalable dragonfly topology"). If both routes begin with the cable of the sender's host, the switch at the end
// of the cable decides, when the message (or its first packet) is granted the cable. Otherwise the host decides when
// the message leaves. Let t be this time. Then
//   cost of a route = sum over its links of max(0, time at which the link falls free - t) + links * link latency
// A link is occupied by the messages that have requested it before. The message takes its Valiant route only if that
// costs strictly less than the minimal route. It then arrives later by the additional latency of that route, and by the
// additional time of its slowest wire for the bytes (earlier, if that wire is faster). For a bundle of parallel links,
// the cost is that of the link that the first packet would take. Link requests of a machine are granted in one order,
// so the decision does not depend on threads; it depends only on times relative to t, so a recurring state of the
// machine decides in the same way (recurrence/recurrence.hpp). The messages of a channel may take different routes;
// they are still received in the order of their sends (ChannelLines).
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

/// Returns the link of the bundle that a packet of this rank takes, if it requests a link at `time`.
ServerId link_of_bundle(const Layout& layout, const State& state, ServerId first, Rank rank, std::int64_t time);

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

/// Grants a link to the packet of this number of a message. If the packet waits, the critical path of the message
/// continues that of the message that has occupied the link.
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

/// The routes that a message may take. The list begins with the links of the minimal route, of which there are
/// `minimal`. If routing is adaptive, the links of the alternative route follow.
struct RouteCandidates {
    std::size_t minimal = 0;
    std::optional<machine::Detour> detour;
};
RouteCandidates find_routes(const Layout& layout, const State& state, SendEndpointId send_endpoint,
                            std::vector<machine::LinkId>& route);

/// Returns true if the switch after the first link decides the route, and the message does not have this link yet.
bool is_decided_by_switch(const LinkRequest& request, const RouteCandidates& candidates,
                          const std::vector<machine::LinkId>& route);
/// Decides the route of the message, unless this has been done. Then `route` contains only the links of this route.
void choose_route(const Layout& layout, const State& state, LinkRequest& request, const RouteCandidates& candidates,
                  std::vector<machine::LinkId>& route);

/// Grants the next links of the route to a message of one packet, up to the first link for which it waits. This link is
/// granted too. Sets the time of the request to the grant of the last of these links. Returns true if the whole route
/// is granted. Throws TimeOverflow.
bool grant_next_links(PartitionContext& context, LinkRequest& request);

}  // namespace warpfront::engine
