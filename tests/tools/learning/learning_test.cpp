// A code is learnt from runs on small process grids; on a different grid it performs the operations of the model.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/approx.hpp"
#include "tests/texts.hpp"
#include "tests/tools/learning/runs.hpp"
#include "tools/from_code/learning/learn.hpp"
#include "tools/from_code/learning/report.hpp"

using namespace warpfront;
using test::array;
using test::holds;
using test::learnt_and_predicted;
using test::learnt_from;
using test::recorded_runs;
using test::refusals_of;
using test::run_difference;
using test::RunDifference;
using test::SmallRun;

namespace {

// Sweeps from all corners, a reduction and a stencil, as a code would do them.
const std::string kSweepingCode = R"(
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

const std::vector<SmallRun> kSmallRuns{{array(3, 3), 4, {{"nx", "24"}, {"ny", "25"}, {"nz", "10"}, {"mk", "3"}}},
                                       {array(4, 3), 4, {{"nx", "24"}, {"ny", "24"}, {"nz", "20"}, {"mk", "4"}}},
                                       {array(3, 4), 4, {{"nx", "25"}, {"ny", "24"}, {"nz", "15"}, {"mk", "4"}}}};

}  // namespace

TEST_CASE("with the speed of the recording's processor the scenario has its times, which scale to another processor") {
    const std::vector<trace::RecordedRun> runs = recorded_runs(kSweepingCode, kSmallRuns);
    const learning::Report report = learning::report_on({&runs[0], &runs[1], &runs[2]}, {});
    REQUIRE(report.learnt.refused.empty());
    const std::string without = learning::scenario_text(report, "m.psl", "p.yaml");
    CHECK(holds(without, "platform: p.yaml\n"));
    CHECK(!holds(without, "work"));
    const std::string scenario = learning::scenario_text(report, "m.psl", "p.yaml", "2Gflops");
    CHECK(holds(scenario, "platform: {file: p.yaml, processor: {name: recorded, speed: 2Gflops}}\n"));
    CHECK(holds(scenario, "  work: 2ns\n  work2: 1ns\n"));
    CHECK(holds(learning::model_text(report.learnt, "m"), "    param work: time = 2ns  // "));
}

TEST_CASE(
    "parts of the iteration that one function executes are a phase, and the table has the computing before each") {
    std::vector<trace::RecordedRun> runs = recorded_runs(kSweepingCode, kSmallRuns);
    for (trace::RecordedRun& run : runs) {
        for (const trace::RecordedRank& rank : run.ranks) {
            for (const trace::Event& event : rank.events) {
                const bool sweeps = event.call == trace::Call::send || event.call == trace::Call::recv;
                run.sites[event.site].function = sweeps                                  ? "sweep_"
                                                 : event.call == trace::Call::collective ? "norm_"
                                                                                         : "mesh::exchange(int)";
            }
        }
    }
    const learning::Report report = learning::report_on({&runs[0], &runs[1], &runs[2]}, {});
    REQUIRE(report.learnt.refused.empty());
    const std::string model = learning::model_text(report.learnt, "m");
    INFO(model);
    CHECK(holds(model, "        phase sweep {\n            pipeline(southeast, "));
    CHECK(holds(model, "        phase exchange {\n            irecv r"));
    CHECK(holds(model, "        phase norm {\n            allreduce 8B\n        }\n"));
    CHECK(report.learnt.agreement[0].phases.size() == 2);
    const std::string table = learning::table(report);
    CHECK(holds(table, "computing before"));
    CHECK(holds(table, "\nnorm_ "));
    CHECK(holds(table, "\nsweep_ "));
    const RunDifference found = test::difference_on(
        {array(6, 5), 3, {{"nx", "60"}, {"ny", "55"}, {"nz", "12"}, {"mk", "5"}}}, report.learnt, kSweepingCode);
    CHECK(found.different == 0);
}

TEST_CASE("a wavefront code is learnt from three small runs and does the same on 8 x 6 ranks") {
    const RunDifference found = learnt_and_predicted(
        kSweepingCode, kSmallRuns, {array(8, 6), 7, {{"nx", "100"}, {"ny", "90"}, {"nz", "35"}, {"mk", "5"}}});
    CHECK(found.operations > 15'000);
    CHECK(found.different == 0);
    CHECK(found.work < 1e-3);
}

TEST_CASE("a last block that is smaller computes less") {
    const std::string code = R"(
application blocks {
    param nz: int
    param mk: int
    let blocks = quotient(nz + mk - 1, mk)
    iteration {
        for k in 1..blocks {
            let planes = if k < blocks then mk else nz - (blocks - 1) * mk
            recv from west
            compute 10us * planes
            send 800B * planes to east
        }
        allreduce 8B
    }
}
)";
    const RunDifference found = learnt_and_predicted(code,
                                                     {{array(3, 1), 4, {{"nz", "10"}, {"mk", "4"}}},
                                                      {array(4, 1), 4, {{"nz", "23"}, {"mk", "5"}}},
                                                      {array(5, 1), 4, {{"nz", "31"}, {"mk", "7"}}}},
                                                     {array(6, 1), 4, {{"nz", "50"}, {"mk", "8"}}});
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
    CHECK(found.work < 1e-3);
}

TEST_CASE("what ranks at a side do beside the others stands under a condition") {
    const std::string code = R"(
application sides {
    param n: int
    iteration {
        irecv from west
        irecv from east
        isend 8B * n to west
        isend 8B * n to east
        waitall
        if row == 1 {
            send 16B to east
            recv from west
        }
        if row == rows and column != 1 {
            send 24B * n to west
        }
        if row == rows and column != columns {
            recv from east
        }
        compute 1us * n
        allreduce 8B
    }
}
)";
    const RunDifference found = learnt_and_predicted(
        code, {{array(3, 3), 5, {{"n", "10"}}}, {array(4, 3), 5, {{"n", "20"}}}, {array(3, 5), 5, {{"n", "30"}}}},
        {array(6, 7), 3, {{"n", "17"}}});
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE("a halo on planes of ranks is learnt from 3 x 3 x 3 ranks and their like") {
    const std::string code = R"(
application halo {
    param n: int
    let it = share(n, columns)
    let jt = share(n, rows)
    let kt = share(n, planes)
    iteration {
        for both in [1, 2] {
            sendrecv 8B * jt * kt to east from west
            sendrecv 8B * jt * kt to west from east
            sendrecv 8B * it * kt to south from north
            sendrecv 8B * it * kt to north from south
            sendrecv 8B * it * jt to up from down
            sendrecv 8B * it * jt to down from up
            compute 3ns * (it * jt * kt)
        }
        allreduce 8B
    }
}
)";
    const RunDifference found = learnt_and_predicted(code,
                                                     {{array(3, 3, 3), 3, {{"n", "60"}}},
                                                      {array(4, 3, 3), 3, {{"n", "48"}}},
                                                      {array(3, 4, 3), 3, {{"n", "36"}}},
                                                      {array(3, 3, 4), 3, {{"n", "24"}}}},
                                                     {array(4, 5, 6), 4, {{"n", "120"}}});
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
    CHECK(found.work < 1e-3);
}

TEST_CASE("reductions that one function of the code makes are told apart by their sizes") {
    std::vector<trace::RecordedRun> runs = recorded_runs(kSweepingCode, kSmallRuns);
    for (trace::RecordedRun& run : runs) {
        for (trace::RecordedRank& rank : run.ranks) {
            for (trace::Event& event : rank.events) event.site = 0;
        }
    }
    const learning::Learnt learnt = learnt_from(runs);
    for (const learning::Refusal& each : learnt.refused) FAIL_CHECK(each.what);
    CHECK(learnt.structure.by_size == learning::BySize::collectives);
    const SmallRun unseen{array(5, 6), 5, {{"nx", "70"}, {"ny", "66"}, {"nz", "24"}, {"mk", "6"}}};
    const RunDifference found =
        run_difference(test::recorded("wanted", kSweepingCode, unseen.grid, unseen.iterations, unseen.parameters),
                       test::recorded("predicted", learning::model_text(learnt, "learnt"), unseen.grid,
                                      unseen.iterations, unseen.parameters));
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE("`learn` refuses a run that was killed, and writes no model") {
    std::vector<trace::RecordedRun> runs = recorded_runs(kSweepingCode, {kSmallRuns.front()});
    runs.front().ranks.back().complete = false;
    const learning::Learnt learnt = learnt_from(runs);
    REQUIRE(learnt.refused.size() == 1);
    CHECK(learnt.refused.front().what ==
          "`3 x 3`: only 8 of 9 ranks are recorded to the end of the run; `learn` needs a run that was not killed and "
          "did not fill its buffers");
}

TEST_CASE("bytes that the process grid and the parameters do not explain are refused by their place") {
    const std::string code = R"(
application odd {
    param n: int
    iteration {
        recv from west
        compute 1us
        send 8B * (column * column * column + row * n + 7 * column % 3) to east
    }
}
)";
    const std::vector<std::string> why = refusals_of(
        code, {{array(5, 3), 2, {{"n", "3"}}}, {array(4, 4), 2, {{"n", "5"}}}, {array(6, 2), 2, {{"n", "9"}}}});
    REQUIRE(why.size() == 1);
    CHECK(why.front().starts_with("the sizes in bytes of a message"));
    CHECK(why.front().find(" of `5 x 3` (operation ") != std::string::npos);
    CHECK(
        why.front().ends_with("; no expression of the process grid and the parameters gives these sizes; with a fourth "
                              "run, `learn` also tries longer expressions"));
}

TEST_CASE("a value that several expressions explain is named with the run that would decide") {
    const std::string code = R"(
application alike {
    param n: int
    iteration {
        recv from west
        compute 1us * share(n, columns)
        send 8B * share(n, columns) to east
    }
}
)";
    // 12 is divided by 3, 4 and 6 columns without a rest, so whether shares are rounded up is not seen.
    const std::vector<trace::RecordedRun> runs = recorded_runs(
        code, {{array(3, 1), 2, {{"n", "12"}}}, {array(4, 1), 2, {{"n", "12"}}}, {array(6, 1), 2, {{"n", "12"}}}});
    const learning::Learnt learnt = learnt_from(runs);
    CHECK(learnt.refused.empty());
    REQUIRE(learnt.open.size() == 1);
    CHECK(learnt.open.front() ==
          "bytes of a message: `8 * share(n, columns)` and `8 * (quotient(n, columns))` are equal in all runs; a run "
          "with columns 5, rows 1, n 12 would show the right one");
}

TEST_CASE("shares from floor(n (i - 1) / p) to floor(n i / p) are exact") {
    const std::string code = R"(
application rings {
    param n: int
    iteration {
        irecv from west
        send 8B * (quotient(n * column, columns) - quotient(n * (column - 1), columns)) to east
        waitall
        allreduce 8B
    }
}
)";
    const RunDifference found = learnt_and_predicted(
        code, {{array(5, 1), 2, {{"n", "23"}}}, {array(4, 1), 3, {{"n", "35"}}}, {array(6, 1), 2, {{"n", "44"}}}},
        {array(9, 1), 3, {{"n", "61"}}});
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE(
    "a block between two iterations is learnt once where some runs compute before the loop as well as behind it") {
    const auto code = [](const char* before) {
        return fmt::format(R"(
application steps {{
    param n: int
    iteration {{
        compute {}
        repeat 5 {{
            recv from west
            send 8B * n to east
            compute 1us * n
        }}
        allreduce 8B
    }}
}}
)",
                           before);
    };
    std::vector<trace::RecordedRun> runs;
    const std::map<std::string, std::string> n{{"n", "50"}};
    runs.push_back(test::recorded("one", code("0us"), array(4, 1), 3, n));
    runs.push_back(test::recorded("two", code("65us"), array(5, 1), 4, {{"n", "70"}}));
    runs.push_back(test::recorded("three", code("0us"), array(6, 1), 3, {{"n", "31"}}));
    const learning::Learnt learnt = learnt_from(runs);
    const std::string model = learning::model_text(learnt, "m");
    std::size_t times = 0;
    for (const auto& [part, work] : learnt.works)
        if (work.law.atoms.size() == 1 && work.law.slope > 0.99e6) ++times;
    CHECK_MESSAGE(times == 1, model);
}

TEST_CASE("a run beside a model: bytes that differ are operations that differ, and all parameters are needed") {
    const std::vector<trace::RecordedRun> runs = recorded_runs(kSweepingCode, kSmallRuns);
    std::vector<const trace::RecordedRun*> all;
    for (const trace::RecordedRun& run : runs) all.push_back(&run);
    trace::RecordedRun other = runs.front();
    std::uint64_t sends = 0;
    for (trace::Event& event : other.ranks[4].events) {
        if (event.call != trace::Call::send) continue;
        event.bytes.count += 8;
        ++sends;
    }
    const learning::Report report = learning::report_on(all, {&other});
    REQUIRE(report.checked.size() == 1);
    CHECK(report.checked[0].ranks_explained + 1 == report.checked[0].ranks);
    CHECK(report.checked[0].operations_equal + sends == report.checked[0].operations);
    other.parameters.erase("mk");
    other.name = "other";
    const learning::Report refused = learning::report_on(all, {&other});
    REQUIRE(refused.learnt.refused.size() == 1);
    CHECK(refused.learnt.refused[0].what == "`other` has no parameter `mk`, which the model uses");
}

TEST_CASE("what all runs have in common is named, since nothing is learnt of what depends on it") {
    const std::vector<trace::RecordedRun> runs =
        recorded_runs(kSweepingCode, {kSmallRuns.front(), kSmallRuns.front(), kSmallRuns.front()});
    const learning::Learnt learnt = learnt_from(runs);
    REQUIRE(learnt.unvaried.size() == 6);
    CHECK(learnt.unvaried[0] == "columns 3");
    CHECK(learnt.unvaried[2].starts_with("mk "));
    CHECK(learnt_from(recorded_runs(kSweepingCode, kSmallRuns)).unvaried.empty());
}

TEST_CASE("a quotient of parameters that is equal in all runs is named, since the number of blocks never varies") {
    const std::string code = R"(
application blocks {
    param nx: int
    param chunk: int
    iteration {
        repeat quotient(nx, chunk) {
            sendrecv 8B * chunk to east from west
        }
        allreduce 8B
    }
}
)";
    const std::vector<test::SmallRun> equal{{array(3, 3), 3, {{"nx", "16"}, {"chunk", "4"}}},
                                            {array(4, 3), 2, {{"nx", "12"}, {"chunk", "3"}}}};
    CHECK(learnt_from(recorded_runs(code, equal)).unvaried == std::vector<std::string>{"rows 3", "nx / chunk 4"});
    std::vector<test::SmallRun> other = equal;
    other.push_back({array(3, 4), 2, {{"nx", "20"}, {"chunk", "4"}}});
    CHECK(learnt_from(recorded_runs(code, other)).unvaried.empty());
}

TEST_CASE("a parameter that is no whole number in one run is refused with its text") {
    std::vector<trace::RecordedRun> runs = recorded_runs(kSweepingCode, kSmallRuns);
    runs[0].parameters["nx"] = "2.5";
    const learning::Learnt learnt = learnt_from(runs);
    REQUIRE(learnt.refused.size() == 1);
    CHECK(learnt.refused[0].what == "`3 x 3`: the parameter `nx` is `2.5`, which is not a whole number");
}

TEST_CASE("parameters that are words of the language, or none, have other names in the model") {
    const std::string code = R"(
application named {
    param n: int
    iteration {
        recv from west
        compute 1us * n
        send 8B * n to east
        allreduce 8B
    }
}
)";
    std::vector<trace::RecordedRun> runs =
        recorded_runs(code, {{array(4, 1), 2, {{"n", "5"}}}, {array(5, 1), 2, {{"n", "8"}}}});
    for (const auto& [given, name] : std::map<std::string, std::string>{
             {"send", "send_"}, {"columns", "columns_"}, {"n-x", "n_x"}, {"2n", "learnt_2n"}, {"work", "work"}}) {
        for (trace::RecordedRun& run : runs) run.parameters = {{given, run.parameters.begin()->second}};
        const std::string model = learning::model_text(learnt_from(runs), learning::name_in_model("repeat"));
        CHECK_MESSAGE(model.find("send 8B * " + name + " to east") != std::string::npos, model);
        CHECK_NOTHROW(test::program_of(model, array(6, 1), 1, {{name, "9"}}));
    }
}

TEST_CASE("computing that the model does not have is named") {
    const std::string code = R"(
application sides {
    param n: int
    iteration {
        recv from west
        compute 1us * n
        send 8B * n to east
        if column == 1 {
            compute 100us
        }
        allreduce 8B
    }
}
)";
    const std::vector<trace::RecordedRun> runs =
        recorded_runs(code, {{array(4, 1), 2, {{"n", "50"}}}, {array(5, 1), 3, {{"n", "80"}}}});
    const learning::Report report = learning::report_on({&runs[0], &runs[1]}, {});
    REQUIRE(report.learnt.agreement.size() == 2);
    // Two iterations on four ranks of 50us, and 100us on the first.
    CHECK(report.learnt.agreement[0].all_work == test::approx(600e-6));
    CHECK(report.learnt.agreement[0].all_work_predicted == test::approx(400e-6));
    CHECK(learning::table(report).find("the computing time of the model is 66.67 % of the time recorded in `4 x 1`") !=
          std::string::npos);
}

TEST_CASE("a model that computes nothing of what was recorded says so") {
    const std::string code = R"(
application first {
    param n: int
    iteration {
        recv from west
        send 8B * n to east
        if column == 1 {
            compute 100us
        }
        allreduce 8B
    }
}
)";
    const std::vector<trace::RecordedRun> runs =
        recorded_runs(code, {{array(4, 1), 2, {{"n", "50"}}}, {array(5, 1), 3, {{"n", "80"}}}});
    const learning::Report report = learning::report_on({&runs[0], &runs[1]}, {});
    CHECK(learning::table(report).find("the computing time of the model is 0.00 % of the time recorded in") !=
          std::string::npos);
}

TEST_CASE("a run whose computing a model learnt from the others has a quarter of is named") {
    // Any two runs are on a line through n = 10 and 20, or with 40 far off it: 10, 20 and 160 us.
    const std::string code = R"(
application bent {
    param n: int
    iteration {
        recv from west
        compute 1us * (if n > 30 then 4 * n else n)
        send 8B * n to east
    }
}
)";
    const std::vector<trace::RecordedRun> runs = recorded_runs(
        code, {{array(4, 1), 2, {{"n", "10"}}}, {array(5, 1), 2, {{"n", "20"}}}, {array(6, 1), 2, {{"n", "40"}}}});
    const learning::Report report = learning::report_on({&runs[0], &runs[1], &runs[2]}, {});
    const learning::Agreement& last = report.left_out.at(2);
    CHECK(last.work == test::approx(2 * 6 * 160e-6));
    CHECK(last.work_predicted == test::approx(2 * 6 * 40e-6));
    CHECK_MESSAGE(learning::table(report).find(
                      "learnt without `6 x 1`, the model has 25.00 % of the computing time recorded in that run") !=
                      std::string::npos,
                  learning::table(report));
}

TEST_CASE("a number less two is more likely than a product that meets three runs by chance") {
    // 8, 15, 12: as well 4 x (10 / 4), 5 x (17 / 5), 6 x (14 / 6), rounded down.
    const std::string code = R"(
application inner {
    param nz: int
    iteration {
        repeat nz - 2 {
            recv from west
            send 8B to east
        }
        allreduce 8B
    }
}
)";
    const RunDifference found = learnt_and_predicted(
        code, {{array(4, 1), 2, {{"nz", "10"}}}, {array(5, 1), 3, {{"nz", "17"}}}, {array(6, 1), 2, {{"nz", "14"}}}},
        {array(9, 1), 3, {{"nz", "21"}}});
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE("a number that never varies may be divided by one that does: six angles in blocks of mmi") {
    // `its` is as near to six, 5, 6 and 5, but counts the iterations.
    const std::string code = R"(
application angles {
    param nx: int
    param mmi: int
    param its: int
    let it = share(nx, columns)
    iteration {
        repeat 2 * quotient(6, mmi) {
            recv from west
            compute 2ns * (it * mmi)
            send 8B * mmi * it to east
        }
        allreduce 8B
    }
}
)";
    const auto run = [](const char* nx, const char* mmi, const char* its) {
        return std::map<std::string, std::string>{{"nx", nx}, {"mmi", mmi}, {"its", its}};
    };
    const std::vector<SmallRun> small{{array(3, 1), 5, run("61", "3", "5")},
                                      {array(4, 1), 6, run("50", "2", "6")},
                                      {array(5, 1), 5, run("83", "6", "5")}};
    const learning::Learnt learnt = learnt_from(recorded_runs(code, small));
    for (const learning::Refusal& each : learnt.refused) FAIL_CHECK(each.what);
    const std::string model = learning::model_text(learnt, "learnt");
    CHECK_MESSAGE(model.find("its") == std::string::npos, model);
    const RunDifference found =
        run_difference(test::recorded("wanted", code, array(7, 1), 2, run("70", "1", "2")),
                       test::recorded("predicted", model, array(7, 1), 2, {{"nx", "70"}, {"mmi", "1"}}));
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
    CHECK(found.work < 0.01);
}

TEST_CASE("bytes of a share less the points of the boundary are exact") {
    const std::string code = R"(
application inside {
    param nx: int
    param nz: int
    let it = quotient(nx, columns) + (if column <= nx % columns then 1 else 0)
    let inner = it - (if column == 1 then 1 else 0) - (if column == columns then 1 else 0)
    iteration {
        repeat nz - 2 {
            recv from west
            recv from north
            compute 10ns * inner
            send 40B to east
            send 40B * inner to south
        }
        allreduce 40B
    }
}
)";
    const auto run = [](const char* nx, const char* nz) {
        return std::map<std::string, std::string>{{"nx", nx}, {"nz", nz}};
    };
    const RunDifference found = learnt_and_predicted(
        code, {{array(3, 3), 3, run("40", "12")}, {array(4, 3), 4, run("50", "9")}, {array(3, 4), 3, run("61", "10")}},
        {array(6, 5), 2, run("75", "21")});
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
    CHECK(found.work < 1e-3);
}

TEST_CASE("a send whose request the code drops is waited for in front of the next reduction") {
    const std::string code = R"(
application dropped {
    param n: int
    iteration {
        isend 8B * n to east
        recv from west
        compute 1us * n
        waitall
        allreduce 8B
    }
}
)";
    const std::vector<SmallRun> small{{array(4, 1), 3, {{"n", "10"}}}, {array(5, 1), 4, {{"n", "23"}}}};
    std::vector<trace::RecordedRun> runs = recorded_runs(code, small);
    for (trace::RecordedRun& run : runs) {
        for (trace::RecordedRank& rank : run.ranks) {
            // The waits go to one at the end, which the code does not make.
            trace::Event end;
            end.call = trace::Call::wait;
            end.freed = true;
            for (const trace::Event& event : rank.events) {
                if (event.call != trace::Call::wait) continue;
                end.completed.insert(end.completed.end(), event.completed.begin(), event.completed.end());
            }
            std::erase_if(rank.events, [](const trace::Event& event) { return event.call == trace::Call::wait; });
            if (!end.completed.empty()) rank.events.push_back(end);
        }
    }
    const RunDifference found = test::difference_on({array(8, 1), 5, {{"n", "31"}}}, learnt_from(runs), code);
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE("a rank at a side may wait for its sends later than an interior one") {
    const std::string code = R"(
application late {
    param n: int
    iteration {
        recv from west
        isend 8B * n to east
        waitall
        compute 1us * n
        allreduce 8B
        allreduce 16B
    }
}
)";
    std::vector<trace::RecordedRun> runs =
        recorded_runs(code, {{array(4, 1), 3, {{"n", "10"}}}, {array(5, 1), 4, {{"n", "23"}}}});
    for (trace::RecordedRun& run : runs) {
        // The first rank comes to its wait behind the first reduction.
        std::vector<trace::Event>& events = run.ranks[0].events;
        for (std::size_t at = 0; at + 1 < events.size(); ++at) {
            if (events[at].call != trace::Call::wait) continue;
            std::swap(events[at], events[at + 1]);
            ++at;
        }
    }
    const learning::Learnt learnt = learnt_from(runs);
    for (const learning::Refusal& each : learnt.refused) FAIL_CHECK(each.what);
    for (const learning::Agreement& each : learnt.agreement) CHECK(each.operations_equal == each.operations);
}

TEST_CASE("of many ranks that do something else three are named, and how many more there are") {
    const std::string code = R"(
application parity {
    iteration {
        if column % 2 == 0 {
            send 8B to east
            recv from west
        } else {
            recv from west
            send 8B to east
        }
    }
}
)";
    const std::vector<std::string> why = refusals_of(code, {{array(11, 1), 2, {}}, {array(13, 1), 3, {}}});
    REQUIRE(why.size() == 8);
    CHECK(why[2].starts_with("`11 x 1`: the operations of rank "));
    CHECK(why[3] == "`11 x 1`: number of further ranks that differ: 1");
}

TEST_CASE("loops of two iterations in one run are those of three in another: time steps, outer and inner iterations") {
    // Inner iterations within outer ones within time steps; the last outer iteration of a step has one inner. The order
    // of the corners depends on the process grid.
    const std::string code = R"(
application source {
    param n: int
    param outers: int
    param inners: int
    template sweep(start: corner) {
        repeat 3 {
            recv from upstream_x(start)
            recv from upstream_y(start)
            compute 1us * n
            send 8B * n to downstream_x(start)
            send 16B * n to downstream_y(start)
        }
    }
    template inner() {
        sweep(southeast)
        if columns > rows {
            sweep(northeast)
            sweep(northwest)
            sweep(southwest)
        } else {
            sweep(southwest)
            sweep(northwest)
            sweep(northeast)
        }
        allreduce 8B * n
    }
    iteration {
        repeat outers {
            repeat inners {
                inner()
            }
            allreduce 8B
        }
        inner()
        allreduce 8B
    }
}
)";
    const auto run = [](const RankGrid& grid, std::int64_t steps, const char* n, const char* outers,
                        const char* inners) {
        return SmallRun{grid, steps, {{"n", n}, {"outers", outers}, {"inners", inners}}};
    };
    // With two inners, three outers fold first, and so do three steps of two outers.
    const std::vector<std::vector<SmallRun>> cases{
        {run(array(3, 3), 2, "5", "2", "3"), run(array(4, 3), 3, "8", "4", "2"), run(array(3, 4), 2, "9", "2", "5")},
        {run(array(3, 3), 3, "5", "2", "4"), run(array(4, 3), 4, "8", "3", "2"), run(array(3, 4), 2, "9", "5", "3")},
        {run(array(3, 3), 4, "5", "3", "2"), run(array(4, 3), 3, "8", "4", "3"), run(array(3, 4), 3, "9", "2", "2")}};
    for (std::vector<SmallRun> each : cases) {
        each.push_back(run(array(4, 4), 2, "13", "3", "4"));
        const RunDifference found = learnt_and_predicted(code, each, run(array(5, 4), 3, "11", "4", "5"));
        CHECK(found.operations > 0);
        CHECK(found.different == 0);
        CHECK(found.work < 1e-3);
    }
}

TEST_CASE("a refused receive from any source names its operation, its place and two senders that differ") {
    trace::RecordedRun run;
    run.name = "farm";
    run.format = "recording";
    run.sites = {{}, {"farm.c", 52, "master"}};
    run.phases.resize(1);
    run.communicators = {{Rank{0}, Rank{1}, Rank{2}}};
    run.ranks.resize(3);
    for (const std::uint32_t worker : {1U, 1U, 2U, 1U}) {
        trace::Event received;
        received.call = trace::Call::recv;
        received.any_source = true;
        received.peer = Rank{worker};
        received.site = 1;
        run.ranks[0].events.push_back(received);
        trace::Event sent;
        sent.peer = Rank{0};
        run.ranks[worker].events.push_back(sent);
    }
    const learning::Learnt learnt = learnt_from({run});
    REQUIRE(learnt.refused.size() == 1);
    CHECK(learnt.refused.front().times == 4);
    CHECK(learnt.refused.front().what.starts_with(
        "`farm`: rank 0, operation 2: a receive from any source (farm.c:52) takes a message of rank 1, but operation "
        "3, from the same place in the code, takes a message of rank 2; "));
}

TEST_CASE(
    "a pipeline over groups of the lines except the first has a smaller last group, also if all groups are full") {
    const std::string code = R"(
application lines {
    param n: int
    param m: int
    param group: int
    let groups = quotient(n - 1 + group - 1, group)
    iteration {
        for g in 1..groups {
            let lines = if g < groups then group else n - 1 - (groups - 1) * group
            recv from west
            compute 1us * lines * m
            send 8B * lines to east
        }
        allreduce 8B
    }
}
)";
    const auto run = [](std::uint32_t columns, const char* n, const char* m, const char* group) {
        return SmallRun{array(columns, 1), 3, {{"n", n}, {"m", m}, {"group", group}}};
    };
    // All lines would be in as many groups in the first runs, and in the others the groups are full.
    for (const std::vector<SmallRun>& small :
         {std::vector{run(4, "101", "100", "7"), run(6, "130", "120", "5"), run(5, "97", "150", "9")},
          std::vector{run(4, "97", "100", "8"), run(6, "130", "120", "5"), run(5, "99", "150", "7")}}) {
        for (const char* const n : {"78", "79", "80"}) {
            const RunDifference found = learnt_and_predicted(code, small, run(7, n, "70", "6"));
            CHECK(found.operations > 0);
            CHECK(found.different == 0);
            CHECK(found.work < 1e-3);
        }
    }
    // If they are full in all runs, the table names a run that would decide.
    const learning::Learnt full = learnt_from(
        recorded_runs(code, {run(4, "97", "100", "8"), run(6, "101", "120", "5"), run(5, "92", "150", "7")}));
    CHECK(std::ranges::any_of(full.open, [](const std::string& each) {
        return each.find("quotient((n - 1) + group - 1, group)") != std::string::npos;
    }));
}

TEST_CASE("the faces of a block with ghost points have one form, although shorter expressions fit three runs") {
    const std::string code = R"(
application faces {
    param nx: int
    param ny: int
    param nz: int
    let x = quotient(nx, columns) + (if column <= nx % columns then 1 else 0) + 2
    let y = quotient(ny, rows) + (if row <= ny % rows then 1 else 0) + 2
    let z = quotient(nz, planes) + (if plane <= nz % planes then 1 else 0) + 2
    iteration {
        sendrecv 32B * y * z to east from west
        sendrecv 32B * y * z to west from east
        sendrecv 32B * x * z to south from north
        sendrecv 32B * x * z to north from south
        sendrecv 32B * x * y to up from down
        sendrecv 32B * x * y to down from up
        allreduce 8B
    }
}
)";
    const std::vector<SmallRun> small{{array(3, 2, 2), 4, {{"nx", "12"}, {"ny", "14"}, {"nz", "16"}}},
                                      {array(2, 3, 2), 5, {{"nx", "10"}, {"ny", "18"}, {"nz", "14"}}},
                                      {array(2, 2, 3), 6, {{"nx", "22"}, {"ny", "26"}, {"nz", "21"}}}};
    const RunDifference found =
        learnt_and_predicted(code, small, {array(4, 3, 3), 2, {{"nx", "24"}, {"ny", "27"}, {"nz", "18"}}});
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE("blocks that pass their shares around a ring may compute with the whole") {
    const std::string code = R"(
application ring {
    param n: int
    let part = quotient(n, columns)
    let east_around = rank_at(column % columns + 1, row)
    let west_around = rank_at((column + columns - 2) % columns + 1, row)
    iteration {
        compute 2ns * n * part
        allreduce 8B
        repeat columns - 1 {
            isend 8B * part to east_around
            recv from west_around
            waitall
        }
    }
}
)";
    const RunDifference found = learnt_and_predicted(
        code, {{array(4, 1), 4, {{"n", "400"}}}, {array(5, 1), 5, {{"n", "600"}}}, {array(7, 1), 6, {{"n", "770"}}}},
        {array(11, 1), 2, {{"n", "1100"}}});
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
    CHECK(found.work < 1e-3);
}

TEST_CASE("a call that the tracer cannot follow is refused with its rank, operation and place") {
    std::vector<trace::RecordedRun> runs = recorded_runs(
        "application a { param n: int iteration { send 8B * n to east\n recv from west\n allreduce 8B } }",
        {{array(3, 1), 3, {{"n", "12"}}}, {array(4, 1), 4, {{"n", "15"}}}});
    runs[1].sites.push_back({"put.c", 7, "main"});
    runs[1].unread.push_back({"MPI_Put", 3, "the tracer records only the name of this call", true, 1, 4,
                              static_cast<std::uint32_t>(runs[1].sites.size() - 1)});
    const learning::Learnt learnt = learnt_from(runs);
    REQUIRE(!learnt.refused.empty());
    CHECK(learnt.refused.front().times == 3);
    CHECK(learnt.refused.front().what ==
          "`4 x 1`: rank 1, operation 5: MPI_Put (put.c:7): the tracer records only the name of this call; record a "
          "version of the code that exchanges this data by messages or collectives");
}
