#include "tools/study/results.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include <fmt/format.h>

#include "tools/answer/prediction/context.hpp"

namespace warpfront::tools {

namespace {

using record::CoreTime;
using record::PathParts;

std::optional<double> share(std::optional<WideTime> part, WideTime whole) {
    if (!part || whole.ps == 0) return std::nullopt;
    return static_cast<double>(part->ps) / static_cast<double>(whole.ps);
}

}  // namespace

StudyResults::StudyResults(const StudyPlan& plan, std::vector<std::size_t> points, std::vector<PointResult> results,
                           std::vector<Problem> problems)
    : plan_(&plan),
      points_(std::move(points)),
      results_(std::move(results)),
      engines_(engine_names_of(plan)),
      problems_(std::move(problems)) {
    problems_.resize(points_.size());
    assert(points_.size() == results_.size());
}

std::optional<double> StudyResults::value(ColumnName column, std::size_t row, std::string_view engine) const {
    const PointResult& point = results_[row];
    const EngineResult* result = point.by(engine);
    if (result == nullptr) return std::nullopt;
    const double time = seconds(result->time);
    const double job = plan_->repeats * time;
    const auto throughput = [&]() -> std::optional<double> {
        if (!plan_->pool || job <= 0.0) return std::nullopt;
        return static_cast<double>(*plan_->pool / point.ranks) / job;
    };
    const auto over_job = [&](double power) -> std::optional<double> {
        const auto jobs_per_second = throughput();
        if (!jobs_per_second || *jobs_per_second == 0.0) return std::nullopt;
        return power / *jobs_per_second;
    };
    const auto along_path = [&](auto part_of) -> std::optional<double> {
        return result->path ? share(part_of(*result->path), result->time) : std::nullopt;
    };
    const auto of_cores = [&](WideTime CoreTime::*part) -> std::optional<double> {
        if (!result->cores) return std::nullopt;
        const CoreTime& cores = *result->cores;
        return share(cores.*part, part == &CoreTime::absent ? cores.total() : cores.total() - cores.absent);
    };
    switch (column) {
        case ColumnName::time: return time;
        case ColumnName::job: return job;
        case ColumnName::speed_up:
        case ColumnName::efficiency: {
            if (!complete() || plan_->axes.empty()) return std::nullopt;
            const std::size_t base = row - plan_->index(row, plan_->over) * plan_->stride(plan_->over);
            const EngineResult* of_base = results_[base].by(engine);
            if (of_base == nullptr || time == 0.0 || !compares(row, engine)) return std::nullopt;
            const double speed_up = seconds(of_base->time) / time;
            if (column == ColumnName::speed_up) return speed_up;
            const double growth = problems_[row].cells / problems_[base].cells;
            return speed_up * growth * static_cast<double>(results_[base].ranks) / static_cast<double>(point.ranks);
        }
        case ColumnName::throughput: return throughput();
        case ColumnName::r_over_x: return over_job(job);
        case ColumnName::r2_over_x: return over_job(job * job);
        case ColumnName::compute: return along_path([](const PathParts& path) { return path.blocks(); });
        case ColumnName::communication:
            return along_path([](const PathParts& path) { return path.total() - path.blocks(); });
        case ColumnName::overhead: return along_path([](const PathParts& path) { return path.overhead; });
        case ColumnName::latency: return along_path([](const PathParts& path) { return path.latency; });
        case ColumnName::bandwidth: return along_path([](const PathParts& path) { return path.transfer(); });
        case ColumnName::contention: return along_path([](const PathParts& path) { return path.contention(); });
        case ColumnName::fill: return share(result->fill, result->time);
        case ColumnName::steady: {
            if (!result->fill) return std::nullopt;
            return share(result->time - *result->fill - result->nonwavefront.value_or(WideTime{}), result->time);
        }
        case ColumnName::link_wait:
            return result->link_wait ? std::optional(seconds(*result->link_wait)) : std::nullopt;
        case ColumnName::utilisation: return of_cores(&CoreTime::compute);
        case ColumnName::manager: return of_cores(&CoreTime::manager);
        case ColumnName::data: return of_cores(&CoreTime::data);
        case ColumnName::conditions: return of_cores(&CoreTime::conditions);
        case ColumnName::no_task: return of_cores(&CoreTime::no_task);
        case ColumnName::absent: return of_cores(&CoreTime::absent);
    }
    return std::nullopt;
}

std::optional<Scaling> StudyResults::scaling() const {
    const bool ranks_alone = !plan_->axes.empty() && plan_->axes[plan_->x].sets_ranks_alone();
    const bool same = std::ranges::all_of(
        problems_, [&](const Problem& problem) { return problem.scaling == problems_.front().scaling; });
    return ranks_alone && same && !problems_.empty() ? problems_.front().scaling : std::nullopt;
}

/// Returns true if the engine predicts, along the axis `over`, at least one point other than the first, with all other
/// values equal.
bool StudyResults::compares(std::size_t row, std::string_view engine) const {
    const std::size_t stride = plan_->stride(plan_->over);
    const std::size_t first = row - plan_->index(row, plan_->over) * stride;
    for (std::size_t k = 1; k < plan_->axes[plan_->over].size; ++k) {
        if (results_[first + k * stride].by(engine) != nullptr) return true;
    }
    return false;
}

std::vector<ColumnName> StudyResults::columns() const {
    std::vector<ColumnName> shown{ColumnName::time};
    for (const ColumnName column : plan_->derived) {
        bool known = false;
        for (std::size_t row = 0; row < rows() && !known; ++row) {
            known = std::ranges::any_of(
                engines_, [&](const std::string& engine) { return value(column, row, engine).has_value(); });
        }
        if (known && std::ranges::find(shown, column) == shown.end()) shown.push_back(column);
    }
    return shown;
}

std::vector<std::string> StudyResults::notes() const {
    CountedNotes notes;
    for (const PointResult& point : results_) {
        for (const std::string& note : point.notes) notes.add(note);
        for (const EngineResult& each : point.engines) {
            for (const std::string& note : each.notes) notes.add(fmt::format("{}: {}", each.engine, note));
        }
    }
    return notes.texts(rows(), "points");
}

std::vector<BestFound> find_best(const StudyResults& results) {
    std::vector<BestFound> all;
    const StudyPlan& plan = results.plan();
    if (!results.complete()) return all;
    for (const BestAlong& what : plan.best) {
        const std::size_t stride = plan.stride(what.axis);
        const bool most = text_of(what.column).more_is_better;
        for (std::size_t first = 0; first < results.rows(); ++first) {
            if (plan.index(first, what.axis) != 0) continue;
            for (const std::string& engine : results.engines()) {
                std::optional<BestFound> best;
                bool has_eager_waits = false;
                for (std::size_t k = 0; k < plan.axes[what.axis].size; ++k) {
                    const std::size_t row = first + k * stride;
                    const auto value = results.value(what.column, row, engine);
                    if (!value) continue;
                    const EngineResult* const result = results.at(row).by(engine);
                    has_eager_waits = has_eager_waits || std::ranges::any_of(result->notes, is_on_eager_waits);
                    if (!best || (most ? *value > best->value : *value < best->value)) {
                        best = BestFound{what, engine, row, *value};
                    }
                }
                if (!best) continue;
                best->has_eager_waits = has_eager_waits;
                all.push_back(*best);
            }
        }
    }
    return all;
}

}  // namespace warpfront::tools
