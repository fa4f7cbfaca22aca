// Faults reported by the lexer and the parser, to the caret.
#include <chrono>

#include <fmt/format.h>

#include "tests/psl/models.hpp"

using namespace warpfront::psl;
using Kinds = std::vector<DiagnosticKind>;

TEST_CASE("a character without meaning is reported once, whatever its number of bytes") {
    const Refusal fault = refused("application a {\n    param n: int = 3 \xc2\xa7\n    iteration k { }\n}\n");
    CHECK(fault.kinds == Kinds{DiagnosticKind::unexpected_character});
    CHECK(fault.text ==
          "code.psl:2:22: error: unexpected character\n"
          "    2 |     param n: int = 3 \xc2\xa7\n"
          "      |                      ^ this means nothing here\n");
}

TEST_CASE("a text needs its closing quote on the same line") {
    const Refusal fault = refused("application a {\n    require 1 > 0, \"always\n    iteration k { }\n}\n");
    CHECK(fault.kinds == Kinds{DiagnosticKind::unclosed_string});
    CHECK(fault.text ==
          "code.psl:2:20: error: text without its closing quote\n"
          "    2 |     require 1 > 0, \"always\n"
          "      |                    ^^^^^^^ expected `\"` before the end of the line\n");
}

TEST_CASE("an unknown unit is marked, not the number before it") {
    const Refusal fault = refused(iterating("        compute 12lightyears\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::unknown_unit});
    CHECK(fault.text ==
          "code.psl:3:19: error: unknown unit `lightyears`\n"
          "    3 |         compute 12lightyears\n"
          "      |                   ^^^^^^^^^^ expected one of `ps`, `ns`, `us`, `ms`, `s`, `min`, `h`, `B`, `kB`, "
          "`KB`, "
          "`MB`, `GB`, `TB`, `KiB`, `MiB`, `GiB`, `TiB`, `flops`, `kflops`, `Kflops`, `Mflops`, `Gflops`, `Tflops`\n");
}

TEST_CASE("an unknown unit comes with the nearest only if that cannot be another amount") {
    const auto expected = [](const std::string& work) {
        return refused(iterating("        compute " + work + "\n")).text;
    };
    CHECK(expected("5uss").find("did you mean `us`?") != std::string::npos);
    for (const char* work : {"5m", "5M", "5ks", "64Kb", "64mb"}) {
        CAPTURE(work);
        CHECK(expected(work).find("did you mean") == std::string::npos);
    }
}

TEST_CASE("a unit of something else is the wrong unit") {
    const Refusal fault = refused(iterating("        compute 6GBps\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::wrong_unit});
    CHECK(fault.text ==
          "code.psl:3:18: error: `GBps` is a unit of bandwidth\n"
          "    3 |         compute 6GBps\n"
          "      |                  ^^^^ expected a unit of time or of bytes, or a rate such as `110Mflops`\n");
}

TEST_CASE("a whole number beyond 64 bits is a bad number") {
    const Refusal fault = refused(iterating("        repeat 9223372036854775808 { }\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::bad_number});
    CHECK(fault.text ==
          "code.psl:3:16: error: bad number `9223372036854775808`\n"
          "    3 |         repeat 9223372036854775808 { }\n"
          "      |                ^^^^^^^^^^^^^^^^^^^ expected at most 9223372036854775807\n");
}

TEST_CASE("half a byte is a bad number, half a kibibyte is not") {
    CHECK(refused(iterating("        allreduce 0.5B\n")).kinds == Kinds{DiagnosticKind::bad_number});
    CHECK(steps(lowered(iterating("        allreduce 0.5KiB\n")), {0})[0].amount == 512);
}

TEST_CASE("a fault at a statement that ends too early names the expected token") {
    const Refusal fault = refused(iterating("        send 8B west\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::psl_syntax});
    CHECK(fault.text ==
          "code.psl:3:17: error: unexpected `west`\n"
          "    3 |         send 8B west\n"
          "      |                 ^^^^ expected `to` and the rank that receives\n");
}

TEST_CASE("an open bracket is named with its line") {
    const Refusal fault = refused(iterating("        compute (1us +\n            2us\n        allreduce 8B\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::psl_syntax});
    CHECK(fault.text ==
          "code.psl:5:9: error: unexpected `allreduce`\n"
          "    5 |         allreduce 8B\n"
          "      |         ^^^^^^^^^ expected `)` to close the `(` of line 3\n");
}

TEST_CASE("a missing brace is reported at the end of the file") {
    const Refusal fault = refused("application a {\n    iteration k {\n}\n");
    CHECK(fault.kinds == Kinds{DiagnosticKind::psl_syntax});
    CHECK(fault.text ==
          "code.psl:4:1: error: unexpected the end of the file\n"
          "    4 | \n"
          "      | ^ expected `}` to close the `{` of line 1\n");
}

TEST_CASE("six independent faults are six messages, each at its line, in whatever kind of place") {
    const Refusal fault = refused(
        "application a(n: int) {\n"
        "    param wg time = 1us\n"
        "    template edge(to peer) {\n"
        "        send 8B to to\n"
        "    }\n"
        "    iteration k {\n"
        "        for i = 1..3 {\n"
        "            compute wg *\n"
        "        }\n"
        "        recv from west\n"
        "    }\n"
        "}\n");
    CHECK(fault.kinds == Kinds(6, DiagnosticKind::psl_syntax));
    for (const char* place : {"code.psl:1:14: ", "code.psl:2:14: ", "code.psl:3:19: ", "code.psl:4:20: ",
                              "code.psl:7:15: ", "code.psl:9:9: "}) {
        CAPTURE(place);
        CHECK(fault.text.find(place) != std::string::npos);
    }
}

TEST_CASE("a fault in the head of a block hides no fault in the block, and adds none") {
    const auto faults_in = [](const std::string& head) {
        const Refusal fault =
            refused(iterating("        " + head + " {\n            send 8B west\n        }\n        recv from\n"));
        CHECK(fault.text.find("code.psl:4:21: error: unexpected `west`") != std::string::npos);
        return fault.kinds.size();
    };
    for (const char* head : {"if columns = 1", "if columns >", "repeat 3 times", "while", "for i of 1..3", "phase 1",
                             "if (columns > 1 or rows"}) {
        CAPTURE(head);
        CHECK(faults_in(head) == 3);  // of the head, of the send, of the recv
    }
}

TEST_CASE("a missing `}` is one fault, and what follows is read as if it stood there") {
    const Refusal fault = refused(
        "application a {\n"
        "    iteration k {\n"
        "        if columns > 1 {\n"
        "            send 8B to east\n"
        "    }\n"
        "    subtask s() {\n"
        "        compute 1us 2us\n"
        "    }\n"
        "}\n"
        "template t() {\n"
        "    send 8B west\n"
        "}\n");
    CHECK(fault.kinds == Kinds(3, DiagnosticKind::psl_syntax));
    CHECK(fault.text.find("code.psl:6:5: error: unexpected `subtask`") != std::string::npos);
    CHECK(fault.text.find("expected `}` to close the `{` of line 2") != std::string::npos);
    CHECK(fault.text.find("code.psl:7:21: error: unexpected `2us`") != std::string::npos);
    CHECK(fault.text.find("code.psl:11:13: error: unexpected `west`") != std::string::npos);
}

TEST_CASE("several blocks that are open at the end of the file are one fault") {
    CHECK(refused("application a {\n    iteration k {\n        repeat 3 {\n").kinds ==
          Kinds{DiagnosticKind::psl_syntax});
}

TEST_CASE("the faults of imported files are reported with those of the file that imports them") {
    const Refusal fault = refused(Texts{{"code.psl", "import \"t.psl\"\napplication a {\n    let x 1\n}\n"},
                                        {"t.psl", "template t() {\n    send 8B west\n}\n"}});
    CHECK(fault.text.find("code.psl:3:11: ") != std::string::npos);
    CHECK(fault.text.find("t.psl:2:13: ") != std::string::npos);
}

TEST_CASE("a reserved word is not a name") {
    const Refusal fault = refused(iterating("        let send = 3\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::psl_syntax});
    CHECK(
        fault.text ==
        "code.psl:3:13: error: `send` is a reserved word\n"
        "    3 |         let send = 3\n"
        "      |             ^^^^ expected a name, none of `application`, `subtask`, `template`, `function`, "
        "`hardware`, "
        "`import`, "
        "`param`, `require`, `let`, `var`, `iteration`, `closed_form`, `compute`, `analytic`, `trace`, `send`, `recv`, "
        "`isend`, "
        "`irecv`, `ssend`, `sendrecv`, `wait`, `waitall`, `waitany`, `barrier`, `broadcast`, `reduce`, `allreduce`, "
        "`gather`, `allgather`, "
        "`scatter`, `alltoall`, `reduce_scatter`, `scan`, `over`, "
        "`if`, `then`, `else`, `for`, `in`, `repeat`, `while`, `phase`, `to`, `from`, `tag`, `at`, `any`, `and`, `or`, "
        "`not`, `true`, `false`\n");
    CHECK(refused(iterating("        compute 1us * tag\n")).text.find("`tag` is a reserved word") != std::string::npos);
}

TEST_CASE("an unknown statement comes with the nearest one, or with all") {
    const Refusal near = refused(iterating("        advance from west\n        reqv from west\n"));
    CHECK(near.kinds == Kinds{DiagnosticKind::psl_syntax, DiagnosticKind::psl_syntax});
    CHECK(near.text ==
          "code.psl:3:9: error: unexpected `advance`\n"
          "    3 |         advance from west\n"
          "      |         ^^^^^^^ expected `}` or a statement: `compute`, `send`, `recv`, `isend`, `irecv`, `ssend`, "
          "`sendrecv`, `wait`, `waitall`, `waitany`, `barrier`, `broadcast`, `reduce`, `gather`, `allreduce`, "
          "`scatter`, `allgather`, `scan`, "
          "`alltoall`, `reduce_scatter`, `let`, `var`, `if`, `require`, `for`, `while`, `repeat`, `phase`, `analytic`, "
          "`trace`, or the name "
          "of a "
          "template or subtask and `(`\n"
          "code.psl:4:9: error: unexpected `reqv`\n"
          "    4 |         reqv from west\n"
          "      |         ^^^^ expected a statement or `}`; did you mean `recv`?\n");
}

TEST_CASE("a unit follows its number without a blank") {
    const Refusal fault = refused(iterating("        compute 1 us\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::psl_syntax});
    CHECK(fault.text ==
          "code.psl:3:19: error: unexpected `us`\n"
          "    3 |         compute 1 us\n"
          "      |                   ^^ expected the unit without a blank: `1us`\n");
    CHECK(refused(iterating("        send 8 B to west\n")).text.find("`8B`") != std::string::npos);
}

TEST_CASE("a file that is not text is one fault") {
    const Refusal fault = refused(std::string("\x7f\x45LF\x02\x01\x01\x00\x00\xff\xfe\n\x01\x02", 14));
    CHECK(fault.kinds == Kinds{DiagnosticKind::unexpected_character});
    CHECK(fault.text.find("code.psl:1:5: error: not a text file\n") == 0);
}

TEST_CASE("a byte-order mark has no meaning") {
    CHECK(refused("\xEF\xBB\xBF" + iterating("        compute 1us\n")).kinds.empty());
}

TEST_CASE("comparisons do not chain") {
    CHECK(refused(iterating("        if 1 < k < 3 { }\n")).kinds == Kinds{DiagnosticKind::psl_syntax});
}

TEST_CASE("several statements are reported in one run, each once, in order") {
    const Refusal fault =
        refused(iterating("        compute\n        send 8B to\n        repeat { compute 1us }\n        wait\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::psl_syntax, DiagnosticKind::psl_syntax, DiagnosticKind::psl_syntax,
                               DiagnosticKind::psl_syntax});
    CHECK(fault.text.find("code.psl:4:9: error: unexpected `send`") == 0);
    CHECK(fault.text.find("code.psl:7:5: error: unexpected `}`") != std::string::npos);
}

TEST_CASE("faults of the lexer and of the parser are reported by line") {
    const Refusal fault = refused(
        "application a {\n    let x 1\n    iteration {\n        compute 12lightyears\n        send 8B west\n"
        "        compute 5lightyears\n    }\n}\n");
    CHECK(fault.kinds == Kinds{DiagnosticKind::psl_syntax, DiagnosticKind::unknown_unit, DiagnosticKind::psl_syntax,
                               DiagnosticKind::unknown_unit});
}

TEST_CASE("a word of another kind of block is reported with its block") {
    const Refusal note = refused(iterating("        note columns > 1, \"several\"\n"));
    CHECK(note.kinds == Kinds{DiagnosticKind::psl_syntax});
    CHECK(note.text ==
          "code.psl:3:9: error: unexpected `note`\n"
          "    3 |         note columns > 1, \"several\"\n"
          "      |         ^^^^ expected `note` only in an application, beside its iteration\n");
    CHECK(refused(iterating("        flops 12\n")).text.find("expected `flops` only in a subtask with a value") !=
          std::string::npos);
}

TEST_CASE("two hundred levels of brackets are too many, fifty are not") {
    const auto nested = [](std::size_t levels) {
        return iterating("        compute " + std::string(levels, '(') + "1us" + std::string(levels, ')') + "\n");
    };
    CHECK(refused(nested(201)).kinds == Kinds{DiagnosticKind::nesting_too_deep});
    CHECK(refused(nested(50)).kinds.empty());
}

TEST_CASE("a sum of too many terms is as deep as so many brackets") {
    std::string sum = "1us";
    for (int term = 0; term < 100'000 / 4; ++term) sum += "+1us";
    CHECK(refused(iterating("        compute " + sum + "\n")).kinds == Kinds{DiagnosticKind::nesting_too_deep});
}

TEST_CASE("blocks nest no deeper than expressions") {
    std::string blocks;
    for (int level = 0; level < 5000; ++level) blocks += "if true {";
    CHECK(refused(iterating(blocks)).kinds[0] == DiagnosticKind::nesting_too_deep);
}

TEST_CASE("a file larger than a model may be is refused") {
    const Refusal fault = refused(std::string((std::size_t{256} << 10) + 1, ' '));
    CHECK(fault.kinds == Kinds{DiagnosticKind::file_too_large});
}

TEST_CASE("a missing file is reported at its import") {
    const Refusal fault = refused("import \"pipline.psl\"\napplication a { iteration k { } }\n");
    CHECK(fault.kinds == Kinds{DiagnosticKind::unreadable_file});
    CHECK(fault.text.find("code.psl:1:8: error: ") == 0);
}

TEST_CASE("the faults of a file that is read twice by different paths are reported once") {
    const Folder folder(Texts{{"code.psl", iterating("        compute wgg\n")}});
    warpfront::input::Diagnostics faults;
    for (const auto& path : {folder / "code.psl", folder / "./code.psl"}) {
        try {
            load(path);
        } catch (const warpfront::input::BadInput& bad) {
            faults.add(bad.faults());
        }
    }
    CHECK(faults.count() == 1);
}

TEST_CASE("a million brackets are refused, since no model is that large") {
    const std::string brackets =
        iterating("compute " + std::string(1'000'000, '(') + "1us" + std::string(1'000'000, ')'));
    CHECK(refused(brackets).kinds == Kinds{DiagnosticKind::file_too_large});
    CHECK(refused(iterating("compute " + std::string(200'000, '(') + "1us")).kinds[0] ==
          DiagnosticKind::nesting_too_deep);
}

TEST_CASE("two hundred parameters and five thousand lines are checked in under a second") {
    std::string text = "application code {\n";
    for (int n = 1; n <= 200; ++n) text += fmt::format("    param p{0}: int = {0}\n", n);
    text += "    iteration k {\n";
    for (int line = 1; line <= 4800; ++line)
        text += fmt::format("        compute 1us * (p{} + k % 7)\n", line % 200 + 1);
    text += "    }\n}\n";
    const auto start = std::chrono::steady_clock::now();
    CHECK(refused(text).kinds.empty());
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
}

TEST_CASE("a comment may span lines; it needs its end") {
    CHECK(steps(lowered(iterating("        compute 1us /* not\n compute 2us ** // */ compute 3us\n")), {0}).size() ==
          2);
    const Refusal fault = refused(iterating("        compute 1us /* and\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::unclosed_comment, DiagnosticKind::psl_syntax});
    CHECK(fault.text.find("code.psl:3:21: error: a comment without its end\n"
                          "    3 |         compute 1us /* and\n"
                          "      |                     ^^ expected `*/` later in the file\n") == 0);
}

TEST_CASE("imports come first") {
    CHECK(refused("application a { iteration k { } }\nimport \"x.psl\"\n").kinds == Kinds{DiagnosticKind::psl_syntax});
}

TEST_CASE("line breaks have no meaning") {
    CHECK(steps(lowered("application a{iteration k{compute\n1us\n+ 2us allreduce 8B}}"), {0}).size() == 2);
}
