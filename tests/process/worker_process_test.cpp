#include <doctest/doctest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include "simulator/process/worker_process.hpp"

namespace warpfront::process {

namespace {

using End = Outcome::End;

}  // namespace

TEST_CASE("a child's answer comes back whole") {
    const std::string long_text(5'000'000, 'x');
    const Outcome outcome = run_in_child({}, [&](Doing&) { return long_text; });
    CHECK(outcome.end == End::finished);
    CHECK(outcome.answer == long_text);
}

TEST_CASE("what a child prints is logged, not shown, and cut") {
    const Outcome outcome = run_in_child({}, [](Doing&) {
        std::fputs("noise\n", stderr);
        std::fflush(stderr);
        const std::string flood(1'000'000, '.');
        std::fputs(flood.c_str(), stderr);
        return std::string("done");
    });
    CHECK(outcome.answer == "done");
    CHECK(outcome.log.starts_with("noise\n"));
    CHECK(outcome.log.size() == Outcome::kLongestLog);
}

TEST_CASE("a child that aborts says what it was doing") {
    const Outcome outcome = run_in_child({}, [](Doing& doing) -> std::string {
        doing.say("counting");
        std::abort();
    });
    CHECK(outcome.end == End::crashed);
    CHECK(outcome.signal == SIGABRT);
    CHECK(outcome.doing == "counting");
    CHECK(outcome.answer.empty());
}

TEST_CASE("a child that throws has crashed") {
    const Outcome outcome = run_in_child({}, [](Doing&) -> std::string { throw std::runtime_error("lost"); });
    CHECK(outcome.end == End::crashed);
    CHECK(outcome.log == "lost");
}

TEST_CASE("a child that eats memory is stopped" * doctest::skip(!kMemoryIsLimited)) {
    const Limits limits{std::uint64_t{256} << 20, std::chrono::seconds(60)};
    const Outcome outcome = run_in_child(limits, [](Doing&) {
        const std::vector<char> feast(std::size_t{1} << 30, 'x');
        return std::string(1, feast.back());
    });
    CHECK(outcome.end == End::out_of_memory);
}

TEST_CASE("a child that does not end is stopped") {
    Limits limits;
    limits.time = std::chrono::milliseconds(100);
    const Outcome outcome = run_in_child(limits, [](Doing&) {
        std::this_thread::sleep_for(std::chrono::minutes(10));
        return std::string();
    });
    CHECK(outcome.end == End::out_of_time);
}

}  // namespace warpfront::process
