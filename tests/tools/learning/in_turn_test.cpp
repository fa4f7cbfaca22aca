#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/tools/learning/runs.hpp"
#include "tools/from_code/learning/learn.hpp"

namespace warpfront {

namespace {

using test::array;
using test::learnt_and_predicted;
using test::recorded_runs;
using test::RunDifference;

/// The first rank sends a number to each other rank, and receives two messages from each: a length and a block.
constexpr const char* kMaster = R"(
application master {
    param n: int
    param m: int
    let mine = share(n, columns)
    iteration {
        if rank == 0 {
            for other in 2..columns { send 8B * m to rank_at(other, 1) }
        } else {
            recv from rank_at(1, 1)
        }
        compute 5ns * mine * m
        irecv from west
        send 16B * m to east
        waitall
        if rank == 0 {
            for other in 2..columns {
                recv from rank_at(other, 1)
                recv from rank_at(other, 1)
            }
        } else {
            send 4B to rank_at(1, 1)
            send 8B * mine to rank_at(1, 1)
        }
        allreduce 8B
    }
}
)";

/// The first rank broadcasts what it computed, and calls the reduction at another place than the other ranks.
constexpr const char* kRootElsewhere = R"(
application root {
    param n: int
    iteration {
        compute 3ns * share(n, columns)
        send 8B * n to east
        recv from west
        if rank == 0 {
            allreduce 8B
            compute 1us
        } else {
            allreduce 8B
        }
    }
}
)";

/// Exchanges along both axes, each a send and a receive of one call (MPI_Sendrecv).
constexpr const char* kHalves = R"(
application halves {
    param n: int
    iteration {
        irecv from east
        send 8B * share(n, rows) to west
        waitall
        irecv from west
        send 8B * share(n, rows) to east
        waitall
        irecv from south
        send 16B * share(n, columns) to north
        waitall
        irecv from north
        send 16B * share(n, columns) to south
        waitall
        compute 3ns * share(n, columns) * share(n, rows)
        allreduce 8B
    }
}
)";

/// Makes a posted receive, a send and a wait one call, of which ranks at a side execute half.
void join_exchanges(trace::RecordedRun& run) {
    using trace::Call;
    for (trace::RecordedRank& rank : run.ranks) {
        std::vector<trace::Event> events;
        std::uint32_t call = 0;  // the place of the current one
        for (trace::Event& event : rank.events) {
            if (event.call == Call::irecv) {
                call = event.site;
                event.call = Call::recv;
                event.request = 0;
            } else if (event.call == Call::wait) {
                continue;
            } else if (event.call == Call::send) {
                // The sends of a model's line follow its receive, which has the number of the line before.
                if (!events.empty() && events.back().call == Call::recv && events.back().site + 1 == event.site) {
                    trace::Event& both = events.back();
                    both.call = Call::sendrecv;
                    both.from = std::exchange(both.peer, event.peer);
                    both.from_tag = std::exchange(both.tag, event.tag);
                    both.bytes = event.bytes;
                    continue;
                }
                call = event.site - 1;
                event.site = call;
            }
            events.push_back(event);
        }
        rank.events = std::move(events);
    }
}

}  // namespace

TEST_CASE("messages between the first rank and all others in turn are learnt as loops of the first rank") {
    const RunDifference found = learnt_and_predicted(kMaster,
                                                     {{array(4, 1), 3, {{"n", "12"}, {"m", "7"}}},
                                                      {array(5, 1), 4, {{"n", "15"}, {"m", "4"}}},
                                                      {array(7, 1), 2, {{"n", "35"}, {"m", "9"}}}},
                                                     {array(12, 1), 3, {{"n", "72"}, {"m", "11"}}});
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
    CHECK(found.work < 1e-3);
}

TEST_CASE("a collective that the root calls at another place than the other ranks is one call") {
    const RunDifference found = learnt_and_predicted(
        kRootElsewhere,
        {{array(4, 1), 3, {{"n", "12"}}}, {array(5, 1), 4, {{"n", "15"}}}, {array(7, 1), 2, {{"n", "35"}}}},
        {array(12, 1), 3, {{"n", "72"}}});
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE("along an axis of two ranks the steps are in the order of runs with three, and exchanges are whole") {
    std::vector<trace::RecordedRun> runs = recorded_runs(
        kHalves, {{array(3, 3), 3, {{"n", "12"}}}, {array(2, 4), 4, {{"n", "16"}}}, {array(4, 2), 2, {{"n", "20"}}}});
    for (trace::RecordedRun& run : runs) join_exchanges(run);
    const learning::Learnt learnt = test::learnt_from(runs);
    const RunDifference found = test::difference_on({array(5, 4), 3, {{"n", "60"}}}, learnt, kHalves);
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE("a rank that gives equal shares to all others has one rank less than there are in its messages") {
    const std::string code = R"(
application chunks {
    param h: int
    param w: int
    iteration {
        if rank == 0 {
            for other in 2..columns { send 8B to rank_at(other, 1) }
        } else {
            recv from rank_at(1, 1)
        }
        if rank == 0 {
            for other in 2..columns { recv from rank_at(other, 1) }
        } else {
            send 4B * w * quotient(h, columns - 1) to rank_at(1, 1)
        }
        allreduce 8B
    }
}
)";
    const RunDifference found = learnt_and_predicted(code,
                                                     {{array(4, 1), 3, {{"h", "242"}, {"w", "300"}}},
                                                      {array(5, 1), 4, {{"h", "320"}, {"w", "361"}}},
                                                      {array(7, 1), 2, {{"h", "391"}, {"w", "427"}}}},
                                                     {array(11, 1), 3, {{"h", "500"}, {"w", "600"}}});
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

}  // namespace warpfront
