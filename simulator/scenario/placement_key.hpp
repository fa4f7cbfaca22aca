// The key `placement` of a scenario.
//
//   placement: block                      or linear; default block
//   placement: random(7)                  a random order, which the seed 7 determines
//   placement: {file: ranks.txt}          a rank file, relative to the scenario's own file
//   placement: {rule: random, seed: 7, fragmentation: 0.2}
//                                         other jobs occupy a fifth of the hosts; defaults `block` and 0
#pragma once

#include <filesystem>
#include <string>

#include "simulator/input/yaml.hpp"
#include "simulator/machine/placement/rules.hpp"

namespace warpfront::scenario {

struct PlacementKey {
    machine::PlacementRequest request;
    std::string file_as_written;  // of a rank file
};

/// Takes the key from `scenario`, whose own file is `file`.
PlacementKey read_placement(input::MappingReader& scenario, const std::filesystem::path& file,
                            input::Diagnostics& faults);

/// Returns the word of a rule that reads no file.
const std::string& name_of(machine::PlacementRule rule);

}  // namespace warpfront::scenario
