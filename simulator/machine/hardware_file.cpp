#include "simulator/machine/hardware_file.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/nearest.hpp"
#include "simulator/input/yaml.hpp"

namespace warpfront::machine {

namespace {

using input::FaultKind;
using input::Faults;
using input::MappingReader;
using input::YamlNode;

constexpr std::int64_t kMostChips = 1 << 16;
constexpr std::int64_t kMostLinks = 1 << 16;

const std::vector<std::string> kSizes{"fit", "exact"};
const std::vector<std::string> kProtocols{"eager", "handshake"};
const std::vector<std::string> kResources{"bus"};

/// The `bus:` mapping, if there is one.
struct BusEntry {
    bool described = false;
    bool enabled = true;
    Bus bus;
};

BusEntry read_bus(const YamlNode* node, Faults& faults) {
    if (node == nullptr) return {};
    MappingReader reader(*node, "`bus`", faults);
    BusEntry entry;
    entry.described = true;
    entry.enabled = reader.flag("enabled").value_or(true);
    if (reader.require("o_dma") != nullptr) entry.bus.o_dma = reader.time("o_dma").value_or(Time{});
    if (reader.require("G_dma") != nullptr) entry.bus.G_dma = reader.gap("G_dma").value_or(Gap{});
    reader.finish();
    return entry;
}

/// True where the row holds the bus.
bool read_holds(const YamlNode* node, const BusEntry& bus, Faults& faults) {
    if (node == nullptr) return false;
    if (node->kind != YamlNode::Kind::sequence) {
        faults.add(FaultKind::wrong_yaml_type, node->place, "`holds` is no list", "expected `[bus]` or `[]`");
        return false;
    }
    bool holds_bus = false;
    for (const YamlNode& item : node->items) {
        if (item.kind != YamlNode::Kind::scalar || item.scalar != kResources.front()) {
            faults.add(FaultKind::bad_choice, item.place, fmt::format("`{}` is no shared resource", item.scalar),
                       input::suggestion(item.scalar, kResources));
        } else if (!bus.described) {
            faults.add(FaultKind::undescribed_resource, item.place, "the messages of this row hold a `bus`",
                       "expected a `bus` entry in this file that says for how long");
        } else {
            holds_bus = true;
        }
    }
    return holds_bus && bus.enabled;
}

void check_cost(const ProfileRow& row, Gap gap, const input::Place& place, Faults& faults) {
    if (!row.up_to || cost_of(*row.up_to, gap)) return;
    faults.add(FaultKind::cost_too_large, place,
               fmt::format("a message of {} B takes {} s", row.up_to->count,
                           static_cast<double>(row.up_to->count) * gap.seconds_per_byte),
               fmt::format("expected at most {} s", seconds(kLongestCost)));
}

ProfileRow read_row(const YamlNode& node, Layer layer, const BusEntry& bus, Faults& faults) {
    MappingReader reader(node, fmt::format("a row of `{}`", layer_name(layer)), faults);
    ProfileRow row;
    row.up_to = reader.bytes("up_to");
    reader.require("protocol");
    row.protocol = static_cast<Protocol>(reader.choice("protocol", kProtocols).value_or(0));
    for (const auto& [key, cost] : {std::pair{"o_send", &row.o_send}, {"o_recv", &row.o_recv}, {"L", &row.L}}) {
        if (reader.require(key) != nullptr) *cost = reader.time(key).value_or(Time{});
    }
    if (!reader.has("G_recv")) reader.require("G");
    row.G = reader.gap("G").value_or(Gap{});
    row.G_recv = reader.gap("G_recv").value_or(Gap{});
    check_cost(row, row.G, reader.place_of("G"), faults);
    check_cost(row, row.G_recv, reader.place_of("G_recv"), faults);
    // only a message that leaves its node crosses a bus twice, so only there has `holds` a meaning
    if (layer == Layer::network) row.holds_bus = read_holds(reader.take("holds"), bus, faults);
    reader.finish();
    return row;
}

/// Rows must be told apart by ascending limits, the last taking all that is larger.
void check_order(const Profile& profile, const YamlNode& node, Layer layer, Faults& faults) {
    const auto place = [&](std::size_t row) {
        const YamlNode* limit = node.items[row].find("up_to");
        return limit != nullptr ? limit->place : node.items[row].place;
    };
    for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
        if (!node.items[k].find("up_to")) {
            faults.add(FaultKind::profile_row_order, place(k + 1),
                       fmt::format("no message of `{}` gets to this row", layer_name(layer)),
                       "the row above has no `up_to` and takes all sizes");
        } else if (profile[k].up_to && profile[k + 1].up_to && *profile[k + 1].up_to <= *profile[k].up_to) {
            faults.add(FaultKind::profile_row_order, place(k + 1),
                       fmt::format("`up_to` is {} B after a row up to {} B", profile[k + 1].up_to->count,
                                   profile[k].up_to->count),
                       "expected rows by ascending `up_to`");
        }
    }
    if (profile.empty() || node.items.back().find("up_to") != nullptr) {
        faults.add(FaultKind::profile_row_unlimited, profile.empty() ? node.place : place(profile.size() - 1),
                   fmt::format("layer `{}` has no row for the largest messages", layer_name(layer)),
                   "expected a last row without `up_to`");
    }
}

Profile read_profile(const YamlNode& node, Layer layer, const BusEntry& bus, Faults& faults) {
    if (node.kind != YamlNode::Kind::sequence) {
        faults.add(FaultKind::wrong_yaml_type, node.place, fmt::format("layer `{}` is no list", layer_name(layer)),
                   "expected rows, each `- {up_to: ..., protocol: ..., o_send: ..., o_recv: ..., L: ..., G: ...}`");
        return {};
    }
    Profile profile;
    for (const YamlNode& item : node.items) profile.push_back(read_row(item, layer, bus, faults));
    check_order(profile, node, layer, faults);
    return profile;
}

void read_layers(const YamlNode* node, const BusEntry& bus, HardwareFile& file, Faults& faults) {
    if (node == nullptr) return;
    file.layers_place = node->place;
    MappingReader reader(*node, "`layers`", faults);
    for (const Layer layer : {Layer::chip, Layer::node, Layer::network}) {
        const YamlNode* rows = reader.take(layer_name(layer));
        if (rows == nullptr) continue;
        const auto at = static_cast<std::size_t>(layer);
        file.described[at] = true;
        file.layers[at] = read_profile(*rows, layer, bus, faults);
    }
    reader.finish();
}

}  // namespace

const std::string& layer_name(Layer layer) {
    static const std::array<std::string, kLayers> names{"chip", "node", "network"};
    return names[static_cast<std::size_t>(layer)];
}

HardwareFile read_hardware_file(const std::filesystem::path& path, const input::Place& mentioned_at, Faults& faults) {
    HardwareFile file;
    file.source = input::read_file(path, mentioned_at);
    const YamlNode root = input::parse_yaml(file.source, faults);
    MappingReader reader(root, "a hardware file", faults);

    reader.require("name");
    file.name = reader.text("name").value_or("");
    reader.require("platform");
    if (const auto xml = reader.text("platform")) file.platform.value = path.parent_path() / *xml;
    file.platform.place = reader.place_of("platform");
    reader.require("size");
    file.fit = {reader.choice("size", kSizes).value_or(0) == 0, reader.place_of("size")};
    file.chips = {static_cast<std::uint32_t>(reader.integer("chips", 1, kMostChips).value_or(1)),
                  reader.place_of("chips")};
    file.links_in_L = static_cast<std::uint32_t>(reader.integer("links_in_L", 0, kMostLinks).value_or(1));

    const BusEntry bus = read_bus(reader.take("bus"), faults);
    if (bus.described && bus.enabled) file.bus = bus.bus;
    file.layers_place = root.place;
    read_layers(reader.require("layers"), bus, file, faults);
    reader.finish();
    return file;
}

}  // namespace warpfront::machine
