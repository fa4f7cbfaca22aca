#include "simulator/machine/collectives.hpp"

#include <array>
#include <cstddef>

#include <fmt/format.h>

namespace warpfront::machine {

namespace {

constexpr std::array<std::string_view, 9> kNames{"dissemination",      "linear",       "binomial",
                                                 "recursive_doubling", "reduce_bcast", "ring",
                                                 "pairwise",           "bruck",        "open_mpi"};
}  // namespace

std::string_view name_of(Algorithm algorithm) { return kNames[static_cast<std::size_t>(algorithm)]; }

const std::vector<CollectiveChoice>& collective_choices() {
    using enum Algorithm;
    static const std::vector<CollectiveChoice> choices{
        {"barrier", &Collectives::barrier, {dissemination, linear}, linear},
        {"bcast", &Collectives::bcast, {binomial, linear}, binomial},
        {"reduce", &Collectives::reduce, {binomial, linear}, linear},
        {"allreduce", &Collectives::allreduce, {recursive_doubling, reduce_bcast}, reduce_bcast},
        {"gather", &Collectives::gather, {linear}, linear},
        {"gatherv", &Collectives::gatherv, {linear}, linear},
        {"allgather", &Collectives::allgather, {ring, linear}, linear},
        {"allgatherv", &Collectives::allgatherv, {ring, linear}, linear},
        {"alltoall", &Collectives::alltoall, {pairwise, linear, bruck, open_mpi}, open_mpi},
        {"alltoallv", &Collectives::alltoallv, {pairwise, linear}, linear}};
    return choices;
}

Collectives collectives_of_smpi() {
    Collectives collectives;
    for (const CollectiveChoice& choice : collective_choices()) collectives.*choice.member = choice.smpi;
    return collectives;
}

}  // namespace warpfront::machine
