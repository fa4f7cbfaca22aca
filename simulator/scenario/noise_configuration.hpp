// What a scenario says of computing that takes more, or less, than its model tells (engine/noise.hpp has the law):
//
//   seed: 7                            of all that is random here; 0 if not said
//   noise: {cv: 0.05,                  coefficient of variation of every block
//           shrinking_from: 10us,      longer blocks vary less; if not said, all vary alike
//           detours: {period: 10ms, length: 50us, aligned: off}}
//   heterogeneity: {classes: [{share: 0.9, speed: 1.0}, {share: 0.1, speed: 0.8}],
//                   map: costs.csv}    cost_map.hpp; relative to the scenario's own file
//
// `noise`, `detours` and `heterogeneity` may be `off`, as they are if not said.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "simulator/engine/noise.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/units/random.hpp"

namespace warpfront::scenario {

struct NoiseConfiguration {
    /// The cost map is read once the ranks are known.
    struct MapFile {
        std::filesystem::path file;  // found from the current directory
        input::SourceRange range;
        std::string as_written;
    };

    Seed seed;
    engine::Noise noise;  // all but the map
    std::optional<MapFile> map;
};

/// Takes these keys off `top`, which stands in `scenario`.
NoiseConfiguration read_noise_configuration(input::MappingReader& top, const std::filesystem::path& scenario,
                                            input::Diagnostics& faults);

/// The keys again, as they were understood.
void echo(const NoiseConfiguration& variation, nlohmann::ordered_json& json);

}  // namespace warpfront::scenario
