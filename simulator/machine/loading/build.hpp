// From a hardware file and a request to a machine: the file is read, its platform loaded, the ranks are placed, and the
// routes between their hosts are found. SimGrid itself parses and checks platforms (platforms/README.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/loading/request.hpp"
#include "simulator/machine/machine.hpp"

namespace warpfront::machine {

struct Built {
    Machine machine;
    /// The hardware file, those it is like, the SimGrid XML or the file of edges, the rank file: for `context.inputs`.
    std::vector<input::SourceFilePtr> sources;
};

/// Reads, checks and builds; throws BadInput with every fault found: of the YAML, of the XML (with SimGrid's own line)
/// or the topology, of a rank file, ranks or patches that do not fit, hosts in use without a route, messages that take
/// longer than virtual time can hold.
Built build(const Request& request);

/// Reads and checks a hardware file and its XML or topology without a scenario (`warpfront check platforms/xt4.yaml`).
/// Returns what the user should know of it.
std::vector<std::string> check(const std::filesystem::path& hardware_file);

/// The last of the hardware files that this one is `like`, itself where it is like none or cannot be read, as a path
/// without detours. Machines of one origin have the same processors.
std::filesystem::path origin_of(const std::filesystem::path& hardware_file);

/// The machine as shipped, with no ranks on it. Of a platform whose routes are stored it has those of every two hosts,
/// if there are at most `kMostHostsPaired`, and none otherwise.
inline constexpr std::uint32_t kMostHostsPaired = 256;
Machine as_shipped(const std::filesystem::path& hardware_file);

}  // namespace warpfront::machine
