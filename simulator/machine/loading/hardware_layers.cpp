#include "simulator/machine/loading/hardware_layers.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/loading/cost_limits.hpp"

namespace warpfront::machine {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::MappingReader;
using input::YamlNode;

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

}  // namespace

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

}  // namespace warpfront::machine
