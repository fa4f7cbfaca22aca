// The points of a study: the scenario of each point and the predictions of its engines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/scenario/scenario.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/study/cases/runner.hpp"
#include "tools/study/plan.hpp"

namespace warpfront::tools {

/// Returns the scenario of a point. Throws BadInput; an error in a value is reported at its range in the study.
scenario::Scenario scenario_at(const StudyPlan& plan, const scenario::ScenarioDocument& base, std::size_t point);

/// Returns the indices of all points.
std::vector<std::size_t> all_points(const StudyPlan& plan);

/// Returns the runs of `points`. All three arguments must outlive the result. If a run fails, the point's result
/// contains the error.
CaseRuns runs_of(const StudyPlan& plan, const scenario::ScenarioDocument& base, const std::vector<std::size_t>& points);

/// The dependence of the size of the problem on the number of ranks: the whole problem is fixed (strong scaling), or
/// the problem of each rank is fixed (weak scaling).
enum class Scaling : std::uint8_t { strong, weak };

/// The size of the problem of a point.
struct Problem {
    /// The scaling: weak if the scenario has `cells_per_rank` along both axes, strong if it has the cells of the whole
    /// grid, and otherwise empty.
    std::optional<Scaling> scaling{};
    /// The number of cells of the whole grid. If the scenario has no number for an axis, the axis counts as one cell.
    double cells = 1.0;
};

Problem problem_of(const scenario::Scenario& scenario);

/// Returns the problem of each point. Reads the scenarios of all these points before the first run. Throws BadInput
/// with the errors of all of them.
std::vector<Problem> problems_of(const StudyPlan& plan, const scenario::ScenarioDocument& base,
                                 const std::vector<std::size_t>& points);

/// Returns the engines of a point.
const std::vector<Engine>& engines_at(const StudyPlan& plan, std::size_t point);

/// Returns all engines of the study, in the order in which they are first named. Each engine occurs once.
std::vector<Engine> engines_of(const StudyPlan& plan);
/// Returns the names of all engines of the study, in the same order.
std::vector<std::string> engine_names_of(const StudyPlan& plan);

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

/// Returns the values that the axes set at a point, as texts by path, and the texts of labels by label.
NamedTexts values_at(const StudyPlan& plan, std::size_t point);

/// Returns the values of one axis that tables and charts show at a point. If the axis has a label, this is only the
/// label.
NamedTexts shown_at(const StudyPlan& plan, std::size_t axis, std::size_t point);

/// Describes a point by the shown values, such as "ranks.columns=32, parameters.mk=4".
std::string describe_point(const StudyPlan& plan, std::size_t point);

}  // namespace warpfront::tools
