// The records of cluster memory in a run: the available ones, and those in transfer.
//
// One transfer moves an item of a record over the channel of its server and the channel of the node. Its bytes begin to
// move `latency` after the announcement of the transfer (transfers.hpp). Items are counted from 0, the last index
// fastest. Item k is on server k modulo the number of servers; without servers, it is in the memory of node k modulo
// the number of nodes, and tasks of that node need no transfer.
//
// Used by one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/program/task_lists.hpp"
#include "simulator/tasks/critical_path.hpp"
#include "simulator/tasks/layout.hpp"
#include "simulator/tasks/transfers.hpp"

namespace warpfront::tasks {

/// The purpose of a transfer: a step of a task that a worker has taken. The state of the task (simulation.hpp)
/// distinguishes three cases: records that are read ahead, records of the current step, and records that are written at
/// the end.
struct Purpose {
    WorkerId worker = 0;
    SequenceId sequence = 0;
    std::int64_t place = 0;
    bool queued = false;  // true if the steps of the transfer are queued (critical_path.hpp)
    Path path{};          // path up to the announcement, or up to the end once the transfer has ended
};

class Records {
public:
    Records(const program::TaskLists& lists, const program::TaskNumbers& numbers, const machine::Machine& machine);

    using Indices = std::span<const std::int64_t>;
    /// Returns true if all records that the step reads are available. `indices` are the indices of the task.
    bool there(const program::TaskStep& step, Indices indices) const;
    /// Makes the records that the step writes available; returns the number of its items.
    std::int64_t commit(const program::TaskStep& step, Indices indices);

    /// Announces a transfer for each item of the step, to or from the node. The transfers have consecutive numbers,
    /// beginning with next_number(). begin() must be called for each transfer after the latency.
    std::uint32_t announce(const program::TaskStep& step, Indices indices, std::uint32_t node, const Purpose& purpose);
    std::int64_t next_number() const { return next_announced_; }
    /// Begins to move the bytes of the transfer, unless it was dropped.
    void begin(std::int64_t now, std::int64_t number);
    std::optional<std::int64_t> next_end() { return transfers_.next_end(); }
    /// Returns the purposes of the transfers that end at `now`, which is next_end(), in the order in which they began.
    std::vector<Purpose> end(std::int64_t now);
    /// Ends the transfers of a node's workers, even if they are not complete; returns their purposes, with their paths
    /// to `now`.
    std::vector<Purpose> drop(std::int64_t now, std::uint32_t node, const Layout& layout);

    /// Returns the bytes that have been moved, including those of dropped transfers.
    Bytes read() const { return read_; }
    Bytes written() const { return written_; }
    record::Intervals<double> moved_over_time() const { return transfers_.moved_over_time(); }
    /// Returns the share of the time in which the busiest server and the busiest node moved data at their full rate.
    double server_load(std::int64_t finish) const { return most_loaded(servers_, finish); }
    double node_load(std::int64_t finish) const { return most_loaded(nodes_, finish); }

private:
    struct Channels {
        ChannelId read = kNoChannel, write = kNoChannel, both = kNoChannel;
    };
    /// An array of items; `there` is empty if all exist from the beginning.
    struct Items {
        std::vector<program::Extent> extents;
        std::vector<bool> there;
    };
    struct Announced {
        Bytes bytes;
        bool reads;
        TransferChannels channels;
        Purpose purpose;
    };
    struct Moving {
        std::int64_t began;
        std::int64_t unhindered;  // duration without other transfers, in picoseconds
        Bytes bytes;
        bool reads;
        Purpose purpose;
    };

    Channels channels_of(const machine::DataChannel& channel);
    /// Returns the channels; nothing if the item is in the node's own memory.
    std::optional<TransferChannels> channels_between(std::size_t item, std::uint32_t node, bool reads) const;
    std::int64_t unhindered(const Announced& transfer) const;
    double most_loaded(const std::vector<Channels>& all, std::int64_t finish) const;
    template <class Visit>
    void visit_items(const program::TaskStep& step, Indices indices, const Visit& visit) const;

    const program::TaskLists& lists_;
    const program::TaskNumbers& numbers_;
    bool in_nodes_;
    std::vector<Channels> servers_, nodes_;
    std::vector<Items> records_;
    Transfers transfers_;
    std::map<std::int64_t, Announced> announced_;
    std::int64_t next_announced_ = 0;
    std::map<TransferId, Moving> moving_;
    Bytes read_, written_;
};

}  // namespace warpfront::tasks
