// A run with a progress monitor: the times and the contents of its reports, and how it stops the run.
#include "simulator/engine/parallel/progress_monitor.hpp"
#include "simulator/engine/parallel/faster_way.hpp"

#include <atomic>
#include <thread>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/estimate.hpp"
#include "simulator/engine/parallel/thread_team.hpp"
#include "tests/approx.hpp"
#include "tests/engine/fixtures.hpp"

using engine::Progress;
using engine::ProgressMonitor;
using engine::Replay;
using Decision = ProgressMonitor::Decision;
using namespace warpfront::engine;
using namespace std::chrono_literals;
using Way = FasterWay::Way;

namespace {

constexpr ProgressMonitor::Clock::duration kAtOnce{0};

constexpr std::int64_t kMany = 8'000;  // iterations, enough for reports even if no window ends a phase

/// Returns sweeps with 12 messages a tile on 3 x 3 ranks: 6 pairs in x, 6 in y.
program::Program iterated_sweeps(std::int64_t iterations) {
    return wavefront({.grid = {3, 3}, .tiles = 10, .work = 10 * us, .starts = {0, 3}, .iterations = iterations});
}

machine::Machine unshared() { return simple_machine({3, 3}); }
machine::Machine with_bus() { return simple_machine({3, 3}, {1, 1}, true); }

/// Returns a machine without latency, so without lookahead: requests are served one by one.
machine::Machine without_lookahead() {
    machine::Machine machine = with_bus();
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.L = {};
        row.G = {};
    }
    return machine;
}

std::vector<Progress> reports_of(const program::Program& program, const machine::Machine& machine, Replay replay) {
    std::vector<Progress> reports;
    ProgressMonitor monitor(
        [&](const Progress& progress) {
            reports.push_back(progress);
            return Decision::go_on;
        },
        kAtOnce);
    (void)engine::run(program, machine, {.replay = replay, .monitor = &monitor});
    return reports;
}

void stops_at_the_first_report(const machine::Machine& machine, unsigned threads = 1) {
    int reports = 0;
    ProgressMonitor monitor(
        [&](const Progress&) {
            ++reports;
            return Decision::stop;
        },
        kAtOnce);
    const engine::Options options{.replay = Replay::full, .threads = threads, .monitor = &monitor};
    CHECK_THROWS_AS(engine::run(iterated_sweeps(kMany), machine, options), engine::Interrupted);
    CHECK(reports == 1);
}

}  // namespace

TEST_CASE("messages skipped are as good as done, no more than all is ever done, and of none no share is known") {
    const auto check = [](const Progress& progress, std::uint64_t left, double done) {
        CHECK(progress.left() == left);
        CHECK(progress.done() == approx(done));
    };
    check({.stepped = 20, .skipped = 30, .all = 200}, 150, 0.25);
    check({.stepped = 150, .skipped = 51, .all = 200}, 0, 1.0);
    check({}, 0, 0.0);
}

TEST_CASE("the remaining messages follow the expectation as long as it holds") {
    CHECK(Progress{.stepped = 20, .all = 200, .expected = 50}.left_to_step() == 50 - 20);
    CHECK(Progress{.stepped = 20, .skipped = 170, .all = 200, .expected = 50}.left_to_step() == 200 - 20 - 170);
    CHECK(Progress{.stepped = 60, .all = 200, .expected = 50}.left_to_step() == 200 - 60);
}

TEST_CASE("messages of collectives count like those of the model, skipped or not") {
    const auto program =
        wavefront({.grid = {3, 3}, .tiles = 1, .work = 10 * us, .allreduces = 20, .iterations = kMany / 10});
    for (const Replay replay : {Replay::full, Replay::auto_}) {
        CAPTURE(static_cast<int>(replay));
        const std::vector<Progress> reports = reports_of(program, with_bus(), replay);
        REQUIRE_FALSE(reports.empty());
        CHECK(reports.back().all == engine::count_messages(program).all());
        CHECK(reports.back().stepped + reports.back().skipped <= reports.back().all);
        CHECK(reports.back().done() > 0.95);
    }
}

TEST_CASE("the clock is read at every 16th poll only") {
    int reports = 0;
    ProgressMonitor monitor(
        [&](const Progress&) {
            ++reports;
            return Decision::go_on;
        },
        kAtOnce);
    for (int k = 0; k < 64; ++k) monitor.poll([] { return Progress{}; });
    CHECK(reports == 64 / 16);
}

TEST_CASE("progress is not even requested before the interval has passed") {
    int asked = 0;
    ProgressMonitor monitor([](const Progress&) { return Decision::go_on; }, std::chrono::hours(1));
    for (int k = 0; k < 1000; ++k) {
        monitor.poll([&] {
            ++asked;
            return Progress{};
        });
    }
    CHECK(asked == 0);
}

TEST_CASE("a stopped run reports its progress") {
    ProgressMonitor monitor([](const Progress&) { return Decision::stop; }, kAtOnce);
    const auto poll_16_times = [&] {
        for (int k = 0; k < 16; ++k) monitor.poll([] { return Progress{.stepped = 1, .all = 8}; });
    };
    CHECK_THROWS_WITH_AS(poll_16_times(), "interrupted after 0.0 s, 12.5 % done", engine::Interrupted);
}

TEST_CASE("a run is stopped whatever orders its events") {
    stops_at_the_first_report(unshared());
    stops_at_the_first_report(with_bus());
    stops_at_the_first_report(without_lookahead());
}

TEST_CASE("a run on several threads is stopped by one report as well") {
    stops_at_the_first_report(unshared(), 3);
    stops_at_the_first_report(with_bus(), 3);
}

TEST_CASE("reports go forward, and never beyond the messages of the model") {
    for (const machine::Machine& machine : {unshared(), with_bus(), without_lookahead()}) {
        const std::vector<Progress> reports = reports_of(iterated_sweeps(kMany), machine, Replay::full);
        REQUIRE(reports.size() > 2);
        const auto earlier = [](const Progress& a, const Progress& b) {
            return std::pair(a.stepped, a.elapsed) < std::pair(b.stepped, b.elapsed);
        };
        CHECK(std::is_sorted(reports.begin(), reports.end(), earlier));
        CHECK(reports.back().all == 12 * 10 * 2 * kMany);
        CHECK(reports.back().stepped <= reports.back().all);
        CHECK(reports.back().skipped == 0);
        CHECK(reports.back().done() > 0.5);
    }
}

TEST_CASE("iterations that are skipped are reported as such") {
    // Stepped are a few of the 1000, so after the skip more than nine in ten are known.
    const std::vector<Progress> reports = reports_of(iterated_sweeps(1000), with_bus(), Replay::auto_);
    REQUIRE(!reports.empty());
    CHECK(reports.back().skipped > 12 * 10 * 2 * 900);
    CHECK(reports.back().done() <= 1.0);
    CHECK(reports.back().simulated > reports.front().simulated);
}

TEST_CASE("at the end of a run its messages are either simulated or skipped") {
    // The last report comes in the last iteration, a fortieth of the run.
    const auto program = wavefront({.grid = {3, 3},
                                    .tiles = 100,
                                    .work = 5 * us + 3,
                                    .bytes = 2000,
                                    .starts = {0, 3},
                                    .allreduces = 1,
                                    .iterations = 40});
    Progress last;
    ProgressMonitor monitor(
        [&](const Progress& progress) {
            last = progress;
            return Decision::go_on;
        },
        kAtOnce);
    const record::Record record = engine::run(program, with_bus(), {.monitor = &monitor});
    // An allreduce of 9 ranks is one message in, one back, and 8 ranks exchanging with 3 others each.
    CHECK(last.all == 12 * 100 * 2 * 40 + (1 + 1 + 8 * 3) * 40);
    CHECK(last.skipped > last.all / 2);
    CHECK(last.skipped <= last.all - record.work->messages_replayed - record.work->collective_messages_replayed);
    CHECK(last.left() < last.all / 40);
}

TEST_CASE("a run gives the same results with and without a progress monitor") {
    const record::Record alone = engine::run(iterated_sweeps(20), with_bus(), {Replay::full});
    ProgressMonitor monitor([](const Progress&) { return Decision::go_on; }, kAtOnce);
    const record::Record watched =
        engine::run(iterated_sweeps(20), with_bus(), {.replay = Replay::full, .monitor = &monitor});
    CHECK(watched.finish == alone.finish);
    CHECK(watched.rank_finish == alone.rank_finish);
}

// The processor time that a run reports: that of all its own threads, and of no others.

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

// Threads side by side or one alone: the choice of the way in which a run resumes, by the numbers of messages that each
// has simulated lately.

namespace {

/// A run of phases of 100 us in which each way simulates a given number of messages.
struct Phases {
    std::uint64_t side_by_side = 0;
    std::uint64_t alone = 0;
    FasterWay::Clock::time_point now{};
    std::uint64_t messages = 0;
    FasterWay faster{now};

    /// Returns the share of `time` that one thread simulated alone.
    double share_alone(std::chrono::nanoseconds time) {
        std::chrono::nanoseconds spent{0};
        for (const auto end = now + time; now < end;) {
            const bool is_alone = faster.way() == Way::alone;
            now += 100us;
            messages += is_alone ? alone : side_by_side;
            if (is_alone) spent += 100us;
            faster.note(now, messages);
        }
        return std::chrono::duration<double>(spent) / time;
    }
};

}  // namespace

TEST_CASE("side by side or one alone: the clearly faster resumes, the other is tried for a hundredth of the time") {
    CHECK(Phases{}.faster.way() == Way::side_by_side);
    CHECK(Phases{.side_by_side = 150, .alone = 100}.share_alone(10s) < 0.02);
    CHECK(Phases{.side_by_side = 100, .alone = 120}.share_alone(10s) < 0.02);  // the work of two trials differs as much
    CHECK(Phases{.side_by_side = 3, .alone = 100}.share_alone(10s) > 0.98);    // a thread has lost its core
}

TEST_CASE("when the other programs have ended, threads resume side by side within the longest time between trials") {
    Phases phases{.side_by_side = 3, .alone = 100};
    phases.share_alone(10s);
    phases.side_by_side = 150;
    phases.share_alone(FasterWay::kLongest + 2 * FasterWay::kTrial);
    CHECK(phases.share_alone(1s) < 0.1);
}
