// `analytic` and `trace`: regions that are not simulated message by message.
#include "simulator/program/execution.hpp"
#include "tests/psl/models.hpp"
#include "tests/validation/validate.hpp"

using program::Op;

namespace {

const std::string kFields =
    "work = 2us\n"
    "tiles = 5\n"
    "east_west = 8B\n"
    "north_south = 16B\n"
    "corners = [northwest]\n";

/// Returns the time of a closed form of another kind: 1 us, and 10 us for each tile.
WideTime ten_per_tile(const program::WavefrontPhase& phase) { return Time{1'000'000 + 10'000'000 * phase.tiles}; }

program::Program on_closed_form(const std::string& body, Run run = {}) {
    Bindings bindings = run.bindings();
    bindings.closed_form = ten_per_tile;
    return lowered(iterating(body), bindings);
}

/// Returns two ranks: 5 ps of work, then rank 0 sends 8 bytes to rank 1 with this tag.
program::Program pair_traced(std::int32_t tag) {
    program::Program program;
    program.grid = {2, 1};
    program.class_of = {0, 1};
    program.classes.resize(2);
    program.classes[0].send_endpoints = {{+1, tag}};
    program.classes[1].receive_endpoints = {{-1, tag}};
    for (const bool sends : {true, false}) {
        program.classes[sends ? 0 : 1].code = {{.op = Op::compute, .amount = 5},
                                               {.op = sends ? Op::send : Op::recv, .amount = sends ? 8 : 0},
                                               {.op = Op::iteration},
                                               {.op = Op::finish}};
    }
    program.notes = {"traces: of two ranks"};
    return program;
}

Bindings with_traces(std::int32_t tag, const Run& run = {2, 1}) {
    Bindings bindings = run.bindings();
    bindings.trace = [=](const TraceRegion&) { return pair_traced(tag); };
    return bindings;
}

program::Program traced(const std::string& body, std::int32_t tag = 3, const Run& run = {2, 1}) {
    return lowered(iterating(body), with_traces(tag, run));
}

Refusal refused_traced(const std::string& body) { return refused_run(iterating(body), with_traces(3)); }

}  // namespace

TEST_CASE("analytic TIME passes unchanged, on every rank for the time of its expression; zero times are left out") {
    const program::Program program = lowered(iterating("analytic column * 2us analytic 0us compute 1us"), Run{2, 1});
    CHECK(steps(program, {0}) == Events{{Op::delay, 2'000'000}, {Op::compute, 1'000'000}});
    CHECK(steps(program, {1}) == Events{{Op::delay, 4'000'000}, {Op::compute, 1'000'000}});
    CHECK(program.notes == std::vector<std::string>{"analytic regions count as compute; neither noise nor "
                                                    "calibration changes their times"});
}

TEST_CASE("a loop of nothing but an analytic region is one, as of work") {
    CHECK(steps(lowered(iterating("repeat 1000000 { analytic 2us }")), {0}) == Events{{Op::delay, 2'000'000'000'000}});
}

TEST_CASE("an analytic region of fields takes the time of the machine's closed form for them") {
    CHECK(steps(on_closed_form("analytic { " + kFields + "}"), {0}) == Events{{Op::delay, 51'000'000}});
}

TEST_CASE("the closed form gets the values of the fields") {
    program::WavefrontPhase given;
    Bindings bindings = Run{}.bindings();
    bindings.closed_form = [&](const program::WavefrontPhase& phase) {
        given = phase;
        return WideTime{};
    };
    lowered(iterating("analytic { " + kFields +
                      "pre_work = 1us allreduces = 2 allreduce_bytes = 8B exchanges = [4B, 4B] other = 3us }"),
            bindings);
    program::WavefrontPhase expected;
    expected.pre_work = {1'000'000};
    expected.work = {2'000'000};
    expected.tiles = 5;
    expected.east_west = {8};
    expected.north_south = {16};
    expected.corners = {program::Corner::northwest};
    expected.allreduces = 2;
    expected.allreduce_bytes = {8};
    expected.exchanges = {{2, {4}}};
    expected.other = {3'000'000};
    CHECK(given == expected);
}

TEST_CASE("fields may depend on the iteration and on that of a loop") {
    const program::Program program = on_closed_form(
        "for i in 1..2 { analytic { work = 1us tiles = 2 * k + i east_west = 8B north_south = 8B corners = "
        "[northwest] } }",
        Run{1, 1, 2});
    CHECK(steps(program, {0}) ==
          Events{{Op::delay, 31'000'000}, {Op::delay, 41'000'000}, {Op::delay, 51'000'000}, {Op::delay, 61'000'000}});
}

TEST_CASE("without a machine regions take no time, and nothing is fed from traces") {
    CHECK(steps(lowered(iterating("analytic { " + kFields + "} trace \"setup\"")), {0}).empty());
}

TEST_CASE("a fault of the closed form is reported at the region") {
    Bindings bindings = Run{}.bindings();
    bindings.closed_form = [](const program::WavefrontPhase&) -> WideTime {
        throw input::BadInput(closed_form_overflow, {}, "too long a time");
    };
    const Refusal fault = refused_run(iterating("        analytic { " + kFields + "}\n"), bindings);
    CHECK(fault.kinds == Kinds{closed_form_overflow});
    CHECK(fault.text ==
          "code.psl:3:9: error: too long a time\n"
          "    3 |         analytic { work = 2us\n"
          "      |         ^^^^^^^^\n");
}

TEST_CASE("a field that differs between ranks is a fault: a closed form is of all of them") {
    CHECK(refused_run(iterating("        analytic { work = row * 1us tiles = 1 east_west = 8B "
                                "north_south = 8B corners = [northwest] }\n"),
                      Run{1, 2})
              .summary == "3:27 rank_dependent [row * 1us] `work` differs from rank to rank");
}

TEST_CASE("a region longer than any cost is a fault") {
    CHECK(refused_run(iterating("analytic 600000s"), Run{}).kinds == Kinds{out_of_range});
    CHECK(refused_run(iterating("analytic -1us"), Run{}).kinds == Kinds{out_of_range});
}

TEST_CASE("the fields of a region are those of a closed form") {
    const Refusal fault = refused_in("analytic { worx = 2us }");
    CHECK(fault.kinds == Kinds{unknown_name, missing_field});
    CHECK(fault.summary ==
          "3:20 unknown_name [worx] a closed form has no field `worx` | did you mean `work`?\n"
          "3:9 missing_field [analytic] the closed form lacks `work`, `tiles`, `east_west`, `north_south`, `corners`");
    CHECK(refused(iterating("analytic { " + kFields + "work = 1us }")).kinds == Kinds{duplicate_name});
    CHECK(refused(iterating("analytic 8B")).kinds == Kinds{wrong_type});
}

TEST_CASE("a subtask has neither") {
    CHECK(refused("subtask s() { analytic 1us }").kinds == Kinds{message_in_subtask});
    CHECK(refused("subtask s() { trace \"setup\" }").kinds == Kinds{message_in_subtask});
}

TEST_CASE("a closed form within the iteration is a region by another name") {
    CHECK(refused_in("closed_form { work = 1us }").summary ==
          "3:9 psl_syntax [closed_form] unexpected `closed_form` | expected `analytic { }` for a region; `closed_form` "
          "belongs beside the iteration");
}

TEST_CASE("at a trace every rank follows its trace, with its computing as recorded") {
    const program::Program program = traced("compute 1us trace \"setup\" compute 2us");
    CHECK(steps(program, {0}) ==
          Events{{Op::compute, 1'000'000}, {Op::delay, 5}, {Op::send, 8, +1, 3}, {Op::compute, 2'000'000}});
    CHECK(steps(program, {1}) ==
          Events{{Op::compute, 1'000'000}, {Op::delay, 5}, {Op::recv, 0, -1, 3}, {Op::compute, 2'000'000}});
    CHECK(program::validate(program) == "");
    CHECK(program.notes == std::vector<std::string>{"traces: of two ranks"});
}

TEST_CASE("messages that a trace takes as they come are taken so in a region too, on the model's endpoints") {
    Bindings bindings = Run{2, 1}.bindings();
    bindings.trace = [](const TraceRegion&) {
        program::Program program = pair_traced(3);
        program.classes[1].choices = {{{0}}};
        program.classes[1].code[1].op = Op::recv_any;
        return program;
    };
    const program::Program program =
        lowered(iterating("recv from west tag 9 send 8B to east tag 9 trace \"t\" trace \"t\""), bindings);
    const program::RankClass& second = program.of({1});
    REQUIRE(second.choices.size() == 2);  // one for each region
    for (const program::Choice& choice : second.choices) {
        REQUIRE(choice.receive_endpoints.size() == 1);
        CHECK(second.receive_endpoints[choice.receive_endpoints[0]] == program::Channel{-1, 3});
    }
    CHECK(program::validate(program).empty());
}

TEST_CASE("a trace in a loop is replayed in every iteration, and is read once") {
    int reads = 0;
    Bindings bindings = Run{2, 1, 3}.bindings();
    bindings.trace = [&](const TraceRegion&) {
        ++reads;
        return pair_traced(3);
    };
    const program::Program program =
        lowered(iterating("phase a { repeat 2 { trace \"step\" } } compute k * 1us trace \"step\""), bindings);
    CHECK(reads == 1);
    CHECK(program::traffic(program).messages == 3 * 3);
}

TEST_CASE("a trace is named relative to the file that has it, and computes at 1 Tflop/s where no rate is given") {
    std::vector<std::pair<std::string, double>> regions;
    const Folder folder(Texts{{"code.psl", "import \"sub.psl\"\n" + iterating("trace \"setup\" step(2Gflops)")},
                              {"sub.psl", "template step(speed: rate) { trace \"../step/list.txt\" at speed }\n"}});
    Bindings bindings = Run{2, 1}.bindings();
    bindings.trace = [&](const TraceRegion& region) {
        regions.emplace_back(region.list.string(), region.speed.value_or(FlopRate{1e12}).per_second);
        return pair_traced(3);
    };
    lower(load(folder / "code.psl"), bindings);
    const std::filesystem::path setup = folder / "setup";
    const std::filesystem::path list = folder / "../step/list.txt";
    CHECK(regions ==
          std::vector<std::pair<std::string, double>>{{setup.string(), 1e12}, {list.lexically_normal().string(), 2e9}});
}

TEST_CASE("tags below 0 are those of one trace alone") {
    Bindings bindings = Run{2, 1}.bindings();
    bindings.trace = [](const TraceRegion&) { return pair_traced(-2); };
    const program::Program program = lowered(iterating("trace \"a\" trace \"b\" trace \"a\""), bindings);
    // Collectives have -1 to -13, so the first trace -2 - 13, the second -2 - 15.
    CHECK(steps(program, {1}) == Events{{Op::delay, 5},
                                        {Op::recv, 0, -1, -15},
                                        {Op::delay, 5},
                                        {Op::recv, 0, -1, -17},
                                        {Op::delay, 5},
                                        {Op::recv, 0, -1, -15}});
}

TEST_CASE("a trace that only some ranks reach is a fault") {
    CHECK(refused_traced("        if column == 1 { trace \"setup\" }\n").summary ==
          "3:26 rank_dependent [trace \"setup\"] only some ranks execute this `trace` | expected a place that all "
          "ranks execute, since every rank has a trace");
}

TEST_CASE("a trace meets no open request of the model on its channels") {
    CHECK(refused_traced("isend 8B to east tag 3 irecv from west tag 3 trace \"setup\" waitall").kinds ==
          Kinds{overlapping_sends});
    CHECK(refused_traced("irecv from west tag 3 if column == 1 { send 8B to east tag 3 } trace \"setup\" waitall")
              .kinds == Kinds{overlapping_receives});
    CHECK(refused_traced("isend 8B to east tag 4 irecv from west tag 4 trace \"setup\" waitall").kinds.empty());
}

TEST_CASE("the rate of a trace is above zero and the same on all ranks") {
    CHECK(refused_traced("        trace \"setup\" at 0Gflops\n").summary ==
          "3:26 out_of_range [0Gflops] the rate is 0 Mflops, expected more than 0");
    CHECK(refused_traced("trace \"setup\" at 1Gflops * row * column").kinds == Kinds{rank_dependent});
    CHECK(refused(iterating("trace \"setup\" at 1us")).kinds == Kinds{wrong_type});
}

TEST_CASE("the traces of a region are named in quotes") {
    CHECK(refused_in("trace setup").summary ==
          "3:15 psl_syntax [setup] unexpected `setup` | expected the folder or the list of the traces in "
          "quotes, relative to this file");
}
