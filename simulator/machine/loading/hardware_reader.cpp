#include "simulator/machine/loading/hardware_reader.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/hardware_collectives.hpp"
#include "simulator/machine/loading/hardware_layers.hpp"
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

constexpr std::int64_t kMostLinksCovered = 1 << 16;

const std::vector<std::string> kSizes{"fit", "exact"};

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
    if (file.links && file.links->arbitration) {
        faults.add(DiagnosticKind::conflicting_keys, range, "adaptive routing and `arbitration` of `links`",
                   "expected `minimal` or `valiant`: the pairs that share a link must be known before the run");
    }
    const auto holds = [](const ProfileRow& row) { return row.holds_links; };
    const Profile& network = file.layers.back().profile;
    if (std::any_of(network.begin(), network.end(), holds)) return;
    file.notes.push_back(
        fmt::format("{}: adaptive routing is minimal: no message of `network` holds `links`", input::text_of(range)));
}

/// Reports a topology that the cables of all NICs make too large.
void check_cables(const HardwareFile& file, Diagnostics& faults) {
    if (!file.topology.value) return;
    const RegularZone& zone = file.topology.value->zone;
    const double links = links_of(zone, cabling_of(zone, file.cabling(), file.nics));
    if (links <= kMostLinks) return;
    faults.add(DiagnosticKind::platform_limits, file.topology.range,
               fmt::format("a network of about {:.2g} links with the cables of {} NICs per node", links, file.nics),
               fmt::format("expected at most {:.2g}", kMostLinks));
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
    check_cables(file, faults);
    file.processor = read_processor(reader.take("processor"), faults);
    file.collectives = read_collectives(reader.take("collectives"), faults);
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
