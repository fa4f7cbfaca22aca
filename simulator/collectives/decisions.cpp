#include "simulator/collectives/decisions.hpp"

namespace warpfront::collectives {

std::string_view name_of(Library library) {
    switch (library) {
        case Library::smpi: return "SMPI 3.32";
        case Library::open_mpi: return "Open MPI 4.1";
        case Library::mpich: return "MPICH 4";
    }
    return "";
}

std::vector<Rule> rules_of(Library library, Kind kind) {
    switch (library) {
        case Library::smpi: return smpi_rules(kind);
        case Library::open_mpi: return open_mpi_rules(kind);
        case Library::mpich: break;
    }
    return mpich_rules(kind);
}

Algorithms Algorithms::like(Library library) {
    Algorithms algorithms;
    for (const Offer& offer : offers()) algorithms.set(offer.kind, rules_of(library, offer.kind), name_of(library));
    return algorithms;
}

// The rules of SMPI. Nonblocking collectives with a wait behind them are `linear` here. Two peculiarities, perhaps
// mistakes, are reproduced: reduce_scatter__mpich compares a number of elements with 512 KiB, and alltoall__ompi
// takes an exchange between pairs that works for powers of two only. On 3, 5 to 7, and 65 to 127 ranks SMPI aborts if
// that exchange is chosen; here the choice is `pairwise`.
std::vector<Rule> smpi_rules(Kind kind) {
    using enum Algorithm;
    if (kind == Kind::bcast) return {{binomial}};
    if (kind == Kind::allreduce) return {{reduce_bcast}};
    if (kind == Kind::reduce_scatter) {
        return {{.algorithm = reduce_then_scatterv, .condition = Condition::equal_shares},
                {.algorithm = recursive_doubling, .elements = 512 * 1024},
                {pairwise}};
    }
    if (kind != Kind::alltoall) return {{linear}};
    std::vector<Rule> rules = open_mpi_rules(kind);
    for (Rule& rule : rules) {
        if (rule.algorithm == pairwise) rule.algorithm = pairwise_xor;
    }
    return rules;
}

// The generic tuning of MPICH 4. Mapped to the nearest: an allgatherv by `ring` does not divide blocks above
// MPIR_CVAR_ALLGATHERV_PIPELINE_MSG_SIZE (32 KiB) into chunks.
std::vector<Rule> mpich_rules(Kind kind) {
    using enum Algorithm;
    using enum Condition;
    switch (kind) {
        case Kind::barrier: return {{dissemination}};
        case Kind::bcast:
            return {{.algorithm = binomial, .ranks = 7},
                    {.algorithm = binomial, .up_to = Bytes{12'288}},
                    {.algorithm = scatter_allgather, .up_to = Bytes{524'288}, .condition = power_of_two},
                    {scatter_ring}};
        case Kind::reduce:
            return {{.algorithm = binomial, .up_to = Bytes{2048}},
                    {.algorithm = binomial, .condition = fewer_elements_by_power},
                    {halving_doubling}};
        case Kind::allreduce:
            return {{.algorithm = recursive_doubling, .up_to = Bytes{8}},
                    {.algorithm = recursive_doubling, .condition = fewer_elements_by_power},
                    {halving_doubling}};
        case Kind::gather:
        case Kind::scatter: return {{binomial}};
        case Kind::gatherv:
        case Kind::scatterv: return {{linear}};
        case Kind::allgather:
        case Kind::allgatherv:
            return {{.algorithm = recursive_doubling, .total = Bytes{524'287}, .condition = power_of_two},
                    {.algorithm = ring, .condition = power_of_two},
                    {.algorithm = bruck, .total = Bytes{81'919}},
                    {ring}};
        case Kind::alltoall:
            return {{.algorithm = scattered, .up_to = Bytes{32'768}, .ranks = 7},
                    {.algorithm = pairwise_xor, .ranks = 7},
                    {.algorithm = bruck, .up_to = Bytes{256}},
                    {.algorithm = scattered, .up_to = Bytes{32'768}},
                    {pairwise_xor}};
        case Kind::alltoallv: return {{scattered}};
        case Kind::reduce_scatter: return {{.algorithm = recursive_halving, .total = Bytes{524'287}}, {pairwise}};
        case Kind::scan:
        case Kind::exscan: break;
    }
    return {{hypercube}};
}

}  // namespace warpfront::collectives
