// Noise and heterogeneous ranks; many seeds of one run, and many samples of an uncertain value: the same answer on any
// number of threads.
#include <thread>

#include "tests/end_to_end/child.hpp"

using namespace std::chrono_literals;

namespace {

const std::string kNoisy = "run " + kSmall + "--set noise.cv=0.1 ";

/// Returns a command of four seeds, two at a time, that runs until it is stopped from outside.
Words endless_ensemble() {
    Words words = endless_run();
    words.insert(words.end(), {"--set", "noise.cv=0.1", "--seeds", "4", "--threads", "2"});
    return words;
}

/// Returns a result without the parts that depend on the host: the time of the run, the number of threads.
json timeless(json result) {
    result.erase("work");
    for (const char* key : {"at_once", "wall_s", "cpu_s"}) result.at("ensemble").erase(key);
    return result;
}

/// A run with one uncertain value.
const std::string kUncertain = "run " + kSmall + "--set 'parameters.wg=0.866us +- 0.05us' ";

}  // namespace

TEST_CASE("a cost map slows the ranks it names, and is an input of the result") {
    const Scratch scratch;
    const auto map = scratch.file("costs.csv", "rank,factor\n5,3\n");
    const std::string mapped = "run " + kSmall + "--set heterogeneity.map=" + quoted(map);
    const json result = json_of(mapped);
    CHECK(result.at("time_s").get<double>() > json_of("run " + kSmall).at("time_s").get<double>());
    CHECK(result.at("context").at("inputs").contains(map.string()));
    CHECK(json_of(mapped + " --replay full").at("digest") == result.at("digest"));
}

TEST_CASE("an ensemble has the times of its seeds, one by one, and the result of the first") {
    const json result = json_of(kNoisy + "--set seed=5 --seeds 3");
    const json& times = result.at("ensemble").at("times_s");
    REQUIRE(times.size() == 3);
    for (std::size_t k = 0; k < 3; ++k) {
        CAPTURE(k);
        CHECK(times[k] == time_of(kNoisy + "--set seed=" + std::to_string(5 + k)));
    }
    CHECK(result.at("time_s") == times[0]);
    CHECK(result.at("context").at("seed") == 5);
}

TEST_CASE("an ensemble is the same to the last digit on any number of threads, and has their allocation") {
    const json one = json_of(kNoisy + "--seeds 4 --threads 1");
    const json nine = json_of(kNoisy + "--seeds 4 --threads 9");
    CHECK(timeless(nine) == timeless(one));
    CHECK(nine.at("ensemble").at("at_once") == 4);
    CHECK(nine.at("work").at("threads") == 2);
}

TEST_CASE("two threads are two threads of the program, and Ctrl-C ends all seeds with how many were done") {
    Child child(endless_ensemble());
    std::this_thread::sleep_for(kUnderWay);
    CHECK(child.threads() == 2);
    child.send(SIGINT);
    const Outcome outcome = child.end();
    CHECK(outcome.status == 130);
    CHECK(holds(outcome.err, "interrupted after "));
    CHECK(holds(outcome.err, ", 0 of 4 runs done"));
}

TEST_CASE("on a terminal it is reported how many seeds are done, and how far all are") {
    OnTerminal terminal(endless_ensemble());
    const std::string line = terminal.read_until(" left");
    CHECK(holds(line, " %, 0 of 4 runs done, "));
    terminal.type("\x03");
    CHECK(holds(terminal.read_until("runs done\r\n"), " \rinterrupted after "));
}

TEST_CASE("a deadlock of all seeds is reported once, as that of a single run is") {
    const OwnModel circle(iterating("recv from west recv from east send 8B to west send 8B to east compute 1us"),
                          "{columns: 2, rows: 1}", "noise: {cv: 0.1}\n");
    const Outcome single = invoke("run " + circle.argument());
    const Outcome many = invoke("run " + circle.argument() + "--seeds 4 --threads 2");
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
    const Outcome outcome = invoke(slow + " --seeds 30 --threads 2");
    CHECK(outcome.status == 2);
    const std::string fault = "a compute block takes longer than 6.7 days with noise and the speed of its rank (seed ";
    REQUIRE(holds(outcome.err, fault));
    const int first = std::stoi(outcome.err.substr(outcome.err.find(fault) + fault.size()));
    REQUIRE(first > 0);
    CHECK(invoke(slow + fmt::format(" --set seed={}", first)).status == 2);
    CHECK(invoke(slow + fmt::format(" --set seed={}", first - 1)).status == 0);
}

TEST_CASE("samples of an uncertain value give a spread, on any number of threads; the run itself takes the value") {
    const json one = json_of(kUncertain + "--samples 6");
    const json two = json_of(kUncertain + "--samples 6 --threads 2");
    CHECK(one.at("ensemble").at("samples") == 6);
    CHECK(one.at("ensemble").at("sd_s") > 0.0);
    CHECK(one.at("ensemble").at("times_s") == two.at("ensemble").at("times_s"));
    CHECK(one.at("interval_s").at(0) < one.at("ensemble").at("mean_s"));
    CHECK(one.at("time_s") == time_of("run " + kSmall + "--set parameters.wg=0.866us"));
}

TEST_CASE("a closed form's deviation by first order is the spread of samples without noise") {
    const json formula = json_of(kUncertain + "--engine analytic");
    const double time = formula.at("time_s");
    const double sigma = formula.at("one_sigma_s").at(1).get<double>() - time;
    CHECK(formula.at("one_sigma_s").at(0).get<double>() == approx(time - sigma));
    // The deviation of 100 samples is itself uncertain by 1 / sqrt(2 * 99) = 7 %; two of these, and the cut at three
    // deviations, which takes 1.4 %, make 16 %.
    const json samples = json_of(kUncertain + "--samples 100");
    CHECK(std::abs(sigma / samples.at("ensemble").at("sd_s").get<double>() - 1.0) < 0.16);
    CHECK_FALSE(json_of("run " + kSmall + "--engine analytic").contains("one_sigma_s"));
    CHECK(holds(invoke(kUncertain + "--engine analytic").out, "one sigma "));
}

// Valgrind computes long double with 64 bits, so draws must not use it. The sanitizers check the memory.
TEST_CASE("under valgrind an ensemble runs without a fault, to the same interval") {
    const std::string arguments = "run " + kSmall + "--set iterations=1 --set noise.cv=0.05 --seeds 2 --json -";
    const Outcome outcome =
        run_in(kRoot, fmt::format("valgrind --quiet --tool=none {} {}", quoted(WARPFRONT_PROGRAM), arguments));
    CAPTURE(outcome.err);
    REQUIRE(outcome.status == 0);
    const json ensemble = json::parse(outcome.out).at("ensemble");
    const json natively = json::parse(invoke(arguments).out).at("ensemble");
    CHECK(ensemble.at("times_s") == natively.at("times_s"));
    CHECK(ensemble.at("ci95_s") == natively.at("ci95_s"));
}
