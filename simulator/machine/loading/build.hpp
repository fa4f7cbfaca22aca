// Builds a machine from a hardware file and a request, in this order: reads the file, loads its platform, grows it if
// the file permits, places the ranks, finds the routes between their hosts. SimGrid parses and checks platforms
// (platforms/README.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/loading/request.hpp"
#include "simulator/machine/machine.hpp"

namespace warpfront::machine {

struct BuiltMachine {
    Machine machine;
    /// The hardware file, its bases by `like`, the SimGrid XML or the edge file, the rank file: for `context.inputs`.
    std::vector<input::SourceFilePtr> sources;
};

/// Reads, checks and builds. Throws BadInput with every error: of the YAML, of the XML (with SimGrid's own line) or the
/// topology, of a rank file; ranks or patches that do not fit, used hosts without a route, messages that cost more than
/// virtual time can represent.
BuiltMachine build(const MachineRequest& request);

/// Reads and checks a hardware file and its XML or topology without a scenario (`warpfront check platforms/xt4.yaml`).
/// Returns notes for the user, also on parts without effect (hardware_lints.hpp).
std::vector<std::string> check(const std::filesystem::path& hardware_file);

/// Returns the end of the chain of hardware files that `like` forms, or the file itself if it has no `like` or cannot
/// be read; a canonical path. Machines of one origin have the same processors.
std::filesystem::path origin_of(const std::filesystem::path& hardware_file);

/// Builds the machine at its original size, without ranks. If the routes of its platform are stored, it has those
/// between all hosts, but none if there are more than `kMostHostsPaired` hosts.
Machine build_without_ranks(const std::filesystem::path& hardware_file);

}  // namespace warpfront::machine
