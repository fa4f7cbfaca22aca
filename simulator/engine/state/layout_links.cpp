#include "simulator/engine/state/layout_links.hpp"

#include <algorithm>

namespace warpfront::engine {

LinkOwners::LinkOwners(const program::Program& program, const machine::Machine& machine, const Layout& layout)
    : machine_(machine), layout_(layout) {
    if (!machine.links) return;
    owner_.resize(machine.routes.link_count());
    find_owners(program);
    number_own();
    find_speeds();
}

std::uint16_t LinkOwners::group_of(std::uint32_t rank) const {
    const std::uint32_t core = machine_.placement.core_of({rank});
    return machine_.nic ? layout_.nic_of_core[core] : layout_.bus_of_core[core];
}

void LinkOwners::find_owners(const program::Program& program) {
    const Layout& layout = layout_;
    const bool adaptive = machine_.routes.routing == machine::Routing::adaptive;
    std::vector<machine::LinkId> route;
    for (std::uint32_t rank = 0; rank < layout.ranks; ++rank) {
        for (const program::Channel& send_endpoint : program.of({rank}).send_endpoints) {
            const Rank peer{static_cast<std::uint32_t>(std::int64_t{rank} + send_endpoint.delta)};
            if (layout.node_of[rank] == layout.node_of[peer.index]) continue;
            route.clear();
            machine_.routes.append_links(machine_.nic_of({rank}), machine_.nic_of(peer), route);
            for (const machine::LinkId link : route) {
                Owner& owner = owner_[link.index];
                const bool first = owner.node == kNone;
                if (first) owner = {layout.node_of[rank], group_of(rank), false, 0, 0};
                ++owner.pairs;
                owner.shared = owner.shared || adaptive || route.size() > 1 || owner.node != layout.node_of[rank] ||
                               owner.group != group_of(rank);
            }
        }
    }
}

/// The first few of each node, in the order of links; what is too many is treated as shared.
void LinkOwners::number_own() {
    std::vector<std::uint8_t> own(layout_.nodes, 0);
    for (Owner& owner : owner_) {
        if (owner.node == kNone || owner.shared) continue;
        if (own[owner.node] == kRouted) {
            owner.shared = true;
            continue;
        }
        owner.number = own[owner.node]++;
        most_own_ = std::max<std::uint32_t>(most_own_, own[owner.node]);
    }
}

void LinkOwners::find_speeds() {
    for (std::uint32_t link = 0; link < owner_.size(); ++link) {
        const LinkSpeed speed{machine_.routes.gap({link}), arbitration(link)};
        const auto at = std::find(distinct_speeds_.begin(), distinct_speeds_.end(), speed);
        speeds_.push_back(static_cast<std::uint32_t>(at - distinct_speeds_.begin()));
        if (at == distinct_speeds_.end()) distinct_speeds_.push_back(speed);
    }
}

Time LinkOwners::arbitration(std::uint32_t link) const {
    const std::optional<machine::Arbitration>& arbitration = machine_.links->arbitration;
    if (!arbitration || owner_[link].pairs <= arbitration->pairs) return {};
    return network::times(arbitration->overhead, owner_[link].pairs - arbitration->pairs);
}

Time LinkOwners::arbitration(Rank from, Rank to) const {
    if (owner_.empty() || !machine_.links->arbitration) return {};
    std::vector<machine::LinkId> route;
    machine_.routes.append_links(machine_.nic_of(from), machine_.nic_of(to), route);
    Time most;
    for (const machine::LinkId link : route) most = std::max(most, arbitration(link.index));
    return most;
}

std::uint32_t LinkOwners::only_link(Rank from, Rank to) const {
    if (owner_.empty()) return kNone;
    std::vector<machine::LinkId> route;
    machine_.routes.append_links(machine_.nic_of(from), machine_.nic_of(to), route);
    return route.size() == 1 ? route.front().index : kNone;
}

std::uint32_t LinkOwners::own_link(Rank from, Rank to) const {
    const std::uint32_t link = only_link(from, to);
    if (link == kNone) return kRouted;
    const Owner& owner = owner_[link];
    const bool own = !owner.shared && owner.node == layout_.node_of[from.index] && owner.group == group_of(from.index);
    return own ? owner.number : kRouted;
}

std::uint32_t LinkOwners::speed_of_own(Rank from, Rank to) const { return speeds_[only_link(from, to)]; }

std::vector<std::uint32_t> LinkOwners::servers(const HotStateLayout& hot, std::uint32_t bundle) const {
    std::vector<std::uint32_t> first;
    first.reserve(owner_.size());
    std::uint32_t next = hot.stride * layout_.nodes;
    for (const Owner& owner : owner_) {
        if (owner.node != kNone && !owner.shared) {
            first.push_back(owner.node * hot.stride + hot.links + owner.number * bundle);
        } else {
            first.push_back(next);
            next += bundle;
        }
    }
    return first;
}

}  // namespace warpfront::engine
