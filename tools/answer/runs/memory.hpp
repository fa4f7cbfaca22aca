// The memory that this host has available for a run, and the refusal of a run that needs more.
//
// The available memory is the minimum of three values: MemAvailable of the kernel; the rest below the limit of each
// memory cgroup of this process (caches that can be dropped do not count as used); the rest below the limit on the
// address space (ulimit -v).
#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>

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

/// The memory that concurrent runs share. Several threads may use it.
class MemoryBudget {
public:
    explicit MemoryBudget(Bytes available) : available_(available) {}

    /// The memory taken by one run.
    class Share {
    public:
        Share(MemoryBudget& budget, Bytes needed) : budget_(budget), needed_(needed) {}
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;
        ~Share() { budget_.give_back(needed_); }

    private:
        MemoryBudget& budget_;
        Bytes needed_;
    };

    Bytes available() const { return available_; }
    /// Waits until `needed` is free, and takes it. Throws BadInput as `refuse_beyond`, for more than the whole budget.
    Share take(Bytes needed, const input::SourceRange& range);

private:
    void give_back(Bytes needed);

    const Bytes available_;
    Bytes taken_{};
    std::mutex mutex_;
    std::condition_variable freed_;
};

}  // namespace warpfront::tools
