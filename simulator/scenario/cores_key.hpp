// The keys `fill` and `cores` of a scenario's `node`: the core of each rank of the patch.
//
//   node: {columns: 4, rows: 4}                            the ranks fill the cores in order, as by `fill: pack`
//   node: {columns: 4, rows: 4, fill: spread}              they are dealt over the parts (machine/placement/cores.hpp)
//   node: {columns: 4, rows: 4, cores: [0..7, 32..39]}     the cores, in the order of the ranks of the patch: row by
//                                                          row and plane by plane
#pragma once

#include <string>

#include "simulator/input/yaml.hpp"
#include "simulator/machine/placement.hpp"
#include "simulator/machine/placement/cores.hpp"

namespace warpfront::scenario {

struct CoresKey {
    machine::CoreRequest request;
    input::YamlNode as_written{};  // of `cores`; without items if the scenario does not have the key
};

/// Takes both keys from `node`, whose patch is `patch`.
CoresKey read_cores(input::MappingReader& node, const machine::Patch& patch, input::Diagnostics& faults);

/// Returns the word of a fill.
const std::string& name_of(machine::NodeFill fill);

}  // namespace warpfront::scenario
