#include "simulator/trace/collectives.hpp"

#include <algorithm>
#include <bit>

namespace warpfront::trace {

namespace {

using Visit = std::function<void(const Exchange&)>;

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

void barrier(const Circle& here, std::uint32_t ranks, const Visit& visit) {
    for (std::uint64_t far = 1; far < ranks; far *= 2) visit({here.after(far), {}, here.before(far)});
}

/// The root has position 0; a position's parent lacks its lowest bit, its children have one bit more, below that.
void bcast(const Action& action, std::uint32_t rank, std::uint32_t ranks, const Visit& visit) {
    const std::uint32_t position = Circle(rank, ranks).before(action.peer);
    const Circle root(action.peer, ranks);
    std::uint64_t bit = position == 0 ? std::bit_ceil(std::uint64_t{ranks}) : position & -std::uint64_t{position};
    if (position != 0) visit({std::nullopt, {}, root.after(position - bit)});
    for (bit /= 2; bit > 0; bit /= 2) {
        if (position + bit < ranks) visit({root.after(position + bit), action.bytes, std::nullopt});
    }
}

void reduce(const Action& action, std::uint32_t rank, std::uint32_t ranks, const Visit& visit) {
    const std::uint32_t position = Circle(rank, ranks).before(action.peer);
    const Circle root(action.peer, ranks);
    for (std::uint64_t bit = 1; bit < ranks; bit *= 2) {
        if ((position & bit) != 0) {
            visit({root.after(position - bit), action.bytes, std::nullopt});
            return;
        }
        if (position + bit < ranks) visit({std::nullopt, {}, root.after(position + bit)});
    }
}

void gather(const Action& action, std::uint32_t rank, std::uint32_t ranks, const Visit& visit) {
    if (rank != action.peer) return visit({action.peer, action.bytes, std::nullopt});
    for (std::uint32_t from = 0; from < ranks; ++from) {
        if (from != rank) visit({std::nullopt, {}, from});
    }
}

void allgather(const Action& action, const Circle& here, std::uint32_t ranks, const Visit& visit) {
    for (std::uint32_t k = 0; k + 1 < ranks; ++k) {
        const Bytes block = action.shares.empty() ? action.bytes : action.shares[here.before(k)];
        visit({here.after(1), block, here.before(1)});
    }
}

void alltoall(const Action& action, const Circle& here, std::uint32_t ranks, const Visit& visit) {
    for (std::uint32_t k = 1; k < ranks; ++k) {
        const std::uint32_t to = here.after(k);
        visit({to, action.shares.empty() ? action.bytes : action.shares[to], here.before(k)});
    }
}

}  // namespace

void for_each_exchange(const Action& action, std::uint32_t rank, std::uint32_t ranks, const Visit& visit) {
    const Circle here(rank, ranks);
    if (action.verb == Verb::barrier) barrier(here, ranks, visit);
    if (action.verb == Verb::bcast) bcast(action, rank, ranks, visit);
    if (action.verb == Verb::reduce) reduce(action, rank, ranks, visit);
    if (action.verb == Verb::gather || action.verb == Verb::gatherv) gather(action, rank, ranks, visit);
    if (action.verb == Verb::allgather || action.verb == Verb::allgatherv) allgather(action, here, ranks, visit);
    if (action.verb == Verb::alltoall || action.verb == Verb::alltoallv) alltoall(action, here, ranks, visit);
}

std::uint64_t most_exchanges(Verb verb, std::uint32_t ranks) {
    if (verb == Verb::barrier || verb == Verb::bcast || verb == Verb::reduce) return std::bit_width(ranks) + 1U;
    return ranks;
}

}  // namespace warpfront::trace
