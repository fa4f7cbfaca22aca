#include "simulator/machine/loading/hardware_resources.hpp"

#include <string_view>

#include <fmt/format.h>

namespace warpfront::machine {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::MappingReader;
using input::YamlNode;

constexpr std::int64_t kMostParallelLinks = 1 << 10;
constexpr std::int64_t kMostPairs = 1 << 30;

const std::vector<std::string> kChoices{"deterministic", "adaptive", "round_robin"};

Resource begin_resource(MappingReader& reader, const input::SourceRange& range) {
    return {true, reader.flag("enabled").value_or(true), range};
}

Gap required_gap(MappingReader& reader, std::string_view key) {
    return reader.require(key) != nullptr ? reader.gap(key).value_or(Gap{}) : Gap{};
}

Time required_time(MappingReader& reader, std::string_view key) {
    return reader.require(key) != nullptr ? reader.time(key).value_or(Time{}) : Time{};
}

std::uint32_t read_count(MappingReader& reader, const HardwareFile& file) {
    return static_cast<std::uint32_t>(reader.integer("count", 1, kMostCores).value_or(file.groups.value));
}

Resource read_bus(const YamlNode* node, HardwareFile& file, Diagnostics& faults) {
    if (node == nullptr) return {};
    MappingReader reader(*node, "`bus`", faults);
    const Resource state = begin_resource(reader, node->range);
    Bus bus;
    bus.o_dma = required_time(reader, "o_dma");
    bus.G_dma = required_gap(reader, "G_dma");
    bus.count = read_count(reader, file);
    file.bus_count_range = reader.range_of("count");
    file.G_dma_range = reader.range_of("G_dma");
    reader.finish();
    if (state.enabled) file.bus = bus;
    return state;
}

Resource read_nic(const YamlNode* node, HardwareFile& file, Diagnostics& faults) {
    if (node == nullptr) return {};
    MappingReader reader(*node, "`nic`", faults);
    const Resource state = begin_resource(reader, node->range);
    Nic nic;
    nic.injection = required_gap(reader, "injection");
    nic.ejection = required_gap(reader, "ejection");
    nic.count = read_count(reader, file);
    file.nic_count_range = reader.range_of("count");
    file.injection_range = reader.range_of("injection");
    file.ejection_range = reader.range_of("ejection");
    reader.finish();
    if (state.enabled) file.nic = nic;
    file.nics = nic.count;
    return state;
}

Bandwidth required_bandwidth(MappingReader& reader, std::string_view key, Diagnostics& faults) {
    if (reader.require(key) == nullptr) return {1.0};
    const std::optional<Bandwidth> bandwidth = reader.bandwidth(key);
    if (!bandwidth || bandwidth->bytes_per_second >= 1.0) return bandwidth.value_or(Bandwidth{1.0});
    faults.add(DiagnosticKind::out_of_range, reader.range_of(key), fmt::format("`{}` below a byte per second", key),
               "expected a bandwidth such as `25.6GBps`");
    return {1.0};
}

void read_memory(const YamlNode* node, HardwareFile& file, Diagnostics& faults) {
    if (node == nullptr) return;
    MappingReader reader(*node, "`memory`", faults);
    const Resource state = begin_resource(reader, node->range);
    Memory memory;
    memory.bandwidth = required_bandwidth(reader, "bandwidth", faults);
    memory.per_core = required_bandwidth(reader, "per_core", faults);
    memory.count = read_count(reader, file);
    file.memory_count_range = reader.range_of("count");
    reader.finish();
    if (state.enabled) file.memory = memory;
}

/// Nothing if absent; nothing and a fault for 0 B.
std::optional<Bytes> positive_bytes(MappingReader& reader, std::string_view key, std::string_view what,
                                    Diagnostics& faults) {
    const std::optional<Bytes> size = reader.bytes(key);
    if (size != Bytes{0}) return size;
    faults.add(DiagnosticKind::out_of_range, reader.range_of(key), fmt::format("{} of 0 B", what),
               "expected at least 1 B");
    return std::nullopt;
}

void read_buffers(const YamlNode* node, Packet& packet, Diagnostics& faults) {
    if (node == nullptr) return;
    MappingReader reader(*node, "`buffers`", faults);
    reader.require("size");
    packet.buffers = positive_bytes(reader, "size", "buffers", faults);
    packet.full = required_time(reader, "overhead");
    reader.finish();
}

std::optional<Arbitration> read_arbitration(const YamlNode* node, Diagnostics& faults) {
    if (node == nullptr) return std::nullopt;
    MappingReader reader(*node, "`arbitration`", faults);
    Arbitration arbitration;
    reader.require("pairs");
    arbitration.pairs = static_cast<std::uint32_t>(reader.integer("pairs", 0, kMostPairs).value_or(0));
    arbitration.overhead = required_time(reader, "overhead");
    reader.finish();
    return arbitration;
}

Packet read_packet(MappingReader& reader, Diagnostics& faults) {
    Packet packet;
    packet.size = positive_bytes(reader, "packet", "a packet", faults);
    packet.overhead = reader.time("overhead").value_or(Time{});
    read_buffers(reader.take("buffers"), packet, faults);
    if (packet.buffers && !reader.has("packet")) {
        faults.add(DiagnosticKind::missing_key, reader.range_of("buffers"), "`links` has `buffers` and no `packet`",
                   "expected the size of the packets that find them full");
    }
    return packet;
}

Resource read_links(const YamlNode* node, HardwareFile& file, Packet& packet, Diagnostics& faults) {
    if (node == nullptr) return {};
    MappingReader reader(*node, "`links`", faults);
    const Resource state = begin_resource(reader, node->range);
    packet = read_packet(reader, faults);
    Links links;
    links.parallel = static_cast<std::uint32_t>(reader.integer("parallel", 1, kMostParallelLinks).value_or(1));
    links.choice = static_cast<LinkChoice>(reader.choice("choice", kChoices).value_or(0));
    links.arbitration = read_arbitration(reader.take("arbitration"), faults);
    reader.finish();
    if (state.enabled) file.links = links;
    return state;
}

}  // namespace

Resources read_resources(MappingReader& reader, HardwareFile& file, Diagnostics& faults) {
    Resources resources;
    resources.each = {read_bus(reader.take("bus"), file, faults), read_nic(reader.take("nic"), file, faults),
                      read_links(reader.take("links"), file, resources.packet, faults)};
    read_memory(reader.take("memory"), file, faults);
    return resources;
}

}  // namespace warpfront::machine
