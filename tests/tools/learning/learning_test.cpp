// A code is learnt from runs on small arrays, and does on another array what the model says.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/tools/learning/runs.hpp"
#include "tools/learning/learn.hpp"

using namespace warpfront;
using test::array;

namespace {

// Sweeps from all corners, a reduction and a stencil, as a code would do them.
const std::string kSweeps = R"(
application sweeps {
    param nx: int
    param ny: int
    param nz: int
    param mk: int
    let it = quotient(nx, columns) + (if column <= nx % columns then 1 else 0)
    let jt = quotient(ny, rows) + (if row <= ny % rows then 1 else 0)
    template sweep(start: corner) {
        repeat quotient(nz + mk - 1, mk) {
            recv from upstream_x(start)
            recv from upstream_y(start)
            compute 2ns * (it * jt * mk)
            send 8B * jt * mk to downstream_x(start)
            send 8B * it * mk to downstream_y(start)
        }
    }
    iteration k {
        if k == 1 {
            allreduce 64B
        }
        for start in [southeast, southeast, northeast, southwest, northwest] {
            sweep(start)
        }
        irecv from west
        irecv from east
        isend 16B * jt * nz to east
        isend 16B * jt * nz to west
        waitall
        compute 1ns * (it * jt * nz)
        allreduce 8B
        if k == iterations {
            allreduce 24B
        }
    }
}
)";

struct Case {
    RankGrid grid;
    std::int64_t iterations;
    std::map<std::string, std::string> parameters;
};

std::vector<trace::RecordedRun> runs_of(const std::string& model, const std::vector<Case>& cases) {
    std::vector<trace::RecordedRun> runs;
    for (const Case& each : cases) {
        runs.push_back(test::recorded(as_text(each.grid), model, each.grid, each.iterations, each.parameters));
    }
    return runs;
}

learning::Learnt learn(const std::vector<trace::RecordedRun>& runs) {
    std::vector<const trace::RecordedRun*> all;
    for (const trace::RecordedRun& run : runs) all.push_back(&run);
    return learning::learn(all);
}

const std::vector<Case> kSmall{{array(3, 3), 4, {{"nx", "24"}, {"ny", "25"}, {"nz", "10"}, {"mk", "3"}}},
                               {array(4, 3), 4, {{"nx", "24"}, {"ny", "24"}, {"nz", "20"}, {"mk", "4"}}},
                               {array(3, 4), 4, {{"nx", "25"}, {"ny", "24"}, {"nz", "15"}, {"mk", "4"}}}};

}  // namespace

TEST_CASE("a wavefront code is learnt from three small runs and does the same on 8 x 6 ranks") {
    const std::vector<trace::RecordedRun> runs = runs_of(kSweeps, kSmall);
    const learning::Learnt learnt = learn(runs);
    for (const learning::Refusal& each : learnt.refused) FAIL_CHECK(each.what);
    REQUIRE(learnt.refused.empty());
    const std::string text = learning::model_text(learnt, "learnt");
    MESSAGE(text);
    for (const std::string& line : learnt.open) MESSAGE(line);

    const std::map<std::string, std::string> unseen{{"nx", "100"}, {"ny", "90"}, {"nz", "37"}, {"mk", "5"}};
    const trace::RecordedRun wanted = test::recorded("wanted", kSweeps, array(8, 6), 7, unseen);
    const trace::RecordedRun predicted = test::recorded("predicted", text, array(8, 6), 7, unseen);
    for (std::uint32_t rank = 0; rank < 48; ++rank) {
        CAPTURE(rank);
        const auto& a = wanted.ranks[rank].events;
        const auto& b = predicted.ranks[rank].events;
        REQUIRE(a.size() == b.size());
        for (std::size_t at = 0; at < a.size(); ++at) {
            CHECK(a[at].call == b[at].call);
            CHECK(a[at].peer == b[at].peer);
            CHECK(a[at].bytes == b[at].bytes);
            CHECK(std::abs(static_cast<double>(a[at].work.ps - b[at].work.ps)) <= 1e-3 * static_cast<double>(a[at].work.ps));
        }
    }
}
