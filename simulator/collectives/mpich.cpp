// The generic tuning of MPICH 4 (decisions.hpp). Mapped to the nearest: an allgatherv by `ring` does not divide blocks
// above MPIR_CVAR_ALLGATHERV_PIPELINE_MSG_SIZE (32 KiB) into chunks.
#include "simulator/collectives/decisions.hpp"

namespace warpfront::collectives {

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
