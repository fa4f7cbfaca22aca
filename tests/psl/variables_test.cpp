// Variables that change, and loops over what is known before the run.
#include "tests/psl/models.hpp"

using namespace warpfront;
using namespace warpfront::psl;
using program::Op;
using Kinds = std::vector<DiagnosticKind>;

namespace {

/// The microseconds of every `compute`, in order.
std::vector<std::int64_t> works(const std::string& body, const Run& run = {}, std::uint32_t rank = 0) {
    std::vector<std::int64_t> all;
    for (const Event& event : steps(lowered(iterating(body), run), {rank})) all.push_back(event.amount / 1'000'000);
    return all;
}
using Works = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("a variable has its latest value") {
    CHECK(works("var n = 2  compute 1us * n  n = n * n + 1  compute 1us * n") == Works{2, 5});
    CHECK(works("var x = 1.5  x = 2  compute 1us * x") == Works{2});
    CHECK(works("var l = [1, 2]  l = [3]  compute 1us * length(l)") == Works{1});
}

TEST_CASE("every iteration begins with the first value") {
    CHECK(works("var n = 1  n = n + k  compute 1us * n", Run{1, 1, 3}) == Works{2, 3, 4});
}

TEST_CASE("a loop that assigns a variable from outside runs trip by trip") {
    CHECK(works("var n = 1  repeat 3 { n = 2 * n  compute 1us * n }") == Works{2, 4, 8});
    CHECK(works("var n = 0  for i in 1..4 { n = n + i } compute 1us * n") == Works{10});
    CHECK(works("var n = 0  for x in [5, 6] { n = n + x } compute 1us * n") == Works{11});
    CHECK(works("var n = 0  repeat 2 { for i in 1..2 { n = n + i  compute 1us * n } }") == Works{1, 3, 4, 6});
    CHECK(works("repeat 3 { var n = 1  n = n + 1  compute 1us * n }") == Works{6});  // still one piece of work
}

TEST_CASE("`while` runs as long as its condition holds before the run") {
    // distances of a binomial tree over 8 columns: 1, 2, 4
    const program::Program tree =
        lowered(iterating("var d = 1\n"
                          "while d < columns {\n"
                          "    if column <= d and column + d <= columns { send 8B to rank_at(column + d, 1) }\n"
                          "    if column > d and column <= 2 * d { recv from rank_at(column - d, 1) }\n"
                          "    d = 2 * d\n"
                          "}\n"),
                Run{8, 1});
    CHECK(steps(tree, {0}) == std::vector<Event>{{Op::send, 8, 1, 0}, {Op::send, 8, 2, 0}, {Op::send, 8, 4, 0}});
    CHECK(steps(tree, {7}) == std::vector<Event>{{Op::recv, 0, -4, 0}});
    CHECK(works("var n = 10  while n > k { compute 1us * n  n = n - 4 }", Run{1, 1, 2}) == Works{10, 6, 2, 10, 6});
    CHECK(works("var n = 1  while n > 1 { n = n - 1 } compute 1us * n") == Works{1});
}

TEST_CASE("a condition that differs between ranks is no condition of `while`") {
    const Refusal fault =
        refused_run(iterating("        var n = 1\n        while n < column { n = n + 1 }\n"), Run{2, 1});
    CHECK(fault.kinds == Kinds{DiagnosticKind::rank_dependent});
    CHECK(fault.text ==
          "code.psl:4:15: error: the condition of a `while` differs from rank to rank\n"
          "    4 |         while n < column { n = n + 1 }\n"
          "      |               ^^^^^^^^^^\n");
}

TEST_CASE("a variable is not assigned on some ranks only") {
    const std::string text =
        iterating("        var n = 1\n        if column == 1 { n = 2 }\n        compute 1us * n\n");
    const Refusal fault = refused_run(text, Run{2, 1});
    CHECK(fault.kinds == Kinds{DiagnosticKind::rank_dependent});
    CHECK(
        fault.text ==
        "code.psl:4:26: error: `n` is assigned on some ranks only\n"
        "    4 |         if column == 1 { n = 2 }\n"
        "      |                          ^^^^^ expected one value on all, such as `n = if CONDITION then A else n`\n");
    CHECK(works("if column == 1 { var n = 1  n = 2  compute 1us * n }", Run{2, 1}) == Works{2});
    CHECK(works("var n = 1  n = if column == 2 then 2 else n  compute 1us * n", Run{2, 1}, 1) == Works{2});
    CHECK(refused_run(iterating("var n = 1  repeat column { n = n + 1 } compute 1us * n"), Run{2, 1}).kinds ==
          Kinds{DiagnosticKind::rank_dependent});
}

TEST_CASE("a loop that cannot end is refused where that is seen, and else at a limit") {
    const Refusal fault = refused(iterating("        var n = 1\n        while n < 3 { compute 1us * n }\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::endless_loop});
    CHECK(fault.text ==
          "code.psl:4:9: error: nothing in the loop changes its condition\n"
          "    4 |         while n < 3 { compute 1us * n }\n"
          "      |         ^^^^^^^^^^^ expected a `var` in the condition, and its assignment in the body, such as "
          "`n = 2 * n`\n");
    CHECK(refused_run(iterating("var n = 1  while n > 0 { n = 3 - n }"), {}).kinds ==
          Kinds{DiagnosticKind::program_too_large});
}

TEST_CASE("only what `var` declares changes") {
    const Refusal fault = refused(iterating("        let n = 1\n        n = 2\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::constant_assigned});
    CHECK(fault.text ==
          "code.psl:4:9: error: `n` never changes\n"
          "    4 |         n = 2\n"
          "      |         ^ expected a variable declared by `var`\n");
    CHECK(refused(iterating("columns = 2")).kinds == Kinds{DiagnosticKind::constant_assigned});
    CHECK(refused(iterating("k = 2")).kinds == Kinds{DiagnosticKind::constant_assigned});
    CHECK(refused(iterating("n = 2")).kinds == Kinds{DiagnosticKind::unknown_name});
    CHECK(refused(iterating("var n = 1  n = 2us")).kinds == Kinds{DiagnosticKind::wrong_type});
    CHECK(refused("application a { var n = 1 iteration { } }").kinds == Kinds{DiagnosticKind::psl_syntax});
}
