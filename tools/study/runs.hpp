// Runs the points of a study, several at a time. What they yield depends neither on how many run at a time nor on which
// are taken from the store.
//
// Points begin in their order. Each is prepared and run on its own thread; a run of the event engine begins once its
// memory fits beside that of the others under way. With fewer points than jobs a run has several threads.
//
// Several processes may run one study, each what no other has claimed (point_store.hpp). In the end `run_points` waits for
// the points of the others, and runs those whose process has died.
#pragma once

#include <cstddef>
#include <vector>

#include "simulator/scenario/scenario.hpp"
#include "tools/runs/progress.hpp"
#include "tools/study/plan.hpp"
#include "tools/study/point_store.hpp"
#include "tools/study/points.hpp"

namespace warpfront::tools {

struct StudyRuns {
    std::vector<PointResult> results;  // by position in the list of points
    std::size_t taken_from_store = 0;
};

/// What a process of several has for itself.
struct StudyShare {
    unsigned jobs = 1;         // points at a time
    unsigned of_computer = 1;  // so many processes share the computer's memory
};

/// Throws what a single run throws, for the first point of the list that fails here: BadInput, RunFailed with the point's
/// values, engine::Interrupted. Points that are finished by then are in the store.
StudyRuns run_points(const StudyPlan& plan, const scenario::ScenarioDocument& base,
                     const std::vector<std::size_t>& points, StudyShare share, const PointStore& store,
                     ProgressMode mode);

/// Runs the points that no other process has claimed, for one that calls `run_points`, to which it leaves those that fail.
void run_unclaimed_points(const StudyPlan& plan, const scenario::ScenarioDocument& base,
                          const std::vector<std::size_t>& points, StudyShare share, const PointStore& store);

}  // namespace warpfront::tools
