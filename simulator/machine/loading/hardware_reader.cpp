#include "simulator/machine/loading/hardware_reader.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/suggestion.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/cost_limits.hpp"
#include "simulator/machine/loading/hardware_collectives.hpp"
#include "simulator/machine/loading/hardware_parts.hpp"
#include "simulator/machine/loading/hardware_processor.hpp"
#include "simulator/machine/loading/hardware_resources.hpp"
#include "simulator/machine/loading/hardware_tree.hpp"

namespace warpfront::machine {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::MappingReader;
using input::YamlNode;

constexpr std::int64_t kMostEagerMessages = 1 << 30;
constexpr std::int64_t kMostLinksCovered = 1 << 16;

const std::vector<std::string> kSizes{"fit", "exact"};
constexpr std::string_view kNetwork = "network";
const std::vector<std::string> kProtocols{"eager", "rendezvous"};
const std::vector<std::string> kReceiverHolds{"after_overhead", "before_overhead"};

/// Sets the flags of the resources that the row's messages hold; within a node this can be the bus alone.
void read_holds(const YamlNode* node, bool between_nodes, const Resources& resources, ProfileRow& row,
                Diagnostics& faults) {
    if (node == nullptr) return;
    if (node->kind != YamlNode::Kind::sequence) {
        faults.add(DiagnosticKind::wrong_yaml_type, node->range, "`holds` is no list",
                   between_nodes ? "expected some of `[bus, nic, links]`, or `[]`" : "expected `[bus]` or `[]`");
        return;
    }
    const std::array<bool*, 3> flags{&row.holds_bus, &row.holds_nic, &row.holds_links};
    for (const YamlNode& item : node->items) {
        const auto name = std::find(kResourceNames.begin(), kResourceNames.end(), item.scalar);
        if (item.kind != YamlNode::Kind::scalar || name == kResourceNames.end()) {
            faults.add(DiagnosticKind::bad_choice, item.range, fmt::format("`{}` is no shared resource", item.scalar),
                       input::suggestion(item.scalar, kResourceNames));
            continue;
        }
        const auto at = static_cast<std::size_t>(name - kResourceNames.begin());
        if (at > 0 && !between_nodes) {
            faults.add(DiagnosticKind::bad_choice, item.range, fmt::format("messages within a node hold `{}`", *name),
                       "expected `bus` alone: only messages between nodes use NICs and links");
            continue;
        }
        if (!resources.each[at].described) {
            faults.add(DiagnosticKind::undescribed_resource, item.range,
                       fmt::format("the messages of this row hold `{}`", *name),
                       fmt::format("expected a `{}` entry in this file that describes it", *name));
        }
        if (*name == "links") row.packet = resources.packet;
        *flags[at] = resources.each[at].described && resources.each[at].enabled;
    }
}

std::optional<EagerLimit> read_eager_limit(const YamlNode* node, Diagnostics& faults) {
    if (node == nullptr || (node->kind == YamlNode::Kind::scalar && node->scalar == "off")) return std::nullopt;
    MappingReader reader(*node, "`eager_limit`", faults);
    EagerLimit limit;
    if (const auto messages = reader.integer("messages", 1, kMostEagerMessages)) {
        limit.messages = static_cast<std::uint32_t>(*messages);
    }
    limit.bytes = reader.bytes("bytes");
    if (!reader.has("messages") && !reader.has("bytes")) {
        faults.add(DiagnosticKind::missing_key, node->range, "`eager_limit` limits nothing",
                   "expected `messages`, `bytes` or both, as in `eager_limit: {messages: 64}`; or `off`");
    }
    reader.finish();
    return limit;
}

/// An eager message has no request, so its cost would be meaningless.
void read_rendezvous(MappingReader& reader, ProfileRow& row, Diagnostics& faults) {
    row.o_request = reader.time("o_request").value_or(Time{});
    row.o_ack = reader.time("o_ack").value_or(Time{});
    if (row.protocol == Protocol::rendezvous) return;
    for (const char* key : {"o_request", "o_ack"}) {
        if (!reader.has(key)) continue;
        faults.add(DiagnosticKind::conflicting_keys, reader.range_of(key), fmt::format("`{}` of an eager message", key),
                   "expected `protocol: rendezvous`");
    }
}

/// What a row says about its hold of the bus, for which `holds` must name the bus.
void read_bus_hold(MappingReader& reader, const YamlNode& node, ProfileRow& row, Diagnostics& faults) {
    row.receiver_hold = static_cast<ReceiverHold>(reader.choice("receiver_hold", kReceiverHolds).value_or(0));
    row.o_dma = reader.time("o_dma");
    const YamlNode* holds = node.find("holds");
    const auto is_bus = [](const YamlNode& item) { return item.scalar == "bus"; };
    if (holds != nullptr && std::any_of(holds->items.begin(), holds->items.end(), is_bus)) return;
    for (const char* key : {"receiver_hold", "o_dma"}) {
        if (!reader.has(key)) continue;
        faults.add(DiagnosticKind::conflicting_keys, reader.range_of(key),
                   fmt::format("`{}` of a message that does not hold the bus", key), "expected `holds: [bus]`");
    }
}

struct Row {
    ProfileRow costs;
    RowPlaces places;
};

Row read_row(const YamlNode& node, const Layer& layer, const Resources& resources, Diagnostics& faults) {
    MappingReader reader(node, fmt::format("a row of `{}`", layer.name), faults);
    ProfileRow row;
    row.up_to = reader.bytes("up_to");
    reader.require("protocol");
    row.protocol = static_cast<Protocol>(reader.choice("protocol", kProtocols).value_or(0));
    for (const auto& [key, cost] : {std::pair{"o_send", &row.o_send}, {"o_recv", &row.o_recv}, {"L", &row.L}}) {
        if (reader.require(key) != nullptr) *cost = reader.time(key).value_or(Time{});
    }
    read_rendezvous(reader, row, faults);
    if (!reader.has("G_recv")) reader.require("G");
    row.G = reader.gap("G").value_or(Gap{});
    row.G_recv = reader.gap("G_recv").value_or(Gap{});
    row.G_send = reader.gap("G_send").value_or(Gap{});
    read_holds(reader.take("holds"), layer.name == kNetwork, resources, row, faults);
    read_bus_hold(reader, node, row, faults);
    const RowPlaces places{reader.range_of("up_to"), reader.range_of("G_send"), reader.range_of("G"),
                           reader.range_of("G_recv")};
    if (row.up_to) check_row(row, *row.up_to, places, faults);
    reader.finish();
    return {row, places};
}

/// Rows must have ascending limits; the last has none.
void check_order(const Layer& layer, const YamlNode& node, Diagnostics& faults) {
    const Profile& profile = layer.profile;
    const auto range = [&](std::size_t row) {
        const YamlNode* limit = node.items[row].find("up_to");
        return limit != nullptr ? limit->range : node.items[row].range;
    };
    for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
        if (!node.items[k].find("up_to")) {
            faults.add(DiagnosticKind::profile_row_order, range(k + 1),
                       fmt::format("no message of `{}` gets to this row", layer.name),
                       "the row above has no `up_to` and takes all sizes");
        } else if (profile[k].up_to && profile[k + 1].up_to && *profile[k + 1].up_to <= *profile[k].up_to) {
            faults.add(DiagnosticKind::profile_row_order, range(k + 1),
                       fmt::format("`up_to` is {} B after a row up to {} B", profile[k + 1].up_to->count,
                                   profile[k].up_to->count),
                       "expected rows by ascending `up_to`");
        }
    }
    if (profile.empty() || node.items.back().find("up_to") != nullptr) {
        faults.add(DiagnosticKind::profile_row_unlimited, profile.empty() ? node.range : range(profile.size() - 1),
                   fmt::format("layer `{}` has no row for the largest messages", layer.name),
                   "expected a last row without `up_to`");
    }
}

void read_layer(const YamlNode& node, const Resources& resources, Layer& layer, Diagnostics& faults) {
    layer.described = true;
    if (node.kind != YamlNode::Kind::sequence) {
        faults.add(DiagnosticKind::wrong_yaml_type, node.range, fmt::format("layer `{}` is no list", layer.name),
                   "expected rows, each `- {up_to: ..., protocol: ..., o_send: ..., o_recv: ..., L: ..., G: ...}`");
        return;
    }
    for (const YamlNode& item : node.items) {
        const Row row = read_row(item, layer, resources, faults);
        layer.profile.push_back(row.costs);
        layer.row_places.push_back(row.places);
    }
    check_order(layer, node, faults);
}

void read_layers(const YamlNode* node, const Resources& resources, HardwareFile& file, Diagnostics& faults) {
    if (node == nullptr) return;
    file.layers_range = node->range;
    MappingReader reader(*node, "`layers`", faults);
    for (Layer& layer : file.layers) {
        const YamlNode* rows = reader.take(layer.name);
        if (rows != nullptr) read_layer(*rows, resources, layer, faults);
    }
    reader.finish();
}

/// Notes each resource that is described and enabled but that no row holds.
void note_unheld(const Resources& resources, HardwareFile& file) {
    constexpr std::array held{&ProfileRow::holds_bus, &ProfileRow::holds_nic, &ProfileRow::holds_links};
    for (std::size_t k = 0; k < held.size(); ++k) {
        const Resource& resource = resources.each[k];
        const auto holds = [&](const ProfileRow& row) { return row.*held[k]; };
        const bool some = std::any_of(file.layers.begin(), file.layers.end(), [&](const Layer& layer) {
            return std::any_of(layer.profile.begin(), layer.profile.end(), holds);
        });
        if (!resource.described || !resource.enabled || some) continue;
        file.notes.push_back(fmt::format("{}: no message waits for `{}`: no row of `layers` holds it",
                                         input::text_of(resource.range), kResourceNames[k]));
    }
}

/// Adaptive routing decides when a message requests its links one after another, and which ranks share a link depends
/// on that. Notes where no message requests links.
void check_routing(HardwareFile& file, Diagnostics& faults) {
    if (!file.topology.value || file.topology.value->routing != Routing::adaptive) return;
    const input::SourceRange& range = file.topology.value->routing_range;
    const auto conflict = [&](std::string_view key, std::string_view reason) {
        faults.add(DiagnosticKind::conflicting_keys, range, fmt::format("adaptive routing and `{}` of `links`", key),
                   fmt::format("expected `minimal` or `valiant`: {}", reason));
    };
    if (file.links && file.links->circuit) conflict("circuit", "a circuit takes all links of one route at once");
    if (file.links && file.links->arbitration) {
        conflict("arbitration", "the pairs that share a link must be known before the run");
    }
    const auto holds = [](const ProfileRow& row) { return row.holds_links; };
    const Profile& network = file.layers.back().profile;
    if (std::any_of(network.begin(), network.end(), holds)) return;
    file.notes.push_back(
        fmt::format("{}: adaptive routing is minimal: no message of `network` holds `links`", input::text_of(range)));
}

/// Applies the overrides of links to the topology, whose links its kind names.
void override_topology_links(const std::vector<LinkOverride>& overrides, YamlNode& topology, Diagnostics& faults) {
    const YamlNode* kind = topology.find("kind");
    const std::vector<std::string> names{kind != nullptr ? kind->scalar : "", "all"};
    for (const LinkOverride& each : overrides) {
        if (std::find(names.begin(), names.end(), each.name) == names.end()) {
            faults.add(DiagnosticKind::unknown_link, each.range, fmt::format("no link is called `{}`", each.name),
                       input::suggestion(each.name, names));
            continue;
        }
        apply_overrides(each.as_written, topology, faults);
    }
}

/// The platform or the topology, of which a file has one.
void read_network(YamlNode& root, MappingReader& reader, const HardwareOverrides& overrides, HardwareFile& file,
                  Diagnostics& faults) {
    const FindFile find = [&](const std::string& name, const input::SourceRange& range) {
        const bool own = std::find(file.sources.begin(), file.sources.end(), range.source) != file.sources.end();
        return (own ? std::filesystem::path(range.source->name()).parent_path() : overrides.folder) / name;
    };
    if (!reader.has("topology")) {
        reader.require("platform");
        file.platform.range = reader.range_of("platform");
        if (const auto xml = reader.text("platform")) file.platform.value = find(*xml, file.platform.range);
        return;
    }
    if (reader.has("platform")) {
        faults.add(DiagnosticKind::conflicting_keys, reader.range_of("topology"), "`topology` beside `platform`",
                   "expected one of the two");
        reader.take("platform");
    }
    reader.require("cores");
    YamlNode& node = *root.find("topology");
    override_topology_links(file.link_overrides, node, faults);
    file.topology = {read_interconnect(*reader.take("topology"), find, faults), node.range};
}

}  // namespace

HardwareFile read_hardware_file(const std::filesystem::path& path, const input::SourceRange& mentioned_at,
                                Diagnostics& faults, const HardwareOverrides& overrides) {
    HardwareTree tree = read_hardware_tree(path, mentioned_at, faults);
    HardwareFile file;
    file.sources = std::move(tree.sources);
    file.link_overrides = apply_overrides(overrides.calibration, tree.root, faults);
    const std::vector<LinkOverride> of_scenario = apply_overrides(overrides.tree, tree.root, faults);
    file.link_overrides.insert(file.link_overrides.end(), of_scenario.begin(), of_scenario.end());
    MappingReader reader(tree.root, "a hardware file", faults);

    reader.require("name");
    file.name = reader.text("name").value_or("");
    read_network(tree.root, reader, overrides, file, faults);
    reader.require("size");
    file.fit = {reader.choice("size", kSizes).value_or(0) == 0, reader.range_of("size")};
    if (const auto cores = reader.integer("cores", 1, kMostCores)) file.cores = static_cast<std::uint32_t>(*cores);
    file.parts = read_parts(reader, faults);
    for (std::string& name : layer_names(file.parts)) file.layers.push_back({.name = std::move(name)});
    file.groups = {static_cast<std::uint32_t>(reader.integer("groups", 1, kMostCores).value_or(1)),
                   reader.range_of("groups")};
    file.links_in_L = static_cast<std::uint32_t>(reader.integer("links_in_L", 0, kMostLinksCovered).value_or(1));

    const Resources resources = read_resources(reader, file, faults);
    file.processor = read_processor(reader.take("processor"), faults);
    file.collectives = read_collectives(reader.take("collectives"), faults);
    file.eager_limit = read_eager_limit(reader.take("eager_limit"), faults);
    file.layers_range = tree.root.range;
    read_layers(reader.require("layers"), resources, file, faults);
    note_unheld(resources, file);
    check_routing(file, faults);
    reader.text("calibration");  // for scenarios (hardware_calibration.hpp)
    reader.take("like");         // absent from the tree, but offered as a suggestion
    reader.finish();
    return file;
}

}  // namespace warpfront::machine
