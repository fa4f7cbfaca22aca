#include "simulator/engine/parallel/progress_monitor.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace warpfront::engine {

std::uint64_t Progress::left() const {
    const std::uint64_t known = stepped + skipped;
    return all - std::min(all, known);
}

std::uint64_t Progress::left_to_step() const {
    return stepped < expected ? std::min(left(), expected - stepped) : left();
}

double Progress::done() const { return all == 0 ? 0.0 : 1.0 - static_cast<double>(left()) / static_cast<double>(all); }

Interrupted::Interrupted(const Progress& progress)
    : std::runtime_error(fmt::format("interrupted after {:.1f} s, {:.1f} % done", progress.elapsed.count(),
                                     100.0 * progress.done())) {}

ProgressMonitor::ProgressMonitor(Report report, Clock::duration interval)
    : report_(std::move(report)), interval_(interval), began_(Clock::now()), next_(began_ + interval) {}

void ProgressMonitor::report(Progress progress, Clock::time_point now) {
    next_ = now + interval_;
    progress.elapsed = now - began_;
    if (report_(progress) == Decision::stop) throw Interrupted(progress);
}

}  // namespace warpfront::engine
