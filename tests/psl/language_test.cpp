// The meaning of the language: values, scopes, branches, loops and messages, seen in the lowered programs.
#include "tests/psl/models.hpp"
#include "tests/validation/validate.hpp"

using program::Op;

namespace {

/// Returns the picoseconds of the one `compute` that the expression becomes on a rank.
std::int64_t work(const std::string& expression, const Run& run = {}, std::uint32_t rank = 0) {
    const auto all = steps(lowered(iterating("        compute " + expression + "\n"), run), {rank});
    REQUIRE(all.size() == 1);
    return all[0].amount;
}

}  // namespace

TEST_CASE("times are rounded once, as a whole cost") {
    // 0.414 us = 414,000 ps; 2 * 8 * 16 = 256 cells; 414,000 * 256 = 105,984,000
    CHECK(work("0.414us * 2 * 8 * 16") == 105'984'000);
    CHECK(work("0.4ps * 5") == 2);  // not 5 times a rounded 0
    CHECK(work("0.1ps * 5") == 1);  // half a picosecond goes up
    CHECK(work("1us / 3") == 333'333);
    CHECK(work("1us / 3 * 3") == 1'000'000);
    CHECK(work("1min - 59s") == 1'000'000'000'000);
    CHECK(work("1us * (1s / 1ms)") == 1'000'000'000);  // 1000 times
}

TEST_CASE("a time or a real that is bound is as exact as a written one") {
    const std::string text = "application a { param wg: time  iteration k { compute wg * 2 * 8 * 16 } }\n";
    for (const std::string wg : {"0.414us", "0.414 us", "414ns", "414e3ps", "0.000000414s"}) {
        CAPTURE(wg);
        CHECK(steps(lowered(text, Run{1, 1, 1, {{"wg", wg}}}), {0})[0].amount == 105'984'000);
    }
    const std::string bound = "application a { param x: real  iteration k { compute 1000000s * x * x * x } }\n";
    CHECK(steps(lowered(bound, Run{1, 1, 1, {{"x", "0.1"}}}), {0})[0].amount == work("1000000s * 0.1 * 0.1 * 0.1"));
}

TEST_CASE("operators bind as in arithmetic, to the left") {
    CHECK(figure("2 + 3 * 4") == 14);
    CHECK(figure("(2 + 3) * 4") == 20);
    CHECK(figure("10 - 4 - 3") == 3);
    CHECK(figure("-2 + 5") == 3);
    CHECK(figure("17 % 5 * 2") == 4);
    CHECK(figure("if not 1 == 2 and false or true then 1 else 2") == 1);
    CHECK(figure("if false and true or false then 1 else 2") == 2);
}

TEST_CASE("quotient and remainder are those of C: towards zero") {
    CHECK(figure("quotient(17, 5)") == 3);
    CHECK(figure("10 + quotient(-17, 5)") == 7);  // -3
    CHECK(figure("10 + -17 % 5") == 8);           // -2
}

TEST_CASE("division of ints is exact, not whole") {
    CHECK(figure("7 / 2 * 2") == 7);
    CHECK(figure("ceil(7 / 2)") == 4);
    CHECK(figure("floor(7 / 2)") == 3);
    CHECK(figure("round(7 / 2)") == 4);
}

TEST_CASE("a share rounds up with a note, once for the same share, and none if it is whole") {
    const program::Program rounded =
        lowered("application a { param nx: int  iteration k { compute 1us * share(nx, columns) } }\n",
                Run{128, 1, 1, {{"nx", "1000"}}});
    CHECK(steps(rounded, {0})[0].amount == 8'000'000);  // 1000 / 128 = 7.8125
    CHECK(rounded.notes ==
          std::vector<std::string>{"`share` divides nx = 1000 by columns = 128 and rounds 7.8125 up to 8"});
    CHECK(lowered(iterating("compute 1us * share(1024, columns)"), Run{128, 1}).notes.empty());
    CHECK(lowered(iterating("compute 1us * share(9, 2) compute 2us * share(9, 2)"), Run{}).notes.size() == 1);
}

TEST_CASE("a note of the model is in the result if its condition is true, with its values") {
    const auto notes = [](std::int64_t iterations, const std::string& late) {
        return lowered(
                   "application a { param late: int = 0  param work: time = 2us\n"
                   "  note late > 0, \"{} of {} iterations are late\", min(late, iterations), iterations\n"
                   "  note work > 5us, \"{} is long\", work  note late == 9, \"nine\"\n"
                   "  iteration { compute work } }\n",
                   Run{1, 1, iterations, {{"late", late}}})
            .notes;
    };
    using Notes = std::vector<std::string>;
    CHECK(notes(12, "0") == Notes{});
    CHECK(notes(12, "5") == Notes{"5 of 12 iterations are late"});
    CHECK(notes(1, "5") == Notes{"1 of 1 iterations are late"});
    CHECK(notes(12, "9") == Notes{"9 of 12 iterations are late", "nine"});
}

TEST_CASE("`note` is a name as any other") {
    CHECK(steps(lowered("application a { param note: time = 3us  iteration { let n = note  compute n } }\n", Run{}),
                {0})[0]
              .amount == 3'000'000);
}

TEST_CASE("the other functions") {
    CHECK(figure("min(3, 2) + max(3, 2) * 10") == 32);
    CHECK(figure("abs(-4)") == 4);
    CHECK(figure("log2(1024)") == 10);
    CHECK(figure("if is_power_of_two(64) and not is_power_of_two(48) then 1 else 0 + 7") == 1);
    CHECK(work("min(1us, 3ns)") == 3'000);
}

TEST_CASE("columns run east, rows south, both from 1, ranks along the rows from 0") {
    // 3 columns, 2 rows: rank 4 = (2 - 1) * 3 + (2 - 1) is in column 2, row 2
    const Run run{3, 2};
    CHECK(figure("column * 10 + row", run, 4) == 22);
    CHECK(figure("rank", run, 4) == 4);
    CHECK(figure("ranks * 100 + columns * 10 + rows", run, 4) == 632);
}

TEST_CASE("neighbours stand one column or one row away") {
    const program::Program grid = lowered(iterating("send 1B to west recv from east send 2B to north recv from south "
                                                    "send 3B to east recv from west send 4B to south recv from north"),
                                          Run{3, 3});
    const auto centre = steps(grid, {4});
    REQUIRE(centre.size() == 8);
    CHECK(centre[0] == Event{Op::send, 1, -1, 0});
    CHECK(centre[2] == Event{Op::send, 2, -3, 0});
    CHECK(centre[4] == Event{Op::send, 3, +1, 0});
    CHECK(centre[6] == Event{Op::send, 4, +3, 0});
}

TEST_CASE("messages to or from `nobody` do not happen") {
    CHECK(steps(lowered(iterating("send 8B to west recv from nobody irecv r from south wait r"), Run{1, 1}), {0})
              .empty());
}

TEST_CASE("every corner sweeps away from itself") {
    const auto centre = [](const std::string& corner) {
        const std::string sweep = "recv from upstream_x(" + corner + ") recv from upstream_y(" + corner +
                                  ") send 8B to downstream_x(" + corner + ") send 8B to downstream_y(" + corner + ")";
        std::vector<std::int32_t> deltas;
        for (const Event& event : steps(lowered(iterating(sweep), Run{3, 3}), {4})) deltas.push_back(event.delta);
        return deltas;
    };
    using Deltas = std::vector<std::int32_t>;  // west -1, east +1, north -3, south +3
    CHECK(centre("northwest") == Deltas{-1, -3, +1, +3});
    CHECK(centre("northeast") == Deltas{+1, -3, -1, +3});
    CHECK(centre("southwest") == Deltas{-1, +3, +1, -3});
    CHECK(centre("southeast") == Deltas{+1, +3, -1, -3});
}

TEST_CASE("a corner may differ from rank to rank") {
    const program::Program two = lowered(
        iterating(
            "let c = if row == 1 then northwest else northeast  recv from upstream_x(c) send 8B to downstream_x(c)"),
        Run{2, 2});
    CHECK(steps(two, {0}) == Events{{Op::send, 8, +1, 0}});
    CHECK(steps(two, {3}) == Events{{Op::send, 8, -1, 0}});
}

TEST_CASE("rank_at names any rank") {
    const program::Program ring = lowered(
        iterating(
            "send 8B to rank_at(column % columns + 1, 1) recv from rank_at((column + columns - 2) % columns + 1, 1)"),
        Run{4, 1});
    CHECK(steps(ring, {3})[0] == Event{Op::send, 8, -3, 0});
    CHECK(steps(ring, {0})[1] == Event{Op::recv, 0, +3, 0});
}

TEST_CASE("tags distinguish channels") {
    const program::Program tagged = lowered(
        iterating("send 8B to east tag 5 send 8B to east tag 6 recv from west tag 5 recv from west tag 6"), Run{2, 1});
    CHECK(tagged.of({0}).send_endpoints == std::vector<program::Channel>{{1, 5}, {1, 6}});
}

TEST_CASE("irecv posts, wait waits") {
    const program::Program both = lowered(iterating("irecv r from west send 8B to east wait r"), Run{2, 1});
    CHECK(steps(both, {1}) == Events{{Op::irecv, 0, -1, 0}, {Op::wait_recv, 0, -1, 0}});
}

TEST_CASE("branches on the rank make classes, branches on parameters do not") {
    CHECK(lowered(iterating("if column == 1 { compute 1us } else { compute 2us }"), Run{8, 8}).classes.size() == 2);
    CHECK(lowered(iterating("if columns == 1 { compute 1us } else { compute 2us }"), Run{8, 8}).classes.size() == 1);
    CHECK(lowered(iterating("if column == 1 { compute 1us } else if column == 2 { compute 2us } else { compute 2us }"),
                  Run{8, 8})
              .classes.size() == 3);
}

TEST_CASE("loops stay loops, and vanish where they do nothing") {
    const auto code = [](const std::string& body) { return lowered(iterating(body)).classes[0].code; };
    CHECK(code("repeat 1000000 { allreduce 8B }").size() == 5);  // loop, allreduce, end, iteration, finish
    CHECK(code("for i in 1..1000000 { allreduce 8B }").size() == 5);
    CHECK(code("for i in 2..4 { compute 1us * i }").size() == 5);  // three computes
    CHECK(code("repeat 10 { compute 0us }").size() == 2);
    CHECK(code("repeat 0 { compute 1us }").size() == 2);
    CHECK(code("for i in 3..1 { compute 1us }").size() == 2);
    CHECK(code("repeat 10 { send 8B to west }").size() == 2);
}

TEST_CASE("a loop may run differently often from rank to rank") {
    const program::Program wedge =
        lowered(iterating("repeat column - 1 { recv from west }  repeat column { send 8B to east }"), Run{4, 1});
    CHECK(steps(wedge, {0}).size() == 1);
    CHECK(steps(wedge, {3}).size() == 3);
    CHECK(program::validate(wedge).empty());
}

TEST_CASE("a loop of work alone is one piece of work, as long as all its iterations") {
    const auto work = [](const std::string& body) { return steps(lowered(iterating(body), Run{3, 1}), {2}); };
    const std::int64_t second = 1'000'000'000'000;
    CHECK(work("repeat 1000000 { repeat 1000000 { compute 1ps } }") == Events{{Op::compute, second}});
    CHECK(work("repeat 5000000000 { compute 200ps }") == Events{{Op::compute, second}});
    CHECK(work("repeat 5 { compute 1us  repeat 3 { compute 2us } }") ==
          Events{{Op::compute, 5'000'000}, {Op::compute, 30'000'000}});
    CHECK(work("repeat column { if column > 2 { compute 1us } }") == Events{{Op::compute, 3'000'000}});
    CHECK(work("repeat 2 { repeat 2 { repeat 2 { repeat 2 { repeat 2 { compute 1us } } } } }") ==
          Events{{Op::compute, 32'000'000}});
}

TEST_CASE("subtasks within an application see its variables") {
    const std::string text =
        "application a {\n    let cells = 6\n    subtask block(per_cell: time) { compute per_cell * cells }\n"
        "    iteration k { block(2us) }\n}\n";
    CHECK(steps(lowered(text), {0}) == Events{{Op::compute, 12'000'000}});
}

TEST_CASE("a statement's site is its own line, also when it is inlined") {
    const Folder folder(Texts{{"t.psl", "template t() {\n    compute\n        1us\n}\n"},
                              {"code.psl", "import \"t.psl\"\napplication a { iteration k { t() t() } }\n"}});
    const program::Program program = lower(load(folder / "code.psl"), Run{}.bindings());
    const program::Site& site = program.sites[program.classes[0].code[0].site];
    CHECK(folder.shortened(site.file) == "t.psl");
    CHECK(site.line == 2);
    CHECK(site.column == 5);
    CHECK(site.text == "compute 1us");
}

// `phase NAME { }`: marks of the program.

namespace {

/// Returns the code of rank 0 up to the end of the iteration: marks as the numbers of their phases, a loop in brackets.
std::string code_of(const program::Program& program) {
    std::string text;
    for (const program::Instruction& step : program.of({0}).code) {
        switch (step.op) {
            case Op::iteration: return text;
            case Op::phase: text += std::to_string(step.operand) + " "; break;
            case Op::compute: text += "compute "; break;
            case Op::allreduce: text += "allreduce "; break;
            case Op::loop: text += "( "; break;
            default: text += ") "; break;
        }
    }
    return text;
}

}  // namespace

TEST_CASE("a phase is a mark before it and one behind it, of the phase around it") {
    const program::Program program =
        lowered(iterating("phase a { compute 1us phase b { compute 2us } compute 3us } compute 4us"), Run{});
    CHECK(program.phases == std::vector<std::string>{"a", "b"});
    CHECK(code_of(program) == "1 compute 2 compute 1 compute 0 compute ");
}

TEST_CASE("phases of one name are one, also in a template; what follows at once takes the place of the end's mark") {
    const program::Program program = lowered(
        "template exchange() { phase a { allreduce 8B } }\n"
        "application m { iteration { phase a { compute 1us } phase b { compute 1us } exchange() } }\n",
        Run{});
    CHECK(program.phases == std::vector<std::string>{"a", "b"});
    CHECK(code_of(program) == "1 compute 2 compute 1 allreduce 0 ");
}

TEST_CASE("a phase around a loop leaves its body unchanged; one within is a mark on every iteration") {
    CHECK(code_of(lowered(iterating("phase a { repeat 5 { allreduce 8B } }"))) == "1 ( allreduce ) 0 ");
    CHECK(code_of(lowered(iterating("repeat 5 { phase a { compute 1us } }"))) == "( 1 compute 0 ) ");
}

TEST_CASE("a phase in which nothing is done is none") {
    CHECK(lowered(iterating("phase a { compute 0us } compute 1us"), Run{}).phases.empty());
}

TEST_CASE("a phase without a name, or with a reserved word as its name, is a fault") {
    CHECK(refused(iterating("phase { compute 1us }")).kinds == std::vector{psl_syntax});
    CHECK(refused(iterating("phase reduce { compute 1us }")).kinds == std::vector{psl_syntax});
}
