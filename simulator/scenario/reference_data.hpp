// Reference data: a published table of runs as CSV. Each row overrides keys of the scenario and has a prediction or a
// measurement. tools/study/comparison/README.md describes the columns. An unknown column is an error, and so are two
// columns that set the same key or give the same time. An empty cell overrides nothing. The height of a tile, `htile`,
// sets the parameter with the role tile_planes; if another parameter has the role tile_angles, it sets htile * angles /
// tile_angles.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "psl/syntax/roles.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/scenario/csv.hpp"
#include "simulator/scenario/overrides.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::scenario {

struct PublishedPrediction {
    std::string method;  // name of the method: pred, warpp or pace
    Time time;
    friend bool operator==(const PublishedPrediction&, const PublishedPrediction&) = default;
};

struct ReferenceRow {
    std::string label;  // name of the problem, or the values that differ between rows, or the line in the file
    unsigned line = 0;
    std::vector<Override> overrides;
    /// A value that a column sets in the model, in the parameter with this role.
    struct OfRole {
        psl::Role role;
        std::string column;
        SourceRange header;
        Cell value;  // value with its unit
    };
    std::vector<OfRole> of_roles;
    std::optional<Cell> tile_height;
    std::optional<Cell> stated_ranks;  // the required number of ranks of the process grid
    std::vector<PublishedPrediction> predictions;
    std::optional<Time> measurement;
    std::vector<std::pair<std::string, std::string>> information;
};

struct ReferenceTable {
    std::vector<ReferenceRow> rows;
    bool has_cells_per_rank = false;  // true if the table has columns `nx` and `ny`
    std::vector<unsigned> skipped;    // lines of skipped rows: they have no process grid

    /// Returns the number of skipped rows, the reason, and their lines; empty if there are none.
    std::string skipped_note() const;
    /// Returns notes on likely misunderstandings: columns with the cells of one rank, which could be taken for the
    /// cells of the whole grid, and a table that contains neither measurements nor predictions.
    std::vector<std::string> notes() const;
};

/// Reads a table. Diagnostics of csv.hpp; unknown_column; conflicting_keys; missing_key; bad_number, wrong_unit,
/// out_of_range and bad_choice for cells.
ReferenceTable read_reference_table(const SourceFilePtr& source, Diagnostics& faults);

/// Returns `base` with the row's overrides. Throws BadInput; no_tile_height if the model cannot have the tile height
/// `htile`.
ScenarioDocument document_of(const ReferenceRow& row, const ScenarioDocument& base);

/// Reads the document of a row. Throws BadInput; conflicting_keys if its process grid has another number of ranks than
/// the row states.
Scenario scenario_of(const ReferenceRow& row, const ScenarioDocument& document);

// The meanings of the columns of a published table, and conflicts between columns.
//
// A prediction is the column of a method: `pred` for the closed form that was published with the measurement, `warpp`
// and `pace` for those simulators. Columns whose name ends in `_us` are in microseconds, all others in seconds.

enum class ColumnMeaning : std::uint8_t {
    path,
    role,
    seconds_of_role,
    ranks,
    stated_ranks,
    tile_height,
    cores_per_node,
    prediction,
    measurement,
    information
};

struct Column {
    std::string name;
    ColumnMeaning meaning = ColumnMeaning::information;
    std::string path{};               // the key that a cell sets; empty if the meaning needs more than the cell
    std::optional<psl::Role> role{};  // role of the parameter that a cell sets
    std::string method{};             // method of a prediction
    double unit_s = 1.0;              // seconds in a unit of the column's times
};

/// Returns the column of a header. An unknown name is an error (unknown_column); the column is then information.
Column column_named(const Cell& header, Diagnostics& faults);

/// Adds conflicting_keys for each column that sets a key of an earlier column. `columns` are those of
/// `header`, in order.
void report_conflicts(std::span<const Column> columns, std::span<const Cell> header, Diagnostics& faults);

/// Adds missing_key if a column states one side of the process grid, but no column states the other side.
void require_both_sides(std::span<const Column> columns, std::span<const Cell> header, Diagnostics& faults);

}  // namespace warpfront::scenario
