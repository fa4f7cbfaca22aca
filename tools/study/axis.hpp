// The axes of a study. Points are all combinations of the values of all axes, the last axis varying fastest.
//
//   - parameters.mk: [1, 2, 5, 10]                         a list
//   - parameters.nz: {from: 100, to: 500, step: 100}       a range, both ends included; step 1 if not given
//   - ranks: {columns: 4, rows: 4}                         one value: a mapping without `from`
//   - ranks.columns: {from: 32, to: 512, factor: 2}        powers of two
//     ranks.rows: {from: 16, to: 256, factor: 2}           keys of one axis are linked: value k of each at a time
//     engines: [[event, analytic], analytic, analytic, analytic, analytic]     and the engines of these points
//     label: {machine: [tiny, small, medium, large, huge]}     what tables and pictures show in place of the keys
//
// Axes of the command line: axis_argument.hpp. The variants of a study are an axis too: variants.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"
#include "tools/prediction/engines.hpp"

namespace warpfront::tools {

inline constexpr std::size_t kMostPoints = 1'000'000;

/// A key of the scenario that an axis sets.
struct AxisKey {
    std::string path;
    input::SourceRange range;
    std::vector<std::optional<input::YamlNode>> values;  // nothing where a variant leaves the key as it is

    /// Whether every value of the axis sets the key.
    bool is_always_set() const;
};

/// What is shown in place of an axis's keys; values have different texts.
struct AxisLabel {
    std::string name;
    input::SourceRange range;
    std::vector<std::string> texts;  // by value
};

struct StudyAxis {
    std::vector<AxisKey> keys;  // linked
    std::optional<AxisLabel> label{};
    std::vector<std::string> former{};         // names of the axis that it replaces
    bool follows_shape = false;                // arrays of about the proportion that the key `ranks` has (--ranks)
    bool has_variants = false;                 // its values are the variants of the study
    std::vector<std::vector<Engine>> engines;  // by value; empty: those of the study
    std::size_t size = 0;                      // number of values

    /// Whether one of its keys, its label, or an axis that it replaces has this name; `ranks` names one that sets
    /// ranks.
    bool has(std::string_view path) const;
    /// Whether a key of it sets ranks; whether all do.
    bool sets_ranks() const;
    bool sets_ranks_alone() const;
    /// The name of its label, or of its first key.
    const std::string& name() const { return label ? label->name : keys.front().path; }
    /// The value of its label, or of the first key; of all keys where values of the first repeat.
    std::string telling_text(std::size_t index) const;
    /// The number of ranks where the axis is asked for as `ranks`, else `telling_text`; `find` takes both.
    std::string text_as(std::string_view path, std::size_t index) const;
    /// The value whose label, or whose text of the key `path`, is `text`; for `ranks` also by the number of ranks. None
    /// if no value has it, or several.
    std::optional<std::size_t> find(std::string_view path, std::string_view text) const;
};

/// An item of `axes`. Diagnostics: wrong_yaml_type, uneven_axis for linked keys with unequal numbers of values,
/// missing_key for an axis without keys, bad_choice for an engine, duplicate_key for two values with one label, those
/// of `add_key` and `check_values`, and those of ranges: missing_key, unknown_key, conflicting_keys, bad_number,
/// wrong_unit, out_of_range.
StudyAxis read_axis(const input::YamlNode& item, input::Diagnostics& faults);

struct ValueRange {
    std::string from, to, step;
    bool is_factor = false;
    input::SourceRange range;
};

/// from, from + step, ... or from, from * factor, ... up to `to`; rounding of the last one does not lose it.
/// Diagnostics: bad_number, wrong_unit, out_of_range.
std::vector<input::YamlNode> values_in_range(const ValueRange& text, input::Diagnostics& faults);

/// Diagnostics: bad_override for a path with an empty key, duplicate_key for one that another key of the axis sets.
void add_key(StudyAxis& axis, AxisKey key, input::Diagnostics& faults);

/// Diagnostic: duplicate_key for a value that stands twice, in whatever form: `4` and `4.0`, `1KiB` and `1024B`.
void check_values(const StudyAxis& axis, input::Diagnostics& faults);

input::YamlNode scalar_value(std::string text, const input::SourceRange& range);

/// Whether a key of one axis may hide one of the other.
bool conflict(const StudyAxis& one, const StudyAxis& other);

/// Diagnostic: conflicting_keys for a key that may hide one of an axis before, which is one `of_another` "axis" or
/// "option"; of variants and an axis at the key of the variant.
void check_conflicts(const std::vector<StudyAxis>& axes, std::string_view of_another, input::Diagnostics& faults);

/// Diagnostic: duplicate_key for a label with the name of another, or of a key of any axis.
void check_label_names(const std::vector<StudyAxis>& axes, input::Diagnostics& faults);

/// The axis that has `name`, as its label or as a path that it sets; 0 after a fault (bad_choice).
std::size_t axis_of(const std::string& name, const input::SourceRange& range, const std::vector<StudyAxis>& axes,
                    input::Diagnostics& faults);

/// Adds `axis` to `axes`, in place of the first with a key that sets the same; variants stay.
void replace_axis(std::vector<StudyAxis>& axes, StudyAxis axis);

/// The value as a user writes it: `4`, `{columns: 4, rows: 2}`.
std::string text_of(const input::YamlNode& value);
/// Returns the text of a value, which is empty if a variant leaves the key as it is.
std::string text_of(const std::optional<input::YamlNode>& value);

/// Two values have one canonical text if they mean the same, in whatever form: `1024B` and `1KiB`, `4` and `4.0`.
std::string canonical_text(const input::YamlNode& value);

}  // namespace warpfront::tools
