// The report of what work costs: every entry, the values in it, and where they are from.
#include "psl/specialising/costs.hpp"

#include "tests/psl/models.hpp"

using namespace warpfront;
using namespace warpfront::psl;

namespace {

/// "DEPTH PICOSECONDS TEXT | NAMES" of each line.
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
          Lines{"0 1000000 compute if k < 3 then 1us else 2us | k = (by trip)",
                "0 2000000 compute if k < 3 then 1us else 2us | k = (by trip)"});
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
