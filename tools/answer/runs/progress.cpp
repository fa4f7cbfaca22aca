#include "tools/answer/runs/progress.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "simulator/results/formatting.hpp"
#include "tools/answer/runs/interrupt.hpp"

namespace warpfront::tools {

namespace {

using Seconds = ProgressReporter::Seconds;

constexpr Seconds kLongestLeft{365.25 * 86400};  // a longer time is not shown
constexpr std::size_t kBar = 24;                 // number of characters of the bar

/// Formats a time such as "0:42" or "1:02:03".
std::string clock_time(Seconds time) {
    const auto seconds = static_cast<std::uint64_t>(std::llround(time.count()));
    const std::uint64_t minutes = seconds / 60;
    if (minutes < 60) return fmt::format("{}:{:02}", minutes, seconds % 60);
    return fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, seconds % 60);
}

}  // namespace

ProgressMode progress_mode() {
    if (!spdlog::should_log(spdlog::level::info)) return ProgressMode::nothing;
    return ::isatty(STDERR_FILENO) == 1 ? ProgressMode::line : ProgressMode::heartbeat;
}

std::string pace(std::uint64_t stepped, std::uint64_t left_to_step, std::uint64_t left, Seconds elapsed,
                 std::string_view unit) {
    const double rate = static_cast<double>(stepped) / std::max(elapsed.count(), 1e-9);
    std::string text = fmt::format("{} {}/s", results::grouped(static_cast<std::uint64_t>(rate)), unit);
    if (stepped == 0) return text;
    const auto takes = [rate](std::uint64_t messages) { return Seconds{static_cast<double>(messages) / rate}; };
    if (takes(left) >= kLongestLeft) return text + ", time left not known yet";
    text += fmt::format(", {} left", clock_time(takes(left_to_step)));
    if (left > left_to_step) text += fmt::format(" if iterations recur, {} if not", clock_time(takes(left)));
    return text;
}

std::string describe(const engine::Progress& progress) {
    return fmt::format(
        "{:.3f}s simulated, {:.1f} % done, {}", seconds(progress.simulated), 100.0 * progress.done(),
        pace(progress.stepped, progress.left_to_step(), progress.left(), progress.elapsed, progress.unit));
}

ProgressReporter::ProgressReporter(ProgressMode mode, std::FILE* stream, std::size_t width)
    : mode_(mode),
      stream_(stream),
      width_(width),
      next_(mode == ProgressMode::line ? kBetweenLines : kBetweenHeartbeats) {}

ProgressReporter::~ProgressReporter() {
    if (shown_ == 0) return;
    rewrite("");
    std::fputc('\r', stream_);
    std::fflush(stream_);
}

void ProgressReporter::report(const engine::Progress& progress) {
    report(progress.elapsed, [&progress] { return describe(progress); });
}

void ProgressReporter::report(Seconds elapsed, const std::function<std::string()>& describe) {
    if (mode_ == ProgressMode::nothing || elapsed < next_) return;
    if (mode_ == ProgressMode::line) {
        rewrite(describe());
        next_ = elapsed + kBetweenLines;
    } else {
        spdlog::info("running for {}: {}", clock_time(elapsed), describe());
        next_ = elapsed + kBetweenHeartbeats;
    }
}

/// Writes the line again. Spaces overwrite the rest of a longer line.
void ProgressReporter::rewrite(std::string text) {
    text.resize(std::min(text.size(), width_));
    const std::size_t shown = text.size();
    text.resize(std::max(shown, shown_), ' ');
    fmt::print(stream_, "\r{}", text);
    std::fflush(stream_);
    shown_ = shown;
}

std::size_t ProgressReporter::terminal_width() {
    winsize size{};
    const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return known ? size.ws_col - 1U : 79U;
}

engine::ProgressMonitor monitor_for(ProgressReporter& reporter) {
    return engine::ProgressMonitor([&reporter](const engine::Progress& progress) {
        reporter.report(progress);
        return interrupted() ? engine::ProgressMonitor::Decision::stop : engine::ProgressMonitor::Decision::go_on;
    });
}

JointProgress::JointProgress(std::size_t runs, std::string_view unit, ProgressMode mode)
    : runs_(runs), unit_(unit), reporter_(mode) {}

void JointProgress::report(std::size_t run, double share) {
    const std::lock_guard hold(mutex_);
    under_way_[run] = share;
    print();
}

void JointProgress::end(std::size_t run, bool found) {
    const std::lock_guard hold(mutex_);
    under_way_.erase(run);
    ++done_;
    if (found) ++found_;
    print();
}

void JointProgress::print() {
    const Seconds now = elapsed();
    reporter_.report(now, [&] { return describe(now); });
}

std::string JointProgress::done() const {
    return fmt::format("{} of {} done", results::grouped(done_), results::counted(runs_, unit_));
}

std::string JointProgress::describe(Seconds elapsed) const {
    const auto all = static_cast<double>(runs_);
    auto share = static_cast<double>(done_);
    for (const auto& [run, done] : under_way_) share += done;
    const auto filled = std::min(kBar, static_cast<std::size_t>(share / all * static_cast<double>(kBar)));
    std::string text = fmt::format("[{}{}] {:.1f} %, {}", std::string(filled, '#'), std::string(kBar - filled, '-'),
                                   100.0 * share / all, done());
    const double here = share - static_cast<double>(found_);
    if (here <= 0.0) return text;
    const Seconds left{elapsed.count() / here * (all - share)};
    return text + fmt::format(", {} left", clock_time(std::min(left, kLongestLeft)));
}

}  // namespace warpfront::tools
