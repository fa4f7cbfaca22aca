// A list of published tables, each with the scenario that its rows change. `compare` reads all of them for one set of
// statistics:
//
//   comparisons:
//     - scenario: chimaera/chimaera.yaml      relative to the list's own file, like `against`
//       against: chimaera/measured/xt4.csv
//       set: [parameters.nz=120]              optional: overrides as of --set, in order
//       name: Chimaera, XT4                   optional; default: the names of the two files without extension
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"

namespace warpfront::scenario {

struct ComparisonEntry {
    std::string name;
    std::filesystem::path scenario;  // relative to the current directory
    input::SourceRange scenario_range;
    std::filesystem::path against;
    input::SourceRange against_range;
    std::vector<std::string> sets;
};

/// Whether a YAML file is such a list: it has a key `comparisons`. Throws BadInput if it is no YAML.
bool is_comparison_list(const input::SourceFilePtr& source);

/// The entries of the list in `file`, at least one, with different names. Throws BadInput with all faults:
/// unknown_key, missing_key, wrong_yaml_type, nothing_to_compare, duplicate_name.
std::vector<ComparisonEntry> read_comparison_list(const std::filesystem::path& file,
                                                  const input::SourceFilePtr& source);

}  // namespace warpfront::scenario
