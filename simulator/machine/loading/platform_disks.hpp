// Cluster memory on the disks of a platform: a hardware file names them, the SimGrid XML states their rates, and how
// many hosts have one. In SimGrid 3.32 only a `<host>` has disks. If two disks of a host have the same name, the last
// one counts.
#pragma once

#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/loading/platform.hpp"

namespace warpfront::machine {

/// Completes the servers of cluster memory from the platform: the rates and the number of the disks that the file
/// names, unless it states them itself. `xml` has described the disks; null if the network is a topology, which has
/// none. Adds unknown_disk, and bad_disk for rates that differ, or below a byte per second.
void use_disks(const std::vector<PlatformDisk>& disks, const input::SourceFilePtr& xml, HardwareFile& file,
               input::Diagnostics& faults);

/// Returns notes on the disks that the machine does not use.
std::vector<std::string> unused_disks(const std::vector<PlatformDisk>& disks, const input::SourceFilePtr& xml,
                                      const HardwareFile& file);

}  // namespace warpfront::machine
