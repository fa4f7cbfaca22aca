// Cluster memory: where the records of task lists are, on servers that all nodes reach, such as memory servers or disks
// on the network; and what asking for a task costs. Woodward and Anderson, "Portable Petaflop/s Programming".
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

/// What a node or a server moves at most. Nothing: it limits nothing.
struct DataChannel {
    std::optional<Bandwidth> read;
    std::optional<Bandwidth> write;
    bool shared = false;  // reads and writes move over one channel, as those of a disk in SimGrid

    /// What it writes at most; of a shared channel without `write`, what it reads.
    std::optional<Bandwidth> write_limit() const { return shared && !write ? read : write; }
    /// What reads and writes together move at most: of a shared channel, the larger of the two.
    std::optional<Bandwidth> limit_of_both() const { return shared ? std::max(read, write) : std::nullopt; }
    friend bool operator==(const DataChannel&, const DataChannel&) = default;
};

struct ClusterMemory {
    /// The memory of the nodes: item k of a record is in that of node k modulo their number, whose own tasks move it
    /// without a transfer. For others it leaves by its channel of writes and comes by theirs of reads.
    bool in_nodes = false;
    std::uint32_t servers = 1;             // else item k is on server k modulo their number
    DataChannel server;                    // of each
    DataChannel node;                      // of each
    Time latency;                          // before each transfer
    std::optional<std::uint32_t> buffers;  // tasks whose data a node holds at a time, those written back included
    friend bool operator==(const ClusterMemory&, const ClusterMemory&) = default;
};

/// A list is served by a manager, request after request. A request takes the worker `overhead`, and before it the
/// manager `service`, for which others wait.
struct TaskManager {
    Time overhead;
    Time service;
    friend bool operator==(const TaskManager&, const TaskManager&) = default;
};

}  // namespace warpfront::machine
