// Powers, bytes, lists and their items, functions.
#include "tests/psl/models.hpp"

using namespace warpfront;
using namespace warpfront::psl;
using program::Op;
using Kinds = std::vector<DiagnosticKind>;

namespace {

/// The bytes of an allreduce.
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
    CHECK(refused_expression("2 ^ 63") == Kinds{DiagnosticKind::bad_arithmetic});
    CHECK(refused_expression("2 ^ -1") == Kinds{DiagnosticKind::bad_arithmetic});
    CHECK(refused_expression("(-1.0) ^ 0.5") == Kinds{DiagnosticKind::bad_arithmetic});
    CHECK(refused_expression("10.0 ^ 5000 ^ 1") == Kinds{DiagnosticKind::bad_arithmetic});
}

TEST_CASE("bytes over an int are bytes, if they are whole") {
    CHECK(size("1KiB / 4") == 256);
    CHECK(size("share(17B, 4)") == 5);
    CHECK(size("quotient(17B, 4)") == 4);
    CHECK(size("17B % 4") == 1);
    CHECK(figure("share(40KiB, 16KiB)") == 3);  // packets: 2.5 rounded up
    CHECK(figure("quotient(40KiB, 16KiB)") == 2);
    CHECK(size("40KiB % 16KiB") == 8192);
    const Refusal fault = refused_run(iterating("        allreduce 17B / 4\n"), {});
    CHECK(fault.kinds == Kinds{DiagnosticKind::bad_arithmetic});
    CHECK(fault.text ==
          "code.psl:3:19: error: `17 B / 4` is no whole number of bytes: `share(a, b)` rounds up, `quotient(a, b)` "
          "towards zero\n"
          "    3 |         allreduce 17B / 4\n"
          "      |                   ^^^^^^^\n");
}

TEST_CASE("the first item of a list is 1, the last its length") {
    CHECK(figure("[5, 6, 7][1]") == 5);
    CHECK(figure("[5, 6, 7][length([5, 6, 7])]") == 7);
    const Refusal fault = refused_run(iterating("        compute [1us, 2us][0]\n"), {});
    CHECK(fault.kinds == Kinds{DiagnosticKind::out_of_range});
    CHECK(fault.text ==
          "code.psl:3:17: error: item 0 of a list of 2: the first item is 1\n"
          "    3 |         compute [1us, 2us][0]\n"
          "      |                 ^^^^^^^^^^^^^\n");
    CHECK(refused_expression("[1, 2][3]") == Kinds{DiagnosticKind::out_of_range});
}

TEST_CASE("an item may be chosen by the rank") {
    for (std::uint32_t rank = 0; rank < 5; ++rank) {
        CHECK(figure("[10, 20, 30, 40, 50][column]", Run{5, 1}, rank) == 10 * (rank + 1));
    }
    const Refusal fault = refused_run(iterating("compute [1us, 1us, 1us][column]\n"), Run{4, 1});
    CHECK(fault.kinds == Kinds{DiagnosticKind::out_of_range});
    CHECK(fault.text.find("reached by rank 3 (column 4, row 1)") != std::string::npos);
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
    CHECK(refused_run(iterating("compute [1us, 2us][k]\n"), Run{1, 1, 3}).kinds == Kinds{DiagnosticKind::out_of_range});
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
    CHECK(refused_run(text, Run{1, 1, 1, {{"costs", "3us"}}}).kinds == Kinds{DiagnosticKind::wrong_type});
    CHECK(refused_run(text, Run{1, 1, 1, {{"costs", "[3us, 8B]"}}}).kinds == Kinds{DiagnosticKind::wrong_unit});
    CHECK(
        refused_run("application a { param l: [int] = [column] iteration { compute 1us * l[1] } }", Run{2, 1}).kinds ==
        Kinds{DiagnosticKind::rank_dependent});
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

TEST_CASE("what a function is not") {
    const auto kinds = [](const std::string& declared, const std::string& body) {
        return refused(declared + "\n" + iterating(body)).kinds;
    };
    const std::string f = "function f(n: int): int = n\nsubtask s() { }";
    CHECK(kinds("function f(n: int): int = 1us", "").front() == DiagnosticKind::wrong_type);
    CHECK(kinds("function f(n: int): int = f(n)", "") == Kinds{DiagnosticKind::recursion});
    CHECK(kinds("function min(n: int): int = n", "") == Kinds{DiagnosticKind::duplicate_name});
    CHECK(kinds(f, "f(1)") == Kinds{DiagnosticKind::wrong_type});
    CHECK(kinds(f, "let x = f") == Kinds{DiagnosticKind::wrong_arity});
    CHECK(kinds(f, "let x = f(1, 2)") == Kinds{DiagnosticKind::wrong_arity});
    CHECK(kinds(f, "let x = f(1.5)") == Kinds{DiagnosticKind::wrong_type});
    CHECK(kinds(f, "let x = s()") == Kinds{DiagnosticKind::wrong_type});
    CHECK(kinds("function f(n: int): int { }", "") == Kinds{DiagnosticKind::psl_syntax});
}

TEST_CASE("functions of functions end at a limit, not in a crash") {
    std::string chain = "function f0(n: int): int = n\n";
    for (int i = 1; i <= 30; ++i) {
        chain += "function f" + std::to_string(i) + "(n: int): int = f" + std::to_string(i - 1) + "(n) + f" +
                 std::to_string(i - 1) + "(n)\n";
    }
    CHECK(refused_run(chain + iterating("compute 1us * f30(1)"), {}).kinds == Kinds{DiagnosticKind::program_too_large});
    std::string deep = "function f0(n: int): int = n\n";
    const std::string brackets(150, '-');
    for (int i = 1; i <= 150; ++i) {
        deep +=
            "function f" + std::to_string(i) + "(n: int): int = " + brackets + "f" + std::to_string(i - 1) + "(n)\n";
    }
    CHECK(refused_run(deep + iterating("compute 1us * f150(1)"), {}).kinds == Kinds{DiagnosticKind::nesting_too_deep});
}
