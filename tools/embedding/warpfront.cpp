#include "tools/embedding/warpfront.hpp"

#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulator/input/diagnostic.hpp"
#include "simulator/results/digest.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tools/context.hpp"
#include "tools/engines.hpp"
#include "tools/experiment.hpp"
#include "tools/run_with_progress.hpp"

namespace warpfront {

namespace {

Seconds public_time(WideTime time) { return Seconds(seconds(time)); }

TimeParts public_parts(const record::Breakdown& from) {
    return {public_time(from.compute),   public_time(from.send),      public_time(from.recv),
            public_time(from.wait),      public_time(from.bus_wait),  public_time(from.nic_wait),
            public_time(from.link_wait), public_time(from.collective)};
}

Prediction public_prediction(const record::Record& record, const tools::Experiment& experiment) {
    Prediction prediction;
    prediction.time = public_time(record.finish);
    prediction.parts = public_parts(record.breakdown.value());
    for (const auto& [time, count] : record.iterations) prediction.iterations.emplace_back(public_time(time), count);
    for (const WideTime time : record.rank_finish) prediction.rank_times.push_back(public_time(time));
    const results::Context context = tools::context_of(experiment, {&tools::Engine::event, 1});
    prediction.nodes = context.nodes;
    prediction.messages = record.work.value().messages;
    prediction.digest = results::digest(record.rank_finish);
    prediction.notes = context.notes;
    prediction.notes.insert(prediction.notes.end(), record.notes.begin(), record.notes.end());
    return prediction;
}

Prediction run_document(const scenario::ScenarioDocument& document, const RunOptions& options) {
    const tools::Experiment experiment = tools::build_experiment(scenario::read_scenario(document));
    engine::Options engine_options = tools::options_of(experiment);
    engine_options.threads = options.threads;
    engine_options.replay = options.replay == ReplayMode::full ? engine::Replay::full : engine::Replay::auto_;
    return public_prediction(
        tools::predict_with_progress(tools::Engine::event, experiment, engine_options, tools::ProgressMode::nothing)
            .record,
        experiment);
}

/// Exceptions of the rooms behind become those of the header.
template <typename Act>
Prediction with_public_errors(const Act& act) {
    try {
        return act();
    } catch (const input::BadInput& bad) {
        throw InvalidInput(bad.what());
    } catch (const tools::RunFailed& failed) {
        throw RunFailure(failed.what());
    }
}

/// As YAML takes it in any place: JSON's quotes and escapes are YAML's as well.
std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

std::string mapping(const Extent& extent) {
    return fmt::format("{{columns: {}, rows: {}, planes: {}}}", extent.columns, extent.rows, extent.planes);
}

/// The scenario file that the caller need not write; faults show its lines.
std::string scenario_text(const ModelRun& run) {
    std::string text = fmt::format("model: {}\nplatform: {}\nranks: {}\nnode: {}\niterations: {}\nparameters:\n",
                                   quoted(run.model.string()), quoted(run.platform.string()), mapping(run.ranks),
                                   mapping(run.node), run.iterations);
    for (const auto& [name, value] : run.parameters) text += fmt::format("  {}: {}\n", quoted(name), quoted(value));
    if (run.parameters.empty()) text += "  {}\n";
    return text;
}

}  // namespace

Prediction predict(const ScenarioRun& run, const RunOptions& options) {
    return with_public_errors(
        [&] { return run_document(scenario::read_document(run.scenario, run.settings), options); });
}

Prediction predict(const ModelRun& run, const RunOptions& options) {
    return with_public_errors([&] {
        const auto source = std::make_shared<const input::SourceFile>("warpfront::ModelRun", scenario_text(run));
        return run_document(scenario::parse_document({}, source, run.settings), options);
    });
}

}  // namespace warpfront
