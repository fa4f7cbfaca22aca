// The parts of a layout that follow from the machine: nodes with their servers, memory, and links. `lay_out` combines
// them with the parts that follow from the program (lay_out.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::engine {

/// Assigns ranks to nodes. Throws std::length_error if a node has too many ranks.
void lay_out_nodes(const machine::Machine& machine, Layout& layout);
void lay_out_memory(const machine::Machine& machine, Layout& layout);

/// The values that determine the service time of a packet on a link.
struct LinkSpeed {
    Gap gap;
    Time arbitration;
    friend constexpr bool operator==(const LinkSpeed&, const LinkSpeed&) = default;
};

/// Finds links that belong to one node only, and the speeds of links.
///
/// A group contains the cores that share a NIC. If NICs are not shared, it contains the cores that share a bus. If
/// buses are not shared either, it contains all cores of the node. A link is own to a group under two conditions.
/// First, every channel that crosses the link is of this group, and crosses only own links of the group. Second, all of
/// these channels begin with the link, or come to it over the same link, which is no bundle. So messages request own
/// links in the order in which they leave the group. If routing is adaptive, there are no own links, since any message
/// may take its Valiant route. An own link that is the only link of every route across it is numbered on its node.
class LinkOwners {
public:
    /// Finds the own links. There are none if the machine does not share links.
    LinkOwners(const program::Program& program, const machine::Machine& machine, const Layout& layout);

    /// The links between two ranks on different nodes for which messages wait. Empty if links are not shared.
    using Route = std::vector<machine::LinkId>;
    void find_route(Rank from, Rank to, Route& route) const;
    /// Returns the number of the route's only link on the node to which it belongs. Returns kRouted if the route has
    /// several links, or if the link has no number. The number is used only by messages outside collectives, whose
    /// senders are all on that node.
    std::uint32_t own_link(const Route& route) const;
    /// Returns true if all links of the route are own to the sender's group.
    bool is_own(const Route& route) const;
    /// Returns the index of a link's speed.
    std::uint32_t speed_of(machine::LinkId link) const { return speeds_[link]; }

    std::uint32_t most_own() const { return most_own_; }
    std::uint64_t link_count() const { return owner_.size(); }
    /// Returns the arbitration overhead of a packet, on that link of its route that the most pairs cross.
    Time arbitration(const Route& route) const;
    const std::vector<LinkSpeed>& distinct_speeds() const { return distinct_speeds_; }
    /// Returns the index of each link's speed.
    IndexedVector<machine::LinkId, std::uint32_t> speeds() const { return speeds_; }
    /// Returns the first server of each link's bundle. The servers of numbered own links are counted with those of
    /// their node. All others come after the nodes, in the order in which channels first cross the links. So most
    /// servers of a route are adjacent in memory.
    IndexedVector<machine::LinkId, ServerId> servers(const NodeServers& on_node, std::uint32_t bundle) const;

private:
    /// Finds the nodes to which links belong. Returns the sets of links that are connected by routes.
    DisjointSets<machine::LinkId> find_owners(const program::Program& program);
    void share_along_routes(DisjointSets<machine::LinkId> joined);
    void number_own();
    void find_speeds();
    std::uint16_t group_of(Rank rank) const;
    Time arbitration(machine::LinkId link) const;

    struct Owner {
        Node node = kNone;        // node of the senders; kNone if no channel crosses the link
        std::uint32_t pairs = 0;  // number of channels that cross the link
        std::uint16_t group = 0;
        std::uint8_t number = kRouted;   // number of the link on its node; kRouted if it has none
        machine::LinkId before = kNone;  // the previous link on its routes; kNone if routes begin with the link
        bool shared : 1 = false;         // true if the link is not own to a group
        bool alone : 1 = true;           // true if it is the only link of every route across it
    };

    const machine::Machine& machine_;
    const Layout& layout_;  // only its ranks and nodes are used
    IndexedVector<machine::LinkId, Owner> owner_;
    /// the links that channels cross, in the order in which they first do so
    std::vector<machine::LinkId> in_order_of_use_;
    IndexedVector<machine::LinkId, std::uint32_t> speeds_;
    std::vector<LinkSpeed> distinct_speeds_;
    std::uint32_t most_own_ = 0;
};

/// Determines which of parallel links each rank uses. Does nothing unless the choice is deterministic.
void number_link_keys(const machine::Placement& placement, Layout& layout);

/// Numbers the servers of nodes and of all links. Must be called after the costs have determined whether NICs are
/// shared. Throws std::length_error if there are too many servers.
void number_servers(const machine::Machine& machine, const LinkOwners& owners, Layout& layout);

/// Stores the routes of channels (StoredRoutes), and marks those whose links are own (kOwnRoute). The links must be
/// numbered.
void store_routes(const machine::Machine& machine, const LinkOwners& owners, Channels& channels, Layout& layout);

}  // namespace warpfront::engine
