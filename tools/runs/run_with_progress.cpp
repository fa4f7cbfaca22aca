#include "tools/runs/run_with_progress.hpp"

#include "tools/runs/interrupt.hpp"
#include "tools/runs/memory.hpp"

namespace warpfront::tools {

Prediction predict_with_progress(Engine engine, const Experiment& prepared, engine::Options options,
                                 ProgressMode mode) {
    if (engine != Engine::event) return predict(engine, prepared, options);
    const Bytes available = available_memory();
    const Bytes needed = memory_of_run(prepared, options);
    refuse_beyond(available, needed, prepared.scenario.grid_range);
    options.queue_memory = memory_for_queues(available, needed);
    return guard_signals([&] {
        ProgressReporter reporter(mode);
        engine::ProgressMonitor monitor = monitor_for(reporter);
        if (options.monitor == nullptr) options.monitor = &monitor;
        return predict(engine, prepared, options);
    });
}

}  // namespace warpfront::tools
