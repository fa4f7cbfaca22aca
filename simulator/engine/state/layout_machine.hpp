// The parts of a layout that follow from the machine: nodes and their servers, memory, links. lay_out puts them
// together with those that follow from the program (lay_out.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::engine {

/// Which ranks are on which node. Throws std::length_error where a node holds too many.
void lay_out_nodes(const machine::Machine& machine, Layout& layout);
void lay_out_memory(const machine::Machine& machine, Layout& layout);

/// What decides how long a packet holds a link.
struct LinkSpeed {
    Gap gap;
    Time arbitration;
    friend constexpr bool operator==(const LinkSpeed&, const LinkSpeed&) = default;
};

/// Which links belong to one node alone, and how fast links are.
///
/// A group is the cores that share a NIC; if NICs are not shared, a bus; if buses are not either, the node. A link is
/// own to a group if only channels of this group cross it, each as the only link of its route. Where routing is
/// adaptive none is, since any message may take a detour.
class LinkOwners {
public:
    /// Nothing is owned where the machine does not share links.
    LinkOwners(const program::Program& program, const machine::Machine& machine, const Layout& layout);

    /// The number of the only link between two ranks on different nodes among the sender's own; kRouted if it is not
    /// own.
    std::uint32_t own_link(Rank from, Rank to) const;
    /// The speed class of such a link.
    std::uint32_t speed_of_own(Rank from, Rank to) const;

    std::uint32_t most_own() const { return most_own_; }
    std::uint64_t link_count() const { return owner_.size(); }
    /// What a packet between two ranks on different nodes loses on the link of its route that most pairs cross.
    Time arbitration(Rank from, Rank to) const;
    const std::vector<LinkSpeed>& distinct_speeds() const { return distinct_speeds_; }
    /// Which of the distinct speeds each link has.
    IndexedVector<machine::LinkId, std::uint32_t> speeds() const { return speeds_; }
    /// The first server of each link's bundle.
    IndexedVector<machine::LinkId, ServerId> servers(const NodeServers& on_node, std::uint32_t bundle) const;

private:
    void find_owners(const program::Program& program);
    void number_own();
    void find_speeds();
    std::uint16_t group_of(Rank rank) const;
    /// The link of a route of one link; nothing where the route has several, or links are not shared.
    std::optional<machine::LinkId> only_link(Rank from, Rank to) const;
    Time arbitration(machine::LinkId link) const;

    struct Owner {
        Node node = kNone;  // kNone: no channel crosses it
        std::uint16_t group = 0;
        bool shared = false;
        std::uint8_t number = 0;  // among the node's own
        std::uint32_t pairs = 0;  // channels that cross it
    };

    const machine::Machine& machine_;
    const Layout& layout_;  // its ranks and nodes
    IndexedVector<machine::LinkId, Owner> owner_;
    IndexedVector<machine::LinkId, std::uint32_t> speeds_;
    std::vector<LinkSpeed> distinct_speeds_;
    std::uint32_t most_own_ = 0;
};

/// By rank which of parallel links it takes, where the choice is deterministic.
void number_link_keys(const machine::Placement& placement, Layout& layout);

/// The servers of nodes and all links, once it is known from the costs whether NICs are shared. Throws
/// std::length_error if there are too many servers.
void number_servers(const machine::Machine& machine, const LinkOwners& owners, Layout& layout);

}  // namespace warpfront::engine
