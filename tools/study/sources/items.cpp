#include "tools/study/sources/items.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/input/read_file.hpp"
#include "simulator/results/formatting.hpp"
#include "tools/answer/runs/progress.hpp"
#include "tools/study/cases/tables.hpp"
#include "tools/study/comparison/outputs.hpp"
#include "tools/study/comparison/rows.hpp"
#include "tools/study/judgements.hpp"
#include "tools/study/outputs.hpp"
#include "tools/study/points.hpp"

namespace warpfront::tools {

namespace {

namespace fs = std::filesystem;
using input::BadInput;
using input::DiagnosticKind;

constexpr std::string_view kClosedForm = "analytic", kEvent = "event", kClosedFormColumn = "pred";
constexpr Percent kOfClosedForm{1.0};

/// Returns a key that sorts digits as numbers: figure-5.9 before figure-5.10.
std::vector<std::pair<std::string, long>> sort_key(const fs::path& file) {
    std::vector<std::pair<std::string, long>> key{{"", -1}};
    for (const char letter : file.string()) {
        if (std::isdigit(static_cast<unsigned char>(letter)) != 0) {
            if (key.back().second < 0) key.emplace_back("", 0);
            key.back().second = key.back().second * 10 + (letter - '0');
        } else {
            if (key.back().second >= 0) key.emplace_back("", -1);
            key.back().first += letter;
        }
    }
    return key;
}

/// Returns the folder and the file, without its extension.
std::string name_of_item(const fs::path& file) {
    return (file.parent_path().filename() / file.stem()).generic_string();
}

[[noreturn]] void refuse(const fs::path& file) {
    throw BadInput(DiagnosticKind::unknown_file_kind, {input::read_file(file), 0, 0},
                   fmt::format("`{}` is no item", file.string()),
                   "expected a study, with a key `axes`, or a list with `comparisons`");
}

SourceItem run_study(const fs::path& file, const SourcesRequest& request) {
    const StudyPlan plan = read_study(file, {});
    const scenario::ScenarioDocument base = scenario::read_document(plan.scenario, {});
    const std::vector<std::size_t> points = all_points(plan);
    std::vector<Problem> problems = problems_of(plan, base, points);
    CaseRuns runs = runs_of(plan, base, points);
    runs.most_messages = request.most_messages;
    runs.threads = request.threads;
    runs.store = request.points;
    runs.mode = progress_mode();
    const StudyResults results(plan, points, run_cases(runs).all, std::move(problems));
    SourceItem item{name_of_item(file), plan.source_text, plan.question, {}, {}, {}};
    for (std::size_t row = 0; row < results.rows(); ++row) {
        for (const EngineFailure& failure : results.at(row).failures) {
            item.failures.push_back(
                fmt::format("{}, {}, {}: {}", item.name, describe_point(plan, row), failure.engine, failure.fault));
        }
    }
    for (const Finding& finding : plan.published) item.statements.push_back(judge(finding, results));
    item.result = study_json(results, base);
    return item;
}

/// The differences of one engine to one published column, over the rows of a table.
struct ColumnDifferences {
    double sum_of_sizes = 0.0;
    std::size_t rows = 0;
    Percent worst{};
    std::vector<std::string> beyond;  // rows beyond `within`, with their difference

    void add(Percent difference, Percent within, const ComparisonRow& row) {
        ++rows;
        sum_of_sizes += std::abs(difference.value);
        if (std::abs(difference.value) > std::abs(worst.value)) worst = difference;
        if (std::abs(difference.value) <= within.value) return;
        beyond.push_back(fmt::format("{} ranks {:+.1f} %", as_text(row.grid), difference.value));
    }
};

using Rows = std::vector<const ComparisonRow*>;

std::optional<WideTime> published_time(const ComparisonRow& row, std::string_view column) {
    if (column == "exec") return row.measurement ? std::optional<WideTime>(*row.measurement) : std::nullopt;
    const auto found = std::find_if(row.predictions.begin(), row.predictions.end(),
                                    [&](const MethodTime& time) { return time.method == column; });
    return found == row.predictions.end() ? std::nullopt : std::optional(found->time);
}

/// Returns the largest error of the published predictions against the measurements; nothing without both.
std::optional<Percent> own_error(const Rows& rows) {
    std::optional<Percent> largest;
    for (const ComparisonRow* row : rows) {
        if (!row->measurement) continue;
        for (const MethodTime& prediction : row->predictions) {
            const auto error = difference(prediction.time, *row->measurement);
            if (error && (!largest || std::abs(error->value) > largest->value))
                largest = Percent{std::abs(error->value)};
        }
    }
    return largest;
}

/// Judges one column of a table; returns nothing if no row has it.
std::optional<Statement> statement_of(const ComparisonEntry& entry, const Rows& rows, const std::string& column) {
    const std::string_view engine = column == kClosedFormColumn ? kClosedForm : kEvent;
    const auto stated = entry.within.find(column);
    const bool own = stated == entry.within.end() && column != kClosedFormColumn;
    const std::optional<Percent> within = stated != entry.within.end()  ? std::optional(stated->second)
                                          : column == kClosedFormColumn ? std::optional(kOfClosedForm)
                                                                        : own_error(rows);
    std::size_t published = 0;
    ColumnDifferences differences;
    for (const ComparisonRow* row : rows) {
        const std::optional<WideTime> theirs = published_time(*row, column);
        if (!theirs) continue;
        ++published;
        const MethodTime* ours = time_of(*row, engine);
        const auto percent = ours == nullptr ? std::nullopt : difference(ours->time, *theirs);
        if (percent && within) differences.add(*percent, *within, *row);
    }
    if (published == 0 || !within) return std::nullopt;
    const auto tested = entry.tested_by.find(column);
    Statement statement{.states = fmt::format("{}: {}", entry.name, column),
                        .expected = fmt::format("{} within {:.3g} %{}", results::counted(published, "row"),
                                                within->value, own ? ", the source's largest error" : " (our bound)"),
                        .our_bounds = !own,
                        .reason = entry.reason,
                        .tested_by = tested == entry.tested_by.end() ? std::string() : tested->second};
    if (differences.rows == 0) return statement;
    std::string text =
        fmt::format("{}, mean {:.2g} %, worst {:+.2g} %", results::counted(differences.rows, "row"),
                    differences.sum_of_sizes / static_cast<double>(differences.rows), differences.worst.value);
    if (!differences.beyond.empty()) text += fmt::format("; beyond: {}", fmt::join(differences.beyond, ", "));
    statement.ours.push_back({std::string(engine), std::move(text), differences.worst, differences.beyond.empty()});
    return statement;
}

SourceItem run_comparisons(const fs::path& file, const input::SourceFilePtr& source, const SourcesRequest& request) {
    const ComparisonList list = read_comparison_list(source);
    const ComparisonRequest comparison_request{
        .scenario = file, .threads = request.threads, .most_messages = request.most_messages};
    const Comparison comparison = run_comparison(comparison_cases(comparison_request), comparison_request);
    SourceItem item{name_of_item(file), list.source_text, {}, {}, {}, {}};
    for (const ComparisonEntry& entry : list.entries) {
        item.title += (item.title.empty() ? "" : "; ") + entry.name;
        Rows rows;
        for (const ComparisonRow& row : comparison.rows) {
            if (row.table == entry.name) rows.push_back(&row);
        }
        for (const char* column : {"pred", "warpp", "pace", "exec"}) {
            if (auto statement = statement_of(entry, rows, column)) item.statements.push_back(std::move(*statement));
        }
    }
    item.result = comparison_json(comparison, comparison_request, std::nullopt);
    return item;
}

}  // namespace

std::vector<fs::path> item_files(const std::vector<fs::path>& named) {
    std::vector<fs::path> files;
    for (const fs::path& each : named) {
        if (!fs::is_directory(each)) {
            files.push_back(each);
            continue;
        }
        const std::size_t before = files.size();
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(each)) {
            if (entry.path().extension() != ".yaml") continue;
            const input::SourceFilePtr source = input::read_file(entry.path());
            if (is_study(source) || is_comparison_list(source)) files.push_back(entry.path());
        }
        if (files.size() == before) {
            throw BadInput(DiagnosticKind::nothing_to_compare, {}, fmt::format("`{}` has no item", each.string()),
                           "expected a folder with studies or lists of comparisons (.yaml)");
        }
        std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end(),
                  [](const fs::path& one, const fs::path& other) { return sort_key(one) < sort_key(other); });
    }
    return files;
}

void check_items(const std::vector<fs::path>& files) {
    input::Diagnostics faults;
    for (const fs::path& file : files) {
        try {
            if (is_study(input::read_file(file))) {
                const StudyPlan plan = read_study(file, {});
                (void)problems_of(plan, scenario::read_document(plan.scenario, {}), all_points(plan));
            } else if (is_comparison_list(input::read_file(file))) {
                comparison_cases({.scenario = file});
            } else {
                refuse(file);
            }
        } catch (const BadInput& bad) {
            faults.add(bad.diagnostics());
        }
    }
    faults.raise();
}

SourceItem run_item(const fs::path& file, const SourcesRequest& request) {
    const input::SourceFilePtr source = input::read_file(file);
    if (is_study(source)) return run_study(file, request);
    if (is_comparison_list(source)) return run_comparisons(file, source, request);
    refuse(file);
}

}  // namespace warpfront::tools
