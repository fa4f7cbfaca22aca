// Sequences that a code performs at several places: once in the model, as a template.
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/approx.hpp"
#include "tests/tools/learning/runs.hpp"
#include "tools/from_code/learning/learn.hpp"

using namespace warpfront;
using test::array;
using test::learnt_from;
using test::recorded_runs;
using test::SmallRun;

namespace {

/// Sweeps from four corners in inner iterations, and once more behind them, with this time of a block.
std::string sweeping_again(const std::string& last_block) {
    return fmt::format(R"(
application sweeping {{
    param n: int
    param inners: int
    template sweeps(block: time) {{
        for start in [northwest, northeast, southwest, southeast] {{
            recv from upstream_x(start)
            recv from upstream_y(start)
            compute block * n
            send 8B * n to downstream_x(start)
            send 16B * n to downstream_y(start)
        }}
        allreduce 8B
    }}
    iteration {{
        repeat inners {{
            sweeps(1us)
        }}
        allreduce 16B
        sweeps({})
        allreduce 24B
    }}
}}
)",
                       last_block);
}

const std::vector<SmallRun> kSweepingAgain{{array(3, 3), 2, {{"n", "30"}, {"inners", "3"}}},
                                           {array(4, 3), 3, {{"n", "17"}, {"inners", "5"}}},
                                           {array(3, 4), 2, {{"n", "23"}, {"inners", "4"}}}};

std::size_t occurrences(const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
}

}  // namespace

TEST_CASE("a sequence that a code performs at two places is a template that the model calls twice") {
    const std::string code = sweeping_again("1us");
    const learning::Learnt learnt = learnt_from(recorded_runs(code, kSweepingAgain));
    const std::string model = learning::model_text(learnt, "sweeping");
    CHECK(occurrences(model, "template repeated() {") == 1);
    CHECK(occurrences(model, "repeated()") == 3);
    CHECK(occurrences(model, "send ") == 8);
    const test::RunDifference found =
        test::difference_on({array(6, 5), 2, {{"n", "40"}, {"inners", "7"}}}, learnt, code);
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
    CHECK(found.work < 0.01);
}

TEST_CASE("sequences with other times are no copies in the model") {
    const std::string code = sweeping_again("2us");
    const learning::Learnt learnt = learnt_from(recorded_runs(code, kSweepingAgain));
    CHECK(learning::copies_of(learnt.structure.parts).size() == 2);
    CHECK(occurrences(learning::model_text(learnt, "sweeping"), "repeated()") == 0);
    const test::RunDifference found =
        test::difference_on({array(6, 5), 2, {{"n", "40"}, {"inners", "7"}}}, learnt, code);
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
    CHECK(found.work < 0.01);
}

TEST_CASE("blocks of irregular times have times of their own, though their deviations are larger than the difference") {
    const std::string code = R"(
application irregular {
    iteration {
        repeat 12 {
            compute 100us
            allreduce 8B
            repeat 9 {
                compute 10us
                allreduce 16B
            }
        }
    }
}
)";
    std::vector<trace::RecordedRun> runs = recorded_runs(code, {{array(2, 2), 3, {}}, {array(3, 2), 2, {}}});
    std::uint32_t drawn = 1;
    const auto computing = [](const trace::RecordedRun& run) {
        double sum = 0.0;
        for (const trace::RecordedRank& rank : run.ranks) {
            for (const trace::Event& event : rank.events) sum += static_cast<double>(event.work.ps);
        }
        return sum;
    };
    for (trace::RecordedRun& run : runs) {
        for (trace::RecordedRank& rank : run.ranks) {
            for (trace::Event& event : rank.events) {
                drawn = drawn * 1664525U + 1013904223U;
                event.work.ps = event.work.ps * (20 + (drawn >> 24) * 160 / 256) / 100;
            }
        }
    }
    const learning::Learnt learnt = learnt_from(runs);
    for (const learning::Refusal& each : learnt.refused) FAIL_CHECK(each.what);
    const std::string model = learning::model_text(learnt, "irregular");
    INFO(model);
    // The iteration of the model is the inner loop, and collectives show no columns.
    const trace::RecordedRun predicted = test::recorded("predicted", model, array(6, 1), 24, {});
    CHECK(computing(predicted) == test::approx(computing(runs.back())).epsilon(0.15));
}
