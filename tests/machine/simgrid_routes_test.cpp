// Our own arithmetic for regular zones against SimGrid's routes: every pair's latency and links, link by link.
#include <doctest/doctest.h>

#include <map>

#include "tests/machine/workspace.hpp"

namespace warpfront::machine {

namespace {

struct BothWays {
    Routes ours;
    TableRoutes simgrids;
    std::vector<HostPair> pairs;
};

BothWays routed(const std::string& xml) {
    const Workspace files;
    input::Faults faults;
    const auto platform = load_platform(files.source("p.xml", xml), every_pair, faults);
    faults.raise();
    REQUIRE(platform);
    REQUIRE(platform->routes.size() == std::size_t{platform->hosts} * (platform->hosts - 1));
    BothWays both;
    both.pairs = platform->pairs;
    both.ours.links_in_L = 0;
    if (const auto* torus = std::get_if<TorusRoutes>(&platform->zone)) {
        both.ours.zone = *torus;
    } else {
        both.ours.zone = std::get<StarRoutes>(platform->zone);
    }
    both.simgrids.contended = platform->contended;
    both.simgrids.gaps = platform->gaps;
    for (std::size_t k = 0; k < both.pairs.size(); ++k) {
        both.simgrids.add(both.pairs[k].from, both.pairs[k].to, platform->routes[k]);
    }
    return both;
}

std::size_t differing_pairs(const std::string& xml) {
    const BothWays both = routed(xml);
    std::size_t differing = 0;
    for (const auto [from, to] : both.pairs) {
        const TableRoutes::Entry& known = both.simgrids.at(from, to);
        if (both.ours.links(from, to) != known.links || both.ours.beyond_L(from, to) != known.latency) ++differing;
    }
    return differing;
}

/// Pairs whose route is over other links than SimGrid's: a link of ours must always be the same one of SimGrid's, and
/// the other way round, have its bandwidth, and a number below the count.
std::size_t pairs_over_other_links(const std::string& xml) {
    const BothWays both = routed(xml);
    std::map<LinkId, LinkId> ours_to_simgrids;
    std::map<LinkId, LinkId> simgrids_to_ours;
    std::size_t differing = 0;
    for (const auto [from, to] : both.pairs) {
        std::vector<LinkId> ours;
        std::vector<LinkId> simgrids;
        both.ours.append_links(from, to, ours);
        both.simgrids.append_links(from, to, simgrids);
        bool same = ours.size() == simgrids.size();
        for (std::size_t k = 0; same && k < ours.size(); ++k) {
            same = ours_to_simgrids.emplace(ours[k], simgrids[k]).first->second == simgrids[k] &&
                   simgrids_to_ours.emplace(simgrids[k], ours[k]).first->second == ours[k] &&
                   both.ours.gap(ours[k]) == both.simgrids.gaps[simgrids[k].index] &&
                   ours[k].index < both.ours.link_count();
        }
        if (!same) ++differing;
    }
    return differing;
}

std::string torus_of(const std::string& dimensions, unsigned hosts, const std::string& more) {
    return platform_xml(fmt::format(
        R"(<cluster id="t" prefix="n" suffix="" radical="0-{}" speed="1Gf" bw="6GBps" lat="50ns" topology="TORUS")"
        R"( topo_parameters="{}" {}/>)",
        hosts - 1, dimensions, more));
}

}  // namespace

TEST_CASE("torus routes equal SimGrid's for every pair") {
    CHECK(differing_pairs(torus_xml("4,3,2", 24)) == 0);
    CHECK(differing_pairs(torus_xml("5,5", 25)) == 0);
    CHECK(differing_pairs(torus_xml("7", 7)) == 0);
    CHECK(differing_pairs(torus_xml("2,1,3", 6)) == 0);
    CHECK(differing_pairs(torus_xml("3,2,4,2", 48)) == 0);
}

TEST_CASE("star routes equal SimGrid's for every pair") {
    CHECK(differing_pairs(star_xml(7)) == 0);
    CHECK(differing_pairs(star_xml(7, R"(bb_bw="10GBps" bb_lat="30ns")")) == 0);
    CHECK(differing_pairs(star_xml(7, R"(limiter_link="2GBps")")) == 0);
    CHECK(differing_pairs(star_xml(7, R"(sharing_policy="SHARED" loopback_bw="1GBps" loopback_lat="1us")")) == 0);
}

TEST_CASE("torus routes go over SimGrid's links, also half way round") {
    CHECK(pairs_over_other_links(torus_xml("4,3,2", 24)) == 0);
    CHECK(pairs_over_other_links(torus_xml("8", 8)) == 0);
    CHECK(pairs_over_other_links(torus_xml("6,4", 24)) == 0);
    CHECK(pairs_over_other_links(torus_xml("2,1,3", 6)) == 0);
    CHECK(pairs_over_other_links(torus_xml("3,2,4,2", 48)) == 0);
}

TEST_CASE("torus links that both directions share are SimGrid's") {
    CHECK(pairs_over_other_links(torus_of("4,3,2", 24, R"(sharing_policy="SHARED")")) == 0);
    CHECK(pairs_over_other_links(torus_of("5,2", 10, R"(sharing_policy="SHARED")")) == 0);
    CHECK(pairs_over_other_links(torus_of("4,3", 12, R"(loopback_bw="1GBps" loopback_lat="1us")")) == 0);
}

TEST_CASE("star routes go over SimGrid's links") {
    CHECK(pairs_over_other_links(star_xml(7)) == 0);
    CHECK(pairs_over_other_links(star_xml(2)) == 0);
    CHECK(pairs_over_other_links(star_xml(7, R"(sharing_policy="SHARED")")) == 0);
    CHECK(pairs_over_other_links(star_xml(7, R"(limiter_link="2GBps")")) == 0);
    CHECK(pairs_over_other_links(star_xml(7, R"(sharing_policy="SHARED" limiter_link="2GBps")")) == 0);
}

TEST_CASE("star routes go over SimGrid's backbone, unless nobody waits there") {
    CHECK(pairs_over_other_links(star_xml(7, R"(bb_bw="10GBps" bb_lat="30ns")")) == 0);
    CHECK(pairs_over_other_links(star_xml(7, R"(bb_bw="10GBps" bb_lat="30ns" sharing_policy="SHARED")")) == 0);
    CHECK(pairs_over_other_links(star_xml(7, R"(bb_bw="10GBps" bb_lat="30ns" limiter_link="2GBps")")) == 0);
    CHECK(pairs_over_other_links(star_xml(7, R"(bb_bw="10GBps" bb_lat="30ns" bb_sharing_policy="FATPIPE")")) == 0);
}

}  // namespace warpfront::machine
