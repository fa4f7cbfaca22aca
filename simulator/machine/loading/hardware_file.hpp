// A hardware file as data, and its reader (hardware_reader.cpp). The file contains the costs of messages, and names a
// SimGrid platform or describes a topology as the network. platforms/README.md describes the format. The file is first
// read and checked without the platform. Checks that need the platform, such as the check for a profile of each
// locality, follow when it is loaded (build.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/loading/hardware_overrides.hpp"
#include "simulator/machine/loading/hardware_tree.hpp"
#include "simulator/machine/loading/interconnect.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/machine/profile.hpp"

namespace warpfront::machine {

/// A value and its range in the file. If the key is absent, the range is that of the mapping.
template <class Value>
struct Located {
    Value value{};
    SourceRange range;
};

/// The ranges of a profile row and of its times per byte.
struct RowPlaces {
    SourceRange row;
    SourceRange G_send;
    SourceRange G;
    SourceRange G_recv;
};

/// The entry `{like: smpi}` of a layer. It replaces the rows by the costs that SMPI charges.
struct LikeSmpi {
    SourceRange range;         // range of the word `smpi`
    bool holds_links = false;  // true if the file shares links
    Packet packet;             // packets as the key `links` describes them
};

/// The costs of messages between two ranks of one locality.
struct Layer {
    std::string name;
    Profile profile{};  // empty if absent or wrong; SMPI's costs are set when the platform is loaded
    std::optional<LikeSmpi> like{};
    bool described = false;  // true if the file describes the layer, even with errors
    std::vector<RowPlaces> row_places{};
    SourceRange G_unexpected_range{};
};

/// The number of instances of a resource of a host that its cores share: buses, NICs, message processors or memories.
struct NodeResource {
    std::string name;  // plural noun for messages to the user
    Located<std::uint32_t> count;
    bool is_used = false;
};

/// The servers of cluster memory, if the file names disks of the platform.
struct DiskServers {
    Located<std::string> name;
    bool counted = false;  // true if the file states the number of servers
};

inline constexpr std::int64_t kMostCores = 1 << 16;  // largest number of cores of a host

/// The values of a hardware file. A disabled device is empty. Disks as cluster memory take their values from the
/// platform.
struct HardwareFile : Devices {
    std::vector<SourceFilePtr> sources;  // the file, then its bases by `like`
    std::string name;
    Located<std::filesystem::path> platform;        // path of the XML; empty if there is none, or after an error
    Located<std::optional<Interconnect>> topology;  // replaces the XML
    std::vector<LinkOverride> link_overrides;       // overrides of the XML's links
    Located<bool> fit;                              // `size: fit`
    std::optional<std::uint32_t> cores;             // cores of a host; empty if the platform states them
    /// The parts of a node, innermost first, from the key `parts: {complex: 16, die: 8, socket: 2}`. Each number is per
    /// node, and a multiple of the next. `chips: N` is short for `parts: {chip: N}`. There is a layer for each kind of
    /// part, and after them the layers `node` and `network`.
    std::vector<Located<NodeParts>> parts;
    Located<std::uint32_t> groups{1, {}};  // default for the numbers of buses and NICs
    bool square_groups = false;            // `core_order: squares`
    std::uint32_t links_in_L = 1;
    std::uint32_t nics = 1;                    // NICs of a host, enabled or not
    std::vector<NodeResource> node_resources;  // resources that the file describes
    SourceRange G_dma_range;
    SourceRange injection_range;
    SourceRange ejection_range;
    std::optional<DiskServers> disk_servers;
    std::vector<Layer> layers;  // layers by locality: one for each of `parts`, one for the node, one for the network
    SourceRange layers_range;
    std::vector<std::string> notes;  // notes for the user, such as on a resource that no row uses

    /// Returns the cabling of NICs. With a SimGrid platform this is `shared`, since the platform itself describes the
    /// links of its hosts.
    NicCabling cabling() const { return topology.value ? topology.value->cabling : NicCabling::shared; }
};

/// Reads a hardware file after applying the overrides of a scenario. Adds its errors and those of the tree to `faults`.
/// The edge file of a graph is one of the files of the tree.
HardwareFile read_hardware_file(const HardwareTree& hardware, Diagnostics& faults,
                                const HardwareOverrides& overrides = {});

/// Checks that the numbers of parts, buses and NICs divide the number of cores of a host, and reports those that do
/// not. Returns false if a number of parts is wrong.
bool check_counts(const HardwareFile& file, std::uint32_t cores, Diagnostics& faults);

/// Returns the processor of a hardware file with overrides. Returns nothing if there is none or if it has an error,
/// which read_hardware_file reports.
std::optional<Processor> processor_of(const HardwareTree& hardware, const HardwareOverrides& overrides);

/// The calibration file that a hardware file names: terms fitted to measured runs on this machine. Scenarios use it by
/// default (simulator/scenario/calibration.hpp). Another hardware file that is based on this one by `like` describes
/// another machine, so it does not inherit the calibration.
struct CalibrationName {
    std::filesystem::path file;  // path of the calibration file, relative to the folder of the hardware file
    SourceRange range;
};

/// Returns the calibration; nothing if the file names none, or switches it `off`.
std::optional<CalibrationName> calibration_of(const HardwareTree& hardware);

}  // namespace warpfront::machine
