#include "tools/embedding/warpfront.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulator/engine/parallel/progress_monitor.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/program/execution.hpp"
#include "simulator/results/ranks.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/prediction/context.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/answer/prediction/option_values.hpp"
#include "tools/answer/runs/runs.hpp"
#include "tools/study/cases/runner.hpp"
#include "tools/study/comparison/rows.hpp"

namespace warpfront {

namespace {

Seconds public_time(WideTime time) { return Seconds(seconds(time)); }

TimeParts public_parts(const record::Breakdown& from) {
    return {public_time(from.compute),  public_time(from.send),      public_time(from.recv),
            public_time(from.wait),     public_time(from.bus_wait),  public_time(from.processing_wait),
            public_time(from.nic_wait), public_time(from.link_wait), public_time(from.collective)};
}

Prediction public_prediction(const record::Record& record, const tools::Experiment& experiment, tools::Engine engine) {
    Prediction prediction;
    prediction.engine = record.engine;
    prediction.time = public_time(record.finish);
    for (const auto& [time, count] : record.iterations) prediction.iterations.emplace_back(public_time(time), count);
    for (const WideTime time : record.rank_finish) prediction.rank_times.push_back(public_time(time));
    for (const record::Breakdown& each : record.rank_breakdown) prediction.rank_parts.push_back(public_parts(each));
    if (record.breakdown) prediction.parts = public_parts(*record.breakdown);
    const RankGrid& grid = experiment.program.grid;
    prediction.ranks = {grid.columns, grid.rows, grid.planes};
    const results::Context context = tools::context_of(experiment, {&engine, 1});
    prediction.nodes = context.nodes;
    prediction.messages = program::traffic(experiment.program).messages;
    if (!record.rank_finish.empty()) prediction.digest = results::digest(record.rank_finish);
    prediction.notes = context.notes;
    prediction.notes.insert(prediction.notes.end(), record.notes.begin(), record.notes.end());
    return prediction;
}

/// Returns a monitor that calls `stop` during a run; without it the run cannot be stopped.
engine::ProgressMonitor monitor_for(const std::function<bool()>& stop) {
    return engine::ProgressMonitor([&stop](const engine::Progress&) {
        using Decision = engine::ProgressMonitor::Decision;
        return stop && stop() ? Decision::stop : Decision::go_on;
    });
}

tools::Engine engine_of(const std::string& name) {
    input::Diagnostics faults;
    const tools::Engine engine = tools::read_engine(tools::option_value("engine", name), faults);
    faults.raise();
    return engine;
}

Prediction run_document(const scenario::ScenarioDocument& document, const RunOptions& options) {
    const tools::Engine engine = engine_of(options.engine);
    const tools::Experiment experiment = tools::build_experiment(scenario::read_scenario(document));
    engine::ProgressMonitor monitor = monitor_for(options.stop);
    engine::Options engine_options = tools::options_of(experiment);
    engine_options.threads = options.threads;
    engine_options.replay = options.replay == ReplayMode::full ? engine::Replay::full : engine::Replay::auto_;
    engine_options.monitor = &monitor;
    return public_prediction(
        tools::predict_with_progress(engine, experiment, engine_options, tools::ProgressMode::nothing).record,
        experiment, engine);
}

/// Adds the prediction of one engine for a compared row.
void add_time(ComparedRow& row, const std::string& method, WideTime time, std::optional<Time> measured) {
    row.times[method] = public_time(time);
    if (!measured) return;
    if (const auto error = tools::difference(time, *measured)) row.error_percent[method] = error->value;
}

ComparedRow public_row(const tools::ComparisonRow& row) {
    ComparedRow result{.table = row.table, .label = row.label, .line = row.line};
    result.ranks = {row.grid.columns, row.grid.rows, row.grid.planes};
    if (row.measurement) result.measured = public_time(*row.measurement);
    for (const tools::MethodTime& each : row.predictions) add_time(result, each.method, each.time, row.measurement);
    return result;
}

ComparedRows compared_rows(const Comparison& comparison) {
    std::vector<tools::Engine> engines;
    for (const std::string& name : comparison.engines) engines.push_back(engine_of(name));
    tools::Cases cases = tools::comparison_cases(
        {.scenario = comparison.scenario, .sets = comparison.settings, .against = comparison.against});
    const std::vector<tools::PreparedRow> rows = tools::prepare_rows(std::move(cases.all));
    tools::CaseRuns runs{.cases = rows.size(), .prepare = {}};
    runs.prepare = [&](std::size_t number) { return tools::PreparedCase{rows[number].experiment, engines}; };
    runs.threads = comparison.threads;
    std::mutex stopping;
    if (comparison.stop) {
        runs.stop = [&] {
            const std::lock_guard hold(stopping);
            return comparison.stop();
        };
    }
    const tools::CaseResults results = tools::run_cases(runs);
    ComparedRows result{.rows = {}, .notes = std::move(cases.notes)};
    for (std::size_t k = 0; k < rows.size(); ++k) {
        result.rows.push_back(public_row(rows[k].row));
        for (const tools::EngineResult& each : results.all[k].engines) {
            add_time(result.rows.back(), each.engine, each.time, rows[k].row.measurement);
            for (const std::string& note : each.notes) {
                if (std::ranges::find(result.notes, note) == result.notes.end()) result.notes.push_back(note);
            }
        }
    }
    return result;
}

/// Converts exceptions of the libraries below into those of the header.
template <typename Act>
auto with_public_errors(const Act& act) {
    try {
        return act();
    } catch (const input::BadInput& bad) {
        throw InvalidInput(bad.what());
    } catch (const tools::RunFailed& failed) {
        throw RunFailure(failed.what());
    } catch (const engine::Interrupted& stopped) {
        throw Interrupted(stopped.what());
    }
}

/// Quotes the text for any place in YAML: JSON's quotes and escapes are valid in YAML as well.
std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

std::string mapping(const Extent& extent) {
    return fmt::format("{{columns: {}, rows: {}, planes: {}}}", extent.columns, extent.rows, extent.planes);
}

/// Returns the text of a scenario file for the run. Error messages refer to its lines, although no such file exists.
std::string scenario_text(const ModelRun& run) {
    std::string text = fmt::format("model: {}\nplatform: {}\nranks: {}\nnode: {}\niterations: {}\nparameters:\n",
                                   quoted(run.model.string()), quoted(run.platform.string()), mapping(run.ranks),
                                   mapping(run.node), run.iterations);
    for (const auto& [name, value] : run.parameters) text += fmt::format("  {}: {}\n", quoted(name), quoted(value));
    if (run.parameters.empty()) text += "  {}\n";
    return text;
}

}  // namespace

std::vector<std::string> engine_names() { return tools::engine_names(); }

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

ComparedRows compare(const Comparison& comparison) {
    return with_public_errors([&] { return compared_rows(comparison); });
}

}  // namespace warpfront
