// Loads a SimGrid platform and finds routes on it. SimGrid reads, checks and routes the XML in a worker process
// (process/worker_process.hpp), so a crash of SimGrid only causes a diagnostic. The worker process lives as long as the
// loader. If the platform is a single regular cluster of more than `kMostHostsBuilt` hosts, SimGrid reads a small copy
// (xml_cluster.hpp), and the rules in machine/routes determine the routes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
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

/// The largest platform that SimGrid builds completely. It builds a fat tree of this size in a tenth of a second.
inline constexpr std::uint64_t kMostHostsBuilt = 4096;

/// Options of loading, for tests. `most_built` does not change the result.
struct LoadingOptions {
    std::vector<LinkOverride> link_overrides{};
    process::Limits limits{};
    std::uint64_t most_built = kMostHostsBuilt;
    std::string module = "warpfront_simgrid";
};

class PlatformLoader {
public:
    explicit PlatformLoader(SourceFilePtr xml, LoadingOptions options = {});
    PlatformLoader(PlatformLoader&&) noexcept;
    PlatformLoader& operator=(PlatformLoader&&) noexcept;
    ~PlatformLoader();

    /// Loads the platform. Must be called once, before the other functions. Returns nothing after an error.
    /// Diagnostics: platform_error with SimGrid's line, platform_limits, no_hosts, bad_link, bad_xml_number,
    /// cost_too_large, missing_module, and unknown_link for an override whose link does not exist.
    std::optional<Platform> load(Diagnostics& faults);

    /// Returns SimGrid's routes between pairs of hosts. The platform must be irregular and loaded. Returns nothing
    /// after an error. Diagnostics: no_route, cost_too_large, platform_limits.
    std::optional<TableRoutes> route(const std::vector<HostPair>& pairs, Diagnostics& faults);

    /// Returns the rates of those pairs of hosts that have a route. A single cluster may be loaded as a small copy, so
    /// its only valid pair is hosts 0 and 1. Loads the platform if necessary. Returns nothing after an error, with the
    /// diagnostics of `load` and `route`.
    std::optional<std::vector<RouteRates>> rates(const std::vector<HostPair>& pairs, Diagnostics& faults);

private:
    struct Worker;
    std::unique_ptr<Worker> worker_;
};

/// Returns the result of `loader.load(faults)`, or the platform that an earlier call has loaded from the same text.
/// `loader` must have been made for `xml` and `link_overrides`.
std::optional<Platform> load_once(PlatformLoader& loader, const SourceFilePtr& xml,
                                  const std::vector<LinkOverride>& link_overrides, Diagnostics& faults);

// Loads, checks and routes a platform with SimGrid. It is used in a worker process, since SimGrid may crash. A process
// may have only one instance.
//
// This class is part of the module `warpfront_simgrid` (simulator/simgrid/platform.cpp, process/module.hpp).

/// The file that SimGrid reads for a platform's XML.
struct SimGridInput {
    std::filesystem::path file;             // the XML itself, or a small copy of it
    std::optional<SingleCluster> original;  // the original cluster if `file` is a small copy of it
};

/// The indices of the overrides that name no link, each with a suggestion.
using UnknownLinks = std::vector<std::pair<std::size_t, std::string>>;

class SimGridLoader {
public:
    struct Loaded {
        Platform platform;
        UnknownLinks unknown;
    };

    virtual ~SimGridLoader() = default;

    /// Loads the platform. Must be called once. Adds all errors to `faults`.
    virtual Loaded load(const std::vector<LinkOverride>& link_overrides, Diagnostics& faults) = 0;

    /// Returns the rates of those pairs that have a route. `activity` has the same purpose as in `route`.
    virtual std::vector<RouteRates> rates(const std::vector<HostPair>& pairs, process::Activity& activity) = 0;

    /// Finds routes. The platform must be loaded completely, not as a small copy. `activity` receives the current pair,
    /// which is reported after a crash.
    virtual TableRoutes route(const std::vector<HostPair>& pairs, process::Activity& activity, Diagnostics& faults) = 0;
};

}  // namespace warpfront::machine

/// Makes a loader. The caller owns it.
extern "C" warpfront::machine::SimGridLoader* warpfront_simgrid_loader(const warpfront::machine::PlatformXml& xml,
                                                                       const warpfront::machine::SimGridInput& read);
