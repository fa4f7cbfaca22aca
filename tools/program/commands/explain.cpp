// `warpfront explain`: what limits a prediction, by its critical path, and what would shorten it.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "simulator/results/critical_path.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/results/json.hpp"
#include "simulator/results/output.hpp"
#include "simulator/results/ranks.hpp"
#include "simulator/results/summary.hpp"
#include "simulator/units/time.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/explanation/efficiency.hpp"
#include "tools/answer/explanation/explanation.hpp"
#include "tools/answer/explanation/outliers.hpp"
#include "tools/answer/prediction/context.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/answer/runs/runs.hpp"
#include "tools/program/commands/commands.hpp"

namespace warpfront::tools {

namespace {

constexpr double kLeastWaits = 0.001;  // least sum of all waits for links that is shown, as a share of the time

std::string notes_of(const record::Record& record, const results::Context& context) {
    std::string text;
    for (const std::string& note : shown(context.notes)) text += fmt::format("note: {}\n", note);
    for (const std::string& note : shown(record.notes)) text += fmt::format("note: {}\n", note);
    return text;
}

/// Returns the reruns to list in a table, if that is requested.
std::span<const results::Rerun> listed(const ExplainOptions& options, const std::vector<results::Rerun>& reruns) {
    return options.reruns ? std::span(reruns) : std::span<const results::Rerun>();
}

std::string paragraphs(const record::Record& record, const Experiment& prepared, const ExplainOptions& options,
                       const std::vector<results::Rerun>& reruns) {
    std::string text = fmt::format("{:<16}{} (event engine)\n", "predicted time", results::duration(record.finish));
    const auto in_table = listed(options, reruns);
    const variation::Noise& noise = prepared.noise;
    if (record.tasks) {
        const record::TaskPath& path = *record.tasks->path;
        return text + results::path_table(path, in_table) + '\n' +
               results::path_paragraph(path, reruns,
                                       noise.jitter.ps > 0 || noise.interrupted() || noise.called_away()) +
               '\n';
    }
    std::optional<Time> interruption;
    if (noise.interrupted()) interruption = noise.interruptions->length;
    return text + results::path_table(*record.path, record.fill, in_table) + '\n' +
           results::path_paragraph(*record.path, slowest_wire(prepared.machine), record.saturated, reruns,
                                   reasons_for_estimates(prepared, record), interruption) +
           '\n';
}

/// Explains lists of tasks. They have no skipped iterations and no ranks that wait in statements.
ExitStatus explain_tasks(const ExplainOptions& options, const results::Answer& answer, const Experiment& prepared) {
    const ProgressMode mode = progress_mode();
    engine::Options with_path = options_of(prepared);
    with_path.path = true;
    const record::Record record = predict_with_progress(Engine::event, prepared, with_path, mode).record;
    std::vector<results::Rerun> reruns;
    if (options.reruns || is_short(record)) {
        reruns = run_with_less(prepared, options_of(prepared), *record.tasks->path, mode);
    }
    const results::Context context = context_of(prepared, {&Engine::event, 1});
    std::string table;
    if (!options.quiet && answer.has_table()) {
        table = paragraphs(record, prepared, options, reruns) + notes_of(record, context);
    }
    nlohmann::ordered_json data;
    if (answer.has_data()) data = results::to_json(record, context);
    if (!reruns.empty() && answer.has_data()) data["reruns"] = results::reruns_json(reruns);
    guard_signals([&] { answer.write(data, table); });
    return ExitStatus::done;
}

}  // namespace

ExitStatus explain(const ExplainOptions& options) {
    const results::Answer answer(options.json, options.csv);
    const Experiment prepared =
        build_experiment(scenario::read_scenario(scenario::read_document(options.scenario, options.sets)));
    if (prepared.program.tasks) return explain_tasks(options, answer, prepared);
    refuse_choices(prepared, "the critical path");
    engine::Options engine_options = options_of(prepared);
    engine_options.replay = options.replay;
    const ProgressMode mode = progress_mode();
    engine::Options with_path = engine_options;
    with_path.path = true;
    const record::Record record = predict_with_progress(Engine::event, prepared, with_path, mode).record;
    std::vector<results::Rerun> reruns;
    if (options.reruns || is_short(record)) reruns = run_with_less(prepared, engine_options, record, mode);
    const results::Context context = context_of(prepared, {&Engine::event, 1});
    const bool shown = !options.quiet && answer.has_table();
    nlohmann::ordered_json data;
    std::string findings;
    if (shown || answer.has_data()) {
        data = results::to_json(record, context);
        const std::vector<Outlier> slow =
            outliers(prepared, {options.scenario, options.sets}, record, engine_options, mode);
        data["outliers"] = outliers_json(slow);
        findings = outliers_text(slow, record.finish);
        if (const auto efficiency = efficiency_of(prepared, record, engine_options, mode)) {
            data["efficiency"] = efficiency_json(*efficiency);
            findings += efficiency_text(*efficiency);
        }
        const std::optional<Experiment> once = one_iteration(options.scenario, options.sets);
        findings += results::waiting_table(record, prepared.program.grid) +
                    waits_by_statement(prepared, once, record, mode, data["most_waiting"]);
        findings += waits_by_pair(prepared, once, record, mode, data);
        const std::vector<NodeWait> nodes = most_waiting_nodes(prepared.machine.placement, record);
        if (!nodes.empty()) data["most_waiting_nodes"] = nodes_json(nodes, prepared.machine);
        findings += nodes_table(nodes, prepared.machine);
        if (record.link_waits && seconds(record.link_waits->all) > kLeastWaits * seconds(record.finish)) {
            findings += results::link_waits_table(record);
        }
    }
    if (!reruns.empty() && answer.has_data()) data["reruns"] = results::reruns_json(reruns);
    const std::string table =
        shown ? paragraphs(record, prepared, options, reruns) + findings + notes_of(record, context) : "";
    guard_signals([&] { answer.write(data, table); });
    return ExitStatus::done;
}

}  // namespace warpfront::tools
