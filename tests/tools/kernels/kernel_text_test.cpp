// Written subtasks are lowered again: with operations of 1 ns each, a subtask takes as many nanoseconds as operations
// were counted.
#include "tools/from_code/kernels/kernel_text.hpp"

#include "psl/psl.hpp"
#include "psl/specialising/costs.hpp"
#include "tests/scratch.hpp"
#include "tests/texts.hpp"
#include "tools/from_code/kernels/opcode_loops.hpp"
#include "tools/from_code/kernels/opcodes.hpp"

using namespace warpfront::kernels;

namespace {

/// Returns operations of i, j and k with a chain of products and a branch that depends on data.
KernelCounts counted() {
    KernelCounts counts;
    counts.parameters = {{"i", 2, 9, 1}, {"j", 2, 9, 1}, {"k", 3, 3, 1}};
    counts.products = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    counts.sides = {{{"/src/kernel.c", 13}, {0, 0, 0, 1}, Rational(1, 4), 0.2, 0.3}};
    counts.operations["add"] = {0, 0, 3, 7, 0};
    counts.operations["load"] = {94, 0, -2, Rational(1, 2), 5};
    counts.operations["branch"] = {1, 0, 0, 2, -1};
    counts.instructions = {95, 0, 1, Rational(19, 2), 4};
    counts.flops = {0, 0, 3, 7, 0};
    counts.calls = 1;
    counts.decks = {{{9, 9, 3}, true, 100, 100, 99}};
    return counts;
}

/// Returns the cost of a call of the subtasks on i = 10, j = 4, if each operation takes 1 ns and the rate is 1 Gflop/s.
std::int64_t cost_of(const std::string& model, const std::string& call, const std::string& operations) {
    const test::Scratch scratch;
    const auto file = scratch.file("m.psl", fmt::format("{}\nhardware h {{ processor \"p\"  rate = 1Gflops\n{} "
                                                        "}}\napplication m {{ iteration {{ compute {} }} }}\n",
                                                        model, operations, call));
    psl::Bindings bindings;
    bindings.grid = {1, 1};
    bindings.processor = psl::Processor{"p", 1e9};
    return psl::costs(psl::load(file), bindings).lines.front().time.least;
}

}  // namespace

TEST_CASE("products that contain one another are nested loops, a branch is a case") {
    CHECK(model_text("sweep_", counted(), std::nullopt, "warpfront costs ./kernel") ==
          "// The operations of one call of sweep_, counted by\n"
          "//   warpfront costs ./kernel\n"
          "// with k = 3\n"
          "subtask sweep(i: int, j: int): time {\n"
          "    count load 94\n"
          "    count branch 1\n"
          "    loop j {\n"
          "        count add 3\n"
          "        count load -2\n"
          "        loop i {\n"
          "            count add 7\n"
          "            count load 1 / 2\n"
          "            count branch 1\n"
          "            // kernel.c:13: 0.2 to 0.3 on the decks\n"
          "            case {\n"
          "                0.250000 {\n"
          "                    count load 5\n"
          "                }\n"
          "                0.750000 {\n"
          "                    count branch 1\n"
          "                }\n"
          "            }\n"
          "        }\n"
          "    }\n"
          "}\n"
          "\n"
          "// The same by floating-point operations over the rate of the platform's processor.\n"
          "subtask sweep_by_rate(i: int, j: int): time {\n"
          "    loop j {\n"
          "        flops 3\n"
          "        loop i {\n"
          "            flops 7\n"
          "        }\n"
          "    }\n"
          "}\n");
}

TEST_CASE("subtasks lowered give the counts back") {
    const std::string model = model_text("sweep_", counted(), std::nullopt, "");
    const auto times = [](const std::string& add, const std::string& load, const std::string& branch) {
        return fmt::format("operation add = {}ns operation load = {}ns operation branch = {}ns", add, load, branch);
    };
    // i = 10, j = 4: 3 * 4 + 7 * 40; 94 - 2 * 4 + 40 / 2 + 5 * 40 / 4; 1 + 2 * 40 - 40 / 4
    CHECK(cost_of(model, "sweep(10, 4)", times("1", "0", "0")) == 292'000);
    CHECK(cost_of(model, "sweep(10, 4)", times("0", "1", "0")) == 156'000);
    CHECK(cost_of(model, "sweep(10, 4)", times("0", "0", "1")) == 71'000);
    CHECK(cost_of(model, "sweep_by_rate(10, 4)", times("1", "1", "1")) == 292'000);
}

TEST_CASE("products of which none contains the others, and a branch that is executed by a sum of products") {
    KernelCounts counts = counted();
    counts.sides[0].host = {0, -1, 0, 1};  // i j - i
    counts.operations = {{"add", {0, 2, 3, 0, 0}}, {"load", {0, 0, 0, 0, 5}}};
    counts.flops.clear();
    const std::string model = model_text("sweep_", counts, std::nullopt, "");
    CHECK(holds(
        model,
        "    loop i {\n        count add 2\n    }\n    loop j {\n        count add 3\n    }\n    loop -i + i * j {"
        "\n        // kernel.c:13: 0.2 to 0.3 on the decks\n        case {\n            0.250000 {\n"
        "                count load 5\n            }\n        }\n    }\n}\n"));
    // 5 * (40 - 10) / 4
    CHECK(cost_of(model, "sweep(10, 4)", "operation add = 0ns operation load = 1ns") == 37'500);
}

TEST_CASE("the report has the decks, the polynomials, branches and the achieved rate") {
    const std::string text = report("sweep_", counted(), TimedDeck{{10, 4, 3}, {2e-6, 1e-6, 3e-6}});
    CHECK(lacking(text,
                  {"kernel          sweep_, called once on each deck\n",
                   "measured        2 us on i=10, j=4, k=3, the median of 3 calls\n", "achieved rate   146 Mflop/s\n",
                   "decks that the fit did not use: equal\n", "94 - 2 j + 1/2 i j + 5 [kernel.c:13]\n",
                   "[kernel.c:13] is taken 25 % of the time, 20 to 30 % on the decks, of i j\n"}) ==
          "");  // 292 operations in 2 us
}

TEST_CASE("a kernel's name becomes one of a model") {
    CHECK(model_name("sweep_") == "sweep");
    CHECK(model_name("ns::block(int, double*)") == "ns__block");
    CHECK(model_name("loop") == "loop");
    CHECK(model_name("trace") == "kernel_trace");
}

TEST_CASE("every operation is measured, but for those of no class") {
    for (const Operation& operation : operations()) {
        const auto loops = opcode_loops();
        const auto same = [&](const OpcodeLoop& loop) { return loop.operation == operation.name; };
        CAPTURE(operation.name);
        CHECK((loops.empty() || operation.name == "other" || std::any_of(loops.begin(), loops.end(), same)));
    }
}

TEST_CASE("a hardware object has the times of one kind of chains, and the rate that is given") {
    const MeasuredProcessor measured{"Some CPU @ 2.0GHz", {{"add", 1e-9, 2.5e-10}, {"integer", 3e-10, 1e-10}}, 8e8};
    CHECK(hardware_text(measured, Chains::independent, std::nullopt) ==
          "// Some CPU @ 2.0GHz, measured by `warpfront opcodes`: operations in independent chains. A platform with "
          "this processor has\n"
          "//   processor: {name: \"Some CPU @ 2.0GHz\", speed: 800Mflops}\n"
          "hardware some_cpu_2_0ghz {\n"
          "    processor \"Some CPU @ 2.0GHz\"\n"
          "    rate = 800Mflops  // achieved by a kernel shaped like Sweep3D's\n"
          "    operation add = 0.25ns\n"
          "    operation integer = 0.1ns\n"
          "    operation other = 0.1ns  // not measured: as `integer`\n"
          "}\n");
    const std::string text = hardware_text(measured, Chains::dependent, "1.2Gflops");
    CHECK(holds(text, "    rate = 1.2Gflops  // given\n    operation add = 1ns\n"));
}
