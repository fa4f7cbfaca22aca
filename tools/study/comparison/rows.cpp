#include "tools/study/comparison/rows.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "simulator/input/read_file.hpp"
#include "simulator/results/ensemble.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tools/answer/difference/difference_parts.hpp"
#include "tools/answer/prediction/context.hpp"
#include "tools/answer/runs/runs.hpp"
#include "tools/study/cases/runner.hpp"

namespace warpfront::tools {

namespace {

/// Returns the cases of every table of the list. Throws BadInput with the errors of all tables.
Cases cases_of_list(const ComparisonRequest& request, const SourceFilePtr& list) {
    if (request.against) {
        throw BadInput(DiagnosticKind::bad_option, {}, "`--against` does not apply to a list of comparisons",
                       "expected a scenario, or the list without `--against`, since it names its own tables");
    }
    Cases cases;
    Diagnostics faults;
    for (const ComparisonEntry& entry : read_comparison_list(list).entries) {
        faults.collect([&] { cases.add(entry, request.sets); });
    }
    faults.raise();
    cases.hidden.refuse();
    for (Case& each : cases.all) each.sources.push_back(list);
    return cases;
}

}  // namespace

Cases comparison_cases(const ComparisonRequest& request) {
    const std::string extension = request.scenario.extension().string();
    if (extension == ".yaml" || extension == ".yml") {
        const SourceFilePtr source = input::read_file(request.scenario);
        if (is_comparison_list(source)) return cases_of_list(request, source);
    }
    Cases cases;
    if (request.against) {
        cases.add({.scenario = {.file = request.scenario}, .file = *request.against}, request.sets);
        cases.hidden.refuse();
    } else {
        cases.all.push_back(
            {.scenario = scenario::read_scenario(scenario::read_document(request.scenario, request.sets))});
        cases.all.back().published.label = request.scenario.stem().string();
    }
    return cases;
}

std::vector<PreparedRow> prepare_rows(std::vector<Case> cases) {
    Diagnostics faults;
    std::vector<PreparedRow> rows;
    for (Case& each : cases) {
        faults.collect([&] {
            Experiment experiment = build_experiment(each.scenario);
            experiment.sources.insert(experiment.sources.end(), each.sources.begin(), each.sources.end());
            ComparisonRow row{.table = each.table,
                              .label = each.published.label,
                              .line = each.published.line,
                              .grid = experiment.program.grid,
                              .measurement = each.published.measurement,
                              .information = each.published.information};
            for (const scenario::PublishedPrediction& prediction : each.published.predictions) {
                row.predictions.push_back({prediction.method, prediction.time});
            }
            rows.push_back(
                {std::move(row), std::move(each.scenario), std::make_shared<const Experiment>(std::move(experiment))});
        });
    }
    faults.raise();
    return rows;
}

namespace {

WideTime mean_of(const std::vector<WideTime>& times) {
    WideTime sum;
    for (const WideTime& time : times) sum += time;
    return WideTime{sum.ps / static_cast<Wide>(times.size())};
}

/// Returns the engines to run, each once. The event engine computes the parts, even if its time is not shown.
std::vector<Engine> engines_of(const ComparisonRequest& request) {
    std::vector<Engine> engines;
    const auto add = [&engines](Engine engine) {
        if (std::ranges::find(engines, engine) == engines.end()) engines.push_back(engine);
    };
    for (const Engine engine : request.engines) add(engine);
    if (request.parts) add(Engine::event);
    return engines;
}

/// Throws BadInput if a row has a region whose time is computed in advance. The parts of a difference are computed by
/// removing resources from the machine, and this does not change the time of such a region.
void require_stepped(const std::vector<PreparedRow>& rows, const ComparisonRequest& request) {
    const auto charged =
        std::ranges::find_if(rows, [](const auto& row) { return program::has_delay(row.experiment->program); });
    if (!request.parts || charged == rows.end()) return;
    throw BadInput(DiagnosticKind::bad_option, charged->scenario.model_range,
                   "`--parts` does not accept a model with regions that are not simulated",
                   "expected a model without `analytic` and `trace` regions");
}

/// Adds the times of the engines to a row.
void add_times(const PointResult& result, const ComparisonRequest& request, PreparedRow& prepared) {
    for (const Engine engine : request.engines) {
        const EngineResult* const of_engine = result.by(name_of(engine));
        if (of_engine == nullptr || time_of(prepared.row, name_of(engine)) != nullptr) continue;
        MethodTime& time = prepared.row.times.emplace_back(MethodTime{.method = of_engine->engine,
                                                                      .time = mean_of(of_engine->times()),
                                                                      .contention_term = of_engine->contention,
                                                                      .waiting = of_engine->waiting});
        if (engine != Engine::event) continue;
        const std::optional<Calibrated>& calibrated = prepared.experiment->calibrated;
        time.interval = results::interval_of(of_engine->times(), calibrated ? calibrated->error : std::nullopt,
                                             prepared.experiment->program.grid.ranks());
    }
}

/// Computes the parts of all rows in parallel.
void find_parts(std::vector<PreparedRow>& rows, const CaseResults& results, const ComparisonRequest& request) {
    std::vector<RebuiltExperiments> rebuilt;
    for (const PreparedRow& row : rows) refuse_choices(*row.experiment, "`--parts`");
    for (const PreparedRow& row : rows) rebuilt.push_back(rebuild(row.scenario, *row.experiment));
    RunPool pool({.runs = static_cast<std::uint32_t>(rows.size()), .threads = request.threads});
    pool.for_each([&](RunPool::Run& run) {
        PreparedRow& row = rows[run.number()];
        const auto event_time = [&](const Experiment& experiment) {
            const std::uint32_t seeds = experiment.depends_on_seed() ? request.seeds.value_or(1) : 1;
            std::vector<WideTime> times;
            for (engine::Options options = options_of(experiment); times.size() < seeds; ++options.seed.value) {
                times.push_back(run.predict(Engine::event, experiment, options).record.finish);
            }
            return mean_of(times);
        };
        const EngineResult& event = *results.all[run.number()].by(name_of(Engine::event));
        row.row.parts = difference_parts(*row.experiment, rebuilt[run.number()], mean_of(event.times()), event_time);
    });
}

/// Returns the notes of a row, each once. They concern its experiment and the differences between engines.
std::vector<std::string> notes_of_row(const PreparedRow& row, const PointResult& result,
                                      const ComparisonRequest& request) {
    std::vector<std::string> notes = notes_of(*row.experiment, engines_of(request));
    for (const EngineResult& each : result.engines) {
        for (const std::string& note : each.notes) {
            const bool is_on_difference = each.engine != name_of(Engine::analytic) || is_on_eager_waits(note);
            const bool is_new = std::ranges::find(notes, note) == notes.end();
            if (each.engine != name_of(Engine::event) && is_on_difference && is_new) notes.push_back(note);
        }
    }
    return notes;
}

}  // namespace

Comparison run_comparison(Cases cases, const ComparisonRequest& request) {
    std::vector<PreparedRow> rows = prepare_rows(std::move(cases.all));
    require_stepped(rows, request);
    CaseRuns runs{.cases = rows.size(), .prepare = {}};
    runs.prepare = [&](std::size_t number) { return PreparedCase{rows[number].experiment, engines_of(request)}; };
    runs.seeds = request.seeds.value_or(1);
    runs.most_messages = request.most_messages;
    runs.threads = request.threads;
    runs.mode = progress_mode();
    require_random(runs);
    const CaseResults results = run_cases(runs);
    for (std::size_t k = 0; k < rows.size(); ++k) add_times(results.all[k], request, rows[k]);
    if (request.parts) find_parts(rows, results, request);

    Comparison comparison{.rows = {}, .notes = std::move(cases.notes)};
    CountedNotes counted;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        ComparisonRow& row = comparison.rows.emplace_back(std::move(rows[k].row));
        for (const results::InputHash& hash : results::hash_inputs(rows[k].experiment->sources)) {
            comparison.inputs.emplace(hash.path, hash.sha256);
        }
        row.scenario = echo(rows[k].experiment->scenario);
        const std::string owner = results::counted(row.grid.ranks(), "rank");
        for (const std::string& note : notes_of_row(rows[k], results.all[k], request)) counted.add(note, owner);
    }
    for (std::string& note : counted.texts(comparison.rows.size(), "rows")) comparison.notes.push_back(std::move(note));
    return comparison;
}

}  // namespace warpfront::tools
