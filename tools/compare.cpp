#include "simulator/input/read_file.hpp"
#include "tools/commands.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "simulator/results/json.hpp"
#include "simulator/results/output.hpp"
#include "simulator/scenario/reference_data.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tools/context.hpp"
#include "tools/experiment.hpp"
#include "tools/interrupt.hpp"
#include "tools/run_with_progress.hpp"

namespace warpfront::tools {

namespace {

using input::BadInput;
using input::DiagnosticKind;
using input::Diagnostics;

/// A row of the comparison and the scenario that it predicts.
struct Point {
    ComparisonRow row;
    scenario::Scenario scenario;
};

/// Adds to `notes` those of SimGrid, which explain differences.
EngineTime time_by(Engine engine, const Experiment& prepared, std::vector<std::string>& notes) {
    const Prediction result = predict_with_progress(engine, prepared, options_of(prepared), progress_mode(false));
    if (engine == Engine::simgrid) notes.insert(notes.end(), result.record.notes.begin(), result.record.notes.end());
    return {engine, result.record.finish, result.contention, result.waiting};
}

Point point_of(const scenario::ReferenceRow& reference, const scenario::ScenarioDocument& base) {
    Point point;
    point.row.label = reference.label;
    point.row.line = reference.line;
    point.row.prediction = reference.prediction;
    point.row.measurement = reference.measurement;
    point.row.information = reference.information;
    point.scenario = scenario::scenario_of(reference, base);
    return point;
}

input::SourceFilePtr read_table(const std::filesystem::path& file) {
    const std::string extension = file.extension().string();
    if (extension == ".yaml" || extension == ".yml" || extension == ".psl") {
        throw BadInput(DiagnosticKind::unknown_file_kind, {}, fmt::format("`{}` is no table", file.string()),
                       "expected a published table (.csv)");
    }
    return input::read_file(file);
}

/// One point per row of the reference data; reports the faults of all rows together.
std::vector<Point> reference_points(const input::SourceFilePtr& source, const scenario::ScenarioDocument& base,
                                    std::vector<std::string>& notes) {
    Diagnostics faults;
    const scenario::ReferenceTable table = scenario::read_reference_table(source, faults);
    faults.raise();
    if (!table.skipped.empty()) {
        notes.push_back(table.skipped_note());
        spdlog::warn("warning: {}: {}", source->name(), notes.back());
    }
    std::vector<Point> points;
    for (const scenario::ReferenceRow& reference : table.rows) {
        try {
            points.push_back(point_of(reference, base));
        } catch (const BadInput& bad) {
            faults.add(bad.faults());
        }
    }
    faults.raise();
    if (points.empty()) {
        throw BadInput(DiagnosticKind::nothing_to_compare, {source, 0, 0}, "every row is skipped",
                       "expected a row with a rank array, in columns `n` and `m`");
    }
    return points;
}

/// A tolerance needs a second engine or reference data; that is known before any engine runs.
void check_tolerance(const CompareOptions& options, const std::vector<Point>& points) {
    if (!options.tolerance) return;
    const bool predicted =
        std::any_of(points.begin(), points.end(), [](const Point& point) { return point.row.prediction.has_value(); });
    if (options.against && !predicted) {
        throw BadInput(DiagnosticKind::nothing_to_compare, {}, "`--tolerance` has no published prediction to judge by",
                       fmt::format("expected a column `pred` in `{}`", options.against->string()));
    }
    const std::set<Engine> engines(options.engines.begin(), options.engines.end());
    if (!options.against && engines.size() < 2) {
        throw BadInput(DiagnosticKind::nothing_to_compare, {},
                       "`--tolerance` has one engine and nothing to judge it by",
                       "expected two engines, or a published table by `--against`");
    }
}

using HashByPath = std::map<std::string, std::string>;

nlohmann::ordered_json json_of(const Comparison& comparison, const CompareOptions& options, const HashByPath& inputs) {
    nlohmann::ordered_json json;
    json["schema"] = "warpfront.comparison/1";
    json["engines"] = nlohmann::ordered_json::array();
    for (const Engine engine : options.engines) json["engines"].push_back(std::string(name_of(engine)));
    if (options.tolerance) json["tolerance_pct"] = options.tolerance->value;
    json["rows"] = to_json(comparison.rows);
    json["notes"] = comparison.notes;
    json["context"] = {{"version", WARPFRONT_VERSION}, {"inputs", inputs}, {"host", results::describe_host()}};
    return json;
}

/// Adds the notes that the comparison does not have yet: rows of one table share most of theirs.
void add_notes(Comparison& comparison, const std::vector<std::string>& notes, const ComparisonRow& row) {
    for (const std::string& note : notes) {
        const std::string text = row.line == 0 ? note : fmt::format("{} ranks: {}", row.grid.ranks(), note);
        const auto& all = comparison.notes;
        if (std::find(all.begin(), all.end(), text) == all.end()) comparison.notes.push_back(text);
    }
}

}  // namespace

ExitStatus compare(const CompareOptions& options) {
    const std::optional<results::Output> json = output_of(options.json);
    const scenario::ScenarioDocument base = scenario::read_document(options.scenario, options.sets);
    Comparison comparison;
    std::vector<Point> points;
    input::SourceFilePtr table;
    if (options.against) {
        table = read_table(*options.against);
        points = reference_points(table, base, comparison.notes);
    } else {
        points.emplace_back();
        points.back().row.label = options.scenario.stem().string();
        points.back().scenario = scenario::read_scenario(base);
    }
    check_tolerance(options, points);

    HashByPath inputs;
    for (Point& point : points) {
        Experiment prepared = build_experiment(std::move(point.scenario));
        point.row.grid = prepared.program.grid;
        std::vector<std::string> notes;
        for (const Engine engine : options.engines) {
            if (time_of(point.row, engine) == nullptr) point.row.times.push_back(time_by(engine, prepared, notes));
        }
        if (table) prepared.sources.push_back(table);
        results::Context context = context_of(prepared);
        for (const results::InputHash& hash : context.inputs) inputs.emplace(hash.path, hash.sha256);
        point.row.scenario = std::move(context.scenario);
        add_notes(comparison, context.notes, point.row);
        add_notes(comparison, notes, point.row);
        comparison.rows.push_back(std::move(point.row));
    }
    const std::string json_text = json ? results::json_text(json_of(comparison, options, inputs)) : "";
    guard_signals([&] { results::write_answer(json, json_text, render(comparison)); });

    if (!options.tolerance) return ExitStatus::done;
    const std::vector<std::string> failures = beyond(comparison, *options.tolerance, !options.against);
    for (const std::string& failure : failures) spdlog::error("{}", failure);
    return failures.empty() ? ExitStatus::done : ExitStatus::run_failed;
}

}  // namespace warpfront::tools
