// The part of a hardware file that describes shared resources: `bus`, `nic`, `links`, and `memory`,
// which no message holds.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/hardware_file.hpp"

namespace warpfront::machine {

inline const std::vector<std::string> kResourceNames{"bus", "nic", "links"};

/// An entry of the file for one of kResourceNames.
struct Resource {
    bool described = false;
    bool enabled = true;
    input::SourceRange range{};
};
struct Resources {
    std::array<Resource, 3> each;
    Packet packet;  // of the rows that hold links, enabled or not
};

/// Takes the three keys, and `memory`, from `reader`; stores the enabled resources in `file`, whose groups are known.
Resources read_resources(input::MappingReader& reader, HardwareFile& file, input::Diagnostics& faults);

}  // namespace warpfront::machine
