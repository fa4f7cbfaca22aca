// Minimal and Valiant routes, followed link by link from host to host.
#include "simulator/machine/routes/routes.hpp"
#include "tests/machine/route_links.hpp"

namespace warpfront::machine {

namespace {

constexpr Time kLatency{1000};

/// The ends of a link: hosts by their numbers, switches from `hosts` on.
struct LinkEnds {
    std::uint64_t from, to;
};

/// Returns the ends of a link of a switch's hosts; these links come first.
std::optional<LinkEnds> host_ends(std::uint64_t link, std::uint64_t hosts, std::uint64_t per_switch) {
    if (link >= 2 * hosts) return std::nullopt;
    const std::uint64_t host = link / 2;
    const std::uint64_t at = hosts + host / per_switch;
    return link % 2 == 0 ? LinkEnds{host, at} : LinkEnds{at, host};
}

LinkEnds ends_of(const DragonflyRoutes& it, LinkId id) {
    std::uint64_t link = id.index;
    if (const auto of_host = host_ends(link, it.hosts(), it.nodes)) return *of_host;
    link -= 2 * it.hosts();
    const std::uint64_t group = std::uint64_t{it.chassis} * it.blades;
    const std::uint64_t green = it.groups * group * it.blades;
    if (link < green) {
        const std::uint64_t from = link / it.blades;
        return {it.hosts() + from, it.hosts() + from / it.blades * it.blades + link % it.blades};
    }
    link -= green;
    const std::uint64_t black = it.groups * group * it.chassis;
    if (link < black) {
        const std::uint64_t from = link / it.chassis;
        const std::uint64_t to = from / group * group + link % it.chassis * it.blades + from % it.blades;
        return {it.hosts() + from, it.hosts() + to};
    }
    link -= black;
    const std::uint64_t ports = group * it.global;
    const std::uint64_t a = link / ports;
    const std::uint64_t p = link % ports;
    const std::uint64_t d = p % (it.groups - 1) + 1;
    const std::uint64_t back = p / (it.groups - 1) * (it.groups - 1) + (it.groups - d) - 1;
    return {it.hosts() + a * group + p / it.global, it.hosts() + (a + d) % it.groups * group + back / it.global};
}

LinkEnds ends_of(const HyperXRoutes& it, LinkId id) {
    std::uint64_t link = id.index;
    if (const auto of_host = host_ends(link, it.hosts(), it.hosts_each)) return *of_host;
    link -= 2 * it.hosts();
    std::uint64_t ports = 0;
    for (const std::uint32_t length : it.dimensions) ports += length;
    const std::uint64_t from = link / ports;
    std::uint64_t to = link % ports;
    std::uint64_t stride = 1;
    for (const std::uint32_t length : it.dimensions) {
        if (to < length) return {it.hosts() + from, it.hosts() + from + to * stride - from / stride % length * stride};
        to -= length;
        stride *= length;
    }
    return {from, from};
}

LinkEnds ends_of(const TorusRoutes& it, LinkId id) {
    const std::uint64_t per_host = 2 * it.dimensions.size();
    const std::uint64_t from = id.index / per_host;
    std::uint64_t stride = 1;
    for (std::size_t k = 0; k < id.index % per_host / 2; ++k) stride *= it.dimensions[k];
    const std::uint64_t length = it.dimensions[id.index % per_host / 2];
    const std::uint64_t x = from / stride % length;
    const std::uint64_t next = (x + (id.index % 2 == 0 ? 1 : length - 1)) % length;
    return {from, from + next * stride - x * stride};
}

/// Returns the hosts and switches along the links of a route, if each link begins where the one before ends; else
/// nothing.
template <class Zone>
std::vector<std::uint64_t> passed(const Zone& zone, const std::vector<LinkId>& links) {
    std::vector<std::uint64_t> points;
    for (const LinkId link : links) {
        const LinkEnds ends = ends_of(zone, link);
        if (points.empty()) points.push_back(ends.from);
        if (points.back() != ends.from) return {};
        points.push_back(ends.to);
    }
    return points;
}

/// Calls `check` with every ordered pair of hosts.
template <class Check>
void for_host_pairs(std::uint64_t hosts, const Check& check) {
    for (std::uint32_t from = 0; from < hosts; ++from) {
        for (std::uint32_t to = 0; to < hosts; ++to) {
            if (from != to) check(Host{from}, Host{to});
        }
    }
}

/// Checks that every route leads from its host to its destination, and that its length is the stated one.
template <class Zone>
void check_connected(const Zone& zone, Routing routing) {
    const Routes routes{zone, 0, routing};
    for_host_pairs(zone.hosts(), [&](Host from, Host to) {
        const std::vector<LinkId> links = route_links(routes, from, to);
        const std::vector<std::uint64_t> points = passed(zone, links);
        REQUIRE(!points.empty());
        CHECK(points.front() == from.index);
        CHECK(points.back() == to.index);
        CHECK(links.size() == routes.links(from, to));
        CHECK(routes.extra_latency(from, to) == kLatency * static_cast<std::int64_t>(links.size()));
    });
}

/// Checks that every Valiant route passes its intermediate, which is none of its ends, and no host between its ends.
template <class Zone>
void check_passes_intermediate(const Zone& zone, std::uint64_t first_intermediate) {
    const Routes minimal{zone, 0};
    const Routes valiant{zone, 0, Routing::valiant};
    for_host_pairs(zone.hosts(), [&](Host from, Host to) {
        const auto over = zone.intermediate(from, to);
        const std::vector<std::uint64_t> points = passed(zone, route_links(valiant, from, to));
        if (!over) {
            CHECK(points == passed(zone, route_links(minimal, from, to)));
            return;
        }
        CHECK(std::find(points.begin(), points.end(), first_intermediate + *over) != points.end());
        const bool hosts_are_apart = first_intermediate > 0;
        const auto between = std::count_if(points.begin() + 1, points.end() - 1, [&](std::uint64_t point) {
            return hosts_are_apart && point < first_intermediate;
        });
        CHECK(between == 0);
    });
}

DragonflyRoutes dragonfly(std::uint32_t groups, std::uint32_t chassis, std::uint32_t blades, std::uint32_t nodes,
                          std::uint32_t global) {
    return {.groups = groups,
            .chassis = chassis,
            .blades = blades,
            .nodes = nodes,
            .global = global,
            .link_latency = kLatency,
            .forgets_chassis = false};
}

// one link per pair of groups and all ports in use; three per pair; two chassis; one blade per group; two groups
const std::vector<DragonflyRoutes> kDragonflies{dragonfly(9, 1, 4, 2, 2), dragonfly(5, 1, 4, 1, 3),
                                                dragonfly(4, 2, 3, 2, 2), dragonfly(3, 1, 1, 2, 4),
                                                dragonfly(2, 1, 3, 2, 1)};
const std::vector<HyperXRoutes> kHyperX{{{4, 3}, 2, kLatency, {}}, {{2, 2, 3}, 1, kLatency, {}}};
const std::vector<TorusRoutes> kTori{{{7}, kLatency, {}}, {{4, 3, 2}, kLatency, {}}, {{1, 5}, kLatency, {}}};

std::size_t blue_links(const DragonflyRoutes& it, const std::vector<LinkId>& links) {
    const std::uint64_t group = std::uint64_t{it.chassis} * it.blades;
    const std::uint64_t first = 2 * it.hosts() + it.groups * group * (it.blades + it.chassis);
    return static_cast<std::size_t>(
        std::count_if(links.begin(), links.end(), [&](LinkId link) { return link.index >= first; }));
}

}  // namespace

TEST_CASE("routes are connected, whatever the routing") {
    for (const Routing routing : {Routing::minimal, Routing::valiant, Routing::adaptive}) {
        for (const DragonflyRoutes& zone : kDragonflies) check_connected(zone, routing);
        for (const HyperXRoutes& zone : kHyperX) check_connected(zone, routing);
        for (const TorusRoutes& zone : kTori) check_connected(zone, routing);
    }
}

TEST_CASE("Valiant routes pass their intermediate, without the links of its hosts") {
    for (const DragonflyRoutes& zone : kDragonflies) check_passes_intermediate(zone, zone.hosts());
    for (const HyperXRoutes& zone : kHyperX) check_passes_intermediate(zone, zone.hosts());
    for (const TorusRoutes& zone : kTori) check_passes_intermediate(zone, 0);
}

TEST_CASE("a dragonfly's minimal route takes one blue link between groups, its Valiant route two") {
    for (const DragonflyRoutes& zone : kDragonflies) {
        for_host_pairs(zone.hosts(), [&](Host from, Host to) {
            const std::uint32_t group = zone.blades_of_group() * zone.nodes;
            const bool apart = from.index / group != to.index / group;
            CHECK(blue_links(zone, route_links(Routes{zone, 0}, from, to)) == (apart ? 1 : 0));
            CHECK(blue_links(zone, route_links(Routes{zone, 0, Routing::valiant}, from, to)) == (!apart ? 0
                                                                                                 : zone.groups == 2
                                                                                                     ? 1
                                                                                                     : 2));
        });
    }
}

TEST_CASE("with one chassis per group a minimal route has at most 5 links, a Valiant one 7") {
    const DragonflyRoutes zone = dragonfly(9, 1, 4, 2, 2);
    std::uint32_t longest = 0;
    std::uint32_t longest_valiant = 0;
    for_host_pairs(zone.hosts(), [&](Host from, Host to) {
        longest = std::max(longest, Routes{zone, 0}.links(from, to));
        longest_valiant = std::max(longest_valiant, Routes{zone, 0, Routing::valiant}.links(from, to));
    });
    CHECK(longest == 2 + 3);          // host, green, blue, green, host
    CHECK(longest_valiant == 2 + 5);  // host, green, blue, green, blue, green, host
}

TEST_CASE("a pair's intermediate does not depend on anything but its hosts, and pairs have different ones") {
    const HyperXRoutes zone{{8, 8}, 2, kLatency, {}};
    std::vector<std::uint32_t> drawn;
    for (std::uint32_t to = 2; to < zone.hosts(); ++to) drawn.push_back(zone.intermediate(Host{0}, Host{to}).value());
    CHECK(zone.intermediate(Host{0}, Host{2}) == drawn.front());
    std::sort(drawn.begin(), drawn.end());
    const auto different = std::unique(drawn.begin(), drawn.end()) - drawn.begin();
    CHECK(different >= 45);  // of 63, in 126 draws: 1 - 1/e^2 of them, 54, is expected
}

TEST_CASE("hosts of one switch, and networks without a third switch, have minimal routes alone") {
    CHECK_FALSE(dragonfly(9, 1, 4, 2, 2).intermediate(Host{0}, Host{1}));
    CHECK_FALSE(dragonfly(2, 1, 2, 1, 1).intermediate(Host{0}, Host{2}));
    CHECK_FALSE(HyperXRoutes{{4, 3}, 2}.intermediate(Host{0}, Host{1}));
    CHECK_FALSE(TorusRoutes{{2}}.intermediate(Host{0}, Host{1}));
    std::vector<LinkId> links;
    CHECK_FALSE(Routes{StarRoutes{.hosts = 3}, 0, Routing::adaptive}.append_detour(Host{0}, Host{1}, links));
}

TEST_CASE("a Valiant route states its additional length over the minimal route") {
    // three switches, a host on each: the Valiant route has one link more than the minimal route of three
    const HyperXRoutes zone{{3}, 1, kLatency, {}};
    std::vector<LinkId> links;
    const auto detour = Routes{zone, 3, Routing::adaptive}.append_detour(Host{0}, Host{1}, links);
    REQUIRE(detour);
    CHECK(links.size() == 4);
    CHECK(detour->longer == kLatency);
    CHECK(detour->extra_latency == kLatency);
    links.clear();
    CHECK(Routes{zone, 9, Routing::adaptive}.append_detour(Host{0}, Host{1}, links)->extra_latency == Time{});
}

TEST_CASE("a Valiant route over two blue links alone counts as no shorter than green, blue, green") {
    const DragonflyRoutes zone = dragonfly(9, 1, 4, 2, 2);
    const Routes routes{zone, 0, Routing::adaptive};
    std::size_t shorter = 0;
    for_host_pairs(zone.hosts(), [&](Host from, Host to) {
        std::vector<LinkId> links;
        const auto detour = routes.append_detour(from, to, links);
        if (!detour) return;
        shorter += links.size() < routes.links(from, to) ? 1U : 0U;
        CHECK(detour->longer ==
              kLatency * std::max<std::int64_t>(0, std::int64_t(links.size()) - std::int64_t(routes.links(from, to))));
        CHECK(detour->extra_latency == detour->longer);
    });
    CHECK(shorter > 0);
}

}  // namespace warpfront::machine
