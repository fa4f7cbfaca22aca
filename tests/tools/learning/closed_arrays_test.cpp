// Arrays that are closed: the rank behind the last is the first. And what messages carry that depends on data.
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/approx.hpp"
#include "tests/tools/learning/runs.hpp"
#include "tools/from_code/learning/grid.hpp"
#include "tools/from_code/learning/learn.hpp"
#include "tools/from_code/learning/report.hpp"

using namespace warpfront;
using test::array;
using test::learnt_from;
using test::recorded_runs;
using test::RunDifference;
using test::SmallRun;

namespace {

/// The neighbours around an array, as a code computes them; on an axis of one rank there is none.
const std::string kNeighbours = R"(
    let to_east = if columns > 1 then rank_at(column % columns + 1, row, plane) else nobody
    let to_west = if columns > 1 then rank_at((column + columns - 2) % columns + 1, row, plane) else nobody
    let to_south = if rows > 1 then rank_at(column, row % rows + 1, plane) else nobody
    let to_north = if rows > 1 then rank_at(column, (row + rows - 2) % rows + 1, plane) else nobody
    let to_up = if planes > 1 then rank_at(column, row, plane % planes + 1) else nobody
    let to_down = if planes > 1 then rank_at(column, row, (plane + planes - 2) % planes + 1) else nobody
)";

const std::string kClosedRing = "application ring {\n    param n: int" + kNeighbours + R"(
    iteration {
        for both in [1, 2] {
            irecv from to_west
            send 8B * n to to_east
            waitall
            compute 1us * n
        }
        allreduce 8B
    }
}
)";

/// Faces of cells that are divided among ranks as in NPB BT: all messages are posted at once, also along diagonals, and
/// on 2 x 2 ranks those of both directions are between the same ranks.
const std::string kPosted = "application faces {\n    param n: int" + kNeighbours + R"(
    let to_corner = if columns > 1 then rank_at(column % columns + 1, (row + rows - 2) % rows + 1, plane) else nobody
    let to_other = if columns > 1 then rank_at((column + columns - 2) % columns + 1, row % rows + 1, plane) else nobody
    iteration {
        irecv from to_east tag 1
        irecv from to_west tag 2
        irecv from to_south tag 3
        irecv from to_north tag 4
        irecv from to_other tag 5
        irecv from to_corner tag 6
        isend 8B * n to to_east tag 2
        isend 8B * n to to_west tag 1
        isend 8B * n to to_south tag 4
        isend 8B * n to to_north tag 3
        isend 8B * n to to_other tag 6
        isend 8B * n to to_corner tag 5
        waitall
        compute 1us * n
        repeat columns - 1 {
            isend 16B * n to to_east tag 7
            irecv from to_west tag 7
            waitall
        }
    }
}
)";

/// Atoms that leave go both ways only where there are two neighbours, as in LAMMPS.
const std::string kTorus = "application torus {\n    param n: int" + kNeighbours + R"(
    iteration {
        sendrecv 4B to to_west from to_east
        if columns > 2 {
            sendrecv 4B to to_east from to_west
        }
        sendrecv 4B to to_north from to_south
        if rows > 2 {
            sendrecv 4B to to_south from to_north
        }
        repeat 5 {
            irecv from to_east
            send 8B * share(n, rows) to to_west
            waitall
            irecv from to_west
            send 8B * share(n, rows) to to_east
            waitall
            irecv from to_south
            send 16B * share(n, columns) to to_north
            waitall
            irecv from to_north
            send 16B * share(n, columns) to to_south
            waitall
            compute 1us * n
        }
        allreduce 8B
    }
}
)";

}  // namespace

TEST_CASE("the messages of a ring show one closed row") {
    const std::vector<trace::RecordedRun> runs = recorded_runs(kClosedRing, {{array(8, 1), 1, {{"n", "5"}}}});
    std::vector<learning::Refusal> refused;
    const learning::GridChoice best = learning::grids_of(learning::steps_of(runs.front(), {}, refused)).front();
    CHECK(as_text(best.array) == "8 x 1");
    CHECK(best.array.closed == learning::Closed{true, false, false});
    CHECK(best.offsets == 1);
}

TEST_CASE("halfway around a closed row is one way there and one back, so four ranks in a square are no row of four") {
    const std::vector<trace::RecordedRun> runs = recorded_runs(kTorus, {{array(2, 2), 1, {{"n", "5"}}}});
    std::vector<learning::Refusal> refused;
    const learning::GridChoice best = learning::grids_of(learning::steps_of(runs.front(), {}, refused)).front();
    CHECK(as_text(best.array) == "2 x 2");
}

TEST_CASE("diagonal neighbours of six ranks are those of 3 x 2, where each rank has all of them") {
    const char* const box = R"(
application box {
    let south_east = if column < columns and row < rows then rank_at(column + 1, row + 1) else nobody
    let north_west = if column > 1 and row > 1 then rank_at(column - 1, row - 1) else nobody
    let north_east = if column < columns and row > 1 then rank_at(column + 1, row - 1) else nobody
    let south_west = if column > 1 and row < rows then rank_at(column - 1, row + 1) else nobody
    iteration {
        sendrecv 8B to east from west
        sendrecv 8B to west from east
        sendrecv 8B to south from north
        sendrecv 8B to north from south
        sendrecv 8B to south_east from north_west
        sendrecv 8B to north_west from south_east
        sendrecv 8B to north_east from south_west
        sendrecv 8B to south_west from north_east
        allreduce 8B
    }
}
)";
    const std::vector<trace::RecordedRun> runs = recorded_runs(box, {{array(3, 2), 1, {}}});
    std::vector<learning::Refusal> refused;
    const learning::GridChoice best = learning::grids_of(learning::steps_of(runs.front(), {}, refused)).front();
    CHECK(as_text(best.array) == "3 x 2");
    CHECK(best.is_stencil);
}

TEST_CASE("a ring is learnt from rings of other lengths") {
    const RunDifference found =
        test::learnt_and_predicted(kClosedRing, {{array(4, 1), 3, {{"n", "10"}}}, {array(7, 1), 3, {{"n", "20"}}}},
                                   {array(16, 1), 3, {{"n", "13"}}});
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE("a torus is learnt from runs of which one has three ranks on each side, whatever the others have") {
    const std::vector<SmallRun> small{{array(4, 3), 3, {{"n", "60"}}},
                                      {array(3, 5), 3, {{"n", "50"}}},
                                      {array(4, 2), 3, {{"n", "40"}}},
                                      {array(2, 2), 3, {{"n", "21"}}}};
    for (const RankGrid& unseen : {array(6, 5), array(2, 6), array(5, 1), array(1, 7), array(2, 2)}) {
        const RunDifference found = test::learnt_and_predicted(kTorus, small, {unseen, 2, {{"n", "77"}}});
        CHECK(found.operations > 0);
        CHECK(found.different == 0);
    }
}

TEST_CASE("a torus is learnt from a code whose calls are all made by one function") {
    std::vector<trace::RecordedRun> runs = recorded_runs(
        kTorus, {{array(4, 3), 3, {{"n", "60"}}}, {array(3, 5), 3, {{"n", "50"}}}, {array(4, 4), 3, {{"n", "41"}}}});
    for (trace::RecordedRun& run : runs) {
        for (trace::RecordedRank& rank : run.ranks) {
            for (trace::Event& event : rank.events) event.site = 0;
        }
    }
    const RunDifference found = test::difference_on({array(6, 5), 2, {{"n", "77"}}}, learnt_from(runs), kTorus);
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE("messages of both directions that are posted at once have tags, so the model runs on 2 x 2 ranks") {
    const std::vector<SmallRun> wide{{array(3, 3), 3, {{"n", "60"}}}, {array(4, 4), 2, {{"n", "50"}}}};
    std::vector<SmallRun> with_narrow = wide;
    with_narrow.push_back({array(2, 2), 4, {{"n", "44"}}});
    for (const std::vector<SmallRun>& small : {wide, with_narrow}) {
        for (const RankGrid& unseen : {array(2, 2), array(5, 5), array(7, 7)}) {
            const RunDifference found = test::learnt_and_predicted(kPosted, small, {unseen, 2, {{"n", "77"}}});
            CHECK(found.operations > 0);
            CHECK(found.different == 0);
        }
    }
}

TEST_CASE("a run on 2 x 2 ranks that may as well be a row has the process grid of the model") {
    const learning::Learnt learnt =
        learnt_from(recorded_runs(kPosted, {{array(3, 3), 3, {{"n", "60"}}}, {array(4, 4), 2, {{"n", "50"}}}}));
    const std::vector<trace::RecordedRun> unseen = recorded_runs(kPosted, {{array(2, 2), 3, {{"n", "9"}}}});
    CHECK(as_text(learning::run_as_learnt(learnt, unseen.front()).grid) == "2 x 2");
    CHECK(learning::agreement(learnt, unseen.front()).ranks_explained == 4);
}

TEST_CASE("parts of a closed process grid that no run shows are required to be absent") {
    const std::vector<trace::RecordedRun> runs =
        recorded_runs(kClosedRing, {{array(4, 1), 2, {{"n", "10"}}}, {array(7, 1), 2, {{"n", "20"}}}});
    const std::string text = learning::model_text(learnt_from(runs), "ring");
    CHECK(text.find("require rows == 1, \"no recorded run has more rows\"") != std::string::npos);
    CHECK(text.find("require columns") == std::string::npos);
}

TEST_CASE("a closed array of three dimensions is learnt with its planes") {
    const std::string code = "application box {\n    param n: int" + kNeighbours + R"(
    iteration {
        sendrecv 8B * n to to_east from to_west
        sendrecv 16B * n to to_north from to_south
        sendrecv 24B * n to to_up from to_down
        sendrecv 32B * n to to_down from to_up
        allreduce 8B
    }
}
)";
    const RunDifference found =
        test::learnt_and_predicted(code, {{array(3, 3, 3), 3, {{"n", "10"}}}, {array(4, 3, 2), 3, {{"n", "20"}}}},
                                   {array(3, 4, 5), 2, {{"n", "9"}}});
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE("bytes that depend on data are a mean of their call, and the report says their spread") {
    std::vector<trace::RecordedRun> runs = recorded_runs(
        kClosedRing,
        {{array(4, 1), 9, {{"n", "1000"}}}, {array(5, 1), 9, {{"n", "3000"}}}, {array(7, 1), 9, {{"n", "7000"}}}});
    std::uint32_t drawn = 1;
    for (trace::RecordedRun& run : runs) {
        for (trace::RecordedRank& rank : run.ranks) {
            for (trace::Event& event : rank.events) {
                if (event.call != trace::Call::send) continue;
                drawn = drawn * 1664525U + 1013904223U;
                event.bytes.count += event.bytes.count * (static_cast<std::int64_t>(drawn >> 24) - 128) / 2560;
            }
        }
    }
    const learning::Learnt learnt = learnt_from(runs);
    for (const learning::Refusal& each : learnt.refused) FAIL_CHECK(each.what);
    std::size_t means = 0;
    for (const auto& [part, size] : learnt.sizes) {
        if (!size.mean) continue;
        ++means;
        const learning::Values at{9, 1, 1, 1, 1, 1, 5000};
        CHECK(learning::value_of(*size.mean, at) == test::approx(40'000).epsilon(0.01));
        CHECK(size.spread == test::approx(0.029).epsilon(0.1));
    }
    CHECK(means > 0);
    for (const learning::Agreement& each : learnt.agreement) {
        CHECK(each.ranks_explained == each.ranks);
        CHECK(each.bytes_predicted == test::approx(each.bytes).epsilon(0.01));
    }
    const learning::Report report{learnt, {}, {}, {}};
    CHECK(learning::table(report).find(" (99.") != std::string::npos);
    CHECK(learning::table(report).find(" % of all bytes) depend on data") != std::string::npos);
    CHECK(learning::model_text(learnt, "ring").find("// of the data: a mean, and messages differ by ") !=
          std::string::npos);
}

TEST_CASE(
    "a mean between neighbours in a row is a share along the other sides, and a constant where three runs need it") {
    const learning::Variables variables{{"columns", "rows", "planes", "column", "row", "plane", "x", "y", "z"}};
    // Faces with a rim: (40 y / rows + 600) z. The runs' y are as good as y / rows, and their x as x / columns.
    const std::vector<learning::Values> runs{
        {2, 3, 1, 1, 1, 1, 12, 12, 10}, {3, 3, 1, 1, 1, 1, 15, 15, 10}, {3, 3, 1, 1, 1, 1, 15, 15, 12}};
    std::vector<learning::MeanSample> samples;
    for (const learning::Values& at : runs) {
        const double mean =
            (40.0 * static_cast<double>(at[7]) / static_cast<double>(at[1]) + 600) * static_cast<double>(at[8]);
        samples.push_back({&at, mean, 0.0});
    }
    // The numbers of rows do not differ, so that other laws fit as well.
    std::vector<learning::Mean> others;
    CHECK(learning::mean_law(samples, variables, {{0}}, others).residual < 1e-9);
    CHECK(!others.empty());

    std::vector<learning::Values> more = runs;
    more.push_back({4, 5, 1, 1, 1, 1, 40, 70, 11});
    samples.clear();
    for (const learning::Values& at : more) {
        const double mean =
            (40.0 * static_cast<double>(at[7]) / static_cast<double>(at[1]) + 600) * static_cast<double>(at[8]);
        samples.push_back({&at, mean, 0.0});
    }
    others.clear();
    const learning::Mean mean = learning::mean_law(samples, variables, {{0}}, others);
    CHECK(learning::text_of(mean, variables, "a", "b") == "(a * y / rows + b) * z");
    CHECK(mean.slope == test::approx(40));
    CHECK(mean.constant == test::approx(600));
    CHECK(others.empty());
}

TEST_CASE("a mean of interior points has a constant below zero, and no mean depends on the number of iterations") {
    const learning::Variables variables{{"columns", "rows", "planes", "column", "row", "plane", "n", "steps"}};
    const std::vector<learning::Values> runs{{2, 2, 1, 1, 1, 1, 12, 100},
                                             {3, 3, 1, 1, 1, 1, 12, 100},
                                             {3, 3, 1, 1, 1, 1, 36, 400},
                                             {4, 4, 1, 1, 1, 1, 24, 90}};
    std::vector<learning::MeanSample> samples;
    for (const learning::Values& at : runs) {
        const auto n = static_cast<double>(at[6]);
        samples.push_back({&at, 40 * (n - 4) * n / static_cast<double>(at[0] * at[0]), 0.0});
    }
    std::vector<learning::Mean> others;
    const learning::Mean mean = learning::mean_law(samples, variables, {{}, false, {7}}, others);
    CHECK(learning::value_of(mean, {8, 8, 1, 1, 1, 1, 100, 7}) == test::approx(40.0 * 96 * 100 / 64));
    CHECK(mean.constant < 0);
    CHECK(learning::text_of(mean, variables, "40", "-160").find("40 * n - 160") != std::string::npos);
}
