// Methods and measurements side by side, one row per experiment, with their differences. A method is an engine or a
// published prediction. Its name is that of the engine, or of the published column (pred, warpp, pace).
//
//   difference of a to b = 100 * (a - b) / b, in percent; the error of a method is its difference from exec, the
//   measurement
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "simulator/input/diagnostic.hpp"
#include "simulator/results/ensemble.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/prediction_error.hpp"
#include "simulator/units/time.hpp"
#include "tools/answer/difference/difference_parts.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/answer/prediction/option_values.hpp"
#include "tools/study/cases/tables.hpp"

namespace warpfront::tools {

struct MethodTime {
    std::string method;
    WideTime time;
    std::optional<WideTime> contention_term{};  // set by closed forms
    std::optional<Waiting> waiting{};           // set by simulating engines, from the first seed
    /// The 95 % interval. It follows from several seeds (then `time` is their mean), from the calibration, or from
    /// both.
    std::optional<results::Interval> interval{};
};

struct ComparisonRow {
    std::string table{};  // name of the table, in a list of several tables
    std::string label{};  // name of the row in the output
    unsigned line = 0;    // line of the published table; 0 if there is none
    RankGrid grid{};
    std::vector<MethodTime> times{};        // times of engines, in the requested order
    std::vector<MethodTime> predictions{};  // published predictions, in the order of their columns
    std::optional<Time> measurement{};
    std::optional<DifferenceParts> parts{};                          // parts of event minus analytic
    std::vector<std::pair<std::string, std::string>> information{};  // values of published columns that are only copied
    nlohmann::ordered_json scenario{};                               // the scenario as run
};

struct Comparison {
    std::vector<ComparisonRow> rows;
    std::vector<std::string> notes;
    std::map<std::string, std::string> inputs{};  // hash of each input file of all rows, by path
};

/// The difference of method `of` from method `to`. `to` may also be "exec".
struct Difference {
    std::string of;
    std::string to;
    Percent percent;
};

/// Returns the time of an engine or of a published prediction; nullptr if the row has none.
const MethodTime* time_of(const ComparisonRow& row, std::string_view method);

/// Returns 100 * part / whole, and the relative difference. Both return nothing if the whole or the reference is zero.
std::optional<Percent> share_of(WideTime part, WideTime whole);
std::optional<Percent> difference(WideTime of, WideTime to);

/// Returns the differences in this order: each engine from pred and exec if these exist; published predictions from
/// exec; the event engine from every other engine; the other engines from simgrid.
std::vector<Difference> differences(const ComparisonRow& row);

/// Returns a message for each row and each difference beyond `tolerance`. It compares each engine with pred or, with
/// `between_engines`, engines with each other. Rows without pred are not checked.
std::vector<std::string> beyond(const Comparison& comparison, Percent tolerance, bool between_engines);

/// Returns the name of the row in messages.
std::string name_of(const ComparisonRow& row);

// The error of each method against the measurements, for every table and for all tables together. Only rows with both
// values count.
//
//   error(row)     = 100 * (prediction - exec) / exec, in percent
//   mean absolute  = mean of |error|
//   bias           = mean of error: negative if the method predicts too little
//   coverage       = share of the rows with a 95 % interval whose measurement lies within it
//   worst          = the error with the largest absolute value; of equal ones the first

struct ErrorStatistics {
    std::string table{};  // name of the table; empty for all rows
    std::string method{};
    std::size_t rows = 0;
    Percent mean_absolute{};
    Percent bias{};
    Percent worst{};
    std::string worst_row{};            // name of the row with the error `worst`
    std::optional<Percent> coverage{};  // empty if no row has an interval
};

/// Returns the statistics of each table, in the order of rows, then those of all tables together. If there is only one
/// table, returns only the latter. For each table the engines come first, in their order, then the published
/// predictions. Methods without a measured row are omitted.
std::vector<ErrorStatistics> error_statistics(const Comparison& comparison);

/// Formats the table for a terminal. The text is empty if there are no statistics.
std::string render(const std::vector<ErrorStatistics>& statistics);

/// Returns the JSON value of `statistics` in `warpfront.comparison/1`.
nlohmann::ordered_json to_json(const std::vector<ErrorStatistics>& statistics);

// Judges each column of a published table, over all its rows, by the tolerances of tools/study/sources/README.md. Rows
// that differ by more are named.

/// Returns a statement for each column that the rows of the entry's table have.
std::vector<Statement> judge(const ComparisonEntry& entry, const Comparison& comparison);

}  // namespace warpfront::tools
