#include "tools/study/calibration/rows.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/read_file.hpp"
#include "simulator/scenario/reference_data.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/runs/runs.hpp"

namespace warpfront::tools {

namespace {

using input::BadInput;
using input::DiagnosticKind;
using input::Diagnostics;

std::string problem_of(const scenario::ReferenceRow& row, const std::string& table) {
    for (const auto& [name, text] : row.information) {
        if (name == "problem" || name == "cells") return fmt::format("{} {}", table, text);
    }
    return table;
}

void read_table(const PlannedRuns& runs, MeasuredRows& measured, Diagnostics& faults) {
    const scenario::ScenarioDocument base = scenario::read_document(runs.scenario, runs.sets);
    measured.tables.push_back(input::read_file(runs.table));
    const scenario::ReferenceTable table = scenario::read_reference_table(measured.tables.back(), faults);
    for (const scenario::ReferenceRow& row : table.rows) {
        if (!row.measurement) continue;
        try {
            MeasuredRow each;
            each.table = runs.table.string();
            each.problem = problem_of(row, each.table);
            each.line = row.line;
            each.scenario = scenario::scenario_of(row, base);
            each.measured = *row.measurement;
            each.ranks = each.scenario.bindings.grid.ranks();
            each.is_fitted = each.ranks <= runs.largest;
            measured.rows.push_back(std::move(each));
        } catch (const BadInput& bad) {
            faults.add(bad.diagnostics());
        }
    }
}

}  // namespace

MeasuredRows read_measured_rows(const CalibrationPlan& plan) {
    MeasuredRows measured;
    Diagnostics faults;
    for (const PlannedRuns& runs : plan.runs) {
        try {
            read_table(runs, measured, faults);
        } catch (const BadInput& bad) {
            faults.add(bad.diagnostics());
        }
    }
    faults.raise();
    if (std::none_of(measured.rows.begin(), measured.rows.end(), [](const auto& row) { return row.is_fitted; })) {
        throw BadInput(DiagnosticKind::nothing_to_compare, {plan.source, 0, 0},
                       "no row of so few ranks as are fitted has a measurement",
                       "expected tables with a column `exec`, or a larger `largest`");
    }
    return measured;
}

std::vector<double> RowPredictor::predict(std::span<const MeasuredRow* const> rows,
                                          const std::optional<scenario::Calibration>& calibration) const {
    std::vector<Experiment> experiments;
    experiments.reserve(rows.size());
    for (const MeasuredRow* row : rows) experiments.push_back(build_experiment(row->scenario, calibration));
    std::vector<EventRun> runs;
    std::vector<std::size_t> row_of;
    for (std::size_t row = 0; row < experiments.size(); ++row) {
        const Seed first = experiments[row].scenario.noise_configuration.seed;
        const std::uint32_t seeds = experiments[row].noise.random() ? seeds_ : 1;
        for (std::uint32_t k = 0; k < seeds; ++k) {
            runs.push_back({&experiments[row], Seed{first.value + k}});
            row_of.push_back(row);
        }
    }
    engine::Options options;
    options.threads = threads_;
    std::vector<double> times(runs.size());
    run_events(runs, options, {}, mode_, [&](std::uint32_t number, const Prediction& prediction) {
        times[number] = seconds(prediction.record.finish);
    });

    std::vector<double> mean(rows.size());
    std::vector<double> count(rows.size());
    for (std::size_t run = 0; run < runs.size(); ++run) {
        mean[row_of[run]] += times[run];
        ++count[row_of[run]];
    }
    for (std::size_t row = 0; row < rows.size(); ++row) mean[row] /= count[row];
    return mean;
}

}  // namespace warpfront::tools
