#include "tools/study/calibration/plan.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "psl/psl.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/scenario/overrides.hpp"
#include "tools/study/cases/runner.hpp"

namespace warpfront::tools {

namespace {

/// Keys in which a calibration file describes its own fit.
constexpr std::array<std::string_view, 2> kOfTheFit{"error", "fitted"};

}  // namespace

YamlNode calibration_tree(const CalibrationPlan& plan, std::span<const double> values) {
    YamlNode tree = plan.fixed;
    Diagnostics faults;
    for (std::size_t k = 0; k < plan.terms.size(); ++k) {
        const PlannedTerm& term = plan.terms[k];
        for (const PlannedPath& each : term.sets) {
            scenario::apply(
                scenario::scalar_override(each.path, each.range, term.text(values[k]), term.range_of(values[k])), tree,
                faults);
        }
    }
    for (const std::string_view key : kOfTheFit) {
        const YamlNode* given = tree.find(key);
        if (given == nullptr) continue;
        faults.add(DiagnosticKind::conflicting_keys, given->range, fmt::format("a plan cannot set `{}`", key),
                   "expected a plan without this key; the fit determines its own error");
    }
    faults.raise();
    return tree;
}

scenario::Calibration calibration_of(const CalibrationPlan& plan, std::span<const double> values) {
    const YamlNode tree = calibration_tree(plan, values);
    Diagnostics faults;
    return scenario::read_calibration(
        tree, std::make_shared<input::SourceFile>(plan.writes.string(), input::yaml_text(tree, kOpenLevels)), faults);
}

namespace {

/// Returns one row for each machine. Errors of hardware files are added, and their rows are omitted.
std::vector<const MeasuredRow*> one_of_each_machine(std::span<const MeasuredRow> measured, Diagnostics& faults) {
    std::vector<const MeasuredRow*> rows;
    std::set<std::filesystem::path> platforms;
    for (const MeasuredRow& row : measured) {
        if (!platforms.insert(row.scenario.platform).second) continue;
        faults.collect([&] {
            machine::read_hardware_tree(row.scenario.platform, row.scenario.platform_range);
            rows.push_back(&row);
        });
    }
    return rows;
}

/// Reports errors of the calibration with these values on the machines of the rows. Errors on a machine are reported
/// only if there are none on the machines before it.
void check_values(const CalibrationPlan& plan, std::span<const double> values,
                  std::span<const MeasuredRow* const> machines, Diagnostics& faults) {
    faults.collect([&] {
        const scenario::Calibration calibration = calibration_of(plan, values);
        for (const MeasuredRow* row : machines) {
            machine::HardwareOverrides overrides = row->scenario.overrides;
            overrides.calibration = calibration.platform;
            Diagnostics found;
            machine::read_hardware_file(
                machine::read_hardware_tree(row->scenario.platform, row->scenario.platform_range), found, overrides);
            found.raise();
        }
    });
}

/// Returns the applications of the fitted rows. A trace has no application.
std::vector<std::string> applications_of(std::span<const MeasuredRow> measured) {
    std::map<std::filesystem::path, std::string> by_model;
    for (const MeasuredRow& row : measured) {
        if (!row.is_fitted || row.scenario.trace || by_model.contains(row.scenario.model)) continue;
        by_model[row.scenario.model] = psl::load(row.scenario.model, row.scenario.model_range).name();
    }
    std::vector<std::string> names;
    for (const auto& [model, name] : by_model) names.push_back(name);
    return names;
}

/// Returns true if the noise of a calibration applies to the run.
bool takes_noise(const MeasuredRow& row) {
    return row.is_fitted && !row.scenario.trace && !row.scenario.noise_configuration.states_noise;
}

/// Reports terms on which no fitted row depends. Their fit would only return the priors.
void check_use(const CalibrationPlan& plan, std::span<const MeasuredRow> measured, Diagnostics& faults) {
    const std::vector<std::string> applications = applications_of(measured);
    const bool noise = std::ranges::any_of(measured, takes_noise);
    const auto is_used = [&](const PlannedPath& given) {
        if (scenario::overlap(given.path, "noise")) return noise;
        return !scenario::overlap(given.path, "computing") ||
               std::ranges::any_of(applications, [&](const std::string& name) {
                   return scenario::overlap(given.path, "computing." + name);
               });
    };
    const std::string of_computing =
        applications.empty()
            ? "expected runs of models: traces have no computing to calibrate"
            : fmt::format("expected a term of an application that runs: `{}`", fmt::join(applications, "`, `"));
    for (const PlannedTerm& term : plan.terms) {
        if (std::ranges::any_of(term.sets, is_used)) continue;
        const bool of_noise = scenario::overlap(term.sets.front().path, "noise");
        faults.add(DiagnosticKind::nothing_to_compare, term.sets.front().range,
                   fmt::format("no fitted run depends on `{}`", term.name),
                   of_noise ? "expected runs of models whose scenarios state no `noise`" : of_computing);
    }
}

}  // namespace

void check_terms(const CalibrationPlan& plan, std::span<const MeasuredRow> measured) {
    std::vector<double> values = plan.priors();
    Diagnostics faults;
    const std::vector<const MeasuredRow*> machines = one_of_each_machine(measured, faults);
    const std::size_t unreadable = faults.count();
    check_values(plan, values, machines, faults);
    if (faults.count() != unreadable) faults.raise();
    for (std::size_t k = 0; k < values.size(); ++k) {
        const regression::FittedTerm& term = plan.terms[k].fitted;
        for (const double bound : {term.least, term.most}) {
            values[k] = bound;
            check_values(plan, values, machines, faults);
        }
        values[k] = term.prior;
    }
    check_use(plan, measured, faults);
    faults.raise();
}

namespace {

/// Returns the name of the row's problem: the table, followed by the value of its column `problem` or `cells` if there
/// is one.
std::string problem_of(const Case& row, const std::string& table) {
    for (const auto& [name, text] : row.published.information) {
        if (name == "problem" || name == "cells") return fmt::format("{} {}", table, text);
    }
    return table;
}

}  // namespace

std::vector<MeasuredRow> read_measured_rows(const CalibrationPlan& plan) {
    std::vector<MeasuredRow> rows;
    Diagnostics faults;
    for (const PlannedRuns& runs : plan.runs) {
        Cases cases;
        faults.collect([&] { cases.add(runs, {}); });
        for (Case& each : cases.all) {
            if (!each.published.measurement) continue;
            const std::uint64_t ranks = each.scenario.bindings.grid.ranks();
            rows.push_back({problem_of(each, runs.file.string()), each.published.line, std::move(each.scenario),
                            *each.published.measurement, ranks, ranks <= runs.largest});
        }
    }
    faults.raise();
    if (std::ranges::none_of(rows, &MeasuredRow::is_fitted)) {
        throw BadInput(DiagnosticKind::nothing_to_compare, {plan.source, 0, 0},
                       "no row with at most `largest` ranks has a measurement",
                       "expected tables with a column `exec`, or a larger `largest`");
    }
    return rows;
}

std::vector<double> RowPredictor::predict(std::span<const MeasuredRow* const> rows,
                                          const std::optional<scenario::Calibration>& calibration) const {
    std::vector<PreparedCase> prepared;
    for (const MeasuredRow* row : rows) {
        prepared.push_back(
            {std::make_shared<const Experiment>(build_experiment(row->scenario, calibration)), {Engine::event}});
    }
    CaseRuns runs{.cases = rows.size(), .prepare = [&](std::size_t number) { return prepared[number]; }};
    runs.seeds = seeds;
    runs.threads = threads;
    runs.mode = mode;
    std::vector<double> means;
    for (const PointResult& result : run_cases(runs).all) {
        const std::vector<WideTime> times = result.engines.front().times();
        double sum = 0.0;
        for (const WideTime time : times) sum += seconds(time);
        means.push_back(sum / static_cast<double>(times.size()));
    }
    return means;
}

}  // namespace warpfront::tools
