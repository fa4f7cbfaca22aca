// Buses and NICs of a node alone: no program is stepped.
#include "simulator/engine/stepping/node_resources.hpp"

#include <doctest/doctest.h>

#include "tests/engine/parts.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;
using engine::NodeResources;
using engine::RankState;

namespace {

/// Four ranks on one node send south to another; the bus is held 3 us + 0.1 ns/B, a NIC 2 ns/B.
Parts four_senders(std::uint32_t buses) {
    const auto program = spmd({4, 2}, 1, [](Rank rank) {
        ClassBuilder builder;
        return rank.index < 4 ? builder.send(4, 1000).iteration().build() : builder.recv(-4).iteration().build();
    });
    machine::Machine machine = crowded_torus({4, 2}, {4, 1});
    machine.bus->count = buses;
    return {program, machine};
}

const network::MessageCost& the_cost(const Parts& parts) { return parts.layout.costs.front(); }

/// When the rank, which requests at its clock, is granted its bus, or its NIC.
std::int64_t grant_bus(NodeResources& resources, Parts& parts, Rank rank) {
    resources.grant_bus(rank, parts.line(rank), the_cost(parts), nullptr);
    return parts.line(rank).clock;
}
std::int64_t grant_injection(NodeResources& resources, Parts& parts, Rank rank) {
    resources.grant_injection(rank, parts.line(rank), the_cost(parts), nullptr);
    return parts.line(rank).clock;
}

}  // namespace

TEST_CASE("a request stands in the hot state of its node at the clock of its rank, until it is taken") {
    Parts parts = four_senders(1);
    NodeResources resources(parts.context);
    parts.line({2}).clock = 7 * us;
    resources.request({2}, parts.line({2}), RankState::requests_departure, {});
    CHECK(parts.state.request_time(parts.layout.hot_state_of({0}), {2}) == 7 * us);
    REQUIRE(parts.context.requests.size() == 1);
    CHECK(parts.context.requests.front().time == 7 * us);
    CHECK(parts.context.requests.front().rank() == Rank{2});
    resources.take_request(parts.line({2}));
    CHECK(parts.state.request_time(parts.layout.hot_state_of({0}), {2}) == kHorizon.ps);
}

TEST_CASE("a bus is granted when it is free, and the rank's wait is counted") {
    Parts parts = four_senders(1);
    NodeResources resources(parts.context);
    // held 3 us + 1000 B * 0.1 ns/B = 3.1 us from 1 us on; rank 1 requests it at 2 us
    parts.line({0}).clock = 1 * us;
    parts.line({1}).clock = 2 * us;
    CHECK(grant_bus(resources, parts, {0}) == 1 * us);
    CHECK(grant_bus(resources, parts, {1}) == 4'100'000);
    CHECK(parts.line({0}).bus_wait == 0);
    CHECK(parts.line({1}).bus_wait == 2'100'000);
}

TEST_CASE("a message that its rank has begun counts its wait itself, whatever its rank does") {
    Parts parts = four_senders(1);
    NodeResources resources(parts.context);
    parts.line({1}).clock = 9 * us;
    engine::Requester begun{.clock = 2 * us};
    CHECK(grant_bus(resources, parts, {0}) == 0);  // held 3.1 us
    resources.grant_bus({1}, begun, the_cost(parts), nullptr);
    CHECK(begun.clock == 3'100'000);
    CHECK(begun.bus_wait == 1'100'000);
    CHECK(parts.line({1}).clock == 9 * us);
    CHECK(parts.line({1}).bus_wait == 0);
}

TEST_CASE("cores of different buses do not wait for each other") {
    Parts parts = four_senders(2);
    NodeResources resources(parts.context);
    CHECK(grant_bus(resources, parts, {1}) == 0);
    CHECK(grant_bus(resources, parts, {2}) == 0);
    CHECK(grant_bus(resources, parts, {3}) == 3'100'000);  // behind rank 2
}

TEST_CASE("a NIC injects and ejects at the same time, one message each way") {
    Parts parts = four_senders(1);
    NodeResources resources(parts.context);
    // 1000 B * 2 ns/B = 2 us
    CHECK(grant_injection(resources, parts, {0}) == 0);
    const engine::ServerId nic = resources.ejection_server({0}, {0}, {0});
    CHECK(resources.grant_ejection(nic, 0, the_cost(parts)) == 0);
    CHECK(grant_injection(resources, parts, {1}) == 2 * us);
    CHECK(resources.ejection_server({0}, {1}, {0}) == nic);
    CHECK(resources.grant_ejection(nic, 1 * us, the_cost(parts)) == 2 * us);
    CHECK(parts.line({1}).nic_wait == 2 * us);
}
