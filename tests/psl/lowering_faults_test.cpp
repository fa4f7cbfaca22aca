// Faults reported after binding parameters, for all ranks, to the caret.
#include "tests/psl/models.hpp"

TEST_CASE("parameters that are missing or unknown are reported together") {
    const Refusal fault =
        refused_run("application a {\n    param wg: time\n    param nx: int = 4\n    iteration k { }\n}\n",
                    Run{1, 1, 1, {{"wgg", "1us"}}});
    CHECK(fault.kinds == Kinds{missing_parameter, unknown_parameter});
    CHECK(fault.summary ==
          "missing_parameter missing parameter `wg` | `a` needs a value of type `time` for it\n"
          "wgg:1:1 unknown_parameter [1us] `a` has no parameter `wgg` | did you mean `wg`?");
}

TEST_CASE("a value must be of its parameter's type and unit") {
    const std::string text =
        "application a { param t: time  param b: bytes  param n: int  param x: real  param on: bool  iteration k { } "
        "}\n";
    const auto kinds_of = [&](const std::string& name, const std::string& value) {
        Run run{1, 1, 1, {{"t", "1us"}, {"b", "8B"}, {"n", "3"}, {"x", "0.5"}, {"on", "true"}}};
        for (auto& [parameter, own] : run.parameters) own = parameter == name ? value : own;
        return refused_run(text, run).kinds;
    };
    CHECK(kinds_of("t", "1 us").empty());
    CHECK(kinds_of("t", "1").size() == 1);
    CHECK(kinds_of("t", "1KiB") == Kinds{wrong_unit});
    CHECK(kinds_of("t", "-1us") == Kinds{out_of_range});
    CHECK(kinds_of("b", "1us") == Kinds{wrong_unit});
    CHECK(kinds_of("n", "1.5") == Kinds{bad_number});
    CHECK(kinds_of("x", "much") == Kinds{bad_number});
    CHECK(kinds_of("on", "maybe") == Kinds{bad_choice});
}

TEST_CASE("a requirement is reported where its parameter is bound, or at its own statement if that has a default") {
    const auto text = [](const std::string& nx) {
        return "application a {\n    param nx: int = " + nx +
               "\n    require nx > 0, \"nx must be positive\"\n    iteration k { }\n}\n";
    };
    CHECK(refused_run(text("4"), Run{1, 1, 1, {{"nx", "-3"}}}).summary ==
          "nx:1:1 requirement_failed [-3] nx must be positive | expected `nx > 0`, with nx = -3");
    CHECK(refused_run(text("0"), Run{}).summary ==
          "3:13 requirement_failed [nx > 0] nx must be positive | expected `nx > 0`, with nx = 0");
}

TEST_CASE("all requirements that do not hold are reported, but not their consequences") {
    const std::string text =
        "application a {\n    param n: int\n    param m: int\n    require n > 0, \"n\"\n    require m > 0, \"m\"\n"
        "    let x = quotient(12, n)\n    iteration k { }\n}\n";
    CHECK(refused_run(text, Run{1, 1, 1, {{"n", "0"}, {"m", "0"}}}).kinds ==
          Kinds{requirement_failed, requirement_failed});
}

TEST_CASE("each fault of a run is reported at its place, with the first rank that reaches it") {
    check_summaries(
        {{"a requirement may depend on the rank", refused_run_in("require column < 3, \"too wide\"", Run{4, 1}),
          "3:17 requirement_failed [column < 3] too wide | found on rank 2 (column 3, row 1)"},
         {"division by zero is reported at its expression", refused_run_in("compute 1us / (columns - 1)", Run{1, 1}),
          "3:17 bad_arithmetic [1us / (columns - 1)] division by zero"},
         {"work of all iterations of a loop does not exceed the longest cost",
          refused_run_in("repeat column * 1000000 { compute 1s }", Run{2, 1}),
          "3:9 out_of_range [repeat column * 1000000] work of 1e+06 s in 1000000 iterations is too long; the longest "
          "cost is 576461 s | found on rank 0 (column 1, row 1)"},
         {"a negative number of repetitions is named as such",
          refused_run_in("repeat 1 - 3 * column { compute 1us }", Run{}),
          "3:16 out_of_range [1 - 3 * column] the number of repetitions is -2 | found on rank 0 (column 1, row 1)"},
         {"a partner outside the array is reported with its statement",
          refused_run_in("send 8B to rank_at(column + 1, row)", Run{2, 1}),
          "3:20 peer_outside [rank_at(column + 1, row)] column 3, row 1 is outside the process grid of 2 x 1 ranks | "
          "found on rank 1 (column 2, row 1)"},
         {"messages without receives are reported with the statement that sends them",
          refused_run_in("repeat 12 { send 8B to east }", Run{2, 1}),
          "3:21 unmatched_messages [send 8B to east] rank 0 sends 12 messages with tag 0 to rank 1, which receives 0 "
          "of them"},
         {"receives without messages are reported likewise", refused_run_in("recv from west tag 7", Run{2, 1}),
          "3:9 unmatched_messages [recv from west tag 7] rank 1 receives 1 message with tag 7 from rank 0, "
          "which sends 0 of them"},
         {"a loop of more iterations than a counter holds is refused",
          refused_run_in("repeat 5000000000 { allreduce 8B }", Run{1, 1}),
          "3:9 program_too_large [repeat 5000000000] the loop has 5000000000 iterations; the limit is 4294967295 | "
          "found on rank 0 (column 1, row 1)"},
         {"all ranks take part in an allreduce", refused_run_in("if column > 1 { allreduce 8B }", Run{2, 1, 3}),
          "3:25 unmatched_collectives [allreduce 8B] rank 0 takes part in 0 allreduces, but rank 1 in 3 | expected the "
          "same number of calls on all ranks"},
         {"an allreduce has one size on all ranks",
          refused_run(
              iterating("        allreduce 8B\n        if column > 1 {\n            allreduce 16B\n        } else {\n"
                        "            allreduce 8B\n        }\n"),
              Run{2, 1, 3}),
          "5:13 unmatched_collectives [allreduce 16B] allreduce 2 of the run has 16 bytes on rank 1, but 8 on rank 0 "
          "(code.psl:7) | expected the same size on all ranks"},
         {"templates alone cannot run", refused_run("template t() { }\n", Run{}),
          "1:1 no_application [] this file has no `application` | expected `application` and a name: templates and "
          "subtasks alone cannot run"}});
}

TEST_CASE("a division that only some ranks get wrong names the first of them") {
    const Refusal fault = refused_run_in("compute 1us / (column - 2)", Run{3, 1});
    CHECK(fault.kinds[0] == out_of_range);  // rank 0 would work for -1 us
    CHECK(refused_run_in("compute 1us / abs(column - 2)", Run{3, 1}).summary ==
          "3:17 bad_arithmetic [1us / abs(column - 2)] division by zero | found on rank 1 (column 2, row 1)");
}

TEST_CASE("a message is at most a tebibyte") {
    CHECK(refused_run(iterating("        send 1B * 9223372036854775807 to east\n        recv from west\n"), Run{2, 1})
              .summary ==
          "3:14 out_of_range [1B * 9223372036854775807] a message of 9223372036854775807 B is too large; expected at "
          "most 1024 GiB, or parts in a `repeat`");
    CHECK(refused_run(iterating("send 1024GiB to east recv from west"), Run{2, 1}).kinds.empty());
}

TEST_CASE("the kinds of faults of a run, or none") {
    const Run two{2, 1};
    const std::string three = "repeat 2 { repeat 2 { repeat 2 { allreduce 8B } } }";
    const Kinds none;
    const Kinds rank_differs{rank_dependent};
    const Kinds too_large{program_too_large};
    const Kinds bad{bad_arithmetic};
    const Kinds range{out_of_range};
    check_kinds({
        {"templates alone cannot run", refused_run("template t() { }\n", Run{}), {no_application}},
        {"an array has at least one rank", refused_run(iterating(""), Run{0, 4}), range},
        {"ranks are countable", refused_run(iterating(""), Run{4'000'000'000U, 4'000'000'000U}), range},
        {"a run has at least one iteration", refused_run(iterating(""), Run{1, 1, 0}), range},
        {"no rank sends to itself", refused_run_in("send 8B to rank_at(1, 1)", two), {self_message}},
        {"division by zero that no rank reaches, in a branch",
         refused_run_in("if column > 1 { compute 1us / (columns - 1) }", Run{1, 1}), none},
        {"division by zero that no rank reaches, in a choice",
         refused_run_in("compute if column > 1 then 1us / (columns - 1) else 2us", Run{1, 1}), none},
        {"the right side of `and` matters if the left is true, on every rank",
         refused_run_in("if column > 1 and 6 % (column - 1) == 0 { compute 1us }", Run{3, 1}), none},
        {"the right side of `or` matters if the left is false",
         refused_run_in("if column == 1 or 6 % (column - 1) == 0 { compute 1us }", Run{3, 1}), none},
        {"division by zero on one rank", refused_run_in("if 6 % (column - 1) == 0 { compute 1us }", Run{3, 1}), bad},
        {"sums do not wrap", refused_run_in("repeat 9223372036854775807 + iterations { compute 1us }", Run{}), bad},
        {"products do not wrap", refused_run_in("allreduce 8B * 9223372036854775807", Run{}), bad},
        {"messages of the whole run are countable",
         refused_run_in("repeat 4000000000 { repeat 4000000000 { repeat 4000000000 { send 8B to east recv from west } "
                        "} }",
                        two),
         bad},
        {"work is not negative", refused_run_in("compute 1us - 2us", Run{}), range},
        {"work is no longer than 2^59 ps = 160.13 h", refused_run_in("compute 161h", Run{}), range},
        {"work of 160 h", refused_run_in("compute 160h", Run{}), none},
        {"a reduced size is not negative", refused_run_in("allreduce 8B * -1", two), range},
        {"a size is not negative", refused_run_in("send 8B * -1 to east", two), range},
        {"a tag is not negative", refused_run_in("recv from west tag -1", two), range},
        {"a tag is below 2^31", refused_run_in("recv from west tag 2147483648", two), range},
        {"a number of times is not negative", refused_run_in("repeat -1 { compute 1us }", two), range},
        {"a size that differs", refused_run_in("allreduce 8B * column", two), rank_differs},
        {"a range that differs", refused_run_in("for i in 1..column { compute 1us * i }", two), rank_differs},
        {"a list that differs", refused_run_in("for c in if column > 1 then [1us] else [2us] { compute c }", two),
         rank_differs},
        {"loops nest three deep", refused_run_in(three, Run{1, 1, 5}), none},
        {"loops nest four deep", refused_run_in("repeat 2 { " + three + " }", Run{1, 1, 5}), {loops_too_deep}},
        {"a loop of one iteration is none", refused_run_in("repeat 1 { " + three + " }", Run{1, 1, 5}), none},
        {"a loop that unrolls without end", refused_run_in("for i in 1..1000000000000 { compute 1us * i }", Run{}),
         too_large},
        {"loops that unroll without end",
         refused_run_in("for i in 1..1000000000000 { for j in 1..1000000000000 { compute 1us * i } }", Run{}),
         too_large},
        {"1,000 iterations that all differ", refused_run_in("compute 1us * k", Run{1, 1, 1000}), none},
        {"10^9 iterations that all differ", refused_run_in("compute 1ps * k", Run{1, 1, 1'000'000'000}), too_large},
        {"three of many unmatched messages are reported",
         refused_run_in("send 8B to east", Run{9, 9}),
         {unmatched_messages, unmatched_messages, unmatched_messages}},
    });
}

TEST_CASE("a closed form is the same on all ranks") {
    const std::string text =
        "application a {\n    iteration k { }\n    closed_form {\n        work = 1us * column\n        tiles = 1\n"
        "        east_west = 8B\n        north_south = 8B\n        corners = [northwest]\n    }\n}\n";
    CHECK(refused_run(text, Run{2, 1}).summary ==
          "4:16 rank_dependent [1us * column] `work` differs from rank to rank");
}

TEST_CASE("too much that differs from rank to rank is refused") {
    std::string body;
    for (int i = 0; i < 2000; ++i) body += "compute 1us * (column + " + std::to_string(i) + ")\n";
    CHECK(refused_run(iterating(body), Run{1024, 1024}).kinds == Kinds{program_too_large});
}

TEST_CASE("programs of too many kinds of ranks are refused") {
    std::string body = "        compute 1us * column\n        compute 1us * rank\n";
    for (int i = 0; i < 300; ++i) body += "compute 1us\n";
    // a class: 304 instructions of 16 bytes, a key of two values, 248 bytes for itself: 5,128; 256 MiB hold 52,347
    CHECK(refused_run(iterating(body), Run{256, 256}).summary ==
          "4:17 program_too_large [1us * rank] the first 52348 of 65536 ranks need 52348 different programs, which "
          "take more than 256 MiB | this expression has 4096 values on 4096 ranks: expected a value that most ranks "
          "share, or fewer ranks");
}

TEST_CASE("calls nest no deeper than expressions") {
    std::string text = "template t0() { compute 1us }\n";
    for (int i = 1; i < 300; ++i) {
        text += "template t" + std::to_string(i) + "() { t" + std::to_string(i - 1) + "() }\n";
    }
    CHECK(refused(text).kinds[0] == nesting_too_deep);
}

TEST_CASE("two receives with one tag from one rank cannot be posted at a time") {
    CHECK(refused_run(iterating("        irecv a from west\n        irecv b from west\n        wait a\n"
                                "        wait b\n        repeat 2 { send 8B to east }\n"),
                      Run{2, 1})
              .summary ==
          "4:9 overlapping_receives [irecv b from west] an earlier receive with tag 0 from the same rank is still "
          "posted: expected a wait for it before this statement, or another tag | found on "
          "rank 1 (column 2, row 1)");
    CHECK(refused_run(iterating("irecv a from west tag 1  irecv b from west tag 2  wait a  wait b\n"
                                "send 8B to east tag 2  send 8B to east tag 1"),
                      Run{2, 1})
              .kinds.empty());
}

TEST_CASE("sizes of allreduces are compared in their order, however loops are written") {
    const auto kinds = [](const std::string& even, const std::string& odd) {
        return refused_run(iterating("if rank == 0 { " + even + " } else { " + odd + " }"), Run{2, 1, 1'000'000}).kinds;
    };
    const Kinds unmatched{unmatched_collectives};
    CHECK(kinds("repeat 6000 { allreduce 8B }", "repeat 2000 { repeat 3 { allreduce 8B } }").empty());
    CHECK(kinds("repeat 10 { allreduce 8B allreduce 4B }",
                "allreduce 8B repeat 9 { allreduce 4B allreduce 8B } allreduce 4B")
              .empty());
    CHECK(kinds("allreduce 8B allreduce 4B", "allreduce 4B allreduce 8B") == unmatched);
    CHECK(kinds("repeat 10 { allreduce 8B allreduce 4B }",
                "repeat 9 { allreduce 8B allreduce 4B } allreduce 4B allreduce 8B") == unmatched);
}
