// A platform in SimGrid: loaded, checked, routed. For a worker process, which may crash; one per process.
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

/// What SimGrid is to read for an XML.
struct SimGridInput {
    std::filesystem::path file;             // the XML itself, or a small copy of it
    std::optional<SingleCluster> original;  // of which it is a small copy
};

class SimGridLoader {
public:
    struct Loaded {
        Platform platform;
        UnknownLinks unknown;
    };

    SimGridLoader(const input::SourceFilePtr& xml, const SimGridInput& read);
    ~SimGridLoader();

    /// Called once. What is wrong is added to `faults`.
    Loaded load(const std::vector<LinkOverride>& changes, input::Diagnostics& faults);

    /// Of a platform loaded whole. `activity` says between which hosts, as the fault that a crash means.
    TableRoutes route(const std::vector<HostPair>& pairs, process::Activity& activity, input::Diagnostics& faults);

private:
    struct SimGrid;
    input::SourceFilePtr xml_;
    SimGridInput read_;
    std::unique_ptr<SimGrid> simgrid_;
};

}  // namespace warpfront::machine
