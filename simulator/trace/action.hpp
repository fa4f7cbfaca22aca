// One line of a SimGrid time-independent trace: RANK VERB WORDS. Upper and lower case are one; `#` begins a comment.
//
//   init                                 first; `init 1` makes counts those of doubles where no datatype is said
//   compute FLOPS
//   send PEER TAG COUNT [TYPE]           as isend, recv, irecv; -1 for a COUNT to receive means that it is not known
//   sendrecv COUNT TO COUNT FROM [TYPE TYPE]      with tag 0
//   wait FROM TO TAG                     for the first request so far from FROM to TO with the tag
//   waitall [COUNT]                      for all requests so far, whatever COUNT
//   barrier
//   bcast COUNT [ROOT [TYPE]]
//   reduce COUNT FLOPS [ROOT [TYPE]], allreduce COUNT FLOPS [TYPE]       FLOPS on each rank, after it
//   gather COUNT COUNT [ROOT [TYPE TYPE]]         sent by each, received from each
//   gatherv COUNT COUNT-BY-RANK... [ROOT [TYPE TYPE]]
//   allgather COUNT COUNT [TYPE TYPE], allgatherv COUNT COUNT-BY-RANK... [TYPE TYPE]
//   alltoall COUNT COUNT [TYPE TYPE]
//   alltoallv SIZE COUNT-BY-RANK... SIZE COUNT-BY-RANK... [TYPE TYPE]
//   finalize                             last
//
// A TYPE is the number of an MPI datatype as SMPI 3.32 writes it: 0 to 59 (datatype.cpp has their sizes; 0 is double,
// 1 int, 2 char, 6 byte). SMPI writes -1 for every derived datatype and so loses its size: such counts are 0 bytes
// here, as in its own replay, and the result says how many there are. Without a TYPE, counts are bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/units/bytes.hpp"

namespace warpfront::trace {

enum class Verb : std::uint8_t {
    init,
    finalize,
    compute,
    send,
    isend,
    recv,
    irecv,
    sendrecv,
    wait,
    waitall,
    barrier,
    bcast,
    reduce,
    allreduce,
    gather,
    gatherv,
    allgather,
    allgatherv,
    alltoall,
    alltoallv
};
inline bool is_collective(Verb verb) { return verb >= Verb::barrier; }

struct Flops {
    double count = 0.0;
};

/// What its verb says of it; the rest is not used.
struct Action {
    Verb verb = Verb::init;
    std::uint32_t peer = 0;  // whom to, or whom from; the root
    std::uint32_t from = 0;  // of a sendrecv; of a wait, whose `peer` is TO
    std::int32_t tag = 0;
    Bytes bytes;  // of the message, of what each rank gives
    Flops flops;
    std::vector<Bytes> shares;    // by rank: of allgatherv what each gives, of alltoallv what goes to each
    bool counts_doubles = false;  // of an init
    bool size_unknown = false;    // some datatype is derived
};

/// Whose trace it is, among how many ranks, and what a count without a datatype counts.
struct Reading {
    std::uint32_t rank = 0;
    std::uint32_t ranks = 1;
    std::int64_t count_bytes = 1;
};

}  // namespace warpfront::trace
