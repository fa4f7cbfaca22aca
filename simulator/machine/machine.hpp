// A machine as flat immutable data: nodes and their cores, cost profiles by layer, the bus, routes. Built once from a
// stock SimGrid platform and a hardware file (loading/build.hpp); nothing of SimGrid, YAML or a file is visible here.
// Immutable after construction, so any thread may read it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "simulator/machine/collectives.hpp"
#include "simulator/machine/placement.hpp"
#include "simulator/machine/profile.hpp"
#include "simulator/machine/routes/routes.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::machine {

struct Machine {
    std::string name;
    std::uint32_t hosts = 0;  // hosts of the platform (after `size: fit` has grown it)
    std::uint32_t hosts_as_shipped = 0;
    std::uint32_t cores = 1;  // per host
    std::uint32_t chips = 1;  // per host; cores / chips ranks share a chip
    std::array<Profile, kLocalities> layers;
    std::uint32_t groups = 1;  // per host; cores / groups ranks share a bus and a NIC
    std::optional<Bus> bus;    // none: not shared, as nic and links
    std::optional<Nic> nic;
    std::optional<Links> links;
    Collectives collectives;                // their algorithms, in traces
    std::optional<EagerLimit> eager_limit;  // none: MPI may buffer any number of messages
    Routes routes;
    Placement placement;
    std::vector<std::string> notes;  // what the user should know: it was grown, a patch was cut, no row holds a bus

    const Profile& profile(Locality locality) const { return layers[static_cast<std::size_t>(locality)]; }
    Locality locality(Rank a, Rank b) const;
    /// Latency beyond the profile's L between two ranks on different nodes.
    Time extra_latency(Rank a, Rank b) const;
    Node host_of(Rank rank) const { return {placement.host_of[placement.node_of(rank).index]}; }
};

/// Calls back with every pair of ranks that may exchange messages.
using PairVisitor = std::function<void(const std::function<void(Rank, Rank)>&)>;

}  // namespace warpfront::machine
