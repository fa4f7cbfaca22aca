// `phase NAME { }`: marks of the program.
#include <doctest/doctest.h>

#include "tests/psl/models.hpp"

using namespace warpfront;
using namespace warpfront::psl;
using program::Op;

namespace {

using Numbers = std::vector<std::pair<Op, std::uint32_t>>;

/// Operations of rank 0 up to the end of the iteration, marks with their phase.
Numbers code_of(const program::Program& program) {
    Numbers all;
    for (const program::Instruction& step : program.of({0}).code) {
        if (step.op == Op::iteration) break;
        all.emplace_back(step.op, step.op == Op::phase ? step.operand : 0);
    }
    return all;
}

}  // namespace

TEST_CASE("a phase is a mark before it and one behind it, of the phase around it") {
    const program::Program program =
        lowered(iterating("phase a { compute 1us phase b { compute 2us } compute 3us } compute 4us"), Run{});
    CHECK(program.phases == std::vector<std::string>{"a", "b"});
    CHECK(code_of(program) == Numbers{{Op::phase, 1},
                                      {Op::compute, 0},
                                      {Op::phase, 2},
                                      {Op::compute, 0},
                                      {Op::phase, 1},
                                      {Op::compute, 0},
                                      {Op::phase, 0},
                                      {Op::compute, 0}});
}

TEST_CASE("phases of one name are one, also in a template; what follows at once takes the place of the end's mark") {
    const program::Program program = lowered(
        "template exchange() { phase a { allreduce 8B } }\n"
        "application m { iteration { phase a { compute 1us } phase b { compute 1us } exchange() } }\n",
        Run{});
    CHECK(program.phases == std::vector<std::string>{"a", "b"});
    CHECK(code_of(program) == Numbers{{Op::phase, 1},
                                      {Op::compute, 0},
                                      {Op::phase, 2},
                                      {Op::compute, 0},
                                      {Op::phase, 1},
                                      {Op::allreduce, 0},
                                      {Op::phase, 0}});
}

TEST_CASE("a phase around a loop leaves its body as it was; one within is a mark on every trip") {
    const program::Program around = lowered(iterating("phase a { repeat 5 { allreduce 8B } }"), Run{});
    CHECK(code_of(around) ==
          Numbers{{Op::phase, 1}, {Op::loop, 0}, {Op::allreduce, 0}, {Op::end_loop, 0}, {Op::phase, 0}});
    const program::Program within = lowered(iterating("repeat 5 { phase a { compute 1us } }"), Run{});
    CHECK(code_of(within) ==
          Numbers{{Op::loop, 0}, {Op::phase, 1}, {Op::compute, 0}, {Op::phase, 0}, {Op::end_loop, 0}});
}

TEST_CASE("a phase in which nothing is done is none") {
    CHECK(lowered(iterating("phase a { compute 0us } compute 1us"), Run{}).phases.empty());
}

TEST_CASE("a phase without a name, or with a reserved word as its name, is a fault") {
    CHECK(refused(iterating("phase { compute 1us }")).kinds == std::vector{DiagnosticKind::psl_syntax});
    CHECK(refused(iterating("phase reduce { compute 1us }")).kinds == std::vector{DiagnosticKind::psl_syntax});
}
