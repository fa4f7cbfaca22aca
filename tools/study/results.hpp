// The results of a study: its points in order, the values of its columns, and the best points along axes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/study/cases/point_store.hpp"
#include "tools/study/points.hpp"

namespace warpfront::tools {

class StudyResults {
public:
    /// `results[k]` and `problems[k]` belong to point `points[k]`. `points` contains all points of the plan in order,
    /// or a single point. Without `problems`, all points have the same problem.
    StudyResults(const StudyPlan& plan, std::vector<std::size_t> points, std::vector<PointResult> results,
                 std::vector<Problem> problems = {});

    const StudyPlan& plan() const { return *plan_; }
    const std::vector<std::size_t>& points() const { return points_; }
    const std::vector<std::string>& engines() const { return engines_; }
    const PointResult& at(std::size_t row) const { return results_[row]; }
    std::size_t rows() const { return points_.size(); }
    bool complete() const { return points_.size() == plan_->points(); }

    /// Returns the value of a column. Returns nothing if the engine does not compute the column, or if the column
    /// refers to a point that is missing.
    std::optional<double> value(ColumnName column, std::size_t row, std::string_view engine) const;

    /// Returns how the problem of all points scales along the axis `x`. Returns nothing if `x` sets other keys than
    /// ranks, or if the points differ.
    std::optional<Scaling> scaling() const;

    /// Returns the column `time`, and those columns of `derived` that have a value at some point.
    std::vector<ColumnName> columns() const;

    /// Returns every note once, with the number of points that have it.
    std::vector<std::string> notes() const;

private:
    bool compares(std::size_t row, std::string_view engine) const;

    const StudyPlan* plan_;
    std::vector<std::size_t> points_;
    std::vector<PointResult> results_;
    std::vector<std::string> engines_;
    std::vector<Problem> problems_;
};

/// The best point of one engine along an axis. All other axes have fixed values.
struct BestFound {
    BestAlong what;
    std::string engine;
    std::size_t row = 0;  // row of the best point; of equal ones the first
    double value = 0.0;
    /// True if the analytic model contains considerable waits for eager messages at a point along the axis. A full
    /// pipeline does not have these waits, so without them another point may be the best.
    bool has_eager_waits = false;
};

/// Returns the best points for every entry of `best`, every combination of the other axes, and every engine, in this
/// order. Returns nothing if the study is incomplete.
std::vector<BestFound> find_best(const StudyResults& results);

}  // namespace warpfront::tools
