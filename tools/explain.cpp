// `warpfront explain`: what binds a prediction, by its critical path, and what would help.
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "simulator/results/answer.hpp"
#include "simulator/results/critical_path.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/results/json.hpp"
#include "simulator/results/waiting.hpp"
#include "tools/commands.hpp"
#include "tools/context.hpp"
#include "tools/critical_path.hpp"
#include "tools/experiment.hpp"
#include "tools/interrupt.hpp"
#include "tools/run_with_progress.hpp"
#include "tools/scaled_costs.hpp"

namespace warpfront::tools {

namespace {

constexpr double kFactor = 0.9;

/// Each kind of cost that is on the path and can be changed, a tenth less of it.
std::vector<results::Rerun> run_again(const Experiment& prepared, const engine::Options& options,
                                      const record::PathParts& path, ProgressMode mode) {
    std::vector<results::Rerun> reruns;
    for (const record::PathPart& part : record::kPathParts) {
        if ((path.*part.time).ps == 0 || !can_scale(part)) continue;
        const Experiment changed = scaled(prepared, part, kFactor);
        reruns.push_back({part, kFactor, predict_with_progress(Engine::event, changed, options, mode).record.finish});
    }
    return reruns;
}

/// One iteration of it; all where it is of traces, or its model does not accept one.
std::optional<Experiment> of_one_iteration(const ExplainOptions& options) {
    std::vector<std::string> sets = options.sets;
    sets.emplace_back("iterations=1");
    try {
        return build_experiment(scenario::read_scenario(scenario::read_document(options.scenario, sets)));
    } catch (const input::BadInput&) {
        return std::nullopt;
    }
}

/// What the rank that waits most waits for in its first iteration, by statement: found by one more run.
struct FirstIteration {
    std::string table;
    nlohmann::ordered_json data;
};
FirstIteration waits_of_first_iteration(const ExplainOptions& options, const Experiment& prepared, Rank rank,
                                        ProgressMode mode) {
    const std::optional<Experiment> once = of_one_iteration(options);
    const Experiment& experiment = once ? *once : prepared;
    engine::Options with_timeline = options_of(experiment);
    with_timeline.timeline = engine::TimelineWindow{.first = rank, .last = rank};
    const record::Record timed = predict_with_progress(Engine::event, experiment, with_timeline, mode).record;
    const std::vector<results::StatementWait> waits = results::waits_by_statement(timed.timeline->ranks.front());
    FirstIteration first{"", results::statements_json(waits, experiment.program)};
    if (waits.empty()) return first;
    first.table = fmt::format("in its first iteration rank {} waits most of it\n", rank.index) +
                  results::statements_table(waits, experiment.program);
    return first;
}

std::string text_of(const record::Record& record, const results::Context& context, const std::string& waits,
                    std::span<const results::Rerun> reruns) {
    std::string text = fmt::format("{:<16}{} (event engine)\n", "predicted time", results::duration(record.finish));
    text += results::path_table(*record.path, record.fill, reruns) + '\n' + results::path_paragraph(*record.path) +
            '\n' + waits;
    for (const std::string& note : context.notes) text += fmt::format("note: {}\n", note);
    for (const std::string& note : record.notes) text += fmt::format("note: {}\n", note);
    return text;
}

}  // namespace

ExitStatus explain(const ExplainOptions& options) {
    const results::Answer answer(options.json, options.csv);
    const Experiment prepared =
        build_experiment(scenario::read_scenario(scenario::read_document(options.scenario, options.sets)));
    require_critical_path(prepared);
    engine::Options engine_options = options_of(prepared);
    engine_options.replay = options.replay;
    const ProgressMode mode = progress_mode(options.quiet);
    engine::Options with_path = engine_options;
    with_path.path = true;
    const record::Record record = predict_with_progress(Engine::event, prepared, with_path, mode).record;
    std::vector<results::Rerun> reruns;
    if (options.reruns) reruns = run_again(prepared, engine_options, *record.path, mode);
    const results::Context context = context_of(prepared, {&Engine::event, 1});
    const bool shown = !options.quiet && answer.has_table();
    FirstIteration first;
    if (shown || answer.has_data()) {
        first = waits_of_first_iteration(options, prepared, results::most_waiting(record).front(), mode);
    }
    nlohmann::ordered_json data;
    if (answer.has_data()) {
        data = results::to_json(record, context);
        data["most_waiting"][0]["first_iteration"] = first.data;
    }
    const std::string waits = results::waiting_table(record, prepared.program.grid) + first.table;
    const std::string table = shown ? text_of(record, context, waits, reruns) : "";
    guard_signals([&] { answer.write(data, table); });
    return ExitStatus::done;
}

}  // namespace warpfront::tools
