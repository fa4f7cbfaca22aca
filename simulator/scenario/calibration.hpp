// A calibration: corrections of a machine's published values, fitted to runs measured on it. A hardware file names it
// by its key `calibration`; a scenario may name another one or have `calibration: off`. `warpfront calibrate` writes
// such files, and platforms/README.md describes them. It has overrides of the hardware file, which are applied before
// those of the scenario; noise of scenarios that state none; longer blocks by application (program/computing.hpp); and
// the error of predictions of runs outside the fit (units/prediction_error.hpp).
//
// A calibration changes the rank programs and the machine of the simulating engines. Closed forms are not calibrated.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/hardware_tree.hpp"
#include "simulator/program/computing.hpp"
#include "simulator/units/prediction_error.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::scenario {

/// The scenario's key.
struct CalibrationKey {
    bool on = true;
    std::filesystem::path
        file;  // path from the current directory; empty: the file that the hardware file names, if any
    std::string as_written = "on";
    SourceRange range;
};
CalibrationKey read_calibration_key(MappingReader& top, const std::filesystem::path& scenario);

/// The limit of `error.deviation` and `error.per_doubling`: the interval of a prediction with an error of 100 % begins
/// at 0 and is meaningless.
inline constexpr double kLargestError = 1.0;

struct Calibration {
    SourceFilePtr source;
    YamlNode platform;  // changes to the hardware file: a mapping, or an empty scalar
    std::optional<variation::Noise> noise;
    std::map<std::string, program::Computing> computing;
    std::optional<PredictionError> error;
};

/// The permission of a file to state that errors grow with the number of ranks.
enum class Drift : bool { none, may_be_stated };

/// Reads the mapping `what` of a file: a deviation and the number of groups from which it was computed. Returns nothing
/// if it has errors.
std::optional<PredictionError> read_prediction_error(const YamlNode& node, std::string what, Drift drift,
                                                     Diagnostics& faults);

/// Reads a calibration. Throws BadInput with every error of the text.
Calibration read_calibration(SourceFilePtr source);
/// Reads a calibration from a tree whose nodes come from another file; error messages point into that file. `source` is
/// the file in which the calibration will be stored. Throws BadInput with `faults` and further errors.
Calibration read_calibration(const YamlNode& tree, SourceFilePtr source, Diagnostics& faults);
/// Reads a calibration file.
Calibration read_calibration(const std::filesystem::path& file, const SourceRange& mentioned_at);

/// Returns the calibration that the key selects for the machine; nothing if there is none.
std::optional<Calibration> calibration_for(const CalibrationKey& key, const machine::HardwareTree& hardware);

}  // namespace warpfront::scenario
