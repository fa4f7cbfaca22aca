#include "simulator/machine/loading/steps.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/machine/loading/xml_meanings.hpp"
#include "simulator/machine/topology_metrics.hpp"

namespace warpfront::machine {

namespace {

constexpr std::int64_t kEnvelope = 16;  // size of SMPI's header in bytes
constexpr std::uint32_t kAllLinks = 1 << 16;

// --- the keys and their values ---------------------------------------------------------------------------------------

/// The defaults of SimGrid 3.32 (its sources sg_config, smpi_config, NetworkModel and network_cm02).
constexpr std::string_view kLatencyFactors =
    "65472:11.6436;15424:3.48845;9376:2.59299;5776:2.18796;3484:1.88101;1426:1.61075;732:1.9503;257:1.95341;0:2.01467";
constexpr std::string_view kBandwidthFactors =
    "65472:0.940694;15424:0.697866;9376:0.58729;5776:1.08739;3484:0.77493;1426:0.608902;732:0.341987;257:0.338112;"
    "0:0.812084";
constexpr std::string_view kNoOverhead = "0:0:0:0:0";

/// The values of a key for messages above a size.
struct Section {
    std::int64_t above = 0;
    std::vector<double> values;  // values of the key; in seconds if they have a unit of time
};
using Sections = std::vector<Section>;  // in ascending order of sizes

/// Reads a value such as `8e-06`, or one with a time unit of SimGrid such as `8us`.
std::optional<double> value_of(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, double>, 10> kUnits{{{"", 1.0},
                                                                          {"w", 604800.0},
                                                                          {"d", 86400.0},
                                                                          {"h", 3600.0},
                                                                          {"m", 60.0},
                                                                          {"s", 1.0},
                                                                          {"ms", 1e-3},
                                                                          {"us", 1e-6},
                                                                          {"ns", 1e-9},
                                                                          {"ps", 1e-12}}};
    const auto number = input::leading_number<double>(text);
    if (!number || number.value < 0.0) return std::nullopt;
    for (const auto& [unit, factor] : kUnits) {
        if (text.substr(number.length) == unit) return number.value * factor;
    }
    return std::nullopt;
}

/// The keys of the platform's `<config>`, with their defaults. Reports errors in their values.
class Configuration {
public:
    Configuration(const PlatformXml& xml, Diagnostics& faults) : xml_(xml), values_(config_of(xml)), faults_(faults) {}

    bool has(std::string_view key) const { return find(key) != nullptr; }
    const PlatformXml& xml() const { return xml_; }
    /// Returns the range of a key. The key must be set.
    SourceRange range_of(std::string_view key) const { return xml_.range_of(find(key)->key); }

    /// Reads sections such as `0:8e-06:7e-10;1420:1.4e-05:2.9e-10`. Each must have at least `least` values.
    Sections sections(std::string_view key, std::string_view otherwise, std::size_t least) {
        const ConfigValue* own = find(key);
        const std::string_view text = own != nullptr ? own->value : otherwise;
        Sections all;
        for (const std::string_view part : parts_of(text, ";")) {
            if (part.empty()) continue;  // empty parts are skipped, as in SimGrid
            const std::vector<std::string_view> words = parts_of(part, ":");
            const auto above = input::number_of<std::int64_t>(words.front());
            Section section{above.value_or(0), {}};
            for (std::size_t k = 1; k < words.size(); ++k) {
                if (const auto value = value_of(words[k])) section.values.push_back(*value);
            }
            if (!above || *above < 0 || section.values.size() + 1 != words.size() || words.size() <= least) {
                report(part, least);
                continue;
            }
            all.push_back(std::move(section));
        }
        std::ranges::stable_sort(all, {}, &Section::above);
        return all;
    }

    /// Reads a number. SimGrid has already checked it.
    double number(std::string_view key, double otherwise) const {
        const ConfigValue* own = find(key);
        return own != nullptr ? input::leading_number<double>(own->value).value : otherwise;
    }
    bool flag(std::string_view key, bool otherwise) const {
        constexpr std::array<std::string_view, 4> kOn{"yes", "on", "true", "1"};
        const ConfigValue* own = find(key);
        return own != nullptr ? std::ranges::find(kOn, own->value) != kOn.end() : otherwise;
    }

private:
    const ConfigValue* find(std::string_view key) const {
        const auto found = std::ranges::find(values_, key, &ConfigValue::key);
        return found == values_.end() ? nullptr : &*found;
    }
    void report(std::string_view part, std::size_t values) {
        faults_.add(DiagnosticKind::bad_xml_number, xml_.range_of(part),
                    fmt::format("`{}` does not have the form of one section of this key", part),
                    values == 1
                        ? "expected a size in bytes and a factor, such as `1426:0.608902`"
                        : "expected a size in bytes, a time and a time per byte, such as `1420:1.4e-05:2.9e-10`");
    }

    const PlatformXml& xml_;
    std::vector<ConfigValue> values_;
    Diagnostics& faults_;
};

/// Returns the factor of the section that contains this size; 1 if the size is below all sections.
double factor_at(const Sections& sections, std::int64_t size) {
    double factor = 1.0;
    for (const Section& section : sections) {
        if (size > section.above) factor = section.values.front();
    }
    return factor;
}

struct Overhead {
    double fixed = 0.0;
    double per_byte = 0.0;
    friend bool operator==(const Overhead&, const Overhead&) = default;
};

/// Returns the overhead of the section that contains this size. The first section also applies to smaller sizes.
Overhead overhead_at(const Sections& sections, std::int64_t size) {
    Overhead overhead;
    for (const Section& section : sections) {
        if (&section == &sections.front() || size > section.above) overhead = {section.values[0], section.values[1]};
    }
    return overhead;
}

struct Keys {
    Sections os, ois, receive, latency, bandwidth;
    std::int64_t asynchronous_below = 0;
    std::int64_t detached_below = 65536;
    double gamma = 4194304.0;
    bool crosstraffic = true;
};

Keys keys_of(Configuration& configuration) {
    Keys keys;
    keys.os = configuration.sections("smpi/os", kNoOverhead, 2);
    keys.ois = configuration.sections("smpi/ois", kNoOverhead, 2);
    keys.receive = configuration.sections("smpi/or", kNoOverhead, 2);
    keys.latency = configuration.sections("smpi/lat-factor", kLatencyFactors, 1);
    keys.bandwidth = configuration.sections("smpi/bw-factor", kBandwidthFactors, 1);
    keys.asynchronous_below = static_cast<std::int64_t>(configuration.number("smpi/async-small-thresh", 0.0));
    keys.detached_below = static_cast<std::int64_t>(configuration.number("smpi/send-is-detached-thresh", 65536.0));
    keys.gamma = configuration.number("network/TCP-gamma", keys.gamma);
    keys.crosstraffic = configuration.flag("network/crosstraffic", true);
    return keys;
}

// --- the routes ------------------------------------------------------------------------------------------------------

struct Network {
    double latency = 0.0;    // the part of a route's latency that L contains, in seconds
    double bandwidth = 0.0;  // lowest bandwidth of a route, in bytes per second
    double alone = 0.0;      // rate of a single flow, without SMPI's factor
    std::uint32_t links_in_L = kAllLinks;
    bool one_latency = true;  // true if all routes have the same latency
    double longest = 0.0;     // latency of the longest route, in seconds
};

/// Returns the number of links on the shortest route of a single cluster, not counting limiters, which have no latency.
/// Returns nothing if all routes have the same latency.
std::optional<std::uint32_t> nearest(const Zone& zone) {
    return std::visit(
        []<class ZoneRoutes>(const ZoneRoutes& routes) -> std::optional<std::uint32_t> {
            if constexpr (
                requires { routes.link_latency; } && requires { routes.limiter; } &&
                !std::is_same_v<ZoneRoutes, StarRoutes>) {
                return std::is_same_v<ZoneRoutes, TorusRoutes> ? 1 : 2;
            }
            return std::nullopt;
        },
        zone);
}

/// Returns the network of the platform. Returns nothing, with an error, if the platform has too many hosts to compare
/// their routes, if no route has links, or if the bandwidths of routes differ.
std::optional<Network> network_of(const Platform& platform, PlatformLoader& loader, const LikeSmpi& like,
                                  bool crosstraffic, Diagnostics& faults) {
    if (is_irregular(platform.zone) && platform.hosts > kMostHostsPaired) {
        faults.add(
            DiagnosticKind::platform_limits, like.range,
            fmt::format("the routes between {} hosts are too many to be compared", platform.hosts),
            fmt::format("expected a platform of one `<cluster>` or of at most {} hosts, or rows in place of `like`",
                        kMostHostsPaired));
        return std::nullopt;
    }
    const auto pairs = is_irregular(platform.zone) ? host_pairs(platform.hosts) : std::vector<HostPair>{{{0}, {1}}};
    const auto rates = platform.hosts < 2 ? std::vector<RouteRates>() : loader.rates(pairs, faults);
    if (!rates) return std::nullopt;
    if (rates->empty()) {
        faults.add(DiagnosticKind::no_route, like.range, "no two hosts of the platform have a route with links",
                   "expected rows in place of `like`: SMPI multiplies the latency and bandwidth of routes");
        return std::nullopt;
    }
    const auto alone = [&](const RouteRates& each) { return crosstraffic ? each.with_crosstraffic : each.bandwidth; };
    const auto [slowest, fastest] = std::ranges::minmax(*rates, {}, alone);
    if (alone(slowest) != alone(fastest)) {
        faults.add(DiagnosticKind::bad_link, like.range,
                   fmt::format("some routes have {:.6g} B/s, others {:.6g} B/s", alone(slowest), alone(fastest)),
                   "expected routes of the same bandwidth, or rows in place of `like`");
        return std::nullopt;
    }
    const auto [near, far] = std::ranges::minmax(*rates, {}, &RouteRates::latency);
    Network network{near.latency, slowest.bandwidth, alone(slowest)};
    network.longest = far.latency;
    network.one_latency = near.latency == far.latency;
    if (!network.one_latency) network.links_in_L = 0;
    if (const auto links = nearest(platform.zone)) {
        const LongestRoute longest = longest_route(platform.zone);
        network.links_in_L = *links;
        network.longest = static_cast<double>(longest.links) * seconds(longest.link_latency);
        network.latency = *links * seconds(longest.link_latency);
        network.one_latency = false;
    }
    if (network.links_in_L == 0) network.latency = 0.0;
    return network;
}

// --- the rows --------------------------------------------------------------------------------------------------------

/// Returns the row for messages of this size. It is valid up to the next limit.
ProfileRow row_at(const Keys& keys, const Network& network, const LikeSmpi& like, std::int64_t size,
                  Diagnostics& faults) {
    const auto time = [&](double value) {
        const auto known = from_seconds(value);
        if (known || !faults.empty()) return known.value_or(Time{});
        faults.add(DiagnosticKind::cost_too_large, like.range, fmt::format("SMPI's keys state a cost of {} s", value),
                   fmt::format("expected at most {} s", seconds(kLongestCost)));
        return Time{};
    };
    const double latency_factor = factor_at(keys.latency, size + kEnvelope);
    const double bandwidth_factor = factor_at(keys.bandwidth, size + kEnvelope);
    const double window = network.latency > 0.0 ? keys.gamma / (2 * network.latency) : network.alone;
    const double rate = std::min(std::min(network.alone, window) * bandwidth_factor, network.bandwidth);
    ProfileRow row;
    row.G = {1.0 / rate};
    row.holds_links = like.holds_links;
    row.packet = like.holds_links ? like.packet : Packet{};
    row.sender_goes_on = SenderGoesOn::received;
    if (!network.one_latency) row.latency_factor = latency_factor;
    const Time latency = time(network.latency * latency_factor + static_cast<double>(kEnvelope) / rate);
    if (size >= keys.detached_below) {
        row.protocol = Protocol::rendezvous;
        row.o_ack = latency;
        return row;
    }
    const Overhead send = overhead_at(keys.os, size);
    const Overhead receive = overhead_at(keys.receive, size);
    row.o_send = time(send.fixed);
    row.G_send = {send.per_byte};
    row.o_recv = time(receive.fixed);
    row.G_recv = {receive.per_byte};
    row.L = latency;
    return row;
}

/// Returns the sizes at which a value changes.
std::set<std::int64_t> limits_of(const Keys& keys) {
    std::set<std::int64_t> limits{keys.asynchronous_below - 1, keys.detached_below - 1};
    for (const Sections* sections : {&keys.os, &keys.ois, &keys.receive}) {
        for (const Section& section : *sections) limits.insert(section.above);
    }
    for (const Sections* sections : {&keys.latency, &keys.bandwidth}) {
        for (const Section& section : *sections) limits.insert(section.above - kEnvelope);
    }
    limits.erase(limits.begin(), limits.lower_bound(0));
    return limits;
}

Profile profile_of(const Keys& keys, const Network& network, const LikeSmpi& like, Diagnostics& faults) {
    Profile rows;
    const std::set<std::int64_t> limits = limits_of(keys);
    const auto add = [&](ProfileRow row, std::optional<Bytes> up_to) {
        row.up_to = rows.empty() ? up_to : rows.back().up_to;
        if (!rows.empty() && row == rows.back()) rows.pop_back();
        row.up_to = up_to;
        rows.push_back(std::move(row));
    };
    for (const std::int64_t limit : limits) add(row_at(keys, network, like, limit, faults), Bytes{limit});
    add(row_at(keys, network, like, limits.empty() ? 0 : *limits.rbegin() + 1, faults), std::nullopt);
    return rows;
}

// --- notes -----------------------------------------------------------------------------------------------------------

class Notes {
public:
    Notes(const Configuration& configuration, const LikeSmpi& like, std::vector<std::string>& notes)
        : configuration_(configuration), like_(like), notes_(notes) {}

    void add(const Keys& keys, const Network& network) {
        unused_keys();
        sends(keys);
        bandwidth(keys, network);
        latency(keys, network);
        properties();
    }

private:
    void unused_keys() {
        for (const auto& [key, unused] : {std::pair{"smpi/lat-factor", "network/latency-factor"},
                                          std::pair{"smpi/bw-factor", "network/bandwidth-factor"}}) {
            if (!configuration_.has(unused)) continue;
            note(unused, fmt::format("`{}` has no effect: the network model of SMPI uses `{}`", unused, key));
        }
    }

    void sends(const Keys& keys) {
        if (keys.asynchronous_below < keys.detached_below) {
            note("smpi/async-small-thresh",
                 fmt::format(
                     "messages of {} to {} B travel as soon as they are sent; SMPI also waits for their receive, since "
                     "`smpi/async-small-thresh` is {}",
                     keys.asynchronous_below, keys.detached_below - 1, keys.asynchronous_below));
        }
        std::set<std::int64_t> limits = limits_of(keys);
        limits.insert(limits.empty() ? 0 : *limits.rbegin() + 1);
        const auto differ = [&](std::int64_t size) {
            const Overhead blocking = size < keys.detached_below ? overhead_at(keys.os, size) : Overhead{};
            return overhead_at(keys.ois, size) != blocking;
        };
        if (std::ranges::none_of(limits, differ)) return;
        note(configuration_.has("smpi/ois") ? "smpi/ois" : "smpi/os",
             "nonblocking sends take the overhead of blocking sends; in SMPI, they take the overhead of `smpi/ois`");
    }

    void bandwidth(const Keys& keys, const Network& network) {
        const double best =
            std::ranges::max(keys.bandwidth, {}, [](const Section& each) { return each.values[0]; }).values[0];
        if (best * network.alone <= network.bandwidth) return;
        note("smpi/bw-factor",
             fmt::format("no message is faster than its slowest link: a factor of {:.6g} has the effect of {:.6g}",
                         best, network.bandwidth / network.alone));
    }

    void latency(const Keys& keys, const Network& network) {
        if (network.one_latency) return;
        if (keys.gamma / (2 * network.longest) < network.alone) {
            note("network/TCP-gamma",
                 "`network/TCP-gamma` limits all routes like the route between neighbours; SimGrid limits longer "
                 "routes more");
        }
        if (network.links_in_L > 0) return;
        note("like", "closed forms charge no latency: the latency of a route does not follow from its number of links");
    }

    /// Notes properties of hosts that replace keys of `<config>` in SMPI. This program does not use such properties.
    void properties() {
        for (const XmlElement& element : configuration_.xml().elements()) {
            const XmlElement* parent = configuration_.xml().parent_of(element);
            if (element.name != "prop" || parent == nullptr || parent->name == "config") continue;
            const std::string_view key = element.value_of("id");
            if (key != "smpi/os" && key != "smpi/ois" && key != "smpi/or") continue;
            const std::string place = input::text_of(configuration_.xml().range_of(key));
            notes_.push_back(fmt::format("{}: `{}` of a `<{}>` has no effect: all hosts use the value in `<config>`",
                                         place, key, parent->name));
            return;
        }
    }

    /// Adds a note at the key, or at the word `smpi` if the key is not set.
    void note(std::string_view key, const std::string& text) {
        const SourceRange range = configuration_.has(key) ? configuration_.range_of(key) : like_.range;
        notes_.push_back(fmt::format("{}: {}", input::text_of(range), text));
    }

    const Configuration& configuration_;
    const LikeSmpi& like_;
    std::vector<std::string>& notes_;
};

}  // namespace

std::vector<HostPair> host_pairs(std::uint32_t hosts) {
    std::vector<HostPair> pairs;
    for (std::uint32_t from = 0; from < hosts; ++from) {
        for (std::uint32_t to = 0; to < hosts; ++to) {
            if (from != to) pairs.push_back({{from}, {to}});
        }
    }
    return pairs;
}

void use_smpi_costs(const PlatformXml& xml, const Platform& platform, PlatformLoader& loader, HardwareFile& file,
                    Diagnostics& faults) {
    Layer& layer = file.layers.back();
    const LikeSmpi& like = *layer.like;
    Diagnostics found;
    Configuration configuration(xml, found);
    const Keys keys = keys_of(configuration);
    if (keys.asynchronous_below > keys.detached_below) {
        found.add(DiagnosticKind::bad_xml_number,
                  configuration.range_of(configuration.has("smpi/async-small-thresh") ? "smpi/async-small-thresh"
                                                                                      : "smpi/send-is-detached-thresh"),
                  fmt::format("`smpi/async-small-thresh` of {} is above `smpi/send-is-detached-thresh` of {}",
                              keys.asynchronous_below, keys.detached_below),
                  "expected at most the value of `smpi/send-is-detached-thresh`, as in SMPI");
    }
    const auto network = found.empty() ? network_of(platform, loader, like, keys.crosstraffic, found) : std::nullopt;
    if (network) layer.profile = profile_of(keys, *network, like, found);
    faults.add(found);
    if (!found.empty()) return;
    layer.row_places.assign(layer.profile.size(), {like.range, like.range, like.range, like.range});
    file.links_in_L = network->links_in_L;
    Notes(configuration, like, file.notes).add(keys, *network);
}

}  // namespace warpfront::machine
