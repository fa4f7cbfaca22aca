// The key `placement` of a scenario. It places nodes, which are the patches of the key `node`
// (machine/placement/rules.hpp):
//
//   placement: block                      or linear; default block
//   placement: random(7)                  a random order, which the seed 7 determines
//   placement: {file: hosts.txt}          the host of each node
//   placement: {rule: random, seed: 7, fragmentation: 0.2}
//
// In place of `node`, it places ranks (machine/placement/seats.hpp): it deals them over nodes and cores, or lists them.
//
//   placement: {ranks_per_node: 8, distribution: cyclic:block}
//   placement: 0..3:12, 4..7:13           RANKS:HOST or RANKS:HOST:CORES
//   placement: {rankfile: ranks.txt}      the same in the form of Open MPI
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/placement.hpp"
#include "simulator/machine/placement/cores.hpp"
#include "simulator/machine/placement/rules.hpp"
#include "simulator/machine/placement/seats.hpp"

namespace warpfront::scenario {

/// The largest number of ranks or cores of a node, and side of a patch.
inline constexpr std::int64_t kMostOnNode = 65535;

struct PlacementKey {
    machine::PlacementRequest request;
    SourceRange range{};            // place of the value
    std::string file_as_written{};  // value of `file` or `rankfile`
    std::string list_as_written{};  // the list of ranks
    std::optional<SourceFilePtr> rankfile{};

    /// Returns true if the key places ranks, in place of the patches of `node`.
    bool places_ranks() const { return request.distribution || !request.listed.empty(); }
};

/// The keys of `placement` that place ranks, in place of the patches of `node`.
inline constexpr std::array<std::string_view, 3> kRankKeys{"ranks_per_node", "distribution", "rankfile"};

/// Returns true if the value of `placement` places ranks, in place of the patches of `node`.
bool places_ranks(const YamlNode& placement);

/// Takes the key from `scenario`, whose own file is `file`.
PlacementKey read_placement(MappingReader& scenario, const std::filesystem::path& file, Diagnostics& faults);

/// Replaces the word for a rule by the mapping with the same meaning, so that an override can add `key`. A list of
/// ranks, and `file` and `rankfile`, which exclude other keys, become a mapping without keys. Does not change other
/// words.
void make_mapping(YamlNode& placement, std::string_view key);

/// Formats a distribution, such as "cyclic:block".
std::string text_of(const machine::Distribution& distribution);

/// Returns the word of a rule that reads no file.
const std::string& name_of(machine::PlacementRule rule);

// The keys `fill` and `cores` of a scenario's `node`: the core of each rank of the patch.
//
//   node: {columns: 4, rows: 4}                            the ranks fill the cores in order, as by `fill: pack`
//   node: {columns: 4, rows: 4, fill: spread}              they are dealt over the parts (machine/placement/cores.hpp)
//   node: {columns: 4, rows: 4, cores: [0..7, 32..39]}     the cores, in the order of the ranks of the patch: row by
//                                                          row and plane by plane

struct CoresKey {
    machine::CoreRequest request;
    YamlNode as_written{};  // value of `cores`; without items if the key is absent
};

/// Takes both keys from `node`, whose patch is `patch`.
CoresKey read_cores(MappingReader& node, const machine::Patch& patch, Diagnostics& faults);

/// Returns the word of a fill.
const std::string& name_of(machine::NodeFill fill);

}  // namespace warpfront::scenario
