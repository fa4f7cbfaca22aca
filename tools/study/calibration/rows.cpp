#include "tools/study/calibration/rows.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "tools/study/cases/runner.hpp"

namespace warpfront::tools {

namespace {

using input::BadInput;
using input::DiagnosticKind;
using input::Diagnostics;

/// Returns the table, with the text of the row that names its problem.
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
        try {
            cases.add(runs, {});
        } catch (const BadInput& bad) {
            faults.add(bad.diagnostics());
        }
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
                       "no row of so few ranks as are fitted has a measurement",
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
        double sum = 0.0;
        for (const WideTime time : result.engines.front().times) sum += seconds(time);
        means.push_back(sum / static_cast<double>(result.engines.front().times.size()));
    }
    return means;
}

}  // namespace warpfront::tools
