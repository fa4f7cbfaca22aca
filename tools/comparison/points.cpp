#include "tools/comparison/points.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/read_file.hpp"
#include "simulator/scenario/comparison_list.hpp"
#include "simulator/scenario/reference_data.hpp"

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

/// One point per row of the table; throws the faults of all rows together.
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
            faults.add(bad.faults());
        }
    }
    faults.raise();
}

/// The rows of every table of the list; throws the faults of all of them together.
ComparisonPoints points_of_list(const ComparisonRequest& request, const input::SourceFilePtr& list) {
    if (request.against) {
        throw BadInput(DiagnosticKind::bad_option, {}, "`--against` beside a list of comparisons",
                       "expected a scenario, or the list alone: it names its tables");
    }
    ComparisonPoints all{.points = {}, .notes = {}, .published = true};
    Diagnostics faults;
    for (const scenario::ComparisonEntry& entry : scenario::read_comparison_list(request.scenario, list)) {
        std::vector<std::string> sets = entry.sets;
        sets.insert(sets.end(), request.sets.begin(), request.sets.end());
        try {
            input::read_file(entry.scenario, entry.scenario_range);  // reports at its mention that it cannot be read
            const input::SourceFilePtr table = read_table(entry.against, entry.against_range);
            add_rows(table, scenario::read_document(entry.scenario, sets), entry.name, all);
        } catch (const BadInput& bad) {
            faults.add(bad.faults());
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

}  // namespace warpfront::tools
