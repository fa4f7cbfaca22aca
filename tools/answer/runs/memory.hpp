// The memory that this host has available for a run, and the refusal of a run that needs more.
//
// The available memory is the minimum of three values: MemAvailable of the kernel; the rest below the limit of each
// memory cgroup of this process (caches that can be dropped do not count as used); the rest below the limit on the
// address space (ulimit -v).
#pragma once

#include <filesystem>

#include "simulator/engine/engine.hpp"
#include "simulator/input/source.hpp"
#include "simulator/units/bytes.hpp"
#include "tools/answer/experiment/experiment.hpp"

namespace warpfront::tools {

/// Returns the available memory. `root` contains /proc and /sys.
Bytes available_memory(const std::filesystem::path& root = "/");

/// Returns the resident memory of this process.
Bytes resident_memory();
Bytes peak_resident_memory();

/// Returns the memory of the finish times of all ranks, kept after a run.
Bytes memory_of_record(const Experiment& prepared);

/// Returns the memory of the event engine for the run, including its record.
Bytes memory_of_run(const Experiment& prepared, const engine::Options& options);

/// Returns the memory for queued messages beyond the `needed` of a run: nine tenths of the rest.
Bytes memory_for_queues(Bytes available, Bytes needed);

/// Throws BadInput (too_little_memory) with both values, at `range`, if `needed` exceeds `available`.
void refuse_beyond(Bytes available, Bytes needed, const input::SourceRange& range);

}  // namespace warpfront::tools
