// Notes on what a hardware file describes without effect on any message, whatever the scenario; `warpfront check` prints
// them (tools/README.md lists them). Keys that come from a base by `like` are not examined: a base serves several
// machines. Resources that no row holds are noted with every result and so by hardware_reader.hpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/machine/loading/overrides.hpp"

namespace warpfront::machine {

/// "FILE:LINE:COLUMN: ...", by subject. `cores`: of a host; the file has no faults.
std::vector<std::string> lints(const std::filesystem::path& hardware_file, std::uint32_t cores);

/// The same for the overrides of a scenario: notes on keys of `source`, its file.
std::vector<std::string> lints_of_overrides(const std::filesystem::path& hardware_file,
                                            const HardwareOverrides& overrides, std::uint32_t cores,
                                            const input::SourceFilePtr& source);

}  // namespace warpfront::machine
