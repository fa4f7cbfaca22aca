// A recorded run of an MPI code in memory: what every rank called, in order, with its times. Recordings of our own
// tracer (recording_format.h), OTF2, GOAL and the text of dumpi2ascii are all read into it; replay and `learn` start
// from it.
//
// Reading makes all formats alike:
//   - peers, roots and sources are ranks of MPI_COMM_WORLD; a message to or from MPI_PROC_NULL is left out
//   - communicators have one number on all ranks: 0 is world, others are numbered by the smallest rank that holds them,
//     then by the order of their making there. Messages of two communicators never match
//   - buffered and ready sends are sends; a persistent request is begun by each start
//   - a wait names the requests that it completed; a test, testany or waitsome that completed some is a wait for these,
//     a call that found nothing is no event. A probe is no event: the receive behind it waits as long
//   - computing is the time between the end of an event and the begin of the next, or the CPU time of the thread in it
//     where the format has it and it is less: an interrupted rank does not compute. GOAL's `calc` is computing as well
//
// What a format does not have stays empty: GOAL has no times of events, TI traces no requests by number.
// Times are since the end of MPI_Init of each rank: clocks of ranks are not compared.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulator/collectives/collective.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::trace {

enum class Call : std::uint8_t {
    send,  // to `peer`; blocking
    ssend,
    isend,
    issend,
    recv,  // from `peer` (`any_source`: what it took is in `taken`)
    irecv,
    sendrecv,  // to `peer`, from `from`
    wait,      // for all of `completed`
    wait_any,  // one or some of `among` completed: those of `completed`
    collective,
    begin_collective,  // MPI_Ibarrier and its like; completed by a wait
};

/// What a receive took, or a request that has ended.
struct Completion {
    std::uint32_t request = 0;
    bool received = false;  // else a send; the rest is not set
    Rank source;
    std::int32_t tag = 0;
    Bytes bytes;
};

struct Event {
    Call call = Call::send;
    collectives::Kind kind{};  // of a collective
    bool any_source = false;
    bool any_tag = false;
    std::uint32_t site = 0;   // of RecordedRun::sites
    std::uint32_t phase = 0;  // of RecordedRun::phases; 0: none
    Time begin;               // both zero where the format has none
    Time end;
    Time work;  // computing before this event: of timed formats the time since the last event's end
    std::uint32_t communicator = 0;  // of RecordedRun::communicators
    Rank peer;                       // root of a collective that has one
    Rank from;                       // of a sendrecv, as the next
    std::int32_t from_tag = 0;
    std::int32_t tag = 0;
    Bytes bytes;                // of a send: sent; of a receive: taken; of a collective: each rank's share
    std::uint32_t request = 0;  // that it begins: from 1, not used again on this rank
    std::vector<Completion> completed;
    bool freed = false;  // of a wait at the end: the code does not make it, and has freed or dropped these sends
    std::vector<std::uint32_t> among;
    std::vector<Bytes> shares;  // by rank of the communicator: sent to each by alltoallv and scatterv's root, from each
                                // of gatherv's root and allgatherv, to each of reduce_scatter
};

struct RecordedRank {
    std::vector<Event> events;
    Time work_after;                   // computing after the last event
    bool complete = true;              // false: the process was killed or its buffer was full
    std::uint64_t lost = 0;            // calls after the buffer was full, if known
    Time event_cost;                   // what the recording of one event took
    input::SourceFilePtr source;       // of a text
    std::vector<std::uint32_t> lines;  // of a text, by event
};

struct RecordedSite {
    std::string file;  // empty: no debug information
    unsigned line = 0;
    std::string function;
};

/// What cannot be replayed or was left out, for a user: an MPI call by its name, with how often and why.
struct Unread {
    std::string call;
    std::uint64_t times = 0;
    std::string why;
    bool refused = false;     // replay and `learn` refuse it; else it is a note
    std::uint32_t rank = 0;   // of the first, as the next
    std::uint64_t after = 0;  // so many events of the rank
    std::uint32_t site = 0;   // of RecordedRun::sites
};

/// The ranks of a run on one node, and the cores that they share; 0 where unknown.
struct Crowding {
    std::uint32_t ranks = 0;
    std::uint32_t cores = 0;
};

struct RecordedRun;
/// How many ranks share the cores of a node, and what computing then is; empty where each has a core, or none is known.
std::string crowding_text(const RecordedRun& run);

struct RecordedRun {
    std::string name;    // of the folder or file
    std::string format;  // "recording", "OTF2", "GOAL", "dumpi"
    std::vector<RecordedRank> ranks;
    std::vector<std::vector<Rank>> communicators;   // members in the order of their ranks within; 0 is world
    std::vector<RecordedSite> sites;                // 0: unknown
    bool has_sites = false;                         // calls stand in a program's text; else only in the trace
    std::vector<std::string> phases;                // 0: no phase, an empty name
    std::vector<std::string> command;               // the code and its arguments, where known
    std::string mpi;                                // the library, as the next empty where unknown
    std::string host;                               // on which the run was started
    std::string status;                             // exit status of the launcher
    bool has_cpu_time = false;                      // computing is CPU time; else the time between calls
    Crowding crowding;                              // of the node with most ranks to a core
    std::map<std::string, std::string> parameters;  // as given to `record --parameter nz=100`
    std::vector<Unread> unread;
    std::vector<input::SourceFilePtr> sources;
};

/// Takes one rank after another, with what is known of the run by then: all communicators, sites and phases of the
/// ranks so far.
using TakeRank = std::function<void(const RecordedRun& run, RecordedRank rank)>;

}  // namespace warpfront::trace
