#include "tools/commands/commands.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "simulator/results/json.hpp"
#include "simulator/results/output.hpp"
#include "tools/comparison/error_statistics.hpp"
#include "tools/comparison/outputs.hpp"
#include "tools/comparison/plot.hpp"
#include "tools/comparison/rows.hpp"
#include "tools/prediction/context.hpp"
#include "tools/runs/interrupt.hpp"

namespace warpfront::tools {

namespace {

using input::BadInput;
using input::DiagnosticKind;

/// A tolerance needs a second engine or reference data; that is known before any engine runs.
void check_tolerance(const CompareOptions& options, const ComparisonPoints& all) {
    if (!options.tolerance) return;
    const bool predicted = std::any_of(all.points.begin(), all.points.end(), [](const ComparisonPoint& point) {
        return time_of(point.row, "pred") != nullptr;
    });
    if (all.published && !predicted) {
        throw BadInput(DiagnosticKind::nothing_to_compare, {}, "`--tolerance` has no published prediction to judge by",
                       fmt::format("expected a column `pred` in {}",
                                   options.against ? fmt::format("`{}`", options.against->string()) : "a table"));
    }
    const std::set<Engine> engines(options.engines.begin(), options.engines.end());
    if (!all.published && engines.size() < 2) {
        throw BadInput(DiagnosticKind::nothing_to_compare, {},
                       "`--tolerance` has one engine and nothing to judge it by",
                       "expected two engines, or a published table by `--against`");
    }
}

/// The files of the answer, opened before the work.
class Outputs {
public:
    explicit Outputs(const CompareOptions& options)
        : json_(output_of(options.json)), csv_(output_of(options.csv)), plot_(output_of(options.plot)) {
        if (to_stdout(json_) + to_stdout(csv_) + to_stdout(plot_) > 1) {
            throw BadInput(DiagnosticKind::bad_option, {}, "stdout (`-`) takes one of `--json`, `--csv` and `--plot`",
                           "expected files for the others");
        }
    }

    bool has_json() const { return json_.has_value(); }

    /// Each is written even if another fails.
    void write(const std::string& json_text, const Comparison& comparison) const {
        input::Diagnostics faults;
        const auto attempt = [&faults](const auto& write_one) {
            try {
                write_one();
            } catch (const BadInput& bad) {
                faults.add(bad.faults());
            }
        };
        if (json_) attempt([&] { json_->write(json_text); });
        if (csv_) attempt([&] { csv_->write(comparison_csv(comparison)); });
        if (plot_) attempt([&] { plot_->write(comparison_plot(plot_series(comparison))); });
        if (to_stdout(json_) + to_stdout(csv_) + to_stdout(plot_) == 0) {
            attempt([&] { results::write_stdout(render(comparison)); });
        }
        faults.raise();
    }

private:
    /// 1 if it goes there.
    static int to_stdout(const std::optional<results::Output>& output) { return output && output->to_stdout() ? 1 : 0; }

    std::optional<results::Output> json_;
    std::optional<results::Output> csv_;
    std::optional<results::Output> plot_;
};

/// A plot needs measurements; that is known before any engine runs.
void check_plot(const CompareOptions& options, const ComparisonPoints& all) {
    const bool measured = std::any_of(all.points.begin(), all.points.end(),
                                      [](const ComparisonPoint& point) { return point.row.measurement.has_value(); });
    if (!options.plot || measured) return;
    throw BadInput(DiagnosticKind::nothing_to_compare, {}, "`--plot` has no measurement to draw predictions over",
                   "expected a published table with a column `exec`");
}

using HashByPath = std::map<std::string, std::string>;

nlohmann::ordered_json json_of(const Comparison& comparison, const CompareOptions& options, const HashByPath& inputs) {
    nlohmann::ordered_json json;
    json["schema"] = "warpfront.comparison/1";
    json["engines"] = nlohmann::ordered_json::array();
    for (const Engine engine : options.engines) json["engines"].push_back(std::string(name_of(engine)));
    if (options.tolerance) json["tolerance_pct"] = options.tolerance->value;
    if (options.seeds) json["seeds"] = *options.seeds;
    json["rows"] = to_json(comparison.rows);
    const std::vector<ErrorStatistics> statistics = error_statistics(comparison);
    if (!statistics.empty()) json["statistics"] = to_json(statistics);
    json["notes"] = comparison.notes;
    json["context"] = {{"version", WARPFRONT_VERSION}, {"inputs", inputs}, {"host", results::describe_host()}};
    return json;
}

/// Parts are found by the event engine, whether its time is shown or not.
std::vector<Engine> engines_run(const CompareOptions& options) {
    std::vector<Engine> engines = options.engines;
    if (options.parts) engines.push_back(Engine::event);
    return engines;
}

}  // namespace

ExitStatus compare(const CompareOptions& options) {
    const Outputs outputs(options);
    ComparisonPoints all = comparison_points(options);
    for (const std::string& warning : all.warnings) spdlog::warn("{}", warning);
    check_tolerance(options, all);
    check_plot(options, all);

    std::vector<PreparedRow> rows = prepare_rows(std::move(all.points));
    run_rows(rows, options);

    Comparison comparison{.rows = {}, .notes = std::move(all.notes)};
    HashByPath inputs;
    const std::vector<Engine> engines = engines_run(options);
    CountedNotes notes;
    for (PreparedRow& prepared : rows) {
        ComparisonRow& row = prepared.point.row;
        results::Context context = context_of(prepared.experiment, engines);
        for (const results::InputHash& hash : context.inputs) inputs.emplace(hash.path, hash.sha256);
        row.scenario = std::move(context.scenario);
        const std::string owner = fmt::format("{} ranks", row.grid.ranks());
        for (const std::string& note : context.notes) notes.add(note, owner);
        for (const std::string& note : prepared.notes) notes.add(note, owner);
        comparison.rows.push_back(std::move(row));
    }
    for (std::string& note : notes.texts(comparison.rows.size(), "rows")) comparison.notes.push_back(std::move(note));
    const std::string json = outputs.has_json() ? results::json_text(json_of(comparison, options, inputs)) : "";
    guard_signals([&] { outputs.write(json, comparison); });

    if (!options.tolerance) return ExitStatus::done;
    const std::vector<std::string> failures = beyond(comparison, *options.tolerance, !all.published);
    for (const std::string& failure : failures) spdlog::error("{}", failure);
    return failures.empty() ? ExitStatus::done : ExitStatus::run_failed;
}

}  // namespace warpfront::tools
