#include "simulator/machine/loading/hardware_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/hardware_layers.hpp"
#include "simulator/machine/loading/hardware_overrides.hpp"
#include "simulator/machine/loading/hardware_tree.hpp"

namespace warpfront::machine {

namespace {

constexpr std::int64_t kMostLinksCovered = 1 << 16;

const std::vector<std::string> kSizes{"fit", "exact"};
const std::vector<std::string> kCoreOrders{"rows", "squares"};

// --- the network: a platform or a topology ---------------------------------------------------------------------------

/// Reports a topology that becomes too large with the cables of all its NICs.
void check_cables(const HardwareFile& file, Diagnostics& faults) {
    if (!file.topology.value) return;
    const Zone& zone = file.topology.value->zone;
    const double links = links_of(zone, cabling_of(zone, file.cabling(), file.nics));
    if (links <= kMostLinks) return;
    faults.add(
        DiagnosticKind::platform_limits, file.topology.range,
        fmt::format("with the cables of {} NICs per node, the network would have about {:.2g} links", file.nics, links),
        fmt::format("expected at most {:.2g} links", kMostLinks));
}

/// Applies the overrides of links to the topology. Its links are named after its kind.
void override_topology_links(const std::vector<LinkOverride>& overrides, YamlNode& topology, Diagnostics& faults) {
    const YamlNode* kind = topology.find("kind");
    const std::vector<std::string> names{kind != nullptr ? kind->scalar : "", "all"};
    for (const LinkOverride& each : overrides) {
        if (std::ranges::find(names, each.name) == names.end()) {
            faults.add(DiagnosticKind::unknown_link, each.range, fmt::format("no link is called `{}`", each.name),
                       input::suggestion(each.name, names));
            continue;
        }
        apply_overrides(each.as_written, topology, faults);
    }
}

/// Reads the platform or the topology. A file must have exactly one of them.
void read_network(HardwareTree& tree, MappingReader& reader, const HardwareOverrides& overrides, HardwareFile& file,
                  Diagnostics& faults) {
    const auto find = [&](const std::string& name, const SourceRange& range) {
        const bool own = std::ranges::find(file.sources, range.source) != file.sources.end();
        return (own ? input::folder_of(range.source->name()) : overrides.folder) / name;
    };
    const ReadNamedFile read = [&](const std::string& name, const SourceRange& range) {
        return tree.files->read(find(name, range), range);
    };
    if (!reader.has("topology")) {
        reader.require("platform");
        file.platform.range = reader.range_of("platform");
        if (const auto xml = reader.text("platform")) file.platform.value = find(*xml, file.platform.range);
        return;
    }
    if (reader.has("platform")) {
        faults.add(DiagnosticKind::conflicting_keys, reader.range_of("topology"),
                   "both `topology` and `platform` are given", "expected only one of the two");
        reader.take("platform");
    }
    reader.require("cores");
    YamlNode& node = *tree.root.find("topology");
    override_topology_links(file.link_overrides, node, faults);
    file.topology = {read_interconnect(*reader.take("topology"), file.link_overrides, read, faults), node.range};
}

// --- the parts of a node ---------------------------------------------------------------------------------------------

constexpr std::size_t kMostKinds = 16;

bool is_layer_name(std::string_view name) {
    const auto word = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    return !name.empty() && std::ranges::all_of(name, word) && name != "node" && name != "network";
}

Located<NodeParts> read_kind(const YamlNode::Entry& entry, Diagnostics& faults) {
    if (!is_layer_name(entry.key)) {
        faults.add(DiagnosticKind::bad_parts, entry.key_range, fmt::format("parts cannot be called `{}`", entry.key),
                   "expected a word of lower-case letters other than `node` and `network`, such as `socket`");
    }
    const std::int64_t count = input::parse_integer(entry.value.scalar, entry.value.range, 1, kMostCores, faults);
    return {{entry.key, static_cast<std::uint32_t>(count)}, entry.value.range};
}

void check_nesting(const std::vector<Located<NodeParts>>& parts, Diagnostics& faults) {
    for (std::size_t k = 0; k + 1 < parts.size(); ++k) {
        const NodeParts& inner = parts[k].value;
        const NodeParts& outer = parts[k + 1].value;
        if (inner.count % outer.count == 0) continue;
        faults.add(DiagnosticKind::bad_parts, parts[k].range,
                   fmt::format("{} parts `{}` of a node cannot be divided evenly among its {} parts `{}`", inner.count,
                               inner.name, outer.count, outer.name),
                   "expected the innermost kind of parts first, and each number a multiple of the next");
    }
}

/// Checks that a number divides the cores. Otherwise adds an error and returns false.
bool divides(const Located<std::uint32_t>& parts, std::uint32_t cores, DiagnosticKind kind, std::string_view what,
             Diagnostics& faults) {
    if (cores % parts.value == 0) return true;
    faults.add(kind, parts.range,
               fmt::format("{} cores cannot be divided evenly among {} {}", cores, parts.value, what),
               "expected a divisor of the cores of a host");
    return false;
}

/// Takes `parts` or `chips` from `reader`. Reports a file with both keys, a name that a layer cannot have, a count that
/// is not a multiple of the next, and too many kinds.
std::vector<Located<NodeParts>> read_parts(MappingReader& reader, Diagnostics& faults) {
    const auto chips = static_cast<std::uint32_t>(reader.integer("chips", 1, kMostCores).value_or(1));
    std::vector<Located<NodeParts>> parts{{{"chip", chips}, reader.range_of("chips")}};
    const YamlNode* node = reader.take("parts");
    if (node == nullptr) return parts;
    if (reader.has("chips")) {
        faults.add(DiagnosticKind::conflicting_keys, reader.range_of("chips"), "both `chips` and `parts` are given",
                   "expected only one of the two: `chips: 2` is `parts: {chip: 2}`");
    }
    if (node->kind != YamlNode::Kind::mapping || node->entries.empty() || node->entries.size() > kMostKinds) {
        faults.add(DiagnosticKind::wrong_yaml_type, node->range, "`parts` is not a mapping of kinds to numbers",
                   fmt::format("expected 1 to {} kinds, such as `{{die: 8, socket: 2}}`", kMostKinds));
        return parts;
    }
    parts.clear();
    for (const YamlNode::Entry& entry : node->entries) parts.push_back(read_kind(entry, faults));
    check_nesting(parts, faults);
    return parts;
}

/// Returns the names of the layers in the order of localities.
std::vector<std::string> layer_names(const std::vector<Located<NodeParts>>& parts) {
    std::vector<std::string> names;
    for (const Located<NodeParts>& kind : parts) names.push_back(kind.value.name);
    names.insert(names.end(), {"node", "network"});
    return names;
}

// --- shared resources: `bus`, `nic`, `links`, and `memory`, which messages do not use --------------------------------

constexpr std::int64_t kMostParallelLinks = 1 << 10;
constexpr std::int64_t kMostPairs = 1 << 30;

const std::vector<std::string> kChoices{"deterministic", "adaptive", "round_robin"};

Gap required_gap(MappingReader& reader, std::string_view key) {
    return reader.require(key) != nullptr ? reader.gap(key).value_or(Gap{}) : Gap{};
}

Time required_time(MappingReader& reader, std::string_view key) {
    return reader.require(key) != nullptr ? reader.time(key).value_or(Time{}) : Time{};
}

/// Reads the mapping of a resource. `read` receives its reader, and whether it is enabled.
template <class Read>
Resource read_resource(MappingReader& keys, std::string_view name, Diagnostics& faults, Read read) {
    const YamlNode* const node = keys.take(name);
    if (node == nullptr) return {};
    MappingReader reader(*node, fmt::format("`{}`", name), faults);
    const bool enabled = reader.flag("enabled").value_or(true);
    read(reader, enabled);
    reader.finish();
    return {true, enabled, node->range};
}

/// Reads how many instances of a resource a host has, and adds it to `file`.
std::uint32_t read_count(MappingReader& reader, std::string name, bool is_used, HardwareFile& file) {
    const auto count = static_cast<std::uint32_t>(reader.integer("count", 1, kMostCores).value_or(file.groups.value));
    file.node_resources.push_back({std::move(name), {count, reader.range_of("count")}, is_used});
    return count;
}

Resource read_bus(MappingReader& keys, HardwareFile& file, Diagnostics& faults) {
    return read_resource(keys, "bus", faults, [&](MappingReader& reader, bool enabled) {
        Bus bus;
        bus.o_dma = required_time(reader, "o_dma");
        bus.G_dma = required_gap(reader, "G_dma");
        bus.count = read_count(reader, "buses", enabled, file);
        file.G_dma_range = reader.range_of("G_dma");
        if (enabled) file.bus = bus;
    });
}

Resource read_processing(MappingReader& keys, HardwareFile& file, Diagnostics& faults) {
    return read_resource(keys, "message_processing", faults, [&](MappingReader& reader, bool enabled) {
        const MessageProcessing processing{read_count(reader, "message processors", enabled, file)};
        if (enabled) file.processing = processing;
    });
}

Resource read_nic(MappingReader& keys, HardwareFile& file, Diagnostics& faults) {
    return read_resource(keys, "nic", faults, [&](MappingReader& reader, bool enabled) {
        Nic nic;
        nic.injection = required_gap(reader, "injection");
        nic.ejection = required_gap(reader, "ejection");
        nic.g = reader.time("g").value_or(Time{});
        nic.count = read_count(reader, "NICs", enabled || file.topology.value.has_value(), file);
        file.injection_range = reader.range_of("injection");
        file.ejection_range = reader.range_of("ejection");
        if (enabled) file.nic = nic;
        file.nics = nic.count;
        file.nic_wires = {nic.injection, nic.ejection};
    });
}

Bandwidth required_bandwidth(MappingReader& reader, std::string_view key, Diagnostics& faults) {
    if (reader.require(key) == nullptr) return {1.0};
    const std::optional<Bandwidth> bandwidth = reader.bandwidth(key);
    if (!bandwidth || bandwidth->bytes_per_second >= 1.0) return bandwidth.value_or(Bandwidth{1.0});
    faults.add(DiagnosticKind::out_of_range, reader.range_of(key), fmt::format("`{}` is below a byte per second", key),
               "expected a bandwidth such as `25.6GBps`");
    return {1.0};
}

void read_memory(MappingReader& keys, HardwareFile& file, Diagnostics& faults) {
    read_resource(keys, "memory", faults, [&](MappingReader& reader, bool enabled) {
        Memory memory;
        memory.bandwidth = required_bandwidth(reader, "bandwidth", faults);
        memory.per_core = required_bandwidth(reader, "per_core", faults);
        memory.count = read_count(reader, "memories", enabled, file);
        if (enabled) file.memory = memory;
    });
}

/// Reads a number of bytes. Returns nothing if the key is absent. 0 B is an error.
std::optional<Bytes> positive_bytes(MappingReader& reader, std::string_view key, std::string_view what,
                                    Diagnostics& faults) {
    const std::optional<Bytes> size = reader.bytes(key);
    if (size != Bytes{0}) return size;
    faults.add(DiagnosticKind::out_of_range, reader.range_of(key), fmt::format("{} cannot have 0 B", what),
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
        faults.add(DiagnosticKind::missing_key, reader.range_of("buffers"), "`links` has `buffers` but no `packet`",
                   "expected `packet`, since buffers delay packets: the key states their size");
    }
    return packet;
}

Resource read_links(MappingReader& keys, HardwareFile& file, Packet& packet, Diagnostics& faults) {
    return read_resource(keys, "links", faults, [&](MappingReader& reader, bool enabled) {
        packet = read_packet(reader, faults);
        Links links;
        links.parallel = static_cast<std::uint32_t>(reader.integer("parallel", 1, kMostParallelLinks).value_or(1));
        links.choice = static_cast<LinkChoice>(reader.choice("choice", kChoices).value_or(0));
        links.arbitration = read_arbitration(reader.take("arbitration"), faults);
        if (enabled) file.links = links;
    });
}

/// Reads `bus`, `nic`, `links` and `memory`, and stores the enabled ones in `file`. The groups of `file` must be known.
Resources read_resources(MappingReader& reader, HardwareFile& file, Diagnostics& faults) {
    Resources resources;
    resources.each = {read_bus(reader, file, faults), read_nic(reader, file, faults),
                      read_links(reader, file, resources.packet, faults)};
    resources.processing = read_processing(reader, file, faults);
    read_memory(reader, file, faults);
    return resources;
}

// --- cluster memory, which task lists use ----------------------------------------------------------------------------

constexpr std::int64_t kMostServers = 1 << 20;
constexpr std::int64_t kMostBuffers = 1 << 20;

/// Reads a bandwidth of at least one byte per second. Returns nothing if the key is absent.
std::optional<Bandwidth> optional_bandwidth(MappingReader& reader, std::string_view key, Diagnostics& faults) {
    if (reader.take(key) == nullptr) return std::nullopt;
    return required_bandwidth(reader, key, faults);
}

/// Reads a channel `{read: 270MBps, write: 270MBps, shared: on}`.
DataChannel read_channel(MappingReader& reader, bool is_disk, Diagnostics& faults) {
    DataChannel channel;
    channel.read = optional_bandwidth(reader, "read", faults);
    channel.write = optional_bandwidth(reader, "write", faults);
    channel.shared = reader.flag("shared").value_or(is_disk);
    if (channel.shared && !channel.read && !is_disk) reader.require("read");
    reader.finish();
    return channel;
}

/// Reads a channel, or `{disk: scratch}` for a disk of the platform. Keys of a channel replace the values of the disk.
DataChannel read_server(const YamlNode* node, HardwareFile& file, Diagnostics& faults) {
    if (node == nullptr) return {};
    MappingReader reader(*node, "`server`", faults);
    const std::optional<std::string> disk = reader.text("disk");
    if (disk) file.disk_servers = DiskServers{{*disk, reader.range_of("disk")}};
    return read_channel(reader, reader.has("disk"), faults);
}

/// Returns a channel with the rates of all NICs of a node: ejection for reads, injection for writes.
DataChannel nic_channel(const std::optional<Nic>& nic) {
    const auto together = [&](Gap gap) {
        return gap == Gap{} ? std::nullopt : std::optional(Bandwidth{nic->count / gap.seconds_per_byte});
    };
    return nic ? DataChannel{together(nic->ejection), together(nic->injection)} : DataChannel{};
}

/// Reads a channel, or the word `nic`.
DataChannel read_node_channel(const YamlNode* node, Resource& nic, const HardwareFile& file, Diagnostics& faults) {
    if (node == nullptr) return {};
    if (node->kind != YamlNode::Kind::scalar || node->scalar != "nic") {
        MappingReader reader(*node, "`node`", faults, "expected `{read: 270MBps, write: 270MBps}`, or `nic`");
        return read_channel(reader, false, faults);
    }
    nic.serves_cluster_memory = true;
    if (!nic.described) {
        faults.add(DiagnosticKind::missing_key, node->range, "the hardware file has no `nic`",
                   "expected `nic: {injection: 270MBps, ejection: 270MBps}`, or rates in its place");
    }
    return nic_channel(file.nic);
}

/// Reads a time, or the word `network` for the latency of the largest messages.
Time read_memory_latency(MappingReader& reader, const YamlNode* latency, const Profile& network) {
    const bool of_network =
        latency != nullptr && latency->kind == YamlNode::Kind::scalar && latency->scalar == "network";
    if (!of_network) return reader.time("latency").value_or(Time{});
    reader.take("latency");
    return network.empty() ? Time{} : network.back().L;
}

/// Reads the description of cluster memory. The layers of the file must be known.
ClusterMemory read_cluster_memory(const YamlNode* node, Resource& nic, HardwareFile& file, Diagnostics& faults) {
    if (node == nullptr) return {};
    MappingReader reader(*node, "`cluster_memory`", faults);
    ClusterMemory memory;
    const YamlNode* const servers = node->find("servers");
    memory.in_nodes = servers != nullptr && servers->kind == YamlNode::Kind::scalar && servers->scalar == "nodes";
    if (!memory.in_nodes) {
        memory.servers = static_cast<std::uint32_t>(reader.integer("servers", 1, kMostServers).value_or(1));
    } else if (reader.take("servers") != nullptr && reader.has("server")) {
        faults.add(DiagnosticKind::conflicting_keys, reader.range_of("server"),
                   "both `server` and `servers: nodes` are given",
                   "expected only `node`: the memory of a node has no other channel");
    }
    memory.server = read_server(reader.take("server"), file, faults);
    if (file.disk_servers) file.disk_servers->counted = reader.has("servers");
    memory.node = read_node_channel(reader.take("node"), nic, file, faults);
    memory.latency = read_memory_latency(reader, node->find("latency"), file.layers.back().profile);
    if (const auto buffers = reader.integer("buffers", 1, kMostBuffers)) {
        memory.buffers = static_cast<std::uint32_t>(*buffers);
    }
    reader.finish();
    return memory;
}

TaskManager read_task_manager(const YamlNode* node, Diagnostics& faults) {
    if (node == nullptr) return {};
    MappingReader reader(*node, "`task_manager`", faults);
    const TaskManager manager{reader.time("overhead").value_or(Time{}), reader.time("service").value_or(Time{})};
    reader.finish();
    return manager;
}

// --- the processor ---------------------------------------------------------------------------------------------------

std::optional<FlopRate> read_speed(const std::string& text, const SourceRange& range, Diagnostics& faults) {
    Diagnostics own;
    const double speed = input::parse_quantity(text, range, input::Dimension::flop_rate, own).value;
    faults.add(own);
    if (!own.empty()) return std::nullopt;
    if (speed >= kSlowestProcessor.per_second && speed <= kFastestProcessor.per_second) return FlopRate{speed};
    faults.add(DiagnosticKind::out_of_range, range, fmt::format("a processor cannot have the speed `{}`", text),
               "expected a speed from 1flops to 1e9Tflops");
    return std::nullopt;
}

/// Reads `{name: AMD Opteron 2.6 GHz, speed: 350Mflops}`. `name` is used in messages to the user only. Returns nothing
/// if `node` is nullptr or the speed is wrong.
std::optional<Processor> read_processor(const YamlNode* node, Diagnostics& faults) {
    if (node == nullptr) return std::nullopt;
    MappingReader reader(*node, "`processor`", faults);
    const std::string name = reader.text("name").value_or("");
    reader.require("speed");
    std::optional<FlopRate> speed;
    if (const auto text = reader.text("speed")) speed = read_speed(*text, reader.range_of("speed"), faults);
    reader.finish();
    return speed ? std::optional(Processor{name, *speed}) : std::nullopt;
}

// --- all keys together -----------------------------------------------------------------------------------------------

/// Notes each enabled resource that neither a row nor cluster memory uses.
void note_unheld(const Resources& resources, HardwareFile& file) {
    constexpr std::array held{&ProfileRow::holds_bus, &ProfileRow::holds_nic, &ProfileRow::holds_links};
    for (std::size_t k = 0; k < held.size(); ++k) {
        const Resource& resource = resources.each[k];
        const auto holds = [&](const ProfileRow& row) { return row.*held[k]; };
        const bool some = std::ranges::any_of(file.layers, [&](const Layer& layer) {
            const bool like_smpi = layer.like && layer.like->holds_links && k == kLinksResource;
            return like_smpi || std::ranges::any_of(layer.profile, holds);
        });
        if (!resource.described || !resource.enabled || some || resource.serves_cluster_memory) continue;
        file.notes.push_back(fmt::format("{}: `{}` delays no message: no row of `layers` holds this resource",
                                         input::text_of(resource.range), kResourceNames[k]));
    }
}

/// Notes message processing that no row uses.
void note_unused_processing(const Resource& processing, HardwareFile& file) {
    if (!processing.described || !processing.enabled) return;
    for (const Layer& layer : file.layers) {
        if (std::ranges::any_of(layer.profile, [](const ProfileRow& row) { return row.processing.has_value(); }))
            return;
    }
    file.notes.push_back(fmt::format("{}: `message_processing` delays no message: no row of `layers` has `processing`",
                                     input::text_of(processing.range)));
}

/// Checks `like: smpi`. SMPI's costs contain the latency of whole routes, so they are known only when the platform is
/// loaded.
void check_like_smpi(const MappingReader& reader, const YamlNode* cluster_memory, const HardwareFile& file,
                     Diagnostics& faults) {
    const std::optional<LikeSmpi>& like = file.layers.back().like;
    if (!like) return;
    if (file.topology.value) {
        faults.add(DiagnosticKind::conflicting_keys, like->range, "both `like: smpi` and `topology` are given",
                   "expected `platform`, an XML whose `<config>` has SMPI's keys; or rows in place of `like`");
    }
    if (reader.has("links_in_L")) {
        faults.add(DiagnosticKind::conflicting_keys, reader.range_of("links_in_L"),
                   "both `links_in_L` and `like: smpi` are given",
                   "expected no `links_in_L`: the costs of SMPI contain the latency of all links");
    }
    const YamlNode* latency = cluster_memory != nullptr ? cluster_memory->find("latency") : nullptr;
    if (latency != nullptr && latency->scalar == "network") {
        faults.add(DiagnosticKind::conflicting_keys, latency->range,
                   "both `latency: network` and `like: smpi` are given",
                   "expected a time in place of `network`: SMPI's costs follow from the platform");
    }
}

/// Checks the key `routing`. Adaptive routing selects a route when a message requests its links, while `arbitration`
/// needs routes in advance, so both together are an error. Notes rows whose messages request no links.
void check_routing(HardwareFile& file, Diagnostics& faults) {
    if (!file.topology.value || file.topology.value->routing != Routing::adaptive) return;
    const SourceRange& range = file.topology.value->routing_range;
    if (file.links && file.links->arbitration) {
        faults.add(DiagnosticKind::conflicting_keys, range,
                   "both adaptive routing and `arbitration` of `links` are given",
                   "expected `minimal` or `valiant`: the pairs that share a link must be known before the run");
    }
    const auto holds = [](const ProfileRow& row) { return row.holds_links; };
    const Profile& network = file.layers.back().profile;
    if (std::ranges::any_of(network, holds)) return;
    file.notes.push_back(
        fmt::format("{}: adaptive routing has the effect of `minimal`: no message of `network` holds `links`",
                    input::text_of(range)));
}

}  // namespace

HardwareFile read_hardware_file(const HardwareTree& hardware, Diagnostics& faults, const HardwareOverrides& overrides) {
    HardwareTree tree = hardware;
    faults.add(tree.faults);
    HardwareFile file;
    file.sources = tree.sources;
    file.link_overrides = apply_overrides(overrides.calibration, tree.root, faults);
    const std::vector<LinkOverride> of_scenario = apply_overrides(overrides.tree, tree.root, faults);
    file.link_overrides.insert(file.link_overrides.end(), of_scenario.begin(), of_scenario.end());
    MappingReader reader(tree.root, "a hardware file", faults);

    reader.require("name");
    file.name = reader.text("name").value_or("");
    read_network(tree, reader, overrides, file, faults);
    reader.require("size");
    file.fit = {reader.choice("size", kSizes).value_or(0) == 0, reader.range_of("size")};
    if (const auto cores = reader.integer("cores", 1, kMostCores)) file.cores = static_cast<std::uint32_t>(*cores);
    file.parts = read_parts(reader, faults);
    for (std::string& name : layer_names(file.parts)) file.layers.push_back({.name = std::move(name)});
    file.groups = {static_cast<std::uint32_t>(reader.integer("groups", 1, kMostCores).value_or(1)),
                   reader.range_of("groups")};
    file.square_groups = reader.choice("core_order", kCoreOrders).value_or(0) == 1;
    file.links_in_L = static_cast<std::uint32_t>(reader.integer("links_in_L", 0, kMostLinksCovered).value_or(1));

    Resources resources = read_resources(reader, file, faults);
    check_cables(file, faults);
    file.processor = read_processor(reader.take("processor"), faults);
    file.collectives = read_collectives(reader.take("collectives"), faults, file.notes);
    const YamlNode* const cluster_memory = reader.take("cluster_memory");
    file.task_manager = read_task_manager(reader.take("task_manager"), faults);
    file.layers_range = tree.root.range;
    read_layers(reader.require("layers"), resources, file, faults);
    read_eager(reader.take("eager"), file, faults);
    check_like_smpi(reader, cluster_memory, file, faults);
    file.cluster_memory = read_cluster_memory(cluster_memory, resources.each[kNicResource], file, faults);
    note_unheld(resources, file);
    note_unused_processing(resources.processing, file);
    check_routing(file, faults);
    reader.text("calibration");  // calibration_of reads this key for scenarios
    reader.take("like");         // the tree no longer has `like`, but it may be suggested for a misspelt key
    reader.finish();
    return file;
}

bool check_counts(const HardwareFile& file, std::uint32_t cores, Diagnostics& faults) {
    divides(file.groups, cores, DiagnosticKind::uneven_groups, "groups", faults);
    for (const NodeResource& each : file.node_resources) {
        const bool own = each.is_used && each.count.value != file.groups.value;
        if (own) divides(each.count, cores, DiagnosticKind::uneven_groups, each.name, faults);
    }
    bool even = true;
    for (const Located<NodeParts>& kind : file.parts) {
        const Located<std::uint32_t> count{kind.value.count, kind.range};
        even =
            divides(count, cores, DiagnosticKind::uneven_chips, fmt::format("parts `{}`", kind.value.name), faults) &&
            even;
    }
    return even;
}

std::optional<Processor> processor_of(const HardwareTree& hardware, const HardwareOverrides& overrides) {
    Diagnostics reported_elsewhere;
    YamlNode root = hardware.root;
    apply_overrides(overrides.tree, root, reported_elsewhere);
    return read_processor(root.find("processor"), reported_elsewhere);
}

std::optional<CalibrationName> calibration_of(const HardwareTree& hardware) {
    const YamlNode* name = hardware.root.find("calibration");
    if (name == nullptr || name->kind != YamlNode::Kind::scalar) return std::nullopt;
    const bool is_own = name->range.source == hardware.sources.front();
    if (!is_own || name->scalar.empty() || input::truth_of(name->scalar) == false) return std::nullopt;
    const std::filesystem::path folder = input::folder_of(name->range.source->name());
    return CalibrationName{(folder / name->scalar).lexically_normal(), name->range};
}

}  // namespace warpfront::machine
