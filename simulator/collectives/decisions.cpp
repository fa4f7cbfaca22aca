// The decision tables of MPI libraries: the algorithm of each operation by size and number of ranks. The limits are
// those of the libraries. If this library does not offer an algorithm, the table contains the most similar one, and a
// comment at the table describes the difference.
//
//   smpi       SMPI 3.32, the selector `default` (smpi_default_selector in src/smpi/colls), as in
//              `smpirun -replay`
//   open_mpi   Open MPI 4.1, coll/tuned, `ompi_coll_tuned_*_intra_dec_fixed`
//              (ompi/mca/coll/tuned/coll_tuned_decision_fixed.c, the same in 4.1.0 to 4.1.8), for operations that
//              commute; and coll/basic (ompi/mca/coll/basic) for the collectives that coll/tuned leaves to it
//   mpich      MPICH 4, the selection of `MPIR_CVAR_*_INTRA_ALGORITHM=auto` by its generic tuning
//              (maint/tuning/coll/mpir/generic.json, the same decisions in 4.0 to 4.3), for built-in operations that
//              commute and one rank per node. With several ranks per node MPICH splits most collectives into one
//              within nodes and one between nodes. This split is not offered here
#include "simulator/collectives/algorithms.hpp"

namespace warpfront::collectives {

namespace {

/// Returns the name of the library with its version.
std::string_view name_of(Library library) {
    switch (library) {
        case Library::smpi: return "SMPI 3.32";
        case Library::open_mpi: return "Open MPI 4.1";
        case Library::mpich: return "MPICH 4";
    }
    return "";
}

// The rules of SMPI. If SMPI uses a nonblocking collective and then waits, the rule is `linear`. Two peculiarities,
// perhaps mistakes, are reproduced. reduce_scatter__mpich compares a number of elements with 512 KiB. alltoall__ompi
// uses an exchange between pairs that works only for powers of two; on 3, 5 to 7, and 65 to 127 ranks SMPI aborts. This
// table then selects `pairwise`.
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

// The generic tuning of MPICH 4. One difference: MPICH divides blocks of an allgatherv by `ring` above
// MPIR_CVAR_ALLGATHERV_PIPELINE_MSG_SIZE (32 KiB) into chunks, and this library does not.
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

std::vector<Rule> rules_of(Library library, Kind kind) {
    switch (library) {
        case Library::smpi: return smpi_rules(kind);
        case Library::open_mpi: return open_mpi_rules(kind);
        case Library::mpich: break;
    }
    return mpich_rules(kind);
}

}  // namespace

Algorithms Algorithms::like(Library library) {
    Algorithms algorithms;
    for (const Offer& offer : offers()) algorithms.set(offer.kind, rules_of(library, offer.kind), name_of(library));
    return algorithms;
}

}  // namespace warpfront::collectives
