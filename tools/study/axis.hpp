// The axes of a study: those of its file, its variants, and those of the command line (README.md). Points are all
// combinations of the values of all axes, the last axis varying fastest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/units/ids.hpp"
#include "tools/answer/prediction/engines.hpp"

namespace warpfront::tools {

inline constexpr std::size_t kMostPoints = 1'000'000;

/// A key of the scenario that an axis sets.
struct AxisKey {
    std::string path;
    SourceRange range;
    /// For each value of the axis, the value of the key. It is empty if a variant does not change the key.
    std::vector<std::optional<YamlNode>> values;

    /// Returns true if every value of the axis sets the key.
    bool is_always_set() const;
};

/// A label that tables and pictures show instead of the keys of an axis. Each value has a different text.
struct AxisLabel {
    std::string name;
    SourceRange range;
    std::vector<std::string> texts;  // text of each value
};

struct StudyAxis {
    std::vector<AxisKey> keys;  // the keys, which are linked: they take their k-th values together
    std::optional<AxisLabel> label{};
    std::vector<std::string> former{};  // names of an axis that this axis replaces
    /// true for `--ranks`: process grids have about the proportions of the scenario's key `ranks`
    bool follows_shape = false;
    bool has_variants = false;  // true if the values are the variants of the study
    /// engines for each value; empty if all values have the engines of the study
    std::vector<std::vector<Engine>> engines;
    std::size_t size = 0;  // number of values

    /// Returns true if `path` is a key, the label, or a name of a replaced axis. `ranks` matches every axis that sets
    /// ranks.
    bool has(std::string_view path) const;
    /// Returns true if any key sets ranks.
    bool sets_ranks() const;
    /// Returns true if all keys set ranks.
    bool sets_ranks_alone() const;
    /// Returns the name of the label, or of the first key if there is no label.
    const std::string& name() const { return label ? label->name : keys.front().path; }
    /// Returns the label's text for a value. Without a label, returns the value of the first key. If values of the
    /// first key repeat, returns the values of all keys.
    std::string telling_text(std::size_t index) const;
    /// Returns the number of ranks if `path` is `ranks`; otherwise `telling_text`. `find` accepts both.
    std::string text_as(std::string_view path, std::size_t index) const;
    /// Returns the index of the value with this text. The text may be that of the label or of the key `path`; for
    /// `ranks` it may be the number of ranks. Returns nothing if no value or more than one value matches.
    std::optional<std::size_t> find(std::string_view path, std::string_view text) const;
};

/// Reads an item of `axes`. Diagnostics: wrong_yaml_type, uneven_axis for linked keys with unequal numbers of values,
/// missing_key for an axis without keys, bad_choice for an engine, duplicate_key for two values with one label, those
/// of `add_key` and `check_values`, and those of ranges: missing_key, unknown_key, conflicting_keys, bad_number,
/// wrong_unit, out_of_range.
StudyAxis read_axis(const YamlNode& item, Diagnostics& faults);

struct ValueRange {
    std::string from, to, step;
    bool is_factor = false;
    SourceRange range;
};

/// Returns the values from, from + step, ... or from, from * factor, ... up to `to`. A last value that exceeds `to`
/// only by rounding is included. Diagnostics: bad_number, wrong_unit, out_of_range.
std::vector<YamlNode> values_in_range(const ValueRange& text, Diagnostics& faults);

/// Adds a key. Diagnostics: bad_override for a path with an empty key, duplicate_key for a path that another key of the
/// axis sets.
void add_key(StudyAxis& axis, AxisKey key, Diagnostics& faults);

/// Reports equal values of an axis (duplicate_key), even if they are written differently: `4` and `4.0`, `1KiB` and
/// `1024B`.
void check_values(const StudyAxis& axis, Diagnostics& faults);

YamlNode scalar_value(std::string text, const SourceRange& range);

/// Returns true if a key of one axis may override a key of the other.
bool conflict(const StudyAxis& one, const StudyAxis& other);

/// Reports keys of two axes that may override each other (conflicting_keys). The error is at the key of the later axis,
/// or at the key of the variant if the earlier axis contains the variants. `of_another` ("axis" or "option") is the
/// noun for the earlier axis in the message.
void check_conflicts(const std::vector<StudyAxis>& axes, std::string_view of_another, Diagnostics& faults);

/// Reports a label that has the name of another label, or of a key of any axis (duplicate_key).
void check_label_names(const std::vector<StudyAxis>& axes, Diagnostics& faults);

/// Returns the axis that has the label `name` or sets the path `name`. Returns 0 after an error (bad_choice).
std::size_t axis_of(const std::string& name, const SourceRange& range, const std::vector<StudyAxis>& axes,
                    Diagnostics& faults);

/// Adds `axis`. It replaces the first axis that sets one of its keys, except variants.
void replace_axis(std::vector<StudyAxis>& axes, StudyAxis axis);

/// Returns the value as a user writes it: `4`, `{columns: 4, rows: 2}`.
std::string text_of(const YamlNode& value);
/// Returns the text of a value. The text is empty if a variant does not change the key.
std::string text_of(const std::optional<YamlNode>& value);

/// Returns a text that is the same for all values with one meaning: `1024B` and `1KiB`, `4` and `4.0`.
std::string canonical_text(const YamlNode& value);

// Axes of the command line, `--vary` and `--ranks` (axis_argument.cpp).

/// Parses an argument of `--vary`. Diagnostics: bad_override, out_of_range, uneven_axis if linked keys have unequal
/// numbers of values, those of `add_key` and `check_values`, and those of YAML.
StudyAxis parse_axis(const std::string& argument, Diagnostics& faults);

/// Returns a process grid with columns * rows * planes = ranks. It has the planes of `base`, and the ratio of columns
/// to rows that is nearest to that of `base`. Of two equally near grids it is the squarer one, then the one with more
/// columns. Returns nothing if the ratio differs from that of `base` by more than a factor of two, which never happens
/// for powers of two. For example, with `base` = 128 x 64, 1,024 ranks give 32 x 32, and 2,048 ranks give 64 x 32.
std::optional<Extents> shape_of_ranks(std::uint64_t ranks, const Extents& base);

/// Parses the argument of `--ranks` into an axis of `ranks.columns` and `ranks.rows`. Diagnostics: those of ranges and
/// of `check_values`; bad_number, out_of_range for a number without such a process grid.
StudyAxis parse_ranks(const std::string& argument, const Extents& base, Diagnostics& faults);

// The variants of a study: named sets of changes to the scenario (variants.cpp). Variants are the first axis; their
// names are the label of its values.

inline constexpr std::string_view kVariant = "variant";

/// Reads the list `variants`. Diagnostics: wrong_yaml_type; missing_key for a variant without a name, or if no variant
/// changes anything; duplicate_key for two variants with the same name or the same changes; unknown_key; those of
/// scenario::read_changes.
StudyAxis read_variants(const YamlNode& list, Diagnostics& faults);

}  // namespace warpfront::tools
