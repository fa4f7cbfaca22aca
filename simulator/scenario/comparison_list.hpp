// A list of published tables, each with the scenario that its rows change. `compare` reads all of them for one set of
// statistics:
//
//   comparisons:
//     - scenario: chimaera/chimaera.yaml      relative to the list's own file, like `against`
//       against: chimaera/measured/xt4.csv
//       set: [parameters.nz=120]              optional: overrides as of --set, in order
//       name: Chimaera, XT4                   optional; default: the names of the two files without extension
//       within: {pred: 1 %, exec: 10 %}       optional: tolerance against a published column
//       reason: ...                           optional: the known reason for larger differences
//       tested_by: COMMAND or file            optional: the experiment that confirms the reason; or
//                                             of single columns, {pred: COMMAND or file}
//   source: Mudalige 2009, tables B.1, B.2    optional: the source of the tables
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/units/percent.hpp"

namespace warpfront::scenario {

struct ComparisonEntry {
    std::string name;
    std::filesystem::path scenario;  // relative to the current directory
    input::SourceRange scenario_range;
    std::filesystem::path against;
    input::SourceRange against_range;
    std::vector<std::string> sets;
    std::map<std::string, Percent> within;  // by published column
    std::string reason;
    std::map<std::string, std::string> tested_by;  // by published column
};

struct ComparisonList {
    std::string source_text;  // of `source`
    std::vector<ComparisonEntry> entries;
};

/// Returns true if a YAML file is such a list: it has a key `comparisons`. Throws BadInput if it is not YAML.
bool is_comparison_list(const input::SourceFilePtr& source);

/// Reads the list in `file`, with at least one entry, of different names. Throws BadInput with all errors: unknown_key,
/// missing_key, wrong_yaml_type, nothing_to_compare, duplicate_name; those of percentages.
ComparisonList read_comparison_list(const std::filesystem::path& file, const input::SourceFilePtr& source);

}  // namespace warpfront::scenario
