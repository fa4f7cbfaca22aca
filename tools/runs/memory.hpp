// The memory that this computer has available for a run, and the refusal of a run that needs more.
//
// Available is the minimum of: MemAvailable of the kernel; what the limit of each memory cgroup of this process leaves
// (caches that can be dropped do not count as used); what the limit on the address space leaves (ulimit -v).
#pragma once

#include <filesystem>

#include "simulator/engine/engine.hpp"
#include "simulator/input/source.hpp"
#include "simulator/units/bytes.hpp"
#include "tools/experiment/experiment.hpp"

namespace warpfront::tools {

/// `root` contains /proc and /sys.
Bytes available_memory(const std::filesystem::path& root = "/");

/// The resident memory of this process, now and at its peak.
Bytes resident_memory();
Bytes peak_resident_memory();

/// The finish times of all ranks, kept after a run.
Bytes memory_of_record(const Experiment& prepared);

/// The memory of the event engine for the run, its record included.
Bytes memory_of_run(const Experiment& prepared, const engine::Options& options);

/// The memory for queued messages beyond the `needed` of a run: nine tenths of the rest.
Bytes memory_for_queues(Bytes available, Bytes needed);

/// Throws BadInput (too_little_memory) with both figures, at `range`, if `needed` exceeds `available`.
void refuse_beyond(Bytes available, Bytes needed, const input::SourceRange& range);

}  // namespace warpfront::tools
