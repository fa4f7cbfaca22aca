// Who keeps company: nodes whose messages meet on links.
#include <doctest/doctest.h>

#include "simulator/engine/companies.hpp"
#include "simulator/engine/engine.hpp"
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

constexpr std::int64_t us = 1'000'000;

using Nodes = std::vector<std::uint32_t>;

struct Found {
    Found(const program::Program& program, const machine::Machine& machine)
        : laid_out(engine::lay_out(program, machine)), companies(laid_out.layout, laid_out.channels) {}

    Nodes of(std::uint32_t node) const { return {companies.of(node).begin(), companies.of(node).end()}; }
    std::size_t links_of(std::uint32_t node) const { return companies.links_of(node).size(); }

    engine::LaidOut laid_out;
    engine::Companies companies;
};

/// Ranks in a row on a ring, one to a node, but that two of them stand in each other's place.
machine::Machine swapped(RankGrid grid, std::size_t one, std::size_t other) {
    machine::Machine machine = crowded_torus(grid, {1, 1});
    std::swap(machine.placement.host_of[one], machine.placement.host_of[other]);
    return machine;
}

program::Program row(RankGrid grid, std::int64_t tiles, std::vector<unsigned> starts = {0}) {
    return wavefront({.grid = grid, .tiles = tiles, .work = 10 * us, .bytes = 2000, .starts = std::move(starts),
                      .iterations = 1});
}

}  // namespace

TEST_CASE("where every route is one link long all nodes are alone") {
    const Found found(row({6, 4}, 1), crowded_torus({6, 4}, {1, 1}));
    for (std::uint32_t node = 0; node < 24; ++node) {
        CHECK(found.of(node) == Nodes{node});
        CHECK(found.links_of(node) == 0);
    }
}

TEST_CASE("who crosses the same link keeps company, and so do all links of their routes") {
    // 0 sends over 0 -> 1 and 1 -> 2, 1 sends over 1 -> 2
    const auto program = meeting_on_a_link();
    const machine::Machine machine = crowded_torus({5, 1}, {1, 1});
    const Found found(program, machine);
    CHECK(found.of(0) == Nodes{0, 1});
    CHECK(found.of(1) == Nodes{0, 1});
    CHECK(found.of(2) == Nodes{2});
    CHECK(found.links_of(0) == 2);
    CHECK(found.links_of(1) == 2);
    CHECK(found.links_of(2) == 0);
    std::vector<machine::LinkId> route;
    machine.routes.append_links({1}, {2}, route);
    CHECK(found.companies.user(found.laid_out.layout.link_server[route.front().index]) <= 1);
    route.clear();
    machine.routes.append_links({3}, {4}, route);
    CHECK(found.companies.user(found.laid_out.layout.link_server[route.front().index]) == engine::kNone);
}

TEST_CASE("companies that have a member in common are one") {
    // Ranks 0 to 5 are on hosts 0, 2, 1, 4, 3, 5, and each sends to the next: 0 over the links from 0 and 1, 2 over
    // those from 1, 2 and 3, 4 over those from 3 and 4; 1 and 3 go back over links that nobody else takes.
    machine::Machine machine = swapped({10, 1}, 1, 2);
    std::swap(machine.placement.host_of[3], machine.placement.host_of[4]);
    const Found found(row({10, 1}, 1), machine);
    CHECK(found.of(0) == Nodes{0, 2, 4});
    CHECK(found.of(2) == Nodes{0, 2, 4});
    CHECK(found.of(4) == Nodes{0, 2, 4});
    CHECK(found.links_of(0) == 5);
    CHECK(found.of(1) == Nodes{1});
    CHECK(found.of(3) == Nodes{3});
}

TEST_CASE("nodes that keep company rest") {
    // 2 of 20 nodes, a tenth of all messages, which were all stepped if these could not rest
    const RankGrid grid{20, 1};
    const auto program = row(grid, 300);
    const machine::Machine machine = swapped(grid, 9, 10);
    const engine::Record full = engine::run(program, machine, {.replay = engine::Replay::full});
    const engine::Record resting = engine::run(program, machine, {});
    check_same_run(resting, full);
    CHECK(resting.work->messages_replayed < full.work->messages / 12);
}

TEST_CASE("a company that something new reaches wakes as a whole, whatever the threads") {
    const RankGrid grid{12, 4};
    const auto program = row(grid, 60, {0, 3, 1, 2, 2, 0});
    for (const std::size_t other : {17U, 18U, 29U, 40U}) {
        CAPTURE(other);
        const machine::Machine machine = swapped(grid, 16, other);
        const engine::Record full = engine::run(program, machine, {.replay = engine::Replay::full});
        for (const unsigned threads : {1U, 2U, 3U, 7U}) {
            CAPTURE(threads);
            check_same_run(engine::run(program, machine, {.threads = threads}), full);
        }
    }
}
