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

/// Returns the scenario of a point. Throws BadInput; a fault of a value is reported at its place in the study.
scenario::Scenario scenario_at(const StudyPlan& plan, const scenario::ScenarioDocument& base, std::size_t point);

/// Returns the numbers of all points.
std::vector<std::size_t> all_points(const StudyPlan& plan);

/// Returns the runs of `points`. All three arguments must outlive the result. If a run fails, its fault is part of the
/// point's result.
CaseRuns runs_of(const StudyPlan& plan, const scenario::ScenarioDocument& base, const std::vector<std::size_t>& points);

/// The size of the problem as ranks grow: fixed as a whole (strong scaling), or fixed per rank (weak scaling).
enum class Scaling : std::uint8_t { strong, weak };

/// The size of the problem of a point.
struct Problem {
    /// The scaling: weak if the scenario has `cells_per_rank` along both axes, strong if it has the whole grid; else
    /// nothing.
    std::optional<Scaling> scaling{};
    /// The number of cells of the whole grid. An axis without a number in the scenario counts as one cell.
    double cells = 1.0;
};

Problem problem_of(const scenario::Scenario& scenario);

/// Returns the problem of each of `points`. Reads the scenarios of all these points. Throws BadInput with the faults of
/// all of them, so they are reported before the first run.
std::vector<Problem> problems_of(const StudyPlan& plan, const scenario::ScenarioDocument& base,
                                 const std::vector<std::size_t>& points);

/// Returns the engines of the point.
const std::vector<Engine>& engines_at(const StudyPlan& plan, std::size_t point);

/// Returns all engines of the study, each once, in the order in which they are first named.
std::vector<Engine> engines_of(const StudyPlan& plan);
/// Returns the names of all engines of the study, in the same order.
std::vector<std::string> engine_names_of(const StudyPlan& plan);

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

/// Returns the labels and the texts of the values that the axes set at the point, by label and path.
NamedTexts values_at(const StudyPlan& plan, std::size_t point);

/// Returns the values of one axis that tables and charts show at the point: only the label if the axis has one.
NamedTexts shown_at(const StudyPlan& plan, std::size_t axis, std::size_t point);

/// Describes the point by the values shown, such as "ranks.columns=32, parameters.mk=4".
std::string describe_point(const StudyPlan& plan, std::size_t point);

}  // namespace warpfront::tools
