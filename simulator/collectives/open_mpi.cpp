// The fixed decisions of coll/tuned in Open MPI 4.1 (decisions.cpp). They do not divide messages into segments (segment
// sizes are 0). Therefore some algorithms coincide:
//   - chain and pipeline are one chain, and the segmented ring of an allreduce is its ring;
//   - linear_sync of an alltoall, without a limit on requests, is `linear`;
//   - two_proc, the exchange of two ranks, is `pairwise` or `ring`.
// coll/base replaces some algorithms if there are few elements, or if the number of ranks is no power of two
// (exception_of). Three differences remain. A barrier by recursive doubling combines the ranks beyond a power of two
// with their neighbours, not with the first ranks. The reduction of an allreduce by `linear` takes messages in the
// order of arrival, not one by one. MPI_Reduce_scatter_block uses the decisions of MPI_Reduce_scatter.
#include "simulator/collectives/algorithms.hpp"

namespace warpfront::collectives {

namespace {

constexpr std::int64_t kAny = 0;

struct Below {
    std::int64_t bytes;  // the row applies to fewer bytes
    std::size_t number;  // number of the algorithm in coll/tuned, from 1
};
struct Bracket {
    std::int64_t ranks;  // the rows apply to fewer ranks
    std::vector<Below> sizes;
};
struct Table {
    std::vector<Algorithm> numbers;  // algorithms by their number in coll/tuned; `linear` for numbers that no row uses
    std::vector<Bracket> brackets;
};

Table barrier() {
    using enum Algorithm;
    return {{linear, linear, recursive_doubling, dissemination, linear, binomial},
            {{4, {{kAny, 3}}},
             {8, {{kAny, 1}}},
             {64, {{kAny, 3}}},
             {256, {{kAny, 4}}},
             {512, {{kAny, 6}}},
             {1024, {{kAny, 4}}},
             {4096, {{kAny, 6}}},
             {kAny, {{kAny, 4}}}}};
}

Table bcast() {
    using enum Algorithm;
    return {{linear, chain, chain, split_binary, binary, binomial_doubling, knomial, scatter_allgather},
            {{4,
              {{32, 3},
               {256, 5},
               {512, 3},
               {1024, 7},
               {32768, 1},
               {131072, 5},
               {262144, 2},
               {524288, 1},
               {1048576, 6},
               {kAny, 5}}},
             {8, {{64, 5}, {128, 6}, {2048, 5}, {8192, 6}, {1048576, 1}, {kAny, 2}}},
             {16, {{8, 7}, {64, 5}, {4096, 7}, {16384, 5}, {32768, 6}, {kAny, 1}}},
             {32, {{4096, 7}, {1048576, 6}, {kAny, 8}}},
             {64, {{2048, 6}, {kAny, 7}}},
             {128, {{kAny, 7}}},
             {256, {{2, 6}, {16384, 5}, {32768, 1}, {65536, 5}, {kAny, 7}}},
             {1024, {{16384, 7}, {32768, 4}, {kAny, 7}}},
             {2048, {{524288, 7}, {kAny, 8}}},
             {4096, {{262144, 7}, {kAny, 8}}},
             {kAny, {{8192, 7}, {16384, 5}, {262144, 7}, {kAny, 8}}}}};
}

Table reduce() {
    using enum Algorithm;
    return {{sequential, chain, chain, binary, binomial, in_order_binary, rabenseifner},
            {{4, {{8, 7}, {16, 4}, {32, 3}, {262144, 1}, {524288, 3}, {1048576, 2}, {kAny, 3}}},
             {8, {{4096, 4}, {65536, 2}, {262144, 5}, {524288, 1}, {1048576, 5}, {kAny, 1}}},
             {16, {{8192, 4}, {kAny, 5}}},
             {32, {{4096, 4}, {kAny, 5}}},
             {256, {{kAny, 5}}},
             {512, {{8192, 5}, {16384, 6}, {kAny, 5}}},
             {2048, {{kAny, 5}}},
             {4096, {{512, 5}, {1024, 6}, {8192, 5}, {16384, 6}, {kAny, 5}}},
             {kAny, {{16, 5}, {32, 6}, {1024, 5}, {2048, 6}, {8192, 5}, {16384, 6}, {kAny, 5}}}}};
}

Table allreduce() {
    using enum Algorithm;
    return {{linear, reduce_bcast, recursive_doubling, ring, ring, rabenseifner},
            {{4, {{8, 4}, {4096, 3}, {8192, 4}, {16384, 3}, {65536, 4}, {262144, 5}, {kAny, 6}}},
             {8, {{16, 4}, {8192, 3}, {kAny, 6}}},
             {16, {{8192, 3}, {kAny, 6}}},
             {32, {{64, 5}, {4096, 3}, {kAny, 6}}},
             {64, {{128, 5}, {kAny, 6}}},
             {128, {{262144, 3}, {kAny, 6}}},
             {256, {{131072, 2}, {262144, 3}, {kAny, 6}}},
             {512, {{4096, 2}, {kAny, 6}}},
             {2048, {{2048, 2}, {16384, 3}, {kAny, 6}}},
             {4096, {{2048, 2}, {4096, 5}, {16384, 3}, {kAny, 6}}},
             {kAny, {{2048, 2}, {16384, 5}, {32768, 3}, {kAny, 6}}}}};
}

Table gather() {
    using enum Algorithm;
    return {{sequential, binomial, linear_sync},
            {{4, {{2, 3}, {4, 1}, {32768, 2}, {65536, 1}, {131072, 2}, {kAny, 3}}},
             {8, {{1024, 2}, {8192, 1}, {32768, 2}, {262144, 1}, {kAny, 3}}},
             {256, {{kAny, 2}}},
             {512, {{2048, 2}, {8192, 1}, {kAny, 2}}},
             {kAny, {{kAny, 2}}}}};
}

Table scatter() {
    using enum Algorithm;
    return {{sequential, binomial, linear},
            {{4, {{2, 3}, {131072, 1}, {262144, 3}, {kAny, 1}}},
             {8, {{2048, 2}, {4096, 1}, {8192, 2}, {32768, 1}, {1048576, 3}, {kAny, 1}}},
             {16, {{16384, 2}, {1048576, 3}, {kAny, 1}}},
             {32, {{16384, 2}, {32768, 1}, {kAny, 3}}},
             {64, {{512, 2}, {8192, 3}, {16384, 2}, {kAny, 3}}},
             {kAny, {{512, 2}, {kAny, 3}}}}};
}

Table allgather() {
    using enum Algorithm;
    return {{linear, bruck, recursive_doubling, ring, neighbour_exchange, ring},
            {{3, {{kAny, 6}}},
             {32, {{kAny, 3}}},
             {64, {{1024, 3}, {65536, 5}, {kAny, 4}}},
             {128, {{512, 3}, {65536, 5}, {kAny, 4}}},
             {256, {{512, 3}, {131072, 5}, {524288, 4}, {1048576, 5}, {kAny, 4}}},
             {512, {{32, 3}, {128, 2}, {1024, 3}, {131072, 5}, {524288, 4}, {1048576, 5}, {kAny, 4}}},
             {1024, {{64, 3}, {256, 2}, {2048, 3}, {kAny, 5}}},
             {2048, {{4, 3}, {8, 2}, {16, 3}, {32, 2}, {256, 3}, {512, 2}, {4096, 3}, {kAny, 5}}},
             {4096, {{32, 2}, {128, 3}, {512, 2}, {4096, 3}, {kAny, 5}}},
             {kAny, {{2, 3}, {8, 2}, {16, 3}, {512, 2}, {4096, 3}, {kAny, 5}}}}};
}

Table allgatherv() {
    using enum Algorithm;
    return {{gather_bcast, bruck, ring, neighbour_exchange, ring},
            {{3, {{2048, 3}, {4096, 5}, {8192, 3}, {kAny, 5}}},
             {8, {{256, 1}, {4096, 4}, {8192, 3}, {16384, 4}, {262144, 2}, {kAny, 4}}},
             {16, {{1024, 1}, {kAny, 2}}},
             {32, {{128, 1}, {262144, 2}, {kAny, 3}}},
             {64, {{256, 1}, {8192, 2}, {kAny, 3}}},
             {128, {{256, 1}, {4096, 2}, {kAny, 3}}},
             {256, {{1024, 2}, {65536, 4}, {kAny, 3}}},
             {512, {{1024, 2}, {kAny, 3}}},
             {1024, {{512, 2}, {1024, 1}, {4096, 2}, {1048576, 4}, {kAny, 3}}},
             {kAny, {{4096, 2}, {kAny, 4}}}}};
}

Table alltoall() {
    using enum Algorithm;
    return {
        {linear, pairwise, bruck, linear, pairwise},
        {{3, {{2, 2}, {4, 5}, {16, 2}, {64, 5}, {256, 2}, {4096, 5}, {32768, 2}, {262144, 4}, {1048576, 5}, {kAny, 2}}},
         {8, {{8192, 4}, {16384, 1}, {65536, 4}, {524288, 1}, {1048576, 2}, {kAny, 1}}},
         {16, {{262144, 4}, {kAny, 1}}},
         {32, {{4, 4}, {512, 3}, {8192, 4}, {32768, 1}, {262144, 4}, {524288, 1}, {kAny, 4}}},
         {64, {{512, 3}, {524288, 1}, {kAny, 4}}},
         {128, {{1024, 3}, {2048, 1}, {4096, 4}, {262144, 1}, {kAny, 2}}},
         {256, {{1024, 3}, {2048, 4}, {262144, 1}, {kAny, 2}}},
         {512, {{1024, 3}, {8192, 4}, {32768, 1}, {kAny, 2}}},
         {1024, {{512, 3}, {8192, 4}, {16384, 1}, {131072, 4}, {262144, 1}, {kAny, 2}}},
         {2048, {{512, 3}, {1024, 4}, {2048, 1}, {16384, 4}, {262144, 1}, {kAny, 4}}},
         {4096, {{1024, 3}, {4096, 4}, {8192, 1}, {131072, 4}, {kAny, 1}}},
         {kAny, {{2048, 3}, {8192, 4}, {16384, 1}, {32768, 4}, {65536, 1}, {kAny, 4}}}}};
}

Table alltoallv() {
    using enum Algorithm;
    return {{linear, pairwise},
            {{4, {{kAny, 2}}},
             {64, {{kAny, 1}}},
             {128, {{kAny, 2}}},
             {256, {{kAny, 1}}},
             {1024, {{kAny, 2}}},
             {kAny, {{kAny, 1}}}}};
}

Table reduce_scatter() {
    using enum Algorithm;
    return {{reduce_then_scatterv, recursive_halving, ring, butterfly},
            {{4, {{65536, 3}, {131072, 4}, {kAny, 3}}},
             {8, {{8, 1}, {262144, 2}, {kAny, 3}}},
             {32, {{262144, 2}, {kAny, 3}}},
             {64, {{64, 1}, {2048, 2}, {524288, 4}, {kAny, 3}}},
             {128, {{256, 1}, {512, 2}, {2048, 4}, {4096, 2}, {kAny, 4}}},
             {256, {{256, 1}, {512, 2}, {kAny, 4}}},
             {512, {{256, 1}, {1024, 2}, {kAny, 4}}},
             {1024, {{512, 1}, {2048, 2}, {8192, 4}, {16384, 2}, {kAny, 4}}},
             {2048, {{512, 1}, {4096, 2}, {16384, 4}, {32768, 2}, {kAny, 4}}},
             {4096, {{512, 1}, {4096, 2}, {kAny, 4}}},
             {kAny, {{1024, 1}, {8192, 2}, {kAny, 4}}}}};
}

/// Returns the rule by which coll/base replaces the algorithm; nothing if there is none.
std::optional<Rule> exception_of(Kind kind, Algorithm algorithm) {
    using enum Algorithm;
    using enum Condition;
    if (kind == Kind::allreduce && algorithm == ring) {
        return Rule{.algorithm = recursive_doubling, .condition = fewer_elements};
    }
    if (algorithm == rabenseifner) {
        return Rule{.algorithm = kind == Kind::reduce ? sequential : linear, .condition = fewer_elements_by_power};
    }
    if (algorithm == scatter_allgather) return Rule{.algorithm = linear, .condition = fewer_elements};
    if (kind == Kind::allgather && algorithm == recursive_doubling) {
        return Rule{.algorithm = recursive_doubling, .condition = power_of_two};
    }
    return std::nullopt;
}

std::vector<Rule> rules_of(Kind kind, const Table& table) {
    std::vector<Rule> rules;
    for (const Bracket& bracket : table.brackets) {
        for (const Below& below : bracket.sizes) {
            Rule rule{table.numbers[below.number - 1]};
            if (bracket.ranks != kAny) rule.ranks = static_cast<std::uint32_t>(bracket.ranks - 1);
            if (below.bytes != kAny) {
                (kind == Kind::reduce_scatter ? rule.total : rule.up_to) = Bytes{below.bytes - 1};
            }
            if (const std::optional<Rule> exception = exception_of(kind, rule.algorithm)) {
                rules.push_back(rule);
                rules.back().algorithm = exception->algorithm;
                rules.back().condition = exception->condition;
                if (exception->condition == Condition::power_of_two) rule.algorithm = Algorithm::bruck;
            }
            rules.push_back(rule);
        }
    }
    return rules;
}

}  // namespace

std::vector<Rule> open_mpi_rules(Kind kind) {
    switch (kind) {
        case Kind::barrier: return rules_of(kind, barrier());
        case Kind::bcast: return rules_of(kind, bcast());
        case Kind::reduce: return rules_of(kind, reduce());
        case Kind::allreduce: return rules_of(kind, allreduce());
        case Kind::gather: return rules_of(kind, gather());
        case Kind::scatter: return rules_of(kind, scatter());
        case Kind::allgather: return rules_of(kind, allgather());
        case Kind::allgatherv: return rules_of(kind, allgatherv());
        case Kind::alltoall: return rules_of(kind, alltoall());
        case Kind::alltoallv: return rules_of(kind, alltoallv());
        case Kind::reduce_scatter: return rules_of(kind, reduce_scatter());
        case Kind::gatherv:
        case Kind::scatterv: return {{Algorithm::sequential}};
        case Kind::scan:
        case Kind::exscan: break;
    }
    return {{Algorithm::chain}};
}

}  // namespace warpfront::collectives
