#include <doctest/doctest.h>

#include <stdexcept>

#include "simulator/network/cost.hpp"

using namespace warpfront;

namespace {

// The XT4's network row above 1024 bytes: o = 3.85 us, L = 0.36 us, G = 0.4 ns/B; bus 1.79 us + 0.091 ns/B.
machine::ProfileRow network_row() {
    return {.up_to = {},
            .protocol = machine::Protocol::rendezvous,
            .o_send = {3'850'000},
            .o_recv = {3'850'000},
            .L = {360'000},
            .G = {0.4e-9},
            .G_recv = {},
            .holds_bus = true};
}
machine::Machine machine_with_bus() {
    machine::Machine machine;
    machine.bus = machine::Bus{.o_dma = {1'790'000}, .G_dma = {0.091e-9}};
    return machine;
}

}  // namespace

TEST_CASE("costs are rounded once: flight = L + S*G, bus = o_dma + S*G_dma") {
    const network::MessageCost cost = network::fold(network_row(), Bytes{1536}, {}, machine_with_bus());
    CHECK(cost.busy_send == Time{3'850'000});
    CHECK(cost.request == Time{360'000});
    CHECK(cost.flight == Time{360'000 + 1536 * 400});  // 974,400 ps
    CHECK(cost.busy_recv == Time{3'850'000});
    CHECK(cost.bus == Time{1'790'000 + 1536 * 91});  // 1,929,776 ps
    CHECK(cost.rendezvous);
    CHECK(cost.holds_bus);
}

TEST_CASE("latency beyond L lengthens the request, the acknowledgement and the flight") {
    const network::MessageCost near = network::fold(network_row(), Bytes{1536}, {}, machine_with_bus());
    const network::MessageCost far = network::fold(network_row(), Bytes{1536}, Time{150'000}, machine_with_bus());
    CHECK(far.request - near.request == Time{150'000});
    CHECK(far.flight - near.flight == Time{150'000});
    CHECK(far.busy_send == near.busy_send);
}

TEST_CASE("processor time of a rendezvous lengthens its request and its acknowledgement, not the flight") {
    machine::ProfileRow row = network_row();
    row.o_request = {5};
    row.o_ack = {9};
    const network::MessageCost cost = network::fold(row, Bytes{1536}, {}, machine_with_bus());
    CHECK(cost.request == Time{360'005});
    CHECK(cost.answer == Time{360'009});
    CHECK(cost.flight == Time{974'400});
}

TEST_CASE("G_recv takes the receiver's time, not the wire's") {
    machine::ProfileRow row = network_row();
    row.G = {};
    row.G_recv = {2e-9};
    const network::MessageCost cost = network::fold(row, Bytes{500}, {}, machine::Machine{});
    CHECK(cost.flight == Time{360'000});
    CHECK(cost.busy_recv == Time{3'850'000 + 1'000'000});
}

TEST_CASE("without a bus nothing is held") {
    const network::MessageCost cost = network::fold(network_row(), Bytes{1536}, {}, machine::Machine{});
    CHECK_FALSE(cost.holds_bus);
    CHECK(cost.bus == Time{});
}

TEST_CASE("a message too long for virtual time is an overflow, not a wrap") {
    CHECK_THROWS_AS(network::fold(network_row(), Bytes{std::int64_t{1} << 62}, {}, machine::Machine{}),
                    std::overflow_error);
}

TEST_CASE("a message in packets departs when the first is copied in; its sender stays busy with the rest") {
    machine::ProfileRow row = network_row();
    row.G = {1e-9};
    row.G_send = {2e-9};
    row.G_recv = {3e-9};
    row.packet = {.size = Bytes{100}, .overhead = {50'000}};
    const network::MessageCost cost = network::fold(row, Bytes{300}, Time{7}, machine::Machine{}, Time{10'000});
    // a packet: 200 ns in, 100 + 50 + 10 ns on the wire, 300 ns out; the receiver is slowest: the first packet decides
    CHECK(cost.busy_send == Time{3'850'000 + 200'000});
    CHECK(cost.busy_after == Time{400'000});
    CHECK(cost.flight == Time{360'000 + 7 + 160'000});
    CHECK(cost.busy_recv == Time{3'850'000 + 900'000});
    CHECK(cost.idle == Time{2 * 40'000});  // between packets, 200 - 160 ns
}
