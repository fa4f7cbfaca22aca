// A hardware file: what a machine's messages cost, beside the SimGrid platform it names. The format is described in
// platforms/README.md. This reads and checks the file by itself; what needs the platform (are there layers for all of
// its cores?) is checked in machine.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/collectives.hpp"
#include "simulator/machine/loading/interconnect.hpp"
#include "simulator/machine/loading/overrides.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/machine/profile.hpp"

namespace warpfront::machine {

/// A value and where it stands; of a key left out, the place is its mapping's.
template <class Value>
struct Placed {
    Value value{};
    input::SourceRange range;
};

/// Where a row of a layer, and what it says of times per byte, stands.
struct RowPlaces {
    input::SourceRange row;
    input::SourceRange G_send;
    input::SourceRange G;
    input::SourceRange G_recv;
};

struct HardwareFile {
    std::vector<input::SourceFilePtr> sources;  // the file and those it is like
    std::string name;
    Placed<std::filesystem::path> platform;        // of the XML; empty where there is none, or a fault
    Placed<std::optional<Interconnect>> topology;  // in place of the XML
    std::vector<LinkOverride> link_overrides;      // of the XML
    Placed<bool> fit;                              // `size: fit`
    std::optional<std::uint32_t> cores;            // per host; none: as the platform says
    Placed<std::uint32_t> chips{1, {}};
    Placed<std::uint32_t> groups{1, {}};
    std::uint32_t links_in_L = 1;
    std::optional<Bus> bus;  // none where absent or switched off, as the next two
    std::optional<Nic> nic;
    input::SourceRange G_dma_range;
    input::SourceRange injection_range;
    input::SourceRange ejection_range;
    std::optional<Links> links;
    Collectives collectives;
    std::optional<EagerLimit> eager_limit;
    std::array<Profile, kLocalities> layers;    // empty where absent or at fault
    std::array<bool, kLocalities> described{};  // the layer is in the file, whatever its faults
    std::array<std::vector<RowPlaces>, kLocalities> row_places;
    input::SourceRange layers_range;
    std::vector<std::string> notes;  // what the user should know: a resource that no row holds
};

}  // namespace warpfront::machine
