// The message protocol alone: one sender and one receiver; the test passes on every event. Eager up to 1000 B; o = 4
// us, L = 1 us, G = 1 ns/B.
#include "simulator/engine/stepping/message_protocol.hpp"
#include "simulator/engine/stepping/message_protocol_matching.hpp"
#include "simulator/engine/stepping/message_protocol_progress.hpp"

#include "simulator/engine/stepping/node_resources.hpp"
#include "tests/engine/parts.hpp"
#include "tests/engine/shared.hpp"

using engine::MessageProtocol;
using engine::Next;
using engine::NodeResources;
using engine::RankState;
using engine::RemoteEvent;

namespace {

constexpr engine::SizeId kSize{0};

Parts between_two_nodes(std::int64_t bytes, bool bus = false) {
    return {one_message(bytes), simple_machine({2, 1}, {1, 1}, bus)};
}

/// Returns the two ends of the only channel.
engine::SendEndpointId sending_end(const Parts& parts) { return parts.layout.send_endpoint_numbers.at({0}, 0); }
engine::ReceiveEndpointId receiving_end(const Parts& parts) { return parts.layout.receive_endpoint_numbers.at({1}, 0); }

RemoteEvent data_at(std::int64_t time, const Parts& parts) {
    return RemoteEvent::of_data(time, receiving_end(parts), {});
}
RemoteEvent post_at(std::int64_t time, const Parts& parts) { return RemoteEvent::of_post(time, sending_end(parts)); }

}  // namespace

TEST_CASE("an eager message leaves at the end of its overhead, whatever its receiver does") {
    Parts parts = between_two_nodes(500);
    MessageProtocol<false> protocol(parts.context);
    CHECK(protocol.send({0}, parts.line({0}), sending_end(parts), kSize) == Next::go_on);
    CHECK(parts.line({0}).clock == 4 * us);
    const auto& events = parts.context.remote_events.front();
    REQUIRE(events.size() == 1);
    CHECK(events.front().kind == RemoteEvent::data);
    CHECK(events.front().time == 5'500'000);  // 4 us + L + 500 B * G
}

TEST_CASE("a rendezvous blocks its sender until the post, and for one latency after") {
    Parts parts = between_two_nodes(2000);
    MessageProtocol<false> protocol(parts.context);
    CHECK(protocol.send({0}, parts.line({0}), sending_end(parts), kSize) == Next::stop);
    CHECK(parts.line({0}).state == RankState::sending);
    CHECK(parts.context.remote_events.front().empty());
    protocol.take({post_at(9 * us, parts)});  // later than the request, which is there at 5 us
    CHECK(parts.line({0}).clock == 10 * us);
    CHECK(parts.context.ready == std::vector{Rank{0}});
    REQUIRE(parts.context.remote_events.front().size() == 1);
    CHECK(parts.context.remote_events.front().front().time == 13 * us);  // 10 us + L + 2000 B * G
}

TEST_CASE("a rendezvous whose receive was posted before waits for its own request and acknowledgement") {
    Parts parts = between_two_nodes(2000);
    MessageProtocol<false> protocol(parts.context);
    protocol.take({post_at(1 * us, parts)});
    CHECK(protocol.send({0}, parts.line({0}), sending_end(parts), kSize) == Next::go_on);
    CHECK(parts.line({0}).clock == 6 * us);  // 4 us, request to 5, acknowledgement to 6
}

TEST_CASE("a receiver that comes later takes the message at once") {
    Parts parts = between_two_nodes(500);
    MessageProtocol<false> protocol(parts.context);
    protocol.take({data_at(5 * us, parts)});
    parts.line({1}).clock = 9 * us;
    CHECK(protocol.wait_receive({1}, parts.line({1}), receiving_end(parts)) == Next::go_on);
    CHECK(parts.line({1}).clock == 13 * us);
}

TEST_CASE("a receiver that waits is resumed by the arrival") {
    Parts parts = between_two_nodes(500);
    MessageProtocol<false> protocol(parts.context);
    CHECK(protocol.wait_receive({1}, parts.line({1}), receiving_end(parts)) == Next::stop);
    CHECK(parts.line({1}).state == RankState::receiving);
    protocol.take({data_at(5 * us, parts)});
    CHECK(parts.line({1}).state == RankState::running);
    CHECK(parts.line({1}).clock == 9 * us);
    CHECK(parts.context.ready == std::vector{Rank{1}});
}

TEST_CASE("a message that arrives behind another is received after it") {
    Parts parts = between_two_nodes(500);
    MessageProtocol<false> protocol(parts.context);
    protocol.take({data_at(5 * us, parts), data_at(6 * us, parts)});
    CHECK(protocol.wait_receive({1}, parts.line({1}), receiving_end(parts)) == Next::go_on);
    CHECK(parts.line({1}).clock == 9 * us);
    CHECK(protocol.wait_receive({1}, parts.line({1}), receiving_end(parts)) == Next::go_on);
    CHECK(parts.line({1}).clock == 13 * us);
    CHECK(protocol.wait_receive({1}, parts.line({1}), receiving_end(parts)) == Next::stop);
}

TEST_CASE("a message that holds the bus requests it at the end of its overhead, and leaves when it is served") {
    Parts parts = between_two_nodes(500, true);
    MessageProtocol<false> protocol(parts.context);
    CHECK(protocol.send({0}, parts.line({0}), sending_end(parts), kSize) == Next::stop);
    CHECK(parts.line({0}).state == RankState::requests_departure);
    CHECK(parts.line({0}).clock == 4 * us);
    CHECK(parts.context.remote_events.front().empty());
    CHECK(protocol.serve({0}, parts.line({0})) == Next::go_on);
    CHECK(parts.line({0}).clock == 4 * us);
    REQUIRE(parts.context.remote_events.front().size() == 1);
    CHECK(parts.context.remote_events.front().front().time == 5'500'000);
}

// Buses and NICs of a node alone, without a program.

namespace {

/// Four ranks on one node send south to another; a message occupies the bus for 3 us + 0.1 ns/B, a NIC for 2 ns/B.
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

/// Returns the time at which the rank, which requests at its clock, is granted its bus, or its NIC.
std::int64_t grant_server(NodeResources<false>& resources, Parts& parts, Rank rank) {
    resources.grant_server(rank, parts.line(rank), {the_cost(parts).service, {}}, nullptr);
    return parts.line(rank).clock;
}
std::int64_t grant_injection(NodeResources<false>& resources, Parts& parts, Rank rank) {
    resources.grant_injection(rank, parts.line(rank), the_cost(parts), nullptr);
    return parts.line(rank).clock;
}

}  // namespace

TEST_CASE("a request is an event at the clock of its rank") {
    Parts parts = four_senders(1);
    parts.line({2}).clock = 7 * us;
    parts.context.request({2}, parts.line({2}), RankState::requests_departure, {});
    engine::Event event;
    CHECK_FALSE(parts.context.calendar.take_before(7 * us, event));
    REQUIRE(parts.context.calendar.take_before(7 * us + 1, event));
    CHECK(event.time == 7 * us);
    CHECK(event.id == engine::EventId(engine::EventKind::request, Rank{2}));
    CHECK_FALSE(parts.context.calendar.take_before(kHorizon.ps, event));
}

TEST_CASE("a bus is granted when it is free, and the rank's wait is counted") {
    Parts parts = four_senders(1);
    NodeResources<false> resources(parts.context);
    // held 3 us + 1000 B * 0.1 ns/B = 3.1 us from 1 us on; rank 1 requests it at 2 us
    parts.line({0}).clock = 1 * us;
    parts.line({1}).clock = 2 * us;
    CHECK(grant_server(resources, parts, {0}) == 1 * us);
    CHECK(grant_server(resources, parts, {1}) == 4'100'000);
    CHECK(parts.line({0}).server_wait == 0);
    CHECK(parts.line({1}).server_wait == 2'100'000);
}

TEST_CASE("a nonblocking message counts its own wait, independently of its rank") {
    Parts parts = four_senders(1);
    NodeResources<false> resources(parts.context);
    parts.line({1}).clock = 9 * us;
    engine::Requester begun{.clock = 2 * us};
    CHECK(grant_server(resources, parts, {0}) == 0);  // occupied for 3.1 us
    resources.grant_server({1}, begun, {the_cost(parts).service, {}}, nullptr);
    CHECK(begun.clock == 3'100'000);
    CHECK(begun.server_wait == 1'100'000);
    CHECK(parts.line({1}).clock == 9 * us);
    CHECK(parts.line({1}).server_wait == 0);
}

TEST_CASE("cores of different buses do not wait for each other") {
    Parts parts = four_senders(2);
    NodeResources<false> resources(parts.context);
    CHECK(grant_server(resources, parts, {1}) == 0);
    CHECK(grant_server(resources, parts, {2}) == 0);
    CHECK(grant_server(resources, parts, {3}) == 3'100'000);  // behind rank 2
}

TEST_CASE("a NIC injects and ejects at the same time, one message each way") {
    Parts parts = four_senders(1);
    NodeResources<false> resources(parts.context);
    // 1000 B * 2 ns/B = 2 us
    CHECK(grant_injection(resources, parts, {0}) == 0);
    const engine::ServerId nic = resources.ejection_server({0}, {0}, {0});
    CHECK(resources.grant_ejection(nic, 2 * us, the_cost(parts)) == 2 * us);  // its bytes arrive from 0 on
    CHECK(grant_injection(resources, parts, {1}) == 2 * us);
    CHECK(resources.ejection_server({0}, {1}, {0}) == nic);
    CHECK(resources.grant_ejection(nic, 3 * us, the_cost(parts)) == 4 * us);  // from 2 us on, when the NIC is free
    CHECK(parts.line({1}).nic_wait == 2 * us);
}
