// Collectives as messages.
#include "simulator/trace/collectives.hpp"

#include <doctest/doctest.h>

#include <map>
#include <utility>

#include "tests/trace/traces.hpp"

using namespace warpfront;
using namespace warpfront::test;
using namespace warpfront::trace;

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

std::vector<Exchange> exchanges(const Action& action, std::uint32_t rank, std::uint32_t ranks) {
    std::vector<Exchange> all;
    for_each_exchange(action, rank, ranks, [&all](const Exchange& step) { all.push_back(step); });
    return all;
}

/// Bytes that leave a rank.
std::int64_t sent(const Action& action, std::uint32_t rank, std::uint32_t ranks) {
    std::int64_t sum = 0;
    for (const Exchange& step : exchanges(action, rank, ranks)) sum += step.to ? step.bytes.count : 0;
    return sum;
}

const std::vector<Verb> kAll{Verb::barrier,   Verb::bcast,      Verb::reduce,   Verb::gather,
                             Verb::gatherv,   Verb::allgather,  Verb::allgatherv, Verb::alltoall,
                             Verb::alltoallv};

}  // namespace

TEST_CASE("whatever is sent to a rank it receives, for any number of ranks and any root") {
    for (const Verb verb : kAll) {
        for (const std::uint32_t ranks : {1U, 2U, 3U, 4U, 5U, 8U, 13U}) {
            for (const std::uint32_t root : {0U, ranks / 2, ranks - 1}) {
                std::map<Pair, int> open;  // sent less received, by (from, to)
                for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                    const auto steps = exchanges(collective(verb, root, ranks), rank, ranks);
                    CHECK(steps.size() <= most_exchanges(verb, ranks));
                    for (const Exchange& step : steps) {
                        if (step.to) ++open[{rank, *step.to}];
                        if (step.from) --open[{*step.from, rank}];
                        CHECK(step.to != rank);
                    }
                }
                CAPTURE(name_of(verb));
                CAPTURE(ranks);
                for (const auto& [pair, count] : open) CHECK(count == 0);
            }
        }
    }
}

TEST_CASE("a broadcast reaches everybody once, in a binomial tree") {
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

TEST_CASE("who gives how much in the v-forms") {
    // Shares 1, 2, 3, 4 bytes. Ring of an allgatherv: rank 0 sends on blocks 0, 3, 2. Alltoallv: 2 + 3 + 4 to others.
    CHECK(sent(collective(Verb::allgatherv, 0, 4), 0, 4) == 1 + 4 + 3);
    CHECK(sent(collective(Verb::alltoallv, 0, 4), 0, 4) == 2 + 3 + 4);
    CHECK(sent(collective(Verb::gatherv, 2, 4), 0, 4) == 100);
    CHECK(sent(collective(Verb::gatherv, 2, 4), 2, 4) == 0);
}

TEST_CASE("collectives of traces as smpirun writes them") {
    const auto all = [](const std::string& own, const std::string& gatherv) {
        return own + " barrier\n" + own + " bcast 7 0 0 \n" + own + " reduce 5 30 1 0\n" + own + " allReduce 6 20 0\n" + own +
               " alltoall 4 4 0 0\n" + own + " gather 4 4 1 0 0\n" + own + " allgather 4 4 1 1\n" + own + gatherv + own +
               " allgatherv 1 1 2 0 0\n" + own + " alltoallv 8 2 2 8 2 2 0 0\n";
    };
    const program::Program program =
        Traces({all("0", " gatherv 1 0 0 1 0 0\n"), all("1", " gatherv 2 1 2 1 0 0\n")}).read().program;
    CHECK(program::validate(program) == "");
    CHECK(program::mismatches(program, 1).empty());
    CHECK(program::has_allreduce(program));
    // barrier 0, bcast 56, reduce 40 (from 1 to 0: root 1, so from 0), alltoall 32, gather 32, allgather 16, gatherv 8,
    // allgatherv 8 from rank 0 and 16 from rank 1, alltoallv 16
    Wide bytes = 0;
    for (const program::Traffic& outlet : program::traffic_by_outlet(program.of({0}))) bytes += outlet.bytes;
    CHECK(static_cast<std::int64_t>(bytes) == 56 + 40 + 32 + 32 + 16 + 8 + 8 + 16);
}
