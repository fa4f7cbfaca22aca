// Links granted: link by link along a route, or, where links are circuits (machine::Links::circuit), all at once. What
// messages wait for each link is summed up in State::link_waits.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/remote_event.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/partition_context.hpp"

namespace warpfront::engine {

/// By a bundle of parallel links or for a message of several packets; returns when the link is granted.
std::int64_t grant_bundle(const Layout& layout, State& state, std::uint32_t first, const LinkRequest& request,
                          std::int64_t time, const network::Packets& packets);

/// The link whose first server is `first`, requested at `time`; returns when it is granted. Throws TimeOverflow.
inline std::int64_t grant_link(const Layout& layout, State& state, std::uint32_t first, const LinkRequest& request,
                               std::int64_t time, const network::Packets& packets) {
    const bool single = layout.links.parallel == 1 && packets.count == 1;
    const std::int64_t granted = single ? state.servers[first].grant({time}, packets.service).ps
                                        : grant_bundle(layout, state, first, request, time, packets);
    if (granted > time) {
        std::int64_t& waits = state.link_waits[layout.link_number(first)];
        if (__builtin_add_overflow(waits, granted - time, &waits)) {
            PartitionContext::throw_overflow(request.order.rank.index, request.order.age.site);
        }
    }
    return granted;
}

/// Grants the links of a message's route, each requested when the one before is granted; returns when the last is.
/// `route` is scratch memory. Throws TimeOverflow.
std::int64_t grant_route(const Layout& layout, State& state, const LinkRequest& request,
                         std::vector<machine::LinkId>& route);

/// `time`: when all links of the route are granted; where `granted` is false none is, and the last of them falls free.
struct Circuit {
    bool granted = false;
    std::int64_t time = 0;
};
Circuit grant_circuit(const Layout& layout, State& state, const LinkRequest& request,
                      std::vector<machine::LinkId>& route);

}  // namespace warpfront::engine
