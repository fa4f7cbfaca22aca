#include "tools/study/sources/items.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/file_kind.hpp"
#include "simulator/input/read_file.hpp"
#include "tools/answer/runs/progress.hpp"
#include "tools/study/cases/tables.hpp"
#include "tools/study/comparison/comparison.hpp"
#include "tools/study/comparison/rows.hpp"
#include "tools/study/outputs.hpp"
#include "tools/study/points.hpp"

namespace warpfront::tools {

namespace {

namespace fs = std::filesystem;

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

/// Returns the name of a file without its extension, preceded by its folder.
std::string name_of_item(const fs::path& file) {
    return (file.parent_path().filename() / file.stem()).generic_string();
}

constexpr std::string_view kExpected = "a study, with a key `axes` or `variants`, or a list with `comparisons` (.yaml)";

/// Reads a file that is a study or a list of comparisons. Throws BadInput for any other file.
SourceFilePtr read_item(const fs::path& file) {
    SourceFilePtr source = input::read_file(file);
    input::refuse_other_name(file, kExpected);
    if (is_study(source) || is_comparison_list(source)) return source;
    input::refuse_other_kind(source, {}, kExpected);
    throw BadInput(DiagnosticKind::unknown_file_kind, {source, 0, 0},
                   fmt::format("`{}` is not an item of a source", file.string()),
                   fmt::format("expected {}", kExpected));
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

SourceItem run_comparisons(const fs::path& file, const SourceFilePtr& source, const SourcesRequest& request) {
    const ComparisonList list = read_comparison_list(source);
    const ComparisonRequest comparison_request{
        .scenario = file, .threads = request.threads, .most_messages = request.most_messages};
    const Comparison comparison = run_comparison(comparison_cases(comparison_request), comparison_request);
    SourceItem item{name_of_item(file), list.source_text, {}, {}, {}, {}};
    for (const ComparisonEntry& entry : list.entries) {
        item.title += (item.title.empty() ? "" : "; ") + entry.name;
        for (Statement& each : judge(entry, comparison)) item.statements.push_back(std::move(each));
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
            const SourceFilePtr source = input::read_file(entry.path());
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
    Diagnostics faults;
    for (const fs::path& file : files) {
        faults.collect([&] {
            if (is_study(read_item(file))) {
                const StudyPlan plan = read_study(file, {});
                (void)problems_of(plan, scenario::read_document(plan.scenario, {}), all_points(plan));
            } else {
                comparison_cases({.scenario = file});
            }
        });
    }
    faults.raise();
}

SourceItem run_item(const fs::path& file, const SourcesRequest& request) {
    const SourceFilePtr source = read_item(file);
    return is_study(source) ? run_study(file, request) : run_comparisons(file, source, request);
}

}  // namespace warpfront::tools
