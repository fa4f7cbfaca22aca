#include "tools/study/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "simulator/results/formatting.hpp"

namespace warpfront::tools {

namespace {

constexpr std::size_t kBar = 24;  // characters

}  // namespace

StudyProgress::StudyProgress(std::size_t points, ProgressMode mode) : points_(points), reporter_(mode) {}

void StudyProgress::report(std::size_t point, double share) {
    const std::lock_guard hold(mutex_);
    under_way_[point] = share;
    print();
}

void StudyProgress::end(std::size_t point, bool from_store) {
    const std::lock_guard hold(mutex_);
    under_way_.erase(point);
    ++done_;
    if (from_store) ++from_store_;
    print();
}

std::size_t StudyProgress::done() const {
    const std::lock_guard hold(mutex_);
    return done_;
}

std::string StudyProgress::describe(double done, double done_before, std::size_t whole_points, std::size_t points,
                                    ProgressReporter::Seconds elapsed) {
    const double all = static_cast<double>(points);
    const auto filled = std::min(kBar, static_cast<std::size_t>(done / all * static_cast<double>(kBar)));
    std::string text =
        fmt::format("[{}{}] {:.1f} %, {} of {} points done", std::string(filled, '#'), std::string(kBar - filled, '-'),
                    100.0 * done / all, results::grouped(whole_points), results::grouped(points));
    if (done > done_before) {
        const double left = elapsed.count() / (done - done_before) * (all - done);
        const auto seconds = static_cast<std::uint64_t>(std::llround(std::min(left, 1e9)));
        text += fmt::format(", {}:{:02} left", seconds / 60, seconds % 60);
    }
    return text;
}

void StudyProgress::print() {
    const ProgressReporter::Seconds now = elapsed();
    reporter_.report(now, [&] {
        double done = static_cast<double>(done_);
        for (const auto& [point, share] : under_way_) done += share;
        return describe(done, static_cast<double>(from_store_), done_, points_, now);
    });
}

}  // namespace warpfront::tools
