#include <doctest/doctest.h>

#include <set>
#include <vector>

#include "simulator/collectives/recursive_doubling.hpp"

using namespace warpfront;
using collectives::RecursiveDoubling;

namespace {

/// The contributions that every rank has after all steps, if in a step it receives all that its partner had before.
std::vector<std::set<std::uint32_t>> knowledge(std::uint32_t ranks) {
    const RecursiveDoubling doubling(ranks);
    std::vector<std::set<std::uint32_t>> known(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) known[rank] = {rank};
    for (std::uint32_t step = 0; step < doubling.steps(); ++step) {
        const auto before = known;
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            const auto from = doubling.step({rank}, step).recv_from;
            if (from) known[rank].insert(before[from->index].begin(), before[from->index].end());
        }
    }
    return known;
}

}  // namespace

TEST_CASE("after the last step every rank has every contribution, for any number of ranks") {
    for (std::uint32_t ranks = 1; ranks <= 40; ++ranks) {
        for (const auto& known : knowledge(ranks)) CHECK(known.size() == ranks);
    }
}

TEST_CASE("the receiver of a step receives in the same step") {
    for (std::uint32_t ranks = 1; ranks <= 40; ++ranks) {
        const RecursiveDoubling doubling(ranks);
        for (std::uint32_t step = 0; step < doubling.steps(); ++step) {
            for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                const auto to = doubling.step({rank}, step).send_to;
                if (!to) continue;
                REQUIRE(to->index < ranks);
                CHECK(doubling.step(*to, step).recv_from == Rank{rank});
            }
        }
    }
}

TEST_CASE("a power of two needs log2 P steps, other counts two more than the power below") {
    CHECK(RecursiveDoubling(1).steps() == 0);
    CHECK(RecursiveDoubling(2).steps() == 1);
    CHECK(RecursiveDoubling(64).steps() == 6);
    CHECK(RecursiveDoubling(65).steps() == 6 + 2);
    CHECK(RecursiveDoubling(127).steps() == 6 + 2);
}

TEST_CASE("the number of messages is the sum over all ranks and steps") {
    for (std::uint32_t ranks = 1; ranks <= 40; ++ranks) {
        const RecursiveDoubling doubling(ranks);
        std::uint64_t sent = 0;
        for (std::uint32_t step = 0; step < doubling.steps(); ++step) {
            for (std::uint32_t rank = 0; rank < ranks; ++rank) sent += doubling.step({rank}, step).send_to ? 1U : 0U;
        }
        CHECK(doubling.messages() == sent);
    }
}
