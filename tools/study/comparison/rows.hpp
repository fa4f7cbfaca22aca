// The rows of a comparison: cases with the times of engines. The cases are a scenario alone, the rows of a published
// table, or the rows of all tables in a list (tools/study/cases/tables.hpp).
//
// With `--seeds N`, the time of a row that depends on the seed is the mean of N seeds, beginning with that of its
// scenario, rounded down to the picosecond. The interval of the row contains the time of one further run with 95 %
// probability (results/ensemble.hpp). A calibrated row has an interval even with one seed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/study/cases/tables.hpp"
#include "tools/study/comparison/comparison.hpp"

namespace warpfront::tools {

/// The options of a comparison: its rows, engines and number of repetitions.
struct ComparisonRequest {
    std::filesystem::path scenario{};  // a scenario or a list of comparisons
    std::vector<std::string> sets{};   // overrides, in order
    std::vector<Engine> engines{Engine::event, Engine::analytic};
    std::optional<std::filesystem::path> against{};  // path of a published table
    /// true if the parts of event minus analytic are computed, by further runs
    bool parts = false;
    std::optional<std::uint32_t> seeds{};          // number of seeds for each row that depends on the seed
    unsigned threads = 1;                          // number of threads for all rows and seeds together
    std::optional<std::uint64_t> most_messages{};  // a run with more messages is not run by the event engine
};

/// Reads the cases. Throws BadInput with the errors of all rows of all tables, and for arguments of `--set` that every
/// row replaces.
Cases comparison_cases(const ComparisonRequest& request);

struct PreparedRow {
    ComparisonRow row;            // the row, still without times of engines
    scenario::Scenario scenario;  // the scenario as read; in the experiment its times are scaled to the machine
    std::shared_ptr<const Experiment> experiment;
};

/// Builds the experiment of every case. Throws BadInput with the errors of all experiments.
std::vector<PreparedRow> prepare_rows(std::vector<Case> cases);

/// Runs the cases and collects their times, and the notes of tables, experiments and engines, each once. Throws the
/// exceptions of the engines. Throws BadInput: nothing_random if several seeds are requested but no row depends on the
/// seed; bad_option if parts are requested for a model with regions that are not simulated.
Comparison run_comparison(Cases cases, const ComparisonRequest& request);

// The output formats of a comparison: a table for a terminal, JSON, and CSV.

/// Formats a table for a terminal. The parts of differences, the statistics and the notes follow below it.
std::string render(const Comparison& comparison);

/// Returns the comparison in the schema `warpfront.comparison/1`.
nlohmann::ordered_json comparison_json(const Comparison& comparison, const ComparisonRequest& request,
                                       const std::optional<Percent>& tolerance);
/// Returns the JSON value of `rows` in this schema.
nlohmann::ordered_json to_json(std::span<const ComparisonRow> rows);

/// Formats the comparison as comma-separated values (RFC 4180): a line of names, then one line per row.
///
///   table, case, line, ranks, columns, rows      table only for a list of several tables
///   METHOD_s, exec_s                             seconds, by engine and published prediction
///   METHOD_low_s, METHOD_high_s                  the 95 % interval, with --seeds or a calibration
///   A/B_pct                                      difference of A from B, in percent
///   part_NAME_s                                  parts of event minus analytic, with --parts
/// A cell is empty if its row has no such value. Seconds and percentages have all digits of a double.
std::string comparison_csv(const Comparison& comparison);

}  // namespace warpfront::tools
