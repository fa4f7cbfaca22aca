#include "simulator/results/output.hpp"
#include "tools/program/commands/commands.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "simulator/results/ensemble.hpp"
#include "simulator/results/json.hpp"
#include "simulator/results/ranks.hpp"
#include "simulator/results/summary.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/scenario/scenario_lints.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/experiment/small_instances.hpp"
#include "tools/answer/jobs/jobs.hpp"
#include "tools/answer/prediction/context.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/answer/runs/runs.hpp"
#include "tools/answer/runs/uncertainty.hpp"

namespace warpfront::tools {

namespace {

/// Throws if `--ranks` has a number instead of a file, or if the engine is not the event engine, which alone records
/// the time of every rank.
void require_ranks(const RunOptions& options) {
    const std::string file = *options.ranks;
    if (file.find_first_not_of("0123456789") == std::string::npos) {
        throw BadInput(DiagnosticKind::bad_option, {},
                       fmt::format("`--ranks {}` would write a file of this name", file),
                       "expected `--ranks FILE.csv`; `--set ranks.columns=N` changes the number of ranks");
    }
    if (options.engine == Engine::event) return;
    throw BadInput(
        DiagnosticKind::bad_option, {},
        fmt::format("the engine `{}` does not compute the times that `--ranks` writes", name_of(options.engine)),
        "expected `--engine event`");
}

/// Throws unless there is one run of the event engine: no other run has a critical path or a timeline.
void require_one_run(const RunOptions& options, std::string_view option, const SourceRange& range) {
    if (options.engine == Engine::event && !options.seeds && !options.samples) return;
    throw BadInput(DiagnosticKind::bad_option, range,
                   fmt::format("`{}` requires a single run of the event engine", option),
                   "expected `--engine event` without `--seeds` and `--samples`");
}

void warn_of_empty_timeline(record::Record& record, const record::TimelineWindow& window) {
    const std::string note = note_of_empty(record, window);
    if (note.empty()) return;
    spdlog::warn("warning: {}", note);
    record.notes.push_back(note);
}

/// Returns the first run's record, and the ensemble if several seeds are requested.
std::pair<record::Record, std::optional<results::Ensemble>> predict_all(const RunOptions& options,
                                                                        const scenario::ScenarioDocument& document,
                                                                        const Experiment& prepared) {
    engine::Options engine_options = options_of(prepared);
    engine_options.replay = options.replay;
    engine_options.threads = options.threads;
    engine_options.path = options.path;
    if (options.timeline.file) engine_options.timeline = timeline_window(options.timeline, prepared);
    const ProgressMode mode = progress_mode();
    if (options.samples) {
        record::Record record = predict_with_progress(options.engine, prepared, engine_options, mode).record;
        return {std::move(record), run_samples(document, engine_options, *options.samples, mode)};
    }
    if (!options.seeds) {
        record::Record record = predict_with_progress(options.engine, prepared, engine_options, mode).record;
        if (record.timeline) warn_of_empty_timeline(record, *engine_options.timeline);
        return {std::move(record), {}};
    }
    SeedsRun ran = run_seeds(prepared, engine_options, *options.seeds, mode);
    return {std::move(ran.first), std::move(ran.ensemble)};
}

/// Warns of deadlocks that a small instance shows at once; a large run may take long to reach them.
void warn_of_small_instances(const RunOptions& options, const Experiment& prepared) {
    if (options.engine != Engine::event || prepared.program.grid.ranks() < kManyRanks) return;
    const SmallInstances small = walk_small_instances(prepared);
    for (const std::string& text : {small.deadlock, small.run_ahead}) {
        if (!text.empty()) spdlog::warn("warning: {}", text);
    }
}

std::vector<Node> nodes_of(const Experiment& prepared) {
    std::vector<Node> nodes;
    for (std::uint32_t rank = 0; rank < prepared.program.grid.ranks(); ++rank) {
        nodes.push_back(prepared.machine.placement.node_of({rank}));
    }
    return nodes;
}

/// Throws BadInput for an option that several jobs do not have.
void require_jobs_options(const RunOptions& options) {
    const std::pair<bool, std::string_view> given[] = {
        {options.engine != Engine::event, "--engine"},     {options.seeds.has_value(), "--seeds"},
        {options.samples.has_value(), "--samples"},        {options.ranks.has_value(), "--ranks"},
        {options.timeline.file.has_value(), "--timeline"}, {options.path, "--path"}};
    for (const auto& [is_given, option] : given) {
        if (!is_given) continue;
        throw BadInput(DiagnosticKind::bad_option, {}, fmt::format("`{}` does not apply to jobs side by side", option),
                       option == "--engine" ? "expected no `--engine`, since only the event engine runs jobs"
                                            : "expected a scenario, or no such option");
    }
}

/// Jobs side by side: the time of each alone and beside the others.
ExitStatus run_side_by_side(const RunOptions& options) {
    require_jobs_options(options);
    const results::Answer answer(options.json, options.csv);
    const PreparedJobs prepared = build_jobs(read_jobs_file(options.scenario), options.sets);
    engine::Options engine_options;
    engine_options.replay = options.replay;
    engine_options.threads = options.threads;
    const JobsResult result = run_jobs(prepared, engine_options, progress_mode());
    nlohmann::ordered_json data;
    if (answer.has_data()) data = jobs_json(prepared, result, command_words(options));
    const std::string table = answer.has_table() ? jobs_table(prepared, result, options.quiet) : "";
    guard_signals([&] { answer.write(data, table); });
    return ExitStatus::done;
}

}  // namespace

ExitStatus run(const RunOptions& options) {
    if (is_jobs_file(options.scenario)) return run_side_by_side(options);
    const results::Answer answer(options.json, options.csv);
    if (options.ranks) require_ranks(options);
    const std::optional<results::Output> ranks = output_of(options.ranks);
    const std::optional<TimelineOutput> timeline = timeline_output(options.timeline);
    if (timeline) require_one_run(options, "--timeline", options.timeline.file->range);
    const scenario::ScenarioDocument document = scenario::read_document(options.scenario, options.sets);
    const Experiment prepared = build_experiment(scenario::read_scenario(document));
    if (options.samples) require_uncertain(options.engine, options.seeds.has_value(), prepared, document);
    if (options.seeds) require_random(options.engine, prepared);
    if (options.path) {
        require_one_run(options, "--path", {});
        refuse_choices(prepared, "the critical path");
    }
    warn_of_small_instances(options, prepared);
    auto [record, ensemble] = predict_all(options, document, prepared);
    results::Context context = context_of(prepared, {&options.engine, 1});
    for (std::string& note : scenario::lints(document, prepared.scenario, prepared.program, prepared.hardware,
                                             prepared.machine, scenario::Examined::arguments)) {
        context.notes.push_back(std::move(note));
    }
    if (!options.samples && !options.engine.is_closed_form()) {
        for (std::string& note : notes_on_deviations(document)) context.notes.push_back(std::move(note));
    }
    context.command = command_words(options);
    if (options.engine == Engine::event && prepared.calibrated) context.error = prepared.calibrated->error;
    if (options.engine.is_closed_form() && !document.uncertain.empty()) {
        const WideTime sigma = propagated_deviation(document, options.engine);
        context.one_sigma = {std::max(WideTime{}, record.finish - sigma), record.finish + sigma};
    }
    const std::optional<WideTime> closed_form = closed_form_beside(options.engine, prepared, record);
    nlohmann::ordered_json data;
    if (answer.has_data()) data = results::to_json(record, context, ensemble, closed_form);
    std::string table;
    if (answer.has_table()) {
        context.notes = shown(std::move(context.notes));
        record.notes = shown(std::move(record.notes));
        table = options.quiet ? results::headline(record, context, ensemble)
                              : results::summary(record, context, closed_form, ensemble);
    }
    guard_signals([&] {
        const auto write_timeline = [&] {
            if (timeline) timeline->write(*record.timeline, prepared);
        };
        const auto write_ranks = [&] {
            if (ranks) ranks->write(results::ranks_csv(record, prepared.program.grid, nodes_of(prepared)));
        };
        answer.write(data, table, [&] { results::write_each({write_timeline, write_ranks}); });
    });
    return ExitStatus::done;
}

}  // namespace warpfront::tools
