// One change to a scenario before it is read: a path of keys and the value that goes there.
//
//   --set ranks.columns=256        path `ranks`, `columns`; the value is YAML text
//   --set node='{columns: 4, rows: 2}'
//
// Mappings on the way are made where they are missing; of repeated changes the last one wins. A change keeps its own
// places, so a fault in its value points into the argument (or the table cell) it came from.
// A platform that is a file's name becomes a mapping with that `file` where a change goes into it, as
// `platform.nic.injection=2x` does; and where `platform` is given a name, changes made to it stay.
// Cells per rank and cells of the whole grid say the same thing twice: a change to one removes the other.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"

namespace warpfront::scenario {

struct Override {
    struct Key {
        std::string name;
        input::SourceRange range;
    };
    std::vector<Key> path;  // never empty
    input::YamlNode value;
};

/// Reads `PATH=VALUE`, an argument of `--set`. Diagnostics bad_override and those of YAML; nothing where there was one.
std::optional<Override> parse_override(std::string_view argument, input::Diagnostics& faults);

/// An override from elsewhere: a dotted `path` that is known to be good, a scalar `text`, and where the two stand.
Override scalar_override(std::string_view path, const input::SourceRange& path_range, std::string text,
                         const input::SourceRange& text_range);

/// Changes `tree`. Diagnostic bad_override where the path goes through something that is no mapping.
void apply(const Override& change, input::YamlNode& tree, input::Diagnostics& faults);

/// Removes `key` from the mapping, if both are there.
void remove_key(input::YamlNode* mapping, std::string_view key);

}  // namespace warpfront::scenario
