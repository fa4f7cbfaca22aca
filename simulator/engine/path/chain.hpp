// A chain of events that leads from the beginning of a run to a moment: each event begins when the one before ends. Its
// parts say what the time went to, and add up to that moment.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpfront::engine {

/// What a chain's time went to; record::PathParts has the same in the same order.
enum class PathPart : std::uint8_t { compute, overhead, latency, bandwidth, bus, nic, link, memory };
inline constexpr std::size_t kPathParts = 8;

/// Since the chain's origin: an element of the machine's state at an earlier cut (critical_paths.hpp), or the beginning.
struct Chain {
    std::int64_t end = 0;  // picoseconds of virtual time, as clocks count it
    std::array<std::int64_t, kPathParts> parts{};
    std::uint32_t origin = 0;

    /// It goes on until `time`.
    void pass(std::int64_t time, PathPart part) {
        parts[static_cast<std::size_t>(part)] += time - end;
        end = time;
    }
};

}  // namespace warpfront::engine
