#include "simulator/trace/collectives.hpp"

#include <algorithm>
#include <bit>

#include "simulator/trace/action_parser.hpp"

namespace warpfront::trace {

namespace {

using machine::Algorithm;
using machine::Collectives;
using Visit = std::function<void(const CollectiveStep&)>;

constexpr CollectiveStep kAwaitAll{};
constexpr Bytes kNothing{};

/// Open MPI's limits for an alltoall.
constexpr Bytes kBruckBelow{200};
constexpr Bytes kLinearBelow{3000};
constexpr std::uint32_t kBruckAbove = 12;  // ranks

/// Rank numbers on a circle.
class Circle {
public:
    Circle(std::uint32_t rank, std::uint32_t ranks) : rank_(rank), ranks_(ranks) {}
    std::uint32_t after(std::uint64_t steps) const { return static_cast<std::uint32_t>((rank_ + steps) % ranks_); }
    std::uint32_t before(std::uint64_t steps) const {
        return static_cast<std::uint32_t>((rank_ + ranks_ - steps % ranks_) % ranks_);
    }

private:
    std::uint64_t rank_;
    std::uint64_t ranks_;
};

/// One rank's exchanges in a collective.
class Part {
public:
    Part(const Action& action, std::uint32_t rank, std::uint32_t ranks, const Visit& visit)
        : action_(action), rank_(rank), ranks_(ranks), here_(rank, ranks), visit_(visit) {}

    void dissemination() const {
        for (std::uint64_t far = 1; far < ranks_; far *= 2) visit_({here_.after(far), kNothing, here_.before(far)});
    }

    void spread_linear(std::uint32_t root, Bytes bytes) const {
        if (rank_ != root) return visit_({std::nullopt, {}, root});
        for_each_other([&](std::uint32_t other) { visit_({other, bytes, std::nullopt, true}); });
        visit_(kAwaitAll);
    }

    void collect_linear(std::uint32_t root, Bytes bytes) const {
        if (rank_ != root) return visit_({root, bytes, std::nullopt});
        for_each_other([&](std::uint32_t other) { visit_({std::nullopt, {}, other, true}); });
        visit_(kAwaitAll);
    }

    /// The root has position 0; a position's parent lacks its lowest bit, its children have one bit more, below that.
    void spread_binomial(std::uint32_t root, Bytes bytes) const {
        const std::uint32_t position = here_.before(root);
        const Circle from_root(root, ranks_);
        std::uint64_t bit = position == 0 ? std::bit_ceil(std::uint64_t{ranks_}) : position & -std::uint64_t{position};
        if (position != 0) visit_({std::nullopt, {}, from_root.after(position - bit)});
        for (bit /= 2; bit > 0; bit /= 2) {
            if (position + bit < ranks_) visit_({from_root.after(position + bit), bytes, std::nullopt});
        }
    }

    void collect_binomial(std::uint32_t root, Bytes bytes) const {
        const std::uint32_t position = here_.before(root);
        const Circle from_root(root, ranks_);
        for (std::uint64_t bit = 1; bit < ranks_; bit *= 2) {
            if ((position & bit) != 0) return visit_({from_root.after(position - bit), bytes, std::nullopt});
            if (position + bit < ranks_) visit_({std::nullopt, {}, from_root.after(position + bit)});
        }
    }

    void ring() const {
        for (std::uint32_t k = 0; k + 1 < ranks_; ++k) {
            visit_({here_.after(1), given_by(here_.before(k)), here_.before(1)});
        }
    }

    void allgather_linear() const {
        for_each_other([&](std::uint32_t other) {
            visit_({other, given_by(rank_), std::nullopt, true});
            visit_({std::nullopt, {}, other, true});
        });
        visit_(kAwaitAll);
    }

    void pairwise() const {
        for (std::uint32_t k = 1; k < ranks_; ++k) {
            const std::uint32_t to = here_.after(k);
            visit_({to, given_by(to), here_.before(k)});
        }
    }

    /// As SMPI: receives from the next rank onwards, sends from the previous one backwards.
    void alltoall_linear() const {
        for (std::uint32_t k = 1; k < ranks_; ++k) visit_({std::nullopt, {}, here_.after(k), true});
        for (std::uint32_t k = 1; k < ranks_; ++k) visit_({here_.before(k), action_.bytes, std::nullopt, true});
        visit_(kAwaitAll);
    }

    void alltoallv_linear() const {
        for_each_other([&](std::uint32_t other) { visit_({std::nullopt, {}, other, true}); });
        for_each_other([&](std::uint32_t other) { visit_({other, given_by(other), std::nullopt, true}); });
        visit_(kAwaitAll);
    }

    void bruck() const {
        for (std::uint64_t bit = 1; bit < ranks_; bit *= 2) {
            std::int64_t blocks = 0;
            for (std::uint64_t block = 1; block < ranks_; ++block) blocks += (block & bit) != 0 ? 1 : 0;
            visit_({here_.after(bit), {blocks * action_.bytes.count}, here_.before(bit)});
        }
    }

private:
    template <class Visitor>
    void for_each_other(const Visitor& visitor) const {
        for (std::uint32_t other = 0; other < ranks_; ++other) {
            if (other != rank_) visitor(other);
        }
    }
    Bytes given_by(std::uint32_t rank) const { return action_.shares.empty() ? action_.bytes : action_.shares[rank]; }

    const Action& action_;
    const std::uint32_t rank_;
    const std::uint32_t ranks_;
    const Circle here_;
    const Visit& visit_;
};

void barrier(const Part& part, Algorithm algorithm) {
    if (algorithm == Algorithm::dissemination) return part.dissemination();
    part.collect_linear(0, kNothing);
    part.spread_linear(0, kNothing);
}

void bcast(const Part& part, Algorithm algorithm, std::uint32_t root, Bytes bytes) {
    if (algorithm == Algorithm::linear) return part.spread_linear(root, bytes);
    part.spread_binomial(root, bytes);
}

void reduce(const Part& part, Algorithm algorithm, std::uint32_t root, Bytes bytes) {
    if (algorithm == Algorithm::linear) return part.collect_linear(root, bytes);
    part.collect_binomial(root, bytes);
}

Algorithm of_open_mpi(Bytes block, std::uint32_t ranks) {
    if (block < kBruckBelow && ranks > kBruckAbove) return Algorithm::bruck;
    return block < kLinearBelow ? Algorithm::linear : Algorithm::pairwise;
}

void alltoall(const Part& part, Algorithm algorithm) {
    if (algorithm == Algorithm::bruck) return part.bruck();
    if (algorithm == Algorithm::linear) return part.alltoall_linear();
    part.pairwise();
}

}  // namespace

Algorithm algorithm_of(Verb verb, const Collectives& collectives) {
    for (const machine::CollectiveChoice& choice : machine::collective_choices()) {
        if (choice.name == name_of(verb)) return collectives.*choice.member;
    }
    return Algorithm::linear;
}

void for_each_exchange(const Action& action, const Collectives& collectives, std::uint32_t rank, std::uint32_t ranks,
                       const Visit& visit) {
    const Part part(action, rank, ranks, visit);
    const Algorithm algorithm = algorithm_of(action.verb, collectives);
    switch (action.verb) {
        case Verb::barrier: return barrier(part, algorithm);
        case Verb::bcast: return bcast(part, algorithm, action.peer, action.bytes);
        case Verb::reduce: return reduce(part, algorithm, action.peer, action.bytes);
        case Verb::allreduce:
            if (algorithm == Algorithm::recursive_doubling) return;
            reduce(part, collectives.reduce, 0, action.bytes);
            return bcast(part, collectives.bcast, 0, action.bytes);
        case Verb::gather:
        case Verb::gatherv: return part.collect_linear(action.peer, action.bytes);
        case Verb::allgather:
        case Verb::allgatherv: return algorithm == Algorithm::ring ? part.ring() : part.allgather_linear();
        case Verb::alltoall:
            return alltoall(part, algorithm == Algorithm::open_mpi ? of_open_mpi(action.bytes, ranks) : algorithm);
        case Verb::alltoallv: return algorithm == Algorithm::pairwise ? part.pairwise() : part.alltoallv_linear();
        default: return;
    }
}

std::uint64_t most_exchanges(Verb verb, const Collectives& collectives, std::uint32_t ranks) {
    using enum Algorithm;
    const auto is_tree = [](Algorithm algorithm) { return algorithm == dissemination || algorithm == binomial; };
    const Algorithm algorithm = algorithm_of(verb, collectives);
    const bool trees = algorithm == reduce_bcast ? is_tree(collectives.reduce) && is_tree(collectives.bcast)
                                                 : is_tree(algorithm) || algorithm == recursive_doubling;
    return trees ? 2 * std::bit_width(ranks) + 2U : 2 * std::uint64_t{ranks} + 2;
}

}  // namespace warpfront::trace
