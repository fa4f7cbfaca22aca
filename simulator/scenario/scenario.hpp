// A scenario: which model runs on which platform with how many ranks, placed how, with which parameters.
//
//   model: sweep3d.psl                    relative to the scenario's own file, as is `platform`
//   platform: ../../platforms/xt4.yaml    or a mapping: that `file`, and changes (machine/loading/overrides.hpp)
//   ranks: {columns: 128, rows: 64}
//   node: {columns: 2, rows: 1}           the patch of ranks on one node; 1 x 1 if not said
//   placement: block                      or others, see placement_key.hpp; block if not said
//   iterations: 12                        1 if not said
//   seed, noise, heterogeneity            as noise_configuration.hpp says; off if not said
//   cells_per_rank: {x: 8, y: 16}         weak scaling, in place of the parameters nx and ny of the whole grid
//   parameters: {nx: 1000, wg: 0.414us}   by the names the model declares; units where they have one
//
// Times among the parameters, and a trace's speed, are what was measured on the platform that the file names: where an
// override names another platform and leaves them as they are, that is noted (notes.hpp).
//
// In place of a model, its iterations, parameters and cells:
//   trace: traces                         time-independent traces: a folder, or their list (simulator/trace/read.hpp)
//   speed: 1Tflops                        of the processor that their flops are computed on; 1 Tflop/s if not said
//
// A document is the file's tree, changed by overrides (overrides.hpp) and only then read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "psl/psl.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/overrides.hpp"
#include "simulator/machine/placement.hpp"
#include "simulator/scenario/noise_configuration.hpp"
#include "simulator/scenario/overrides.hpp"
#include "simulator/scenario/placement_key.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/rate.hpp"

namespace warpfront::scenario {

inline constexpr std::uint32_t kMostRanks = std::uint32_t{1} << 24;
inline constexpr std::int64_t kMostIterations = 1'000'000'000;
inline constexpr std::int64_t kMostCellsPerRank = std::int64_t{1} << 31;  // along one axis

struct ScenarioDocument {
    std::filesystem::path file;
    input::SourceFilePtr source;
    input::YamlNode tree;
    std::string platform_as_written;  // before overrides; empty where the file names none
};

/// In place of a model.
struct TraceKey {
    std::filesystem::path list;  // or its folder, found from the current directory
    input::SourceRange range;
    std::string as_written;
    FlopRate speed;
};

/// What the file gives that belongs to a processor, overrides left out.
struct Measured {
    std::filesystem::path platform;  // that the file names
    std::vector<std::string> names;  // keys of times, and `speed`
};

struct Scenario {
    std::filesystem::path file;
    input::SourceFilePtr source;
    std::optional<TraceKey> trace;
    std::filesystem::path model;  // found from the current directory; of a trace empty
    input::SourceRange model_range;
    std::filesystem::path platform;
    input::SourceRange platform_range;
    std::string model_as_written;
    std::string platform_as_written;
    machine::HardwareOverrides changes;  // of the platform
    input::SourceRange grid_range;
    machine::Patch patch;
    bool says_node = false;
    input::SourceRange patch_range;
    PlacementKey placement;
    NoiseConfiguration variation;
    std::optional<std::int64_t> cells_x;  // per rank, where the scenario says so
    std::optional<std::int64_t> cells_y;
    Measured measured;
    psl::Bindings bindings;  // grid, iterations and parameters, nx and ny among them
};

/// Reads and parses `file` and changes it by the arguments of `--set`, in order. Throws BadInput.
ScenarioDocument read_document(const std::filesystem::path& file, std::span<const std::string> sets);

/// The same for text that is already there; files it names are found from the folder of `file`.
ScenarioDocument parse_document(const std::filesystem::path& file, input::SourceFilePtr source,
                                std::span<const std::string> sets);

/// Throws BadInput with every fault of the document: another kind of file, unknown, missing and conflicting keys, sizes
/// out of range.
Scenario read_scenario(const ScenarioDocument& document);

/// The scenario as it was understood, defaults included, in the form of a scenario file.
nlohmann::ordered_json echo(const Scenario& scenario);

}  // namespace warpfront::scenario
