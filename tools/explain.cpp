// `warpfront explain`: what binds a prediction, by its critical path, and what would help.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "simulator/results/answer.hpp"
#include "simulator/results/critical_path.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/results/json.hpp"
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

std::string text_of(const record::Record& record, const results::Context& context,
                    std::span<const results::Rerun> reruns) {
    std::string text = fmt::format("{:<16}{} (event engine)\n", "predicted time", results::duration(record.finish));
    text +=
        results::path_table(*record.path, record.fill, reruns) + '\n' + results::path_paragraph(*record.path) + '\n';
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
    const results::Context context = context_of(prepared);
    nlohmann::ordered_json data;
    if (answer.has_data()) data = results::to_json(record, context);
    const std::string table = options.quiet || !answer.has_table() ? "" : text_of(record, context, reruns);
    guard_signals([&] { answer.write(data, table); });
    return ExitStatus::done;
}

}  // namespace warpfront::tools
