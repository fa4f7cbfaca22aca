// The routes that the layout of a run stores by channel, and those that each message computes. The times of both are
// compared by the properties (tests/properties).
#include "simulator/engine/state/layout.hpp"
#include "tests/engine/shared.hpp"

using engine::Layout;
using engine::SendEndpointId;

namespace {

Layout laid_out(const program::Program& program, const machine::Machine& machine) {
    return engine::lay_out(program, machine).layout;
}

SendEndpointId first_of(const Layout& layout, std::uint32_t rank) {
    return layout.send_endpoint_numbers.at(Rank{rank}, 0);
}

/// Returns the servers of the stored links of a rank's first channel.
std::vector<engine::ServerId> stored(const Layout& layout, std::uint32_t rank) {
    std::vector<engine::ServerId> servers;
    for (const engine::RouteLink& link : layout.stored_routes.of(first_of(layout, rank)))
        servers.push_back(link.server);
    return servers;
}

/// Every rank of a ring sends to the next `peers` ranks.
program::Program fan(std::uint32_t ranks, std::int32_t peers) {
    return spmd({ranks, 1}, 1, [&](Rank rank) {
        ClassBuilder builder;
        const auto next = [&](std::int32_t k) {
            return static_cast<std::int32_t>((rank.index + static_cast<std::uint32_t>(k)) % ranks) -
                   static_cast<std::int32_t>(rank.index);
        };
        const auto previous = [&](std::int32_t k) {
            return static_cast<std::int32_t>((rank.index + ranks - static_cast<std::uint32_t>(k)) % ranks) -
                   static_cast<std::int32_t>(rank.index);
        };
        for (std::int32_t k = 1; k <= peers; ++k) builder.send(next(k), 8);
        for (std::int32_t k = 1; k <= peers; ++k) builder.recv(previous(k));
        return builder.build();
    });
}

}  // namespace

TEST_CASE("a channel whose messages wait for links that others use has its route stored, link by link") {
    const program::Program program = meeting_on_a_link();
    const Layout layout = laid_out(program, crowded_torus(program.grid, {1, 1}));
    // Host h of a torus of two dimensions has the links 4 h to 4 h + 3, the first of them up the first dimension.
    const auto up = [&](std::uint32_t host) { return layout.link_server[machine::LinkId{4 * host}]; };
    CHECK(stored(layout, 0) == std::vector{up(0), up(1)});
    CHECK(stored(layout, 1) == std::vector{up(1)});
}

TEST_CASE("a channel with a link of its own has no stored route beside others that have one") {
    const program::Program program =
        program_of({5, 1}, {does().send(2, 900), does(), does().recv(-2).send(1, 900), does().recv(-1)});
    const Layout layout = laid_out(program, crowded_torus(program.grid, {1, 1}));
    CHECK(layout.stored_routes.contains(first_of(layout, 0)));
    CHECK_FALSE(layout.stored_routes.contains(first_of(layout, 2)));
}

TEST_CASE("a route is own to a node if no other node's messages cross its links or those of its other routes") {
    const auto own_link = [](const program::Program& program, std::uint32_t rank, std::uint32_t place = 0) {
        const engine::LayoutAndChannels all = engine::lay_out(program, crowded_torus(program.grid, {1, 1}));
        return all.channels.paths[all.layout.send_endpoint_numbers.at(Rank{rank}, place)].own_link;
    };
    // Rank 0 sends over the links of hosts 0 and 1, rank 2 over that of host 2.
    const program::Program apart =
        program_of({5, 1}, {does().send(2, 900), does(), does().recv(-2).send(1, 900), does().recv(-1)});
    CHECK(own_link(apart, 0) == engine::kOwnRoute);
    CHECK(own_link(apart, 2) == 0);
    // Rank 0 sends to rank 2 over the links of hosts 0 and 1, and to rank 1 over that of host 0 alone; rank 1 sends to
    // rank 2 over that of host 1.
    const program::Program partly = program_of({5, 1}, {does().send(2, 900).send(1, 900), does().recv(-1).send(1, 900),
                                                        does().recv(-2).recv(-1), does(), does()});
    for (const std::uint32_t place : {0U, 1U}) CHECK(own_link(partly, 0, place) == engine::kRouted);
    for (const std::uint32_t rank : {0U, 1U}) CHECK(own_link(meeting_on_a_link(), rank) == engine::kRouted);
}

TEST_CASE("no route is stored with links of channels' own, adaptive routes, packets, or many links") {
    const auto stores = [](const program::Program& program, const machine::Machine& machine) {
        return laid_out(program, machine).stored_routes.contains(SendEndpointId{0});
    };
    const auto torus = [](const program::Program& program) { return crowded_torus(program.grid, {1, 1}); };
    const program::Program meeting = meeting_on_a_link();
    CHECK_FALSE(stores(fan(8, 1), torus(fan(8, 1))));
    CHECK_FALSE(stores(meeting, in_packets(torus(meeting), Bytes{100})));
    machine::Machine adaptive = torus(meeting);
    adaptive.routes.routing = machine::Routing::adaptive;
    CHECK_FALSE(stores(meeting, adaptive));
    // At most 64 links of routes to a rank: to the next k ranks there are 1 + 2 + ... + k, 55 for 10 and 66 for 11.
    CHECK(stores(fan(40, 10), torus(fan(40, 10))));
    CHECK_FALSE(stores(fan(40, 11), torus(fan(40, 11))));
}
