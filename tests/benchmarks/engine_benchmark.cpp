// Messages per second of the event engine on the shape of the main job: Sweep3D's eight sweeps on XT4 figures, tile
// messages above the handshake threshold, full replay, one thread. The counter `messages` is the rate.
// Run: build/tests/engine_benchmark
#include <benchmark/benchmark.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/fixtures.hpp"

namespace {

using namespace warpfront;
using namespace warpfront::test;

/// XT4 figures (Mudalige 2009, section 4.3) without extra latency per hop.
machine::Machine xt4(RankGrid grid, machine::Patch patch, bool bus) {
    machine::Machine machine = simple_machine(grid, patch, bus);
    machine::ProfileRow eager{.up_to = Bytes{1024}, .protocol = machine::Protocol::eager, .o_send = {3'850'000},
                              .o_recv = {3'850'000}, .L = {360'000}, .G = {0.4e-9}, .G_recv = {}, .holds_bus = bus};
    machine::ProfileRow handshake = eager;
    handshake.up_to.reset();
    handshake.protocol = machine::Protocol::handshake;
    machine::ProfileRow dma{.up_to = {}, .protocol = machine::Protocol::eager, .o_send = {3'770'000},
                            .o_recv = {1'980'000}, .L = {}, .G = {}, .G_recv = {0.091e-9}, .holds_bus = false};
    machine.layers = {machine::Profile{dma}, machine::Profile{dma}, machine::Profile{eager, handshake}};
    if (bus) machine.bus = machine::Bus{.o_dma = {1'790'000}, .G_dma = {0.091e-9}};
    return machine;
}

void sweeps(benchmark::State& state, machine::Patch patch, bool bus, std::int64_t bytes) {
    const auto side = static_cast<std::uint32_t>(state.range(0));
    const RankGrid grid{side, static_cast<std::uint32_t>(state.range(1))};
    const auto program = wavefront({.grid = grid, .tiles = state.range(2), .work = 106'000'000, .bytes = bytes,
                                    .starts = {3, 3, 1, 1, 2, 2, 0, 0}, .allreduces = 2});
    const auto machine = xt4(grid, patch, bus);
    std::uint64_t messages = 0;
    std::uint64_t bytes_held = 0;
    for (auto _ : state) {
        const engine::Record record = engine::run(program, machine, {engine::Replay::full});
        messages += record.work->messages_replayed;
        bytes_held = record.work->state_bytes;
    }
    state.counters["messages"] = benchmark::Counter(static_cast<double>(messages), benchmark::Counter::kIsRate);
    state.counters["bytes_per_rank"] = static_cast<double>(bytes_held) / static_cast<double>(grid.ranks());
}

void two_cores_bus(benchmark::State& state) { sweeps(state, {2, 1}, true, 1536); }
void one_core_unshared_handshake(benchmark::State& state) { sweeps(state, {1, 1}, false, 1536); }
void one_core_unshared_eager(benchmark::State& state) { sweeps(state, {1, 1}, false, 768); }

BENCHMARK(two_cores_bus)->Args({128, 128, 50})->Args({512, 256, 10})->Unit(benchmark::kMillisecond);
BENCHMARK(one_core_unshared_handshake)->Args({128, 128, 50})->Unit(benchmark::kMillisecond);
BENCHMARK(one_core_unshared_eager)->Args({128, 128, 50})->Unit(benchmark::kMillisecond);

}  // namespace
