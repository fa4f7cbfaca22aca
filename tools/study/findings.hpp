// The statements of a source about a study's results, which are compared with the results of the engines: the items of
// the key `published` (README.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/units/prediction_error.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/study/axis.hpp"
#include "tools/study/cases/tables.hpp"
#include "tools/study/column.hpp"

namespace warpfront::tools {

/// A value for every axis. An axis without a value stands for all its values.
using Selection = std::vector<std::optional<std::size_t>>;

/// A stated number or range, and its tolerance.
struct Stated {
    double from = -std::numeric_limits<double>::infinity();
    double to = std::numeric_limits<double>::infinity();
    Percent within{};

    /// Returns the difference of a value from the nearer end of the range. Returns 0 if the value is in the range, or
    /// outside only by rounding.
    Percent difference(double value) const;
};

/// A statement of a source about a study.
struct Finding : Statement {
    enum class Kind : std::uint8_t { best, value, grows, falls };

    Kind kind = Kind::value;
    ColumnName column = ColumnName::time;
    std::optional<std::size_t> along{};  // the axis that the keys `over` or `along` name
    std::string along_name{};            // text by which the file names this axis
    Selection at{};
    std::optional<Selection> relative_to{};
    std::vector<std::size_t> best{};  // values of the axis at which the best value is expected
    /// numbers of `value`: a single one, or one for each value of the axis
    std::vector<std::optional<Stated>> numbers{};
    /// the engine whose results are judged; empty if all engines are judged
    std::optional<Engine> engine{};
};

/// Reads an item of `published` in a study with these axes. Diagnostics: missing_key, unknown_key, conflicting_keys,
/// wrong_yaml_type, bad_choice (for a column, an axis, a value of an axis, an engine or `bounds`), bad_number,
/// out_of_range.
Finding read_finding(const YamlNode& item, const std::vector<StudyAxis>& axes, Diagnostics& faults);

/// Returns the key that names the column in a statement of this kind.
std::string_view name_of(Finding::Kind kind);

}  // namespace warpfront::tools
