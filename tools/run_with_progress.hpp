// An engine asked as a command asks it: refused where memory would not do, progress told, stopped by Ctrl-C.
#pragma once

#include "simulator/engine/engine.hpp"
#include "tools/engines.hpp"
#include "tools/experiment.hpp"
#include "tools/progress.hpp"

namespace warpfront::tools {

/// Throws what `predict` throws, BadInput where the run needs more memory than there is, engine::Interrupted.
Answer predict_watched(Engine engine, const Experiment& prepared, engine::Options options, ProgressMode telling);

}  // namespace warpfront::tools
