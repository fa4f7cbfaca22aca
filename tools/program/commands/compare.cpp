#include "tools/program/commands/commands.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "simulator/results/json.hpp"
#include "simulator/results/output.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/study/comparison/outputs.hpp"
#include "tools/study/comparison/rows.hpp"

namespace warpfront::tools {

namespace {

using input::BadInput;
using input::DiagnosticKind;

/// Throws before any engine runs if there is neither a second engine nor reference data for the tolerance.
void check_tolerance(const CompareOptions& options, const Cases& cases, bool published) {
    if (!options.tolerance) return;
    const bool predicted = std::ranges::any_of(cases.all, [](const Case& each) {
        return std::ranges::count(each.published.predictions, "pred", &scenario::PublishedPrediction::method) > 0;
    });
    if (published && !predicted) {
        throw BadInput(DiagnosticKind::nothing_to_compare, {}, "`--tolerance` has no published prediction to judge by",
                       fmt::format("expected a column `pred` in {}",
                                   options.against ? fmt::format("`{}`", options.against->string()) : "a table"));
    }
    const std::set<Engine> engines(options.engines.begin(), options.engines.end());
    if (!published && engines.size() < 2) {
        throw BadInput(DiagnosticKind::nothing_to_compare, {},
                       "`--tolerance` has one engine and nothing to judge it by",
                       "expected two engines, or a published table by `--against`");
    }
}

/// The files of the answer, opened before the work.
class Outputs {
public:
    explicit Outputs(const CompareOptions& options) : json_(output_of(options.json)), csv_(output_of(options.csv)) {}

    bool has_json() const { return json_.has_value(); }

    /// Writes all files, each even if another fails.
    void write(const std::string& json_text, const Comparison& comparison) const {
        input::Diagnostics faults;
        const auto attempt = [&faults](const auto& write_one) {
            try {
                write_one();
            } catch (const BadInput& bad) {
                faults.add(bad.diagnostics());
            }
        };
        if (json_) attempt([&] { json_->write(json_text); });
        if (csv_) attempt([&] { csv_->write(comparison_csv(comparison)); });
        if (to_stdout(json_) + to_stdout(csv_) == 0) {
            attempt([&] { results::write_stdout(render(comparison)); });
        }
        faults.raise();
    }

private:
    /// Returns 1 if the output goes to stdout.
    static int to_stdout(const std::optional<results::Output>& output) { return output && output->to_stdout() ? 1 : 0; }

    std::optional<results::Output> json_;
    std::optional<results::Output> csv_;
};

}  // namespace

ExitStatus compare(const CompareOptions& options) {
    const Outputs outputs(options);
    Cases cases = comparison_cases(options);
    for (const std::string& warning : cases.warnings) spdlog::warn("{}", warning);
    const bool published = cases.all.front().is_of_table();
    check_tolerance(options, cases, published);
    const Comparison comparison = run_comparison(std::move(cases), options);
    const std::string json =
        outputs.has_json() ? results::json_text(comparison_json(comparison, options, options.tolerance)) : "";
    guard_signals([&] { outputs.write(json, comparison); });

    if (!options.tolerance) return ExitStatus::done;
    const std::vector<std::string> failures = beyond(comparison, *options.tolerance, !published);
    for (const std::string& failure : failures) spdlog::error("{}", failure);
    return failures.empty() ? ExitStatus::done : ExitStatus::run_failed;
}

}  // namespace warpfront::tools
