// Values of `--set` that no row of the published tables leaves as they are. They have no effect, so they are refused.
// A value that some row keeps is a setting of that row.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"

namespace warpfront::tools {

class HiddenArguments {
public:
    /// Adds a row: the tree of its scenario with the overrides of `--set` alone, and with those of the row as well.
    void add(const input::YamlNode& base, const input::YamlNode& row);
    /// Throws BadInput (conflicting_keys) if every row hides a value.
    void refuse() const;

private:
    struct Value {
        input::SourceRange range;
        bool is_kept = false;  // by a row
    };
    std::map<std::pair<std::string, std::size_t>, Value> values_;  // by the argument and the place in it
};

}  // namespace warpfront::tools
