// The axes of a study. Points are all combinations of the values of all axes, the last axis varying fastest.
//
//   - parameters.mk: [1, 2, 5, 10]                         a list
//   - parameters.nz: {from: 100, to: 500, step: 100}       a range, both ends included; step 1 if not given
//   - ranks: {columns: 4, rows: 4}                         one value: a mapping without `from`
//   - ranks.columns: {from: 32, to: 512, factor: 2}        powers of two
//     ranks.rows: {from: 16, to: 256, factor: 2}           keys of one axis are linked: value k of each at a time
//     engines: [[event, analytic], analytic, analytic, analytic, analytic]     and the engines of these points
//     label: {machine: [small, ., ., ., large]}            what tables and pictures show in place of the keys
//
// Axes of the command line: axis_argument.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"
#include "tools/engines.hpp"

namespace warpfront::tools {

inline constexpr std::size_t kMostPoints = 1'000'000;

/// A key of the scenario that an axis sets.
struct AxisKey {
    std::string path;
    input::SourceRange range;
    std::vector<input::YamlNode> values;
};

/// What is shown in place of an axis's keys.
struct AxisLabel {
    std::string name;
    input::SourceRange range;
    std::vector<std::string> texts;  // by value
};

struct StudyAxis {
    std::vector<AxisKey> keys;  // linked
    std::optional<AxisLabel> label{};
    std::vector<std::string> former{};         // names of the axis that it replaces
    std::vector<std::vector<Engine>> engines;  // by value; empty: those of the study
    std::size_t size = 0;                      // number of values

    /// Whether one of its keys, its label, or an axis that it replaces has this name; `ranks` names one that sets ranks.
    bool has(std::string_view path) const;
    /// Whether a key of it sets ranks; whether all do.
    bool sets_ranks() const;
    bool sets_ranks_alone() const;
    /// Of its label, or of its first key.
    const std::string& name() const { return label ? label->name : keys.front().path; }
    /// The value of its label, or of the first key; of all keys where values of the first repeat.
    std::string telling_text(std::size_t index) const;
};

/// An item of `axes`. Diagnostics: wrong_yaml_type, uneven_axis for linked keys with unequal numbers of values,
/// missing_key for an axis without keys, bad_override for a path with an empty key, bad_choice for an engine, and those of ranges: missing_key, unknown_key,
/// conflicting_keys, bad_number, wrong_unit, out_of_range.
StudyAxis read_axis(const input::YamlNode& item, input::Diagnostics& faults);

struct ValueRange {
    std::string from, to, step;
    bool is_factor = false;
    input::SourceRange range;
};

/// from, from + step, ... or from, from * factor, ... up to `to`; rounding of the last one does not lose it. Diagnostics:
/// bad_number, wrong_unit, out_of_range.
std::vector<input::YamlNode> values_in_range(const ValueRange& text, input::Diagnostics& faults);

/// Diagnostic: bad_override for a path with an empty key.
void check_path(const std::string& path, const input::SourceRange& range, input::Diagnostics& faults);

input::YamlNode scalar_value(std::string text, const input::SourceRange& range);

/// Whether two paths are the same or one leads through the other, so that they set the same key.
bool overlap(const std::string& one, const std::string& other);

/// Whether one key sets what another sets, for axes and `set`, which are applied in turn: `platform` is a file, and what
/// lies within it changes that. Likewise whether two axes have such keys.
bool conflict(const std::string& one, const std::string& other);
bool conflict(const StudyAxis& one, const StudyAxis& other);

/// Adds `axis` to `axes`, in place of the first with a key that sets the same.
void replace_axis(std::vector<StudyAxis>& axes, StudyAxis axis);

/// The value as a user writes it: `4`, `{columns: 4, rows: 2}`.
std::string text_of(const input::YamlNode& value);

}  // namespace warpfront::tools
