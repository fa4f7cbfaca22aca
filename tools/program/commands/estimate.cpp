#include "tools/answer/runs/estimate.hpp"

#include <nlohmann/json.hpp>

#include "simulator/results/output.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/program/commands/commands.hpp"

namespace warpfront::tools {

ExitStatus estimate(const EstimateOptions& options) {
    const results::Answer answer(options.json, options.csv);
    const Experiment prepared =
        build_experiment(scenario::read_scenario(scenario::read_document(options.scenario, options.sets)));
    engine::Options engine_options = options_of(prepared);
    engine_options.replay = options.replay;
    engine_options.threads = options.threads;
    const Estimate estimate = estimate_run(prepared, engine_options);
    guard_signals([&] { answer.write(to_json(estimate), render(estimate)); });
    return ExitStatus::done;
}

}  // namespace warpfront::tools
