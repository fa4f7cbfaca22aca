// Not pinned here: the keys of rows and links (tests/loading); the time and the order of requests to servers
// (tests/engine); the closed form of a message (tests/analytic/message_test.cpp).
#include "simulator/network/cost.hpp"
#include "simulator/network/packet_pipeline.hpp"
#include "simulator/network/server.hpp"
#include "tests/approx.hpp"

using machine::ProfileRow;
using network::PacketPipeline;

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
    CHECK(cost.service == Time{1'790'000 + 1536 * 91});  // 1,929,776 ps
    CHECK(cost.rendezvous);
    CHECK(cost.holds_server);
}

TEST_CASE("a NIC is held for the longer of g and the bytes of the message, in each direction") {
    machine::ProfileRow row = network_row();
    row.holds_nic = true;
    machine::Machine machine;
    machine.nic = machine::Nic{.injection = {1e-9}, .ejection = {2e-9}, .g = {1'500'000}};
    const network::MessageCost cost = network::fold(row, Bytes{1000}, {}, machine);
    CHECK(cost.inject == Time{1'500'000});  // g, above 1000 B * 1 ns/B
    CHECK(cost.injects_at_rate);
    CHECK(cost.eject == Time{2'000'000});  // 1000 B * 2 ns/B, above g
    CHECK_FALSE(cost.ejects_at_rate);
    machine.nic->g = {};
    CHECK(network::fold(row, Bytes{1000}, {}, machine).flight == cost.flight);  // a message alone is not delayed
}

TEST_CASE("latency beyond L lengthens the request, the acknowledgement and the flight") {
    const network::MessageCost near = network::fold(network_row(), Bytes{1536}, {}, machine_with_bus());
    const network::MessageCost far = network::fold(network_row(), Bytes{1536}, Time{150'000}, machine_with_bus());
    CHECK(far.request - near.request == Time{150'000});
    CHECK(far.answer - near.answer == Time{150'000});
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

TEST_CASE("an eager message whose row has a rendezvous keeps the latency of RTS and acknowledgement: 3 L") {
    machine::ProfileRow row = network_row();
    row.o_request = {5};
    row.o_ack = {9};
    CHECK(network::parts_of_flight(row, Bytes{1536}, Time{7}).latency == Time{360'007});
    row.eager = machine::EagerSends{.limit = Bytes{2000}};
    const network::FlightParts parts = network::parts_of_flight(row, Bytes{1536}, Time{7});
    CHECK(parts.latency == Time{3 * 360'007 + 5 + 9});
    CHECK(parts.transfer.flight ==
          network::TransferParts{.copies = {}, .table = {1536 * 400}, .wire = {}, .packets = {}});
    const network::MessageCost cost = network::fold(row, Bytes{1536}, Time{7}, machine::Machine{});
    CHECK(parts.latency + parts.transfer.flight.total() == cost.flight);
}

TEST_CASE("the progress of a rendezvous and the end of its send do not apply to eager messages") {
    machine::ProfileRow row = network_row();
    row.progress = machine::MessageProgress::in_calls;
    row.sender_goes_on = machine::SenderGoesOn::received;
    const network::MessageCost rendezvous = network::fold(row, Bytes{1536}, {}, machine_with_bus());
    CHECK(rendezvous.in_calls);
    CHECK(rendezvous.sender_goes_on == machine::SenderGoesOn::received);
    row.protocol = machine::Protocol::eager;
    const network::MessageCost eager = network::fold(row, Bytes{1536}, {}, machine_with_bus());
    CHECK_FALSE(eager.in_calls);
    CHECK(eager.sender_goes_on == machine::SenderGoesOn::acknowledged);
}

TEST_CASE("G_recv takes the receiver's time, not the wire's") {
    machine::ProfileRow row = network_row();
    row.G = {};
    row.G_recv = {2e-9};
    const network::MessageCost cost = network::fold(row, Bytes{500}, {}, machine::Machine{});
    CHECK(cost.flight == Time{360'000});
    CHECK(cost.busy_recv == Time{3'850'000 + 1'000'000});
}

TEST_CASE("between two ranks of one bus, both services last as long as between two, and do not overlap") {
    // Each service is 1.79 us + 1536 * 0.091 ns = 1,929,776 ps. The flight takes 974,400 ps, then the receiver o_recv.
    machine::ProfileRow row = network_row();
    const auto on_one_bus = [&] {
        return network::fold(row, Bytes{1536}, {}, machine_with_bus(), {}, network::Buses::one);
    };
    // Requested after o_recv: 974,400 + 3,850,000 ps are enough for both services
    row.receiver_hold = machine::ReceiverHold::after_overhead;
    CHECK(on_one_bus().service == Time{2 * 1'929'776});
    CHECK(on_one_bus().service_received == Time{});
    CHECK_FALSE(on_one_bus().receiver_holds_server);
    // Requested at the arrival, after 974,400 ps
    row.receiver_hold = machine::ReceiverHold::before_overhead;
    CHECK(on_one_bus().service == Time{974'400});
    CHECK(on_one_bus().service_received == Time{2 * 1'929'776 - 974'400});
    CHECK(on_one_bus().service_early == Time{});
    CHECK(on_one_bus().receiver_holds_server);
    const network::MessageCost two = network::fold(row, Bytes{1536}, {}, machine_with_bus());
    CHECK(two.service == Time{1'929'776});
    CHECK(two.service_received == two.service);
    CHECK(two.receiver_holds_server);
}

TEST_CASE("without a bus nothing is held") {
    const network::MessageCost cost = network::fold(network_row(), Bytes{1536}, {}, machine::Machine{});
    CHECK_FALSE(cost.holds_server);
    CHECK(cost.service == Time{});
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

// Copying in, wire and copying out, packet by packet. Times in nanoseconds; a packet has 10 B.

namespace {

constexpr Time ns(std::int64_t count) { return {count * 1000}; }

/// Returns a row with these gaps in nanoseconds per byte.
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

/// Simulates the pipeline packet by packet.
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

TEST_CASE("a message is segmented into packets, whose last may be shorter; without a packet size it is one packet") {
    const auto cut = [](std::optional<Bytes> size, std::int64_t bytes) {
        const network::Segmentation all = network::segment({.size = size}, Bytes{bytes});
        return std::pair{all.count, all.last.count};
    };
    CHECK(cut(Bytes{10}, 30) == std::pair<std::int64_t, std::int64_t>{3, 10});
    CHECK(cut(Bytes{10}, 31) == std::pair<std::int64_t, std::int64_t>{4, 1});
    CHECK(cut(Bytes{10}, 7) == std::pair<std::int64_t, std::int64_t>{1, 7});
    CHECK(cut(Bytes{10}, 0) == std::pair<std::int64_t, std::int64_t>{1, 0});
    CHECK(cut(std::nullopt, 1'000'000) == std::pair<std::int64_t, std::int64_t>{1, 1'000'000});
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

TEST_CASE("a wire that is the slowest stage never pauses: 20 + 3 * 30 + 10") {
    const PacketPipeline three = pipeline(row(2, 3, 1), 30);
    CHECK(three.lead == ns(20));
    CHECK(three.in == ns(60));
    CHECK(three.done == ns(120));
    CHECK(three.flight() == ns(120 - 30 - 20));
    CHECK(three.idle == Time{});
}

TEST_CASE("the receiver is always busy if copying out is the slowest stage: 10 + 10 + 3 * 50") {
    const PacketPipeline three = pipeline(row(1, 1, 5), 30);
    CHECK(three.done == ns(170));
    CHECK(three.flight() == ns(10));  // a receiver that waits begins with the first packet
}

TEST_CASE("overhead per packet is added on the wire") { CHECK(pipeline(row(0, 3, 0), 40, ns(2)).done == ns(4 * 32)); }

namespace {

/// Calls visit(costs, bytes) for messages of these sizes in packets of 10 B, with slow and fast stages and buffers.
template <class Visit>
void for_each_pipeline(const std::vector<std::int64_t>& sizes, const Visit& visit) {
    for (int in = 0; in <= 6; in += 2) {
        for (int wire = 0; wire <= 6; wire += 3) {
            for (int out = 0; out <= 6; out += 2) {
                for (const std::int64_t bytes : sizes) {
                    for (const std::int64_t buffers : {5, 30, 1000}) {
                        ProfileRow costs = row(in, wire, out);
                        costs.packet.overhead = ns(3);
                        costs.packet.buffers = Bytes{buffers};
                        costs.packet.full = ns(17);
                        INFO("in ", in, ", wire ", wire, ", out ", out, ", bytes ", bytes, ", buffers ", buffers);
                        visit(costs, bytes);
                    }
                }
            }
        }
    }
}

}  // namespace

TEST_CASE("whichever stage is slowest, the pipeline equals that of the packets one by one") {
    for_each_pipeline({0, 1, 10, 11, 20, 29, 50, 77, 100, 101}, [](const ProfileRow& costs, std::int64_t bytes) {
        const PacketPipeline fast = pipeline(costs, bytes);
        const PacketPipeline slow = stepped(costs, bytes);
        CHECK(fast.lead == slow.lead);
        CHECK(fast.in == slow.in);
        CHECK(fast.done == slow.done);
        CHECK(fast.out == slow.out);
        CHECK(fast.idle == slow.idle);
        CHECK(fast.flight() >= Time{});
    });
}

// The causes of a pipeline's times.

namespace {

network::PipelineParts parts_of(const ProfileRow& row, std::int64_t bytes) {
    return network::parts_of_pipeline(row, Bytes{bytes}).value();
}

/// Returns the parts of `done` by cause: copies, bytes, packets.
std::array<Time, 3> parts_of_done(const ProfileRow& row, std::int64_t bytes) {
    const network::TransferParts flight = parts_of(row, bytes).flight;
    const PacketPipeline all = pipeline(row, bytes);
    return {all.lead + flight.copies + all.out, flight.table, flight.packets};
}

/// Returns the time of the pipeline with the costs of one cause, in the order of `parts_of_done`, multiplied.
Time done_with(ProfileRow row, std::size_t cause, std::int64_t factor, std::int64_t bytes) {
    const auto times = static_cast<double>(factor);
    if (cause == 0) row.G_send.seconds_per_byte *= times;
    if (cause == 0) row.G_recv.seconds_per_byte *= times;
    if (cause == 1) row.G.seconds_per_byte *= times;
    if (cause == 2) row.packet.overhead.ps *= factor;
    if (cause == 2) row.packet.full.ps *= factor;
    return pipeline(row, bytes).done;
}

}  // namespace

TEST_CASE("copies that the wire hides are no part of a pipeline but the first one in and the last one out") {
    // 20 in, 3 * 30 on the wire, 10 out. It arrives at 120 - 3 * 10; the wire carries bytes during two copies out.
    const auto [flight, sent] = parts_of(row(2, 3, 1), 30);
    CHECK(flight == network::TransferParts{.copies = ns(-20), .table = ns(90), .wire = {}, .packets = {}});
    CHECK(sent == network::TransferParts{.copies = {}, .table = ns(90), .wire = {}, .packets = {}});
    CHECK(parts_of_done(row(2, 3, 1), 30) == std::array{ns(20 + 10), ns(90), ns(0)});
}

TEST_CASE("bytes that copies hide are no part of a pipeline but those of one packet") {
    CHECK(parts_of_done(row(4, 1, 1), 30) == std::array{ns(3 * 40 + 10), ns(10), ns(0)});
    CHECK(parts_of_done(row(1, 1, 5), 30) == std::array{ns(10 + 3 * 50), ns(10), ns(0)});
}

TEST_CASE("the costs of packets beyond their bytes are a part of their own: 4 * 7, and 2 * 17 beyond the buffers") {
    ProfileRow costs = row(0, 3, 0);
    costs.packet.overhead = ns(7);
    costs.packet.buffers = Bytes{20};
    costs.packet.full = ns(17);
    CHECK(parts_of(costs, 40).flight ==
          network::TransferParts{.copies = {}, .table = ns(4 * 30), .wire = {}, .packets = ns(4 * 7 + 2 * 17)});
    const auto arbitrated = network::parts_of_pipeline(costs, Bytes{40}, ns(2)).value();
    CHECK(arbitrated.flight.packets == ns(4 * 9 + 2 * 17));
    costs.wire = {5e-9};
    CHECK(parts_of(costs, 40).flight ==
          network::TransferParts{.copies = {}, .table = {}, .wire = ns(4 * 50), .packets = ns(4 * 7 + 2 * 17)});
}

TEST_CASE("without packets, a wire that limits a message takes back the time of its copies: S / b alone") {
    ProfileRow table = row(2, 1, 3);
    table.packet = {};
    table.wire = {9e-9};  // 200 in, 400 on the wire, 300 out: 900
    const auto [flight, sent] = parts_of(table, 100);
    CHECK(flight == network::TransferParts{.copies = ns(-500), .table = {}, .wire = ns(900), .packets = {}});
    CHECK(sent == flight);
    table.wire = {6e-9};  // as long as copies and table: 200, 100, 300
    CHECK(parts_of(table, 100).flight ==
          network::TransferParts{.copies = {}, .table = ns(100), .wire = {}, .packets = {}});
}

TEST_CASE("the parts add up to a pipeline's times, and bound the effect of a change of their costs") {
    for_each_pipeline({0, 1, 10, 29, 50, 101}, [](const ProfileRow& costs, std::int64_t bytes) {
        const PacketPipeline all = pipeline(costs, bytes);
        CHECK(parts_of(costs, bytes).flight.total() == all.flight());
        CHECK(parts_of(costs, bytes).sent.total() == all.flight() + all.late);
        const std::array<Time, 3> parts = parts_of_done(costs, bytes);
        CHECK(parts[0] + parts[1] + parts[2] == all.done);
        for (std::size_t cause = 0; cause < parts.size(); ++cause) {
            CHECK(parts[cause] >= Time{});
            CHECK(done_with(costs, cause, 2, bytes) >= all.done + parts[cause]);
            CHECK(done_with(costs, cause, 0, bytes) >= all.done - parts[cause]);
        }
    });
}

TEST_CASE("a message is no faster than its slowest wire: max(S * G, S / b)") {
    ProfileRow table = row(0, 2, 0);
    table.packet = {};
    table.wire = {1e-9};  // 1 GB/s, faster than G
    CHECK(pipeline(table, 100).flight() == ns(2 * 100));
    table.wire = {2e-9};
    CHECK(pipeline(table, 100).flight() == ns(2 * 100));
    table.wire = {5e-9};
    CHECK(pipeline(table, 100).flight() == ns(5 * 100));
    CHECK(pipeline(table, 0).flight() == Time{});
}

TEST_CASE("the wire carries bytes while processors copy them: max(S * (G_send + G + G_recv), S / b)") {
    ProfileRow table = row(2, 1, 3);
    table.packet = {};
    table.wire = {6e-9};
    CHECK(pipeline(table, 100).done == ns(6 * 100));
    CHECK(pipeline(table, 100).flight() == ns(1 * 100));
    table.wire = {9e-9};
    CHECK(pipeline(table, 100).lead == ns(2 * 100));
    CHECK(pipeline(table, 100).flight() == ns((9 - 2 - 3) * 100));
    CHECK(pipeline(table, 100).done == ns(9 * 100));
}

TEST_CASE("a packet is stored and forwarded, so a slow wire carries it between the copies: 20 + 3 * 50 + 10") {
    ProfileRow table = row(2, 3, 1);
    table.wire = {5e-9};
    CHECK(pipeline(table, 30).done == ns(20 + 3 * 50 + 10));
    table.wire = {2e-9};  // faster than G: 20 + 3 * 30 + 10
    CHECK(pipeline(table, 30).done == ns(120));
}

TEST_CASE("overhead per packet adds to the time of the wire: 4 * (50 + 7)") {
    ProfileRow table = row(0, 3, 0);
    table.packet.overhead = ns(7);
    table.wire = {5e-9};
    CHECK(pipeline(table, 40).done == ns(4 * 57));
}

TEST_CASE("the time per byte of a transfer is G, or what a slower wire adds to the copies") {
    ProfileRow table = row(2, 3, 1);
    CHECK(network::transfer_gap(table).seconds_per_byte == test::approx(3e-9));
    table.wire = {5e-9};
    CHECK(network::transfer_gap(table) == Gap{5e-9});  // in packets
    table.packet = {};
    CHECK(network::transfer_gap(table).seconds_per_byte == test::approx(3e-9));  // 2 + 3 + 1 exceed 5
    table.wire = {9e-9};
    CHECK(network::transfer_gap(table).seconds_per_byte == test::approx(6e-9));
}

TEST_CASE("a pipeline longer than a cost may be is none, whether packets or the wire take too long") {
    CHECK_FALSE(network::pipeline_of(row(0, 1, 0), Bytes{std::int64_t{1} << 62}));
    ProfileRow costs = row(0, 1, 0);
    costs.packet.overhead = Time{kLongestCost.ps / 2};
    CHECK(network::pipeline_of(costs, Bytes{20}));
    CHECK_FALSE(network::pipeline_of(costs, Bytes{30}));
    ProfileRow table = row(0, 1, 0);
    table.wire = {1.0};
    CHECK_FALSE(network::pipeline_of(table, Bytes{std::int64_t{1} << 40}));
}

TEST_CASE("a server grants at once if it is free, else when the previous request is done: 10 + 5 = 15") {
    network::Server server;
    CHECK(server.grant(Time{10}, Time{5}) == Time{10});
    CHECK(server.grant(Time{12}, Time{5}) == Time{15});
    CHECK(server.grant(Time{20}, Time{1}) == Time{20});  // at the time when it becomes free
}

namespace {

/// Two links side by side.
struct Bundle {
    network::Server links[2];
    network::Turn turn = 0;

    /// Requests a link for a packet that occupies it for 10.
    Time ask(machine::LinkChoice choice, std::uint32_t key, Time request) {
        return network::grant(links, turn, choice, key, request, Time{10});
    }
};

}  // namespace

TEST_CASE("a packet takes the link that is free first, the first of those that are free") {
    Bundle bundle;
    CHECK(bundle.ask(machine::LinkChoice::adaptive, 0, Time{100}) == Time{100});
    CHECK(bundle.links[0].free_at == Time{110});
    CHECK(bundle.ask(machine::LinkChoice::adaptive, 0, Time{105}) == Time{105});
    CHECK(bundle.links[1].free_at == Time{115});
    CHECK(bundle.ask(machine::LinkChoice::adaptive, 0, Time{107}) == Time{110});
    CHECK(bundle.links[0].free_at == Time{120});
    CHECK(bundle.ask(machine::LinkChoice::adaptive, 0, Time{200}) == Time{200});
    CHECK(bundle.links[0].free_at == Time{210});
}

TEST_CASE("the choice by key keeps a sender on its link, whatever the load of the other") {
    Bundle bundle;
    CHECK(bundle.ask(machine::LinkChoice::deterministic, 1, Time{0}) == Time{0});
    CHECK(bundle.ask(machine::LinkChoice::deterministic, 3, Time{0}) == Time{10});
    CHECK(bundle.links[0].free_at == Time{});
}

TEST_CASE("packets that find the buffers full hold their link longer, the last one for as long as its own bytes take") {
    const network::Packets holds{.count = 5, .buffered = 2, .service = {10}, .full = {3}, .last = {8}};
    const Time expected[] = {{10}, {10}, {13}, {13}, {8}};
    for (std::int64_t packet = 0; packet < 5; ++packet) CHECK(holds.of(packet) == expected[packet]);
}

TEST_CASE("by round robin messages alternate, for all senders, and the next link is a number below that of links") {
    Bundle bundle;
    for (int message = 0; message < 5; ++message) {
        CHECK(bundle.ask(machine::LinkChoice::round_robin, 0, Time{0}) == Time{message / 2 * 10});
        CHECK(bundle.turn == static_cast<network::Turn>((message + 1) % 2));
    }
}
