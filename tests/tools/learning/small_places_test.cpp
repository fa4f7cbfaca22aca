// Computing at places with less than a fiftieth of it is not left out: it is counted with the nearest block. On a busy
// host, where shorter products fit the times of a few runs better, the law of a block is still its volume.
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/approx.hpp"
#include "tests/tools/learning/runs.hpp"
#include "tools/from_code/learning/learn.hpp"

using namespace warpfront;
using test::array;
using test::learnt_from;
using test::recorded_runs;
using test::SmallRun;

namespace {

const std::vector<SmallRun> kGrids{{array(3, 3), 4, {{"nx", "24"}, {"ny", "24"}, {"nz", "10"}}},
                                   {array(4, 3), 5, {{"nx", "24"}, {"ny", "30"}, {"nz", "12"}}},
                                   {array(3, 4), 6, {{"nx", "30"}, {"ny", "24"}, {"nz", "15"}}}};

std::string code_with(const std::string& body) {
    return R"(
application small {
    param nx: int
    param ny: int
    param nz: int
    let cells = share(nx, columns) * share(ny, rows) * nz
    iteration {
)" + body + R"(
        allreduce 8B
    }
}
)";
}

/// Checks that the model computes on all runs what was recorded, and returns the only law in nanoseconds per cell.
double slope_of_whole(const learning::Learnt& learnt) {
    REQUIRE(learnt.refused.empty());
    INFO(learning::model_text(learnt, "learnt"));
    for (const learning::Agreement& run : learnt.agreement) {
        CHECK(run.ranks_explained == run.ranks);
        CHECK(run.all_work_predicted == test::approx(run.all_work).epsilon(1e-6));
    }
    REQUIRE(learnt.works.size() == 1);
    return learnt.works.begin()->second.law.slope * 1e-3;
}

/// Multiplies all computing of a run by a factor, by a tenth more or less on every other rank, and by a twentieth more
/// or less in every other block.
void disturb(trace::RecordedRun& run, double factor) {
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
        const double of_rank = rank % 2 == 0 ? 1.1 : 0.9;
        bool longer = false;
        for (trace::Event& event : run.ranks[rank].events) {
            if (event.work.ps == 0) continue;
            longer = !longer;
            const double all = factor * of_rank * (longer ? 1.05 : 0.95);
            event.work.ps = static_cast<std::int64_t>(static_cast<double>(event.work.ps) * all);
        }
    }
}

/// Learns the only law of a code from runs whose computing is multiplied by these factors.
learning::Law law_of(const std::string& code, const std::vector<SmallRun>& grids, const std::vector<double>& factors) {
    std::vector<trace::RecordedRun> runs = test::recorded_runs(code, grids);
    for (std::size_t run = 0; run < runs.size(); ++run) {
        runs[run].name += "-" + std::to_string(run);
        disturb(runs[run], factors[run]);
    }
    const learning::Learnt learnt = learnt_from(runs);
    for (const learning::Refusal& each : learnt.refused) FAIL(each.what);
    REQUIRE(learnt.works.size() == 1);
    return learnt.works.begin()->second.law;
}

}  // namespace

TEST_CASE("small places are counted with the block of their loop") {
    // 100 ns a cell in the block, and 1 ns in each of four places, together 104 ns.
    const learning::Learnt learnt = learnt_from(recorded_runs(code_with(R"(
        compute 1ns * cells
        irecv from west
        compute 1ns * cells
        send 8B * nz * share(ny, rows) to east
        waitall
        compute 100ns * cells
        irecv from north
        compute 1ns * cells
        send 8B * nz * share(nx, columns) to south
        waitall
        compute 1ns * cells
)"),
                                                              kGrids));
    CHECK(slope_of_whole(learnt) == test::approx(104));
    CHECK(learnt.structure.work_joined == test::approx(4.0 / 104.0));
}

TEST_CASE("the small places of a loop without a block are counted with the block of the loop around it") {
    // 100 ns a cell, and 3 times 0.5 ns in the inner loop.
    const learning::Learnt learnt = learnt_from(recorded_runs(code_with(R"(
        compute 100ns * cells
        repeat 3 {
            irecv from west
            irecv from north
            send 8B * nz * share(ny, rows) to east
            send 16B * nz * share(nx, columns) to south
            waitall
            compute 0.5ns * cells
        }
)"),
                                                              kGrids));
    CHECK(slope_of_whole(learnt) == test::approx(101.5));
}

TEST_CASE("if all places of a loop are small, the largest becomes its block") {
    // 60 messages to the east of different sizes, after 1 ns a cell each, and one of them after 1.1 ns: less than a
    // fiftieth at every place, 60.1 ns together.
    std::string body;
    for (int at = 1; at <= 60; ++at) {
        body += "        irecv from west\n        compute " + std::string(at == 30 ? "1.1" : "1") +
                "ns * cells\n        send " + std::to_string(8 * at) +
                "B * nz * share(ny, rows) to east\n        waitall\n";
    }
    body += "        irecv from north\n        send 8B * nz * share(nx, columns) to south\n        waitall\n";
    const learning::Learnt learnt = learnt_from(recorded_runs(code_with(body), kGrids));
    CHECK(slope_of_whole(learnt) == test::approx(60.1));
}

TEST_CASE("a block whose messages are faces of n by n is a cube") {
    // Blocks of 6^3, 10^3, 7^3 and 10^3 cells whose times are as 6^2, 10^2, 7^2 and 10^2.
    const learning::Law law = law_of(R"(
application cubes {
    param n: int
    let s = share(n, columns)
    iteration {
        irecv from west
        irecv from north
        send 8B * s * s to east
        send 16B * s * s to south
        waitall
        compute 10ns * s * s * s
        allreduce 8B
    }
}
)",
                                     {{array(3, 3), 6, {{"n", "18"}}},
                                      {array(3, 3), 5, {{"n", "30"}}},
                                      {array(4, 4), 6, {{"n", "28"}}},
                                      {array(4, 4), 5, {{"n", "40"}}}},
                                     {1.0 / 6, 1.0 / 10, 1.0 / 7, 1.0 / 10});
    CHECK(law.atoms.size() == 3);
}

TEST_CASE("a block that sends to the east extends along the columns") {
    // The messages of the block's loop are faces of jt by nz. The cells of a rank along a row are 10, 8 and 12, and the
    // times are as those of the faces.
    const learning::Law law = law_of(R"(
application slabs {
    param nx: int
    param ny: int
    param nz: int
    let it = share(nx, columns)
    let jt = share(ny, rows)
    iteration {
        repeat 5 {
            irecv from west
            send 8B * jt * nz to east
            waitall
            compute 10ns * it * jt * nz
        }
        repeat 3 {
            irecv from north
            send 8B * it * nz to south
            waitall
        }
        allreduce 8B
    }
}
)",
                                     {{array(3, 3), 6, {{"nx", "30"}, {"ny", "24"}, {"nz", "10"}}},
                                      {array(4, 3), 5, {{"nx", "32"}, {"ny", "30"}, {"nz", "14"}}},
                                      {array(3, 4), 6, {{"nx", "36"}, {"ny", "24"}, {"nz", "17"}}}},
                                     {1.0, 10.0 / 8, 10.0 / 12});
    CHECK(law.atoms.size() == 3);
}
