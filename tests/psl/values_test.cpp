// Powers, bytes, lists and their items, functions.
#include "tests/psl/models.hpp"

using program::Op;

namespace {

/// Returns the bytes of an allreduce.
std::int64_t size(const std::string& expression) {
    return steps(lowered(iterating("allreduce " + expression + "\n")), {0})[0].amount;
}

Kinds refused_expression(const std::string& expression, const Run& run = {}) {
    return refused_run(iterating("compute 1us * (" + expression + ")\n"), run).kinds;
}

}  // namespace

TEST_CASE("a power binds to the right, tighter than a sign, and of ints is an int") {
    CHECK(figure("2 ^ 10") == 1024);
    CHECK(figure("2 ^ 3 ^ 2") == 512);  // 2 ^ 9
    CHECK(figure("10 + -2 ^ 2") == 6);  // 10 - 4
    CHECK(figure("2 * 3 ^ 2") == 18);
    CHECK(figure("2 ^ 62 % 1000") == 904);  // 4611686018427387904
    CHECK(figure("16 ^ 0.5") == 4);
    CHECK(figure("4.0 ^ -1 * 8") == 2);
    CHECK(figure("7 + (-1) ^ 9223372036854775807") == 6);
}

TEST_CASE("a power beyond its kind is bad arithmetic") {
    CHECK(refused_expression("2 ^ 63") == Kinds{bad_arithmetic});
    CHECK(refused_expression("2 ^ -1") == Kinds{bad_arithmetic});
    CHECK(refused_expression("(-1.0) ^ 0.5") == Kinds{bad_arithmetic});
    CHECK(refused_expression("10.0 ^ 5000 ^ 1") == Kinds{bad_arithmetic});
}

TEST_CASE("a logarithm of 0 is bad arithmetic") {
    // Minus infinity would pass as a real: the greater of it and 1 is 1.
    CHECK(refused_expression("max(log2(0), 1)") == Kinds{bad_arithmetic});
}

TEST_CASE("bytes over an int are bytes, if they are whole") {
    CHECK(size("1KiB / 4") == 256);
    CHECK(size("share(17B, 4)") == 5);
    CHECK(size("quotient(17B, 4)") == 4);
    CHECK(size("17B % 4") == 1);
    CHECK(figure("share(40KiB, 16KiB)") == 3);  // packets: 2.5 rounded up
    CHECK(figure("quotient(40KiB, 16KiB)") == 2);
    CHECK(size("40KiB % 16KiB") == 8192);
    CHECK(refused_run_in("allreduce 17B / 4", Run{}).summary ==
          "3:19 bad_arithmetic [17B / 4] `17 B / 4` is not a whole number of bytes: `share(a, b)` rounds up, "
          "`quotient(a, b)` rounds towards zero");
}

TEST_CASE("the first item of a list is 1, the last its length") {
    CHECK(figure("[5, 6, 7][1]") == 5);
    CHECK(figure("[5, 6, 7][length([5, 6, 7])]") == 7);
    CHECK(refused_run_in("compute [1us, 2us][0]", Run{}).summary ==
          "3:17 out_of_range [[1us, 2us][0]] a list of 2 items has no item 0; the first item is 1");
    CHECK(refused_expression("[1, 2][3]") == Kinds{out_of_range});
}

TEST_CASE("an item may be chosen by the rank") {
    for (std::uint32_t rank = 0; rank < 5; ++rank) {
        CHECK(figure("[10, 20, 30, 40, 50][column]", Run{5, 1}, rank) == 10 * (rank + 1));
    }
    CHECK(refused_run(iterating("compute [1us, 1us, 1us][column]\n"), Run{4, 1}).summary ==
          "3:9 out_of_range [[1us, 1us, 1us][column]] a list of 3 items has no item 4; the first item is 1 | found on "
          "rank 3 (column 4, row 1)");
    CHECK(figure("if column < 4 then [1, 2, 3][column] else 9", Run{4, 1}, 3) == 9);  // never reached there
}

TEST_CASE("an item chosen by the iteration splits the iterations where the item changes") {
    // 1..2 take the first item, 3..1000000 the second: a loop of two and a loop of 999,998
    const program::Program two =
        lowered(iterating("compute [1us, 2us][if k < 3 then 1 else 2]\n allreduce 8B"), Run{1, 1, 1'000'000});
    CHECK(two.classes[0].code.size() == 11);
    const program::Program cycle = lowered(iterating("compute [1us, 2us, 2us][k % 3 + 1]\n"), Run{1, 1, 9});
    std::vector<std::int64_t> amounts;
    for (const Event& event : steps(cycle, {0})) amounts.push_back(event.amount / 1'000'000);
    CHECK(amounts == std::vector<std::int64_t>{2, 2, 1, 2, 2, 1, 2, 2, 1});
    CHECK(refused_run(iterating("compute [1us, 2us][k]\n"), Run{1, 1, 3}).kinds == Kinds{out_of_range});
}

TEST_CASE("a list may be a parameter, bound by a scenario or by default") {
    const std::string text =
        "application a { param costs: [time] = [1us, 2us]  param corners: [int] = []\n"
        "    iteration { for c in costs { compute c } compute 1us * length(corners) } }\n";
    const auto amounts = [&](const Run& run) {
        std::vector<std::int64_t> all;
        for (const Event& event : steps(lowered(text, run), {0})) all.push_back(event.amount);
        return all;
    };
    CHECK(amounts({}) == std::vector<std::int64_t>{1'000'000, 2'000'000});
    CHECK(amounts(Run{1, 1, 1, {{"costs", "[3us, 0.5 us,4ns]"}, {"corners", "[7]"}}}) ==
          std::vector<std::int64_t>{3'000'000, 500'000, 4'000, 1'000'000});
    CHECK(amounts(Run{1, 1, 1, {{"costs", "[]"}}}).empty());
    CHECK(refused_run(text, Run{1, 1, 1, {{"costs", "3us"}}}).kinds == Kinds{wrong_type});
    CHECK(refused_run(text, Run{1, 1, 1, {{"costs", "[3us, 8B]"}}}).kinds == Kinds{wrong_unit});
    CHECK(
        refused_run("application a { param l: [int] = [column] iteration { compute 1us * l[1] } }", Run{2, 1}).kinds ==
        Kinds{rank_dependent});
}

TEST_CASE("a function is its expression with the values of its parameters") {
    const std::string twice = "function twice(n: int): int = 2 * n\n";
    CHECK(figure("twice(3) + twice(twice(5))", {}, 0, twice) == 26);
    CHECK(figure("twice(column)", Run{3, 1}, 2, twice) == 6);
    CHECK(figure("half(3) * 2", {}, 0, "function half(x: real): real = x / 2\n") == 3);  // an int is a real there
    CHECK(figure("third([4, 5, 6])", {}, 0, "function third(list: [int]): int = list[3]\n") == 6);
    CHECK(figure("pair(3)[2]", {}, 0, "function pair(n: int): [int] = [n, n + 1]\n") == 4);
}

TEST_CASE("a function inside an application uses its variables; an imported one is as one's own") {
    CHECK(steps(lowered("application a { let cells = 3  function all(w: time): time = w * cells\n"
                        "iteration { compute all(2us) } }"),
                {0})[0]
              .amount == 6'000'000);
    const Folder folder(Texts{{"f.psl", "function f(n: int): int = n + 1\n"},
                              {"code.psl", "import \"f.psl\"\n" + iterating("compute 1us * f(2)")}});
    CHECK(steps(lower(load(folder / "code.psl"), Run{}.bindings()), {0})[0].amount == 3'000'000);
}

TEST_CASE("texts that are no function") {
    const auto kinds = [](const std::string& declared, const std::string& body) {
        return refused(declared + "\n" + iterating(body)).kinds;
    };
    const std::string f = "function f(n: int): int = n\nsubtask s() { }";
    CHECK(kinds("function f(n: int): int = 1us", "").front() == wrong_type);
    CHECK(kinds("function f(n: int): int = f(n)", "") == Kinds{recursion});
    CHECK(kinds("function min(n: int): int = n", "") == Kinds{duplicate_name});
    CHECK(kinds(f, "f(1)") == Kinds{wrong_type});
    CHECK(kinds(f, "let x = f") == Kinds{wrong_arity});
    CHECK(kinds(f, "let x = f(1, 2)") == Kinds{wrong_arity});
    CHECK(kinds(f, "let x = f(1.5)") == Kinds{wrong_type});
    CHECK(kinds(f, "let x = s()") == Kinds{wrong_type});
    CHECK(kinds("function f(n: int): int { }", "") == Kinds{psl_syntax});
}

TEST_CASE("functions of functions end at a limit, not in a crash") {
    std::string chain = "function f0(n: int): int = n\n";
    for (int i = 1; i <= 30; ++i) {
        chain += "function f" + std::to_string(i) + "(n: int): int = f" + std::to_string(i - 1) + "(n) + f" +
                 std::to_string(i - 1) + "(n)\n";
    }
    CHECK(refused_run(chain + iterating("compute 1us * f30(1)"), Run{}).kinds == Kinds{program_too_large});
    std::string deep = "function f0(n: int): int = n\n";
    const std::string brackets(150, '-');
    for (int i = 1; i <= 150; ++i) {
        deep +=
            "function f" + std::to_string(i) + "(n: int): int = " + brackets + "f" + std::to_string(i - 1) + "(n)\n";
    }
    CHECK(refused_run(deep + iterating("compute 1us * f150(1)"), Run{}).kinds == Kinds{nesting_too_deep});
}

// Variables that change, and loops over values that are known before the run.

namespace {

/// Returns the microseconds of every `compute`, in order.
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

TEST_CASE("a loop that assigns a variable from outside runs iteration by iteration") {
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
    CHECK(steps(tree, {0}) == Events{{Op::send, 8, 1, 0}, {Op::send, 8, 2, 0}, {Op::send, 8, 4, 0}});
    CHECK(steps(tree, {7}) == Events{{Op::recv, 0, -4, 0}});
    CHECK(works("var n = 10  while n > k { compute 1us * n  n = n - 4 }", Run{1, 1, 2}) == Works{10, 6, 2, 10, 6});
    CHECK(works("var n = 1  while n > 1 { n = n - 1 } compute 1us * n") == Works{1});
}

TEST_CASE("a condition that differs between ranks is no condition of `while`") {
    CHECK(refused_run(iterating("        var n = 1\n        while n < column { n = n + 1 }\n"), Run{2, 1}).summary ==
          "4:15 rank_dependent [n < column] the condition of a `while` differs from rank to rank");
}

TEST_CASE("a variable is not assigned on some ranks only") {
    const std::string text =
        iterating("        var n = 1\n        if column == 1 { n = 2 }\n        compute 1us * n\n");
    CHECK(refused_run(text, Run{2, 1}).summary ==
          "4:26 rank_dependent [n = 2] `n` is assigned on some ranks only | expected an assignment on all ranks, such "
          "as `n = if CONDITION then A else n`");
    CHECK(works("if column == 1 { var n = 1  n = 2  compute 1us * n }", Run{2, 1}) == Works{2});
    CHECK(works("var n = 1  n = if column == 2 then 2 else n  compute 1us * n", Run{2, 1}, 1) == Works{2});
    CHECK(refused_run(iterating("var n = 1  repeat column { n = n + 1 } compute 1us * n"), Run{2, 1}).kinds ==
          Kinds{rank_dependent});
}

TEST_CASE("a loop that cannot end is refused where that is seen, and else at a limit") {
    const Refusal fault = refused(iterating("        var n = 1\n        while n < 3 { compute 1us * n }\n"));
    CHECK(fault.kinds == Kinds{endless_loop});
    CHECK(fault.summary ==
          "4:9 endless_loop [while n < 3] nothing in the loop changes its condition | expected a `var` in the "
          "condition, and its assignment in the body, such as `n = 2 * n`");
    CHECK(refused_run(iterating("var n = 1  while n > 0 { n = 3 - n }"), Run{}).kinds == Kinds{program_too_large});
}

TEST_CASE("only what `var` declares changes") {
    CHECK(refused(iterating("        let n = 1\n        n = 2\n")).summary ==
          "4:9 constant_assigned [n] `n` never changes | expected a variable declared by `var`");
    CHECK(refused(iterating("columns = 2")).kinds == Kinds{constant_assigned});
    CHECK(refused(iterating("k = 2")).kinds == Kinds{constant_assigned});
    CHECK(refused(iterating("n = 2")).kinds == Kinds{unknown_name});
    CHECK(refused(iterating("var n = 1  n = 2us")).kinds == Kinds{wrong_type});
    CHECK(refused("application a { var n = 1 iteration { } }").kinds == Kinds{psl_syntax});
}
