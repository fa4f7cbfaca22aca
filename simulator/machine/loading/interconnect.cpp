#include "simulator/machine/loading/interconnect.hpp"

#include <array>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace warpfront::machine {

namespace {

using Numbers = std::vector<std::uint32_t>;

constexpr std::int64_t kMostOfAKind = std::int64_t{1} << 20;
constexpr std::size_t kMostDimensions = 16;

const std::vector<std::string> kRoutings{"minimal", "valiant", "adaptive"};
const std::vector<std::string> kCablings{"per_nic", "rails", "shared"};

/// Returns how many ends (hosts, or cables of their NICs) a switch next to hosts has.
std::uint32_t& ends_per_switch(FatTreeRoutes& tree) { return tree.children.front(); }
std::uint32_t& ends_per_switch(DragonflyRoutes& it) { return it.nodes; }
std::uint32_t& ends_per_switch(HyperXRoutes& it) { return it.hosts_each; }
std::uint32_t& ends_per_switch(GraphRoutes& graph) { return graph.hosts_each; }

/// Returns the number of links per end, counting both directions.
double links_per_end(const FatTreeRoutes& tree) { return 2.0 * tree.parents.front() * tree.cables.front(); }
double links_per_end(const DragonflyRoutes&) { return 2.0; }
double links_per_end(const HyperXRoutes&) { return 2.0; }
double links_per_end(const GraphRoutes&) { return 2.0; }

bool has_nic_cables(const Zone& zone) {
    return std::visit([]<class ZoneRoutes>(const ZoneRoutes&) { return ZoneRoutes::kHasNicCables; }, zone);
}

// Sizes are floating-point numbers, since integers may overflow in products of counts.

double real_product(const Numbers& numbers) {
    double all = 1.0;
    for (const std::uint32_t number : numbers) all *= number;
    return all;
}

double about_hosts(const TableRoutes&) { return 0.0; }
double about_hosts(const TorusRoutes& torus) { return real_product(torus.dimensions); }
double about_hosts(const StarRoutes& star) { return star.hosts; }
double about_hosts(const FatTreeRoutes& tree) { return real_product(tree.children); }
double about_hosts(const DragonflyRoutes& it) { return real_product({it.groups, it.chassis, it.blades, it.nodes}); }
double about_hosts(const HyperXRoutes& it) { return real_product(it.dimensions) * it.hosts_each; }
double about_hosts(const GraphRoutes& it) { return static_cast<double>(it.graph.switches()) * it.hosts_each; }

double about_links(const auto& routes) { return static_cast<double>(routes.link_count()); }
double about_links(const FatTreeRoutes& tree) {
    double nodes = about_hosts(tree);
    double links = 0.0;
    for (std::size_t k = 0; k < tree.children.size(); ++k) {
        links += 2.0 * nodes * tree.parents[k] * tree.cables[k];
        nodes *= static_cast<double>(tree.parents[k]) / tree.children[k];
    }
    return links;
}

class Reader {
public:
    Reader(const YamlNode& node, const std::vector<LinkOverride>& overrides, const ReadNamedFile& read_file,
           Diagnostics& faults)
        : node_(node),
          overrides_(overrides),
          read_file_(read_file),
          faults_(faults),
          keys_(node, "`topology`", faults) {}

    std::optional<Interconnect> read() {
        keys_.require("kind");
        struct Kind {
            std::string name;
            Zone (Reader::*read)();
        };
        static const std::array kKinds{Kind{"torus", &Reader::torus},
                                       Kind{"fat_tree", &Reader::fat_tree},
                                       Kind{"dragonfly", &Reader::dragonfly},
                                       Kind{"hyperx", &Reader::hyperx},
                                       Kind{"random_regular", &Reader::random_regular},
                                       Kind{"graph", &Reader::graph}};
        std::vector<std::string> names;
        for (const Kind& each : kKinds) names.push_back(each.name);
        const auto number = keys_.choice("kind", names);
        if (!number) return std::nullopt;
        const Kind& kind = kKinds[*number];
        if (keys_.require("bandwidth") != nullptr) gap_ = keys_.gap("bandwidth").value_or(Gap{});
        if (keys_.require("latency") != nullptr) latency_ = keys_.time("latency").value_or(Time{});
        Interconnect read;
        read.zone = (this->*kind.read)();
        read.routing = routing(kind.name, read.zone);
        read.routing_range = keys_.range_of("routing");
        read.cabling = cabling(kind.name, read.zone);
        keys_.finish();
        read.sources = std::move(sources_);
        if (!faults_.empty() || !check_size(read.zone)) return std::nullopt;
        return read;
    }

private:
    std::uint32_t count(std::string_view key, std::int64_t otherwise = 0) {
        if (otherwise == 0) keys_.require(key);
        return static_cast<std::uint32_t>(keys_.integer(key, 1, kMostOfAKind).value_or(otherwise == 0 ? 1 : otherwise));
    }

    /// Returns a list of counts. If the key is absent, returns `otherwise`, or an error if that is empty.
    Numbers counts(std::string_view key, const Numbers& otherwise = {}) {
        const YamlNode* list = otherwise.empty() ? keys_.require(key) : keys_.take(key);
        if (list == nullptr) return otherwise;
        if (list->kind != YamlNode::Kind::sequence || list->items.empty() || list->items.size() > kMostDimensions) {
            faults_.add(DiagnosticKind::wrong_yaml_type, list->range,
                        fmt::format("`{}` is not a list of whole numbers", key),
                        fmt::format("expected a list of 1 to {} numbers, such as `[8, 8]`", kMostDimensions));
            return otherwise;
        }
        Numbers numbers;
        for (const YamlNode& item : list->items) {
            numbers.push_back(
                static_cast<std::uint32_t>(input::parse_integer(item.scalar, item.range, 1, kMostOfAKind, faults_)));
        }
        return numbers;
    }

    void bad(std::string_view key, std::string message, std::string expected) {
        faults_.add(DiagnosticKind::bad_topology, keys_.range_of(key), std::move(message), std::move(expected));
    }

    Routing routing(const std::string& kind, const Zone& zone) {
        const auto read = static_cast<Routing>(keys_.choice("routing", kRoutings).value_or(0));
        const bool has_others =
            std::visit([]<class ZoneRoutes>(const ZoneRoutes&) { return HasIntermediates<ZoneRoutes>; }, zone);
        if (read != Routing::minimal && !has_others) {
            bad("routing", fmt::format("a `{}` has only minimal routes", kind),
                "expected `minimal`; only `dragonfly`, `hyperx` and `torus` have other routes");
        }
        return read;
    }

    NicCabling cabling(const std::string& kind, const Zone& zone) {
        if (keys_.has("cabling") && !has_nic_cables(zone)) {
            bad("cabling", fmt::format("the hosts of a `{}` are its routers, which have no cables", kind),
                "expected no `cabling`");
        }
        return static_cast<NicCabling>(keys_.choice("cabling", kCablings).value_or(0));
    }

    Zone torus() { return TorusRoutes{counts("dimensions"), latency_, gap_}; }

    Zone hyperx() { return HyperXRoutes{counts("dimensions"), count("hosts"), latency_, gap_}; }

    Zone fat_tree() {
        const Numbers children = counts("children");
        const Numbers ones(children.size(), 1);
        FatTreeRoutes tree{children, counts("parents", ones), counts("cables", ones), latency_, gap_};
        for (const auto& [key, numbers] : {std::pair{"parents", &tree.parents}, {"cables", &tree.cables}}) {
            if (children.empty() || numbers->size() == children.size()) continue;
            bad(key, fmt::format("`{}` has {} levels, but `children` has {}", key, numbers->size(), children.size()),
                "expected the same number of levels");
        }
        return tree;
    }

    Zone dragonfly() {
        const auto wide = [&](std::string_view key) { return Gap{gap_.seconds_per_byte / count(key, 1)}; };
        DragonflyRoutes it{.groups = count("groups"),
                           .chassis = count("chassis"),
                           .blades = count("blades"),
                           .nodes = count("nodes"),
                           .global = keys_.has("global") ? count("global") : 0,
                           .link_latency = latency_,
                           .local = gap_,
                           .green = wide("green"),
                           .black = wide("black"),
                           .blue = wide("blue"),
                           .forgets_chassis = false};
        check_groups(it);
        return it;
    }

    void check_groups(const DragonflyRoutes& it) {
        const double ports = real_product({it.chassis, it.blades, it.global});
        if (it.global == 0 && it.groups > it.blades) {
            bad("groups", fmt::format("there are {} groups, but a chassis has only {} blades", it.groups, it.blades),
                "expected no more groups than blades, since blade k of chassis 0 has the link to group k; or `global` "
                "links of each blade");
        } else if (it.global > 0 && it.groups > ports + 1) {
            bad("groups",
                fmt::format("there are {} groups, but each has only {:.0f} global ports: {} x {} blades with {} each",
                            it.groups, ports, it.chassis, it.blades, it.global),
                fmt::format("expected at most {:.0f} groups", ports + 1));
        }
    }

    Zone random_regular() {
        const std::uint32_t switches = count("switches");
        const RandomRegular drawn{count("degree"),
                                  {static_cast<std::uint64_t>(keys_.integer("seed", 0, kMostSeed).value_or(1))}};
        GraphRoutes routes{
            .graph = {}, .hosts_each = count("hosts"), .link_latency = latency_, .link_gap = gap_, .drawn = drawn};
        if (!faults_.empty() || !check_random(switches, drawn.degree)) return routes;
        auto graph = machine::random_regular(switches, drawn.degree, drawn.seed);
        if (!graph) bad("degree", "no connected graph was found", "expected a larger degree");
        if (graph) routes.graph = std::move(*graph);
        return routes;
    }

    bool check_random(std::uint32_t switches, std::uint32_t degree) {
        if (switches > kMostSwitches) {
            faults_.add(DiagnosticKind::platform_limits, keys_.range_of("switches"),
                        fmt::format("the table of routes of {} switches takes {} MiB", switches,
                                    (std::uint64_t{switches} * switches) >> 20),
                        fmt::format("expected at most {} switches", kMostSwitches));
            return false;
        }
        if (degree >= switches || degree > kMostPorts || std::uint64_t{switches} * degree % 2 != 0) {
            bad("degree", fmt::format("{} switches cannot have {} neighbours each", switches, degree),
                fmt::format("expected a degree below {}, with an even product of switches and degree",
                            std::min(switches, kMostPorts + 1)));
            return false;
        }
        return true;
    }

    Zone graph() {
        GraphRoutes routes{.graph = {}, .hosts_each = count("hosts", 1), .link_latency = latency_, .link_gap = gap_};
        keys_.require("file");
        const auto name = keys_.text("file");
        if (!name) return routes;
        faults_.collect([&] {
            sources_.push_back(read_file_(*name, keys_.range_of("file")));
            if (auto read = read_edge_file(sources_.back(), faults_)) {
                routes.graph = std::move(read->graph);
                for (const EdgeFile::Own& own : read->own) routes.own.push_back(link_of(own));
            }
        });
        return routes;
    }

    /// Returns a link of a graph. Values that its edge does not state are those of the topology, with overrides.
    SwitchLink link_of(const EdgeFile::Own& own) {
        SwitchLink link{own.gap.value_or(gap_), own.latency.value_or(latency_)};
        for (const LinkOverride& each : overrides_) {
            if (each.bandwidth && own.gap) {
                const auto& [relative, number] = *each.bandwidth;
                link.gap = {(relative ? link.gap.seconds_per_byte : 1.0) / number};
            }
            if (!each.latency || !own.latency) continue;
            const auto& [relative, number] = *each.latency;
            const auto latency = from_seconds(relative ? seconds(link.latency) * number : number);
            link.latency = latency.value_or(kLongestCost);
            if (latency || !faults_.empty()) continue;
            faults_.add(DiagnosticKind::cost_too_large, each.range, "the latency of a link of the graph is too long",
                        fmt::format("expected at most {} s", seconds(kLongestCost)));
        }
        return link;
    }

    bool check_size(const Zone& zone) {
        const double hosts = std::visit([](const auto& routes) { return about_hosts(routes); }, zone);
        if (hosts < 2.0) {
            faults_.add(DiagnosticKind::bad_topology, node_.range, "the network has only one host",
                        "expected two hosts or more");
            return false;
        }
        const auto links_in = [](const auto& routes) { return about_links(routes); };
        const double links = hosts <= static_cast<double>(kMostNodes) ? std::visit(links_in, zone) : 0.0;
        if (hosts <= static_cast<double>(kMostNodes) && links <= kMostLinks) return true;
        faults_.add(DiagnosticKind::platform_limits, node_.range,
                    links > 0.0 ? fmt::format("the network would have about {:.2g} links", links)
                                : fmt::format("the network would have about {:.2g} hosts", hosts),
                    fmt::format("expected at most {} hosts and {:.2g} links", kMostNodes, kMostLinks));
        return false;
    }

    static constexpr std::int64_t kMostSeed = std::int64_t{1} << 53;

    const YamlNode& node_;
    const std::vector<LinkOverride>& overrides_;
    const ReadNamedFile& read_file_;
    Diagnostics& faults_;
    MappingReader keys_;
    Gap gap_;
    Time latency_;
    std::vector<SourceFilePtr> sources_;
};

}  // namespace

std::optional<Interconnect> read_interconnect(const YamlNode& node, const std::vector<LinkOverride>& overrides,
                                              const ReadNamedFile& read_file, Diagnostics& faults) {
    Diagnostics found;
    auto read = Reader(node, overrides, read_file, found).read();
    faults.add(found);
    return read;
}

std::uint64_t hosts_of(const Zone& zone) {
    const auto count = []<class ZoneRoutes>(const ZoneRoutes& routes) -> std::uint64_t {
        if constexpr (std::is_same_v<ZoneRoutes, StarRoutes>) return routes.hosts;
        if constexpr (requires { routes.hosts(); }) return routes.hosts();
        return 0;
    };
    return std::visit(count, zone);
}

Cabling cabling_of(const Zone& zone, NicCabling wanted, std::uint32_t nics) {
    if (wanted == NicCabling::shared || nics == 1 || !has_nic_cables(zone)) return {};
    return {nics, wanted == NicCabling::rails};
}

void add_ends(Zone& zone, const Cabling& cabling) {
    const auto add = [&]<class ZoneRoutes>(ZoneRoutes& routes) {
        if constexpr (ZoneRoutes::kHasNicCables) ends_per_switch(routes) *= cabling.ends_per_host();
    };
    std::visit(add, zone);
}

double links_of(const Zone& zone, const Cabling& cabling) {
    const double further_ends = static_cast<double>(hosts_of(zone)) * (cabling.ends_per_host() - 1);
    const auto count = [&]<class ZoneRoutes>(const ZoneRoutes& routes) {
        auto links = static_cast<double>(routes.link_count());
        if constexpr (ZoneRoutes::kHasNicCables) links += links_per_end(routes) * further_ends;
        return links;
    };
    return std::visit(count, zone) * cabling.planes();
}

}  // namespace warpfront::machine
