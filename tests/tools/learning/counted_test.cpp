// A counted kernel stands in a learnt model in place of the measured block, and is held beside the measured times.
//
// The runs are those of a code whose cells take 4 ns. Its kernel has 8 floating-point operations in each cell, so every
// visit of the block implies 8 / 4 ns = 2 Gflop/s.
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "psl/psl.hpp"
#include "tests/approx.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tests/tools/learning/runs.hpp"
#include "tools/from_code/learning/counted.hpp"
#include "tools/from_code/learning/report.hpp"

using namespace warpfront;
using learning::CountedRequest;
using learning::Report;
using test::array;
using test::recorded_runs;
using test::SmallRun;

namespace {

// Two sweeps over tiles of mk planes, the last tile smaller, and a smaller block of another kind.
const std::string kTiles = R"(
application tiles {
    param nx: int
    param ny: int
    param nz: int
    param mk: int
    let it = quotient(nx, columns) + (if column <= nx % columns then 1 else 0)
    let jt = quotient(ny, rows) + (if row <= ny % rows then 1 else 0)
    let tiles = quotient(nz + mk - 1, mk)
    iteration {
        for start in [southeast, northwest] {
            for tile in 1..tiles {
                let planes = if tile < tiles then mk else nz - (tiles - 1) * mk
                recv from upstream_x(start)
                recv from upstream_y(start)
                compute 4ns * (it * jt * planes)
                send 8B * jt * planes to downstream_x(start)
                send 8B * it * planes to downstream_y(start)
            }
        }
        allreduce 16B
        compute 1ns * (it * jt * nz)
        allreduce 8B
    }
}
)";

const std::vector<SmallRun> kRuns{{array(3, 3), 4, {{"nx", "24"}, {"ny", "25"}, {"nz", "10"}, {"mk", "4"}}},
                                  {array(4, 3), 4, {{"nx", "26"}, {"ny", "24"}, {"nz", "23"}, {"mk", "5"}}},
                                  {array(3, 4), 4, {{"nx", "25"}, {"ny", "26"}, {"nz", "31"}, {"mk", "7"}}}};
const SmallRun kUnseen{array(8, 6), 3, {{"nx", "100"}, {"ny", "90"}, {"nz", "35"}, {"mk", "8"}}};

const std::string kKernel = "subtask block(nx: int, ny: int, mk: int): time {\n    flops 8 * nx * ny * mk\n}\n";

/// A learnt model beside its kernel, both in a folder.
class Learning {
public:
    explicit Learning(const std::string& kernel) : runs_(recorded_runs(kTiles, kRuns)) {
        request_.kernel.file = scratch_.file("kernel.psl", kernel);
        request_.model = scratch_.folder() / "models/learnt.psl";
    }

    CountedRequest& request() { return request_; }
    void add_hardware(const std::string& name, const std::string& text) {
        request_.kernel.hardware.push_back(scratch_.file(name, text));
    }
    Report report(const std::vector<const trace::RecordedRun*>& checked = {}) const {
        return learning::report_on({&runs_[0], &runs_[1], &runs_[2]}, checked, request_);
    }
    /// The model as it is written and read again.
    psl::Model model(const Report& report) const {
        return psl::load(scratch_.file("models/learnt.psl", learning::model_text(report.learnt, "learnt")));
    }
    std::string faults() const {
        return test::summary_of(test::faults_of([this] { report(); }));
    }

private:
    test::Scratch scratch_;
    std::vector<trace::RecordedRun> runs_;
    CountedRequest request_;
};

psl::Bindings bindings_of(const SmallRun& run) {
    psl::Bindings bindings;
    bindings.grid = run.grid;
    bindings.iterations = run.iterations;
    for (const auto& [name, text] : run.parameters) bindings.parameters[name] = {text, {}};
    return bindings;
}

/// The computing of each rank, in picoseconds.
std::vector<double> computing(const program::Program& program) {
    std::vector<double> all;
    for (std::uint32_t rank = 0; rank < program.grid.ranks(); ++rank) {
        double sum = 0;
        program::Cursor cursor(program.of(Rank{rank}));
        for (const program::Instruction* step = &cursor.next(); step->op != program::Op::finish; step = &cursor.next())
            if (step->op == program::Op::compute) sum += static_cast<double>(step->amount);
        all.push_back(sum);
    }
    return all;
}

/// The computing of the code on the unseen grid if a cell takes `cell` in the sweeps.
std::vector<double> computing_of_code(const std::string& cell) {
    std::string code = kTiles;
    code.replace(code.find("4ns"), 3, cell);
    return computing(psl::lower(psl::load_text("models/code.psl", code), bindings_of(kUnseen)));
}

std::vector<double> computing_of_model(const psl::Model& model, const psl::Processor& processor) {
    psl::Bindings bindings = bindings_of(kUnseen);
    bindings.processor = processor;
    return computing(psl::lower(model, bindings));
}

void check_equal(const std::vector<double>& predicted, const std::vector<double>& real) {
    REQUIRE(predicted.size() == real.size());
    for (std::size_t rank = 0; rank < real.size(); ++rank) {
        CAPTURE(rank);
        CHECK(std::abs(predicted[rank] / real[rank] - 1) < 1e-3);
    }
}

bool contains_text(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the kernel stands in place of the block that computes most, bound to the rank's shares and to the planes") {
    const Learning learning(kKernel);
    const Report report = learning.report();
    const std::string text = learning::model_text(report.learnt, "learnt");
    CAPTURE(text);
    CHECK(contains_text(text, "import \"../kernel.psl\"\n"));
    CHECK(contains_text(text, "block(nx_share, ny_share, mk)"));
    CHECK(contains_text(text, "block(nx_share, ny_share, nz_last)"));
    // The smaller block keeps its measured time.
    CHECK(contains_text(text, ": time = 1ns  // "));
    CHECK(!contains_text(text, ": time = 4ns\n"));
}

TEST_CASE("every visit implies the rate of 8 operations in 4 ns") {
    const Report report = Learning(kKernel).report();
    REQUIRE(report.counted);
    CHECK(report.counted->implied_rate == test::approx(2e9).epsilon(1e-3));
    CHECK(report.counted->residual < 1e-3);
    CHECK(report.counted->warnings.empty());
    // Each run has a row; three runs of 9, 12 and 12 ranks, 4 iterations of 2 sweeps over 3, 5 and 5 tiles.
    REQUIRE(report.counted->rows.size() == 3);
    CHECK(report.counted->rows[0].visits == 9 * 4 * 2 * 3);
    CHECK(report.counted->rows[1].visits == 12 * 4 * 2 * 5);
    // 24 x 25 x 10 cells on 9 ranks, 3 tiles: 8 * 6000 / 27 operations in a visit, 4 ns for 8 of them.
    // Ranks whose first or last tile is computed together with something else show the other tiles alone.
    CHECK(report.counted->rows[0].operations == test::approx(8 * 6000.0 / 27).epsilon(0.01));
    CHECK(1e9 * report.counted->rows[0].seconds == test::approx(4 * 6000.0 / 27).epsilon(0.01));
}

TEST_CASE(
    "the written model does on an unseen grid what the code does, and twice that on a processor of half the rate") {
    const Learning learning(kKernel);
    const psl::Model model = learning.model(learning.report());
    check_equal(computing_of_model(model, {"recorded", 2e9}), computing_of_code("4ns"));
    check_equal(computing_of_model(model, {"Opteron", 1e9}), computing_of_code("8ns"));
}

TEST_CASE("operations of the kernel take the times of the hardware object of the processor that is evaluated") {
    Learning learning(
        "subtask block(nx: int, ny: int, mk: int): time {\n    loop nx * ny * mk {\n        count add 6\n"
        "        count divide 2\n    }\n}\n");
    learning.add_hardware("here.psl",
                          "hardware here {\n    processor \"Here\"\n    rate = 2Gflops\n    operation add = 0.5ns\n"
                          "    operation divide = 0.5ns\n}\n");
    learning.add_hardware("other.psl",
                          "hardware other {\n    processor \"Other\"\n    rate = 100Mflops\n    operation add = 1ns\n"
                          "    operation divide = 7ns\n}\n");
    const Report report = learning.report();
    CHECK(report.counted->implied_rate == test::approx(2e9).epsilon(1e-3));
    CHECK(report.counted->warnings.empty());
    const psl::Model model = learning.model(report);
    check_equal(computing_of_model(model, {"Here", 2e9}), computing_of_code("4ns"));
    check_equal(computing_of_model(model, {"Other", 1e8}), computing_of_code("20ns"));  // 6 * 1 ns + 2 * 7 ns
    CHECK(contains_text(learning::scenario_text(report, "learnt.psl", "p.yaml"),
                        "platform: {file: p.yaml, processor: {name: Here, speed: 2000Mflops}}\n"));
}

TEST_CASE("the scenario names the implied rate, unless another is given") {
    const Report report = Learning(kKernel).report();
    CHECK(contains_text(learning::scenario_text(report, "m.psl", "p.yaml"),
                        "processor: {name: recorded, speed: 2000Mflops}"));
    CHECK(contains_text(learning::scenario_text(report, "m.psl", "p.yaml", "1Gflops"),
                        "{name: recorded, speed: 1Gflops}"));
}

TEST_CASE("a run that was not learnt from has a row with its measured and its predicted time") {
    const trace::RecordedRun unseen =
        test::recorded("unseen", kTiles, kUnseen.grid, kUnseen.iterations, kUnseen.parameters);
    const Report report = Learning(kKernel).report({&unseen});
    const learning::CountedRow& row = report.counted->rows.back();
    CHECK(row.run == "unseen");
    CHECK(!row.is_learnt_from);
    CHECK(row.predicted / row.seconds == test::approx(1).epsilon(0.01));
    CHECK(contains_text(learning::text_of(*report.counted), "unseen, not learnt from"));
}

TEST_CASE("a kernel whose operations are not as the times is reported with the run that is farthest off") {
    Learning learning(kKernel);
    learning.request().kernel.bindings = {{"nx=10"}};  // ranks have 8, 6 or 7, and 8 or 9 columns of cells
    const Report report = learning.report();
    CHECK(report.counted->residual > 0.1);
    REQUIRE(report.counted->warnings.size() == 2);
    CHECK(contains_text(
        report.counted->warnings[0],
        "counted operations and measured times disagree: block `work` implies a rate of 3.08 Gflop/s in `4 x 3`"));
    CHECK(contains_text(report.counted->warnings[1],
                        "with the learnt laws, predicted and measured times of the blocks differ by only"));
}

TEST_CASE("a rate of `--speed` that the count contradicts is reported") {
    Learning learning(kKernel);
    learning.request().rate = 1e9;
    const Report report = learning.report();
    REQUIRE(report.counted->warnings.size() == 1);
    CHECK(contains_text(report.counted->warnings[0],
                        "1 Gflop/s, is 0.50 times the rate that counts and times imply, 2 Gflop/s"));
}

TEST_CASE("times of a hardware object that the measured time contradicts are reported") {
    Learning learning("subtask block(nx: int, ny: int, mk: int): time {\n    count flop 8 * nx * ny * mk\n}\n");
    learning.add_hardware("here.psl",
                          "hardware here {\n    processor \"Here\"\n    rate = 1Gflops\n"
                          "    operation flop = 1ns\n}\n");
    const Report report = learning.report();
    REQUIRE(report.counted->warnings.size() == 1);
    CHECK(contains_text(report.counted->warnings[0], "a block takes 2.00 times as long as measured"));
}

TEST_CASE("`--block` names the block that the kernel replaces") {
    Learning learning("subtask solve(nx: int, ny: int, nz: int): time {\n    flops 3 * nx * ny * nz\n}\n");
    learning.request().kernel.blocks = {{"work2"}};  // 1 ns for each cell of the rank
    const Report report = learning.report();
    CHECK(report.counted->implied_rate == test::approx(3e9).epsilon(1e-3));
    CHECK(contains_text(learning::model_text(report.learnt, "learnt"), "compute solve(nx_share, ny_share, nz)"));
}

TEST_CASE("a parameter is bound to the value of another name, to a number, or has its default") {
    Learning learning(
        "subtask block(i: int, j: int, k: int, angles: int, extra: int = 2): time {\n"
        "    flops extra * angles * i * j * k\n}\n");
    learning.request().kernel.bindings = {{"i=nx"}, {"j=ny_share"}, {"k=mk"}, {"angles=4"}};
    const Report report = learning.report();
    CHECK(report.counted->implied_rate == test::approx(2e9).epsilon(1e-3));
    CHECK(report.counted->call == "block(i = nx_share, j = ny_share, k = mk, angles = 4, extra = 2)");
    CHECK(contains_text(learning::model_text(report.learnt, "learnt"), "block(nx_share, ny_share, mk, 4)"));
}

TEST_CASE("a parameter that the learnt model has no name for is refused with the nearest one and a remedy") {
    const Learning learning("subtask block(nx: int, ny: int, mkk: int): time {\n    flops 8 * nx * ny * mkk\n}\n");
    CHECK(
        learning.faults() ==
        "kernel.psl:1:33 missing_parameter [mkk] the learnt model has no value `mkk` for this parameter of the subtask "
        "| did you mean `mk`?; bind the parameter with `--bind mkk=NAME`, or count again with that name in `--deck`");
}

TEST_CASE("a binding of a parameter or to a name that is not there is refused") {
    const auto faults = [](const std::string& text) {
        Learning learning(kKernel);
        const auto source = std::make_shared<const input::SourceFile>("--bind", text);
        learning.request().kernel.bindings = {{text, {source, 0, text.size()}}};
        return learning.faults();
    };
    CHECK(faults("mmk=mk") == "--bind:1:1 unknown_name [mmk] `block` has no parameter `mmk` | did you mean `mk`?");
    CHECK(faults("mk=nx_shar") ==
          "--bind:1:4 unknown_name [nx_shar] the learnt model has no parameter or size `nx_shar` | did you mean "
          "`nx_share`?");
    CHECK(contains_text(faults("mk"), "bad_option [mk] `mk` is not a binding of a parameter"));
}

TEST_CASE("a block or a subtask that is not there is refused with the nearest name") {
    Learning block(kKernel);
    block.request().kernel.blocks = {{"wrk"}};
    CHECK(block.faults() == "unknown_name the learnt model has no block `wrk` | did you mean `work`?");
    Learning subtask(kKernel);
    subtask.request().kernel.subtask = learning::Word{"blok"};
    CHECK(contains_text(subtask.faults(), "no subtask `blok` with costs | did you mean `block`?"));
}

TEST_CASE("a file without a subtask with costs, and counts without times of operations, are refused") {
    CHECK(
        contains_text(Learning("template swap(size: bytes) {\n    send size to east\n    recv from west\n}\n").faults(),
                      "this file has no subtask with costs | expected `subtask NAME(cells: int): time"));
    CHECK(Learning("subtask block(nx: int): time {\n    count add nx\n}\n").faults() ==
          "kernel.psl:1:9 no_hardware [block] `block` counts the operation `add`, but no hardware object has times of "
          "operations | expected `--hardware FILE.psl` with a hardware object that states the time of this operation, "
          "as `warpfront opcodes` writes, or a subtask with only `flops`");
    CHECK(contains_text(Learning("subtask block(size: bytes): time {\n    time 1ns * (size / 1B)\n}\n").faults(),
                        "kernel.psl:1:15 wrong_type [size]"));
}

TEST_CASE("without times of operations the subtask of `flops` is taken, with them the first one") {
    const std::string counted =
        "subtask block(nx: int, ny: int, mk: int): time {\n    count flop 8 * nx * ny * mk\n}\n"
        "subtask block_by_rate(nx: int, ny: int, mk: int): time {\n    flops 8 * nx * ny * mk\n}\n";
    CHECK(contains_text(Learning(counted).report().counted->call, "block_by_rate("));
    Learning timed(counted);
    timed.add_hardware("here.psl",
                       "hardware here {\n    processor \"Here\"\n    rate = 2Gflops\n"
                       "    operation flop = 0.5ns\n}\n");
    CHECK(contains_text(timed.report().counted->call, "block("));
}
