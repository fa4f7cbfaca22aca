#include "simulator/machine/loading/hardware_layers.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/network/packet_pipeline.hpp"

namespace warpfront::machine {

namespace {

// --- costs that virtual time cannot represent ------------------------------------------------------------------------

/// Checks the cost `size` * `gap`. If it exceeds kLongestCost, adds an error (cost_too_large) at `range` and returns
/// false.
bool check_cost(Bytes size, Gap gap, const SourceRange& range, Diagnostics& faults) {
    if (cost_of(size, gap)) return true;
    faults.add(
        DiagnosticKind::cost_too_large, range,
        fmt::format("a message of {} B takes {} s", size.count, static_cast<double>(size.count) * gap.seconds_per_byte),
        fmt::format("expected at most {} s", seconds(kLongestCost)));
    return false;
}

/// Checks the cost of a message of `size` by this row, including its packets.
bool check_row(const ProfileRow& row, Bytes size, const RowPlaces& places, Diagnostics& faults) {
    if (network::pipeline_of(row, size)) return true;
    bool bytes_alone = true;
    for (const auto& [gap, range] :
         {std::pair{row.G_send, &places.G_send}, {row.G, &places.G}, {row.G_recv, &places.G_recv}}) {
        bytes_alone = check_cost(size, gap, *range, faults) && bytes_alone;
    }
    if (!bytes_alone) return false;
    faults.add(DiagnosticKind::cost_too_large, places.row,
               fmt::format("the {} packets of a message of {} B take too long",
                           network::segment(row.packet, size).count, size.count),
               fmt::format("expected at most {} s", seconds(kLongestCost)));
    return false;
}

void check_hold_times(const HardwareFile& file, const ProfileRow& row, Bytes size, Diagnostics& faults) {
    if (row.holds_bus && file.bus) check_cost(size, file.bus->G_dma, file.G_dma_range, faults);
    if (row.holds_nic && file.nic) {
        check_cost(size, file.nic->injection, file.injection_range, faults);
        check_cost(size, file.nic->ejection, file.ejection_range, faults);
    }
}

bool in_use(Locality locality, const Machine& machine, const RankRequest& request) {
    bool found = false;
    request.pairs([&](Rank a, Rank b) { found = found || machine.locality(a, b) == locality; });
    return found;
}

// --- reading ---------------------------------------------------------------------------------------------------------

constexpr std::string_view kNetwork = "network";
const std::vector<std::string> kProtocols{"eager", "rendezvous"};
const std::vector<std::string> kProgress{"asynchronous", "in_calls"};
const std::vector<std::string> kSenderGoesOn{"acknowledged", "sent", "received"};
const std::vector<std::string> kReceiverHolds{"after_overhead", "before_overhead"};

/// Sets which resources the messages of the row occupy. Messages within a node can occupy the bus only.
void read_holds(const YamlNode* node, bool between_nodes, const Resources& resources, ProfileRow& row,
                Diagnostics& faults) {
    if (node == nullptr) return;
    if (node->kind != YamlNode::Kind::sequence) {
        faults.add(DiagnosticKind::wrong_yaml_type, node->range, "`holds` is not a list",
                   between_nodes ? "expected some of `[bus, nic, links]`, or `[]`" : "expected `[bus]` or `[]`");
        return;
    }
    const std::array<bool*, 3> flags{&row.holds_bus, &row.holds_nic, &row.holds_links};
    for (const YamlNode& item : node->items) {
        const auto name = std::ranges::find(kResourceNames, item.scalar);
        if (item.kind != YamlNode::Kind::scalar || name == kResourceNames.end()) {
            faults.add(DiagnosticKind::bad_choice, item.range,
                       fmt::format("`{}` is not a shared resource", item.scalar),
                       input::suggestion(item.scalar, kResourceNames));
            continue;
        }
        const auto at = static_cast<std::size_t>(name - kResourceNames.begin());
        if (at > 0 && !between_nodes) {
            faults.add(DiagnosticKind::bad_choice, item.range,
                       fmt::format("messages within a node cannot hold `{}`", *name),
                       "expected `bus` alone: only messages between nodes use NICs and links");
            continue;
        }
        if (!resources.each[at].described) {
            faults.add(DiagnosticKind::undescribed_resource, item.range,
                       fmt::format("this row holds `{}`, but the file does not describe this resource", *name),
                       fmt::format("expected a key `{}` in this file that describes the resource", *name));
        }
        if (*name == "links") row.packet = resources.packet;
        *flags[at] = resources.each[at].described && resources.each[at].enabled;
    }
}

/// Reads the keys of a rendezvous. A cost of the request is an error for an eager message, which has no request.
/// `progress` is allowed, since synchronous messages use the same row.
void read_rendezvous(MappingReader& reader, ProfileRow& row, Diagnostics& faults) {
    row.o_request = reader.time("o_request").value_or(Time{});
    row.o_ack = reader.time("o_ack").value_or(Time{});
    row.progress = static_cast<MessageProgress>(reader.choice("progress", kProgress).value_or(0));
    row.sender_goes_on = static_cast<SenderGoesOn>(reader.choice("sender_goes_on", kSenderGoesOn).value_or(0));
    if (row.protocol == Protocol::rendezvous) return;
    for (const char* key : {"o_request", "o_ack"}) {
        if (!reader.has(key)) continue;
        faults.add(DiagnosticKind::conflicting_keys, reader.range_of(key),
                   fmt::format("`{}` has no meaning for eager messages", key),
                   "expected the key only in a row with `protocol: rendezvous`");
    }
}

/// Reads how long a message occupies the message processing of its node. The file must describe message processing.
void read_processing(MappingReader& reader, const Resources& resources, ProfileRow& row, Diagnostics& faults) {
    const std::optional<Time> processing = reader.time("processing");
    if (!processing) return;
    if (!resources.processing.described) {
        faults.add(DiagnosticKind::undescribed_resource, reader.range_of("processing"),
                   "this row has `processing`, but the file describes no `message_processing`",
                   "expected `message_processing: {enabled: on}` in this file");
    }
    if (resources.processing.enabled) row.processing = processing;
}

/// Reads how long a message occupies the bus. The row must list the bus in `holds`.
void read_bus_hold(MappingReader& reader, const YamlNode& node, ProfileRow& row, Diagnostics& faults) {
    row.receiver_hold = static_cast<ReceiverHold>(reader.choice("receiver_hold", kReceiverHolds).value_or(0));
    row.o_dma = reader.time("o_dma");
    const YamlNode* holds = node.find("holds");
    const auto is_bus = [](const YamlNode& item) { return item.scalar == "bus"; };
    if (holds != nullptr && std::ranges::any_of(holds->items, is_bus)) return;
    for (const char* key : {"receiver_hold", "o_dma"}) {
        if (!reader.has(key)) continue;
        faults.add(DiagnosticKind::conflicting_keys, reader.range_of(key),
                   fmt::format("`{}` has no meaning in a row that does not hold the bus", key),
                   "expected the key only in a row with `holds: [bus]`");
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
    read_processing(reader, resources, row, faults);
    const RowPlaces places{reader.range_of("up_to"), reader.range_of("G_send"), reader.range_of("G"),
                           reader.range_of("G_recv")};
    if (row.up_to) check_row(row, *row.up_to, places, faults);
    reader.finish();
    return {row, places};
}

/// Checks that the limits of rows ascend and that only the last row has none.
void check_order(const Layer& layer, const YamlNode& node, Diagnostics& faults) {
    const Profile& profile = layer.profile;
    const auto range = [&](std::size_t row) {
        const YamlNode* limit = node.items[row].find("up_to");
        return limit != nullptr ? limit->range : node.items[row].range;
    };
    for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
        if (!node.items[k].find("up_to")) {
            faults.add(DiagnosticKind::profile_row_order, range(k + 1),
                       fmt::format("no message of `{}` uses this row", layer.name),
                       "expected `up_to` in the row above, which otherwise applies to all sizes");
        } else if (profile[k].up_to && profile[k + 1].up_to && *profile[k + 1].up_to <= *profile[k].up_to) {
            faults.add(DiagnosticKind::profile_row_order, range(k + 1),
                       fmt::format("`up_to` is {} B after a row up to {} B", profile[k + 1].up_to->count,
                                   profile[k].up_to->count),
                       "expected rows in ascending order of `up_to`");
        }
    }
    if (profile.empty() || node.items.back().find("up_to") != nullptr) {
        faults.add(DiagnosticKind::profile_row_unlimited, profile.empty() ? node.range : range(profile.size() - 1),
                   fmt::format("layer `{}` has no row for the largest messages", layer.name),
                   "expected a last row without `up_to`");
    }
}

const std::vector<std::string> kLikes{"smpi"};

/// Reads `{like: smpi}` in place of rows.
void read_like(const YamlNode& node, const Resources& resources, Layer& layer, Diagnostics& faults) {
    MappingReader reader(node, fmt::format("layer `{}`", layer.name), faults);
    const bool known = reader.choice("like", kLikes).has_value();
    const Resource& links = resources.each[kLinksResource];
    const LikeSmpi like{reader.range_of("like"), links.described && links.enabled, resources.packet};
    reader.finish([](const std::string&) {
        return "expected `like` alone; to change single costs, copy the rows that `check --platform` prints";
    });
    if (layer.name != kNetwork) {
        faults.add(DiagnosticKind::bad_choice, like.range,
                   fmt::format("layer `{}` cannot have `like: smpi`", layer.name),
                   "expected rows: only the layer `network` can take its costs from SMPI's keys");
    } else if (known) {
        layer.like = like;
    }
}

void read_layer(const YamlNode& node, const Resources& resources, Layer& layer, Diagnostics& faults) {
    layer.described = true;
    if (node.find("like") != nullptr) return read_like(node, resources, layer, faults);
    if (node.kind != YamlNode::Kind::sequence) {
        faults.add(DiagnosticKind::wrong_yaml_type, node.range, fmt::format("layer `{}` is not a list", layer.name),
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

bool is_off(const YamlNode& node) {
    return node.kind == YamlNode::Kind::scalar && input::truth_of(node.scalar) == false;
}

void read_eager(const YamlNode* node, HardwareFile& file, Diagnostics& faults) {
    if (node == nullptr || is_off(*node)) return;
    MappingReader layers(*node, "`eager`", faults, "expected `{network: {limit: 64KiB}}`, or `off`");
    for (Layer& layer : file.layers) {
        const YamlNode* keys = layers.take(layer.name);
        if (keys == nullptr || is_off(*keys)) continue;
        MappingReader reader(*keys, fmt::format("`eager.{}`", layer.name), faults,
                             "expected `{limit: 64KiB}`, or `off`");
        EagerSends eager;
        eager.limit = reader.bytes("limit");
        eager.o_unexpected = reader.time("o_unexpected").value_or(Time{});
        eager.G_unexpected = reader.gap("G_unexpected").value_or(Gap{});
        layer.G_unexpected_range = reader.range_of("G_unexpected");
        reader.finish();
        if (layer.like) {
            faults.add(DiagnosticKind::conflicting_keys, keys->range,
                       fmt::format("`eager.{0}` is given, but layer `{0}` has `like: smpi`", layer.name),
                       "expected no limit in this file: `smpi/send-is-detached-thresh` of the platform is the limit of "
                       "eager messages");
        }
        if (eager.limit) check_cost(*eager.limit, eager.G_unexpected, layer.G_unexpected_range, faults);
        for (ProfileRow& row : layer.profile) row.eager = eager;
    }
    layers.finish();
}

void check_layers(const HardwareFile& file, std::uint32_t cores, Diagnostics& faults) {
    const auto require = [&](std::size_t locality, bool needed, const std::string& why) {
        if (!needed || file.layers[locality].described) return;
        faults.add(DiagnosticKind::missing_key, file.layers_range,
                   fmt::format("`layers` has no `{}`", file.layers[locality].name), why);
    };
    std::uint32_t inner = cores;
    std::string inner_name = "cores";
    for (std::size_t kind = 0; kind < file.parts.size(); ++kind) {
        const NodeParts& parts = file.parts[kind].value;
        require(kind, inner > parts.count,
                fmt::format("expected the costs of messages within a {}, which has {} {}", parts.name,
                            inner / parts.count, inner_name));
        inner = parts.count;
        inner_name = fmt::format("of `{}`", parts.name);
    }
    require(file.parts.size(), inner > 1,
            fmt::format("expected the costs of messages within a node, which has {} {}", inner, inner_name));
    require(file.parts.size() + 1, true, "expected the costs of messages between nodes");
}

void check_messages(const HardwareFile& file, const Machine& machine, const RankRequest& request, Diagnostics& faults) {
    for (std::size_t at = 0; at < file.layers.size(); ++at) {
        const Layer& layer = file.layers[at];
        const Profile& profile = layer.profile;
        if (profile.empty()) continue;
        Diagnostics found;
        for (const Bytes size : request.sizes) {
            const ProfileRow& row = row_for(profile, size);
            check_row(row, size, layer.row_places[static_cast<std::size_t>(&row - profile.data())], found);
            check_hold_times(file, row, size, found);
            if (row.eager) check_cost(size, row.eager->G_unexpected, layer.G_unexpected_range, found);
            if (!found.empty()) break;  // the largest message suffices as an example
        }
        if (!found.empty() && in_use({static_cast<std::uint8_t>(at)}, machine, request)) faults.add(found);
    }
}

}  // namespace warpfront::machine
