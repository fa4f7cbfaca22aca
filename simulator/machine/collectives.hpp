// Which algorithm each of MPI's collectives uses on a machine: `collectives` of a hardware file (platforms/README.md).
// They hold for the collectives of traces (simulator/trace/collectives.hpp says which messages each algorithm sends);
// the allreduce of a model is always recursive doubling.
//
// `like: smpi` begins with the algorithms that SMPI 3.32 uses where nothing else is configured, its selector `default`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpfront::machine {

enum class Algorithm : std::uint8_t {
    dissemination,
    linear,
    binomial,
    recursive_doubling,
    reduce_bcast,
    ring,
    pairwise,
    bruck,
    open_mpi
};
std::string_view name_of(Algorithm algorithm);

struct Collectives {
    Algorithm barrier = Algorithm::dissemination;
    Algorithm bcast = Algorithm::binomial;
    Algorithm reduce = Algorithm::binomial;
    Algorithm allreduce = Algorithm::recursive_doubling;
    Algorithm gather = Algorithm::linear;
    Algorithm gatherv = Algorithm::linear;
    Algorithm allgather = Algorithm::ring;
    Algorithm allgatherv = Algorithm::ring;
    Algorithm alltoall = Algorithm::pairwise;
    Algorithm alltoallv = Algorithm::pairwise;
};

/// What a hardware file may say of one collective.
struct CollectiveChoice {
    std::string name;  // the key, and MPI's name in lower case
    Algorithm Collectives::*member;
    std::vector<Algorithm> offered;
    Algorithm smpi;  // SMPI's own default
};
const std::vector<CollectiveChoice>& collective_choices();

Collectives collectives_of_smpi();

}  // namespace warpfront::machine
