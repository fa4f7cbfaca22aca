// What `warpfront run` says of every rank: --ranks, and the parts over all ranks in the JSON.
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;

TEST_CASE("--ranks writes where the time of every rank went, the last rank's as the result has it") {
    const Scratch scratch;
    const auto file = scratch.folder() / "ranks.csv";
    const auto written = scratch.folder() / "result.json";
    REQUIRE(invoke("run " + kSmall + "--quiet --json " + quoted(written) + " --ranks " + quoted(file)).status == 0);
    const nlohmann::json result = nlohmann::json::parse(text_of(written));
    std::istringstream lines(text_of(file));
    std::vector<std::string> all;
    for (std::string line; std::getline(lines, line);) all.push_back(line);
    REQUIRE(all.size() == 1 + 16);
    CHECK(all.front().starts_with("rank,column,row,node,finish_s,compute_s,"));
    const auto last = result["last_rank"]["rank"].get<std::size_t>();
    CHECK(result["last_rank"]["column"] == last % 4 + 1);
    CHECK(result["last_rank"]["row"] == last / 4 + 1);
    const std::string expected =
        fmt::format("{},{},{},{},{:.12f},{:.12f},", last, last % 4 + 1, last / 4 + 1, last / 2,
                    result["time_s"].get<double>(), result["breakdown"]["compute_s"].get<double>());
    CHECK_MESSAGE(all[last + 1].starts_with(expected), all[last + 1], " and ", expected);
}

TEST_CASE("--ranks of an engine that does not know them is refused, and leaves no file") {
    const Scratch scratch;
    const auto file = scratch.folder() / "ranks.csv";
    const Outcome outcome = invoke("run " + kSmall + "--engine analytic --ranks " + quoted(file));
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.err, "`--ranks` of the engine `analytic`"));
    CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("the JSON has the closed form's time and the parts over all ranks") {
    const nlohmann::json result = nlohmann::json::parse(invoke("run " + kSmall + "--json -").out);
    const nlohmann::json closed = nlohmann::json::parse(invoke("run " + kSmall + "--engine analytic --json -").out);
    CHECK(result["closed_form_s"] == closed["time_s"]);
    CHECK(result["over_ranks"]["finish_s"]["most"] == result["time_s"]);
    CHECK(result["over_ranks"]["finish_s"]["most_rank"] == result["last_rank"]["rank"]);
    CHECK_FALSE(closed.contains("over_ranks"));
    CHECK_FALSE(closed.contains("closed_form_s"));
}

TEST_CASE("--ranks with a number names no file: the number of ranks is set by the scenario") {
    const Outcome outcome = invoke("run " + kSmall + "--ranks 64");
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.err, "`--ranks 64` names a file: expected `--ranks FILE.csv`, or `--set ranks.columns=`"));
}
