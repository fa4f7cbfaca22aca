// Builds a machine from a hardware file in two steps. The first step reads the hardware file and applies the overrides
// of a scenario. The second step places ranks: it loads the platform, lets it grow if the file permits, and finds the
// routes between the hosts in use. All machines of the hardware share one loaded platform. SimGrid parses and checks
// platforms (platforms/README.md).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/loading/hardware_overrides.hpp"
#include "simulator/machine/loading/hardware_tree.hpp"
#include "simulator/machine/loading/platform_loader.hpp"
#include "simulator/machine/loading/request.hpp"
#include "simulator/machine/machine.hpp"

namespace warpfront::machine {

/// A hardware file with overrides. Its network is loaded when the first machine is placed on it.
struct Hardware {
    explicit Hardware(const HardwareTree& tree, const HardwareOverrides& overrides = {});

    std::shared_ptr<input::FilesReadOnce> files;
    Diagnostics faults;  // errors of the file, then of its network
    HardwareFile file;
    SourceRange network;                   // range of the key `platform` or `topology`
    std::vector<SourceFilePtr> sources;    // files of the network
    std::optional<PlatformLoader> loader;  // loader of the platform; empty for a topology
    std::optional<Platform> platform;      // the loaded network; empty before loading and after errors

    /// Returns the XML of the platform; null for a topology.
    SourceFilePtr xml() const { return loader ? sources.back() : nullptr; }
};

struct BuiltMachine {
    Machine machine;
    /// The files that `context.inputs` lists: the hardware file, its bases by `like`, the SimGrid XML or the edge file,
    /// and the rank file.
    std::vector<SourceFilePtr> sources;
};

/// Places ranks on the hardware. Throws BadInput with all errors:
///   - errors of the YAML, the XML (with SimGrid's line), the topology, and the rank file
///   - ranks or patches that do not fit
///   - hosts in use without a route
///   - messages that cost more than virtual time can represent
BuiltMachine place(Hardware& hardware, const RankRequest& request);

/// Reads and checks a hardware file and its network without a scenario (`warpfront check platforms/xt4.yaml`). Returns
/// notes for the user, including those on keys without effect (steps.hpp).
std::vector<std::string> check(const std::filesystem::path& hardware_file);

/// Builds the machine at its original size, without ranks. If the platform has stored routes and at most
/// `kMostHostsPaired` hosts, the machine contains the routes between all hosts. Otherwise it contains none of them.
Machine build_without_ranks(const std::filesystem::path& hardware_file);

}  // namespace warpfront::machine
