// An override of a scenario, applied before the scenario is read: a path of keys and a value.
//
//   --set ranks.columns=256        path `ranks`, `columns`; the value is YAML text
//   --set node='{columns: 4, rows: 2}'
//   --set platform.layers.network[up_to=1KiB].L=2x      path `platform`, `layers`, `network[up_to=1KiB]`, `L`
//
// Missing mappings on the path are created; the last of several overrides of a key holds. An override keeps its source
// ranges, so a fault in its value points into the argument (or the table cell) that contains it.
// A platform that is a file name becomes a mapping with that `file` if an override leads into it, such as
// `platform.nic.injection=2GBps`; a new name for `platform` keeps earlier overrides of it.
// A `placement` that is a word becomes a mapping likewise.
// Cells per rank and cells of the whole grid define the same quantity: an override of one removes the other.
// The model determines which parameter has the cells of the whole grid (psl/syntax/roles.hpp).
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "psl/syntax/roles.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"

namespace warpfront::scenario {

struct Override {
    struct Key {
        std::string name;
        SourceRange range;
    };
    std::vector<Key> path;  // keys of the path; never empty
    YamlNode value;
};

/// An axis of the grid of cells, and the role of the parameter with the cells of the whole grid along it.
struct CellAxis {
    std::string_view axis;
    psl::Role role;
};
inline constexpr std::array kCellAxes{CellAxis{"x", psl::Role::cells_x}, CellAxis{"y", psl::Role::cells_y},
                                      CellAxis{"z", psl::Role::cells_z}};

/// Returns the representative of all paths that set the same quantity: `cells_per_rank.x` for the usual name of the
/// parameter with this role, `parameters.nx`; `platform` for `platform.file`; `node.fill` for `node.cores`;
/// `[up_to=1024B]` for `[up_to=1KiB]`. If the model has another name for this parameter, a scenario with both keys is
/// refused when the model is lowered.
std::string canonical_path(std::string_view path);

/// Returns true if `path` leads through the mapping at the path `mapping`.
bool lies_within(std::string_view path, std::string_view mapping);

/// Returns true if two paths set the same quantity or one leads through the other.
bool overlap(std::string_view one, std::string_view other);

/// Returns true if, of two keys that are set in turn, one may hide the other. Changes within `platform` and `model` do
/// not hide the file that these keys name.
bool conflict(std::string_view one, std::string_view other);

/// Returns the key within `tree`, at the path `at` (empty: the top), that sets the same quantity as `path`; nullptr if
/// there is none.
const YamlNode::Entry* entry_setting(const YamlNode& tree, const std::string& at, const std::string& path);

/// Returns the end of the path of `PATH=VALUE`: the first `=` outside of brackets, which belong to a key; npos without
/// one.
std::size_t end_of_path(std::string_view argument);

/// The beginning of the name of a source that is an argument of `--set`.
inline constexpr std::string_view kArgumentName = "--set ";

/// Returns true for the source of an argument of `--set`.
bool is_argument(const SourceFilePtr& source);

/// Reads `PATH=VALUE`, an argument of `--set`; returns nothing if it has errors. Diagnostics: bad_override and those of
/// YAML.
std::optional<Override> parse_override(std::string_view argument, Diagnostics& faults);

/// Reads a key `set` of a file: a mapping {PATH: VALUE} of different keys, or a list [PATH=VALUE] of arguments of --set
/// in order. Diagnostics: wrong_yaml_type, those of parse_override, conflicting_keys for two keys of a mapping that set
/// the same.
std::vector<Override> read_changes(const YamlNode* set, Diagnostics& faults);

/// Makes an override from another source: a valid dotted `path`, a scalar `text`, and their ranges.
Override scalar_override(std::string_view path, const SourceRange& path_range, std::string text,
                         const SourceRange& text_range);

/// Joins the keys by dots.
std::string path_of(const Override& given);

/// Rebases relative file names in the value of the override from the folder `from` to `to`.
void rebase_files(Override& given, const std::filesystem::path& from, const std::filesystem::path& to);

/// Applies the override to `tree`; `node.fill` replaces `node.cores`, and a `placement` of ranks replaces `node`, and
/// the other way round. Diagnostic: bad_override if the path leads through something that is no mapping.
void apply(const Override& given, YamlNode& tree, Diagnostics& faults);

/// The parameters of a model with the cells of the whole grid, by axis.
using CellParameters = std::array<std::string, kCellAxes.size()>;
CellParameters usual_cell_parameters();

/// Removes from `tree` the cells of the whole grid if the override has set those per rank, and the other way round.
void remove_equivalents(const Override& given, const CellParameters& whole, YamlNode& tree);

/// Removes `key` from the mapping, if both exist.
void remove_key(YamlNode* mapping, std::string_view key);

}  // namespace warpfront::scenario
