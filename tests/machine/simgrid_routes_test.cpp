// Our own arithmetic for regular zones against SimGrid's routes: links and latency of every pair.
#include <doctest/doctest.h>

#include "tests/machine/workspace.hpp"

namespace warpfront::machine {

namespace {

std::size_t differing_pairs(const std::string& xml) {
    const Workspace files;
    input::Faults faults;
    const auto platform = load_platform(files.source("p.xml", xml), every_pair, faults);
    faults.raise();
    REQUIRE(platform);
    REQUIRE(platform->routes.size() == std::size_t{platform->hosts} * (platform->hosts - 1));
    Routes ours;
    ours.links_in_L = 0;
    if (const auto* torus = std::get_if<TorusRoutes>(&platform->zone)) {
        ours.zone = *torus;
    } else {
        ours.zone = std::get<StarRoutes>(platform->zone);
    }
    std::size_t differing = 0;
    for (std::size_t k = 0; k < platform->pairs.size(); ++k) {
        const auto [from, to] = platform->pairs[k];
        const TableRoutes::Entry& simgrids = platform->routes[k];
        if (ours.links(from, to) != simgrids.links || ours.beyond_L(from, to) != simgrids.latency) ++differing;
    }
    return differing;
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

}  // namespace warpfront::machine
