#include "simulator/engine/state/layout_machine.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace warpfront::engine {

namespace {

constexpr std::uint32_t kMostRanksOfNode = 1 << 16;  // state.hpp: bits of Core
constexpr std::uint64_t kMostStoredLinks = 64;       // stored links of routes per rank, which need 512 B

}  // namespace

void lay_out_nodes(const machine::Machine& machine, Layout& layout) {
    const machine::Placement& placement = machine.placement;
    layout.nodes = placement.nodes();
    const std::vector<std::uint32_t> numbers = placement.cores_in_use();  // Core k is the k-th of these
    layout.cores = static_cast<std::uint32_t>(numbers.size());
    if (layout.cores > kMostRanksOfNode)
        throw std::length_error("a node holds more ranks than the engine can number (2^16)");
    layout.ranks_on.assign(std::size_t{layout.nodes} * layout.cores, kNone);
    const std::uint32_t per_server = machine.cores_of_each(std::max<std::uint32_t>(1, machine.node_servers()));
    const std::uint32_t per_nic = machine.cores_of_each(machine.nics());
    const bool cables = machine.routes.cabling.cables > 1;
    layout.rails = machine.routes.cabling.rails;
    for (const std::uint32_t number : numbers) {
        layout.server_of_core.push_back(static_cast<std::uint16_t>(number / per_server));
        layout.nic_of_core.push_back(static_cast<std::uint16_t>(number / per_nic));
    }
    for (const Rank rank : layout.all_ranks()) {
        const Node node = placement.node_of(rank);
        const auto at = std::lower_bound(numbers.begin(), numbers.end(), placement.core_of(rank));
        const Core core{static_cast<std::uint16_t>(at - numbers.begin())};
        layout.node_of.push_back(node);
        layout.ranks_on[std::size_t{node.index} * layout.cores + core.index] = rank;
        if (cables) layout.nic_of_rank.push_back(layout.nic_of_core[core]);
    }
    for (const Host host : placement.host_of) layout.host_of.push_back(host);
}

void lay_out_memory(const machine::Machine& machine, Layout& layout) {
    if (!machine.memory) return;
    const std::uint32_t each = machine.cores_of_each(machine.memory->count);
    const std::vector<std::uint32_t> numbers = machine.placement.cores_in_use();
    const auto first_from = [&](std::uint32_t number) {
        return static_cast<std::uint32_t>(std::lower_bound(numbers.begin(), numbers.end(), number) - numbers.begin());
    };
    layout.memory = {true, {}, machine::MemoryLaw::of(*machine.memory)};
    for (const std::uint32_t number : numbers) {
        const std::uint32_t memory = number / each;
        layout.memory.sharing.push_back({first_from(memory * each), first_from((memory + 1) * each)});
    }
    layout.shares = true;
}

LinkOwners::LinkOwners(const program::Program& program, const machine::Machine& machine, const Layout& layout)
    : machine_(machine), layout_(layout) {
    if (!machine.links) return;
    owner_.resize(machine.routes.link_count());
    share_along_routes(find_owners(program));
    number_own();
    find_speeds();
}

std::uint16_t LinkOwners::group_of(Rank rank) const {
    const std::uint32_t count =
        machine_.nic ? machine_.nic->count : std::max<std::uint32_t>(1, machine_.node_servers());
    return static_cast<std::uint16_t>(machine_.group_of(rank, count));
}

DisjointSets<machine::LinkId> LinkOwners::find_owners(const program::Program& program) {
    const Layout& layout = layout_;
    DisjointSets<machine::LinkId> joined(owner_.size());
    const bool adaptive = machine_.routes.routing == machine::Routing::adaptive;
    const bool parallel = machine_.links->parallel > 1;
    std::vector<machine::LinkId> route;
    for (const Rank rank : layout.all_ranks()) {
        for (const program::Channel& send_endpoint : program.of(rank).send_endpoints) {
            const Rank peer = program::peer_of(rank, send_endpoint);
            if (layout.node_of[rank] == layout.node_of[peer]) continue;
            find_route(rank, peer, route);
            machine::LinkId before = kNone;
            for (const machine::LinkId link : route) {
                Owner& owner = owner_[link];
                if (owner.node == kNone) {
                    owner.node = layout.node_of[rank];
                    owner.group = group_of(rank);
                    owner.before = before;
                    in_order_of_use_.push_back(link);
                }
                ++owner.pairs;
                joined.join(link, route.front());
                owner.alone = owner.alone && route.size() == 1;
                owner.shared = owner.shared || adaptive || (parallel && route.size() > 1) ||
                               owner.node != layout.node_of[rank] || owner.group != group_of(rank) ||
                               owner.before != before;
                before = link;
            }
        }
    }
    return joined;
}

/// Marks a link as shared if a route connects it to a shared link. A message on such a route requests all its links
/// when it leaves. So no other message may be granted one of them ahead of time.
void LinkOwners::share_along_routes(DisjointSets<machine::LinkId> joined) {
    for (const machine::LinkId link : in_order_of_use_) {
        if (owner_[link].shared) owner_[joined.representative(link)].shared = true;
    }
    for (const machine::LinkId link : in_order_of_use_) {
        owner_[link].shared = owner_[joined.representative(link)].shared;
    }
}

/// Numbers the first few own links of each node that are the only links of their routes, in the order of links.
void LinkOwners::number_own() {
    IndexedVector<Node, std::uint8_t> own(layout_.nodes, 0);
    for (Owner& owner : owner_) {
        if (owner.node == kNone || owner.shared || !owner.alone || own[owner.node] == kOwnRoute) continue;
        owner.number = own[owner.node]++;
        most_own_ = std::max<std::uint32_t>(most_own_, own[owner.node]);
    }
}

void LinkOwners::find_speeds() {
    for (const machine::LinkId link : owner_.ids()) {
        const LinkSpeed speed{machine_.routes.gap(link), arbitration(link)};
        const auto at = std::find(distinct_speeds_.begin(), distinct_speeds_.end(), speed);
        speeds_.push_back(static_cast<std::uint32_t>(at - distinct_speeds_.begin()));
        if (at == distinct_speeds_.end()) distinct_speeds_.push_back(speed);
    }
}

Time LinkOwners::arbitration(machine::LinkId link) const {
    const std::optional<machine::Arbitration>& arbitration = machine_.links->arbitration;
    if (!arbitration || owner_[link].pairs <= arbitration->pairs) return {};
    return network::times(arbitration->overhead, owner_[link].pairs - arbitration->pairs);
}

Time LinkOwners::arbitration(const Route& route) const {
    Time most;
    for (const machine::LinkId link : route) most = std::max(most, arbitration(link));
    return most;
}

void LinkOwners::find_route(Rank from, Rank to, Route& route) const {
    route.clear();
    if (!owner_.empty()) machine_.routes.append_links(machine_.nic_of(from), machine_.nic_of(to), route);
}

std::uint32_t LinkOwners::own_link(const Route& route) const {
    return route.size() == 1 ? owner_[route.front()].number : kRouted;
}

bool LinkOwners::is_own(const Route& route) const {
    return std::none_of(route.begin(), route.end(), [&](machine::LinkId link) { return owner_[link].shared; });
}

IndexedVector<machine::LinkId, ServerId> LinkOwners::servers(const NodeServers& on_node, std::uint32_t bundle) const {
    IndexedVector<machine::LinkId, ServerId> first(owner_.size(), kNone);
    ServerId next = layout_.first_shared_link();
    const auto number = [&](machine::LinkId link) {
        const Owner& owner = owner_[link];
        if (owner.number != kRouted) {
            first[link] = layout_.servers_of(owner.node) + on_node.links + owner.number * bundle;
        } else {
            first[link] = next;
            next = next + bundle;
        }
    };
    for (const machine::LinkId link : in_order_of_use_) number(link);
    for (const machine::LinkId link : owner_.ids()) {
        if (owner_[link].node == kNone) number(link);
    }
    return first;
}

void number_link_keys(const machine::Placement& placement, Layout& layout) {
    if (layout.links.parallel == 1 || layout.links.choice != machine::LinkChoice::deterministic) return;
    for (const Rank rank : layout.all_ranks()) {
        layout.link_keys.push_back(static_cast<std::uint16_t>(placement.link_key(rank)));
    }
}

void number_servers(const machine::Machine& machine, const LinkOwners& owners, Layout& layout) {
    NodeServers& on_node = layout.on_node;
    on_node.nics = machine.nic ? machine.nic->count : 0;
    on_node.injection = machine.node_servers();
    layout.processes_messages = machine.processing.has_value();
    on_node.ejection = on_node.injection + on_node.nics;
    on_node.links = on_node.ejection + on_node.nics;
    on_node.used = on_node.links + owners.most_own() * layout.links.parallel;
    on_node.stride = std::bit_ceil(std::max(on_node.used, 1U));
    const std::uint64_t on_nodes = std::uint64_t{on_node.stride} * layout.nodes;
    const std::uint64_t count = on_nodes + owners.link_count() * layout.links.parallel;
    if (count >= kNone.index)
        throw std::length_error("the machine has more shared resources than the engine can number");
    layout.server_count = static_cast<std::uint32_t>(count);
    layout.link_server = owners.servers(on_node, layout.links.parallel);
}

void store_routes(const machine::Machine& machine, const LinkOwners& owners, Channels& channels, Layout& layout) {
    const bool some_hold_links = std::any_of(layout.costs.begin(), layout.costs.end(),
                                             [](const network::MessageCost& cost) { return cost.holds_links; });
    if (!some_hold_links || layout.cuts_packets || machine.routes.routing == machine::Routing::adaptive) return;
    StoredRoutes stored;
    LinkOwners::Route route;
    std::vector<SendEndpointId> own;
    for (const SendEndpointId send_endpoint : layout.all_send_endpoints()) {
        if (layout.is_of_collective(send_endpoint)) break;
        stored.first.push_back(static_cast<std::uint32_t>(stored.links.size()));
        const ChannelPath& channel = channels.paths[send_endpoint];
        if (channel.receive_endpoint == kNone || channel.own_link != kRouted) continue;
        const Rank from = layout.rank_of(send_endpoint);
        const Rank to = layout.rank_of(channel.receive_endpoint);
        if (layout.node_of[from] == layout.node_of[to]) continue;
        owners.find_route(from, to, route);
        for (const machine::LinkId link : route)
            stored.links.push_back({layout.link_server[link], owners.speed_of(link)});
        if (!route.empty() && owners.is_own(route)) own.push_back(send_endpoint);
        if (stored.links.size() > kMostStoredLinks * layout.ranks) return;
    }
    stored.first.push_back(static_cast<std::uint32_t>(stored.links.size()));
    if (!stored.links.empty()) layout.stored_routes = std::move(stored);
    for (const SendEndpointId send_endpoint : own) channels.paths[send_endpoint].own_link = kOwnRoute;
}

}  // namespace warpfront::engine
