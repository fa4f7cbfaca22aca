// SimGrid's time-independent traces (TI traces) as recorded runs. A list names the trace files in the order of ranks,
// one per line; a list of one file may contain all ranks. The list is a file of any name (`smpirun -trace-ti` writes
// smpi_simgrid.txt) or `traces.txt` in a folder (written by `warpfront trace`). Names are relative to the folder of the
// list; if no such file exists there, to the nearest parent folder that has it, since SMPI writes them relative to the
// working directory of smpirun.
//
// A line is RANK VERB WORDS. Case does not matter; `#` begins a comment.
//
//   init                                 first; after `init 1` a count without a datatype counts doubles
//   compute FLOPS
//   send PEER TAG COUNT [TYPE]           also isend, ssend, recv, irecv; a received COUNT of -1 means unknown, a
//                                        PEER of -333 any source (MPI_ANY_SOURCE in SMPI), a TAG of -444 any tag
//   sendrecv COUNT TO COUNT FROM [TYPE TYPE]      with tag 0
//   wait FROM TO TAG                     for the first open request from FROM to TO with the tag
//   waitall [COUNT]                      for all open requests; COUNT is ignored
//   waitany [COUNT]                      for one of the receives that are open at the first waitany and form a group
//                                        until all are taken; if none is open, for the oldest send. COUNT is ignored
//   test [...]                           also testall, testany, testsome: SMPI does not record the completed
//                                        request. A request without a wait is completed by the first group of tests
//                                        after it, and ends at the last of them. A group is a sequence of tests with
//                                        only computing between them
//   sleep SECONDS                        computing that takes this time on any processor
//   probe [...], iprobe [...]            no operation, since the receive after the probe waits as long
//   location FILE LINE, comm_size [...], comm_split [...], comm_dup [...]     no operation, as in SMPI's own replay
//   barrier
//   bcast COUNT [ROOT [TYPE]]
//   reduce COUNT FLOPS [ROOT [TYPE]], allreduce COUNT FLOPS [TYPE]       FLOPS on each rank, at the end
//   gather COUNT COUNT [ROOT [TYPE TYPE]]         sent by each, received from each. Four words are COUNT ROOT TYPE
//                                        TYPE, as SMPI writes it on ranks that receive nothing
//   gatherv COUNT COUNT-BY-RANK... [ROOT [TYPE TYPE]]
//   allgather COUNT COUNT [TYPE TYPE], allgatherv COUNT COUNT-BY-RANK... [TYPE TYPE]
//   alltoall COUNT COUNT [TYPE TYPE]
//   alltoallv SIZE COUNT-BY-RANK... SIZE COUNT-BY-RANK... [TYPE TYPE]
//   scatter COUNT COUNT [ROOT [TYPE TYPE]]        sent to each, received by each
//   scatterv COUNT-BY-RANK... COUNT [ROOT [TYPE TYPE]]
//   reducescatter COUNT-BY-RANK... FLOPS [TYPE], scan COUNT FLOPS [TYPE], also exscan
//   finalize                             last
//
// After a collective's words, `comm=NAME` may name its communicator (communicators.hpp). The communicator must contain
// the line's rank; ROOT is a rank of the communicator, and COUNT-BY-RANK has a word for each of its ranks. SMPI does
// not write this word. Without it and without a file of communicators, a collective is over all ranks, with a note.
//
// A TYPE is the number of an MPI datatype in SMPI 3.32: 0 to 59 (sizes in simgrid.cpp; 0 is double, 1 int, 2 char, 6
// byte). SMPI writes -1 for every derived datatype and so loses its size. Such counts are 0 bytes here, as in SMPI's
// own replay, and a note reports their number. SMPI also writes -1 for MPI_DATATYPE_NULL, whose counts are 0. Without a
// TYPE, counts are bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "simulator/trace/recorded_run.hpp"
#include "simulator/units/bytes.hpp"

namespace warpfront::trace {

// MPI's datatypes by their numbers in traces of SMPI 3.32.

/// The number that SMPI writes for every derived datatype (MPI_Type_vector and so on).
inline constexpr std::int64_t kDerivedType = -1;

/// Returns the bytes of one element; 0 for kDerivedType, as in SMPI's own replay. Returns nothing if SMPI has no such
/// number.
std::optional<Bytes> size_of_type(std::int64_t number);

/// Data of a run that its traces do not contain.
struct TraceSettings {
    FlopRate speed{1e12};                   // rate at which flops are computed; by default a flop takes a picosecond
    std::filesystem::path communicators{};  // file of communicators; empty if all collectives are over all ranks
    SourceRange communicators_mentioned_at{};
};

/// Returns true for a folder with `traces.txt`, and for a file whose first line names a file.
bool is_trace_list(const std::filesystem::path& path);

/// Reads traces. Throws BadInput with the errors of all ranks: unreadable_file, trace_too_large, wrong_trace_rank,
/// unknown_action, trace_line, bad_number, out_of_range, peer_outside, cost_too_large, unknown_communicator,
/// not_a_member, unknown_request, unwaited_request, trace_truncated, unmatched_collectives if the file of communicators
/// lists more or fewer collectives than the traces, and the errors of that file.
RecordedRun read_simgrid(const std::filesystem::path& path, const SourceRange& mentioned_at,
                         const TraceSettings& settings, const TakeRank& take);

}  // namespace warpfront::trace
