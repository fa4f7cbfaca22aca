// A hardware file as data: what the messages of a machine cost, beside the SimGrid platform or the topology that is its
// network. platforms/README.md describes the format; hardware_reader.hpp reads and checks the file alone. Checks that
// need the platform (does each locality of its cores have a profile?) are in build.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "simulator/collectives/algorithms.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/loading/interconnect.hpp"
#include "simulator/machine/loading/overrides.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/machine/processor.hpp"
#include "simulator/machine/profile.hpp"

namespace warpfront::machine {

/// A value and its range in the file; if its key is absent, the range of the mapping.
template <class Value>
struct Located {
    Value value{};
    input::SourceRange range;
};

/// The ranges of a profile row and of its times per byte.
struct RowPlaces {
    input::SourceRange row;
    input::SourceRange G_send;
    input::SourceRange G;
    input::SourceRange G_recv;
};

/// The profile of a locality.
struct Layer {
    std::string name;
    Profile profile{};       // empty if absent or at fault
    bool described = false;  // whether the file has it, whatever its faults
    std::vector<RowPlaces> row_places{};
};

inline constexpr std::int64_t kMostCores = 1 << 16;  // of a host

struct HardwareFile {
    std::vector<input::SourceFilePtr> sources;  // the file, then its bases by `like`
    std::string name;
    Located<std::filesystem::path> platform;        // of the XML; empty if there is none, or a fault
    Located<std::optional<Interconnect>> topology;  // in place of the XML
    std::vector<LinkOverride> link_overrides;       // of the XML
    Located<bool> fit;                              // `size: fit`
    std::optional<std::uint32_t> cores;             // per host; none: as the platform says
    std::vector<Located<NodeParts>> parts;          // innermost first; each number a multiple of the next
    Located<std::uint32_t> groups{1, {}};           // default of the numbers of buses and NICs
    std::uint32_t links_in_L = 1;
    std::optional<Bus> bus;  // none if absent or disabled, as the next two
    std::optional<Nic> nic;
    std::uint32_t nics = 1;  // per host, enabled or not
    std::optional<Memory> memory;
    input::SourceRange bus_count_range;
    input::SourceRange nic_count_range;
    input::SourceRange memory_count_range;
    input::SourceRange G_dma_range;
    input::SourceRange injection_range;
    input::SourceRange ejection_range;
    std::optional<Links> links;
    std::optional<Processor> processor;
    collectives::Algorithms collectives;
    std::vector<Layer> layers;  // by locality: of each of `parts`, the node, the network
    input::SourceRange layers_range;
    std::vector<std::string> notes;  // for the user: a resource that no row holds

    /// A SimGrid platform states the links of its hosts itself.
    NicCabling cabling() const { return topology.value ? topology.value->cabling : NicCabling::shared; }
};

}  // namespace warpfront::machine
