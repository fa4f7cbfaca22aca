#include "tools/calibration/rows.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/read_file.hpp"
#include "simulator/scenario/reference_data.hpp"
#include "tools/engines.hpp"
#include "tools/experiment.hpp"
#include "tools/interrupt.hpp"
#include "tools/parallel_for.hpp"

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
            faults.add(bad.faults());
        }
    }
}

/// One run of one row.
struct Run {
    std::size_t row = 0;
    std::uint64_t seed = 0;
    double seconds = 0.0;
};

std::vector<Run> runs_of(const std::vector<Experiment>& experiments, std::uint32_t seeds) {
    std::vector<Run> runs;
    for (std::size_t row = 0; row < experiments.size(); ++row) {
        const std::uint32_t of_row = experiments[row].noise.random() ? seeds : 1;
        for (std::uint32_t seed = 0; seed < of_row; ++seed) runs.push_back({row, seed, 0.0});
    }
    return runs;
}

}  // namespace

MeasuredRows read_measured_rows(const CalibrationPlan& plan) {
    MeasuredRows measured;
    Diagnostics faults;
    for (const PlannedRuns& runs : plan.runs) {
        try {
            read_table(runs, measured, faults);
        } catch (const BadInput& bad) {
            faults.add(bad.faults());
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
                                          const std::optional<scenario::Calibration>& calibration) {
    std::vector<Experiment> experiments;
    experiments.reserve(rows.size());
    for (const MeasuredRow* row : rows) experiments.push_back(build_experiment(row->scenario, calibration));
    std::vector<Run> runs = runs_of(experiments, seeds_);
    ++predictions_;

    ProgressReporter reporter(mode_);
    std::mutex mutex;
    std::size_t done = 0;
    const auto began = std::chrono::steady_clock::now();
    const auto run = [&](std::uint32_t number, const Wanted& wanted) {
        end_if_interrupted();
        Run& each = runs[number];
        engine::ProgressMonitor monitor([&](const engine::Progress&) {
            return interrupted() || !wanted() ? engine::ProgressMonitor::Decision::stop
                                              : engine::ProgressMonitor::Decision::go_on;
        });
        engine::Options options = options_of(experiments[each.row]);
        options.seed.value += each.seed;
        options.monitor = &monitor;
        each.seconds = seconds(tools::predict(Engine::event, experiments[each.row], options).record.finish);
        const std::lock_guard hold(mutex);
        ++done;
        reporter.report(std::chrono::steady_clock::now() - began, [&] {
            return fmt::format("prediction {} of all rows: {} of {} runs", predictions_, done, runs.size());
        });
    };
    guard_signals([&] { parallel_for(static_cast<std::uint32_t>(runs.size()), threads_, run); });

    std::vector<double> mean(rows.size());
    std::vector<double> count(rows.size());
    for (const Run& each : runs) {
        mean[each.row] += each.seconds;
        ++count[each.row];
    }
    for (std::size_t row = 0; row < rows.size(); ++row) mean[row] /= count[row];
    return mean;
}

}  // namespace warpfront::tools
