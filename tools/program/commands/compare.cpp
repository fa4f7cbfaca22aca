#include "tools/program/commands/commands.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <nlohmann/json.hpp>

#include "simulator/results/output.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/study/comparison/rows.hpp"

namespace warpfront::tools {

namespace {

/// Throws before any engine runs if there is neither a second engine nor reference data for the tolerance.
void check_tolerance(const CompareOptions& options, const Cases& cases, bool published) {
    if (!options.tolerance) return;
    const bool predicted = std::ranges::any_of(cases.all, [](const Case& each) {
        return std::ranges::count(each.published.predictions, "pred", &scenario::PublishedPrediction::method) > 0;
    });
    if (published && !predicted) {
        throw BadInput(DiagnosticKind::nothing_to_compare, {}, "`--tolerance` requires published predictions",
                       fmt::format("expected a column `pred` in {}",
                                   options.against ? fmt::format("`{}`", options.against->string()) : "a table"));
    }
    const std::set<Engine> engines(options.engines.begin(), options.engines.end());
    if (!published && engines.size() < 2) {
        throw BadInput(DiagnosticKind::nothing_to_compare, {},
                       "`--tolerance` requires a second engine or a published table",
                       "expected two engines in `--engines`, or `--against FILE.csv`");
    }
}

}  // namespace

ExitStatus compare(const CompareOptions& options) {
    const results::Answer answer(options.json, options.csv);
    Cases cases = comparison_cases(options);
    for (const std::string& warning : cases.warnings) spdlog::warn("{}", warning);
    const bool published = cases.all.front().is_of_table();
    check_tolerance(options, cases, published);
    const Comparison comparison = run_comparison(std::move(cases), options);
    guard_signals([&] {
        nlohmann::ordered_json data;
        if (answer.has_data()) data = comparison_json(comparison, options, options.tolerance);
        answer.write(data, answer.has_table() ? render(comparison) : "", {}, comparison_csv(comparison));
    });
    if (!options.tolerance) return ExitStatus::done;
    const std::vector<std::string> failures = beyond(comparison, *options.tolerance, !published);
    for (const std::string& failure : failures) spdlog::error("{}", failure);
    return failures.empty() ? ExitStatus::done : ExitStatus::run_failed;
}

}  // namespace warpfront::tools
