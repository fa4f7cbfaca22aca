// Faults reported by the checker, to the caret.
//
// Not pinned here: the layout of a fault with its line and caret (tests/input/diagnostic_test.cpp); the messages of a
// collective's algorithm (tests/collectives); the validity of a program (tests/program) and its behaviour on a machine
// (tests/engine); the bindings of a scenario's keys (tests/scenario); the commands and the editor that read models
// (tests/tools); agreement of the engines on random models (tests/campaign).
#include "tests/psl/models.hpp"

TEST_CASE("each fault of the checker is reported at its place, with what was expected") {
    check_summaries(
        {{"an unknown name comes with the nearest known one",
          refused("application a {\n    param wg: time\n    iteration k { compute wgg }\n}\n"),
          "3:27 unknown_name [wgg] unknown name `wgg` | expected a parameter or a variable; did you mean `wg`?"},
         {"an unknown function comes with the nearest known one", refused_in("compute 1us * shar(4, 2)"),
          "3:23 unknown_name [shar] unknown function `shar` | did you mean `share`?"},
         {"an unknown template comes with the nearest known one",
          refused("template pipeline() { }\napplication a {\n    iteration k { pipelin() }\n}\n"),
          "3:19 unknown_name [pipelin] unknown template or subtask `pipelin` | did you mean `pipeline`?"},
         {"a name has one meaning at a time",
          refused("application a {\n    let n = 1\n    let n = 2\n    let west = 3\n    iteration k { }\n}\n"),
          "3:9 duplicate_name [n] `n` already has a meaning here | expected a new name\n"
          "4:9 duplicate_name [west] `west` already has a meaning here | expected a new name"},
         {"bytes are not multiplied by reals", refused_in("allreduce 8B * 1.5"),
          "3:19 wrong_type [8B * 1.5] `*` is not defined on `bytes` and `real` | expected bytes times an `int`: "
          "bytes are whole, as in `8B * ceil(1.5 * n)`"},
         {"work is a time", refused_in("compute 3 * 4"),
          "3:17 wrong_type [3 * 4] the work is of type `int` | expected `time`; a number needs a unit: `1us`, "
          "or `1us * n`"},
         {"a partner is not a number", refused_in("send 8B to 0"),
          "3:20 wrong_type [0] the partner is of type `int` | expected `peer`; `rank_at(column, row)` is any rank, "
          "`west` a neighbour"},
         {"a fault at a function names its arguments", refused_in("repeat share(8) { compute 1us }"),
          "3:16 wrong_arity [share(8)] `share` is given 1 value | expected two ints, bytes and an int, or bytes twice"},
         {"a fault at a template names its arguments",
          refused("template t(n: int, where: [corner]) { }\napplication a {\n    iteration k { t(1) }\n}\n"),
          "3:19 wrong_arity [t(1)] `t` is given 1 value | expected (n: int, where: [corner])"},
         {"an argument of the wrong type is marked",
          refused("template t(n: int) { }\napplication a {\n    iteration k { t(1us) }\n}\n"),
          "3:21 wrong_type [1us] `n` of `t` is given a value of type `time` | expected `int`"},
         {"files cannot import each other in a cycle",
          refused(Texts{{"code.psl", "import \"other.psl\"\napplication a { iteration k { } }\n"},
                        {"other.psl", "import \"code.psl\"\n"}}),
          "other.psl:1:8 import_cycle [\"code.psl\"] `code.psl` imports itself | expected imports without a cycle"},
         {"templates do not recur",
          refused("template t() { u() }\ntemplate u() { t() }\napplication a { iteration k { t() } }\n"),
          "2:16 recursion [t] `t` calls itself | expected a loop: templates, subtasks and functions cannot call "
          "themselves"},
         {"subtasks only compute", refused("subtask s() {\n    compute 1us\n    send 8B to west\n}\n"),
          "3:5 message_in_subtask [send 8B to west] `send` is not allowed in a subtask | expected it in a template: a "
          "subtask only computes"},
         {"a file has one application at most",
          refused("application a { iteration k { } }\napplication b { iteration k { } }\n"),
          "2:13 several_applications [b] a second application `b` | expected one application per file"},
         {"a closed form names all that it must",
          refused("application a {\n    iteration k { }\n    closed_form { work = 1us  tiles = 3  corners = [] }\n}\n"),
          "3:5 missing_field [closed_form] the closed form lacks `east_west`, `north_south`"},
         {"a request must be waited for", refused("template t() {\n    irecv halo from west\n}\n"),
          "2:11 unwaited_request [halo] nothing waits for `halo` | expected `wait halo` later in this block"}});
}

TEST_CASE("the kinds of faults of the checker, or none") {
    check_kinds(
        {{"files cannot import each other in a cycle",
          refused(Texts{{"code.psl", "import \"other.psl\"\n"}, {"other.psl", "import \"code.psl\"\n"}}),
          Kinds{import_cycle}},
         {"a file has one application at most",
          refused("application a { iteration k { } }\napplication b { iteration k { } }\n"),
          Kinds{several_applications}},
         {"a name of one block is free again after it",
          refused(iterating("        if true { let n = 1 }\n        let n = 2\n")),
          {}},
         {"two ways to one file are not a cycle",
          refused(Texts{{"code.psl", "import \"x.psl\"\nimport \"y.psl\"\napplication a { iteration k { t() u() } }\n"},
                        {"x.psl", "import \"y.psl\"\ntemplate t() { u() }\n"},
                        {"y.psl", "template u() { }\n"}}),
          {}},
         {"imports of imports are not visible",
          refused(Texts{{"code.psl", "import \"x.psl\"\napplication a { iteration k { u() } }\n"},
                        {"x.psl", "import \"y.psl\"\n"},
                        {"y.psl", "template u() { }\n"}}),
          Kinds{unknown_name}}});
}

TEST_CASE("`/` gives no int") {
    CHECK(refused_in("repeat 12 / 4 { allreduce 8B }").summary ==
          "3:16 wrong_type [12 / 4] the number of times is of type `real` | expected `int`; `/` gives a real: "
          "`quotient(a, b)` rounds towards zero, `share(a, b)` up");
    CHECK(refused_in("send 8B * (columns / 2) to west").text.find("`quotient(a, b)`") != std::string::npos);
    CHECK(refused(iterating("        let x = columns / 2\n        send 8B * x to west\n"))
              .text.find("`quotient(a, b)`") != std::string::npos);
    CHECK(refused_in("repeat 2.5 { allreduce 8B }").text.find("`floor`, `ceil` and `round`") != std::string::npos);
}

TEST_CASE("each operation has its dimensions") {
    const auto kinds_of = [](const std::string& expression) {
        return refused(iterating("        let x = " + expression + "\n")).kinds;
    };
    for (const std::string& sound :
         each_of("1us * 2 | 2.5 * 1us | 1us / 3 | 1us / 1ns + 1.0 | 8B * 3 | 8B / 2B + 0.5 | 8B / 2 + 1B | share(8B, "
                 "3) + quotient(8B, 3) + 8B % 3 | share(8B, 3B) + quotient(8B, 3B) + 1 | 8B % 3B + 1B | 2 ^ 3 % 2 | "
                 "2.0 ^ 3 + 4 ^ 0.5 | [8B, 16B][1] + 1B | length([1us]) % 2 | [west, east][1] == nobody | 1 / 2 + 0.5 "
                 "| quotient(7, 2) % 2 | min(1us, 1ms) | max(8B, 1KiB) | 1 < 2.5 | west == nobody | northwest != "
                 "southeast | not exists(east) | upstream_x(northwest) == west | -1us | ceil(2.5) + 1 | log2(8) + 0.5 "
                 "| is_power_of_two(8) and true | rank_at(1, 1) == nobody")) {
        CAPTURE(sound);
        CHECK(kinds_of(sound).empty());
    }
    for (const std::string& faulty :
         each_of("1us * 1us | 1us + 1 | 1 + 8B | 8B / 2.0 | 8 / 2B | 8 % 2B | 8B ^ 2 | 2 ^ 8B | [1, 2][1us] | "
                 "[1, 2][1.0] | 3[1] | length(3) | 1 / 1us | 1.5 % 2 | quotient(1us, 2) | min(1us, 8B) | "
                 "1us < 1 | west < east | northwest == west | not 1 | 1 and true | -8B | share(1.5, 2) | "
                 "exists(1) | if 1 then 2 else 3 | if true then 1us else 8B | [1, 1us] | [1] + [2]")) {
        CAPTURE(faulty);
        CHECK(kinds_of(faulty) == Kinds{wrong_type});
    }
}

TEST_CASE("a note has a condition, and a value for each pair of braces") {
    const auto kinds = [](const std::string& note) {
        return refused("application a {\n    note " + note + "\n    iteration { }\n}\n").kinds;
    };
    CHECK(kinds("1, \"one\"") == Kinds{wrong_type});
    CHECK(kinds("true, \"{} of {}\", 1") == Kinds{wrong_arity});
    CHECK(kinds("true, \"all\", 1") == Kinds{wrong_arity});
    CHECK(kinds("true, \"{}\", [1, 2]") == Kinds{wrong_type});
    CHECK(kinds("true, \"{}\", missing") == Kinds{unknown_name});
    CHECK(kinds("true") == Kinds{psl_syntax});
    CHECK(kinds("true, 1") == Kinds{psl_syntax});
}

TEST_CASE("an application has exactly one iteration") {
    CHECK(refused("application a {\n}\n").summary ==
          "1:13 iteration_blocks [a] application `a` has no `iteration` block | expected exactly one");
    CHECK(refused("application a { iteration k { } iteration j { } }\n").kinds == Kinds{iteration_blocks});
}

TEST_CASE("a request is waited for once, by its name, in its own block") {
    const Refusal twice = refused("template t() { irecv halo from west wait halo wait halo }\n");
    CHECK(twice.kinds == Kinds{unknown_request});
    CHECK(refused("template t() {\n    irecv halo from west\n    wait hallo\n    wait halo\n}\n").summary ==
          "3:10 unknown_request [hallo] this block has no request `hallo` | did you mean `halo`?");
    const Refusal elsewhere = refused("template t() { irecv halo from west if true { wait halo } wait halo }\n");
    CHECK(elsewhere.kinds == Kinds{unknown_request});
}

TEST_CASE("faults of different statements are reported together, in order") {
    const Refusal fault = refused(iterating("        compute wg\n        send 8 to west\n        let n = 1us + 1\n"));
    CHECK(fault.kinds == Kinds{unknown_name, wrong_type, wrong_type});
}

TEST_CASE("a faulty let does not make its users faulty") {
    CHECK(refused(iterating("        let n = 1us + 1\n        compute n\n        repeat n { compute 1us }\n")).kinds ==
          Kinds{wrong_type});
}
