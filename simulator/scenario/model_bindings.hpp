// Values for a model in a scenario: a mapping of names to texts, or to lists, in the form of the model's language.
#pragma once

#include <map>
#include <string>

#include "psl/psl.hpp"
#include "simulator/input/yaml.hpp"

namespace warpfront::scenario {

/// Adds every entry of `node`, which `reader` reads, to `bindings`.
void read_bindings(const input::YamlNode& node, input::MappingReader& reader,
                   std::map<std::string, psl::Binding>& bindings, input::Diagnostics& faults);

}  // namespace warpfront::scenario
