// Seeds side by side as a user meets them: the same answer, on as many threads as were asked for.
#include <thread>

#include <doctest/doctest.h>

#include "tests/end_to_end/child.hpp"

using namespace warpfront::end_to_end;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

const std::string kNoisy = "run " + kSmall + "--set noise.cv=0.1 ";

/// Four seeds, two at a time, until stopped from outside.
Words endless_ensemble() {
    Words words = endless_run();
    words.insert(words.end(), {"--set", "noise.cv=0.1", "--seeds", "4", "--threads", "2"});
    return words;
}

/// A result without what depends on the computer: how long it took, on how many threads.
json timeless(json result) {
    result.erase("work");
    for (const char* key : {"at_once", "wall_s", "cpu_s"}) result.at("ensemble").erase(key);
    return result;
}

/// Each rank waits for the other, whatever the seed.
Outcome run_circle(const std::string& arguments) {
    const Scratch scratch;
    scratch.file("m.psl",
                 "application pair {\n    iteration k {\n        recv from west\n        recv from east\n"
                 "        send 8B to west\n        send 8B to east\n    }\n}\n");
    scratch.file("s.yaml", "model: m.psl\nplatform: " WARPFRONT_SOURCE_DIR
                           "/platforms/xt4.yaml\n"
                           "ranks: {columns: 2, rows: 1}\nnoise: {cv: 0.1}\n");
    return run_in(scratch.folder(), fmt::format("{} run s.yaml {}", quoted(WARPFRONT_PROGRAM), arguments));
}

}  // namespace

TEST_CASE("an ensemble is the same to the last digit on any number of threads") {
    const json one = json_of(kNoisy + "--seeds 4 --threads 1");
    for (const char* threads : {"2", "3", "9"}) {
        CAPTURE(threads);
        const json many = json_of(kNoisy + "--seeds 4 --threads " + threads);
        CHECK(timeless(many) == timeless(one));
    }
}

TEST_CASE("the result reports how many seeds went on at once, and how many threads the first had to itself") {
    const auto check = [](const char* threads, int at_once, int of_first) {
        CAPTURE(threads);
        const json result = json_of(kNoisy + "--seeds 4 --threads " + threads);
        CHECK(result.at("ensemble").at("at_once") == at_once);
        CHECK(result.at("work").at("threads") == of_first);
    };
    check("1", 1, 1);
    check("2", 2, 1);
    check("9", 4, 2);
    CHECK(holds(invoke(kNoisy + "--seeds 4 --threads 2").out, "4, seeds 0 to 3, 2 at a time in "));
}

TEST_CASE("the processor time of a seed is its own, not that of those beside it") {
    // A thread takes no more processor time than time; 1 ms allows for two clocks.
    const json result = json_of(kNoisy + "--set iterations=200 --seeds 8 --threads 4");
    const json& first = result.at("work");
    REQUIRE(first.at("threads") == 1);
    CHECK(first.at("cpu_s").get<double>() <= first.at("wall_s").get<double>() + 1e-3);
    const json& all = result.at("ensemble");
    CHECK(all.at("cpu_s").get<double>() > first.at("cpu_s").get<double>());
    CHECK(all.at("cpu_s").get<double>() <= 4 * all.at("wall_s").get<double>() + 1e-3);
}

TEST_CASE("two threads are two threads of the program") {
    Child child(endless_ensemble());
    std::this_thread::sleep_for(kUnderWay);
    CHECK(child.threads() == 2);
    child.send(SIGINT);
    CHECK(child.end().status == 130);
}

TEST_CASE("Ctrl-C ends all seeds with status 130, and says how many were done") {
    Child child(endless_ensemble());
    std::this_thread::sleep_for(kUnderWay);
    child.send(SIGINT);
    const Outcome outcome = child.end();
    CHECK(outcome.status == 130);
    CHECK(holds(outcome.err, "interrupted after "));
    CHECK(holds(outcome.err, ", 0 of 4 runs done"));
}

TEST_CASE("on a terminal it is reported how many seeds are done, and how far all are") {
    OnTerminal terminal(endless_ensemble());
    const std::string line = terminal.read_until(" left");
    CHECK(holds(line, "0 of 4 runs done, "));
    CHECK(holds(line, " % of all, "));
    terminal.type("\x03");
    CHECK(holds(terminal.read_until("runs done\r\n"), " \rinterrupted after "));
}

TEST_CASE("a deadlock of all seeds is reported once, as that of a single run is") {
    const Outcome single = run_circle("");
    const Outcome many = run_circle("--seeds 4 --threads 2");
    CHECK(many.status == 1);
    CHECK(many.out == "");
    CHECK(holds(single.err, "deadlock"));
    CHECK(many.err == single.err);
}

TEST_CASE("a fault that not all seeds meet is reported with the first that does") {
    // A tile of 25 us made 4.9 days long: noise of 30 % makes it longer than the 6.7 that a block may take, of one seed
    // in eight.
    const Scratch scratch;
    const auto map = scratch.file("costs.csv", "rank,wave,factor\n5,2,1.7e10\n");
    const std::string slow =
        "run " + kSmall + "--set iterations=1 --set noise.cv=0.3 --set heterogeneity.map=" + quoted(map);
    int first = 0;
    while (first < 30 && invoke(slow + fmt::format(" --set seed={}", first)).status == 0) ++first;
    REQUIRE(first > 0);
    REQUIRE(first < 30);
    const Outcome outcome = invoke(slow + " --seeds 30 --threads 2");
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.err, fmt::format("a compute block takes longer than 6.7 days, noise and the rank's speed "
                                         "counted in, with seed {}",
                                         first)));
}

TEST_CASE("an ensemble is refused where not even one run fits into memory") {
    const Outcome outcome =
        run_in(WARPFRONT_SOURCE_DIR, fmt::format("ulimit -v 400000; {} {} --set 'ranks={{columns: 2048, rows: 2048}}' "
                                                 "--seeds 4 --threads 2",
                                                 quoted(WARPFRONT_PROGRAM), kNoisy));
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.err, "of memory"));
}
