// The key `processor` of a hardware file: {name: AMD Opteron 2.6 GHz, speed: 350Mflops}. `speed` is required, `name` is
// text for messages.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/overrides.hpp"
#include "simulator/machine/processor.hpp"

namespace warpfront::machine {

/// Nothing if `node` is nullptr or its speed is at fault.
std::optional<Processor> read_processor(const input::YamlNode* node, input::Diagnostics& faults);

/// The processor that a hardware file with overrides describes; nothing if there is none, or a fault, which
/// read_hardware_file reports.
struct DescribedProcessor {
    std::optional<Processor> processor;
    std::vector<input::SourceFilePtr> sources;  // the hardware file and its bases
};
DescribedProcessor processor_of(const std::filesystem::path& hardware_file, const HardwareOverrides& overrides);

}  // namespace warpfront::machine
