// The key `placement` of a scenario.
//
//   placement: block                      or linear; block if not said
//   placement: random(7)                  a random order given by the seed 7
//   placement: {file: ranks.txt}          hosts listed one by one, relative to the scenario's own file
//   placement: {rule: random, seed: 7, fragmentation: 0.2}
//                                         others have taken a fifth of the hosts; `block` and 0 if not said
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "simulator/input/yaml.hpp"
#include "simulator/machine/placement/rules.hpp"

namespace warpfront::scenario {

struct PlacementKey {
    machine::PlacementRequest request;
    std::string file_as_written;  // of a rank file
};

/// Reads it off `scenario`, whose own file is `file`.
PlacementKey read_placement(input::MappingReader& scenario, const std::filesystem::path& file,
                            input::Diagnostics& faults);

/// In the form of a scenario file, as short as can be.
nlohmann::ordered_json echo(const PlacementKey& placement);

}  // namespace warpfront::scenario
