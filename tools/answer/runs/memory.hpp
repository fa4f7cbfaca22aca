// The memory that this host has available for a run. A run that needs more is an error.
//
// The available memory is the minimum of three values: MemAvailable of the kernel; the rest below the limit of each
// memory cgroup of this process, not counting caches that can be dropped; and the rest below the limit of the address
// space (ulimit -v).
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

/// Returns the memory for the finish times of all ranks, which are kept after a run.
Bytes memory_of_record(const Experiment& prepared);

/// Returns the memory that the event engine needs for the run, including its record.
Bytes memory_of_run(const Experiment& prepared, const engine::Options& options);

/// Returns the memory for queued messages: nine tenths of what a run that needs `needed` leaves.
Bytes memory_for_queues(Bytes available, Bytes needed);

/// Throws BadInput (too_little_memory) with both values, at `range`, if `needed` exceeds `available`.
void refuse_beyond(Bytes available, Bytes needed, const input::SourceRange& range);

/// The memory that concurrent runs share. Several threads may use one object.
class MemoryBudget {
public:
    explicit MemoryBudget(Bytes available) : available_(available) {}

    /// The memory that one run has taken. The destructor returns it.
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
    /// Waits until `needed` is free, and takes it. Throws BadInput like `refuse_beyond` if `needed` exceeds the whole
    /// budget.
    Share take(Bytes needed, const input::SourceRange& range);

private:
    void give_back(Bytes needed);

    const Bytes available_;
    Bytes taken_{};
    std::mutex mutex_;
    std::condition_variable freed_;
};

}  // namespace warpfront::tools
