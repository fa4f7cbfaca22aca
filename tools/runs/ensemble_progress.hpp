// The joint progress of several runs, some of them in parallel.
//
//   3 of 8 runs done, 41.2 % of all, 14,900,000 messages/s, 0:42 left
//
// The share done is the mean over all runs, as if all had the same messages, like the seeds of one program; a run that
// has not begun counts as 0.
// Messages per second are those of all runs together. The time left is that of the messages which the active runs have
// yet to step and of the runs that have not begun. The latter are assumed to step as many messages as the finished runs
// on average or, if there are none, as the active runs are expected to. For one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "simulator/engine/parallel/progress_monitor.hpp"
#include "simulator/record/record.hpp"
#include "tools/runs/progress.hpp"

namespace warpfront::tools {

class EnsembleProgress {
public:
    explicit EnsembleProgress(std::uint32_t runs) : runs_(runs) {}

    /// Records the progress of run `number`.
    void report(std::uint32_t number, const engine::Progress& progress) { under_way_[number] = progress; }
    /// Records the end of run `number`.
    void end(std::uint32_t number, const record::Work& work);

    /// "3 of 8 runs done"
    std::string runs_done() const;
    /// The line above.
    std::string describe(ProgressReporter::Seconds elapsed) const;

private:
    double share_done() const;
    std::uint64_t stepped() const;
    std::uint64_t left_to_step() const;

    std::uint32_t runs_;
    std::uint32_t done_ = 0;
    std::uint64_t stepped_by_done_ = 0;
    std::map<std::uint32_t, engine::Progress> under_way_;  // runs that have reported
};

}  // namespace warpfront::tools
