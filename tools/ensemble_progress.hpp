// How far several runs of one program are together, some of them side by side.
//
//   3 of 8 runs done, 41.2 % of all, 14,900,000 messages/s, 0:42 left
//
// Every run has the same messages, so the share done is the mean over all runs, those not begun being at 0. Messages
// per second are those of all runs together. The time left is that of the messages which the runs under way have still
// to step, and of the runs not begun, taken to step as many as those that are done, or, where none is, as those under
// way are expected to. One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "simulator/engine/progress_monitor.hpp"
#include "simulator/record/record.hpp"
#include "tools/progress.hpp"

namespace warpfront::tools {

class JointProgress {
public:
    explicit JointProgress(std::uint32_t runs) : runs_(runs) {}

    /// The run `number` has come so far.
    void report(std::uint32_t number, const engine::Progress& progress) { under_way_[number] = progress; }
    /// It is done.
    void end(std::uint32_t number, const record::Work& work);

    /// "3 of 8 runs done"
    std::string runs_done() const;
    /// The line above.
    std::string describe(ProgressTeller::Seconds elapsed) const;

private:
    double share_done() const;
    std::uint64_t stepped() const;
    std::uint64_t left_to_step() const;

    std::uint32_t runs_;
    std::uint32_t done_ = 0;
    std::uint64_t stepped_by_done_ = 0;
    std::map<std::uint32_t, engine::Progress> under_way_;  // that have reported
};

}  // namespace warpfront::tools
