// YAML files that this process has parsed, so that a study of many points parses each of them once. The key is the name
// and the whole text; files with faults are parsed again. For several threads at a time.
#pragma once

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"

namespace warpfront::input {

struct ParsedFile {
    SourceFilePtr source;  // to which the ranges of the tree refer: that of the first text of this name
    YamlNode tree;
};

/// Parses as parse_yaml does.
ParsedFile parse_once(SourceFilePtr source, Diagnostics& faults);

}  // namespace warpfront::input
