// Runs an engine for a command: refuses a run that needs too much memory, reports progress, stops after Ctrl-C.
#pragma once

#include "simulator/engine/engine.hpp"
#include "tools/experiment/experiment.hpp"
#include "tools/prediction/engines.hpp"
#include "tools/runs/progress.hpp"

namespace warpfront::tools {

/// With a monitor in `options` nothing is reported; that one says whether the run goes on.
/// Throws what `predict` throws, BadInput if the run needs more memory than is available, engine::Interrupted.
Prediction predict_with_progress(Engine engine, const Experiment& prepared, engine::Options options, ProgressMode mode);

}  // namespace warpfront::tools
