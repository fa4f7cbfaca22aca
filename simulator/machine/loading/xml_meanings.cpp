#include "simulator/machine/loading/xml_meanings.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/input/source.hpp"

namespace warpfront::machine {

struct XmlContext {
    const PlatformXml& xml;
    std::unordered_set<std::string_view> crossed;  // links that a route or a host names
};

namespace {

using enum XmlEffect;

// --- conditions of rows ----------------------------------------------------------------------------------------------

bool equal_in_any_case(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b,
                              [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool is_in_zone_of(const XmlContext& context, const XmlElement& element, std::string_view routing) {
    const XmlElement* zone = context.xml.parent_of(element);
    return zone != nullptr && equal_in_any_case(zone->value_of("routing"), routing);
}

bool not_in_vivaldi(const XmlContext& context, const XmlElement& element) {
    return !is_in_zone_of(context, element, "Vivaldi");
}

bool not_in_cluster(const XmlContext& context, const XmlElement& element) {
    return !is_in_zone_of(context, element, "Cluster");
}

bool is_flat(const XmlContext&, const XmlElement& cluster) {
    const std::string_view topology = cluster.value_of("topology");
    return topology.empty() || topology == "FLAT";
}

bool not_flat(const XmlContext& context, const XmlElement& cluster) { return !is_flat(context, cluster); }

bool is_fatpipe(const XmlContext&, const XmlElement& element) {
    return element.value_of("sharing_policy") == "FATPIPE";
}

bool is_wifi(const XmlContext&, const XmlElement& link) { return link.value_of("sharing_policy") == "WIFI"; }

bool is_wifi_zone(const XmlContext&, const XmlElement& zone) {
    return equal_in_any_case(zone.value_of("routing"), "Wifi");
}

bool leads_to_itself(const XmlContext&, const XmlElement& route) {
    return route.value_of("src") == route.value_of("dst");
}

bool is_on_no_route(const XmlContext& context, const XmlElement& link) {
    return !context.crossed.contains(link.value_of("id"));
}

// --- the table -------------------------------------------------------------------------------------------------------

// Texts of rows without effect. They are predicates of the notes.
constexpr std::string_view kSpeed =
    "has no effect: computing times come from the scenario and from `processor` of the hardware file";
constexpr std::string_view kSpeedProfile = "has no effect: the speed of a host does not change during a run";
constexpr std::string_view kHostProfile = "has no effect: hosts do not fail";
constexpr std::string_view kBandwidthProfile =
    "has no effect after time 0: the link has its bandwidth of time 0 throughout the run";
constexpr std::string_view kLatencyProfile =
    "has no effect after time 0: the link has its latency of time 0 throughout the run";
constexpr std::string_view kLinkProfile = "has no effect: links do not fail";
constexpr std::string_view kProfile =
    "has no effect after time 0: links have their bandwidth and latency of time 0 throughout the run, and nothing "
    "fails";
constexpr std::string_view kWithinHost =
    "has no effect: messages within a host have the costs of `layers` and use no link";
constexpr std::string_view kNotVivaldi = "has no effect: the element is outside of a `Vivaldi` zone";
constexpr std::string_view kNotCluster = "has no effect: the element is outside of a `Cluster` zone";
constexpr std::string_view kNoBackbone = "has no effect: only a flat cluster has a backbone";
// Texts of refused rows. They describe what the program expects.
constexpr std::string_view kWifi =
    "a `Full` zone with a link for each station: stations that share the rate of a radio are not simulated";

constexpr std::array kMeanings{
    XmlMeaning{"trace", "", "", different, kProfile},
    XmlMeaning{"random", "", "", unused, "has no effect: SimGrid 3.32 ignores it"},
    XmlMeaning{"trace_connect", "", "", different, kProfile},
    XmlMeaning{"AS", "routing", "Wifi", refused, kWifi, is_wifi_zone},
    XmlMeaning{"zone", "routing", "Wifi", refused, kWifi, is_wifi_zone},
    XmlMeaning{"host", "speed_file", "", different, kSpeedProfile},
    XmlMeaning{"host", "availability_file", "", different, kSpeedProfile},
    XmlMeaning{"host", "state_file", "", different, kHostProfile},
    XmlMeaning{"host", "coordinates", "outside of a Vivaldi zone", unused, kNotVivaldi, not_in_vivaldi},
    XmlMeaning{"host", "pstate", "", unused, kSpeed},
    XmlMeaning{"host_link", "", "outside of a Cluster zone", unused, kNotCluster, not_in_cluster},
    XmlMeaning{"cluster", "sharing_policy", "FATPIPE", unused,
               "has no effect: the links of a cluster are `SHARED` in SimGrid 3.32", is_fatpipe},
    XmlMeaning{"cluster", "topo_parameters", "a flat cluster", unused, "has no effect: a flat cluster has no shape",
               is_flat},
    XmlMeaning{"cluster", "bb_bw", "other than a flat cluster", unused, kNoBackbone, not_flat},
    XmlMeaning{"cluster", "bb_lat", "other than a flat cluster", unused, kNoBackbone, not_flat},
    XmlMeaning{"cluster", "bb_sharing_policy", "other than a flat cluster", unused, kNoBackbone, not_flat},
    XmlMeaning{"cluster", "router_id", "other than a flat cluster", unused,
               "has no effect: only a flat cluster has a router of its own", not_flat},
    XmlMeaning{"cluster", "loopback_bw", "", unused, kWithinHost},
    XmlMeaning{"cluster", "loopback_lat", "", unused, kWithinHost},
    XmlMeaning{"cabinet", "", "outside of a Cluster zone", unused, kNotCluster, not_in_cluster},
    XmlMeaning{"peer", "lat", "", unused, "has no effect: SimGrid 3.32 takes the latency from `coordinates`"},
    XmlMeaning{"peer", "speed_file", "", different, kSpeedProfile},
    XmlMeaning{"peer", "availability_file", "", different, kSpeedProfile},
    XmlMeaning{"peer", "state_file", "", different, kHostProfile},
    XmlMeaning{"router", "coordinates", "outside of a Vivaldi zone", unused, kNotVivaldi, not_in_vivaldi},
    XmlMeaning{"backbone", "", "outside of a Cluster zone", unused, kNotCluster, not_in_cluster},
    XmlMeaning{"link", "id", "on no route", unused, "has no effect: no route crosses the link", is_on_no_route},
    XmlMeaning{"link", "bandwidth_file", "", different, kBandwidthProfile},
    XmlMeaning{"link", "latency_file", "", different, kLatencyProfile},
    XmlMeaning{"link", "state_file", "", different, kLinkProfile},
    XmlMeaning{"link", "sharing_policy", "WIFI", refused, kWifi, is_wifi},
    XmlMeaning{"route", "dst", "the same as `src`", unused, kWithinHost, leads_to_itself},
    XmlMeaning{"prop", "", "", unused, "has no effect: only plugins of SimGrid and simulated programs read properties"},
};

/// Returns true if the element is a `<prop>` of `<config>`. Another table describes these (config_groups).
bool is_configuration(const PlatformXml& xml, const XmlElement& element) {
    const XmlElement* parent = xml.parent_of(element);
    return element.name == "prop" && parent != nullptr && parent->name == "config";
}

XmlContext context_of(const PlatformXml& xml) {
    XmlContext context{xml, {}};
    for (const XmlElement& element : xml.elements()) {
        if (element.name == "link_ctn") context.crossed.insert(element.value_of("id"));
        if (element.name != "host_link") continue;
        for (const std::string_view end : {"up", "down"}) context.crossed.insert(element.value_of(end));
    }
    return context;
}

/// Returns the part of the text that the row describes; empty if the element does not have it.
std::string_view part_of(const XmlMeaning& row, const XmlContext& context, const XmlElement& element) {
    if (row.element != element.name || is_configuration(context.xml, element)) return {};
    const std::string_view part = row.attribute.empty() ? element.name : element.value_of(row.attribute);
    return part.empty() || row.applies == nullptr || row.applies(context, element) ? part : std::string_view();
}

std::string more(std::size_t count) { return count == 1 ? "" : fmt::format(" (and {} more)", count - 1); }

// --- configuration ---------------------------------------------------------------------------------------------------

const std::vector<ConfigGroup> kGroups{
    {{"smpi/os", "smpi/ois", "smpi/or", "smpi/lat-factor", "smpi/bw-factor", "smpi/async-small-thresh",
      "smpi/send-is-detached-thresh", "network/latency-factor", "network/bandwidth-factor", "network/TCP-gamma",
      "network/crosstraffic"},
     different,
     "the costs of messages are those of `layers`; `layers: {network: {like: smpi}}` takes the costs from these keys"},
    {{"smpi/coll-selector", "smpi/allgather", "smpi/allgatherv", "smpi/allreduce", "smpi/alltoall", "smpi/alltoallv",
      "smpi/barrier", "smpi/bcast", "smpi/gather", "smpi/reduce", "smpi/reduce_scatter", "smpi/scatter",
      "smpi/finalization-barrier"},
     different,
     "the algorithms of collectives are those of `collectives` in the hardware file"},
    {{"smpi/host-speed", "smpi/cpu-threshold", "smpi/simulate-computation", "smpi/comp-adjustment-file", "smpi/init",
      "smpi/iprobe", "smpi/iprobe-cpu-usage", "smpi/test", "smpi/wtime", "smpi/grow-injected-times"},
     different,
     "the scenario's model or trace states the times of computing"},
    {{"network/", "smpi/IB-penalty-factors", "host/model", "cpu/model", "disk/model", "maxmin/concurrency-limit"},
     different,
     "the simulated machine is that of the hardware file, not a model of SimGrid"},
    {{}, unused, "only SimGrid's own programs read such keys"},
};

bool covers(const ConfigGroup& group, std::string_view key) {
    return group.keys.empty() || std::ranges::any_of(group.keys, [&](std::string_view each) {
               return each.ends_with('/') ? key.starts_with(each) : key == each;
           });
}

}  // namespace

std::span<const XmlMeaning> xml_meanings() { return kMeanings; }

std::vector<std::string> notes_on(const PlatformXml& xml, XmlEffect effect) {
    const XmlContext context = context_of(xml);
    std::vector<std::pair<std::size_t, std::string>> notes;  // notes with their offsets in the text
    for (const XmlMeaning& row : kMeanings) {
        if (row.effect != effect) continue;
        std::size_t count = 0;
        std::string_view first;
        for (const XmlElement& element : xml.elements()) {
            const std::string_view part = part_of(row, context, element);
            if (!part.empty() && ++count == 1) first = part;
        }
        if (count == 0) continue;
        const std::string what = row.attribute.empty() ? fmt::format("`<{}>`", row.element)
                                                       : fmt::format("`{}` of `<{}>`", row.attribute, row.element);
        const SourceRange range = xml.range_of(first);
        notes.emplace_back(range.offset,
                           fmt::format("{}: {} {}{}", input::text_of(range), what, row.text, more(count)));
    }
    std::ranges::stable_sort(notes, {}, &std::pair<std::size_t, std::string>::first);
    std::vector<std::string> texts;
    for (auto& [place, text] : notes) texts.push_back(std::move(text));
    return texts;
}

void refuse_meanings(const PlatformXml& xml, Diagnostics& faults) {
    const XmlContext context = context_of(xml);
    for (const XmlElement& element : xml.elements()) {
        for (const XmlMeaning& row : kMeanings) {
            if (row.effect != refused) continue;
            const std::string_view part = part_of(row, context, element);
            if (part.empty()) continue;
            faults.add(DiagnosticKind::bad_link, xml.range_of(part),
                       fmt::format("`{}` of `<{}>` is `{}`, which is not simulated", row.attribute, row.element, part),
                       fmt::format("expected {}", row.text));
        }
    }
}

std::span<const ConfigGroup> config_groups() { return kGroups; }

std::vector<ConfigValue> config_of(const PlatformXml& xml) {
    std::vector<ConfigValue> values;
    for (const XmlElement& element : xml.elements()) {
        if (!is_configuration(xml, element)) continue;
        const std::string_view key = element.value_of("id");
        if (std::ranges::find(values, key, &ConfigValue::key) == values.end()) {
            values.push_back({key, element.value_of("value")});
        }
    }
    return values;
}

std::vector<std::string> config_notes(const PlatformXml& xml, XmlEffect effect, bool costs_in_use) {
    const std::vector<ConfigValue> values = config_of(xml);
    std::vector<std::vector<std::string_view>> keys(kGroups.size());
    for (const ConfigValue& each : values) {
        const auto group = std::ranges::find_if(kGroups, [&](const auto& it) { return covers(it, each.key); });
        keys[static_cast<std::size_t>(group - kGroups.begin())].push_back(each.key);
    }
    std::vector<std::string> notes;
    for (std::size_t k = costs_in_use ? 1 : 0; k < keys.size(); ++k) {
        const ConfigGroup& group = kGroups[k];
        if (group.effect != effect || keys[k].empty()) continue;
        notes.push_back(fmt::format("{}: `{}` of `<config>` {} no effect: {}",
                                    input::text_of(xml.range_of(keys[k].front())), fmt::join(keys[k], "`, `"),
                                    keys[k].size() == 1 ? "has" : "have", group.text));
    }
    return notes;
}

}  // namespace warpfront::machine
