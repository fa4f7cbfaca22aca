// Faults reported by the lexer and the parser, to the caret.
#include "psl/syntax/keywords.hpp"
#include "tests/psl/models.hpp"

TEST_CASE("each fault of the syntax is reported at its place, with what was expected") {
    check_summaries(
        {{"a character without meaning is reported once, whatever its number of bytes",
          refused("application a {\n    param n: int = 3 \xc2\xa7\n    iteration k { }\n}\n"),
          "2:22 unexpected_character [\xc2\xa7] unexpected character | this character has no meaning"},
         {"a text needs its closing quote on the same line",
          refused("application a {\n    require 1 > 0, \"always\n    iteration k { }\n}\n"),
          "2:20 unclosed_string [\"always] this text has no closing quote | expected `\"` before the end of the line"},
         {"an unknown unit is marked, not the number before it", refused_in("compute 12lightyears"),
          "3:19 unknown_unit [lightyears] unknown unit `lightyears` | expected one of `ps`, `ns`, `us`, `ms`, `s`, "
          "`min`, `h`, `B`, `kB`, `KB`, `MB`, `GB`, `TB`, `KiB`, `MiB`, `GiB`, `TiB`, `flops`, `kflops`, `Kflops`, "
          "`Mflops`, `Gflops`, `Tflops`"},
         {"a unit of something else is the wrong unit", refused_in("compute 6GBps"),
          "3:18 wrong_unit [GBps] `GBps` is a unit of bandwidth | expected a unit of time or of bytes, or a rate "
          "such as `110Mflops`"},
         {"a whole number beyond 64 bits is a bad number", refused_in("repeat 9223372036854775808 { }"),
          "3:16 bad_number [9223372036854775808] bad number `9223372036854775808` | expected at most "
          "9223372036854775807"},
         {"a fault at a statement that ends too early names the expected token", refused_in("send 8B west"),
          "3:17 psl_syntax [west] unexpected `west` | expected `to` and the rank that receives"},
         {"an open bracket is named with its line",
          refused(iterating("        compute (1us +\n            2us\n        allreduce 8B\n")),
          "5:9 psl_syntax [allreduce] unexpected `allreduce` | expected `)` to close the `(` of line 3"},
         {"a missing brace is reported at the end of the file", refused("application a {\n    iteration k {\n}\n"),
          "4:1 psl_syntax [] unexpected the end of the file | expected `}` to close the `{` of line 1"},
         {"the faults of imported files are reported with those of the file that imports them",
          refused(Texts{{"code.psl", "import \"t.psl\"\napplication a {\n    let x 1\n}\n"},
                        {"t.psl", "template t() {\n    send 8B west\n}\n"}}),
          "3:11 psl_syntax [1] unexpected `1` | expected `=` and a value\n"
          "t.psl:2:13 psl_syntax [west] unexpected `west` | expected `to` and the rank that receives"},
         {"a file that is not text is one fault",
          refused(std::string("\x7f\x45LF\x02\x01\x01\x00\x00\xff\xfe\n\x01\x02", 14)),
          "1:5 unexpected_character [] this is not a text file | expected a model written in UTF-8 text; this byte "
          "never occurs in text"},
         {"several statements are reported in one run, each once, in order",
          refused(iterating("        compute\n        send 8B to\n        repeat { compute 1us }\n        wait\n")),
          "4:9 psl_syntax [send] unexpected `send` | expected an expression\n"
          "5:9 psl_syntax [repeat] unexpected `repeat` | expected an expression\n"
          "5:16 psl_syntax [{] unexpected `{` | expected an expression\n"
          "7:5 psl_syntax [}] unexpected `}` | expected the name of an `irecv` or `isend`; `waitall` needs none"},
         {"a missing file is reported at its import",
          refused("import \"pipline.psl\"\napplication a { iteration k { } }\n"),
          "1:8 unreadable_file [\"pipline.psl\"] cannot read `pipline.psl` | no such file"}});
}

TEST_CASE("an unknown unit comes with the nearest only if that cannot be another amount") {
    const auto expected = [](const std::string& work) {
        return refused(iterating("        compute " + work + "\n")).text;
    };
    CHECK(expected("5uss").find("did you mean `us`?") != std::string::npos);
    for (const std::string work : {"5m", "5M", "5ks", "64Kb", "64mb"}) {
        CAPTURE(work);
        CHECK(expected(work).find("did you mean") == std::string::npos);
    }
}

TEST_CASE("half a byte is a bad number, half a kibibyte is not") {
    CHECK(refused_in("allreduce 0.5B").kinds == Kinds{bad_number});
    CHECK(steps(lowered(iterating("        allreduce 0.5KiB\n")), {0})[0].amount == 512);
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
    CHECK(fault.kinds == Kinds(6, psl_syntax));
    for (const std::string place : {"code.psl:1:14: ", "code.psl:2:14: ", "code.psl:3:19: ", "code.psl:4:20: ",
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
    for (const std::string head : {"if columns = 1", "if columns >", "repeat 3 times", "while", "for i of 1..3",
                                   "phase 1", "if (columns > 1 or rows"}) {
        CAPTURE(head);
        CHECK(faults_in(head) == 3);  // of the head, of the send, of the recv
    }
}

TEST_CASE("a missing `}` is one fault, and what follows is read as if it stood there; several at the end are one too") {
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
    CHECK(fault.kinds == Kinds(3, psl_syntax));
    CHECK(fault.text.find("code.psl:6:5: error: unexpected `subtask`") != std::string::npos);
    CHECK(fault.text.find("expected `}` to close the `{` of line 2") != std::string::npos);
    CHECK(fault.text.find("code.psl:7:21: error: unexpected `2us`") != std::string::npos);
    CHECK(fault.text.find("code.psl:11:13: error: unexpected `west`") != std::string::npos);
    CHECK(refused("application a {\n    iteration k {\n        repeat 3 {\n").kinds == Kinds{psl_syntax});
}

namespace {

/// Returns "`application`, `subtask`, ...": the reserved words that must be named.
std::string listed(bool (*named)(const Keyword&)) {
    std::string words;
    for (const Keyword& each : keywords()) {
        if (named(each)) words += fmt::format("{}`{}`", words.empty() ? "" : ", ", each.word);
    }
    return words;
}

}  // namespace

TEST_CASE("a reserved word is not a name") {
    CHECK(refused_in("let send = 3").summary ==
          "3:13 psl_syntax [send] `send` is a reserved word | expected a name, none of " +
              listed([](const Keyword&) { return true; }));
    CHECK(refused_in("compute 1us * tag").text.find("`tag` is a reserved word") != std::string::npos);
}

TEST_CASE("an unknown statement comes with the nearest one, or with all") {
    CHECK(refused(iterating("        advance from west\n        reqv from west\n")).summary ==
          "3:9 psl_syntax [advance] unexpected `advance` | expected `}` or a statement: " +
              listed([](const Keyword& each) { return each.form.has_value(); }) +
              ", or the name of a template or subtask and `(`\n"
              "4:9 psl_syntax [reqv] unexpected `reqv` | expected a statement or `}`; did you mean `recv`?");
}

TEST_CASE("a unit follows its number without a blank") {
    CHECK(refused_in("compute 1 us").summary ==
          "3:19 psl_syntax [us] unexpected `us` | expected the unit without a blank: `1us`");
    CHECK(refused_in("send 8 B to west").text.find("`8B`") != std::string::npos);
}

TEST_CASE("the kinds of faults of the syntax, or none") {
    check_kinds(
        {{"a character without meaning", refused_in("\xc2\xa7"), Kinds{unexpected_character}},
         {"a text without its closing quote",
          refused("application a {\n    require 1 > 0, \"always\n    iteration k { }\n}\n"), Kinds{unclosed_string}},
         {"a comment without its end", refused_in("compute 1us /* and"), Kinds{unclosed_comment, psl_syntax}},
         {"a byte-order mark has no meaning", refused("\xEF\xBB\xBF" + iterating("        compute 1us\n")), {}},
         {"comparisons do not chain", refused_in("if 1 < k < 3 { }"), Kinds{psl_syntax}},
         {"imports come first", refused("application a { iteration k { } }\nimport \"x.psl\"\n"), Kinds{psl_syntax}}});
}

TEST_CASE("faults of the lexer and of the parser are reported by line") {
    const Refusal fault = refused(
        "application a {\n    let x 1\n    iteration {\n        compute 12lightyears\n        send 8B west\n"
        "        compute 5lightyears\n    }\n}\n");
    CHECK(fault.kinds == Kinds{psl_syntax, unknown_unit, psl_syntax, unknown_unit});
}

TEST_CASE("a word of another kind of block is reported with its block") {
    CHECK(refused_in("note columns > 1, \"several\"").summary ==
          "3:9 psl_syntax [note] unexpected `note` | expected `note` only in an application, beside its iteration");
    CHECK(refused_in("flops 12").text.find("expected `flops` only in a subtask with a value") != std::string::npos);
}

TEST_CASE("brackets, sums and blocks nest two hundred deep at most, in a file no larger than a model may be") {
    const auto brackets = [](std::size_t levels) {
        return iterating("compute " + std::string(levels, '(') + "1us" + std::string(levels, ')'));
    };
    CHECK(refused(brackets(50)).kinds.empty());
    CHECK(refused(brackets(201)).kinds == Kinds{nesting_too_deep});
    CHECK(refused(iterating("compute " + std::string(200'000, '(') + "1us")).kinds[0] == nesting_too_deep);
    std::string sum = "1us";
    for (int term = 0; term < 100'000 / 4; ++term) sum += "+1us";
    CHECK(refused(iterating("compute " + sum)).kinds == Kinds{nesting_too_deep});
    std::string blocks;
    for (int level = 0; level < 5000; ++level) blocks += "if true {";
    CHECK(refused(iterating(blocks)).kinds[0] == nesting_too_deep);
    CHECK(refused(std::string((std::size_t{256} << 10) + 1, ' ')).kinds == Kinds{file_too_large});
    CHECK(refused(brackets(1'000'000)).kinds == Kinds{file_too_large});
}

TEST_CASE("the faults of a file that is read twice by different paths are reported once") {
    const Folder folder(Texts{{"code.psl", iterating("        compute wgg\n")}});
    warpfront::input::Diagnostics faults;
    for (const auto& path : {folder / "code.psl", folder / "./code.psl"}) {
        try {
            load(path);
        } catch (const warpfront::input::BadInput& bad) {
            faults.add(bad.diagnostics());
        }
    }
    CHECK(faults.count() == 1);
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
    CHECK(refused_in("compute 1us /* and").summary ==
          "3:21 unclosed_comment [/*] this comment has no end | expected `*/` later in the file\n"
          "6:1 psl_syntax [] unexpected the end of the file | expected `}` to close the `{` of line 2");
}

TEST_CASE("line breaks have no meaning") {
    CHECK(steps(lowered("application a{iteration k{compute\n1us\n+ 2us allreduce 8B}}"), {0}).size() == 2);
}
