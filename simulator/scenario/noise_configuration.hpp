// The keys `seed`, `noise` and `heterogeneity` of a scenario: deviations of computing times from those of the model.
// keys.cpp describes the keys, variation/noise.hpp states the law. `noise`, `periodic`, `interruptions` and
// `heterogeneity` may be `off`, which is the default.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/units/random.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::scenario {

/// The key of periodic OS noise within `noise`, and the former name of this key (before version 0.2), which is still
/// accepted.
inline constexpr std::string_view kPeriodic = "periodic";
inline constexpr std::string_view kFormerPeriodic = "detours";

struct NoiseConfiguration {
    /// The cost map is read once the ranks are known.
    struct MapFile {
        std::filesystem::path file;  // path of the map from the current directory
        SourceRange range;
        std::string as_written;
    };

    Seed seed;
    variation::Noise noise;     // everything except the map
    bool states_noise = false;  // true if the scenario has a key `noise`
    std::optional<MapFile> map;

    /// Takes the noise of a calibration, if it has any and the scenario states none; the scenario's heterogeneous ranks
    /// are kept. Returns true if it was taken.
    bool take_noise(const std::optional<variation::Noise>& calibrations);
};

/// Returns the noise that all engines apply: the noise with the cost map, whose file is added to `sources`. Adds the
/// map's errors.
variation::Noise noise_of(const NoiseConfiguration& configuration, std::uint64_t ranks,
                          std::vector<SourceFilePtr>& sources, Diagnostics& faults);

/// Takes `noise` from a scenario or a calibration: the deviations of all blocks, periodic noise and interruptions.
variation::Noise read_noise(MappingReader& top, Diagnostics& faults);

/// Takes the keys `seed`, `noise` and `heterogeneity` from `top`, the root of the file `scenario`.
NoiseConfiguration read_noise_configuration(MappingReader& top, const std::filesystem::path& scenario,
                                            Diagnostics& faults);

// A cost map: factors for the compute time of ranks and of single tiles, as a CSV table.
//
//   rank,factor        rank,wave,factor
//   17,1.25            17,3,0.5          tile 3 of rank 17
//                      17,,1.25          all of rank 17; if both are given, both apply
//
// Ranks count from 0, row by row and plane by plane. `wave` counts the iterations of the rank's loops within the
// iteration of the code: in sweeps over two or more tiles it is the number of the tile from 0, continued from sweep to
// sweep.

/// Reads a cost map. Diagnostics: unknown_column, missing_key for a required column, out_of_range for ranks from
/// `ranks` on and for negative factors, duplicate_row, bad_number, and those of CSV.
std::vector<variation::CostFactor> read_cost_map(const SourceFilePtr& source, std::uint64_t ranks, Diagnostics& faults);

}  // namespace warpfront::scenario
