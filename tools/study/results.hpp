// The results of a study: its points in order, the values of its columns, and the best points along axes.
//
// With several seeds, a column of a point has a value for each seed, computed from the results of this seed alone. The
// value of the column is their mean m, with the interval m -+ q s / sqrt(n) of simulator/results/ensemble.hpp.
//
// Two points a and b with common seeds are compared by the paired differences d_k = b_k - a_k of each seed k: their
// mean has the interval of n independent values, whatever the correlation of a and b. Common random numbers make it
// narrow.
// The best point is compared with all M - 1 others along the axis. Their intervals hold together with at least 95 %
// if each has a confidence of 1 - 0.05 / (M - 1) (Bonferroni; Clark and Yang 1986, "A Bonferroni selection procedure
// when using common random numbers with unknown variances", Winter Simulation Conference). A point whose interval
// contains 0 is not distinguishable from the best.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/results/ensemble.hpp"
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

    /// Returns the value of a column for each seed; a single value for runs that depend on no seed. Returns nothing if
    /// the engine does not compute the column, or if the column refers to a point that is missing.
    std::vector<double> values(ColumnName column, std::size_t row, std::string_view engine) const;
    /// Returns the value of a column, the mean of its values. Returns nothing without values.
    std::optional<double> value(ColumnName column, std::size_t row, std::string_view engine) const;
    /// Returns the mean with its interval. Returns nothing unless there are values of several seeds.
    std::optional<results::MeanEstimate> estimate(ColumnName column, std::size_t row, std::string_view engine) const;
    /// Returns true if some point has results of several seeds.
    bool has_seeds() const;

    /// Returns how the problem of all points scales along the axis `x`. Returns nothing if `x` sets other keys than
    /// ranks, or if the points differ.
    std::optional<Scaling> scaling() const;

    /// Returns the column `time`, and those columns of `derived` that have a value at some point.
    std::vector<ColumnName> columns() const;

    /// Returns every note once, with the number of points that have it.
    std::vector<std::string> notes() const;

private:
    bool compares(std::size_t row, std::string_view engine) const;
    std::size_t base_of(ColumnName column, std::size_t row) const;
    std::optional<double> value_of_seed(ColumnName column, std::size_t row, std::string_view engine,
                                        std::size_t seed) const;

    const StudyPlan* plan_;
    std::vector<std::size_t> points_;
    std::vector<PointResult> results_;
    std::vector<std::string> engines_;
    std::vector<Problem> problems_;
};

/// Another point along the axis, compared with the best point.
struct ComparedPoint {
    std::size_t row = 0;
    results::MeanEstimate difference;  // value of this point minus that of the best, with its simultaneous interval
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
    /// True if another seed may have another best point, but each point has one seed.
    bool is_of_one_seed = false;
    std::optional<results::MeanEstimate> estimate{};  // set if the best point has several seeds
    /// The points that are not distinguishable from the best, the nearest first. Without seeds, these are equal points.
    std::vector<ComparedPoint> rivals{};
    std::optional<ComparedPoint> next{};  // the point with the next best value
};

/// Returns the best points for every entry of `best`, every combination of the other axes, and every engine, in this
/// order. Returns nothing if the study is incomplete.
std::vector<BestFound> find_best(const StudyResults& results);

}  // namespace warpfront::tools
