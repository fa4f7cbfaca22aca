#include "tools/runs/ensemble_progress.hpp"

#include <fmt/format.h>

#include "simulator/results/formatting.hpp"

namespace warpfront::tools {

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
                       pace(stepped(), left_to_step(), elapsed));
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
