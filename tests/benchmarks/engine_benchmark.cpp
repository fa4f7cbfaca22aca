// Messages per second of the event engine on the shape of the main job: Sweep3D's sweeps on XT4 numbers, full replay,
// no collectives. The first case is the XT4 as shipped; the others are special cases with tile messages above the
// rendezvous threshold. The counter `messages` is the rate, `bytes_per_rank` the engine's state.
// Run: build/tests/engine_benchmark; compare with `bare_loop` and `plain_engine` of the same run, since hosts differ
// and are shared.
#include <benchmark/benchmark.h>

#include "simulator/engine/engine.hpp"
#include "tests/benchmarks/bare_loop.hpp"
#include "tests/benchmarks/plain_engine.hpp"
#include "tests/benchmarks/xt4.hpp"

namespace {

using namespace warpfront;
using namespace warpfront::test;

constexpr std::int64_t kWork = 106'000'000;

/// Returns the grid. Arguments: columns, rows, tiles, threads.
RankGrid grid_of(const benchmark::State& state) {
    return {static_cast<std::uint32_t>(state.range(0)), static_cast<std::uint32_t>(state.range(1))};
}

void sweeps(benchmark::State& state, const machine::Machine& machine, std::int64_t bytes,
            const variation::Noise& noise = {}) {
    const RankGrid grid = grid_of(state);
    const auto program = wavefront(
        {.grid = grid, .tiles = state.range(2), .work = kWork, .bytes = bytes, .starts = {3, 3, 1, 1, 2, 2, 0, 0}});
    std::uint64_t messages = 0;
    double seconds = 0.0;
    std::uint64_t bytes_held = 0;
    for (auto _ : state) {
        const record::Record record = engine::run(
            program, machine,
            {.replay = engine::Replay::full, .threads = static_cast<unsigned>(state.range(3)), .noise = noise});
        messages += record.work->messages_replayed;
        seconds += record.work->wall_s;
        bytes_held = record.work->state_bytes.value();
    }
    state.counters["messages"] = static_cast<double>(messages) / seconds;
    state.counters["bytes_per_rank"] = static_cast<double>(bytes_held) / static_cast<double>(grid.ranks());
}

void as_shipped(benchmark::State& state) { sweeps(state, xt4_as_shipped(grid_of(state)), 1536, noise_as_shipped()); }
void everything_shared(benchmark::State& state) {
    sweeps(state, xt4(grid_of(state), {2, 1}, Shared::everything), 1536);
}
/// Runs with noise in every block.
void noisy(benchmark::State& state) {
    sweeps(state, xt4(grid_of(state), {2, 1}, Shared::everything), 1536,
           {.cv = 0.073, .jitter = {4'831'000}, .repeats_after = 1});
}
void bus_shared(benchmark::State& state) { sweeps(state, xt4(grid_of(state), {2, 1}, Shared::bus), 1536); }
void unshared_rendezvous(benchmark::State& state) { sweeps(state, xt4(grid_of(state), {1, 1}, Shared::nothing), 1536); }
void unshared_eager(benchmark::State& state) { sweeps(state, xt4(grid_of(state), {1, 1}, Shared::nothing), 768); }

constexpr BareCosts kRendezvous{3'850'000, 360'000, 360'000 + 614'400, kWork};
constexpr BareCosts kEager{3'850'000, 360'000, 360'000 + 307'200, kWork};

template <typename Run>
void bare(benchmark::State& state, BareCosts costs, const Run& run) {
    BareSweeps sweeps(128, 128, costs);
    std::uint64_t messages = 0;
    for (auto _ : state) messages += run(sweeps);
    benchmark::DoNotOptimize(sweeps.last());
    state.counters["messages"] = benchmark::Counter(static_cast<double>(messages), benchmark::Counter::kIsRate);
}

void bare_loop_rendezvous(benchmark::State& state) {
    bare(state, kRendezvous, [](BareSweeps& sweeps) { return sweeps.rendezvous(50); });
}
void bare_loop_eager(benchmark::State& state) {
    bare(state, kEager, [](BareSweeps& sweeps) { return sweeps.eager(50); });
}

/// Runs the plain engine with a bus for each rank. Arguments: columns, rows, tiles.
void plain_engine(benchmark::State& state) {
    PlainSweeps sweeps(static_cast<std::uint32_t>(state.range(0)), static_cast<std::uint32_t>(state.range(1)),
                       kRendezvous, 1'790'000 + 1536 * 91);
    std::uint64_t messages = 0;
    for (auto _ : state) messages += sweeps.run(state.range(2));
    benchmark::DoNotOptimize(sweeps.last());
    state.counters["messages"] = benchmark::Counter(static_cast<double>(messages), benchmark::Counter::kIsRate);
}

BENCHMARK(as_shipped)
    ->Args({32, 32, 500, 1})
    ->Args({128, 128, 50, 1})
    ->Args({128, 128, 50, 2})
    ->Args({512, 256, 20, 1})
    ->Args({512, 256, 20, 2})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(bare_loop_rendezvous)->Unit(benchmark::kMillisecond);
BENCHMARK(bare_loop_eager)->Unit(benchmark::kMillisecond);
BENCHMARK(plain_engine)
    ->Args({128, 128, 50})
    ->Args({512, 256, 50})
    ->Args({1024, 1024, 10})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(unshared_rendezvous)->Args({128, 128, 50, 1})->Unit(benchmark::kMillisecond);
BENCHMARK(unshared_eager)->Args({128, 128, 50, 1})->Unit(benchmark::kMillisecond);
BENCHMARK(bus_shared)->Args({128, 128, 50, 1})->Unit(benchmark::kMillisecond);
BENCHMARK(everything_shared)
    ->Args({32, 32, 500, 1})
    ->Args({128, 128, 50, 1})
    ->Args({128, 128, 50, 2})
    ->Args({512, 256, 20, 1})
    ->Args({512, 256, 20, 2})
    ->Args({1024, 1024, 10, 1})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(noisy)->Args({128, 128, 50, 1})->Unit(benchmark::kMillisecond);

}  // namespace
