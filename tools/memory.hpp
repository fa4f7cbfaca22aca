// How much memory this computer has left for a run, and the refusal of a run that needs more.
//
// Available is the least of: what the kernel says is available (MemAvailable), what the limit of each memory cgroup
// above this process leaves (caches that can be dropped do not count as used), what the limit on this process' address
// space leaves (ulimit -v).
#pragma once

#include <filesystem>

#include "simulator/engine/engine.hpp"
#include "simulator/input/source.hpp"
#include "simulator/units/bytes.hpp"
#include "tools/experiment.hpp"

namespace warpfront::tools {

/// Bytes that may still be taken; `root` holds /proc and /sys.
Bytes available_memory(const std::filesystem::path& root = "/");

/// What this process has in memory now, and the most it ever had.
Bytes resident_memory();
Bytes peak_resident_memory();

/// The finish times of all ranks, kept after a run.
Bytes memory_of_record(const Experiment& prepared);

/// What the event engine will take for the run, its record included.
Bytes memory_of_run(const Experiment& prepared, const engine::Options& options);

/// What messages that wait may take, beyond the `needed` of a run: nine tenths of what is left.
Bytes memory_for_queues(Bytes available, Bytes needed);

/// Throws BadInput (too_little_memory) with both figures, at `place`, where a run needs more than there is.
void refuse_beyond(Bytes available, Bytes needed, const input::SourceRange& place);

}  // namespace warpfront::tools
