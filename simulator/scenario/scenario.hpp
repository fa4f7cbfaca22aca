// A scenario: a model, the platform it runs on, the number and placement of its ranks, its parameters. keys.cpp
// describes every key, and models/README.md has examples.
//
// A document is the YAML tree of the file with overrides (overrides.hpp) applied; the scenario is read from it. File
// names in a scenario are relative to its own file. A number may have a standard deviation (uncertain.hpp). Times among
// the parameters, and a trace's speed, were measured on the platform that the file describes. If an override changes
// the platform but not these times, they are scaled by the speeds of the two processors (measured_times.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "psl/psl.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/hardware_overrides.hpp"
#include "simulator/machine/placement.hpp"
#include "simulator/scenario/calibration.hpp"
#include "simulator/scenario/noise_configuration.hpp"
#include "simulator/scenario/overrides.hpp"
#include "simulator/scenario/placement_key.hpp"
#include "simulator/scenario/uncertain.hpp"
#include "simulator/scenario/workers_key.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::scenario {

inline constexpr std::uint32_t kMostScenarioRanks = std::uint32_t{1} << 24;
inline constexpr std::int64_t kMostIterations = 1'000'000'000;
inline constexpr std::int64_t kMostCellsPerRank = std::int64_t{1} << 31;  // along one axis

struct ScenarioDocument {
    std::filesystem::path file;
    SourceFilePtr source;
    YamlNode tree;
    std::vector<UncertainFigure> uncertain;  // uncertain values, which are in the tree without their deviations
    YamlNode platform;                       // the key before overrides; an empty scalar without it
    std::vector<std::string> notes;          // notes on keys with former names
};

/// The speed at which the processor computes a trace. A recorded run has times, so its speed is a ratio; SimGrid's
/// traces have flops.
struct TraceSpeed {
    FlopRate rate{1e12};
    double times_as_fast = 1.0;  // speed relative to the processor on which the run was recorded
    bool has_unit = false;       // true if the value is written as a rate
    bool is_ratio = false;       // true if the value is written as a ratio
    std::string as_written;
    SourceRange range;
};

/// A trace, which replaces a model.
struct TraceKey {
    /// The file that states the communicators of the traces' collectives.
    struct CommunicatorsFile {
        std::filesystem::path file;  // path of the file from the current directory
        SourceRange range;
        std::string as_written;
    };

    std::filesystem::path list;  // path of the list or of its folder, relative to the current directory
    SourceRange range;
    std::string as_written;
    TraceSpeed speed;
    bool recorded = false;  // true if reading has found a recorded run
    std::optional<CommunicatorsFile> communicators{};
    bool arrivals_recorded = false;  // true if receives from any source take the recorded messages
    SourceRange arrivals_range{};
};

/// The keys whose values were measured on a processor, without the keys that overrides set.
struct MeasuredKeys {
    std::filesystem::path platform;        // hardware file that the file names
    machine::HardwareOverrides overrides;  // overrides in the file itself
    std::vector<std::string> names;        // names of the keys of times, or `speed`
};

struct Scenario {
    std::filesystem::path file;
    SourceFilePtr source;
    std::optional<TraceKey> trace;
    std::filesystem::path model;  // path of the model from the current directory; empty for a trace
    SourceRange model_range;
    std::filesystem::path platform;
    SourceRange platform_range;
    std::string model_as_written;
    std::string platform_as_written;
    machine::HardwareOverrides overrides;  // overrides of the platform
    SourceRange grid_range;
    machine::Patch patch;
    bool has_node = false;
    SourceRange patch_range;
    CoresKey cores;
    PlacementKey placement;
    CalibrationKey calibration;
    NoiseConfiguration noise_configuration;
    WorkersKey workers;
    MeasuredKeys measured;
    std::vector<std::string> notes;  // notes on keys with former names
    std::map<std::string, std::int64_t>
        cells_per_rank;      // cells of each rank by axis (x, y or z), if the scenario states them
    psl::Bindings bindings;  // process grid, iterations, parameters, cells by role
};

/// Reads and parses `file` and applies the arguments of `--set`, in order. Throws BadInput.
ScenarioDocument read_document(const std::filesystem::path& file, std::span<const std::string> sets);

/// Applies the override to the document. `cells_per_rank` and the parameters of the whole grid, which are those of the
/// document's model, replace each other.
void apply(const Override& given, ScenarioDocument& document, Diagnostics& faults);

/// A scenario that another file names: a study, a list of comparisons, the plan of a calibration, a file of jobs.
struct NamedScenario {
    std::filesystem::path file;       // path of the scenario from the current directory
    SourceRange range{};              // place of the scenario's name; without a source if the command line names it
    std::vector<Override> changes{};  // changes by the file that names the scenario, in order
};

/// Returns the file that `key` of a mapping names, relative to the folder of the file with the mapping. Diagnostic:
/// missing_key.
std::filesystem::path read_file_name(MappingReader& keys, std::string_view key);

/// Reads the keys `scenario` and `set`. Diagnostics: missing_key, those of `read_changes`.
NamedScenario read_named_scenario(MappingReader& keys, Diagnostics& faults);

/// Applies a change of a named scenario. File names in the change are relative to the file that states the change; in a
/// change by the command line or in the form of --set, they are relative to the scenario.
void apply(const NamedScenario& named, Override change, ScenarioDocument& document, Diagnostics& faults);

/// Reads and parses a named scenario, and applies its changes and then the arguments of --set. Throws BadInput; if the
/// file cannot be read, the error is reported where the file is named.
ScenarioDocument read_document(const NamedScenario& named, std::span<const std::string> sets);

/// Parses a document from text that was read already; file names in it are relative to the folder of `file`.
ScenarioDocument parse_document(const std::filesystem::path& file, SourceFilePtr source,
                                std::span<const std::string> sets);

/// Reads a scenario. Throws BadInput with every error of the document: another kind of file; unknown, missing and
/// conflicting keys; sizes out of range.
Scenario read_scenario(const ScenarioDocument& document);

// Conversion of a scenario back to the form of its file.

/// Returns the scenario as it was read, defaults included.
nlohmann::ordered_json echo(const Scenario& scenario);

}  // namespace warpfront::scenario
