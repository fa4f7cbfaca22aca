// Collectives as messages.
#include "simulator/trace/collectives.hpp"
#include "simulator/trace/action_parser.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "tests/trace/traces.hpp"

using namespace warpfront;
using namespace warpfront::test;
using namespace warpfront::trace;
using machine::Algorithm;
using machine::Collectives;

namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

Action collective(Verb verb, std::uint32_t root, std::uint32_t ranks) {
    Action action;
    action.verb = verb;
    action.peer = root;
    action.bytes = {100};
    const bool shared = verb == Verb::allgatherv || verb == Verb::alltoallv;
    for (std::uint32_t rank = 0; shared && rank < ranks; ++rank) action.shares.push_back({rank + 1});
    return action;
}

std::vector<CollectiveStep> exchanges(const Action& action, std::uint32_t rank, std::uint32_t ranks,
                                      const Collectives& collectives = {}) {
    std::vector<CollectiveStep> all;
    for_each_exchange(action, collectives, rank, ranks, [&all](const CollectiveStep& step) { all.push_back(step); });
    return all;
}

/// Bytes that leave a rank.
std::int64_t sent(const Action& action, std::uint32_t rank, std::uint32_t ranks, const Collectives& collectives = {}) {
    std::int64_t sum = 0;
    for (const CollectiveStep& step : exchanges(action, rank, ranks, collectives))
        sum += step.to ? step.bytes.count : 0;
    return sum;
}

const std::vector<Verb> kAll{Verb::barrier, Verb::bcast,     Verb::reduce,     Verb::allreduce, Verb::gather,
                             Verb::gatherv, Verb::allgather, Verb::allgatherv, Verb::alltoall,  Verb::alltoallv};

/// Every algorithm that is offered, the others as by default.
std::vector<Collectives> every_choice() {
    std::vector<Collectives> all{machine::collectives_of_smpi()};
    for (const machine::CollectiveChoice& choice : machine::collective_choices()) {
        for (const Algorithm algorithm : choice.offered) {
            all.emplace_back();
            all.back().*choice.member = algorithm;
        }
    }
    return all;
}

/// Messages by (from, to), sent less received, of a collective on all ranks.
std::map<Pair, int> unmatched(const Action& action, std::uint32_t ranks, const Collectives& collectives) {
    std::map<Pair, int> open;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        for (const CollectiveStep& step : exchanges(action, rank, ranks, collectives)) {
            CHECK(step.to != rank);
            if (step.to) ++open[{rank, *step.to}];
            if (step.from) --open[{*step.from, rank}];
        }
    }
    return open;
}

}  // namespace

TEST_CASE("every rank receives all messages sent to it, for any number of ranks, any root and any algorithm") {
    for (const Collectives& collectives : every_choice()) {
        for (const Verb verb : kAll) {
            for (const std::uint32_t ranks : {1U, 2U, 3U, 4U, 5U, 8U, 13U}) {
                for (const std::uint32_t root : {0U, ranks / 2, ranks - 1}) {
                    CAPTURE(name_of(verb));
                    CAPTURE(machine::name_of(algorithm_of(verb, collectives)));
                    CAPTURE(ranks);
                    const auto open = unmatched(collective(verb, root, ranks), ranks, collectives);
                    for (const auto& [pair, count] : open) CHECK(count == 0);
                }
            }
        }
    }
}

TEST_CASE("there are never more exchanges than the limit, and every begun exchange is waited for") {
    for (const Collectives& collectives : every_choice()) {
        for (const Verb verb : kAll) {
            for (const std::uint32_t ranks : {1U, 2U, 3U, 8U, 13U}) {
                for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                    CAPTURE(name_of(verb));
                    const auto steps = exchanges(collective(verb, 0, ranks), rank, ranks, collectives);
                    CHECK(steps.size() <= most_exchanges(verb, collectives, ranks));
                    const auto begins = [](const CollectiveStep& step) { return step.begins; };
                    const auto last = std::find_if(steps.rbegin(), steps.rend(), begins);
                    if (last != steps.rend()) CHECK(std::prev(last)->waits());
                }
            }
        }
    }
}

TEST_CASE("a broadcast reaches every rank once, in a binomial tree") {
    // Eight ranks, root 0: 0 sends to 4, 2, 1; 4 to 6, 5; 2 to 3; 6 to 7.
    const Action action = collective(Verb::bcast, 0, 8);
    CHECK(sent(action, 0, 8) == 300);
    CHECK(exchanges(action, 0, 8)[0].to == 4);
    CHECK(exchanges(action, 4, 8)[0].from == 0);
    CHECK(exchanges(action, 4, 8)[1].to == 6);
    CHECK(exchanges(action, 7, 8).size() == 1);
    CHECK(exchanges(action, 7, 8)[0].from == 6);
}

TEST_CASE("a reduction is the same tree backwards, from root 1") {
    const Action action = collective(Verb::reduce, 1, 4);  // positions 0..3 are ranks 1, 2, 3, 0
    CHECK(exchanges(action, 1, 4).size() == 2);
    CHECK(exchanges(action, 1, 4)[0].from == 2);
    CHECK(exchanges(action, 1, 4)[1].from == 3);
    CHECK(exchanges(action, 3, 4)[0].from == 0);
    CHECK(exchanges(action, 3, 4)[1].to == 1);
}

TEST_CASE("the shares of the ranks in the v-forms") {
    // Shares 1, 2, 3, 4 bytes. Ring of an allgatherv: rank 0 sends on blocks 0, 3, 2. Alltoallv: 2 + 3 + 4 to others.
    CHECK(sent(collective(Verb::allgatherv, 0, 4), 0, 4) == 1 + 4 + 3);
    CHECK(sent(collective(Verb::alltoallv, 0, 4), 0, 4) == 2 + 3 + 4);
    CHECK(sent(collective(Verb::gatherv, 2, 4), 0, 4) == 100);
    CHECK(sent(collective(Verb::gatherv, 2, 4), 2, 4) == 0);
}

TEST_CASE("a linear barrier: all send to rank 0, which then sends to all") {
    Collectives collectives;
    collectives.barrier = Algorithm::linear;
    const auto root = exchanges(collective(Verb::barrier, 0, 3), 0, 3, collectives);
    REQUIRE(root.size() == 6);
    CHECK(root[0].from == 1);
    CHECK(root[1].from == 2);
    CHECK(root[2].waits());
    CHECK(root[3].to == 1);
    CHECK(root[4].to == 2);
    CHECK(root[5].waits());
    const auto other = exchanges(collective(Verb::barrier, 0, 3), 2, 3, collectives);
    REQUIRE(other.size() == 2);
    CHECK(other[0].to == 0);
    CHECK(other[1].from == 0);
}

TEST_CASE("an allreduce by reduce and bcast uses the algorithms of both, by way of rank 0") {
    Collectives collectives = machine::collectives_of_smpi();
    const Action action = collective(Verb::allreduce, 0, 4);
    // Rank 0 receives from 1, 2, 3, waits, sends to 2 and 1; rank 2 sends to 0, receives from 0, sends to 3.
    const auto root = exchanges(action, 0, 4, collectives);
    REQUIRE(root.size() == 6);
    CHECK(root[2].from == 3);
    CHECK(root[3].waits());
    CHECK(root[4].to == 2);
    CHECK(root[5].to == 1);
    CHECK(exchanges(action, 2, 4, collectives)[2].to == 3);
    collectives.reduce = Algorithm::binomial;  // rank 0 receives from 1 and 2 alone
    CHECK(exchanges(action, 0, 4, collectives).size() == 4);
    CHECK(exchanges(action, 0, 4).empty());  // recursive doubling is the program's own
}

TEST_CASE("Bruck's alltoall sends half of the blocks in each step") {
    // Eight ranks, blocks of 100 B: blocks 1, 3, 5, 7, then 2, 3, 6, 7, then 4 to 7. Five: 1 and 3, 2 and 3, 4.
    Collectives collectives;
    collectives.alltoall = Algorithm::bruck;
    CHECK(sent(collective(Verb::alltoall, 0, 8), 3, 8, collectives) == 3 * 400);
    CHECK(sent(collective(Verb::alltoall, 0, 5), 3, 5, collectives) == 200 + 200 + 100);
}

TEST_CASE("Open MPI's rule takes Bruck's algorithm for small blocks on many ranks, pairwise for large ones") {
    Collectives collectives;
    collectives.alltoall = Algorithm::open_mpi;
    const auto steps = [&](std::int64_t bytes, std::uint32_t ranks) {
        Action action = collective(Verb::alltoall, 0, ranks);
        action.bytes = {bytes};
        return exchanges(action, 0, ranks, collectives);
    };
    CHECK(steps(199, 13).size() == 4);  // distances 1, 2, 4, 8
    CHECK(steps(199, 12).size() == 2 * 11 + 1);
    CHECK(steps(200, 13).size() == 2 * 12 + 1);
    CHECK(steps(2999, 13).front().begins);
    CHECK(steps(3000, 13).size() == 12);
    CHECK_FALSE(steps(3000, 13).front().begins);
}

TEST_CASE("collectives of traces as smpirun writes them") {
    const auto all = [](const std::string& own, const std::string& gatherv) {
        return own + " barrier\n" + own + " bcast 7 0 0 \n" + own + " reduce 5 30 1 0\n" + own + " allReduce 6 20 0\n" +
               own + " alltoall 4 4 0 0\n" + own + " gather 4 4 1 0 0\n" + own + " allgather 4 4 1 1\n" + own +
               gatherv + own + " allgatherv 1 1 2 0 0\n" + own + " alltoallv 8 2 2 8 2 2 0 0\n";
    };
    const program::Program program =
        Traces({all("0", " gatherv 1 0 0 1 0 0\n"), all("1", " gatherv 2 1 2 1 0 0\n")}).read().program;
    CHECK(program::validate(program) == "");
    CHECK(program::mismatches(program, 1).empty());
    CHECK(program::has_allreduce(program));
    // barrier 0, bcast 56, reduce 40 (from 1 to 0: root 1, so from 0), alltoall 32, gather 32, allgather 16, gatherv 8,
    // allgatherv 8 from rank 0 and 16 from rank 1, alltoallv 16
    Wide bytes = 0;
    for (const program::Traffic& send_endpoint : program::traffic_by_send_endpoint(program.of({0})))
        bytes += send_endpoint.bytes;
    CHECK(static_cast<std::int64_t>(bytes) == 56 + 40 + 32 + 32 + 16 + 8 + 8 + 16);
}
