// The routes that the layout of a run stores by channel, and those that each message computes. The times of both are
// compared by the properties (tests/properties).
#include "tests/engine/parts.hpp"
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

TEST_CASE("a route of several links that only one node's messages cross is own to it") {
    // Rank 0 sends over the links of hosts 0 and 1, rank 2 over that of host 2.
    const program::Program program =
        program_of({5, 1}, {does().send(2, 900), does(), does().recv(-2).send(1, 900), does().recv(-1)});
    const engine::LayoutAndChannels laid_out = engine::lay_out(program, crowded_torus(program.grid, {1, 1}));
    CHECK(laid_out.channels.paths[first_of(laid_out.layout, 0)].own_link == engine::kOwnRoute);
    CHECK(laid_out.channels.paths[first_of(laid_out.layout, 2)].own_link == 0);
}

TEST_CASE("a link that a node shares with nobody is not own if one of its routes over it has a link of others") {
    // Rank 0 sends to rank 2 over the links of hosts 0 and 1, and to rank 1 over that of host 0 alone; rank 1 sends to
    // rank 2 over that of host 1.
    const program::Program program = program_of({5, 1}, {does().send(2, 900).send(1, 900), does().recv(-1).send(1, 900),
                                                         does().recv(-2).recv(-1), does(), does()});
    const engine::LayoutAndChannels laid_out = engine::lay_out(program, crowded_torus(program.grid, {1, 1}));
    for (const std::uint32_t place : {0U, 1U}) {
        const SendEndpointId sender = laid_out.layout.send_endpoint_numbers.at(Rank{0}, place);
        CHECK(laid_out.channels.paths[sender].own_link == engine::kRouted);
    }
}

TEST_CASE("a route that shares a link with another node's messages is own to neither") {
    const program::Program program = meeting_on_a_link();
    const engine::LayoutAndChannels laid_out = engine::lay_out(program, crowded_torus(program.grid, {1, 1}));
    for (const std::uint32_t rank : {0U, 1U})
        CHECK(laid_out.channels.paths[first_of(laid_out.layout, rank)].own_link == engine::kRouted);
}

TEST_CASE("no route is stored if every channel has a link of its own") {
    const program::Program program = fan(8, 1);
    const Layout layout = laid_out(program, crowded_torus(program.grid, {1, 1}));
    CHECK_FALSE(layout.stored_routes.contains(first_of(layout, 0)));
}

TEST_CASE("no route is stored if routing is adaptive or messages are cut into packets") {
    const program::Program program = meeting_on_a_link();
    machine::Machine machine = crowded_torus(program.grid, {1, 1});
    CHECK_FALSE(laid_out(program, in_packets(machine, Bytes{100})).stored_routes.contains(SendEndpointId{0}));
    machine.routes.routing = machine::Routing::adaptive;
    CHECK_FALSE(laid_out(program, machine).stored_routes.contains(SendEndpointId{0}));
}

TEST_CASE("no route is stored if the ranks have more than 64 links of routes each") {
    // To the next k ranks there are 1 + 2 + ... + k links: 55 for k = 10, 66 for k = 11.
    const auto stores = [](std::int32_t peers) {
        const program::Program program = fan(40, peers);
        return laid_out(program, crowded_torus(program.grid, {1, 1})).stored_routes.contains(SendEndpointId{0});
    };
    CHECK(stores(10));
    CHECK_FALSE(stores(11));
}
