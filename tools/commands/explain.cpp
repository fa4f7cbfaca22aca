// `warpfront explain`: what binds a prediction, by its critical path, and what would help.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "simulator/results/answer.hpp"
#include "simulator/results/critical_path.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/results/json.hpp"
#include "simulator/results/waiting.hpp"
#include "simulator/units/time.hpp"
#include "tools/commands/commands.hpp"
#include "tools/experiment/experiment.hpp"
#include "tools/explanation/scaled_costs.hpp"
#include "tools/prediction/context.hpp"
#include "tools/runs/interrupt.hpp"
#include "tools/runs/run_with_progress.hpp"

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

/// Messages of a run that is stepped again, as a whole, within a second.
constexpr std::uint64_t kFewMessages = 1'000'000;

/// The part of a run that shows where ranks wait.
struct Excerpt {
    std::string_view title;  // "in the whole run"
    const char* key;         // in the JSON of a rank
    const Experiment& experiment;
    std::optional<Time> until;  // none: the end of the first iteration
};

std::vector<results::StatementWait> waits_of(Rank rank, const Excerpt& excerpt, ProgressMode mode) {
    engine::Options with_timeline = options_of(excerpt.experiment);
    with_timeline.timeline = record::TimelineWindow{.first = rank, .last = rank, .until = excerpt.until};
    const record::Record timed = predict_with_progress(Engine::event, excerpt.experiment, with_timeline, mode).record;
    return results::waits_by_statement(timed.timeline->ranks.front());
}

/// The statements in which the ranks of `most_waiting` wait most, by one more run for each; added to the JSON of the
/// ranks. A rank that waits nowhere is left out of the table.
std::string add_waits(const std::vector<Rank>& ranks, const Excerpt& excerpt, ProgressMode mode,
                      nlohmann::ordered_json& most_waiting) {
    std::string table;
    for (std::size_t k = 0; k < ranks.size(); ++k) {
        const std::vector<results::StatementWait> waits = waits_of(ranks[k], excerpt, mode);
        most_waiting[k][excerpt.key] = results::statements_json(waits, excerpt.experiment.program);
        if (waits.empty()) continue;
        table += fmt::format("{}, rank {} waits in\n", excerpt.title, ranks[k].index) +
                 results::statements_table(waits, excerpt.experiment.program);
    }
    return table;
}

/// The first iteration, by a run of one; and the whole run where its messages are few.
std::string waits_by_statement(const ExplainOptions& options, const Experiment& prepared, const record::Record& record,
                               ProgressMode mode, nlohmann::ordered_json& most_waiting) {
    const std::vector<Rank> ranks = results::most_waiting(record);
    const std::optional<Experiment> once = of_one_iteration(options);
    const Excerpt first{"in its first iteration", "first_iteration", once ? *once : prepared, std::nullopt};
    const std::string of_first = add_waits(ranks, first, mode, most_waiting);
    const bool is_few = record.work && record.work->messages + record.work->collective_messages <= kFewMessages;
    if (!is_few || record.finish >= WideTime{kHorizon}) return of_first;
    const Time finish{static_cast<std::int64_t>(record.finish.ps)};
    const Excerpt whole{"in the whole run", "whole_run", prepared, finish};
    return add_waits(ranks, whole, mode, most_waiting);
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
    refuse_choices(prepared, "the critical path");
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
    nlohmann::ordered_json data;
    std::string waits = results::waiting_table(record, prepared.program.grid);
    if (shown || answer.has_data()) {
        data = results::to_json(record, context);
        waits += waits_by_statement(options, prepared, record, mode, data["most_waiting"]);
    }
    const std::string table = shown ? text_of(record, context, waits, reruns) : "";
    guard_signals([&] { answer.write(data, table); });
    return ExitStatus::done;
}

}  // namespace warpfront::tools
