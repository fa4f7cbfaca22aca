// Cluster memory: the servers with the records of task lists, which all nodes reach, such as memory servers or disks on
// the network; and the cost of requesting a task. Woodward and Anderson, "Portable Petaflop/s Programming".
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

/// The highest rates of a node or a server; nothing: no limit.
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
    /// True for memory in the nodes: item k of a record is in that of node k modulo their number, whose own tasks move
    /// it without a transfer. For other nodes it leaves by the node's channel of writes and arrives by their channel of
    /// reads.
    bool in_nodes = false;
    std::uint32_t servers = 1;             // without `in_nodes`: item k is on server k modulo their number
    DataChannel server;                    // channel of each server
    DataChannel node;                      // channel of each node
    Time latency;                          // delay before each transfer
    std::optional<std::uint32_t> buffers;  // tasks whose data a node holds at a time, including those being written
                                           // back
    friend bool operator==(const ClusterMemory&, const ClusterMemory&) = default;
};

/// The manager of a list, which serves requests one after another. A request costs the worker `overhead`, and before
/// that the manager `service`, for which other requests wait.
struct TaskManager {
    Time overhead;
    Time service;
    friend bool operator==(const TaskManager&, const TaskManager&) = default;
};

}  // namespace warpfront::machine
