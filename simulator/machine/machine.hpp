// A machine as flat data: hosts and their cores, cost profiles by locality, shared resources, routes, placement. Built
// once from a stock SimGrid platform and a hardware file (loading/build.hpp); independent of SimGrid, YAML and files.
// Immutable after construction, so any thread may read it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "simulator/collectives/algorithms.hpp"
#include "simulator/machine/placement.hpp"
#include "simulator/machine/profile.hpp"
#include "simulator/machine/routes/routes.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

// Cluster memory: the servers with the records of task lists, which all nodes reach, such as memory servers or disks on
// the network; and the cost of requesting a task. Woodward and Anderson, "Portable Petaflop/s Programming".

/// The highest rates of a node or a server; an empty rate has no limit.
struct DataChannel {
    std::optional<Bandwidth> read;
    std::optional<Bandwidth> write;
    bool shared = false;  // reads and writes share one channel, as those of a disk in SimGrid

    /// Returns the highest rate of writes; for a shared channel without `write`, that of reads.
    std::optional<Bandwidth> write_limit() const { return shared && !write ? read : write; }
    /// Returns the highest rate of reads and writes together: for a shared channel, the larger of the two.
    std::optional<Bandwidth> limit_of_both() const { return shared ? std::max(read, write) : std::nullopt; }
    friend bool operator==(const DataChannel&, const DataChannel&) = default;
};

struct ClusterMemory {
    /// True if the memory is in the nodes: item k of a record is in the memory of node k modulo the number of nodes.
    /// Tasks on this node use the item without a transfer. Between two nodes, an item leaves the one through its
    /// channel of writes and reaches the other through its channel of reads.
    bool in_nodes = false;
    std::uint32_t servers = 1;  // number of servers if not `in_nodes`: item k is on server k modulo `servers`
    DataChannel server;         // channel of each server
    DataChannel node;           // channel of each node
    Time latency;               // delay before each transfer
    /// Number of tasks whose data a node holds at a time, including tasks whose data are being written back.
    std::optional<std::uint32_t> buffers;
    friend bool operator==(const ClusterMemory&, const ClusterMemory&) = default;
};

/// The manager of a list, which serves requests one after another. A request first occupies the manager for `service`,
/// while other requests wait; then it costs the worker `overhead`.
struct TaskManager {
    Time overhead;
    Time service;
    friend bool operator==(const TaskManager&, const TaskManager&) = default;
};

/// The processor of a machine: the achieved rate of one core on the predicted kind of code, such as 110 Mflop/s on
/// Sweep3D. It is a measured rate and not the peak. Only the ratio of two machines' rates is used, to convert computing
/// times from one machine to another (simulator/scenario/measured_times.hpp states the law).
struct Processor {
    std::string name;  // name in messages; may be empty
    FlopRate speed;    // rate of one core, kSlowestProcessor to kFastestProcessor
};

/// The bounds of a speed, within which the ratio of two speeds, and a time multiplied by it, are finite.
inline constexpr FlopRate kSlowestProcessor{1.0};
inline constexpr FlopRate kFastestProcessor{1e21};

/// The parts of one kind, such as sockets, that the cores of a node divide into: core c is in part c / (cores / count).
struct NodeParts {
    std::string name;  // name of the layer in hardware files
    std::uint32_t count = 1;
    friend bool operator==(const NodeParts&, const NodeParts&) = default;
};

/// A limit on the speed of messages between two nodes (wires.hpp): injection or ejection at a NIC, one link, or
/// each link of a kind.
struct Wire {
    enum class Kind : std::uint8_t {
        injection,
        ejection,
        link,
        all_links,
        limiters,
        backbone,
        local,
        green,
        black,
        blue
    };
    Kind kind = Kind::injection;
    LinkId link{};  // the link, for Kind::link
    Gap gap{};
    friend constexpr auto operator<=>(const Wire&, const Wire&) = default;
};

/// The bandwidths of a NIC, which no message exceeds.
struct NicWires {
    Gap injection;
    Gap ejection;
};

/// The devices of a machine as its hardware file describes them. An empty bus, message processing, NIC or memory, and
/// empty links, are not shared.
struct Devices {
    std::optional<Bus> bus;
    std::optional<MessageProcessing> processing;
    std::optional<Nic> nic;
    NicWires nic_wires;            // bandwidths of NICs, shared or not
    std::optional<Memory> memory;  // none: computing takes the same time regardless of other cores
    std::optional<Links> links;
    std::optional<Processor> processor;   // none: the file states no speed
    ClusterMemory cluster_memory;         // memory of task lists
    TaskManager task_manager;             // manager of task lists
    collectives::Algorithms collectives;  // algorithms of MPI
};

struct Machine : Devices {
    std::string name;
    std::uint32_t hosts = 0;  // hosts of the platform, after growth by `size: fit`
    std::uint32_t hosts_before_growth = 0;
    std::uint32_t cores = 1;                    // cores of a host
    std::vector<NodeParts> parts{{"chip", 1}};  // the innermost kind first; each part lies within one of the next kind
    std::vector<std::uint32_t> divisions;       // numbers of parts into which a node divides (placement/cores.hpp)
    std::uint32_t square_groups = 1;            // groups of cores that have a block of the patch each; 1: no blocks
    std::vector<Profile> profiles{3};  // by locality: one for each of `parts`, one for the node, one for the network
    bool like_smpi = false;            // the network has SMPI's costs, from keys of the platform
    Routes routes;
    Wire slowest_wire;          // the slowest wire between ranks that exchange messages (wires.hpp)
    bool wires_differ = false;  // true if the slowest wire of some pairs of these ranks is faster
    Placement placement;
    std::vector<std::string> notes;  // notes for the user, such as one on growth

    const Profile& profile(Locality locality) const { return profiles[locality.index]; }
    /// Returns the number of servers of a node that take messages one at a time: its message processing, else its
    /// buses, else none.
    std::uint32_t node_servers() const {
        if (processing) return processing->count;
        return bus ? bus->count : 0;
    }
    Locality network() const { return {static_cast<std::uint8_t>(parts.size() + 1)}; }
    Locality locality(Rank a, Rank b) const {
        if (placement.node_of(a) != placement.node_of(b)) return network();
        const auto share = [&](const NodeParts& kind) { return group_of(a, kind.count) == group_of(b, kind.count); };
        return {static_cast<std::uint8_t>(std::ranges::find_if(parts, share) - parts.begin())};
    }
    /// Returns the number of cores of a node that share one of this many parts, buses or NICs.
    std::uint32_t cores_of_each(std::uint32_t count) const { return std::max<std::uint32_t>(1, cores / count); }
    /// Returns the part, bus, NIC or memory to which the rank's core belongs: a number below `count`, the number of
    /// such parts or resources in the node.
    std::uint32_t group_of(Rank rank, std::uint32_t count) const {
        return placement.core_of(rank) / cores_of_each(count);
    }
    /// Returns the latency beyond the profile's L between two ranks on different nodes (routes/routes.hpp).
    Time extra_latency(Rank a, Rank b) const { return routes.extra_latency(nic_of(a), nic_of(b)); }
    Host host_of(Rank rank) const { return placement.host_of[placement.node_of(rank).index]; }
    /// Returns the NICs of a host, whether messages use them or not.
    std::uint32_t nics() const { return nic ? nic->count : routes.cabling.cables; }
    /// Returns the NIC by whose cable the messages of a rank leave.
    HostNic nic_of(Rank rank) const { return {host_of(rank), group_of(rank, routes.cabling.cables)}; }
};

/// Calls its argument with every pair of ranks that may exchange messages.
using PairVisitor = std::function<void(const std::function<void(Rank, Rank)>&)>;

}  // namespace warpfront::machine
