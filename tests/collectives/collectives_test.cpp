// Collectives as messages.
//
// Not pinned here: the data that arrive (data_test.cpp); the choice of an algorithm (decisions_test.cpp) and its
// configuration in a hardware file (tests/loading/hardware_file_test.cpp); the ranks that take part, and the
// instructions that exchanges become (tests/psl/collectives_test.cpp, tests/trace); times (tests/engine).
#include "simulator/collectives/exchanges.hpp"

#include "simulator/collectives/recursive_doubling.hpp"
#include "tests/preamble.hpp"

using namespace warpfront::collectives;
using collectives::RecursiveDoubling;

namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

Collective collective(Kind kind, std::uint32_t root, std::uint32_t ranks) {
    Collective made{kind, root, {100}};
    const bool shared = kind == Kind::allgatherv || kind == Kind::alltoallv;
    for (std::uint32_t rank = 0; shared && rank < ranks; ++rank) made.shares.push_back({rank + 1});
    return made;
}

std::vector<Exchange> exchanges(const Collective& made, std::uint32_t rank, std::uint32_t ranks,
                                const Algorithms& algorithms = {}) {
    std::vector<Exchange> all;
    for_each_exchange(made, algorithms, rank, ranks, [&all](const Exchange& step) { all.push_back(step); });
    return all;
}

/// Returns the bytes that leave a rank.
std::int64_t sent(const Collective& made, std::uint32_t rank, std::uint32_t ranks, const Algorithms& algorithms = {}) {
    std::int64_t sum = 0;
    for (const Exchange& step : exchanges(made, rank, ranks, algorithms)) sum += step.to ? step.bytes.count : 0;
    return sum;
}

const std::vector<Kind> kAll{Kind::barrier, Kind::bcast,          Kind::reduce,     Kind::allreduce, Kind::gather,
                             Kind::gatherv, Kind::allgather,      Kind::allgatherv, Kind::alltoall,  Kind::alltoallv,
                             Kind::scatter, Kind::reduce_scatter, Kind::scan,       Kind::exscan};

/// Returns every available algorithm, with defaults for the others, and those of the libraries.
std::vector<Algorithms> every_choice() {
    std::vector<Algorithms> all;
    for (const Library library : {Library::smpi, Library::open_mpi, Library::mpich}) {
        all.push_back(Algorithms::like(library));
    }
    for (const Offer& offer : offers()) {
        for (const Algorithm algorithm : offer.algorithms) {
            all.emplace_back();
            all.back().set(offer.kind, algorithm);
        }
    }
    return all;
}

/// Returns messages by (from, to), sent minus received, of a collective on all ranks.
std::map<Pair, int> unmatched(const Collective& made, std::uint32_t ranks, const Algorithms& algorithms) {
    std::map<Pair, int> open;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        for (const Exchange& step : exchanges(made, rank, ranks, algorithms)) {
            CHECK(step.to != rank);
            if (step.to) ++open[{rank, *step.to}];
            if (step.from) --open[{*step.from, rank}];
        }
    }
    return open;
}

}  // namespace

TEST_CASE("every rank receives all messages sent to it, for any number of ranks, any root and any algorithm") {
    for (const Algorithms& algorithms : every_choice()) {
        for (const Kind kind : kAll) {
            for (const std::uint32_t ranks : {1U, 2U, 3U, 4U, 5U, 8U, 13U}) {
                for (const std::uint32_t root : {0U, ranks / 2, ranks - 1}) {
                    CAPTURE(name_of(kind));
                    CAPTURE(name_of(algorithms.choose(collective(kind, root, ranks), ranks).algorithm));
                    CAPTURE(ranks);
                    const auto open = unmatched(collective(kind, root, ranks), ranks, algorithms);
                    for (const auto& [pair, count] : open) CHECK(count == 0);
                }
            }
        }
    }
}

TEST_CASE("there are never more exchanges than the limit, and every started exchange is waited for") {
    for (const Algorithms& algorithms : every_choice()) {
        for (const Kind kind : kAll) {
            for (const std::uint32_t ranks : {1U, 2U, 3U, 8U, 13U}) {
                for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                    CAPTURE(name_of(kind));
                    const Collective made = collective(kind, 0, ranks);
                    const auto steps = exchanges(made, rank, ranks, algorithms);
                    CHECK(steps.size() <= most_exchanges(made, algorithms, ranks));
                    const auto begins = [](const Exchange& step) { return step.begins; };
                    const auto last = std::find_if(steps.rbegin(), steps.rend(), begins);
                    if (last != steps.rend()) CHECK(std::prev(last)->waits());
                }
            }
        }
    }
}

TEST_CASE("a broadcast reaches every rank once, in a binomial tree") {
    // Eight ranks, root 0: 0 sends to 4, 2, 1; 4 to 6, 5; 2 to 3; 6 to 7.
    const Collective made = collective(Kind::bcast, 0, 8);
    CHECK(sent(made, 0, 8) == 300);
    CHECK(exchanges(made, 0, 8)[0].to == 4);
    CHECK(exchanges(made, 4, 8)[0].from == 0);
    CHECK(exchanges(made, 4, 8)[1].to == 6);
    CHECK(exchanges(made, 7, 8).size() == 1);
    CHECK(exchanges(made, 7, 8)[0].from == 6);
}

TEST_CASE("a reduction is the same tree backwards, from root 1") {
    const Collective made = collective(Kind::reduce, 1, 4);  // positions 0..3 are ranks 1, 2, 3, 0
    CHECK(exchanges(made, 1, 4).size() == 2);
    CHECK(exchanges(made, 1, 4)[0].from == 2);
    CHECK(exchanges(made, 1, 4)[1].from == 3);
    CHECK(exchanges(made, 3, 4)[0].from == 0);
    CHECK(exchanges(made, 3, 4)[1].to == 1);
}

TEST_CASE("the shares of the ranks in the v-forms") {
    // Shares 1, 2, 3, 4 bytes. Ring of an allgatherv: rank 0 sends on blocks 0, 3, 2. Alltoallv: 2 + 3 + 4 to others.
    CHECK(sent(collective(Kind::allgatherv, 0, 4), 0, 4) == 1 + 4 + 3);
    CHECK(sent(collective(Kind::alltoallv, 0, 4), 0, 4) == 2 + 3 + 4);
    CHECK(sent(collective(Kind::gatherv, 2, 4), 0, 4) == 100);
    CHECK(sent(collective(Kind::gatherv, 2, 4), 2, 4) == 0);
}

TEST_CASE("a linear barrier: all send to rank 0, which then sends to all") {
    Algorithms algorithms;
    algorithms.set(Kind::barrier, Algorithm::linear);
    const auto root = exchanges(collective(Kind::barrier, 0, 3), 0, 3, algorithms);
    REQUIRE(root.size() == 6);
    CHECK(root[0].from == 1);
    CHECK(root[1].from == 2);
    CHECK(root[2].waits());
    CHECK(root[3].to == 1);
    CHECK(root[4].to == 2);
    CHECK(root[5].waits());
    const auto other = exchanges(collective(Kind::barrier, 0, 3), 2, 3, algorithms);
    REQUIRE(other.size() == 2);
    CHECK(other[0].to == 0);
    CHECK(other[1].from == 0);
}

TEST_CASE("an allreduce by reduce and bcast uses the algorithms of both, by way of rank 0") {
    Algorithms algorithms = Algorithms::like(Library::smpi);
    const Collective made = collective(Kind::allreduce, 0, 4);
    // Rank 0 receives from 1, 2, 3, waits, sends to 2 and 1; rank 2 sends to 0, receives from 0, sends to 3.
    const auto root = exchanges(made, 0, 4, algorithms);
    REQUIRE(root.size() == 6);
    CHECK(root[2].from == 3);
    CHECK(root[3].waits());
    CHECK(root[4].to == 2);
    CHECK(root[5].to == 1);
    CHECK(exchanges(made, 2, 4, algorithms)[2].to == 3);
    algorithms.set(Kind::reduce, Algorithm::binomial);  // rank 0 receives from 1 and 2 alone
    CHECK(exchanges(made, 0, 4, algorithms).size() == 4);
}

TEST_CASE("Bruck's alltoall sends half of the blocks in each step") {
    // Eight ranks, blocks of 100 B: blocks 1, 3, 5, 7, then 2, 3, 6, 7, then 4 to 7. Five: 1 and 3, 2 and 3, 4.
    Algorithms algorithms;
    algorithms.set(Kind::alltoall, Algorithm::bruck);
    CHECK(sent(collective(Kind::alltoall, 0, 8), 3, 8, algorithms) == 3 * 400);
    CHECK(sent(collective(Kind::alltoall, 0, 5), 3, 5, algorithms) == 200 + 200 + 100);
}

TEST_CASE("an allreduce by recursive doubling: five ranks fold to four, double twice, and unfold") {
    // Ranks 0 and 1 are a pair: 0 sends to 1, which exchanges for both with 2 (bit 0) and 3 (bit 1), and sends back.
    const Collective made = collective(Kind::allreduce, 0, 5);
    const auto even = exchanges(made, 0, 5);
    REQUIRE(even.size() == 2);
    CHECK(even[0].to == 1);
    CHECK(even[1].from == 1);
    const auto odd = exchanges(made, 1, 5);
    REQUIRE(odd.size() == 4);
    CHECK(odd[0].from == 0);
    CHECK(odd[1].to == 2);
    CHECK(odd[1].from == 2);
    CHECK(odd[2].to == 3);
    CHECK(odd[3].to == 0);
}

TEST_CASE("a barrier by recursive doubling is the exchanges of such an allreduce, without bytes") {
    Algorithms algorithms;
    algorithms.set(Kind::barrier, Algorithm::recursive_doubling);
    for (const std::uint32_t ranks : {1U, 2U, 5U, 8U, 13U}) {
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            const auto barrier = exchanges(collective(Kind::barrier, 0, ranks), rank, ranks, algorithms);
            const auto allreduce = exchanges(collective(Kind::allreduce, 0, ranks), rank, ranks);
            REQUIRE(barrier.size() == allreduce.size());
            for (std::size_t k = 0; k < barrier.size(); ++k) {
                CHECK(barrier[k].to == allreduce[k].to);
                CHECK(barrier[k].from == allreduce[k].from);
                CHECK(barrier[k].bytes == Bytes{0});
            }
        }
    }
}

TEST_CASE("a tree of shares: each message holds those of a whole subtree") {
    // Six ranks, root 0, 100 B each: 0 sends to 4 (4 and 5), to 2 (2 and 3), to 1. A gather is the same backwards.
    const Collective scatter = collective(Kind::scatter, 0, 6);
    const auto root = exchanges(scatter, 0, 6);
    REQUIRE(root.size() == 3);
    CHECK(root[0].to == 4);
    CHECK(root[0].bytes == Bytes{200});
    CHECK(root[1].to == 2);
    CHECK(root[1].bytes == Bytes{200});
    CHECK(root[2].bytes == Bytes{100});
    Algorithms algorithms;
    algorithms.set(Kind::gather, Algorithm::binomial);
    const Collective gather = collective(Kind::gather, 0, 6);
    CHECK(sent(gather, 4, 6, algorithms) == 200);
    CHECK(sent(gather, 5, 6, algorithms) == 100);
    CHECK(sent(gather, 0, 6, algorithms) == 0);
}

TEST_CASE("a scan reaches every rank behind: by doubling in log2 P steps, or from each to each") {
    const Collective scan = collective(Kind::scan, 0, 6);
    // Rank 3 sends to 4 and 5 (distances 1 and 2), receives from 2 and 1; rank 5 receives from 4, 3 and 1.
    CHECK(sent(scan, 3, 6) == 200);
    CHECK(exchanges(scan, 5, 6).size() == 3);
    Algorithms algorithms;
    algorithms.set(Kind::scan, Algorithm::linear);
    CHECK(sent(scan, 3, 6, algorithms) == 200);  // to 4 and 5
    CHECK(sent(scan, 0, 6, algorithms) == 500);
}

TEST_CASE("the parts of a reduce_scatter: pairwise one to each, or all of them by way of rank 0") {
    Collective parts = collective(Kind::reduce_scatter, 0, 4);
    CHECK(sent(parts, 1, 4) == 3 * 100);
    Algorithms algorithms;
    algorithms.set(Kind::reduce_scatter, Algorithm::reduce_then_scatter);
    // reduce, binomial: 1 sends all 400 B to 0; scatter, binomial: 0 sends 200 B to 2 and 100 B to 1
    CHECK(sent(parts, 1, 4, algorithms) == 400);
    CHECK(sent(parts, 0, 4, algorithms) == 300);
    parts.shares = {{10}, {20}, {30}, {40}};
    CHECK(sent(parts, 1, 4) == 10 + 30 + 40);
    CHECK(sent(parts, 1, 4, algorithms) == 100);
    CHECK(sent(parts, 0, 4, algorithms) == 20 + 30 + 40);
}

namespace {

/// Returns the contributions of every rank after all steps, if in a step it receives everything that its partner had
/// before.
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
