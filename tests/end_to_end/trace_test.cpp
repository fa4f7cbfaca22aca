// `warpfront trace`: the messages of a scenario as traces, replayed by the installed SimGrid.
#include <regex>

#include "tests/end_to_end/program.hpp"

TEST_CASE(
    "tools/measurements/referees sets the event engine, SimGrid's actors and SimGrid's replay side by side, and they "
    "agree") {
    const Outcome outcome = run_in(
        WARPFRONT_SOURCE_DIR, fmt::format("WARPFRONT={} tools/measurements/referees 4", quoted(WARPFRONT_PROGRAM)));
    CHECK(outcome.err == "");
    REQUIRE(outcome.status == 0);
    std::vector<double> predicted;
    const std::regex row("\\| +16 \\| [^|]* \\| +([0-9.]+) \\|.*");
    std::smatch found;
    for (const std::string& line : lines_of(outcome.out)) {
        if (std::regex_match(line, found, row)) predicted.push_back(std::stod(found[1]));
    }
    REQUIRE(predicted.size() == 3);
    CHECK(predicted[1] == predicted[0]);
    CHECK(std::abs(predicted[2] - predicted[0]) < 0.01 * predicted[0]);
}

TEST_CASE("the folder holds a trace per rank, their list, a platform, hosts and a script") {
    const Scratch scratch;
    const std::filesystem::path folder = scratch.folder() / "deep" / "traces";
    REQUIRE(invoke("trace " + kSmall + "--out " + quoted(folder)).status == 0);
    for (const char* name : {"traces.txt", "platform.xml", "hosts.txt", "replay", "rank-0.txt", "rank-15.txt"}) {
        CAPTURE(name);
        CHECK(std::filesystem::exists(folder / name));
    }
    CHECK_FALSE(std::filesystem::exists(folder / "rank-16.txt"));
    CHECK(text_of(folder / "rank-0.txt").starts_with("0 init\n"));
    CHECK(text_of(folder / "traces.txt").starts_with("rank-0.txt\nrank-1.txt\n"));
}

TEST_CASE("periodic OS noise is not traced, with a warning; other noise is") {
    const Scratch scratch;
    const auto traced = [&](const std::string& sets, const std::string& message) {
        const Outcome outcome = invoke("trace " + kSmall + "--set 'node={columns: 1, rows: 1}' " + sets + " --out " +
                                       quoted(scratch.folder() / "traces"));
        CHECK(outcome.status == 0);
        CHECK((message.empty() ? outcome.err == "" : holds(outcome.err, message)));
        return text_of(scratch.folder() / "traces/rank-0.txt");
    };
    const std::string with_noise = traced("--set noise.cv=0.1", "");
    CHECK(traced("--set 'noise={cv: 0.1, periodic: {period: 1ms, length: 20us}}'",
                 "the traces omit `noise.periodic`") == with_noise);
    CHECK(traced("", "") != with_noise);
}

TEST_CASE("a warning says that messages within nodes take the costs of those between nodes in the replay") {
    const Scratch scratch;
    const std::string out = "--out " + quoted(scratch.folder() / "traces");
    CHECK(holds(invoke("trace " + kSmall + "--set 'node={columns: 2, rows: 1}' " + out).err,
                "the replay has a host for each rank, so messages within the 8 nodes take the costs of `network`"));
}
