// Loads a platform with SimGrid: applies the overrides of links by name, checks the links, and finds routes. For a
// regular cluster, two routes are a sample of all others.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/loading/platform.hpp"
#include "simulator/machine/loading/platform_loader.hpp"
#include "simulator/machine/loading/xml_cluster.hpp"
#include "simulator/machine/loading/xml_elements.hpp"
#include "simulator/process/module.hpp"
#include "simulator/simgrid/s4u.hpp"

/// Declared in smpi/smpi.h, which redefines functions of the system.
extern "C" void smpi_init_options();

namespace warpfront::machine {

namespace {

namespace s4u = simgrid::s4u;
using input::DiagnosticKind;
using input::Diagnostics;
using HostList = std::vector<s4u::Host*>;

/// Returns true if the link's name has this ending, by which SimGrid marks the kinds of links of a cluster.
bool is_named(const s4u::Link* link, std::string_view ending) {
    return std::string_view(link->get_name()).ends_with(ending);
}

constexpr std::size_t kMostNamesTried = 1000;

std::string kind_of(const SingleCluster& cluster) {
    constexpr std::array names{"torus", "flat", "fat_tree", "dragonfly"};  // in the order of Zone
    return names[cluster.shape.index()];
}

/// Returns true if `name` includes the link.
bool includes(const std::string& name, const s4u::Link* link, const std::optional<SingleCluster>& cluster) {
    if (name == "all" || name == link->get_name()) return true;
    if (name == "limiter" || name == "backbone") return is_named(link, "_" + name);
    for (const std::string_view ending : {"_limiter", "_backbone", "_loopback"}) {
        if (is_named(link, ending)) return false;
    }
    if (cluster) return name == cluster->id || name == kind_of(*cluster);
    return link->get_name().starts_with(name + "_link_");
}

void apply(const LinkOverride& overriding, s4u::Link* link) {
    const auto value = [](const LinkOverride::Value& it, double now) {
        return it.relative ? it.number * now : it.number;
    };
    if (overriding.bandwidth) link->set_bandwidth(value(*overriding.bandwidth, link->get_bandwidth()));
    if (overriding.latency) link->set_latency(value(*overriding.latency, link->get_latency()));
}

std::string suggestion_for(const std::string& name, const std::vector<s4u::Link*>& links,
                           const std::optional<SingleCluster>& cluster) {
    const auto is_upward = [&](const s4u::Link* link) { return link->get_name() == name + "_UP"; };
    if (std::any_of(links.begin(), links.end(), is_upward)) {
        return fmt::format("expected `{0}_UP` or `{0}_DOWN`, since SimGrid has a link for each direction", name);
    }
    std::vector<std::string> names;
    if (cluster) names = {kind_of(*cluster), cluster->id, "limiter", "backbone"};
    std::erase(names, name);  // this cluster has no limiter, or no backbone
    names.emplace_back("all");
    for (std::size_t k = 0; !cluster && k < links.size() && k < kMostNamesTried; ++k) {
        names.push_back(links[k]->get_name());
    }
    return input::suggestion(name, names);
}

/// Applies the overrides, one after another, to the links that they name (platform.hpp). Must be called before routes
/// are found. `cluster` is set if the platform is a single cluster. Returns the overrides that name no link.
UnknownLinks override_links(const s4u::Engine& engine, const std::vector<LinkOverride>& overrides,
                            const std::optional<SingleCluster>& cluster) {
    UnknownLinks unknown;
    const std::vector<s4u::Link*> links = engine.get_all_links();
    for (std::size_t k = 0; k < overrides.size(); ++k) {
        bool found = false;
        for (s4u::Link* link : links) {
            if (!includes(overrides[k].name, link, cluster)) continue;
            found = true;
            apply(overrides[k], link);
        }
        if (!found) unknown.emplace_back(k, suggestion_for(overrides[k].name, links, cluster));
    }
    return unknown;
}

/// Removes the function's name from a message: if the C++ library cannot convert a number, SimGrid reports "Invalid
/// coordinate: stod".
std::string without_function(std::string_view refusal) {
    for (const std::string_view function : {"stoi", "stol", "stoul", "stod"}) {
        if (refusal == function) return "one of its numbers cannot be read";
        if (refusal.ends_with(fmt::format(": {}", function))) {
            refusal.remove_suffix(function.size() + 2);
            return fmt::format("{}, which is not a number", refusal);
        }
    }
    return std::string(refusal);
}

std::string remedy_for(std::string_view refusal) {
    const auto says = [&](std::string_view part) { return refusal.find(part) != std::string_view::npos; };
    if (says("THIS FILE")) return "expected version=\"4\" or version=\"4.1\"";
    if (says("unknown unit")) return "expected a unit of SimGrid, such as `GBps`, `Gbps`, `us` or `Gf`";
    return {};
}

constexpr std::string_view kBadKey = "Bad config key: ";

/// Adds an error for an unknown key. SimGrid reports "Bad config key: KEY", and a line for each of its keys: "  KEY:
/// (TYPE)VALUE".
void add_unknown_key(const PlatformXml& xml, std::string_view what, Diagnostics& faults) {
    what.remove_prefix(kBadKey.size());
    const std::string key(what.substr(0, what.find('\n')));
    std::vector<std::string> known;
    while (what.find('\n') != std::string_view::npos) {
        what.remove_prefix(what.find('\n') + 1);
        const std::string_view line = input::trimmed(what.substr(0, what.find('\n')), " ");
        const std::size_t end = line.find(": (");
        if (end != std::string_view::npos) known.emplace_back(line.substr(0, end));
    }
    faults.add(DiagnosticKind::unknown_key, xml.range_of_message("`" + key + "`"),
               fmt::format("SimGrid 3.32 has no configuration key `{}`", key), input::suggestion(key, known));
}

/// Adds an error of loading. SimGrid reports "Parse error at FILE:LINE: TEXT"; only its first line describes the error.
void add_load_error(const PlatformXml& xml, const std::filesystem::path& file, std::string_view what,
                    Diagnostics& faults) {
    if (what.starts_with(kBadKey)) return add_unknown_key(xml, what, faults);
    what = what.substr(0, what.find('\n'));
    const std::string prefix = std::filesystem::absolute(file).string() + ":";
    const std::size_t at = what.find(prefix);
    unsigned line = 0;
    if (at != std::string_view::npos) {
        const std::string_view rest = what.substr(at + prefix.size());
        const auto number = input::leading_number<unsigned>(rest);
        if (number) what = rest.substr(number.length);
        line = number.value;
    }
    what.remove_prefix(std::min(what.find_first_not_of(":* "), what.size()));
    const std::size_t last = what.find_last_not_of("*:. ");
    what = what.substr(0, last == std::string_view::npos ? 0 : last + 1);
    faults.add(DiagnosticKind::platform_error, line > 0 ? xml.range_of_line(line, what) : xml.range_of_message(what),
               fmt::format("simgrid refuses this platform: {}", without_function(what)), remedy_for(what));
}

void gather_hosts(const s4u::NetZone* zone, HostList& hosts) {
    HostList own = zone->get_all_hosts();  // by name, with n10 before n2
    std::sort(own.begin(), own.end(),
              [](const s4u::Host* a, const s4u::Host* b) { return a->get_netpoint()->id() < b->get_netpoint()->id(); });
    hosts.insert(hosts.end(), own.begin(), own.end());
    for (const s4u::NetZone* child : zone->get_children()) gather_hosts(child, hosts);
}

void check_links(const s4u::Engine& engine, const PlatformXml& xml, Diagnostics& faults) {
    std::set<std::size_t> reported;  // the links of a cluster share one range
    for (const s4u::Link* link : engine.get_all_links()) {
        const double bandwidth = link->get_bandwidth();
        const double latency = link->get_latency();
        const bool dead = !(bandwidth > 0.0);
        if (!dead && latency >= 0.0 && std::isfinite(latency)) continue;
        const input::SourceRange range = xml.range_of_name(link->get_name());
        if (!reported.insert(range.offset).second) continue;
        faults.add(DiagnosticKind::bad_link, range,
                   dead ? fmt::format("link `{}` has a bandwidth of {} B/s", link->get_name(), bandwidth)
                        : fmt::format("link `{}` has a latency of {} s", link->get_name(), latency),
                   dead ? "expected more than 0 B/s" : "expected 0 s or more");
    }
}

void count_cores(const HostList& hosts, Platform& platform) {
    const auto [least, most] = std::minmax_element(hosts.begin(), hosts.end(), [](const auto* a, const auto* b) {
        return a->get_core_count() < b->get_core_count();
    });
    platform.cores = static_cast<std::uint32_t>(std::max((*least)->get_core_count(), 1));
    platform.most_cores = static_cast<std::uint32_t>(std::max((*most)->get_core_count(), 1));
}

std::vector<PlatformDisk> disks_of(const HostList& hosts) {
    std::vector<PlatformDisk> disks;
    for (const s4u::Host* host : hosts) {
        for (const s4u::Disk* each : host->get_disks()) {
            const PlatformDisk disk{each->get_name(), {each->get_read_bandwidth()}, {each->get_write_bandwidth()}};
            const auto known = std::ranges::find(disks, disk.name, &PlatformDisk::name);
            if (known == disks.end()) {
                disks.push_back(disk);
                continue;
            }
            ++known->count;
            known->alike = known->alike && known->read == disk.read && known->write == disk.write;
        }
    }
    return disks;
}

struct SimGridRoute {
    std::vector<s4u::Link*> links;
    double latency = 0.0;
};

SimGridRoute route(const s4u::Host* from, const s4u::Host* to) {
    SimGridRoute found;
    from->route_to(to, found.links, &found.latency);
    return found;
}

/// Returns the latency; nothing, and an error, if virtual time cannot represent it.
std::optional<Time> latency_of(const SimGridRoute& found, const std::string& from, const PlatformXml& xml,
                               Diagnostics& faults) {
    const auto latency = from_seconds(found.latency);
    if (!latency) {
        faults.add(DiagnosticKind::cost_too_large, xml.range_of_name(from),
                   fmt::format("a route from `{}` has a latency of {} s", from, found.latency),
                   fmt::format("expected at most {} s", seconds(kLongestCost)));
    }
    return latency;
}

Gap gap_of(const s4u::Link* link) { return {1.0 / link->get_bandwidth()}; }

bool contended(const s4u::Link* link) { return link->get_sharing_policy() != s4u::Link::SharingPolicy::FATPIPE; }

/// The properties of all links of a regular cluster, from the routes between hosts 0 and 1 in both directions.
struct Sample {
    SimGridRoute out, back;
    Time latency;  // of the route
    Time link_latency;
    Gap link_gap;  // of a link at a host
    bool duplex = true;
    std::optional<Gap> limiter{};
};

/// Returns the sample; nothing if there is no such route, or if its latency is too long, which is added as an error.
std::optional<Sample> sample(const HostList& hosts, const PlatformXml& xml, Diagnostics& faults) {
    Sample found;
    found.out = route(hosts[0], hosts[1]);
    found.back = route(hosts[1], hosts[0]);
    const auto latency = latency_of(found.out, hosts[0]->get_name(), xml, faults);
    if (!latency || found.out.links.empty() || found.back.links.empty()) return std::nullopt;
    const bool limited = is_named(found.out.links.front(), "_limiter");
    if (limited && found.out.links.size() < 3) return std::nullopt;
    const s4u::Link* first = found.out.links[limited ? 1 : 0];
    found.latency = *latency;
    found.link_latency = from_seconds(first->get_latency()).value_or(*latency);
    found.link_gap = gap_of(first);
    found.duplex = is_named(first, "_UP") || is_named(first, "_DOWN");
    if (limited) found.limiter = gap_of(found.out.links.front());
    return found;
}

/// Returns the zone of a cluster whose routes consist of [limiter] up [backbone] down [limiter].
Zone star(const Sample& sample, std::uint32_t hosts) {
    const std::size_t crossed = sample.out.links.size();
    if (crossed < 2 || crossed > 5 || sample.back.links.size() != crossed) return TableRoutes{};
    StarRoutes star;
    star.links_per_route = static_cast<std::uint32_t>(crossed);
    star.link_latency = sample.link_latency;
    star.backbone_latency = sample.latency - sample.link_latency * 2;
    star.hosts = hosts;
    star.link_gap = sample.link_gap;
    star.duplex = sample.duplex;
    star.limiter = sample.limiter;
    const bool through = crossed % 2 == 1;
    if (through) {
        star.backbone = gap_of(sample.out.links[crossed / 2]);
        star.fatpipe_backbone = !contended(sample.out.links[crossed / 2]);
    }
    return star;
}

/// Returns the zone of a regular cluster, from its shape and a sample of its routes; an irregular one if there is no
/// such sample.
Zone regular(const SingleCluster& cluster, const HostList& hosts, const PlatformXml& xml, Diagnostics& faults) {
    if (cluster.hosts < 2) return TableRoutes{};
    const auto found = sample(hosts, xml, faults);
    if (!found) return TableRoutes{};
    if (std::holds_alternative<StarRoutes>(cluster.shape)) {
        return star(*found, static_cast<std::uint32_t>(cluster.hosts));
    }
    Zone zone = cluster.shape;
    const auto of_links = [&](std::uint32_t links) { return Gap{found->link_gap.seconds_per_byte / links}; };
    const auto fill_in = [&]<class ZoneRoutes>(ZoneRoutes& routes) {
        if constexpr (requires { routes.link_gap; }) routes.link_gap = found->link_gap;
        if constexpr (requires { routes.duplex; }) {
            routes.link_latency = found->link_latency;
            routes.duplex = found->duplex;
            routes.limiter = found->limiter;
        }
        if constexpr (std::is_same_v<ZoneRoutes, DragonflyRoutes>) {
            routes.local = found->link_gap;
            routes.green = of_links(cluster.green);
            routes.black = of_links(cluster.black);
            routes.blue = of_links(cluster.blue);
        }
    };
    std::visit(fill_in, zone);
    return zone;
}

/// The number that each link of SimGrid has in the routes.
using LinkNumbers = std::unordered_map<const s4u::Link*, LinkId>;

LinkId number_of(const s4u::Link* link, LinkNumbers& numbers, TableRoutes& routes) {
    const auto [known, is_new] = numbers.emplace(link, LinkId{static_cast<std::uint32_t>(routes.gaps.size())});
    if (is_new) {
        routes.gaps.push_back(gap_of(link));
        routes.latencies.push_back(from_seconds(link->get_latency()).value_or(Time{}));
        routes.names.push_back(link->get_name());
        routes.fatpipe.push_back(!contended(link));
    }
    return known->second;
}

void append_route(const SimGridRoute& found, HostPair pair, Time latency, LinkNumbers& numbers, TableRoutes& routes) {
    routes.add(pair.from, pair.to, {latency, static_cast<std::uint32_t>(found.links.size()), routes.crossed.size()});
    for (const s4u::Link* const link : found.links) routes.crossed.push_back(number_of(link, numbers, routes));
}

std::string no_route(const HostList& hosts, HostPair pair) {
    return fmt::format("no route from `{}` to `{}`", hosts[pair.from.index]->get_name(),
                       hosts[pair.to.index]->get_name());
}

/// Returns the rates of the routes between two hosts; nothing if a direction has no route, or `to` is reached without
/// links.
std::optional<RouteRates> rates_of(const s4u::Host* from, const s4u::Host* to) {
    SimGridRoute out;
    SimGridRoute back;
    try {
        out = route(from, to);
        back = route(to, from);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception&) {
        return std::nullopt;
    }
    if (out.links.empty()) return std::nullopt;
    constexpr double kAcknowledgements = 0.05;
    constexpr double kNone = std::numeric_limits<double>::infinity();
    RouteRates rates{out.latency, kNone, kNone};
    const auto crosses = [](const SimGridRoute& found, const s4u::Link* link) {
        return std::ranges::find(found.links, link) != found.links.end();
    };
    for (const s4u::Link* link : out.links) {
        const double bandwidth = link->get_bandwidth();
        const double weight = contended(link) && crosses(back, link) ? 1.0 + kAcknowledgements : 1.0;
        rates.bandwidth = std::min(rates.bandwidth, bandwidth);
        rates.with_crosstraffic = std::min(rates.with_crosstraffic, bandwidth / weight);
    }
    for (const s4u::Link* link : back.links) {
        if (crosses(out, link)) continue;
        rates.with_crosstraffic = std::min(rates.with_crosstraffic, link->get_bandwidth() / kAcknowledgements);
    }
    return rates;
}

/// Adds a route. For a pair without a route some zones throw, a Full zone returns nothing, a Dijkstra zone crashes.
void add_route(const HostList& hosts, HostPair pair, const PlatformXml& xml, LinkNumbers& numbers, TableRoutes& routes,
               process::Activity& activity, Diagnostics& faults) {
    const std::string& from = hosts[pair.from.index]->get_name();
    const std::string failure = no_route(hosts, pair);
    activity.say(failure);
    SimGridRoute found;
    try {
        found = route(hosts[pair.from.index], hosts[pair.to.index]);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception&) {
        found = {};
    }
    if (found.links.empty() && !(found.latency > 0.0) && pair.from != pair.to) {
        faults.add(DiagnosticKind::no_route, xml.range_of_name(from), failure,
                   "expected a route, since ranks on these hosts exchange messages");
        return;
    }
    if (const auto latency = latency_of(found, from, xml, faults)) {
        append_route(found, pair, *latency, numbers, routes);
    }
}

/// Loads the platform; returns false if that fails.
bool load_whole(s4u::Engine& engine, const PlatformXml& xml, const std::filesystem::path& file, Diagnostics& faults) {
    try {
        engine.load_platform(std::filesystem::absolute(file).string());
        const s4u::NetZone* root = engine.get_netzone_root();
        if (root != nullptr && engine.get_host_count() > 0) {
            engine.seal_platform();
            return true;
        }
        faults.add(DiagnosticKind::no_hosts, xml.range_of_platform(), "this platform has no hosts",
                   "expected an element `cluster` or elements `host`");
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        add_load_error(xml, file, error.what(), faults);
    }
    return false;
}

class Loader final : public SimGridLoader {
public:
    Loader(const PlatformXml& xml, const SimGridInput& read);
    Loaded load(const std::vector<LinkOverride>& link_overrides, Diagnostics& faults) override;
    std::vector<RouteRates> rates(const std::vector<HostPair>& pairs, process::Activity& activity) override;
    TableRoutes route(const std::vector<HostPair>& pairs, process::Activity& activity, Diagnostics& faults) override;

private:
    const PlatformXml& xml_;
    SimGridInput read_;
    std::optional<s4u::Engine> engine_;
    HostList hosts_;
};

Loader::Loader(const PlatformXml& xml, const SimGridInput& read) : xml_(xml), read_(read) {
    char program[] = "warpfront";
    char* arguments[] = {program, nullptr};
    int count = 1;
    // The next two statements declare keys of <config> that SimGrid otherwise declares only for programs of SMPI.
    smpi_init_options();
    simgrid::config::declare_flag<int>("storage/max_file_descriptors", "of SimGrid's plugin for files", 1024);
    engine_.emplace(&count, arguments);
    s4u::Engine::set_config("surf/precision:1e-12");  // otherwise SimGrid warns about every link below 1 ns
}

SimGridLoader::Loaded Loader::load(const std::vector<LinkOverride>& link_overrides, Diagnostics& faults) {
    Loaded loaded;
    Platform& platform = loaded.platform;
    if (!load_whole(*engine_, xml_, read_.file, faults)) return loaded;
    gather_hosts(engine_->get_netzone_root(), hosts_);
    platform.hosts = static_cast<std::uint32_t>(read_.original ? read_.original->hosts : hosts_.size());
    count_cores(hosts_, platform);
    platform.disks = disks_of(hosts_);
    auto cluster = read_.original ? read_.original : single_cluster(xml_);
    loaded.unknown = override_links(*engine_, link_overrides, cluster);
    check_links(*engine_, xml_, faults);
    if (!faults.empty() || !loaded.unknown.empty()) return loaded;
    if (cluster && std::holds_alternative<StarRoutes>(cluster->shape)) cluster->hosts = platform.hosts;
    if (cluster && cluster->hosts == platform.hosts) platform.zone = regular(*cluster, hosts_, xml_, faults);
    return loaded;
}

std::vector<RouteRates> Loader::rates(const std::vector<HostPair>& pairs, process::Activity& activity) {
    std::vector<RouteRates> all;
    for (const HostPair pair : pairs) {
        activity.say(no_route(hosts_, pair));
        if (const auto rates = rates_of(hosts_[pair.from.index], hosts_[pair.to.index])) all.push_back(*rates);
    }
    return all;
}

TableRoutes Loader::route(const std::vector<HostPair>& pairs, process::Activity& activity, Diagnostics& faults) {
    TableRoutes routes;
    LinkNumbers numbers;
    for (const HostPair pair : pairs) {
        add_route(hosts_, pair, xml_, numbers, routes, activity, faults);
    }
    return routes;
}

}  // namespace

}  // namespace warpfront::machine

warpfront::machine::SimGridLoader* warpfront_simgrid_loader(const warpfront::machine::PlatformXml& xml,
                                                            const warpfront::machine::SimGridInput& read) {
    return new warpfront::machine::Loader(xml, read);
}

extern "C" const char* warpfront_simgrid_build() { return warpfront::process::build_stamp(); }
