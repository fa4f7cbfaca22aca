// Runs the points of a study, several at a time. What they yield depends neither on how many run at a time nor on which
// are taken from the store.
//
// Points begin in their order. Each is prepared and run on its own thread; a run of the event engine begins once its
// memory fits beside that of the others under way. With fewer points than jobs a run has several threads.
#pragma once

#include <cstddef>
#include <vector>

#include "simulator/scenario/scenario.hpp"
#include "tools/progress.hpp"
#include "tools/study/point_store.hpp"
#include "tools/study/study_plan.hpp"
#include "tools/study/study_points.hpp"

namespace warpfront::tools {

struct StudyRuns {
    std::vector<PointResult> results;  // by position in the list of points
    std::size_t taken_from_store = 0;
};

/// Throws what a single run throws, for the first point of the list that fails: BadInput, RunFailed with the point's
/// values, engine::Interrupted. Points that are finished by then are in the store.
StudyRuns run_points(const StudyPlan& plan, const scenario::ScenarioDocument& base,
                     const std::vector<std::size_t>& points, unsigned jobs, const PointStore& store, ProgressMode mode);

}  // namespace warpfront::tools
