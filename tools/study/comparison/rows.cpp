#include "tools/study/comparison/rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/read_file.hpp"
#include "simulator/results/ensemble.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/scenario/comparison_list.hpp"
#include "simulator/scenario/reference_data.hpp"
#include "tools/answer/difference/difference_parts.hpp"
#include "tools/answer/prediction/context.hpp"
#include "tools/answer/runs/estimate.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/answer/runs/parallel_for.hpp"
#include "tools/answer/runs/runs.hpp"

namespace warpfront::tools {

namespace {

using input::BadInput;
using input::DiagnosticKind;
using input::Diagnostics;

bool is_yaml(const std::filesystem::path& file) {
    const std::string extension = file.extension().string();
    return extension == ".yaml" || extension == ".yml";
}

ComparisonPoint point_of(const scenario::ReferenceRow& reference, const scenario::ScenarioDocument& base) {
    ComparisonPoint point;
    point.row.label = reference.label;
    point.row.line = reference.line;
    for (const scenario::PublishedPrediction& prediction : reference.predictions) {
        point.row.predictions.push_back({prediction.method, prediction.time});
    }
    point.row.measurement = reference.measurement;
    point.row.information = reference.information;
    point.scenario = scenario::scenario_of(reference, base);
    return point;
}

input::SourceFilePtr read_table(const std::filesystem::path& file, const input::SourceRange& mentioned_at) {
    if (is_yaml(file) || file.extension() == ".psl") {
        throw BadInput(DiagnosticKind::unknown_file_kind, mentioned_at, fmt::format("`{}` is no table", file.string()),
                       "expected a published table (.csv)");
    }
    return input::read_file(file, mentioned_at);
}

/// Adds one point per row of the table; throws the faults of all rows together.
void add_rows(const input::SourceFilePtr& source, const scenario::ScenarioDocument& base, const std::string& name,
              ComparisonPoints& all) {
    Diagnostics faults;
    const scenario::ReferenceTable table = scenario::read_reference_table(source, faults);
    faults.raise();
    if (!table.skipped.empty()) {
        const std::string note = table.skipped_note();
        all.notes.push_back(name.empty() ? note : fmt::format("{}: {}", name, note));
        all.warnings.push_back(fmt::format("warning: {}: {}", source->name(), note));
    }
    for (const std::string& note : table.notes()) {
        if (std::find(all.notes.begin(), all.notes.end(), note) == all.notes.end()) all.notes.push_back(note);
    }
    if (table.rows.empty()) {
        throw BadInput(DiagnosticKind::nothing_to_compare, {source, 0, 0}, "every row is skipped",
                       "expected a row with a rank array, in columns `n` and `m`");
    }
    for (const scenario::ReferenceRow& reference : table.rows) {
        try {
            ComparisonPoint point = point_of(reference, base);
            point.row.table = name;
            point.sources.push_back(source);
            all.points.push_back(std::move(point));
        } catch (const BadInput& bad) {
            faults.add(bad.diagnostics());
        }
    }
    faults.raise();
}

/// Returns the rows of every table of the list; throws the faults of all of them together.
ComparisonPoints points_of_list(const ComparisonRequest& request, const input::SourceFilePtr& list) {
    if (request.against) {
        throw BadInput(DiagnosticKind::bad_option, {}, "`--against` beside a list of comparisons",
                       "expected a scenario, or the list alone: it names its tables");
    }
    ComparisonPoints all{.points = {}, .notes = {}, .published = true};
    Diagnostics faults;
    for (const scenario::ComparisonEntry& entry : scenario::read_comparison_list(request.scenario, list).entries) {
        std::vector<std::string> sets = entry.sets;
        sets.insert(sets.end(), request.sets.begin(), request.sets.end());
        try {
            input::read_file(entry.scenario, entry.scenario_range);  // reports an unreadable file at its mention
            const input::SourceFilePtr table = read_table(entry.against, entry.against_range);
            add_rows(table, scenario::read_document(entry.scenario, sets), entry.name, all);
        } catch (const BadInput& bad) {
            faults.add(bad.diagnostics());
        }
    }
    faults.raise();
    for (ComparisonPoint& point : all.points) point.sources.push_back(list);
    return all;
}

}  // namespace

ComparisonPoints comparison_points(const ComparisonRequest& request) {
    if (is_yaml(request.scenario)) {
        const input::SourceFilePtr source = input::read_file(request.scenario);
        if (scenario::is_comparison_list(source)) return points_of_list(request, source);
    }
    const scenario::ScenarioDocument base = scenario::read_document(request.scenario, request.sets);
    ComparisonPoints all{.points = {}, .notes = {}, .published = request.against.has_value()};
    if (request.against) {
        add_rows(read_table(*request.against, {}), base, "", all);
        return all;
    }
    ComparisonPoint& point = all.points.emplace_back();
    point.row.label = request.scenario.stem().string();
    point.scenario = scenario::read_scenario(base);
    return all;
}

namespace {

using engine::ProgressMonitor;

/// The results of the event engine for one row.
struct EventResult {
    std::size_t first_run = 0;
    std::vector<WideTime> times;  // by seed
    std::optional<Waiting> waiting{};
};

WideTime mean_of(const std::vector<WideTime>& times) {
    WideTime sum;
    for (const WideTime& time : times) sum += time;
    return WideTime{sum.ps / static_cast<Wide>(times.size())};
}

bool asks_for(const ComparisonRequest& request, Engine engine) {
    return std::find(request.engines.begin(), request.engines.end(), engine) != request.engines.end();
}

std::uint32_t seeds_of(const Experiment& experiment, const ComparisonRequest& request) {
    return experiment.depends_on_seed() ? request.seeds.value_or(1) : 1;
}

void require_random(const std::vector<PreparedRow>& rows, const ComparisonRequest& request) {
    if (!request.seeds) return;
    const bool random =
        std::any_of(rows.begin(), rows.end(), [](const PreparedRow& row) { return row.experiment.depends_on_seed(); });
    if (random && (request.parts || asks_for(request, Engine::event) || asks_for(request, Engine::simgrid))) return;
    throw BadInput(DiagnosticKind::nothing_random, {}, "`--seeds` would run the same answers over and over",
                   "expected the event engine or simgrid, and `noise` or `heterogeneity` that depends on the seed");
}

/// Throws if a row charges the time of a region in advance. Parts are found by removing resources, which has no effect
/// on such a time.
void require_stepped(const std::vector<PreparedRow>& rows, const ComparisonRequest& request) {
    const auto charged = std::find_if(
        rows.begin(), rows.end(), [](const PreparedRow& row) { return program::has_delay(row.experiment.program); });
    if (!request.parts || charged == rows.end()) return;
    throw BadInput(DiagnosticKind::bad_option, charged->point.scenario.model_range,
                   "`--parts` of a model with regions that are not stepped",
                   "expected one without `analytic` and `trace`");
}

/// Predicts a row with SimGrid or a closed form. Only SimGrid depends on seeds; everything except the time is that of
/// the first seed.
MethodTime time_by(Engine engine, PreparedRow& row, std::uint32_t seeds) {
    engine::Options engine_options = options_of(row.experiment);
    const auto predicted = [&] {
        return predict_with_progress(engine, row.experiment, engine_options, progress_mode());
    };
    const Prediction result = predicted();
    std::vector<WideTime> times{result.record.finish};
    while (engine == Engine::simgrid && times.size() < seeds) {
        ++engine_options.seed.value;
        times.push_back(predicted().record.finish);
    }
    if (engine != Engine::analytic) {
        row.notes.insert(row.notes.end(), result.record.notes.begin(), result.record.notes.end());
    } else if (result.eager_waits) {
        row.notes.push_back(*result.eager_waits);
    }
    return {std::string(name_of(engine)), mean_of(times), result.contention, result.waiting};
}

/// Runs all rows and seeds with the event engine.
std::vector<EventResult> run_all_events(const std::vector<PreparedRow>& rows, const ComparisonRequest& request) {
    std::vector<EventResult> all(rows.size());
    std::vector<EventRun> runs;
    std::vector<std::size_t> row_of;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const Experiment& experiment = rows[k].experiment;
        if (request.most_messages && steps_more(experiment, *request.most_messages)) continue;
        const std::uint32_t seeds = seeds_of(experiment, request);
        const Seed first = experiment.scenario.noise_configuration.seed;
        all[k].first_run = runs.size();
        all[k].times.resize(seeds);
        for (std::uint32_t seed = 0; seed < seeds; ++seed) {
            runs.push_back({&experiment, Seed{first.value + seed}});
            row_of.push_back(k);
        }
    }
    engine::Options engine_options;
    engine_options.threads = request.threads;
    run_events(runs, engine_options, {}, progress_mode(), [&](std::uint32_t number, const Prediction& prediction) {
        EventResult& result = all[row_of[number]];
        result.times[number - result.first_run] = prediction.record.finish;
        if (number == result.first_run) result.waiting = prediction.waiting;
    });
    return all;
}

/// Computes the parts of all rows side by side, every run on one thread.
void find_parts(std::vector<PreparedRow>& rows, const std::vector<EventResult>& events,
                const ComparisonRequest& request) {
    std::vector<RebuiltExperiments> rebuilt;
    for (const PreparedRow& row : rows) refuse_choices(row.experiment, "the run without queues, of `--parts`,");
    for (const PreparedRow& row : rows) rebuilt.push_back(rebuild(row.point.scenario, row.experiment));
    const auto find = [&](std::uint32_t number, const Wanted& wanted) {
        PreparedRow& row = rows[number];
        const auto event_time = [&wanted, &request](const Experiment& experiment) {
            ProgressMonitor monitor([&wanted](const engine::Progress&) {
                return interrupted() || !wanted() ? ProgressMonitor::Decision::stop : ProgressMonitor::Decision::go_on;
            });
            engine::Options engine_options = options_of(experiment);
            engine_options.monitor = &monitor;
            std::vector<WideTime> times;
            for (std::uint32_t seeds = seeds_of(experiment, request); times.size() < seeds;) {
                end_if_interrupted();
                times.push_back(predict(Engine::event, experiment, engine_options).record.finish);
                ++engine_options.seed.value;
            }
            return mean_of(times);
        };
        row.point.row.parts =
            difference_parts(row.experiment, rebuilt[number], mean_of(events[number].times), event_time);
    };
    guard_signals([&] { parallel_for(static_cast<std::uint32_t>(rows.size()), request.threads, find); });
}

}  // namespace

std::vector<PreparedRow> prepare_rows(std::vector<ComparisonPoint> points) {
    input::Diagnostics faults;
    std::vector<PreparedRow> rows;
    for (ComparisonPoint& point : points) {
        try {
            Experiment experiment = build_experiment(point.scenario);
            point.row.grid = experiment.program.grid;
            experiment.sources.insert(experiment.sources.end(), point.sources.begin(), point.sources.end());
            rows.push_back({std::move(point), std::move(experiment)});
        } catch (const BadInput& bad) {
            faults.add(bad.diagnostics());
        }
    }
    faults.raise();
    return rows;
}

void run_rows(std::vector<PreparedRow>& rows, const ComparisonRequest& request) {
    require_random(rows, request);
    require_stepped(rows, request);
    std::vector<EventResult> events;
    if (request.parts || asks_for(request, Engine::event)) events = run_all_events(rows, request);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        ComparisonRow& row = rows[k].point.row;
        for (const Engine engine : request.engines) {
            if (time_of(row, name_of(engine)) != nullptr) continue;
            if (engine != Engine::event) {
                row.times.push_back(time_by(engine, rows[k], seeds_of(rows[k].experiment, request)));
                continue;
            }
            if (events[k].times.empty()) continue;
            const std::optional<Calibrated>& calibrated = rows[k].experiment.calibrated;
            row.times.push_back(
                {.method = std::string(name_of(engine)),
                 .time = mean_of(events[k].times),
                 .waiting = events[k].waiting,
                 .interval = results::interval_of(events[k].times, calibrated ? calibrated->error : std::nullopt,
                                                  rows[k].experiment.program.grid.ranks())});
        }
    }
    if (request.parts) find_parts(rows, events, request);
}

Comparison comparison_of(std::vector<PreparedRow> rows, std::vector<std::string> notes,
                         const ComparisonRequest& request) {
    Comparison comparison{.rows = {}, .notes = std::move(notes)};
    std::vector<Engine> engines = request.engines;
    if (request.parts) engines.push_back(Engine::event);  // which computes the parts, even if its time is not shown
    CountedNotes counted;
    for (PreparedRow& prepared : rows) {
        ComparisonRow& row = prepared.point.row;
        results::Context context = context_of(prepared.experiment, engines);
        for (const results::InputHash& hash : context.inputs) comparison.inputs.emplace(hash.path, hash.sha256);
        row.scenario = std::move(context.scenario);
        const std::string owner = results::counted(row.grid.ranks(), "rank");
        for (const std::string& note : context.notes) counted.add(note, owner);
        for (const std::string& note : prepared.notes) counted.add(note, owner);
        comparison.rows.push_back(std::move(row));
    }
    for (std::string& note : counted.texts(comparison.rows.size(), "rows")) comparison.notes.push_back(std::move(note));
    return comparison;
}

}  // namespace warpfront::tools
