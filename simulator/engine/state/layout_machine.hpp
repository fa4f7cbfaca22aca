// The parts of a layout that follow from the machine: nodes and their servers, memory, links. `lay_out` joins them with
// the parts that follow from the program (lay_out.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::engine {

/// Assigns ranks to nodes. Throws std::length_error if a node has too many.
void lay_out_nodes(const machine::Machine& machine, Layout& layout);
void lay_out_memory(const machine::Machine& machine, Layout& layout);

/// The values that determine the service time of a packet on a link.
struct LinkSpeed {
    Gap gap;
    Time arbitration;
    friend constexpr bool operator==(const LinkSpeed&, const LinkSpeed&) = default;
};

/// The links that belong to one node alone, and the speeds of links.
///
/// A group is the cores that share a NIC; if NICs are not shared, a bus; if buses are not either, the node. A link is
/// own to a group if every channel that crosses it is of this group and crosses only own links of the group, and if
/// all of these channels come to it over the same link, which is no bundle, or begin with it. So messages request own
/// links in the order in which they leave the group. If routing is adaptive, there are no own links, since any message
/// may take its Valiant route. An own link that is the only link of every route across it is numbered on its node.
class LinkOwners {
public:
    /// Finds the own links; there are none if the machine does not share links.
    LinkOwners(const program::Program& program, const machine::Machine& machine, const Layout& layout);

    /// The links that messages between two ranks on different nodes wait for; none if links are not shared.
    using Route = std::vector<machine::LinkId>;
    void find_route(Rank from, Rank to, Route& route) const;
    /// Returns the number, on the sender's node, of the only link of the route; kRouted if the route has several links,
    /// or if the link has no number there.
    std::uint32_t own_link(Rank from, const Route& route) const;
    /// Returns true if all links of the route are own to the sender's group.
    bool is_own(const Route& route) const;
    /// Returns the speed class of a link.
    std::uint32_t speed_of(machine::LinkId link) const { return speeds_[link]; }

    std::uint32_t most_own() const { return most_own_; }
    std::uint64_t link_count() const { return owner_.size(); }
    /// Returns the arbitration overhead of a packet on the link of its route that most pairs cross.
    Time arbitration(const Route& route) const;
    const std::vector<LinkSpeed>& distinct_speeds() const { return distinct_speeds_; }
    /// Returns the index of the distinct speed of each link.
    IndexedVector<machine::LinkId, std::uint32_t> speeds() const { return speeds_; }
    /// Returns the first server of each link's bundle. The servers of own links are numbered with those of their node.
    /// All others come after the nodes, in the order in which channels first cross the links, so most servers of a
    /// route are adjacent in memory.
    IndexedVector<machine::LinkId, ServerId> servers(const NodeServers& on_node, std::uint32_t bundle) const;

private:
    /// Finds the owners, and the sets of links that routes join.
    DisjointSets<machine::LinkId> find_owners(const program::Program& program);
    void share_along_routes(DisjointSets<machine::LinkId> joined);
    void number_own();
    void find_speeds();
    std::uint16_t group_of(Rank rank) const;
    Time arbitration(machine::LinkId link) const;

    struct Owner {
        Node node = kNone;        // sender's node; kNone: no channel crosses the link
        std::uint32_t pairs = 0;  // channels that cross the link
        std::uint16_t group = 0;
        std::uint8_t number = kRouted;   // number of the link on the node; kRouted: it has none
        machine::LinkId before = kNone;  // the link before it on its routes; kNone: it is their first
        bool shared : 1 = false;         // not own to a group
        bool alone : 1 = true;           // the only link of every route across it
    };

    const machine::Machine& machine_;
    const Layout& layout_;  // only its ranks and nodes are used
    IndexedVector<machine::LinkId, Owner> owner_;
    std::vector<machine::LinkId> in_order_of_use_;  // links that channels cross
    IndexedVector<machine::LinkId, std::uint32_t> speeds_;
    std::vector<LinkSpeed> distinct_speeds_;
    std::uint32_t most_own_ = 0;
};

/// Determines which of parallel links each rank uses, if the choice is deterministic.
void number_link_keys(const machine::Placement& placement, Layout& layout);

/// Numbers the servers of nodes and all links, once the costs determine whether NICs are shared. Throws
/// std::length_error if there are too many servers.
void number_servers(const machine::Machine& machine, const LinkOwners& owners, Layout& layout);

/// Stores the routes of channels (StoredRoutes), once links are numbered, and marks those that are own (kOwnRoute).
void store_routes(const machine::Machine& machine, const LinkOwners& owners, Channels& channels, Layout& layout);

}  // namespace warpfront::engine
