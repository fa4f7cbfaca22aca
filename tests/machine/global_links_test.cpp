// Global links of dragonflies: every port, and every choice of a link, against the rules of GlobalLinks.
#include "simulator/machine/routes/dragonfly.hpp"
#include "tests/preamble.hpp"

namespace warpfront::machine {

namespace {

// groups, routers, ports each: one link per pair and all ports in use; three per pair; ports left over; several links
// of a pair on one router; one router
const std::vector<GlobalLinks> kShapes{{9, 4, 2}, {5, 4, 3}, {6, 4, 3}, {3, 2, 7}, {4, 1, 5}, {2, 3, 1}};

/// Calls `check` with every ordered pair of groups.
template <class Check>
void for_pairs(const GlobalLinks& links, const Check& check) {
    for (std::uint32_t a = 0; a < links.groups; ++a) {
        for (std::uint32_t b = 0; b < links.groups; ++b) {
            if (a != b) check(a, b);
        }
    }
}

/// The fewest and the most routes on a link, among those between all routers of every two groups.
struct Loads {
    std::uint32_t fewest = 0xFFFFFFFF;
    std::uint32_t most = 0;
};
Loads loads(const GlobalLinks& links) {
    Loads all;
    for_pairs(links, [&](std::uint32_t a, std::uint32_t b) {
        std::vector<std::uint32_t> routes(links.parallel(), 0);
        for (std::uint32_t at = 0; at < links.routers; ++at) {
            for (std::uint32_t end = 0; end < links.routers; ++end) ++routes[links.choose(a, at, b, end)];
        }
        all.fewest = std::min(all.fewest, *std::min_element(routes.begin(), routes.end()));
        all.most = std::max(all.most, *std::max_element(routes.begin(), routes.end()));
    });
    return all;
}

}  // namespace

TEST_CASE("ports lead to the following groups, one after another and around again") {
    const GlobalLinks links{5, 4, 3};  // 12 ports, three rounds of the 4 other groups
    CHECK(links.parallel() == 3);
    CHECK(links.target(0, 0) == 1);
    CHECK(links.target(0, 3) == 4);
    CHECK(links.target(0, 4) == 1);
    CHECK(links.target(3, 1) == 0);  // (3 + 1 + 1) mod 5
    // from 3 to 0 the offset is 2: ports 1, 5, 9; from 0 to 3 it is 3: ports 2, 6, 10
    CHECK(links.port(3, 0, 2) == 9);
    CHECK(links.port(0, 3, 2) == 10);
    CHECK(links.router(9) == 3);
}

TEST_CASE("each port in use is one end of one link, and the link back joins the same two ports") {
    for (const GlobalLinks& links : kShapes) {
        std::set<std::pair<std::uint32_t, std::uint32_t>> used;
        for_pairs(links, [&](std::uint32_t a, std::uint32_t b) {
            for (std::uint32_t k = 0; k < links.parallel(); ++k) {
                CHECK(links.target(a, links.port(a, b, k)) == b);
                CHECK(links.target(b, links.port(b, a, k)) == a);
                CHECK(links.port(a, b, k) < links.ports());
                CHECK(used.emplace(a, links.port(a, b, k)).second);
            }
        });
        CHECK(used.size() == std::size_t{links.groups} * links.parallel() * (links.groups - 1));
    }
}

TEST_CASE("a route takes a link of its own router, else one that enters the destination's, else by the destination") {
    for (const GlobalLinks& links : kShapes) {
        for_pairs(links, [&](std::uint32_t a, std::uint32_t b) {
            for (std::uint32_t at = 0; at < links.routers; ++at) {
                for (std::uint32_t end = 0; end < links.routers; ++end) {
                    std::vector<std::uint32_t> own, entering;
                    for (std::uint32_t k = 0; k < links.parallel(); ++k) {
                        if (links.router(links.port(a, b, k)) == at) own.push_back(k);
                        if (links.router(links.port(b, a, k)) == end) entering.push_back(k);
                    }
                    const std::uint32_t expected = !own.empty()        ? own[end % own.size()]
                                                   : !entering.empty() ? entering[at % entering.size()]
                                                                       : end % links.parallel();
                    CHECK(links.choose(a, at, b, end) == expected);
                }
            }
        });
    }
}

TEST_CASE("with two links or more on every router all links between two groups carry nearly as much") {
    // 544 ports, 68 links per pair of groups, two or three on each router: the 32 routes from a router are divided by
    // two or three
    const Loads all = loads({9, 32, 17});
    CHECK(all.fewest == 32 / 3);
    CHECK(all.most == 32 / 2);
}

TEST_CASE("all links are used if there are fewer than routers, none by more than twice the average") {
    // 8 links per pair of groups, on 8 of the 32 routers: 32 * 32 / 8 = 128 routes each. 32 are from its own router, 24
    // from the others to the router that it enters
    const Loads all = loads({69, 32, 17});
    CHECK(all.fewest == 32 + 24);
    CHECK(all.most <= 2 * 128);
}

}  // namespace warpfront::machine
