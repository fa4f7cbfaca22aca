// Costs: rates, tables, subtasks with a value, hardware objects.
#include "psl/specialising/costs.hpp"
#include "tests/psl/models.hpp"

namespace {

/// Returns one subtask with the entries, computed once per iteration; p3 is the hardware, of a Pentium 3.
std::string with_entries(const std::string& entries, const std::string& hardware = "") {
    const std::string p3 =
        "hardware p3 {\n    processor \"Pentium 3\"\n    rate = 110Mflops\n    operation MUL = 9ns\n"
        "    operation ADD = 2 * 5ns\n}\n";
    return (hardware.empty() ? p3 : hardware) + "subtask block(n: int): time {\n" + entries + "\n}\n" +
           iterating("    block(columns)\n");
}

Run on(const std::string& name, double rate, std::uint32_t columns = 10) {
    Run run{columns, 1};
    run.processor = Processor{name, rate};
    return run;
}

/// Returns the picoseconds of the entries on a Pentium 3, n = columns = 10.
std::int64_t cost(const std::string& entries, std::uint32_t rank = 0) {
    const auto all = steps(lowered(with_entries(entries), on("Pentium 3", 110e6)), {rank});
    return all.empty() ? 0 : all[0].amount;
}

std::int64_t time_of(const std::string& expression, const Run& run = {}, std::uint32_t rank = 0) {
    return steps(lowered(iterating("compute " + expression + "\n"), run), {rank})[0].amount;
}

}  // namespace

TEST_CASE("a number over a rate is a time") {
    CHECK(time_of("1100 / 110Mflops") == 10'000'000);  // 1100 / 110e6 per second = 10 us
    CHECK(time_of("1.5 / 1Gflops") == 1'500);
    CHECK(time_of("100 / (2 * 50Mflops)") == 1'000'000);
    CHECK(time_of("1us * (300Mflops / 100Mflops)") == 3'000'000);
    const std::string text = "application a { param r: rate = 1Mflops  iteration { compute 3 / r } }";
    CHECK(steps(lowered(text, Run{1, 1, 1, {{"r", "3 Mflops"}}}), {0})[0].amount == 1'000'000);
    CHECK(steps(lowered(text), {0})[0].amount == 3'000'000);
    CHECK(refused(iterating("compute 110Mflops / 3")).kinds == Kinds{wrong_type});
}

TEST_CASE("a table is linear between its points and constant beyond them") {
    const std::string table = ", [100, 200, 1000], [5us, 8us, 24us])";
    CHECK(time_of("interpolate(100" + table) == 5'000'000);
    CHECK(time_of("interpolate(150" + table) == 6'500'000);   // 5 + 3 * 50 / 100
    CHECK(time_of("interpolate(600" + table) == 16'000'000);  // 8 + 16 * 400 / 800
    CHECK(time_of("interpolate(1" + table) == 5'000'000);
    CHECK(time_of("interpolate(5000" + table) == 24'000'000);
    CHECK(time_of("1us * interpolate(1.5, [1, 2], [10, 20])") == 15'000'000);
    for (std::uint32_t rank = 0; rank < 4; ++rank) {  // columns 1..4: 2, 4, 6, 6
        CHECK(time_of("interpolate(column, [1, 3], [2us, 6us])", Run{4, 1}, rank) ==
              std::min<std::int64_t>(2'000'000 * (rank + 1), 6'000'000));
    }
    CHECK(time_of("interpolate(7, [3], [2us])") == 2'000'000);
}

TEST_CASE("a table ascends and has a value at each point") {
    const auto kinds = [](const std::string& expression) {
        return refused_run(iterating("compute " + expression + "\n"), Run{}).kinds;
    };
    CHECK(kinds("interpolate(1, [1, 2], [1us])") == Kinds{out_of_range});
    CHECK(kinds("interpolate(1, [2, 2], [1us, 2us])") == Kinds{out_of_range});
    CHECK(kinds("1us * interpolate(1, [], [])") == Kinds{out_of_range});
    CHECK(refused(iterating("compute interpolate(1, 2, [1us])")).kinds == Kinds{wrong_type});
    CHECK(refused(iterating("compute interpolate(1us, [1], [1us])")).kinds == Kinds{wrong_type});
    CHECK(refused(iterating("compute interpolate(1, [1], [8B])")).kinds == Kinds{wrong_type});
}

TEST_CASE("the entries of a subtask with a value add up to one piece of work") {
    CHECK(cost("time 1us  time 2us * n") == 21'000'000);
    CHECK(cost("flops 1100") == 10'000'000);                                  // 1100 / 110e6 per second
    CHECK(cost("count MUL 3  count ADD n / 4") == 52'000);                    // 3 * 9 ns + 2.5 * 10 ns
    CHECK(cost("loop 2.5 { count MUL 4  loop n { time 1ns } }") == 115'000);  // 2.5 * (36 + 10) ns
    CHECK(cost("case { 0.25 { time 4us } 0.5 { time 6us } }") == 4'000'000);  // 1 + 3, and nothing for the rest
    CHECK(cost("let m = 2 * n  if m > 19 { time 1us } else { time 2us }") == 1'000'000);
    CHECK(cost("if column == 2 { time 1us } else { time 1us * column }", 3) == 4'000'000);
    CHECK(cost("") == 0);
    const program::Program one = lowered(with_entries("time 1us  time 2us  loop 3 { time 1us }"), on("Pentium 3", 1e8));
    CHECK(steps(one, {0}) == Events{{program::Op::compute, 6'000'000}});
}

TEST_CASE("a subtask with a value is an expression, also of other subtasks and in the closed form") {
    const program::Program program = lowered(
        "subtask inner(n: int): time { time 1us * n }\n"
        "subtask outer(n: int): time { loop 2 { time inner(n) } time inner(1) }\n"
        "application a { iteration { compute 3 * outer(4) }\n"
        "closed_form { work = outer(4)  tiles = 1  east_west = 1B  north_south = 1B  corners = [northwest] } }");
    CHECK(steps(program, {0})[0].amount == 27'000'000);  // 3 * (2 * 4 + 1)
    CHECK(program.closed_form[0].work.ps == 9'000'000);
}

TEST_CASE("the hardware object of the platform's processor is used, with the platform's rate") {
    const std::string two =
        "hardware slow { processor \"S\" operation MUL = 9ns }\n"
        "hardware fast { processor \"F\" rate = 100Mflops operation MUL = 2ns }\n";
    const auto ps = [&](const Run& run) {
        return steps(lowered(with_entries("count MUL 1000", two), run), {0})[0].amount;
    };
    CHECK(ps(on("S", 50e6)) == 9'000'000);
    CHECK(ps(on("F", 100e6)) == 2'000'000);
    CHECK(ps(on("F", 200e6)) == 1'000'000);  // 2 us * 100 / 200
    CHECK(refused_run(with_entries("    count MUL 1000", two), on("X", 1e6)).summary ==
          "4:5 no_hardware [count MUL 1000] no times of operations: none of the model's 2 hardware objects describes "
          "the platform's processor `X` | expected `processor: {name: NAME, speed: RATE}` in the platform's "
          "hardware file, and for `count` an object `hardware` with this name");
}

TEST_CASE("times are carried to another processor by the rates, with a note, or the run is refused") {
    const program::Program carried = lowered(with_entries("count MUL 1000"), on("Opteron", 330e6));
    CHECK(steps(carried, {0})[0].amount == 3'000'000);  // 9 us * 110 / 330
    REQUIRE(carried.notes.size() == 1);
    CHECK(carried.notes[0] ==
          "the times of operations of `p3` are multiplied by 0.333333: the hardware object has a rate of 110 Mflop/s, "
          "the platform one of 330 Mflop/s");
    const std::string silent = "hardware h { processor \"S\" operation MUL = 9ns }\n";
    CHECK(refused_run(with_entries("count MUL 1", silent), on("X", 1e6)).kinds == Kinds{no_hardware});
    CHECK(refused_run(with_entries("count MUL 1"), Run{}).kinds == Kinds{no_hardware});
    CHECK(refused_run(with_entries("flops 1"), Run{}).kinds == Kinds{no_hardware});
    const std::string other =
        "hardware h { processor \"S\" operation MUL = 9ns }\nhardware g { operation ADD = 1ns }\n";
    CHECK(refused_run(with_entries("count ADD 1", other), on("S", 1e6)).kinds == Kinds{no_hardware});
}

TEST_CASE("hardware is found in any file that is loaded") {
    const Folder folder(Texts{{"p3.psl", "hardware p3 { processor \"P\" operation MUL = 9ns }\n"},
                              {"block.psl", "subtask block(): time { count MUL 10 }\n"},
                              {"code.psl", "import \"p3.psl\"\nimport \"block.psl\"\n" + iterating("block()\n")}});
    const Model model = load(folder / "code.psl");
    CHECK(steps(lower(model, on("P", 1e6, 1).bindings()), {0})[0].amount == 90'000);
    CHECK(refusal(folder, [&] { load(folder / "block.psl"); }).kinds.empty());
}

TEST_CASE("faults of costs") {
    const auto kinds = [](const std::string& entries) { return refused(with_entries(entries)).kinds; };
    CHECK(kinds("compute 1us") == Kinds{psl_syntax});
    CHECK(kinds("repeat 3 { time 1us }") == Kinds{psl_syntax});
    CHECK(kinds("time 3") == Kinds{wrong_type});
    CHECK(kinds("flops 3us") == Kinds{wrong_type});
    CHECK(kinds("loop 3us { }") == Kinds{wrong_type});
    CHECK(refused(with_entries("    count MULT 3")).summary ==
          "8:11 unknown_name [MULT] no hardware object has an operation `MULT` | did you mean `MUL`?");
    const auto run_kinds = [](const std::string& entries) {
        return refused_run(with_entries(entries), on("Pentium 3", 110e6)).kinds;
    };
    CHECK(run_kinds("case { 0.75 { } 0.5 { } }") == Kinds{out_of_range});
    CHECK(run_kinds("case { -0.5 { } }") == Kinds{out_of_range});
    CHECK(run_kinds("case { 1 / column { } }") == Kinds{rank_dependent});
    CHECK(run_kinds("loop -1 { time 1us }") == Kinds{out_of_range});
    CHECK(refused("subtask s(): int { }").kinds == Kinds{wrong_type});
    CHECK(refused("hardware h { rate = 1us }").kinds == Kinds{wrong_type});
    CHECK(refused("hardware h { operation A = 1us operation A = 2us }").kinds == Kinds{duplicate_name});
    CHECK(refused("hardware h { speed = 1us }").kinds == Kinds{psl_syntax});
}

// The report of the costs of work: every entry, the values in it, and their origins.

namespace {

/// Returns "DEPTH PICOSECONDS TEXT | NAMES" of each line.
std::vector<std::string> lines(const std::string& text, const Run& run = {}) {
    const Folder folder(Texts{{"code.psl", text}});
    std::vector<std::string> all;
    for (const CostLine& line : costs(load(folder / "code.psl"), run.bindings()).lines) {
        const std::string time = !line.time.known ? "-"
                                 : line.time.least == line.time.most
                                     ? std::to_string(line.time.least)
                                     : std::to_string(line.time.least) + ".." + std::to_string(line.time.most);
        all.push_back(std::to_string(line.depth) + " " + time + " " + line.text +
                      (line.names.empty() ? "" : " | " + line.names));
    }
    return all;
}
using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("every entry is reported with its time and the values of its names") {
    Run run{2, 1};
    run.processor = Processor{"P", 100e6};
    CHECK(lines("hardware p { processor \"P\" rate = 50Mflops operation MUL = 9ns }\n"
                "subtask block(n: int): time {\n"
                "    let twice = 2 * n\n"
                "    loop 1.5 { count MUL twice  flops n }\n"
                "    case { 0.5 { time 4us } }\n"
                "}\n" +
                    iterating("block(5)\n"),
                run) == Lines{"0 2142500 block(5)",                         // 1.5 * (10 * 4.5 ns + 5 / 100e6 s) + 2 us
                              "1 - let twice = 2 * n | twice = 10, n = 5",  //
                              "1 142500 loop 1.5",                          //
                              "2 45000 count MUL twice | p.MUL = 0.0045 us, twice = 10",  // 9 ns * 50 / 100
                              "2 50000 flops n | rate = 100 Mflops, n = 5",               //
                              "1 2000000 case",                                           //
                              "2 2000000 0.5",                                            //
                              "3 4000000 time 4us"});
}

TEST_CASE("work that differs between ranks is reported from the least to the most, and iterations apart") {
    CHECK(lines(iterating("compute column * 1us\n"), Run{4, 1}) == Lines{"0 1000000..4000000 compute column * 1us"});
    CHECK(lines(iterating("compute if k < 3 then 1us else 2us\n"), Run{1, 1, 9}) ==
          Lines{"0 1000000 compute if k < 3 then 1us else 2us | k = (by iteration)",
                "0 2000000 compute if k < 3 then 1us else 2us | k = (by iteration)"});
}

TEST_CASE("a number is traced to the scenario, to a default, or to the line that computes it") {
    const Folder folder(Texts{{"code.psl",
                               "application code {\n    param w: time\n    param n: int = 3\n    let all = n * w\n"
                               "    iteration { compute all }\n}\n"}});
    const CostReport report = costs(load(folder / "code.psl"), Run{1, 1, 1, {{"w", "2us"}}}.bindings());
    Lines values;
    for (const NamedValue& each : report.values) {
        values.push_back(each.name + " = " + each.value + " from " + folder.shortened(each.source));
    }
    CHECK(values == Lines{"w = 2 us from w:1", "n = 3 from default, code.psl:3", "all = 6 us from code.psl:4"});
    CHECK(folder.shortened(report.lines[0].place) == "code.psl:5");
}
