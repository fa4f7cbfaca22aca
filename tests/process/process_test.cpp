// Not pinned here: the work of a worker: SimGrid's platforms (tests/loading/platform_test.cpp) and its engine
// (tests/reference).
#include <csignal>
#include <thread>

#include "simulator/process/external_program.hpp"
#include "simulator/process/module.hpp"
#include "simulator/process/worker_process.hpp"
#include "tests/preamble.hpp"

namespace warpfront::process {

namespace {

using End = Completion::End;

}  // namespace

TEST_CASE("a worker's answer comes back whole") {
    const std::string long_text(5'000'000, 'x');
    const Completion completion = run_in_worker({}, [&](Activity&) { return long_text; });
    CHECK(completion.end == End::finished);
    CHECK(completion.answer == long_text);
}

TEST_CASE("the output of a worker is logged, not shown, and truncated") {
    const Completion completion = run_in_worker({}, [](Activity&) {
        std::fputs("noise\n", stderr);
        std::fflush(stderr);
        const std::string flood(1'000'000, '.');
        std::fputs(flood.c_str(), stderr);
        return std::string("done");
    });
    CHECK(completion.answer == "done");
    CHECK(completion.log.starts_with("noise\n"));
    CHECK(completion.log.size() == Completion::kLongestLog);
}

TEST_CASE("a worker that aborts leaves its last activity") {
    const Completion completion = run_in_worker({}, [](Activity& activity) -> std::string {
        activity.say("counting");
        std::abort();
    });
    CHECK(completion.end == End::crashed);
    CHECK(completion.signal == SIGABRT);
    CHECK(completion.activity == "counting");
    CHECK(completion.answer.empty());
}

TEST_CASE("a worker that throws has crashed") {
    const Completion completion = run_in_worker({}, [](Activity&) -> std::string { throw std::runtime_error("lost"); });
    CHECK(completion.end == End::crashed);
    CHECK(completion.log == "lost");
}

TEST_CASE("a worker that exhausts memory is stopped" * doctest::skip(!kMemoryIsLimited)) {
    const Limits limits{std::uint64_t{256} << 20, std::chrono::seconds(60)};
    const Completion completion = run_in_worker(limits, [](Activity&) {
        const std::vector<char> memory(std::size_t{1} << 30, 'x');
        return std::string(1, memory.back());
    });
    CHECK(completion.end == End::out_of_memory);
}

TEST_CASE("a worker that does not end is stopped") {
    Limits limits;
    limits.time = std::chrono::milliseconds(100);
    const Completion completion = run_in_worker(limits, [](Activity&) {
        std::this_thread::sleep_for(std::chrono::minutes(10));
        return std::string();
    });
    CHECK(completion.end == End::out_of_time);
}

TEST_CASE("a worker answers requests one after another and keeps its state") {
    std::string seen;
    WorkerProcess worker({}, [&](std::string_view request, Activity&) {
        std::fputs("received\n", stdout);
        return seen += request;
    });
    CHECK(worker.call("a").answer == "a");
    const Completion second = worker.call("b");
    CHECK(second.answer == "ab");
    CHECK(second.log == "received\n");  // of this request alone
    CHECK(seen.empty());                // in this process
}

TEST_CASE("a worker that crashes on its second request has answered the first") {
    WorkerProcess worker({}, [](std::string_view request, Activity&) -> std::string {
        if (request == "abort") std::abort();
        return "fine";
    });
    CHECK(worker.call("go on").end == End::finished);
    CHECK(worker.call("abort").signal == SIGABRT);
}

TEST_CASE("a request longer than the system buffers arrives whole") {
    const std::string request(3'000'000, 'r');
    const Completion completion =
        WorkerProcess({}, [](std::string_view text, Activity&) { return std::to_string(text.size()); }).call(request);
    CHECK(completion.answer == "3000000");
}

}  // namespace warpfront::process

namespace warpfront::process {

TEST_CASE("a module that is nowhere is missing: its file is named, and where it is expected") {
    try {
        Module("warpfront_nothing");
        FAIL("loaded");
    } catch (const MissingModule& missing) {
        CHECK(std::string(missing.what()).starts_with("warpfront_nothing.so: cannot open shared object file"));
        CHECK(
            missing.remedy().starts_with("expected `warpfront_nothing.so` of the same build in the program's folder"));
    }
}

TEST_CASE("a module of the same build is loaded; a function that it lacks counts as missing") {
    const Module module("warpfront_simgrid");
    CHECK_NOTHROW(module.function<void()>("warpfront_simgrid_loader"));
    CHECK_THROWS_AS(module.function<void()>("warpfront_simgrid_dance"), MissingModule);
}

TEST_CASE("a program of the system gets input, folder and variables; its streams and how it ended come back") {
    const ScratchFolder scratch;
    std::ofstream(scratch.path() / "in") << "input";
    const Outcome outcome = run_external({.words = {"sh", "-c", "cat; pwd; echo $WORD >&2; exit 3"},
                                          .folder = scratch.path(),
                                          .input = scratch.path() / "in",
                                          .variables = {{"WORD", "set"}}});
    CHECK(outcome.status == 3);
    CHECK(outcome.out == "input" + scratch.path().string() + "\n");
    CHECK(outcome.err == "set\n");
    CHECK(outcome.not_started.empty());
    CHECK(run_external({.words = {"sh", "-c", "kill -SEGV $$"}}).status == 128 + SIGSEGV);
    const Outcome missing = run_external({.words = {"no-such-program"}});
    CHECK(missing.status == 127);
    CHECK(missing.not_started == "No such file or directory");
}

TEST_CASE("a program is found as a shell finds it") {
    CHECK(find_program("sh"));
    CHECK(find_program("/bin/sh") == std::filesystem::path("/bin/sh"));
    CHECK(!find_program("no-such-program"));
    CHECK(!find_program("/etc/passwd"));  // cannot be run
}

}  // namespace warpfront::process
