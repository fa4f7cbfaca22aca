// Loads, checks and routes a platform with SimGrid. For use in a worker process, which may crash; one instance per
// process.
//
// It is part of the module `warpfront_simgrid` (simulator/simgrid/platform.cpp, process/module.hpp).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/loading/platform.hpp"
#include "simulator/machine/loading/xml_cluster.hpp"
#include "simulator/machine/loading/xml_elements.hpp"
#include "simulator/machine/routes/table.hpp"
#include "simulator/process/worker_process.hpp"

namespace warpfront::machine {

/// The input of SimGrid for an XML.
struct SimGridInput {
    std::filesystem::path file;             // the XML itself, or a small copy of it
    std::optional<SingleCluster> original;  // if `file` is a small copy of it
};

/// The number of each override that names no link, and a suggestion.
using UnknownLinks = std::vector<std::pair<std::size_t, std::string>>;

class SimGridLoader {
public:
    struct Loaded {
        Platform platform;
        UnknownLinks unknown;
    };

    virtual ~SimGridLoader() = default;

    /// Loads the platform; called once. Adds all errors to `faults`.
    virtual Loaded load(const std::vector<LinkOverride>& link_overrides, input::Diagnostics& faults) = 0;

    /// Returns the rates of the pairs that have a route. `activity` as for `route`.
    virtual std::vector<RouteRates> rates(const std::vector<HostPair>& pairs, process::Activity& activity) = 0;

    /// Finds routes. The platform must be loaded as a whole. `activity` names the current pair, the error to report
    /// after a crash.
    virtual TableRoutes route(const std::vector<HostPair>& pairs, process::Activity& activity,
                              input::Diagnostics& faults) = 0;
};

}  // namespace warpfront::machine

/// Makes a loader, which the caller owns.
extern "C" warpfront::machine::SimGridLoader* warpfront_simgrid_loader(const warpfront::machine::PlatformXml& xml,
                                                                       const warpfront::machine::SimGridInput& read);
