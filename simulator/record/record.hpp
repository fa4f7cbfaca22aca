// The record of one run of an engine: plain data, written by the engines and read by results/.
//
// Units: WideTime is exact picoseconds; `wall_s` and `cpu_s` are seconds of the host of the simulation.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/record/timeline.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::record {

/// One rank's time by cause. The parts add up to its final time exactly.
///   compute     basic blocks
///   send, recv  busy in o_send (+ S*G_send), o_recv (+ S*G_recv)
///   wait        blocked on a late message, rendezvous or partner
///   bus_wait    queued for the node's bus (sender's and receiver's side)
///   processing_wait   queued for the core that processes the node's messages (both sides)
///   nic_wait    queued for the NIC to send; within a wait for a message, the message's queueing for the receiver's NIC
///   link_wait   within a wait for a message, the message's queueing for links
///   collective  everything between entering and leaving a collective
struct Breakdown {
    WideTime compute, send, recv, wait, bus_wait, processing_wait, nic_wait, link_wait, collective;
    WideTime total() const;
};

/// A part of the breakdown; the parts are in the order of every table and file.
struct BreakdownPart {
    std::string_view name;
    WideTime Breakdown::*time;
};
inline constexpr std::array kBreakdownParts{BreakdownPart{"compute", &Breakdown::compute},
                                            BreakdownPart{"send", &Breakdown::send},
                                            BreakdownPart{"recv", &Breakdown::recv},
                                            BreakdownPart{"wait", &Breakdown::wait},
                                            BreakdownPart{"bus wait", &Breakdown::bus_wait},
                                            BreakdownPart{"processing wait", &Breakdown::processing_wait},
                                            BreakdownPart{"nic wait", &Breakdown::nic_wait},
                                            BreakdownPart{"link wait", &Breakdown::link_wait},
                                            BreakdownPart{"collective", &Breakdown::collective}};
static_assert(sizeof(Breakdown) == kBreakdownParts.size() * sizeof(WideTime), "every part is listed");

inline WideTime Breakdown::total() const {
    WideTime sum;
    for (const BreakdownPart& part : kBreakdownParts) sum += this->*part.time;
    return sum;
}

/// The parts of the longest chain of events through the ranks, or of the terms of a closed form along the path that its
/// maxima select; they add up to the time exactly.
///   compute      basic blocks without noise
///   overhead     processors busy with messages
///   latency      of flights, requests and acknowledgements
///   bandwidth    bytes on the wire, by the table's time per byte
///   bus, nic, link   occupancy by messages for which other messages waited
///   memory       computing slowed by other cores
///   wire         bytes on the wire of messages that a wire limits (machine/wires.hpp)
///   processing   processing of other messages for which this one waited
///   rate         waits at a NIC for the gap g after other messages. These messages are so small that the message rate
///                of the NIC, not its bandwidth, determines their service time
///   packets      costs of packets on the wire beyond their bytes: overhead, full buffers, arbitration
///   noise        jitter and interruptions of blocks (variation::ComputeTime::noise_in)
struct PathParts {
    WideTime compute{}, overhead{}, latency{}, bandwidth{}, bus{}, nic{}, link{}, memory{}, wire{}, processing{},
        rate{}, packets{}, noise{};
    WideTime total() const;
    /// Returns the time of basic blocks, without the additional time due to other cores that share memory.
    WideTime blocks() const { return compute + noise; }
    /// Returns the time of transfers: bytes, whether the table or a wire limits them, and the costs of packets.
    WideTime transfer() const { return bandwidth + wire + packets; }
    /// Returns the time of waits for shared resources, and the additional computing time due to shared memory.
    WideTime contention() const { return bus + nic + link + memory + processing + rate; }
    PathParts& operator+=(const PathParts& other);
    PathParts& operator-=(const PathParts& other);
    friend PathParts operator+(PathParts a, const PathParts& b) { return a += b; }
    friend PathParts operator-(PathParts a, const PathParts& b) { return a -= b; }
    friend bool operator==(const PathParts&, const PathParts&) = default;
};
struct PathPart {
    std::string_view name;
    WideTime PathParts::*time;
};
inline constexpr std::array kPathParts{
    PathPart{"compute", &PathParts::compute},   PathPart{"overhead", &PathParts::overhead},
    PathPart{"latency", &PathParts::latency},   PathPart{"bandwidth", &PathParts::bandwidth},
    PathPart{"bus", &PathParts::bus},           PathPart{"nic", &PathParts::nic},
    PathPart{"link", &PathParts::link},         PathPart{"memory", &PathParts::memory},
    PathPart{"wire", &PathParts::wire},         PathPart{"processing", &PathParts::processing},
    PathPart{"message rate", &PathParts::rate}, PathPart{"packets", &PathParts::packets},
    PathPart{"noise", &PathParts::noise}};
static_assert(sizeof(PathParts) == kPathParts.size() * sizeof(WideTime), "every part is listed");

inline WideTime PathParts::total() const {
    WideTime sum;
    for (const PathPart& part : kPathParts) sum += this->*part.time;
    return sum;
}

inline PathParts& PathParts::operator+=(const PathParts& other) {
    for (const PathPart& part : kPathParts) this->*part.time += other.*part.time;
    return *this;
}

inline PathParts& PathParts::operator-=(const PathParts& other) {
    for (const PathPart& part : kPathParts) this->*part.time = this->*part.time - other.*part.time;
    return *this;
}

/// Computing on the critical path while the cores that share a memory need more than its bandwidth. Then a block takes
/// k * per_core / bandwidth times as long as alone, with k computing cores, so its time is inversely proportional to
/// the bandwidth. For small changes, 1 % more bandwidth saves 1 % of `time`, and 1 % less computing saves 1 % of the
/// parts compute and memory together. Both are exact if the number k is constant within every block on the path, also
/// after the change. `uneven` is the time for which k is not constant. It is the sum over the blocks in saturated
/// memory, without the longest interval of constant k in each block. For such blocks, a change of the bandwidth also
/// moves the times at which k changes.
struct SaturatedMemory {
    WideTime time;
    WideTime uneven;
    friend bool operator==(const SaturatedMemory&, const SaturatedMemory&) = default;
};

/// The time of every rank by phase of the program; each rank's times add up to its finish.
struct Phases {
    std::vector<std::string> names;
    std::vector<std::vector<WideTime>> times;  // times of each phase, by rank
    std::vector<WideTime> outside;             // time outside of all phases, by rank
    friend bool operator==(const Phases&, const Phases&) = default;
};

struct Work {
    std::uint64_t messages = 0;                      // messages of the model, except `collective_messages`
    std::uint64_t messages_replayed = 0;             // messages that the engine simulated
    std::uint64_t collective_messages = 0;           // messages of allreduces that are one program::Op::allreduce
    std::uint64_t collective_messages_replayed = 0;  // number of collective_messages that the engine simulated
    std::optional<std::uint64_t> events;             // number of events in the event engine
    double wall_s = 0.0;
    double cpu_s = 0.0;                        // processor time of the threads of this run
    std::uint64_t peak_rss_bytes = 0;          // peak memory of the whole process
    std::optional<std::uint64_t> state_bytes;  // memory of ranks, channels and queues in the event engine
    unsigned threads = 1;
};

/// The total time for which messages waited for one link.
struct LinkWait {
    std::string link;  // name of the link
    WideTime waited;
    friend bool operator==(const LinkWait&, const LinkWait&) = default;
};

/// Waiting of all messages for links, collectives included. Present only if links are shared.
struct LinkWaits {
    static constexpr std::size_t kMostNamed = 5;
    WideTime all;
    std::vector<LinkWait> hottest;  // the longest waits first; among equals the lower link number first
    friend bool operator==(const LinkWaits&, const LinkWaits&) = default;
};

/// The time of all cores in a run of task lists, by cause; the parts add up to the cores times the finish.
struct CoreTime {
    WideTime compute;     // time of computing in tasks; a task on a whole node counts for each of its cores
    WideTime manager;     // time of requests for tasks
    WideTime data;        // time of waiting for the records of the next task
    WideTime conditions;  // time of waiting until a remaining task may begin
    WideTime no_task;     // time after the last task
    WideTime absent;      // time in which the core or its node is absent
    WideTime total() const { return compute + manager + data + conditions + no_task + absent; }
    friend CoreTime operator+(const CoreTime& a, const CoreTime& b) {
        return {a.compute + b.compute,       a.manager + b.manager, a.data + b.data,
                a.conditions + b.conditions, a.no_task + b.no_task, a.absent + b.absent};
    }
    friend bool operator==(const CoreTime&, const CoreTime&) = default;
};
struct CoreTimePart {
    std::string_view name;
    WideTime CoreTime::*time;
};
inline constexpr std::array kCoreTimeParts{
    CoreTimePart{"compute", &CoreTime::compute}, CoreTimePart{"manager", &CoreTime::manager},
    CoreTimePart{"data", &CoreTime::data},       CoreTimePart{"conditions", &CoreTime::conditions},
    CoreTimePart{"no task", &CoreTime::no_task}, CoreTimePart{"absent", &CoreTime::absent}};

/// Sums by interval of time; the intervals follow each other from the beginning of a run.
template <class Sum>
struct Intervals {
    Time width{1};
    std::vector<Sum> sums;
    friend bool operator==(const Intervals&, const Intervals&) = default;
};

/// The critical path of a run of task lists (tasks/critical_path.hpp); its times add up to the finish exactly.
struct TaskPath {
    WideTime compute, memory, manager, latency, data, sharing, absent;
    WideTime queued;     // part of the times above that belongs to tasks that had to wait for a free worker
    WideTime saturated;  // part of compute and memory in blocks slowed by shared memory
    struct OfTask {
        std::string name;
        WideTime compute;
        WideTime queued;  // part of the task's computing that follows a wait for a worker
        std::int64_t blocks = 0;
        friend bool operator==(const OfTask&, const OfTask&) = default;
    };
    std::vector<OfTask> tasks;  // computing on the path, by kind of task
    WideTime total() const { return compute + memory + manager + latency + data + sharing + absent; }
    friend bool operator==(const TaskPath&, const TaskPath&) = default;
};
struct TaskPathPart {
    std::string_view name;
    WideTime TaskPath::*time;
};
inline constexpr std::array kTaskPathParts{
    TaskPathPart{"compute", &TaskPath::compute}, TaskPathPart{"memory", &TaskPath::memory},
    TaskPathPart{"manager", &TaskPath::manager}, TaskPathPart{"latency", &TaskPath::latency},
    TaskPathPart{"data", &TaskPath::data},       TaskPathPart{"sharing", &TaskPath::sharing},
    TaskPathPart{"absent", &TaskPath::absent}};

/// The results of a run of task lists.
struct TaskUse {
    CoreTime cores;
    Intervals<CoreTime> over_time;
    Intervals<double> moved;                                  // bytes moved by all transfers
    std::optional<TaskPath> path;                             // critical path, if requested
    std::vector<std::pair<std::string, std::int64_t>> tasks;  // number of finished tasks, by kind
    std::int64_t updates = 0;                                 // number of records written by finished tasks
    Bytes read, written;                                      // bytes read from and written to cluster memory
    /// For data fetched in advance: the least time from the arrival of a task's data to their use, and the sum of these
    /// times.
    std::optional<Time> least_margin;
    WideTime margins;
    std::int64_t prefetched = 0;  // number of tasks whose data was fetched ahead
    double server_load = 0.0;     // share of the time in which the busiest server moved data at its full rate
    double node_load = 0.0;       // the same share of the busiest node
};

/// Eager messages that arrived before their receive was posted, of all ranks and collectives. Present only if the
/// machine states their cost.
struct UnexpectedMessages {
    std::uint64_t messages = 0;
    WideTime copying;  // time that receivers outside collectives spent on copying unexpected messages
    friend bool operator==(const UnexpectedMessages&, const UnexpectedMessages&) = default;
};

struct Record {
    std::string engine;                                         // name of the engine: "event", "analytic", "simgrid"
    WideTime finish;                                            // time of the rank that finishes last
    std::vector<std::pair<WideTime, std::int64_t>> iterations;  // (duration, count), see results/README.md
    std::optional<Rank> last;                                   // the rank that finishes last; of equal ones the lowest
    std::optional<Breakdown> breakdown;                         // breakdown of `last`
    std::optional<PathParts> path;             // parts of the critical path, if requested; always for closed forms
    std::optional<SaturatedMemory> saturated;  // saturated memory on the critical path, if cores share memory
    /// The least time that any rank is outside the steady state of its pipelines; present with `path`.
    std::optional<WideTime> fill;
    std::optional<WideTime> nonwavefront;  // time of allreduces, exchanges and other computing in closed forms
    std::optional<Phases> phases;          // times of phases in the event engine, if the program has phases
    std::optional<LinkWaits> link_waits;
    std::optional<UnexpectedMessages> unexpected;
    std::optional<Timeline> timeline;       // timeline, if requested
    std::vector<WideTime> rank_finish;      // finishing time of each rank; empty for a closed form
    std::vector<Breakdown> rank_breakdown;  // breakdown of each rank in the event engine
    std::vector<WideTime>
        rank_first_tile;             // end of the first tile on each rank in the event engine, if all ranks have one
    std::optional<Work> work;        // counts of the work of a simulation; nothing for a closed form
    std::optional<TaskUse> tasks;    // use of tasks, if the model has task lists
    std::vector<std::string> notes;  // notes on skipped iterations and approximations
};

/// One blocked rank of a deadlock.
struct Blocked {
    Rank rank;
    Rank peer;  // the rank for which `rank` waits
    std::int32_t tag = 0;
    std::uint16_t site = 0;  // the current statement: index into Program::sites
    enum class What : std::uint8_t { recv, send, collective } what = What::recv;
    std::optional<WideTime> since;  // begin of the wait; nothing in a walk of the program, which has no times
    /// Number of ranks that could end the wait; `peer` is one of them, and a blocked one if there is any.
    std::uint32_t partners = 1;
};

}  // namespace warpfront::record
