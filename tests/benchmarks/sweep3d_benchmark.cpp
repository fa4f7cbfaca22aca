// Messages per second of Sweep3D from its PSL model and from the same program built in C++, and of blocking messages
// and requests, on a machine without shared resources and on one with shared buses, NICs and links. The counter
// `messages` is the rate in processor time.
// Run: build/tests/engine_benchmark --benchmark_filter=sweep3d
#include <benchmark/benchmark.h>

#include "tests/benchmarks/sweep3d.hpp"
#include "tests/benchmarks/xt4.hpp"

namespace {

using namespace warpfront;
using namespace warpfront::test;

constexpr RankGrid kGrid{64, 64};
constexpr std::int64_t kTiles = 50;

void step(benchmark::State& state, const program::Program& program, Shared shared) {
    const machine::Machine machine = xt4(kGrid, {shared == Shared::nothing ? 1U : 2U, 1}, shared);
    std::uint64_t messages = 0;
    double seconds = 0.0;
    for (auto _ : state) {
        const record::Record record = stepped(program, machine);
        messages += record.work->messages_replayed;
        seconds += record.work->cpu_s;
    }
    state.counters["messages"] = static_cast<double>(messages) / seconds;
}

void sweep3d_psl(benchmark::State& state, Shared shared) { step(state, sweep3d_of_psl(kGrid, kTiles), shared); }
void sweep3d_cpp(benchmark::State& state, Shared shared) { step(state, sweep3d_of_cpp(kGrid, kTiles), shared); }
void sweep3d_requests(benchmark::State& state, Shared shared) {
    step(state, sweep3d_of_requests(kGrid, kTiles), shared);
}

BENCHMARK_CAPTURE(sweep3d_psl, nothing_shared, Shared::nothing)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sweep3d_cpp, nothing_shared, Shared::nothing)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sweep3d_requests, nothing_shared, Shared::nothing)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sweep3d_psl, everything_shared, Shared::everything)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sweep3d_cpp, everything_shared, Shared::everything)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sweep3d_requests, everything_shared, Shared::everything)->Unit(benchmark::kMillisecond);

}  // namespace
