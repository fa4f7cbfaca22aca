#include "simulator/collectives/exchanges.hpp"

#include <algorithm>
#include <bit>

#include "simulator/collectives/recursive_doubling.hpp"

namespace warpfront::collectives {

namespace {

using Visit = std::function<void(const Exchange&)>;

constexpr Exchange kAwaitAll{};
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

/// One member's exchanges in a collective.
class Part {
public:
    Part(const Collective& collective, std::uint32_t rank, std::uint32_t ranks, const Visit& visit)
        : collective_(collective), rank_(rank), ranks_(ranks), here_(rank, ranks), visit_(visit) {}

    void dissemination() const {
        for (std::uint64_t far = 1; far < ranks_; far *= 2) visit_({here_.after(far), kNothing, here_.before(far)});
    }

    void spread_linear(std::uint32_t root, Bytes bytes) const {
        if (rank_ != root) return visit_({std::nullopt, {}, root});
        for_each_other([&](std::uint32_t other) { visit_({other, bytes, std::nullopt, true}); });
        visit_(kAwaitAll);
    }

    void spread_shares(std::uint32_t root) const {
        if (rank_ != root) return visit_({std::nullopt, {}, root});
        for_each_other([&](std::uint32_t other) { visit_({other, given_by(other), std::nullopt, true}); });
        visit_(kAwaitAll);
    }

    void collect_linear(std::uint32_t root, Bytes bytes) const {
        if (rank_ != root) return visit_({root, bytes, std::nullopt});
        for_each_other([&](std::uint32_t other) { visit_({std::nullopt, {}, other, true}); });
        visit_(kAwaitAll);
    }

    /// The shares of all members together.
    Bytes of_all() const {
        Bytes sum;
        for (std::uint32_t member = 0; member < ranks_; ++member) sum.count += given_by(member).count;
        return sum;
    }

    /// The root has position 0; a position's parent lacks its lowest bit, its children have one bit more, below that.
    /// `shares`: `bytes` are those of each member, and a message holds those of the whole subtree of its child.
    void spread_binomial(std::uint32_t root, Bytes bytes, bool shares = false) const {
        const std::uint32_t position = here_.before(root);
        const Circle from_root(root, ranks_);
        std::uint64_t bit = position == 0 ? std::bit_ceil(std::uint64_t{ranks_}) : position & -std::uint64_t{position};
        if (position != 0) visit_({std::nullopt, {}, from_root.after(position - bit)});
        for (bit /= 2; bit > 0; bit /= 2) {
            if (position + bit >= ranks_) continue;
            visit_({from_root.after(position + bit), shares ? of_subtree(bytes, position + bit, bit) : bytes,
                    std::nullopt});
        }
    }

    void collect_binomial(std::uint32_t root, Bytes bytes, bool shares = false) const {
        const std::uint32_t position = here_.before(root);
        const Circle from_root(root, ranks_);
        for (std::uint64_t bit = 1; bit < ranks_; bit *= 2) {
            if ((position & bit) != 0) {
                const Bytes sent = shares ? of_subtree(bytes, position, bit) : bytes;
                return visit_({from_root.after(position - bit), sent, std::nullopt});
            }
            if (position + bit < ranks_) visit_({std::nullopt, {}, from_root.after(position + bit)});
        }
    }

    void recursive_doubling(Bytes bytes) const {
        const RecursiveDoubling doubling(ranks_);
        const auto index = [](std::optional<Rank> rank) {
            return rank ? std::optional<std::uint32_t>(rank->index) : std::nullopt;
        };
        for (std::uint32_t step = 0; step < doubling.steps(); ++step) {
            const RecursiveDoubling::Step now = doubling.step({rank_}, step);
            if (now.send_to || now.recv_from) visit_({index(now.send_to), bytes, index(now.recv_from)});
        }
    }

    void scan_by_doubling() const {
        for (std::uint64_t far = 1; far < ranks_; far *= 2) {
            Exchange step{std::nullopt, collective_.bytes, std::nullopt};
            if (rank_ + far < ranks_) step.to = here_.after(far);
            if (rank_ >= far) step.from = here_.before(far);
            if (!step.waits()) visit_(step);
        }
    }

    void scan_linear() const {
        for (std::uint32_t other = 0; other < rank_; ++other) visit_({std::nullopt, {}, other, true});
        for (std::uint32_t other = rank_ + 1; other < ranks_; ++other) {
            visit_({other, collective_.bytes, std::nullopt, true});
        }
        if (ranks_ > 1) visit_(kAwaitAll);
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

    /// SMPI's order: receives from the next rank onwards, sends from the previous one backwards.
    void alltoall_linear() const {
        for (std::uint32_t k = 1; k < ranks_; ++k) visit_({std::nullopt, {}, here_.after(k), true});
        for (std::uint32_t k = 1; k < ranks_; ++k) visit_({here_.before(k), collective_.bytes, std::nullopt, true});
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
            visit_({here_.after(bit), {blocks * collective_.bytes.count}, here_.before(bit)});
        }
    }

private:
    /// The subtree of a position whose lowest bit is `bit` has that many members, or as many as there are.
    Bytes of_subtree(Bytes each, std::uint64_t position, std::uint64_t bit) const {
        return {static_cast<std::int64_t>(std::min(bit, ranks_ - position)) * each.count};
    }
    template <class Visitor>
    void for_each_other(const Visitor& visitor) const {
        for (std::uint32_t other = 0; other < ranks_; ++other) {
            if (other != rank_) visitor(other);
        }
    }
    Bytes given_by(std::uint32_t rank) const {
        return collective_.shares.empty() ? collective_.bytes : collective_.shares[rank];
    }

    const Collective& collective_;
    const std::uint32_t rank_;
    const std::uint32_t ranks_;
    const Circle here_;
    const Visit& visit_;
};

void barrier(const Part& part, Algorithm algorithm) {
    if (algorithm == Algorithm::dissemination) return part.dissemination();
    if (algorithm == Algorithm::recursive_doubling) return part.recursive_doubling(kNothing);
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

void gather(const Part& part, Algorithm algorithm, std::uint32_t root, Bytes bytes) {
    if (algorithm == Algorithm::linear) return part.collect_linear(root, bytes);
    part.collect_binomial(root, bytes, true);
}

void scatter(const Part& part, Algorithm algorithm, std::uint32_t root, Bytes bytes) {
    if (algorithm == Algorithm::linear) return part.spread_linear(root, bytes);
    part.spread_binomial(root, bytes, true);
}

}  // namespace

void for_each_exchange(const Collective& collective, const Algorithms& algorithms, std::uint32_t member,
                       std::uint32_t members, const Visit& visit) {
    const Part part(collective, member, members, visit);
    const Bytes bytes = collective.bytes;
    const std::uint32_t root = collective.root;
    const auto algorithm_of = [&](Kind kind, Bytes size) { return algorithms.of(kind, size, members); };
    const Algorithm algorithm = algorithm_of(collective.kind, bytes);
    switch (collective.kind) {
        case Kind::barrier: return barrier(part, algorithm);
        case Kind::bcast: return bcast(part, algorithm, root, bytes);
        case Kind::reduce: return reduce(part, algorithm, root, bytes);
        case Kind::allreduce:
            if (algorithm == Algorithm::recursive_doubling) return part.recursive_doubling(bytes);
            reduce(part, algorithm_of(Kind::reduce, bytes), 0, bytes);
            return bcast(part, algorithm_of(Kind::bcast, bytes), 0, bytes);
        case Kind::gather: return gather(part, algorithm, root, bytes);
        case Kind::gatherv: return part.collect_linear(root, bytes);
        case Kind::scatter: return scatter(part, algorithm, root, bytes);
        case Kind::allgather:
        case Kind::allgatherv: return algorithm == Algorithm::ring ? part.ring() : part.allgather_linear();
        case Kind::alltoall:
            return alltoall(part, algorithm == Algorithm::open_mpi ? of_open_mpi(bytes, members) : algorithm);
        case Kind::alltoallv: return algorithm == Algorithm::pairwise ? part.pairwise() : part.alltoallv_linear();
        case Kind::reduce_scatter: {
            if (algorithm == Algorithm::pairwise) return part.pairwise();
            const Bytes all = part.of_all();
            reduce(part, algorithm_of(Kind::reduce, all), 0, all);
            if (!collective.shares.empty()) return part.spread_shares(0);
            return scatter(part, algorithm_of(Kind::scatter, bytes), 0, bytes);
        }
        case Kind::scatterv: return part.spread_shares(root);
        case Kind::scan:
        case Kind::exscan:
            return algorithm == Algorithm::recursive_doubling ? part.scan_by_doubling() : part.scan_linear();
    }
}

std::uint64_t most_exchanges(Kind kind, const Algorithms& algorithms, std::uint32_t members) {
    using enum Algorithm;
    const auto only_trees = [&](Kind each) {
        const std::vector<Rule>& rules = algorithms.rules(each);
        return std::all_of(rules.begin(), rules.end(), [](const Rule& rule) {
            return rule.algorithm == dissemination || rule.algorithm == binomial || rule.algorithm == bruck ||
                   rule.algorithm == recursive_doubling;
        });
    };
    bool trees = only_trees(kind);
    if (kind == Kind::allreduce && !trees) trees = only_trees(Kind::reduce) && only_trees(Kind::bcast);
    return trees ? 2 * std::uint64_t{std::bit_width(members)} + 2U : 2 * std::uint64_t{members} + 2;
}

}  // namespace warpfront::collectives
