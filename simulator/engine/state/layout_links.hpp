// Which links belong to one node alone, and how fast links are: the part of the layout that looks at routes.
//
// A group is the cores that share a NIC; if NICs are not shared, a bus; if buses are not either, the node. A link is
// own to a group if only channels of this group cross it, each as the only link of its route. Where routing is adaptive
// none is, since any message may take a detour.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::engine {

/// What decides how long a packet holds a link.
struct LinkSpeed {
    Gap gap;
    Time arbitration;
    friend constexpr bool operator==(const LinkSpeed&, const LinkSpeed&) = default;
};

class LinkOwners {
public:
    /// Nothing is owned where the machine does not share links.
    LinkOwners(const program::Program& program, const machine::Machine& machine, const Layout& layout);

    /// The number of the only link between two ranks on different nodes among the sender's own; kRouted if it is not
    /// own.
    std::uint32_t own_link(Rank from, Rank to) const;
    /// Its speed class.
    std::uint32_t speed_of_own(Rank from, Rank to) const;

    std::uint32_t most_own() const { return most_own_; }
    std::uint64_t link_count() const { return owner_.size(); }
    /// What a packet between two ranks on different nodes loses on the link of its route that most pairs cross.
    Time arbitration(Rank from, Rank to) const;
    const std::vector<LinkSpeed>& distinct_speeds() const { return distinct_speeds_; }
    /// By link which of the distinct it has.
    std::vector<std::uint32_t> speeds() const { return speeds_; }
    /// By link the first server of its bundle.
    std::vector<std::uint32_t> servers(const HotStateLayout& hot, std::uint32_t bundle) const;

private:
    void find_owners(const program::Program& program);
    void number_own();
    void find_speeds();
    std::uint16_t group_of(std::uint32_t rank) const;
    std::uint32_t only_link(Rank from, Rank to) const;
    Time arbitration(std::uint32_t link) const;

    struct Owner {
        std::uint32_t node = kNone;  // kNone: no channel crosses it
        std::uint16_t group = 0;
        bool shared = false;
        std::uint8_t number = 0;  // among the node's own
        std::uint32_t pairs = 0;  // channels that cross it
    };

    const machine::Machine& machine_;
    const Layout& layout_;      // its ranks and nodes
    std::vector<Owner> owner_;  // by link
    std::vector<std::uint32_t> speeds_;
    std::vector<LinkSpeed> distinct_speeds_;
    std::uint32_t most_own_ = 0;
};

}  // namespace warpfront::engine
