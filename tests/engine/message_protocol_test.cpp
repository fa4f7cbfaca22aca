// The message protocol alone: one sender, one receiver, every event handed over by the test. Eager up to 1000 B;
// o = 4 us, L = 1 us, G = 1 ns/B.
#include "simulator/engine/stepping/message_protocol.hpp"

#include <doctest/doctest.h>

#include "tests/engine/parts.hpp"

using namespace warpfront;
using namespace warpfront::test;
using engine::MessageProtocol;
using engine::Next;
using engine::RankState;
using engine::RemoteEvent;

namespace {

constexpr engine::SizeId kSize{0};

Parts between_two_nodes(std::int64_t bytes, bool bus = false) {
    return {one_message(bytes), simple_machine({2, 1}, {1, 1}, bus)};
}

/// The two ends of the only channel.
engine::SendEndpointId sending_end(const Parts& parts) { return parts.layout.send_endpoint_numbers.at({0}, 0); }
engine::ReceiveEndpointId receiving_end(const Parts& parts) { return parts.layout.receive_endpoint_numbers.at({1}, 0); }

RemoteEvent data_at(std::int64_t time, const Parts& parts) {
    return RemoteEvent::of_data(time, receiving_end(parts), {});
}
RemoteEvent post_at(std::int64_t time, const Parts& parts) { return RemoteEvent::of_post(time, sending_end(parts)); }

}  // namespace

TEST_CASE("an eager message leaves at the end of its overhead, whatever its receiver does") {
    Parts parts = between_two_nodes(500);
    MessageProtocol protocol(parts.context);
    CHECK(protocol.send({0}, parts.line({0}), sending_end(parts), kSize) == Next::go_on);
    CHECK(parts.line({0}).clock == 4 * us);
    const auto& events = parts.context.remote_events.front();
    REQUIRE(events.size() == 1);
    CHECK(events.front().kind == RemoteEvent::data);
    CHECK(events.front().time == 5'500'000);  // 4 us + L + 500 B * G
}

TEST_CASE("a rendezvous blocks its sender until the post, and for one latency after") {
    Parts parts = between_two_nodes(2000);
    MessageProtocol protocol(parts.context);
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
    MessageProtocol protocol(parts.context);
    protocol.take({post_at(1 * us, parts)});
    CHECK(protocol.send({0}, parts.line({0}), sending_end(parts), kSize) == Next::go_on);
    CHECK(parts.line({0}).clock == 6 * us);  // 4 us, request to 5, acknowledgement to 6
}

TEST_CASE("a receiver that comes later takes the message at once") {
    Parts parts = between_two_nodes(500);
    MessageProtocol protocol(parts.context);
    protocol.take({data_at(5 * us, parts)});
    parts.line({1}).clock = 9 * us;
    CHECK(protocol.wait_receive({1}, parts.line({1}), receiving_end(parts)) == Next::go_on);
    CHECK(parts.line({1}).clock == 13 * us);
}

TEST_CASE("a receiver that waits is resumed by the arrival") {
    Parts parts = between_two_nodes(500);
    MessageProtocol protocol(parts.context);
    CHECK(protocol.wait_receive({1}, parts.line({1}), receiving_end(parts)) == Next::stop);
    CHECK(parts.line({1}).state == RankState::receiving);
    protocol.take({data_at(5 * us, parts)});
    CHECK(parts.line({1}).state == RankState::running);
    CHECK(parts.line({1}).clock == 9 * us);
    CHECK(parts.context.ready == std::vector{Rank{1}});
}

TEST_CASE("a message that arrives behind another is received after it") {
    Parts parts = between_two_nodes(500);
    MessageProtocol protocol(parts.context);
    protocol.take({data_at(5 * us, parts), data_at(6 * us, parts)});
    CHECK(protocol.wait_receive({1}, parts.line({1}), receiving_end(parts)) == Next::go_on);
    CHECK(parts.line({1}).clock == 9 * us);
    CHECK(protocol.wait_receive({1}, parts.line({1}), receiving_end(parts)) == Next::go_on);
    CHECK(parts.line({1}).clock == 13 * us);
    CHECK(protocol.wait_receive({1}, parts.line({1}), receiving_end(parts)) == Next::stop);
}

TEST_CASE("a message that holds the bus requests it at the end of its overhead, and leaves when it is served") {
    Parts parts = between_two_nodes(500, true);
    MessageProtocol protocol(parts.context);
    CHECK(protocol.send({0}, parts.line({0}), sending_end(parts), kSize) == Next::stop);
    CHECK(parts.line({0}).state == RankState::requests_departure);
    CHECK(parts.line({0}).clock == 4 * us);
    CHECK(parts.context.remote_events.front().empty());
    CHECK(protocol.serve({0}, kHorizon.ps) == Next::go_on);
    CHECK(parts.line({0}).clock == 4 * us);
    REQUIRE(parts.context.remote_events.front().size() == 1);
    CHECK(parts.context.remote_events.front().front().time == 5'500'000);
}
