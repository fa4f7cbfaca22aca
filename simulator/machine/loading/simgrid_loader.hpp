// Loads, checks and routes a platform with SimGrid. For a worker process, which may crash; one instance per process.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/loading/platform.hpp"
#include "simulator/machine/loading/simgrid_links.hpp"
#include "simulator/machine/loading/xml_cluster.hpp"
#include "simulator/machine/routes/table.hpp"
#include "simulator/process/worker_process.hpp"

namespace warpfront::machine {

/// The input of SimGrid for an XML.
struct SimGridInput {
    std::filesystem::path file;             // the XML itself, or a small copy of it
    std::optional<SingleCluster> original;  // if `file` is a small copy of it
};

class SimGridLoader {
public:
    struct Loaded {
        Platform platform;
        UnknownLinks unknown;
    };

    SimGridLoader(const input::SourceFilePtr& xml, const SimGridInput& read);
    ~SimGridLoader();

    /// Called once. Adds all faults to `faults`.
    Loaded load(const std::vector<LinkOverride>& link_overrides, input::Diagnostics& faults);

    /// The platform must be loaded as a whole. `activity` names the current pair, the fault to report after a crash.
    TableRoutes route(const std::vector<HostPair>& pairs, process::Activity& activity, input::Diagnostics& faults);

private:
    struct SimGrid;
    input::SourceFilePtr xml_;
    SimGridInput read_;
    std::unique_ptr<SimGrid> simgrid_;
};

}  // namespace warpfront::machine
