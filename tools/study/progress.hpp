// How far a study is: a bar on a terminal, a line every 30 s elsewhere (tools/runs/progress.hpp).
//
//   [########----------------] 34.2 %, 41 of 120 points done, 0:42 left
//
// Points count alike, those under way by the share that they have done. Points taken from the store count as done, and
// not for the time left. For several threads.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>

#include "tools/runs/progress.hpp"

namespace warpfront::tools {

class StudyProgress {
public:
    StudyProgress(std::size_t points, ProgressMode mode);

    /// The share that the point under way has done, from 0 to 1.
    void report(std::size_t point, double share);
    void end(std::size_t point, bool from_store);

    std::size_t done() const;
    ProgressReporter::Seconds elapsed() const { return std::chrono::steady_clock::now() - began_; }

    /// The line.
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
