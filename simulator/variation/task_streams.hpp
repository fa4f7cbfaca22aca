// Streams of tasks. In a run of task lists the draws of a block are keyed by the task's stream in place of a wave
// (noise.hpp), and by the number of its step in place of an instruction. A stream depends on the list and the place of
// the task, and on those of the enclosing tasks; not on the time, nor on other workers.
#pragma once

#include <cstdint>

#include "simulator/units/wave.hpp"

namespace warpfront::variation {

/// Returns a stream within another (the finaliser of SplitMix64, Steele, Lea & Flood 2014).
constexpr std::uint64_t stream_within(std::uint64_t stream, std::uint64_t number) {
    std::uint64_t x = stream * 0x9e3779b97f4a7c15ULL + number + 1;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
}

/// Returns a list's stream; `around` is that of the enclosing task, or 0.
constexpr std::uint64_t list_stream(std::uint64_t around, std::uint32_t list) {
    return stream_within(around, std::uint64_t{list} + 1);
}

constexpr std::uint64_t task_stream(std::uint64_t list, std::int64_t place) {
    return stream_within(list, static_cast<std::uint64_t>(place));
}

/// Returns the wave that stands for a task's stream in the key.
constexpr std::uint64_t wave_of_stream(std::uint64_t task) { return task & ((std::uint64_t{1} << kWaveBits) - 1); }

}  // namespace warpfront::variation
