// A machine as flat data: hosts and their cores, cost profiles by locality, shared resources, routes, placement. Built
// once from a stock SimGrid platform and a hardware file (loading/build.hpp); independent of SimGrid, YAML and files.
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
    std::uint32_t hosts = 0;  // hosts of the platform, after growth by `size: fit`
    std::uint32_t hosts_before_growth = 0;
    std::uint32_t cores = 1;  // per host
    std::uint32_t chips = 1;  // per host; cores / chips ranks share a chip
    std::array<Profile, kLocalities> profiles;
    std::uint32_t groups = 1;  // per host; cores / groups ranks share a bus and a NIC
    std::optional<Bus> bus;    // none: not shared, as nic and links
    std::optional<Nic> nic;
    std::optional<Links> links;
    Collectives collectives;                // algorithms, for traces
    std::optional<EagerLimit> eager_limit;  // none: MPI may buffer any number of messages
    Routes routes;
    Placement placement;
    std::vector<std::string> notes;  // for the user: growth, cut patches, a bus that no row holds

    const Profile& profile(Locality locality) const { return profiles[static_cast<std::size_t>(locality)]; }
    Locality locality(Rank a, Rank b) const;
    /// Latency beyond the profile's L between two ranks on different nodes (routes/routes.hpp).
    Time extra_latency(Rank a, Rank b) const;
    Host host_of(Rank rank) const { return placement.host_of[placement.node_of(rank).index]; }
};

/// Calls its argument with every pair of ranks that may exchange messages.
using PairVisitor = std::function<void(const std::function<void(Rank, Rank)>&)>;

}  // namespace warpfront::machine
