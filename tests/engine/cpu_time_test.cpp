// The processor time that a run says it took: that of its own threads, all of them, and of no others.
#include "simulator/engine/parallel/thread_team.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/fixtures.hpp"

using namespace warpfront;
using namespace warpfront::engine;
using namespace warpfront::test;
using namespace std::chrono_literals;

namespace {

/// Keeps the processor busy for that much of this thread's time.
void burn(std::chrono::nanoseconds time) {
    const auto until = cpu_time_of_thread() + time;
    while (cpu_time_of_thread() < until) {}
}

}  // namespace

TEST_CASE("a team reports what all but the caller took") {
    ThreadTeam team(3);
    team.work([](std::size_t member) { burn(member == 0 ? 0ms : 20ms); }, [] { return false; });
    CHECK(team.cpu_of_others() >= 40ms);
}

TEST_CASE("a team of one is the caller alone") {
    ThreadTeam team(1);
    team.work([](std::size_t) { burn(1ms); }, [] { return false; });
    CHECK(team.cpu_of_others() == 0ns);
}

TEST_CASE("a run on one thread takes no more processor time than time, whatever other threads do") {
    const RankGrid grid{16, 16};
    const program::Program program = wavefront({.grid = grid, .tiles = 1000, .work = 1'000'000});
    std::atomic<bool> stop = false;
    std::vector<std::jthread> others;
    for (int k = 0; k < 3; ++k)
        others.emplace_back([&] {
            while (!stop) {}
        });
    const record::Record record = engine::run(program, simple_machine(grid, {}, true), {.replay = Replay::full});
    stop = true;
    CHECK(record.work->cpu_s > 0.0);
    CHECK(record.work->cpu_s <= record.work->wall_s + 1e-3);
}
