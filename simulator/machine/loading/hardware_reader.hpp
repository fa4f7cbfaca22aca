// Reads and checks a hardware file by itself (platforms/README.md has the format); what needs the platform is checked
// once it is loaded (build.hpp).
#pragma once

#include <filesystem>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/loading/overrides.hpp"

namespace warpfront::machine {

/// With the changes that a scenario makes. Throws BadInput if the file, or one that it is like, cannot be read;
/// everything wrong in it is added to `faults`.
HardwareFile read_hardware_file(const std::filesystem::path& path, const input::SourceRange& mentioned_at,
                                input::Diagnostics& faults, const HardwareOverrides& changes = {});

}  // namespace warpfront::machine
