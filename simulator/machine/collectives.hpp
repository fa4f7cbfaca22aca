// The algorithm of each MPI collective on a machine: `collectives` of a hardware file (platforms/README.md). It applies
// to the collectives of traces (simulator/trace/collectives.hpp has the messages of each algorithm); the allreduce of a
// model is always recursive doubling.
//
// `like: smpi` starts from the algorithms of SMPI 3.32's selector `default`.
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

/// The choices of a hardware file for one collective.
struct CollectiveChoice {
    std::string name;  // the key, and MPI's name in lower case
    Algorithm Collectives::*member;
    std::vector<Algorithm> offered;
    Algorithm smpi;  // the choice of SMPI's selector `default`
};
const std::vector<CollectiveChoice>& collective_choices();

Collectives collectives_of_smpi();

}  // namespace warpfront::machine
