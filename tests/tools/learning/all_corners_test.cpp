// Sweeps from all corners at once, where how often a rank goes through its loops depends on the rank: recognised as
// calls of the shipped template.
#include <algorithm>
#include <cstddef>
#include <cstdint>
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
using test::run_difference;
using test::RunDifference;
using test::SmallRun;

namespace {

/// A code as it would be written: in each step a rank posts the receives of its tiles of the next step, computes its
/// tiles of this step and sends what they give. Tile t at distance d from its corner is of step d + t, so that a rank
/// has tiles of a corner in the steps from d + 1 to d + tiles.
const std::string kSimultaneous = R"(
function steps_from(start: corner): int = (if upstream_x(start) == west then column - 1 else columns - column)
    + (if upstream_y(start) == north then row - 1 else rows - row)

application simultaneous {
    param nx: int
    param ny: int
    param nz: int
    param mk: int
    let corners = [northwest, northeast, southwest, southeast]
    let tiles = quotient(nz + mk - 1, mk)
    iteration {
        for k in 1..(columns + rows - 2 + tiles) {
            for c in 1..4 {
                if k >= steps_from(corners[c]) and k < steps_from(corners[c]) + tiles {
                    irecv from upstream_x(corners[c]) tag 30 + c
                    irecv from upstream_y(corners[c]) tag 30 + c
                }
            }
            for c in 1..4 {
                if k > steps_from(corners[c]) and k <= steps_from(corners[c]) + tiles {
                    compute 3ns * (mk * share(nx, columns) * share(ny, rows))
                    isend 16B * mk * share(ny, rows) to downstream_x(corners[c]) tag 30 + c
                    isend 24B * mk * share(nx, columns) to downstream_y(corners[c]) tag 30 + c
                }
            }
            waitall
        }
        allreduce 8B
    }
}
)";

/// 4, 5 and 4 tiles.
const std::vector<SmallRun> kCornerRuns{{array(3, 3), 4, {{"nx", "25"}, {"ny", "28"}, {"nz", "10"}, {"mk", "3"}}},
                                        {array(4, 3), 5, {{"nx", "30"}, {"ny", "26"}, {"nz", "20"}, {"mk", "4"}}},
                                        {array(3, 4), 4, {{"nx", "32"}, {"ny", "33"}, {"nz", "17"}, {"mk", "5"}}}};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Joins waits as an MPI_Waitall does in a recording: one wait for all requests, in the order in which they began.
void join_waits(trace::RecordedRun& run) {
    for (trace::RecordedRank& rank : run.ranks) {
        std::vector<trace::Event> events;
        for (trace::Event& event : rank.events) {
            const bool joins =
                event.call == trace::Call::wait && !events.empty() && events.back().call == trace::Call::wait;
            if (!joins) {
                events.push_back(std::move(event));
                continue;
            }
            auto& all = events.back().completed;
            all.insert(all.end(), event.completed.begin(), event.completed.end());
            std::sort(all.begin(), all.end(),
                      [](const trace::Completion& x, const trace::Completion& y) { return x.request < y.request; });
        }
        rank.events = std::move(events);
    }
}

std::size_t times(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

}  // namespace

TEST_CASE("sweeps from all corners at once are a call of `all_corners`, and do the same on 8 x 6 ranks") {
    const std::vector<trace::RecordedRun> runs = recorded_runs(kSimultaneous, kCornerRuns);
    const learning::Learnt learnt = learnt_from(runs);
    for (const learning::Refusal& each : learnt.refused) FAIL_CHECK(each.what);
    const std::string model = learning::model_text(learnt, "learnt");
    CHECK(holds(
        model,
        "    iteration {\n"
        "        all_corners(nz_blocks, work * (mk * nx_share * ny_share), 16B * mk * ny_share, 24B * mk * nx_share)\n"
        "        allreduce 8B\n"
        "    }\n"));
    CHECK(holds(model, "    param work: time = 3ns  // "));
    CHECK(holds(model, "    let nz_blocks = quotient(nz + mk - 1, mk)\n"));
    // 12 pairs of neighbours on 3 x 3. Of each pair four messages a tile, two each way, which two ranks begin and wait
    // for: 12 x 4 x 4 operations for each of 4 tiles, and 9 of the reduction, in 4 iterations.
    REQUIRE(learnt.agreement.size() == 3);
    CHECK(learnt.agreement[0].ranks_explained == 9);
    CHECK(learnt.agreement[0].operations == 4 * (12 * 4 * 4 * 4 + 9));
    CHECK(learnt.agreement[0].operations_equal == learnt.agreement[0].operations);
    const SmallRun unseen{array(8, 6), 7, {{"nx", "100"}, {"ny", "90"}, {"nz", "33"}, {"mk", "5"}}};
    const trace::RecordedRun predicted =
        test::recorded("predicted", model, unseen.grid, unseen.iterations, unseen.parameters);
    const RunDifference found = run_difference(
        test::recorded("wanted", kSimultaneous, unseen.grid, unseen.iterations, unseen.parameters), predicted);
    // 7 x 6 pairs along rows and 8 x 5 along columns, 7 tiles, 48 ranks.
    CHECK(found.operations == 7 * (82 * 4 * 4 * 7 + 48));
    CHECK(found.different == 0);
    CHECK(found.work < 1e-9);
    // The first rank has 100 / 8 = 12.5 columns of cells, so 13, and 90 / 6 = 15 rows, in blocks of 5 planes.
    const std::vector<trace::Event>& first = predicted.ranks.front().events;
    CHECK(first[0].peer == Rank{1});
    CHECK(first[0].bytes.count == 16 * 5 * 15);
    CHECK(first[0].work.ps == 3000 * 5 * 13 * 15);
    CHECK(first[1].peer == Rank{8});
    CHECK(first[1].bytes.count == 24 * 5 * 13);
}

TEST_CASE("tiles of `all_corners` are equal, so their time is that of whole blocks of planes") {
    // 14 blocks of 3 planes for 40, 5 of 4 for 20, 8 of 5 for 37; a computer that is 3 % slower at times.
    std::vector<trace::RecordedRun> runs =
        recorded_runs(kSimultaneous, {{array(3, 3), 3, {{"nx", "25"}, {"ny", "28"}, {"nz", "40"}, {"mk", "3"}}},
                                      {array(4, 3), 5, {{"nx", "30"}, {"ny", "26"}, {"nz", "20"}, {"mk", "4"}}},
                                      {array(3, 4), 4, {{"nx", "32"}, {"ny", "33"}, {"nz", "37"}, {"mk", "5"}}}});
    for (trace::RecordedRank& rank : runs[0].ranks) {
        for (trace::Event& event : rank.events) event.work.ps += event.work.ps * 3 / 100;
    }
    const std::string model = learning::model_text(learnt_from(runs), "learnt");
    INFO(model);
    CHECK(holds(model, "all_corners(nz_blocks, work * (mk * nx_share * ny_share), "));
}

TEST_CASE("two calls of `all_corners` are two, among other messages, with tags that count steps and MPI_Waitall") {
    const std::string code = R"(
function steps_from(start: corner): int = (if upstream_x(start) == west then column - 1 else columns - column)
    + (if upstream_y(start) == north then row - 1 else rows - row)

application between {
    param n: int
    let corners = [northwest, northeast, southwest, southeast]
    iteration {
        for tiles in [n, 2 * n] {
            sendrecv 8B * n to east from west
            for k in 1..(columns + rows - 2 + tiles) {
                for c in 1..4 {
                    if k >= steps_from(corners[c]) and k < steps_from(corners[c]) + tiles {
                        irecv from upstream_x(corners[c]) tag 10 * k + c
                        irecv from upstream_y(corners[c]) tag 10 * k + c
                    }
                }
                for c in 1..4 {
                    if k > steps_from(corners[c]) and k <= steps_from(corners[c]) + tiles {
                        compute 5us
                        isend 40B to downstream_x(corners[c]) tag 10 * k + c
                        isend 40B to downstream_y(corners[c]) tag 10 * k + c
                    }
                }
                waitall
            }
            if tiles > n {
                sendrecv 8B * n to south from north
            }
        }
        allreduce 8B
    }
}
)";
    std::vector<trace::RecordedRun> runs = recorded_runs(
        code, {{array(3, 3), 3, {{"n", "1"}}}, {array(4, 3), 2, {{"n", "3"}}}, {array(3, 5), 4, {{"n", "2"}}}});
    for (trace::RecordedRun& run : runs) join_waits(run);
    const learning::Learnt learnt = learnt_from(runs);
    for (const learning::Refusal& each : learnt.refused) FAIL_CHECK(each.what);
    const std::string model = learning::model_text(learnt, "learnt");
    INFO(model);
    CHECK(times(model, "        all_corners(n, work, 40B, 40B)\n") == 1);
    CHECK(times(model, "        all_corners(2 * n, work, 40B, 40B)\n") == 1);
    for (const learning::Agreement& each : learnt.agreement) CHECK(each.operations_equal == each.operations);
    const SmallRun unseen{array(5, 7), 3, {{"n", "4"}}};
    const RunDifference found =
        run_difference(test::recorded("wanted", code, unseen.grid, unseen.iterations, unseen.parameters),
                       test::recorded("predicted", model, unseen.grid, unseen.iterations, unseen.parameters));
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE("calls of `all_corners` one behind the other are not one of more tiles") {
    const std::string twice = kSimultaneous.substr(0, kSimultaneous.find("        for k in")) + "        repeat 2 {\n" +
                              kSimultaneous.substr(kSimultaneous.find("        for k in"));
    const std::string code = twice.substr(0, twice.find("        allreduce")) + "        }\n    }\n}\n";
    std::vector<SmallRun> small = kCornerRuns;  // where there are only such calls, arrays may be smaller as well
    small.push_back({array(2, 2), 3, {{"nx", "23"}, {"ny", "21"}, {"nz", "12"}, {"mk", "7"}}});
    small.push_back({array(5, 2), 3, {{"nx", "23"}, {"ny", "21"}, {"nz", "5"}, {"mk", "6"}}});
    const std::vector<trace::RecordedRun> runs = recorded_runs(code, small);
    const learning::Learnt learnt = learnt_from(runs);
    for (const learning::Refusal& each : learnt.refused) FAIL_CHECK(each.what);
    const std::string model = learning::model_text(learnt, "learnt");
    CHECK(times(model, "        all_corners(nz_blocks, ") == 1);
    // The first rank has two neighbours: 2 x 4 messages for each of 4 tiles, begun and waited for.
    CHECK(runs.front().ranks.front().events.size() == 4 * 2 * (2 * 4 * 4 * 2));
    // Calls are all that the code has, so each is an iteration.
    const SmallRun unseen{array(5, 6), 2, {{"nx", "41"}, {"ny", "39"}, {"nz", "20"}, {"mk", "6"}}};
    const RunDifference found =
        run_difference(test::recorded("wanted", code, unseen.grid, unseen.iterations, unseen.parameters),
                       test::recorded("predicted", model, unseen.grid, 2 * unseen.iterations, unseen.parameters));
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE("a code that differs from `all_corners` on one rank is not taken for it") {
    std::vector<trace::RecordedRun> runs = recorded_runs(kSimultaneous, kCornerRuns);
    bool is_first = true;  // of the messages that the rank sends in an iteration: the others are a byte less
    for (trace::Event& event : runs[1].ranks[7].events) {
        if (event.call == trace::Call::isend && std::exchange(is_first, false)) event.bytes.count += 1;
        if (event.call == trace::Call::collective) is_first = true;
    }
    const learning::Learnt learnt = learnt_from(runs);
    REQUIRE(!learnt.refused.empty());
    CHECK(learnt.refused.front().what.starts_with("the loops of these runs differ: in `"));
    CHECK(learnt.refused.front().what.find("`, rank ") != std::string::npos);
    CHECK(learnt.refused.front().what.find(", but the loops of `") != std::string::npos);
}
