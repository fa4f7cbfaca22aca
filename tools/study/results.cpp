#include "tools/study/results.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
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

/// Returns the row with which a row is compared: the first along the axis `over` for speed-up and efficiency, and the
/// row itself for other columns.
std::size_t StudyResults::base_of(ColumnName column, std::size_t row) const {
    const bool is_relative = column == ColumnName::speed_up || column == ColumnName::efficiency;
    if (!is_relative || !complete() || plan_->axes.empty()) return row;
    return row - plan_->index(row, plan_->over) * plan_->stride(plan_->over);
}

std::vector<double> StudyResults::values(ColumnName column, std::size_t row, std::string_view engine) const {
    std::size_t seeds = 1;
    for (const std::size_t each : {row, base_of(column, row)}) {
        if (const EngineResult* result = results_[each].by(engine)) seeds = std::max(seeds, result->seeds());
    }
    std::vector<double> values;
    for (std::size_t seed = 0; seed < seeds; ++seed) {
        const auto value = value_of_seed(column, row, engine, seed);
        if (!value) return {};
        values.push_back(*value);
    }
    return values;
}

std::optional<double> StudyResults::value(ColumnName column, std::size_t row, std::string_view engine) const {
    const std::vector<double> all = values(column, row, engine);
    return all.empty() ? std::nullopt : std::optional(results::estimate_mean(all).mean);
}

std::optional<results::MeanEstimate> StudyResults::estimate(ColumnName column, std::size_t row,
                                                            std::string_view engine) const {
    const std::vector<double> all = values(column, row, engine);
    return all.size() < 2 ? std::nullopt : std::optional(results::estimate_mean(all));
}

bool StudyResults::has_seeds() const {
    return std::ranges::any_of(results_, [](const PointResult& point) {
        return std::ranges::any_of(point.engines, [](const EngineResult& each) { return each.seeds() > 1; });
    });
}

std::optional<double> StudyResults::value_of_seed(ColumnName column, std::size_t row, std::string_view engine,
                                                  std::size_t seed) const {
    const PointResult& point = results_[row];
    const EngineResult* of_engine = point.by(engine);
    if (of_engine == nullptr) return std::nullopt;
    const EngineResult* const result = &of_engine->of_seed(seed);
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
            const std::size_t base = base_of(column, row);
            const EngineResult* of_base = results_[base].by(engine);
            if (of_base == nullptr || time == 0.0 || !compares(row, engine)) return std::nullopt;
            const double speed_up = seconds(of_base->of_seed(seed).time) / time;
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

namespace {

/// Finds the best point along one axis for one engine.
class BestSearch {
public:
    BestSearch(const StudyResults& results, const BestAlong& what, std::size_t first, const std::string& engine)
        : results_(results), what_(what), engine_(engine) {
        const StudyPlan& plan = results.plan();
        for (std::size_t k = 0; k < plan.axes[what.axis].size; ++k) {
            const std::size_t row = first + k * plan.stride(what.axis);
            std::vector<double> values = results.values(what.column, row, engine);
            if (!values.empty()) points_.push_back({row, std::move(values)});
        }
    }

    /// Returns nothing if no point has a value.
    std::optional<BestFound> find() const {
        if (points_.empty()) return std::nullopt;
        const auto is_better = [this](const Point& one, const Point& other) {
            return text_of(what_.column).more_is_better ? one.mean() > other.mean() : one.mean() < other.mean();
        };
        const Point& best = *std::ranges::min_element(points_, is_better);
        BestFound found{.what = what_, .engine = engine_, .row = best.row, .value = best.mean()};
        found.estimate = results_.estimate(what_.column, best.row, engine_);
        for (const Point& point : points_) {
            const EngineResult& result = *results_.at(point.row).by(engine_);
            found.has_eager_waits = found.has_eager_waits || std::ranges::any_of(result.notes, is_on_eager_waits);
        }
        found.is_of_one_seed = is_of_one_seed();
        std::vector<ComparedPoint> others = compared_with(best);
        if (!others.empty()) found.next = others.front();
        std::erase_if(others, [](const ComparedPoint& each) { return !each.difference.may_be(0.0); });
        found.rivals = std::move(others);
        return found;
    }

private:
    struct Point {
        std::size_t row = 0;
        std::vector<double> values;  // value of each seed

        double mean() const { return results::estimate_mean(values).mean; }
        double of_seed(std::size_t seed) const { return values.size() == 1 ? values.front() : values[seed]; }
    };

    /// Returns true if the points have one seed each, although another seed may change the values of the engine.
    bool is_of_one_seed() const {
        return std::ranges::any_of(points_, [this](const Point& point) {
            return results_.at(point.row).by(engine_)->depends_on_seed && point.values.size() == 1;
        });
    }

    /// Returns all other points, the nearest first.
    std::vector<ComparedPoint> compared_with(const Point& best) const {
        std::vector<ComparedPoint> others;
        for (const Point& point : points_) {
            if (point.row == best.row) continue;
            std::vector<double> differences(std::max(best.values.size(), point.values.size()));
            for (std::size_t seed = 0; seed < differences.size(); ++seed) {
                differences[seed] = point.of_seed(seed) - best.of_seed(seed);
            }
            const double confidence = 1.0 - (1.0 - results::kConfidence) / static_cast<double>(points_.size() - 1);
            others.push_back({point.row, results::estimate_mean(differences, confidence)});
        }
        const auto distance = [](const ComparedPoint& each) { return std::abs(each.difference.mean); };
        std::ranges::stable_sort(others, {}, distance);
        return others;
    }

    const StudyResults& results_;
    const BestAlong& what_;
    const std::string& engine_;
    std::vector<Point> points_;
};

}  // namespace

std::vector<BestFound> find_best(const StudyResults& results) {
    std::vector<BestFound> all;
    const StudyPlan& plan = results.plan();
    if (!results.complete()) return all;
    for (const BestAlong& what : plan.best) {
        for (std::size_t first = 0; first < results.rows(); ++first) {
            if (plan.index(first, what.axis) != 0) continue;
            for (const std::string& engine : results.engines()) {
                if (auto best = BestSearch(results, what, first, engine).find()) all.push_back(std::move(*best));
            }
        }
    }
    return all;
}

}  // namespace warpfront::tools
