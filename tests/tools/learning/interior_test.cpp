// Runs without a rank that has all its partners: the steps of all ranks together, and axes of two ranks.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/tools/learning/runs.hpp"
#include "tools/from_code/learning/learn.hpp"

using namespace warpfront;
using test::array;
using test::learnt_from;
using test::recorded_runs;
using test::RunDifference;

namespace {

const std::string kCornerSweep = R"(
application sweep {
    param n: int
    iteration {
        repeat n {
            recv from west
            recv from north
            compute 3ns * share(n, columns) * share(n, rows)
            send 8B * share(n, rows) to east
            send 16B * share(n, columns) to south
        }
        allreduce 8B
    }
}
)";

const std::string kClosedBox = R"(
application box {
    param nx: int
    param ny: int
    param nz: int
    param npx: int = 1
    let to_east = rank_at(column % columns + 1, row, plane)
    let to_west = rank_at((column + columns - 2) % columns + 1, row, plane)
    let to_south = rank_at(column, row % rows + 1, plane)
    let to_north = rank_at(column, (row + rows - 2) % rows + 1, plane)
    let to_up = rank_at(column, row, plane % planes + 1)
    let to_down = rank_at(column, row, (plane + planes - 2) % planes + 1)
    iteration {
        sendrecv 8B * share(ny, rows) * share(nz, planes) to to_west from to_east
        sendrecv 8B * share(ny, rows) * share(nz, planes) to to_east from to_west
        sendrecv 8B * share(nx, columns) * share(nz, planes) to to_north from to_south
        sendrecv 8B * share(nx, columns) * share(nz, planes) to to_south from to_north
        sendrecv 8B * share(nx, columns) * share(ny, rows) to to_down from to_up
        sendrecv 8B * share(nx, columns) * share(ny, rows) to to_up from to_down
        allreduce 8B
    }
}
)";

/// A pipeline whose last rank sends its result to the first one.
const std::string kPipeline = R"(
application pipe {
    param n: int
    iteration {
        repeat n - 1 {
            recv from west
            compute 5ns * n
            send 8B to east
        }
        if column == columns { send 8B to rank_at(1, 1) }
        if column == 1 { recv from rank_at(columns, 1) }
    }
}
)";

/// Both axes are exchanged one after the other, and one call waits for all messages of an axis.
const std::string kExchangeByAxis = R"(
application halo {
    param n: int
    iteration {
        repeat n {
            isend 8B * share(n, rows) to west
            irecv from west
            isend 8B * share(n, rows) to east
            irecv from east
            waitall
            isend 16B * share(n, columns) to north
            irecv from north
            isend 16B * share(n, columns) to south
            irecv from south
            waitall
            compute 3ns * share(n, columns) * share(n, rows)
        }
        allreduce 8B
    }
}
)";

/// Makes one call of the successive waits of one place, as MPI_Waitall.
void wait_at_once(trace::RecordedRun& run) {
    for (trace::RecordedRank& rank : run.ranks) {
        std::vector<trace::Event> events;
        for (const trace::Event& event : rank.events) {
            const bool again = event.call == trace::Call::wait && !events.empty() &&
                               events.back().call == trace::Call::wait && events.back().site == event.site;
            if (again) {
                events.back().completed.push_back(event.completed.front());
            } else {
                events.push_back(event);
            }
        }
        rank.events = std::move(events);
    }
}

/// Neighbours along both axes, and a call that waits for any of their messages until none is left.
const std::string kHalo = R"(
application halo {
    param n: int
    iteration {
        repeat n {
            irecv from west
            irecv from east
            irecv from north
            irecv from south
            send 8B * share(n, rows) to west
            send 8B * share(n, rows) to east
            send 16B * share(n, columns) to north
            send 16B * share(n, columns) to south
            waitall
            compute 3ns * share(n, columns) * share(n, rows)
        }
        allreduce 8B
    }
}
)";

/// Makes the successive waits of each rank those of MPI_Waitany, in an order of arrival that differs between the ranks.
void wait_for_any(trace::RecordedRun& run) {
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
        std::vector<trace::Event>& events = run.ranks[rank].events;
        for (std::size_t first = 0; first < events.size(); ++first) {
            std::vector<trace::Completion> arrived;
            for (std::size_t at = first; at < events.size() && events[at].call == trace::Call::wait; ++at) {
                arrived.push_back(events[at].completed.front());
            }
            if (arrived.empty()) continue;
            std::ranges::rotate(arrived, arrived.begin() + static_cast<std::ptrdiff_t>(rank % arrived.size()));
            for (std::size_t at = 0; at < arrived.size(); ++at) {
                trace::Event& event = events[first + at];
                event.call = trace::Call::wait_any;
                event.completed = {arrived[at]};
                for (std::size_t left = at; left < arrived.size(); ++left) event.among.push_back(arrived[left].request);
            }
        }
    }
}

/// Visits the calls that wait for the last request of a loop.
void for_each_last_wait(trace::RecordedRun& run, const std::function<void(trace::Event&)>& visit) {
    for (trace::RecordedRank& rank : run.ranks) {
        for (trace::Event& event : rank.events) {
            if (event.among.size() == 1) visit(event);
        }
    }
}

std::map<std::string, std::string> sizes(const std::string& nx, const std::string& ny, const std::string& nz) {
    return {{"nx", nx}, {"ny", ny}, {"nz", nz}};
}

}  // namespace

TEST_CASE("a wavefront is learnt from ranks two to a side, none of which has all its partners") {
    const RunDifference found = test::learnt_and_predicted(
        kCornerSweep,
        {{array(2, 2), 3, {{"n", "12"}}}, {array(3, 2), 4, {{"n", "15"}}}, {array(2, 3), 2, {{"n", "22"}}}},
        {array(8, 6), 3, {{"n", "50"}}});
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
    CHECK(found.work < 1e-3);
}

TEST_CASE("a wait for all messages of an axis is one call on every rank, whichever of them the rank has") {
    std::vector<trace::RecordedRun> runs = recorded_runs(
        kExchangeByAxis,
        {{array(2, 3), 3, {{"n", "12"}}}, {array(3, 2), 4, {{"n", "15"}}}, {array(3, 3), 2, {{"n", "22"}}}});
    for (trace::RecordedRun& run : runs) wait_at_once(run);
    const test::SmallRun unseen{array(5, 4), 3, {{"n", "50"}}};
    const learning::Learnt learnt = learnt_from(runs);
    const RunDifference found = test::difference_on(unseen, learnt, kExchangeByAxis);
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
    const std::string model = learning::model_text(learnt, "halo");
    CHECK(model.find("wait r") == std::string::npos);
    const std::size_t first = model.find("waitall");
    REQUIRE(first != std::string::npos);
    CHECK(model.find("waitall", first + 1) != std::string::npos);
}

TEST_CASE("messages that are waited for in the order of their arrival are learnt in the order of their receives") {
    std::vector<trace::RecordedRun> runs = recorded_runs(
        kHalo, {{array(3, 3), 3, {{"n", "12"}}}, {array(4, 3), 4, {{"n", "15"}}}, {array(3, 4), 2, {{"n", "22"}}}});
    for (trace::RecordedRun& run : runs) wait_for_any(run);
    const RunDifference found = test::difference_on({array(5, 4), 3, {{"n", "50"}}}, learnt_from(runs), kHalo);
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
    // In recordings the call for the last request is a plain wait.
    for (trace::RecordedRun& run : runs) {
        for_each_last_wait(run, [](trace::Event& event) { event.call = trace::Call::wait; });
    }
    CHECK(test::difference_on({array(5, 4), 3, {{"n", "50"}}}, learnt_from(runs), kHalo).different == 0);
    // The loops end before the last message, for which the code waits elsewhere.
    for_each_last_wait(runs[0], [](trace::Event& event) { event.site = 0; });
    const learning::Learnt refused = learnt_from(runs);
    REQUIRE(!refused.refused.empty());
    CHECK(refused.refused.front().what.find("rank 0, operation 5: a wait that ends before all of its requests are "
                                            "complete") != std::string::npos);
}

TEST_CASE("a closed box is learnt from runs of up to 12 ranks that have three ranks along one axis each") {
    const RunDifference found = test::learnt_and_predicted(kClosedBox,
                                                           {{array(3, 2, 2), 3, sizes("31", "42", "50")},
                                                            {array(2, 3, 2), 3, sizes("40", "37", "64")},
                                                            {array(2, 2, 3), 3, sizes("54", "44", "41")},
                                                            {array(2, 2, 2), 3, sizes("26", "58", "34")}},
                                                           {array(4, 5, 3), 2, sizes("81", "93", "75")});
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE("a parameter that repeats a side of the process grid is no parameter of the model") {
    std::vector<trace::RecordedRun> runs = recorded_runs(
        kCornerSweep,
        {{array(3, 3), 3, {{"n", "12"}}}, {array(4, 3), 4, {{"n", "15"}}}, {array(3, 4), 2, {{"n", "22"}}}});
    runs[0].parameters["npx"] = "3";
    runs[1].parameters["npx"] = "4";
    runs[2].parameters["npx"] = "3";
    const std::string model = learning::model_text(learnt_from(runs), "sweep");
    CHECK(model.find("param n:") != std::string::npos);
    CHECK(model.find("npx") == std::string::npos);
}

TEST_CASE("the last rank of a pipeline sends its result to the first one") {
    const RunDifference found = test::learnt_and_predicted(
        kPipeline, {{array(3, 1), 5, {{"n", "12"}}}, {array(4, 1), 4, {{"n", "15"}}}, {array(6, 1), 7, {{"n", "22"}}}},
        {array(9, 1), 3, {{"n", "31"}}});
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE("a reduction to the last rank has it as root") {
    std::vector<trace::RecordedRun> runs =
        recorded_runs(kCornerSweep, {{array(3, 3), 3, {{"n", "12"}}}, {array(4, 3), 4, {{"n", "15"}}}});
    for (trace::RecordedRun& run : runs) {
        for (trace::RecordedRank& rank : run.ranks) {
            for (trace::Event& event : rank.events) {
                if (event.call != trace::Call::collective) continue;
                event.kind = collectives::Kind::reduce;
                event.peer = Rank{static_cast<std::uint32_t>(run.ranks.size()) - 1};
            }
        }
    }
    const std::string model = learning::model_text(learnt_from(runs), "sweep");
    CHECK(model.find("reduce 8B to rank_at(columns, rows)\n") != std::string::npos);
}

TEST_CASE("two ranks along an axis do not show whether it is closed, and the report names a run that would") {
    const learning::Learnt learnt =
        learnt_from(recorded_runs(kCornerSweep, {{array(2, 3), 3, {{"n", "12"}}}, {array(2, 4), 4, {{"n", "15"}}}}));
    CHECK(learnt.refused.empty());
    const std::string line =
        "partners: all runs have two columns, so it is unknown whether the first and the last of three or more columns "
        "are neighbours; a run with three columns would show it";
    CHECK(std::ranges::find(learnt.open, line) != learnt.open.end());
}

TEST_CASE("ranks whose steps are in no common order are refused with the two steps that differ") {
    const std::string code = R"(
application pair {
    iteration {
        send 8B to south
        if row == 1 {
            send 8B to east
            allreduce 8B
        } else {
            allreduce 8B
            send 8B to east
        }
        recv from west
        recv from north
    }
}
)";
    const std::vector<std::string> refusals = test::refusals_of(code, {{array(2, 2), 2, {}}});
    REQUIRE(!refusals.empty());
    CHECK(refusals.front() ==
          "`2 x 2`: none of the 4 ranks has all its partners within the process grid of 2 x 2, and the operations of "
          "the ranks cannot be combined into those of one complete rank: rank 0, operation 2, is a send to the rank at "
          "(+1, +0) (models/written.psl:6013), but rank 2, operation 1, is allreduce (models/written.psl:9013)");
}

TEST_CASE("a refused box of two ranks along three axes names the runs that would show whether it is closed") {
    const std::string code = R"(
application box {
    let to_east = rank_at(column % columns + 1, row, plane)
    let to_west = rank_at((column + columns - 2) % columns + 1, row, plane)
    let to_south = rank_at(column, row % rows + 1, plane)
    let to_north = rank_at(column, (row + rows - 2) % rows + 1, plane)
    let to_up = rank_at(column, row, plane % planes + 1)
    let to_down = rank_at(column, row, (plane + planes - 2) % planes + 1)
    iteration {
        sendrecv 8B to to_east from to_west
        if column == 1 {
            sendrecv 16B to to_east from to_east
            sendrecv 8B to to_south from to_north
        } else {
            sendrecv 8B to to_south from to_north
            sendrecv 16B to to_west from to_west
        }
        sendrecv 8B to to_up from to_down
    }
}
)";
    const std::vector<std::string> refused =
        test::refusals_of(code, {{array(2, 2, 2), 2, {}}, {array(2, 2, 4), 2, {}}});
    REQUIRE(!refused.empty());
    CHECK(refused.back() ==
          "no run has three ranks along columns, rows (`2 x 2 x 2` has 2 x 2 x 2, `2 x 2 x 4` has 2 x 2 x 4); only "
          "such a run shows whether the first and the last rank are neighbours, and in which direction messages go: "
          "record a run on 4 x 4 x 4 ranks, or runs on 4 x 2 x 2, 2 x 4 x 2, 2 x 2 x 4");
}

TEST_CASE("half of the ranks that send first are refused with a remedy") {
    const std::string code = R"(
application parity {
    iteration {
        if column % 2 == 1 {
            send 8B to east
            recv from east
            send 8B to west
            recv from west
        } else {
            recv from west
            send 8B to west
            recv from east
            send 8B to east
        }
        allreduce 8B
    }
}
)";
    const std::vector<std::string> refusals =
        test::refusals_of(code, {{array(4, 1), 3, {}}, {array(5, 1), 4, {}}, {array(7, 1), 2, {}}});
    CHECK(std::ranges::any_of(refusals, [](const std::string& each) {
        return each.find("record a version in which all ranks call MPI_Sendrecv") != std::string::npos;
    }));
}

TEST_CASE("requests that one function begins and another one waits for, one by one, are in no phases") {
    const std::string code = R"(
application halo {
    param n: int
    iteration {
        irecv a from west
        irecv b from east
        send 8B * n to west
        send 8B * n to east
        wait a
        compute 1us * n
        wait b
        compute 2us * n
        allreduce 8B
    }
}
)";
    std::vector<trace::RecordedRun> runs = recorded_runs(
        code, {{array(3, 1), 3, {{"n", "12"}}}, {array(4, 1), 4, {{"n", "15"}}}, {array(5, 1), 2, {{"n", "22"}}}});
    for (trace::RecordedRun& run : runs) {
        for (const trace::RecordedRank& rank : run.ranks) {
            for (const trace::Event& event : rank.events) {
                run.sites[event.site].function = event.call == trace::Call::wait         ? "finish"
                                                 : event.call == trace::Call::collective ? "sum"
                                                                                         : "begin";
            }
        }
    }
    const RunDifference found = test::difference_on({array(8, 1), 3, {{"n", "50"}}}, learnt_from(runs), code);
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE("requests that are waited for at either of two places are refused with both places") {
    std::vector<trace::RecordedRun> runs = recorded_runs(
        kHalo, {{array(3, 3), 3, {{"n", "12"}}}, {array(4, 3), 4, {{"n", "15"}}}, {array(3, 4), 2, {{"n", "22"}}}});
    for (trace::RecordedRun& run : runs) {
        run.sites.push_back({"halo.c", 42, "exchange"});
        std::size_t waits = 0;
        for (trace::RecordedRank& rank : run.ranks) {
            for (trace::Event& event : rank.events) {
                const bool is_early = event.call == trace::Call::wait && waits++ % 7 == 3;
                if (is_early) event.site = static_cast<std::uint32_t>(run.sites.size() - 1);
            }
        }
    }
    const learning::Learnt learnt = learnt_from(runs);
    CHECK(std::ranges::any_of(learnt.refused, [](const learning::Refusal& each) {
        return each.what.find("waits for requests of one call") != std::string::npos &&
               each.what.find("(halo.c:42)") != std::string::npos;
    }));
}

namespace {

/// Makes every third wait for the first message of an iteration a successful test, before the second message begins.
void test_some(trace::RecordedRun& run) {
    run.sites.push_back({"halo.c", 42, "exchange"});
    std::size_t waits = 0;
    for (trace::RecordedRank& rank : run.ranks) {
        std::vector<trace::Event>& events = rank.events;
        for (auto begin = events.begin(); begin != events.end(); ++begin) {
            if (begin->call != trace::Call::irecv || begin->bytes.count != 0) continue;
            const auto next = std::find_if(begin + 1, events.end(), [](const trace::Event& each) {
                return each.call == trace::Call::irecv || each.call == trace::Call::wait;
            });
            const auto wait = std::find_if(begin + 1, events.end(), [&begin](const trace::Event& each) {
                return each.call == trace::Call::wait && each.completed.front().request == begin->request;
            });
            const bool is_first = next != events.end() && next->call == trace::Call::irecv;
            if (!is_first || waits++ % 3 != 1) continue;
            wait->tested = true;
            wait->site = static_cast<std::uint32_t>(run.sites.size() - 1);
            std::rotate(next, wait, wait + 1);
        }
    }
}

}  // namespace

TEST_CASE("a test that succeeds at times is a wait where the code waits if it fails") {
    const std::string code = R"(
application late {
    param n: int
    iteration {
        irecv a from west
        send 8B * n to east
        irecv b from north
        send 16B * n to south
        wait a
        wait b
        compute 1us * n
        allreduce 8B
    }
}
)";
    std::vector<trace::RecordedRun> runs = recorded_runs(
        code, {{array(3, 3), 3, {{"n", "12"}}}, {array(4, 3), 4, {{"n", "15"}}}, {array(3, 4), 2, {{"n", "22"}}}});
    for (trace::RecordedRun& run : runs) test_some(run);
    const RunDifference found = test::difference_on({array(5, 4), 3, {{"n", "50"}}}, learnt_from(runs), code);
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
    CHECK(found.work < 1e-3);
}
