// One line of a SimGrid time-independent trace: RANK VERB WORDS. Case does not matter; `#` begins a comment.
//
//   init                                 first; after `init 1` a count without a datatype counts doubles
//   compute FLOPS
//   send PEER TAG COUNT [TYPE]           also isend, ssend, recv, irecv; a received COUNT of -1 means unknown, a
//                                        PEER of -333 any source (MPI_ANY_SOURCE in SMPI), a TAG of -444 any tag
//   sendrecv COUNT TO COUNT FROM [TYPE TYPE]      with tag 0
//   wait FROM TO TAG                     for the first open request from FROM to TO with the tag
//   waitall [COUNT]                      for all open requests; COUNT is ignored
//   waitany [COUNT]                      for one of them; COUNT is ignored (open_requests.hpp)
//   sleep SECONDS                        computing that takes so long on any processor
//   location FILE LINE, comm_size [...], comm_split [...], comm_dup [...]     nothing, as in SMPI's own replay
//   barrier
//   bcast COUNT [ROOT [TYPE]]
//   reduce COUNT FLOPS [ROOT [TYPE]], allreduce COUNT FLOPS [TYPE]       FLOPS on each rank, at the end
//   gather COUNT COUNT [ROOT [TYPE TYPE]]         sent by each, received from each; with four words, as SMPI writes it
//                                        on ranks that receive nothing: COUNT ROOT TYPE TYPE
//   gatherv COUNT COUNT-BY-RANK... [ROOT [TYPE TYPE]]
//   allgather COUNT COUNT [TYPE TYPE], allgatherv COUNT COUNT-BY-RANK... [TYPE TYPE]
//   alltoall COUNT COUNT [TYPE TYPE]
//   alltoallv SIZE COUNT-BY-RANK... SIZE COUNT-BY-RANK... [TYPE TYPE]
//   scatter COUNT COUNT [ROOT [TYPE TYPE]]        sent to each, received by each
//   scatterv COUNT-BY-RANK... COUNT [ROOT [TYPE TYPE]]
//   reducescatter COUNT-BY-RANK... FLOPS [TYPE], scan COUNT FLOPS [TYPE], also exscan
//   finalize                             last
//
// After a collective's words, `comm=NAME` may name its communicator (communicators.hpp). Then the line's rank must be
// in it, ROOT is a rank of the communicator, and COUNT-BY-RANK has a word for each of its ranks. SMPI does not write
// this word.
//
// A TYPE is the number of an MPI datatype in SMPI 3.32: 0 to 59 (sizes in words.cpp; 0 is double, 1 int, 2 char, 6
// byte). SMPI writes -1 for every derived datatype and so loses its size. Such counts are 0 bytes here, as in SMPI's
// own replay, and a note reports their number. SMPI also writes -1 for MPI_DATATYPE_NULL, whose counts are 0. Without a
// TYPE, counts are bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "simulator/collectives/collective.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/trace/communicators.hpp"
#include "simulator/trace/words.hpp"
#include "simulator/units/bytes.hpp"

namespace warpfront::trace {

enum class Verb : std::uint8_t {
    init,
    finalize,
    compute,
    send,
    isend,
    ssend,
    recv,
    irecv,
    sendrecv,
    wait,
    waitall,
    waitany,
    sleep,
    location,
    comm_size,
    comm_split,
    comm_dup,
    barrier,
    bcast,
    reduce,
    allreduce,
    gather,
    gatherv,
    allgather,
    allgatherv,
    alltoall,
    alltoallv,
    scatter,
    reducescatter,
    scan,
    exscan,
    scatterv
};
inline constexpr std::uint32_t kVerbs = static_cast<std::uint32_t>(Verb::scatterv) + 1;
inline bool is_collective(Verb verb) { return verb >= Verb::barrier; }
/// Returns the kind of a collective.
collectives::Kind kind_of(Verb verb);
Verb verb_of(collectives::Kind kind);

/// An action. The members that the verb defines are set; the others are not used.
struct Action {
    Verb verb = Verb::init;
    std::uint32_t peer = 0;  // destination or source; the root, as a rank of the communicator
    std::uint32_t from = 0;  // of a sendrecv; of a wait, whose `peer` is TO
    std::int32_t tag = 0;
    Bytes bytes;    // of the message or of each rank's share
    Bytes element;  // of a collective's datatype, the sent one; 0 if it is derived
    Flops flops;
    double seconds = 0.0;  // of a sleep
    std::vector<Bytes>
        shares;  // by rank of the communicator: allgatherv from each; alltoallv, reducescatter, scatterv to each
    Communicator communicator;  // of a collective
    bool names_communicator = false;
    bool counts_doubles = false;  // of an init
    bool size_unknown = false;    // a datatype is derived
    bool any_source = false;      // of a receive, or of the wait for it; as the next
    bool any_tag = false;
};

std::string_view name_of(Verb verb);

/// Returns the action of a line; nothing if the line at `range` has errors: wrong_trace_rank, unknown_action,
/// trace_line, bad_number, out_of_range, peer_outside, self_message, unknown_communicator, not_a_member.
std::optional<Action> parse(const input::SourceRange& range, std::string_view line, const Reading& reading,
                            input::Diagnostics& faults);

}  // namespace warpfront::trace
