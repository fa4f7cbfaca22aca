// Copying in, wire and copying out, packet by packet. Times in nanoseconds; a packet has 10 B.
#include <doctest/doctest.h>

#include "simulator/network/packet_pipeline.hpp"

using namespace warpfront;
using machine::ProfileRow;
using network::PacketPipeline;

namespace {

constexpr Time ns(std::int64_t count) { return {count * 1000}; }

/// A gap in nanoseconds per byte.
ProfileRow row(int in, int wire, int out) {
    return {.up_to = {},
            .protocol = {},
            .o_send = {},
            .o_recv = {},
            .L = {},
            .G = {wire * 1e-9},
            .G_recv = {out * 1e-9},
            .G_send = {in * 1e-9},
            .packet = {.size = Bytes{10}}};
}

PacketPipeline pipeline(const ProfileRow& row, std::int64_t bytes, Time per_packet = {}) {
    return network::pipeline_of(row, Bytes{bytes}, per_packet).value();
}

/// The pipeline stepped packet by packet.
PacketPipeline stepped(const ProfileRow& row, std::int64_t bytes) {
    const network::Segmentation cut = network::segment(row.packet, Bytes{bytes});
    PacketPipeline stepped;
    Time wire;
    Time busy;
    for (std::int64_t k = 0; k < cut.count; ++k) {
        const Bytes size = k + 1 < cut.count ? cut.size : cut.last;
        const Time moves = *cost_of(size, row.G) + row.packet.overhead + (k < cut.buffered ? Time{} : row.packet.full);
        stepped.in += *cost_of(size, row.G_send);
        if (k == 0) stepped.lead = stepped.in;
        wire = std::max(wire, stepped.in) + moves;
        stepped.done = std::max(stepped.done, wire) + *cost_of(size, row.G_recv);
        stepped.out += *cost_of(size, row.G_recv);
        busy += moves;
    }
    stepped.idle = wire - stepped.lead - busy;
    return stepped;
}

}  // namespace

TEST_CASE("a message is segmented into packets; the last may be shorter") {
    const auto cut = [](std::int64_t bytes) { return network::segment({.size = Bytes{10}}, Bytes{bytes}); };
    CHECK(cut(30).count == 3);
    CHECK(cut(30).last == Bytes{10});
    CHECK(cut(31).count == 4);
    CHECK(cut(31).last == Bytes{1});
    CHECK(cut(7).count == 1);
    CHECK(cut(7).last == Bytes{7});
    CHECK(cut(0).count == 1);
    CHECK(cut(0).last == Bytes{0});
}

TEST_CASE("without a packet size a message is one packet") {
    const network::Segmentation whole = network::segment({}, Bytes{1'000'000});
    CHECK(whole.count == 1);
    CHECK(whole.last == Bytes{1'000'000});
}

TEST_CASE(
    "packets that begin within the buffers do not find them full: 25 B of buffers, bytes 0, 10, 20 of a message") {
    const auto buffered = [](std::int64_t bytes) {
        return network::segment({.size = Bytes{10}, .buffers = Bytes{25}}, Bytes{bytes}).buffered;
    };
    CHECK(buffered(20) == 2);
    CHECK(buffered(30) == 3);
    CHECK(buffered(90) == 3);
}

TEST_CASE("one packet passes copying in, wire, copying out") {
    const PacketPipeline one = pipeline(row(2, 3, 4), 10);
    CHECK(one.lead == ns(20));
    CHECK(one.in == ns(20));
    CHECK(one.flight() == ns(30));
    CHECK(one.done == ns(90));
    CHECK(one.out == ns(40));
    CHECK(one.idle == Time{});
}

TEST_CASE("a wire that is the slowest stage never pauses: 20 + 3 * 30 + 10") {
    const PacketPipeline three = pipeline(row(2, 3, 1), 30);
    CHECK(three.lead == ns(20));
    CHECK(three.in == ns(60));
    CHECK(three.done == ns(120));
    CHECK(three.flight() == ns(120 - 30 - 20));
    CHECK(three.idle == Time{});
}

TEST_CASE("the wire waits if copying in is the slowest stage: 3 * 40 + 10 + 10") {
    const PacketPipeline three = pipeline(row(4, 1, 1), 30);
    CHECK(three.done == ns(140));
    CHECK(three.idle == ns(60));  // from 40 to 130, moving for 30
}

TEST_CASE("the receiver is always busy if copying out is the slowest stage: 10 + 10 + 3 * 50") {
    const PacketPipeline three = pipeline(row(1, 1, 5), 30);
    CHECK(three.done == ns(170));
    CHECK(three.flight() == ns(10));  // a receiver that waits begins with the first packet
}

TEST_CASE("every packet costs its overhead, one that finds the buffers full costs more") {
    ProfileRow costs = row(0, 3, 0);
    costs.packet = {.size = Bytes{10}, .overhead = ns(5), .buffers = Bytes{20}, .full = ns(100)};
    CHECK(pipeline(costs, 20).done == ns(2 * 35));
    CHECK(pipeline(costs, 40).done == ns(4 * 35 + 2 * 100));
    CHECK(pipeline(costs, 34).done == ns(3 * 30 + 12 + 4 * 5 + 2 * 100));
}

TEST_CASE("overhead per packet is added on the wire") { CHECK(pipeline(row(0, 3, 0), 40, ns(2)).done == ns(4 * 32)); }

TEST_CASE("whichever stage is slowest, the pipeline equals that of the packets one by one") {
    for (int in = 0; in <= 6; in += 2) {
        for (int wire = 0; wire <= 6; wire += 3) {
            for (int out = 0; out <= 6; out += 2) {
                for (const std::int64_t bytes : {0, 1, 10, 11, 20, 29, 50, 77, 100, 101}) {
                    for (const std::int64_t buffers : {5, 30, 1000}) {
                        ProfileRow costs = row(in, wire, out);
                        costs.packet.overhead = ns(3);
                        costs.packet.buffers = Bytes{buffers};
                        costs.packet.full = ns(17);
                        CAPTURE(in);
                        CAPTURE(wire);
                        CAPTURE(out);
                        CAPTURE(bytes);
                        CAPTURE(buffers);
                        const PacketPipeline fast = pipeline(costs, bytes);
                        const PacketPipeline slow = stepped(costs, bytes);
                        CHECK(fast.lead == slow.lead);
                        CHECK(fast.in == slow.in);
                        CHECK(fast.done == slow.done);
                        CHECK(fast.out == slow.out);
                        CHECK(fast.idle == slow.idle);
                        CHECK(fast.flight() >= Time{});
                    }
                }
            }
        }
    }
}

TEST_CASE("a pipeline longer than a cost may be is none") {
    CHECK_FALSE(network::pipeline_of(row(0, 1, 0), Bytes{std::int64_t{1} << 62}));
    ProfileRow costs = row(0, 1, 0);
    costs.packet.overhead = Time{kLongestCost.ps / 2};
    CHECK(network::pipeline_of(costs, Bytes{20}));
    CHECK_FALSE(network::pipeline_of(costs, Bytes{30}));
}
