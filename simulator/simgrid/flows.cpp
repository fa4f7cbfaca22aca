#include "simulator/simgrid/flows.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "simulator/simgrid/s4u.hpp"

namespace warpfront::reference {

namespace {

namespace s4u = simgrid::s4u;

constexpr double kBoundless = 1e18;  // bytes per second

double bandwidth_of(Gap gap) { return gap.seconds_per_byte > 0.0 ? 1.0 / gap.seconds_per_byte : kBoundless; }

/// Creates a link that flows share evenly, with a bandwidth of at most kBoundless.
s4u::Link* make_link(s4u::NetZone* zone, const std::string& name, double bandwidth) {
    return zone->create_link(name, std::min(bandwidth, kBoundless))->set_latency(0.0);
}

}  // namespace

Flows::Flows(const ChannelMap& channel_map, const machine::Machine& machine)
    : channel_map_(channel_map),
      machine_(machine),
      crossed_(shared_on_routes(machine)),
      zone_(s4u::create_full_zone("machine")) {
    for (std::uint32_t port = 0; port < channel_map.ports(); ++port) add_host();
    for (const auto& [from, to] : channel_map.pairs()) add_route(from, to);
    zone_->seal();
}

void Flows::add_host() {
    const std::size_t number = hosts_.size();
    hosts_.push_back(zone_->create_host(fmt::format("port-{}", number), 1e12));
    wires_.push_back(make_link(zone_, fmt::format("wire-{}", number), kBoundless));
    wires_.back()->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE);
    if (!crossed_.nic) return;
    nics_.push_back({make_link(zone_, fmt::format("out-{}", number), bandwidth_of(machine_.nic->injection)),
                     make_link(zone_, fmt::format("in-{}", number), bandwidth_of(machine_.nic->ejection))});
}

s4u::Link* Flows::link(machine::LinkId id) {
    s4u::Link*& found = links_[id];
    if (found == nullptr) {
        const double bandwidth = bandwidth_of(machine_.routes.gap(id)) * machine_.links->parallel;
        found = make_link(zone_, fmt::format("link-{}", id.index), bandwidth);
    }
    return found;
}

/// Returns the links of the platform on the route, if they are shared.
std::vector<machine::LinkId> Flows::links_between(Port from, Port to) const {
    std::vector<machine::LinkId> route;
    if (crossed_.links) machine_.routes.append_links(channel_map_.nic_of(from), channel_map_.nic_of(to), route);
    return route;
}

void Flows::add_route(Port from, Port to) {
    std::vector<s4u::LinkInRoute> route;
    if (crossed_.nic) route.emplace_back(nics_[from.index].out);
    for (const machine::LinkId id : links_between(from, to)) route.emplace_back(link(id));
    if (crossed_.nic) route.emplace_back(nics_[channel_map_.entered(from, to).index].in);
    if (route.empty()) route.emplace_back(wires_[from.index]);
    zone_->add_route(hosts_[from.index]->get_netpoint(), hosts_[to.index]->get_netpoint(), nullptr, nullptr, route,
                     false);
}

}  // namespace warpfront::reference
