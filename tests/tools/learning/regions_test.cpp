// Parts before or after the regular part of a code that do not fold become a trace beside its model.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "simulator/trace/read_run.hpp"
#include "simulator/trace/write_recording.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tests/tools/learning/runs.hpp"
#include "tools/from_code/learning/learn.hpp"
#include "tools/from_code/learning/report.hpp"
#include "tools/program/commands/commands.hpp"

using namespace warpfront;
using test::array;
using test::learnt_from;
using test::recorded_runs;

namespace {

/// The first and the last thing that is done has partners and bytes of no rule.
const std::string kIrregularEnds = R"(
application ends {
    param n: int
    iteration k {
        if k == 1 {
            if rank == 2 {
                send 8B * (n * n % 7) to rank_at(columns, rows)
            }
            if rank == ranks - 1 {
                recv from rank_at(3, 1)
            }
            if rank == 1 {
                send 8B * (n % 5) to rank_at(1, 2)
            }
            if rank == columns {
                recv from rank_at(2, 1)
            }
            allreduce 64B
        }
        recv from west
        recv from north
        compute 1us * n
        send 8B * n to east
        send 8B * n to south
        allreduce 8B
        if k == iterations {
            if rank == 4 {
                send 24B to rank_at(1, 1)
            }
            if rank == 0 {
                recv from rank_at(4 % columns + 1, quotient(4, columns) + 1)
            }
        }
    }
}
)";

/// The ends are a small part of nine and more iterations, and a larger one of two.
std::vector<trace::RecordedRun> irregular_runs(std::int64_t fewer = 0) {
    return recorded_runs(kIrregularEnds, {{array(3, 3), 9 - fewer, {{"n", "11"}}},
                                          {array(4, 3), 12 - fewer, {{"n", "20"}}},
                                          {array(3, 4), 10 - fewer, {{"n", "35"}}}});
}
constexpr std::int64_t kMuchFewer = 7;

/// Recordings of runs in a folder each, and the options that learn from them.
tools::LearnOptions recorded_in(const test::Scratch& scratch, const std::vector<trace::RecordedRun>& runs) {
    tools::LearnOptions options;
    for (const trace::RecordedRun& run : runs) {
        std::vector<trace::EventRange> all;
        for (const trace::RecordedRank& rank : run.ranks) all.push_back({0, rank.events.size()});
        std::string name = run.name;
        std::replace(name.begin(), name.end(), ' ', '_');
        options.runs.push_back(scratch.folder() / name);
        trace::write_recording(run, all, options.runs.back());
        scratch.file(name + "/recording.yaml", "parameters: {n: " + run.parameters.at("n") + "}\n");
    }
    options.out = scratch.folder() / "ends.psl";
    options.json = (scratch.folder() / "ends.json").string();
    return options;
}

}  // namespace

TEST_CASE("irregular ends are traces, and what is between is learnt") {
    const std::vector<trace::RecordedRun> runs = irregular_runs(kMuchFewer);
    const learning::Learnt learnt = learnt_from(runs);
    for (const learning::Refusal& each : learnt.refused) FAIL_CHECK(each.what);
    REQUIRE(learnt.regions.size() == 2);
    CHECK(learnt.regions[0].name == "setup");
    CHECK(learnt.regions[1].name == "finish");
    CHECK(!learnt.regions[0].left_out);
    CHECK(!learnt.regions[1].left_out);
    CHECK(!learnt.cut_since.empty());
    for (const learning::Agreement& each : learnt.agreement) {
        CHECK(each.ranks_explained == each.ranks);
        CHECK(each.operations_equal == each.operations);
    }
    const std::string text = learning::model_text(learnt, "ends");
    CHECK(text.find("require ranks == 12, \"traces of 12 ranks are part of this model\"") != std::string::npos);
    CHECK(text.find("if k == 1 {\n            trace \"ends.setup\"") != std::string::npos);
    CHECK(text.find("trace \"ends.finish\"") != std::string::npos);
    const std::string table = learning::table(learning::report_on({&runs[0], &runs[1], &runs[2]}, {}));
    CHECK(table.find("the setup is a trace of `4 x 3` in the model, valid only for 12 ranks: ") != std::string::npos);
}

TEST_CASE("`learn` writes the regions beside the model, which together with it are the whole run") {
    const test::Scratch scratch;
    tools::learn(recorded_in(scratch, irregular_runs(kMuchFewer)));
    const trace::RecordedRun setup = trace::read_recorded_run(scratch.folder() / "ends.setup", {});
    const trace::RecordedRun finish = trace::read_recorded_run(scratch.folder() / "ends.finish", {});
    REQUIRE(setup.ranks.size() == 12);
    const std::size_t last = setup.ranks.size() - 1;
    CHECK(setup.ranks[last].events.size() == 2);  // what it receives, and the reduction
    CHECK(setup.ranks[last].events.front().peer == Rank{2});
    CHECK(finish.ranks[4].events.size() == 1);
    CHECK(finish.ranks[last].events.empty());
}

TEST_CASE("a small part that follows no law is left out, and binds the model to no number of ranks") {
    const std::vector<trace::RecordedRun> runs = irregular_runs();
    const learning::Learnt learnt = learnt_from(runs);
    for (const learning::Refusal& each : learnt.refused) FAIL_CHECK(each.what);
    REQUIRE(learnt.regions.size() == 2);
    CHECK(learnt.regions[0].left_out);
    const std::string text = learning::model_text(learnt, "ends");
    CHECK(text.find("require") == std::string::npos);
    CHECK(text.find("trace") == std::string::npos);
    CHECK_NOTHROW(test::program_of(text, array(7, 5), 3, {{"n", "17"}}));
    const learning::Report report = learning::report_on({&runs[0], &runs[1], &runs[2]}, {});
    const std::string table = learning::table(report);
    CHECK(table.find("the model leaves out the setup: ") != std::string::npos);
    CHECK(table.find("the model runs on 2 x 2, 4 x 4, 8 x 8, 32 x 32, 128 x 128 ranks\n") != std::string::npos);
}

TEST_CASE("with `--strict`, runs of which a part would be left out are refused with the part and the reason") {
    const test::Scratch scratch;
    tools::LearnOptions options = recorded_in(scratch, irregular_runs());
    options.strict = true;
    const std::string faults = test::summary_of(test::faults_of([&] { tools::learn(options); }));
    CHECK(faults.find("the setup, ") != std::string::npos);
    CHECK(faults.find("the model would leave out the ") != std::string::npos);
    CHECK(!std::filesystem::exists(options.out));
}

TEST_CASE("`learn` fails if a run that the model is compared with does nothing of what the model says") {
    const test::Scratch scratch;
    tools::LearnOptions options = recorded_in(scratch, irregular_runs());
    options.checks = {options.runs[0]};
    CHECK(tools::learn(options) == tools::ExitStatus::done);
    const std::string other = R"(
application other {
    param n: int
    iteration {
        allreduce 8B
        allreduce 16B
    }
}
)";
    std::vector<trace::RecordedRun> runs = recorded_runs(other, {{array(5, 1), 4, {{"n", "3"}}}});
    options.checks = {recorded_in(scratch, runs).runs[0]};
    CHECK(tools::learn(options) == tools::ExitStatus::run_failed);
}

TEST_CASE("a receive from any source may stand in a region, but nowhere else") {
    std::vector<trace::RecordedRun> runs = irregular_runs();
    for (trace::RecordedRun& run : runs) run.ranks.back().events.front().any_source = true;
    CHECK(learnt_from(runs).refused.empty());
    for (trace::RecordedRun& run : runs) {
        for (trace::Event& event : run.ranks.back().events) event.any_source = event.call == trace::Call::recv;
    }
    const learning::Learnt learnt = learnt_from(runs);
    REQUIRE(!learnt.refused.empty());
    CHECK(learnt.refused.front().what.starts_with("`3 x 3`: rank 8, operation "));
    CHECK(learnt.refused.front().what.find(": a receive from any source (") != std::string::npos);
}

TEST_CASE("a request that nothing waits for is no part of a trace either") {
    std::vector<trace::RecordedRun> runs = irregular_runs();
    trace::Event& event = runs.front().ranks[2].events.front();
    event.call = trace::Call::isend;
    event.request = 77;
    const learning::Learnt learnt = learnt_from(runs);
    CHECK(learnt.not_even_traced);
    REQUIRE(learnt.refused.size() == 1);
    CHECK(learnt.refused.front().what.starts_with("a nonblocking send for which the code never waits"));
}
