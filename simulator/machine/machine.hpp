// A machine as flat data: hosts and their cores, cost profiles by locality, shared resources, routes, placement. It is
// built from a SimGrid platform and a hardware file (loading/build.hpp) and then independent of SimGrid, YAML and
// files. It does not change after construction, so any thread may read it.
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

// Cluster memory: servers with the records of task lists, which all nodes can access, such as memory servers or disks
// on the network. Also the cost of requesting a task (Woodward and Anderson, "Portable Petaflop/s Programming").

/// The highest rates of a node or a server; an empty rate has no limit.
struct DataChannel {
    std::optional<Bandwidth> read;
    std::optional<Bandwidth> write;
    bool shared = false;  // true if reads and writes share one channel, like those of a disk in SimGrid

    /// Returns the highest rate of writes. A shared channel without `write` has the rate of reads.
    std::optional<Bandwidth> write_limit() const { return shared && !write ? read : write; }
    /// Returns the highest rate of reads and writes together. Only a shared channel has one: the larger of its two
    /// rates.
    std::optional<Bandwidth> limit_of_both() const { return shared ? std::max(read, write) : std::nullopt; }
    friend bool operator==(const DataChannel&, const DataChannel&) = default;
};

struct ClusterMemory {
    /// True if the memory is in the nodes. Element k of a record is then in the memory of node k modulo the number of
    /// nodes. Tasks on this node use it without a transfer. Between two nodes, the element passes the write channel of
    /// one node and the read channel of the other.
    bool in_nodes = false;
    std::uint32_t servers = 1;  // number of servers if not `in_nodes`; element k is on server k modulo `servers`
    DataChannel server;         // channel of each server
    DataChannel node;           // channel of each node
    Time latency;               // delay before each transfer
    /// Number of tasks whose data a node can store at a time. A task counts until its data have been written back.
    std::optional<std::uint32_t> buffers;
    friend bool operator==(const ClusterMemory&, const ClusterMemory&) = default;
};

/// The manager of a task list. It serves requests one after another. A request occupies the manager for `service`, and
/// then costs the worker `overhead`.
struct TaskManager {
    Time overhead;
    Time service;
    friend bool operator==(const TaskManager&, const TaskManager&) = default;
};

/// The processor of a machine: the measured rate of one core on the predicted kind of code, such as 110 Mflop/s on
/// Sweep3D. It is not the peak rate. Only the ratio of two machines' rates is used, to convert computing times from one
/// machine to another (simulator/scenario/measured_times.hpp).
struct Processor {
    std::string name;  // name for messages to the user; may be empty
    FlopRate speed;    // rate of one core, kSlowestProcessor to kFastestProcessor
};

/// The bounds of a speed. Within them, the ratio of two speeds, and a time multiplied by it, are finite.
inline constexpr FlopRate kSlowestProcessor{1.0};
inline constexpr FlopRate kFastestProcessor{1e21};

/// Parts of one kind into which the cores of a node divide, such as sockets. Core c is in part c / (cores / count).
struct NodeParts {
    std::string name;  // name of the layer in hardware files
    std::uint32_t count = 1;
    friend bool operator==(const NodeParts&, const NodeParts&) = default;
};

/// A limit of the speed of messages between two nodes (wires.hpp): injection or ejection at a NIC, a single link, or
/// all links of one kind.
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
    LinkId link{};  // the link of Kind::link
    Gap gap{};
    friend constexpr auto operator<=>(const Wire&, const Wire&) = default;
};

/// The bandwidths of a NIC, which no message exceeds.
struct NicWires {
    Gap injection;
    Gap ejection;
};

/// The devices of a machine, as its hardware file describes them. If a bus, message processing, a NIC, a memory or
/// links are empty, they are not shared.
struct Devices {
    std::optional<Bus> bus;
    std::optional<MessageProcessing> processing;
    std::optional<Nic> nic;
    NicWires nic_wires;            // bandwidths of NICs, even if NICs are not shared
    std::optional<Memory> memory;  // if empty, computing takes the same time regardless of other cores
    std::optional<Links> links;
    std::optional<Processor> processor;   // empty if the file states no speed
    ClusterMemory cluster_memory;         // memory for the records of task lists
    TaskManager task_manager;             // manager of task lists
    collectives::Algorithms collectives;  // algorithms of MPI collectives
};

struct Machine : Devices {
    std::string name;
    std::uint32_t hosts = 0;  // number of hosts, after growth by `size: fit`
    std::uint32_t hosts_before_growth = 0;
    std::uint32_t cores = 1;                    // cores of a host
    std::vector<NodeParts> parts{{"chip", 1}};  // innermost kind first; each part is within one part of the next kind
    std::vector<std::uint32_t> divisions;       // numbers of parts into which a node divides (placement/cores.hpp)
    /// number of core groups that contain a block of the patch each (placement/cores.hpp); 1 if there are no blocks
    std::uint32_t square_groups = 1;
    /// profiles by locality: one for each kind of `parts`, one for the node, one for the network
    std::vector<Profile> profiles{3};
    /// true if messages over the network cost as much as in SMPI, by keys of the platform
    bool like_smpi = false;
    Routes routes;
    Wire slowest_wire;          // the slowest wire between ranks that exchange messages (wires.hpp)
    bool wires_differ = false;  // true if some of these pairs of ranks have a faster slowest wire
    Placement placement;
    std::vector<std::string> notes;  // notes for the user, such as one on growth

    const Profile& profile(Locality locality) const { return profiles[locality.index]; }
    /// Returns the number of servers of a node that process messages one at a time: its message processing, or its
    /// buses if it has none; 0 if it has neither.
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
    /// Returns the number of cores in each of `count` equal groups of a node, such as the cores that share a bus.
    std::uint32_t cores_of_each(std::uint32_t count) const { return std::max<std::uint32_t>(1, cores / count); }
    /// Returns the group of the rank's core, below `count`, if the node's cores are divided into `count` equal groups,
    /// such as its parts, buses, NICs or memories.
    std::uint32_t group_of(Rank rank, std::uint32_t count) const {
        return placement.core_of(rank) / cores_of_each(count);
    }
    /// Returns the latency between two ranks on different nodes that the profile's L does not include
    /// (routes/routes.hpp).
    Time extra_latency(Rank a, Rank b) const { return routes.extra_latency(nic_of(a), nic_of(b)); }
    Host host_of(Rank rank) const { return placement.host_of[placement.node_of(rank).index]; }
    /// Returns the number of NICs of a host, even if messages do not use them.
    std::uint32_t nics() const { return nic ? nic->count : routes.cabling.cables; }
    /// Returns the NIC whose cable the messages of a rank use.
    HostNic nic_of(Rank rank) const { return {host_of(rank), group_of(rank, routes.cabling.cables)}; }
};

/// A function that calls its argument with every pair of ranks that may exchange messages.
using PairVisitor = std::function<void(const std::function<void(Rank, Rank)>&)>;

}  // namespace warpfront::machine
