// A machine as flat immutable data: nodes and their cores, cost profiles by layer, the bus, routes. Built once from a
// stock SimGrid platform (which SimGrid itself parses and checks) and a hardware file (platforms/README.md); nothing
// of SimGrid or YAML is visible from here on. Immutable after construction, so any thread may read it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "simulator/input/fault.hpp"
#include "simulator/machine/changes.hpp"
#include "simulator/machine/collectives.hpp"
#include "simulator/machine/placement.hpp"
#include "simulator/machine/profile.hpp"
#include "simulator/machine/routes.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::machine {

struct Machine {
    std::string name;
    std::uint32_t hosts = 0;           // hosts of the platform (after `size: fit` has grown it)
    std::uint32_t hosts_as_shipped = 0;
    std::uint32_t cores = 1;           // per host
    std::uint32_t chips = 1;           // per host; cores / chips ranks share a chip
    std::array<Profile, kLayers> layers;
    std::uint32_t groups = 1;          // per host; cores / groups ranks share a bus and a NIC
    std::optional<Bus> bus;            // none: not shared, as nic and links
    std::optional<Nic> nic;
    std::optional<Links> links;
    Collectives collectives;           // their algorithms, in traces
    std::optional<EagerLimit> eager_limit;  // none: MPI may buffer any number of messages
    Routes routes;
    Placement placement;
    std::vector<std::string> notes;    // what the user should know: it was grown, a patch was cut, no row holds a bus

    const Profile& profile(Layer layer) const { return layers[static_cast<std::size_t>(layer)]; }
    Layer layer(Rank a, Rank b) const;
    /// Latency beyond the profile's L between two ranks on different nodes.
    Time beyond_L(Rank a, Rank b) const;
    Node host_of(Rank rank) const { return {placement.host_of[placement.node_of(rank).index]}; }
};

/// Calls back with every pair of ranks that may exchange messages.
using PairVisitor = std::function<void(const std::function<void(Rank, Rank)>&)>;

/// What a scenario asks of a machine; no side of grid or patch is zero.
struct Request {
    std::filesystem::path hardware_file;
    input::Place mentioned_at;         // where the scenario names the hardware file
    Changes changes;                   // that the scenario makes to it
    RankGrid grid;
    input::Place grid_place;           // of `ranks:` in the scenario
    Patch patch;
    input::Place patch_place;          // of `node:`
    PlacementRequest placement;
    /// Asked only where routes must be tabulated, and then in a child process, so it may read anything and change
    /// nothing.
    PairVisitor pairs;
    std::vector<Bytes> sizes{};        // of the messages, without repeats, the largest first
};

struct Built {
    Machine machine;
    /// The hardware file, those it is like, the SimGrid XML or the file of edges, the rank file: for `context.inputs`.
    std::vector<input::SourcePtr> sources;
};

/// Reads, checks and builds; throws BadInput with every fault found: of the YAML, of the XML (with SimGrid's own line)
/// or the topology, of a rank file, ranks or patches that do not fit, hosts in use without a route, messages that take
/// longer than virtual time can hold.
Built build(const Request& request);

/// Reads and checks a hardware file and its XML or topology without a scenario (`warpfront check platforms/xt4.yaml`).
/// Returns what the user should know of it.
std::vector<std::string> check(const std::filesystem::path& hardware_file);

/// The last of the hardware files that this one is `like`, itself where it is like none or cannot be read, as a path
/// without detours. Machines of one origin have the same processors.
std::filesystem::path origin_of(const std::filesystem::path& hardware_file);

/// The machine as shipped, with no ranks on it. Of a platform whose routes are stored it has those of every two hosts,
/// if there are at most `kMostHostsPaired`, and none otherwise.
inline constexpr std::uint32_t kMostHostsPaired = 256;
Machine as_shipped(const std::filesystem::path& hardware_file);

}  // namespace warpfront::machine
