// Runs the points of a study, several at a time. The results depend neither on how many run at a time nor on which are
// taken from the store.
//
// Points begin in their order. Each is prepared and run on its own thread; a run of the event engine begins once its
// memory fits beside that of the other runs. If there are fewer points than jobs, a run has several threads.
//
// Several processes may run one study. Each runs the points that no other process has claimed (point_store.hpp). In the
// end `run_points` waits for the points of the others, and runs those whose process has died.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/units/bytes.hpp"
#include "tools/answer/runs/progress.hpp"
#include "tools/study/plan.hpp"
#include "tools/study/point_store.hpp"
#include "tools/study/points.hpp"

namespace warpfront::tools {

struct StudyRuns {
    std::vector<PointResult> results;  // by position in the list of points
    std::size_t taken_from_store = 0;
};

/// One process's share of the host, if several processes work on the study.
struct StudyShare {
    unsigned jobs = 1;         // points at a time
    unsigned of_computer = 1;  // number of processes that share the host's memory
};

/// Runs points. A run that fails leaves its fault in the point's result, which is not stored, and the others continue.
/// Throws BadInput for the first point of the list that has a fault, and engine::Interrupted; points that are
/// finished by then are in the store.
StudyRuns run_points(const StudyPlan& plan, const scenario::ScenarioDocument& base,
                     const std::vector<std::size_t>& points, StudyShare share, const PointStore& store,
                     ProgressMode mode);

/// Runs the points that no other process has claimed. It leaves points that fail to the process that calls
/// `run_points`.
void run_unclaimed_points(const StudyPlan& plan, const scenario::ScenarioDocument& base,
                          const std::vector<std::size_t>& points, StudyShare share, const PointStore& store);

// The memory that concurrent runs share. A run takes the memory that it needs before it begins, and waits until that
// much is free. A run that needs more than the whole budget is refused. Several threads may use it.

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

    /// Waits for the memory. Throws BadInput (too_little_memory), at `range`, if `needed` exceeds the whole budget.
    Share take(Bytes needed, const input::SourceRange& range);

private:
    void give_back(Bytes needed);

    const Bytes available_;
    Bytes taken_{};
    std::mutex mutex_;
    std::condition_variable freed_;
};

// The progress of a study: a bar on a terminal, a line every 30 s elsewhere (tools/answer/runs/progress.hpp).
//
//   [########----------------] 34.2 %, 41 of 120 points done, 0:42 left
//
// All points have the same weight; points under way count by the share that they have done. Points taken from the store
// count as done, but not for the time left. Several threads may use it.

class StudyProgress {
public:
    StudyProgress(std::size_t points, ProgressMode mode);

    /// Reports the share that the point under way has done, from 0 to 1.
    void report(std::size_t point, double share);
    void end(std::size_t point, bool from_store);

    std::size_t done() const;
    ProgressReporter::Seconds elapsed() const { return std::chrono::steady_clock::now() - began_; }

    /// Formats the progress line.
    static std::string describe(double done, double done_before, std::size_t whole_points, std::size_t points,
                                ProgressReporter::Seconds elapsed);

private:
    void print();

    const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    mutable std::mutex mutex_;
    std::size_t points_;
    std::size_t done_ = 0;
    std::size_t from_store_ = 0;
    std::map<std::size_t, double> under_way_;
    ProgressReporter reporter_;
};

}  // namespace warpfront::tools
