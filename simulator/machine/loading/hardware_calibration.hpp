// The calibration file that a hardware file names: terms fitted to measured runs on that machine, which scenarios use
// unless they say otherwise (simulator/scenario/calibration.hpp). A file that starts from it by `like` is another
// machine: it has no calibration unless it names one itself.
#pragma once

#include <filesystem>
#include <optional>

#include "simulator/input/source.hpp"

namespace warpfront::machine {

struct CalibrationName {
    std::filesystem::path file;  // found from the folder of the hardware file that names it
    input::SourceRange range;
};

/// Nothing if the file names none, says `off`, or cannot be read, which building the machine reports.
std::optional<CalibrationName> calibration_of(const std::filesystem::path& hardware_file);

}  // namespace warpfront::machine
