// Faults reported by the checker, to the caret.
#include "tests/psl/models.hpp"

using namespace warpfront::psl;
using Kinds = std::vector<DiagnosticKind>;

TEST_CASE("an unknown name comes with the nearest known one") {
    const Refusal fault = refused("application a {\n    param wg: time\n    iteration k { compute wgg }\n}\n");
    CHECK(fault.kinds == Kinds{DiagnosticKind::unknown_name});
    CHECK(fault.text ==
          "code.psl:3:27: error: unknown name `wgg`\n"
          "    3 |     iteration k { compute wgg }\n"
          "      |                           ^^^ expected a parameter or a variable; did you mean `wg`?\n");
}

TEST_CASE("an unknown function comes with the nearest known one") {
    const Refusal fault = refused(iterating("        compute 1us * shar(4, 2)\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::unknown_name});
    CHECK(fault.text ==
          "code.psl:3:23: error: unknown function `shar`\n"
          "    3 |         compute 1us * shar(4, 2)\n"
          "      |                       ^^^^ did you mean `share`?\n");
}

TEST_CASE("an unknown template comes with the nearest known one") {
    const Refusal fault = refused("template pipeline() { }\napplication a {\n    iteration k { pipelin() }\n}\n");
    CHECK(fault.kinds == Kinds{DiagnosticKind::unknown_name});
    CHECK(fault.text ==
          "code.psl:3:19: error: unknown template or subtask `pipelin`\n"
          "    3 |     iteration k { pipelin() }\n"
          "      |                   ^^^^^^^ did you mean `pipeline`?\n");
}

TEST_CASE("a name has one meaning at a time") {
    const Refusal fault =
        refused("application a {\n    let n = 1\n    let n = 2\n    let west = 3\n    iteration k { }\n}\n");
    CHECK(fault.kinds == Kinds{DiagnosticKind::duplicate_name, DiagnosticKind::duplicate_name});
    CHECK(fault.text ==
          "code.psl:3:9: error: `n` already has a meaning here\n"
          "    3 |     let n = 2\n"
          "      |         ^ expected a new name\n"
          "code.psl:4:9: error: `west` already has a meaning here\n"
          "    4 |     let west = 3\n"
          "      |         ^^^^ expected a new name\n");
}

TEST_CASE("a name of one block is free again after it") {
    CHECK(refused(iterating("        if true { let n = 1 }\n        let n = 2\n")).kinds.empty());
}

TEST_CASE("bytes are not multiplied by reals") {
    const Refusal fault = refused(iterating("        allreduce 8B * 1.5\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::wrong_type});
    CHECK(fault.text ==
          "code.psl:3:19: error: `*` is not defined on `bytes` and `real`\n"
          "    3 |         allreduce 8B * 1.5\n"
          "      |                   ^^^^^^^^ expected bytes times an `int`: bytes are whole, as in `8B * ceil(1.5 * "
          "n)`\n");
}

TEST_CASE("work is a time") {
    const Refusal fault = refused(iterating("        compute 3 * 4\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::wrong_type});
    CHECK(fault.text ==
          "code.psl:3:17: error: the work is of type `int`\n"
          "    3 |         compute 3 * 4\n"
          "      |                 ^^^^^ expected `time`; a unit makes one of a number: `1us`, or `1us * n`\n");
}

TEST_CASE("a partner is not a number") {
    const Refusal fault = refused(iterating("        send 8B to 0\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::wrong_type});
    CHECK(fault.text ==
          "code.psl:3:20: error: the partner is of type `int`\n"
          "    3 |         send 8B to 0\n"
          "      |                    ^ expected `peer`; `rank_at(column, row)` names any rank, `west` and its like a "
          "neighbour\n");
}

TEST_CASE("`/` gives no int") {
    const Refusal fault = refused(iterating("        repeat 12 / 4 { allreduce 8B }\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::wrong_type});
    CHECK(fault.text ==
          "code.psl:3:16: error: the number of times is of type `real`\n"
          "    3 |         repeat 12 / 4 { allreduce 8B }\n"
          "      |                ^^^^^^ expected `int`; `/` gives a real: `quotient(a, b)` rounds towards zero, "
          "`share(a, "
          "b)` up\n");
    CHECK(refused(iterating("        send 8B * (columns / 2) to west\n")).text.find("`quotient(a, b)`") !=
          std::string::npos);
    CHECK(refused(iterating("        let x = columns / 2\n        send 8B * x to west\n"))
              .text.find("`quotient(a, b)`") != std::string::npos);
    CHECK(refused(iterating("        repeat 2.5 { allreduce 8B }\n")).text.find("`floor`, `ceil` and `round`") !=
          std::string::npos);
}

TEST_CASE("each operation has its dimensions") {
    const auto kinds_of = [](const std::string& expression) {
        return refused(iterating("        let x = " + expression + "\n")).kinds;
    };
    for (const char* sound : {"1us * 2",
                              "2.5 * 1us",
                              "1us / 3",
                              "1us / 1ns + 1.0",
                              "8B * 3",
                              "8B / 2B + 0.5",
                              "8B / 2 + 1B",
                              "share(8B, 3) + quotient(8B, 3) + 8B % 3",
                              "share(8B, 3B) + quotient(8B, 3B) + 1",
                              "8B % 3B + 1B",
                              "2 ^ 3 % 2",
                              "2.0 ^ 3 + 4 ^ 0.5",
                              "[8B, 16B][1] + 1B",
                              "length([1us]) % 2",
                              "[west, east][1] == nobody",
                              "1 / 2 + 0.5",
                              "quotient(7, 2) % 2",
                              "min(1us, 1ms)",
                              "max(8B, 1KiB)",
                              "1 < 2.5",
                              "west == nobody",
                              "northwest != southeast",
                              "not exists(east)",
                              "upstream_x(northwest) == west",
                              "-1us",
                              "ceil(2.5) + 1",
                              "log2(8) + 0.5",
                              "is_power_of_two(8) and true",
                              "rank_at(1, 1) == nobody"}) {
        CAPTURE(sound);
        CHECK(kinds_of(sound).empty());
    }
    for (const char* faulty : {"1us * 1us",
                               "1us + 1",
                               "1 + 8B",
                               "8B / 2.0",
                               "8 / 2B",
                               "8 % 2B",
                               "8B ^ 2",
                               "2 ^ 8B",
                               "[1, 2][1us]",
                               "[1, 2][1.0]",
                               "3[1]",
                               "length(3)",
                               "1 / 1us",
                               "1.5 % 2",
                               "quotient(1us, 2)",
                               "min(1us, 8B)",
                               "1us < 1",
                               "west < east",
                               "northwest == west",
                               "not 1",
                               "1 and true",
                               "-8B",
                               "share(1.5, 2)",
                               "exists(1)",
                               "if 1 then 2 else 3",
                               "if true then 1us else 8B",
                               "[1, 1us]",
                               "[1] + [2]"}) {
        CAPTURE(faulty);
        CHECK(kinds_of(faulty) == Kinds{DiagnosticKind::wrong_type});
    }
}

TEST_CASE("a note has a condition, and a value for each pair of braces") {
    const auto kinds = [](const std::string& note) {
        return refused("application a {\n    note " + note + "\n    iteration { }\n}\n").kinds;
    };
    CHECK(kinds("1, \"one\"") == Kinds{DiagnosticKind::wrong_type});
    CHECK(kinds("true, \"{} of {}\", 1") == Kinds{DiagnosticKind::wrong_arity});
    CHECK(kinds("true, \"all\", 1") == Kinds{DiagnosticKind::wrong_arity});
    CHECK(kinds("true, \"{}\", [1, 2]") == Kinds{DiagnosticKind::wrong_type});
    CHECK(kinds("true, \"{}\", missing") == Kinds{DiagnosticKind::unknown_name});
    CHECK(kinds("true") == Kinds{DiagnosticKind::psl_syntax});
    CHECK(kinds("true, 1") == Kinds{DiagnosticKind::psl_syntax});
}

TEST_CASE("a fault at a function names its arguments") {
    const Refusal fault = refused(iterating("        repeat share(8) { compute 1us }\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::wrong_arity});
    CHECK(fault.text ==
          "code.psl:3:16: error: `share` is given 1 value\n"
          "    3 |         repeat share(8) { compute 1us }\n"
          "      |                ^^^^^^^^ expected two ints, bytes and an int, or bytes twice\n");
}

TEST_CASE("a fault at a template names its arguments") {
    const Refusal fault =
        refused("template t(n: int, where: [corner]) { }\napplication a {\n    iteration k { t(1) }\n}\n");
    CHECK(fault.kinds == Kinds{DiagnosticKind::wrong_arity});
    CHECK(fault.text ==
          "code.psl:3:19: error: `t` is given 1 value\n"
          "    3 |     iteration k { t(1) }\n"
          "      |                   ^^^^ expected (n: int, where: [corner])\n");
}

TEST_CASE("an argument of the wrong type is marked") {
    const Refusal fault = refused("template t(n: int) { }\napplication a {\n    iteration k { t(1us) }\n}\n");
    CHECK(fault.kinds == Kinds{DiagnosticKind::wrong_type});
    CHECK(fault.text ==
          "code.psl:3:21: error: `n` of `t` is given a value of type `time`\n"
          "    3 |     iteration k { t(1us) }\n"
          "      |                     ^^^ expected `int`\n");
}

TEST_CASE("files cannot import each other in a cycle") {
    const Refusal fault = refused(Texts{{"code.psl", "import \"other.psl\"\napplication a { iteration k { } }\n"},
                                        {"other.psl", "import \"code.psl\"\n"}});
    CHECK(fault.kinds == Kinds{DiagnosticKind::import_cycle});
    CHECK(fault.text.find("other.psl:1:8: error: `") == 0);
    CHECK(fault.text.find("code.psl` imports itself\n"
                          "    1 | import \"code.psl\"\n"
                          "      |        ^^^^^^^^^^ expected imports without a cycle\n") != std::string::npos);
}

TEST_CASE("two ways to one file are not a cycle") {
    CHECK(refused(Texts{{"code.psl", "import \"x.psl\"\nimport \"y.psl\"\napplication a { iteration k { t() u() } }\n"},
                        {"x.psl", "import \"y.psl\"\ntemplate t() { u() }\n"},
                        {"y.psl", "template u() { }\n"}})
              .kinds.empty());
}

TEST_CASE("imports of imports are not visible") {
    CHECK(refused(Texts{{"code.psl", "import \"x.psl\"\napplication a { iteration k { u() } }\n"},
                        {"x.psl", "import \"y.psl\"\n"},
                        {"y.psl", "template u() { }\n"}})
              .kinds == Kinds{DiagnosticKind::unknown_name});
}

TEST_CASE("templates do not recur") {
    const Refusal fault =
        refused("template t() { u() }\ntemplate u() { t() }\napplication a { iteration k { t() } }\n");
    CHECK(fault.kinds == Kinds{DiagnosticKind::recursion});
    CHECK(fault.text ==
          "code.psl:2:16: error: `t` calls itself\n"
          "    2 | template u() { t() }\n"
          "      |                ^ expected a loop: templates, subtasks and functions cannot recur\n");
}

TEST_CASE("subtasks only compute") {
    const Refusal fault = refused("subtask s() {\n    compute 1us\n    send 8B to west\n}\n");
    CHECK(fault.kinds == Kinds{DiagnosticKind::message_in_subtask});
    CHECK(fault.text ==
          "code.psl:3:5: error: `send` in a subtask\n"
          "    3 |     send 8B to west\n"
          "      |     ^^^^^^^^^^^^^^^ a subtask only computes; expected this in a template\n");
}

TEST_CASE("a file has one application at most") {
    const Refusal fault = refused("application a { iteration k { } }\napplication b { iteration k { } }\n");
    CHECK(fault.kinds == Kinds{DiagnosticKind::several_applications});
    CHECK(fault.text ==
          "code.psl:2:13: error: a second application `b`\n"
          "    2 | application b { iteration k { } }\n"
          "      |             ^ expected one per file\n");
}

TEST_CASE("an application has exactly one iteration") {
    const Refusal fault = refused("application a {\n}\n");
    CHECK(fault.kinds == Kinds{DiagnosticKind::iteration_blocks});
    CHECK(fault.text ==
          "code.psl:1:13: error: application `a` has no `iteration` block\n"
          "    1 | application a {\n"
          "      |             ^ expected exactly one\n");
    CHECK(refused("application a { iteration k { } iteration j { } }\n").kinds ==
          Kinds{DiagnosticKind::iteration_blocks});
}

TEST_CASE("a closed form names all that it must") {
    const Refusal fault =
        refused("application a {\n    iteration k { }\n    closed_form { work = 1us  tiles = 3  corners = [] }\n}\n");
    CHECK(fault.kinds == Kinds{DiagnosticKind::missing_field});
    CHECK(fault.text ==
          "code.psl:3:5: error: the closed form lacks `east_west`, `north_south`\n"
          "    3 |     closed_form { work = 1us  tiles = 3  corners = [] }\n"
          "      |     ^^^^^^^^^^^\n");
}

TEST_CASE("a request must be waited for") {
    const Refusal fault = refused("template t() {\n    irecv halo from west\n}\n");
    CHECK(fault.kinds == Kinds{DiagnosticKind::unwaited_request});
    CHECK(fault.text ==
          "code.psl:2:11: error: nothing waits for `halo`\n"
          "    2 |     irecv halo from west\n"
          "      |           ^^^^ expected `wait halo` later in this block\n");
}

TEST_CASE("a request is waited for once, by its name, in its own block") {
    const Refusal twice = refused("template t() { irecv halo from west wait halo wait halo }\n");
    CHECK(twice.kinds == Kinds{DiagnosticKind::unknown_request});
    const Refusal misspelt = refused("template t() {\n    irecv halo from west\n    wait hallo\n    wait halo\n}\n");
    CHECK(misspelt.kinds == Kinds{DiagnosticKind::unknown_request});
    CHECK(misspelt.text ==
          "code.psl:3:10: error: no request `hallo` in this block\n"
          "    3 |     wait hallo\n"
          "      |          ^^^^^ did you mean `halo`?\n");
    const Refusal elsewhere = refused("template t() { irecv halo from west if true { wait halo } wait halo }\n");
    CHECK(elsewhere.kinds == Kinds{DiagnosticKind::unknown_request});
}

TEST_CASE("faults of different statements are reported together, in order") {
    const Refusal fault = refused(iterating("        compute wg\n        send 8 to west\n        let n = 1us + 1\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::unknown_name, DiagnosticKind::wrong_type, DiagnosticKind::wrong_type});
}

TEST_CASE("a faulty let does not make its users faulty") {
    CHECK(refused(iterating("        let n = 1us + 1\n        compute n\n        repeat n { compute 1us }\n")).kinds ==
          Kinds{DiagnosticKind::wrong_type});
}
