// A HyperX: switches on a lattice. Two switches are joined if they differ in exactly one coordinate (Ahn et al. 2009,
// "HyperX: topology, routing, and packaging of efficient large-scale networks"). A single dimension is a full mesh.
// Dimensions of length 2 form a hypercube.
//
// Host h is on switch h / hosts_each. Switches are numbered with the first dimension fastest. Routes change one
// coordinate after the other, from the first dimension on, over one link each. The intermediate of a Valiant route
// (routing.hpp) is a switch other than those of the two hosts; two hosts on one switch have no intermediate. Numbers of
// links: up and down of each host (2 h, 2 h + 1); then, switch by switch and dimension by dimension, the link to each
// coordinate. The number from a switch to itself is not used.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/machine/routes/routing.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

struct HyperXRoutes {
    static constexpr bool kHasNicCables = true;
    std::vector<std::uint32_t> dimensions;
    std::uint32_t hosts_each = 1;  // number of hosts of a switch
    Time link_latency{};
    Gap link_gap{};

    std::uint64_t switches() const;
    std::uint64_t hosts() const { return switches() * hosts_each; }
    std::uint32_t links(Host from, Host to) const;
    Time latency(Host from, Host to) const { return link_latency * links(from, to); }
    std::uint64_t link_count() const;
    void append_links(Host from, Host to, std::vector<LinkId>& links) const;
    Gap gap(LinkId) const { return link_gap; }

    /// Returns the intermediate switch of a Valiant route; nothing if there is none.
    std::optional<std::uint32_t> intermediate(Host from, Host to) const;
    std::uint32_t links_over(std::uint32_t through, Host from, Host to) const;
    void append_links_over(std::uint32_t through, Host from, Host to, std::vector<LinkId>& links) const;
    friend bool operator==(const HyperXRoutes&, const HyperXRoutes&) = default;

private:
    /// Returns how many numbers of links a switch has.
    std::uint32_t ports() const;
    /// Returns the number of links between two switches.
    std::uint32_t hops(std::uint32_t from, std::uint32_t to) const;
    void append_hops(std::uint32_t from, std::uint32_t to, std::vector<LinkId>& links) const;
};

}  // namespace warpfront::machine
