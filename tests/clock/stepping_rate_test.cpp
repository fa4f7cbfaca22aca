// The cost of simulating a program: Sweep3D from its PSL model and the same program in C++, requests and blocking
// messages, and sweeps as users run them against a plain engine. The two run in turns, and the fastest runs of each are
// compared, in processor time. Other programs on the host only slow a run down, so more turns are taken while the
// expected share is not reached.
#include <doctest/doctest.h>

#include <algorithm>
#include <ctime>

#include "tests/benchmarks/plain_engine.hpp"
#include "tests/benchmarks/sweep3d.hpp"
#include "tests/benchmarks/xt4.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

constexpr RankGrid kGrid{48, 48};
constexpr std::int64_t kTiles = 15;

constexpr int kFewestTurns = 3;
constexpr int kMostTurns = 12;

struct Rates {
    double a = 0.0;  // messages per second
    double b = 0.0;
};

/// Returns the highest rate of each, measured in turns.
template <typename RateOfA, typename RateOfB>
Rates compared(double expected_share, RateOfA rate_of_a, RateOfB rate_of_b) {
    Rates rates;
    for (int turn = 0; turn < kFewestTurns || (turn < kMostTurns && rates.a <= expected_share * rates.b); ++turn) {
        rates.a = std::max(rates.a, rate_of_a());
        rates.b = std::max(rates.b, rate_of_b());
    }
    return rates;
}

double rate(const program::Program& program, const machine::Machine& machine) {
    const record::Work work = stepped(program, machine).work.value();
    return static_cast<double>(work.messages_replayed) / work.cpu_s;
}

Rates compared(double expected_share, const program::Program& a, const program::Program& b) {
    const machine::Machine machine = xt4(kGrid, {2, 1}, Shared::everything);
    return compared(
        expected_share, [&] { return rate(a, machine); }, [&] { return rate(b, machine); });
}

}  // namespace

TEST_CASE("Sweep3D from its PSL model steps as fast as the same program built in C++, within a tenth") {
    const program::Program psl = sweep3d_of_psl(kGrid, kTiles);
    const program::Program cpp = sweep3d_of_cpp(kGrid, kTiles);
    // Without shared resources, because requests of one time are granted by the numbers of statements, which differ.
    const machine::Machine unshared = xt4(kGrid, {1, 1}, Shared::nothing);
    CHECK(stepped(psl, unshared).rank_finish == stepped(cpp, unshared).rank_finish);
    const Rates rates = compared(0.9, psl, cpp);
    CHECK(rates.a > 0.9 * rates.b);
}

TEST_CASE("requests step at half the rate of blocking messages or more") {
    const Rates rates = compared(0.5, sweep3d_of_requests(kGrid, kTiles), sweep3d_of_psl(kGrid, kTiles));
    CHECK(rates.a > 0.5 * rates.b);
}

TEST_CASE("sweeps on the XT4 as it is shipped step at 0.42 of a plain engine's rate or more") {
    // On an Intel Xeon 0.78 is usual, g++ 12. When it was 0.72 there, it was 0.56 on an AMD EPYC: a loss by a quarter
    // of the latter fails.
    constexpr double kShare = 0.42;
    constexpr RankGrid grid{128, 128};
    constexpr std::int64_t tiles = 10;
    const program::Program program =
        wavefront({.grid = grid, .tiles = tiles, .work = 106 * us, .bytes = 1536, .starts = {3, 3, 1, 1, 2, 2, 0, 0}});
    const machine::Machine machine = xt4_as_shipped(grid);
    PlainSweeps plain(grid.columns, grid.rows, {3'850'000, 360'000, 360'000 + 614'400, 106 * us},
                      1'790'000 + 1536 * 91);
    const auto rate_as_shipped = [&] {
        const record::Work work =
            engine::run(program, machine, {.replay = engine::Replay::full, .noise = noise_as_shipped()}).work.value();
        return static_cast<double>(work.messages_replayed) / work.cpu_s;
    };
    const auto rate_of_plain = [&] {
        const std::clock_t began = std::clock();
        const std::uint64_t messages = plain.run(8 * tiles);
        return static_cast<double>(messages) * CLOCKS_PER_SEC / static_cast<double>(std::clock() - began);
    };
    const Rates rates = compared(kShare, rate_as_shipped, rate_of_plain);
    CAPTURE(rates.a);
    CAPTURE(rates.b);
    CHECK(rates.a > kShare * rates.b);
}
