// A recorded run of an MPI code in memory: the calls of every rank, in order, with their times. Recordings of the
// tracer (recording_format.h), OTF2, GOAL, the text of dumpi2ascii and SimGrid's time-independent traces are all read
// into this form; replay and `learn` start from it.
//
// Reading removes the differences between formats:
//   - peers, roots and sources are ranks of MPI_COMM_WORLD; a message to or from MPI_PROC_NULL is left out
//   - communicators have one number on all ranks: 0 is world, others are numbered by their smallest rank, then by the
//     order in which this rank made them. Messages of two communicators never match
//   - buffered and ready sends are sends; each start of a persistent request begins it again
//   - a wait names the requests that it completed. A test, testany or waitsome that completed requests is a wait for
//     them; a call that completed nothing is not an event. A probe is not an event, since the receive after the
//     probe waits as long
//   - computing is the time from the end of an event to the beginning of the next one. If the format has the CPU time
//     of the thread in this interval, and the CPU time is shorter, it is used instead: an interrupted rank does not
//     compute. GOAL's `calc` is computing too; the computing of TI traces is an event, since it has lines of its own
//
// Members for which a format has no data stay empty: GOAL and TI traces have no times of events. Times are measured
// from the end of MPI_Init on each rank; the clocks of ranks are not compared.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/collectives/collective.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::trace {

enum class Call : std::uint8_t {
    send,  // a blocking send to `peer`
    ssend,
    isend,
    issend,
    recv,   // a receive from `peer`; with `any_source`, `peer` is the source of the message taken, if the format has it
    irecv,  // a nonblocking receive from `peer`; with `any_source`, `completed` of its wait has the source
    sendrecv,  // an exchange: a send to `peer`, a receive from `from`
    wait,      // a wait for all requests in `completed`
    wait_any,  // a wait for some requests in `among`: those in `completed` have ended
    collective,
    begin_collective,  // a nonblocking collective, such as MPI_Ibarrier; completed by a wait
    compute,           // no call, but a line of computing in a TI trace
};

/// A request that has ended, with the message taken if it is a receive.
struct Completion {
    std::uint32_t request = 0;
    bool received = false;  // true for a receive; for a send, the other members are not set
    Rank source;
    std::int32_t tag = 0;
    Bytes bytes;
};

struct Event {
    Call call = Call::send;
    collectives::Kind kind{};  // kind of a collective
    bool any_source = false;
    bool any_tag = false;
    bool size_unknown = false;  // true if the size of a collective is unknown
    std::uint32_t site = 0;     // place of the call: index into RecordedRun::sites
    std::uint32_t phase = 0;    // index into RecordedRun::phases; 0: none
    Time begin;                 // begin of the call; `begin` and `end` are zero if the format has no times
    Time end;
    Time work;                       // computing before this event
    std::uint32_t communicator = 0;  // index into RecordedRun::communicators
    Rank peer;                       // partner of a message; root of a collective that has one
    Rank from;                       // source of a sendrecv
    std::int32_t from_tag = 0;
    std::int32_t tag = 0;
    Bytes bytes;                // size sent by a send or taken by a receive; share of each rank in a collective
    Bytes element;              // size of a collective's datatype; 0 if unknown
    std::uint32_t request = 0;  // number of the request that the call begins: from 1, unique on this rank
    std::vector<Completion> completed;
    bool by_arrival = false;  // true if the receives of this wait end in the order in which their messages arrive
    bool tested = false;      // true for a wait that is a successful test, such as MPI_Test
    bool freed = false;       // true for a wait at the end, for sends that the code freed or never waited for
    std::vector<std::uint32_t> among;  // requests of a wait for any of them
    /// One size per rank of the communicator. alltoallv, root of scatterv: bytes sent to that rank. Root of gatherv,
    /// allgatherv: bytes received from that rank. reduce_scatter: that rank's share of the result.
    std::vector<Bytes> shares;
};

/// A number for the name of an event's call, and the name: "waitall", "allreduce".
using Verb = std::uint8_t;
Verb verb_of(const Event& event);
Verb verb_of(collectives::Kind kind);
std::string_view name_of(Verb verb);

struct RecordedRank {
    std::vector<Event> events;
    Time work_after;                   // computing after the last event
    bool complete = true;              // false if the process was killed or its buffer was full
    std::uint64_t lost = 0;            // calls after the buffer was full, if known
    Time event_cost;                   // duration of recording one event
    SourceFilePtr source;              // text of the trace, for a text format
    std::vector<std::uint32_t> lines;  // line of each event, for a text format
};

struct RecordedSite {
    std::string file;  // source file; empty without debug information
    unsigned line = 0;
    std::string function;
};

/// Calls of one kind that cannot be replayed or were left out, as reported to the user: their name, their number and
/// the reason.
struct Unread {
    std::string call;
    std::uint64_t times = 0;
    std::string why;
    bool refused = false;     // true if replay and `learn` refuse the call; false if it is noted
    std::uint32_t rank = 0;   // rank of the first call
    std::uint64_t after = 0;  // number of events before the first call on that rank
    std::uint32_t site = 0;   // index of the first call into RecordedRun::sites
};

/// The ranks of a run on one node, and the cores that they share; 0 if unknown.
struct Crowding {
    std::uint32_t ranks = 0;
    std::uint32_t cores = 0;
};

struct RecordedRun;
/// Describes computing that is not simply the time between calls: it is counted in flops, or several ranks share a
/// core. Empty for other computing, and if the number of cores is unknown.
std::string computing_note(const RecordedRun& run);

/// The format of traces without times.
inline constexpr std::string_view kTimeIndependent = "SimGrid";

struct RecordedRun {
    std::string name;    // name of the folder or file
    std::string format;  // "recording", "OTF2", "GOAL", "dumpi", "SimGrid"
    std::string place;   // the file that messages name for calls of the trace
    std::vector<RecordedRank> ranks;
    std::vector<std::vector<Rank>> communicators;  // members in the order of their ranks within; 0 is world
    /// Name of each communicator; communicators with the same name are disjoint and have the same messages.
    std::vector<std::string> communicator_names;
    std::vector<RecordedSite> sites;   // places of calls; number 0 is an unknown place
    bool has_sites = false;            // true if calls have places in the source code
    std::vector<std::string> phases;   // names of phases; number 0 is no phase and has an empty name
    std::vector<std::string> command;  // the code and its arguments, if known
    std::string mpi;                   // name of the MPI library; empty if unknown
    std::string host;                  // the host on which the run was started; empty if unknown
    std::string status;                // exit status of the launcher
    bool has_cpu_time = false;         // true if computing is CPU time; false if it is the time between calls
    Crowding crowding;                 // ranks and cores of the node with most ranks per core
    std::map<std::string, std::string> parameters;  // parameters as given by `record --parameter nz=100`
    std::vector<std::string> notes;                 // notes for the user of a replay
    std::vector<Unread> unread;
    std::vector<SourceFilePtr> sources;
};

/// Formats the place of a site in the code: "a.c:17 in main"; empty if it is unknown.
std::string place_of(const RecordedRun& run, std::uint32_t site);
/// Formats a call with its place if the run has sites: "isend at a.c:17 in main".
std::string call_text(const RecordedRun& run, Verb verb, std::uint32_t site);

/// A function that takes one rank after another, together with the communicators, sites and phases of the ranks read so
/// far.
using TakeRank = std::function<void(const RecordedRun& run, RecordedRank rank)>;

}  // namespace warpfront::trace
