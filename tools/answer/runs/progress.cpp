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

/// Formats a time: "0:42", "1:02:03".
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

/// Rewrites the line; spaces overwrite the rest of a longer line.
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

void EnsembleProgress::end(std::uint32_t number, const record::Work& work) {
    under_way_.erase(number);
    ++done_;
    stepped_by_done_ += work.messages_replayed + work.collective_messages_replayed;
}

std::string EnsembleProgress::runs_done() const {
    return fmt::format("{} of {} runs done", results::grouped(done_), results::grouped(runs_));
}

std::string EnsembleProgress::describe(ProgressReporter::Seconds elapsed) const {
    return fmt::format("{}, {:.1f} % of all, {}", runs_done(), 100.0 * share_done(),
                       pace(stepped(), left_to_step(), left_to_step(), elapsed));
}

double EnsembleProgress::share_done() const {
    double whole_runs = done_;
    for (const auto& [number, progress] : under_way_) whole_runs += progress.done();
    return whole_runs / runs_;
}

std::uint64_t EnsembleProgress::stepped() const {
    std::uint64_t all = stepped_by_done_;
    for (const auto& [number, progress] : under_way_) all += progress.stepped;
    return all;
}

std::uint64_t EnsembleProgress::left_to_step() const {
    std::uint64_t left = 0;
    for (const auto& [number, progress] : under_way_) left += progress.left_to_step();
    const std::uint64_t known = under_way_.size();
    const std::uint64_t not_begun = runs_ - done_ - known;
    if (done_ > 0) return left + not_begun * (stepped_by_done_ / done_);
    if (known > 0) return left + not_begun * ((stepped() + left) / known);
    return left;
}

}  // namespace warpfront::tools
