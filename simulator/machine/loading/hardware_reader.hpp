// Reads and checks a hardware file alone (platforms/README.md describes the format). Checks that need the platform
// follow once it is loaded (build.hpp).
#pragma once

#include <filesystem>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/loading/overrides.hpp"

namespace warpfront::machine {

/// Applies the overrides of a scenario. Throws BadInput if the file, or a base of it by `like`, cannot be read; adds
/// all other faults to `faults`.
HardwareFile read_hardware_file(const std::filesystem::path& path, const input::SourceRange& mentioned_at,
                                input::Diagnostics& faults, const HardwareOverrides& overrides = {});

}  // namespace warpfront::machine
