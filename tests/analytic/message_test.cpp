
#include "simulator/analytic/message.hpp"
#include "simulator/input/diagnostic.hpp"
#include "tests/analytic/machines.hpp"
#include "tests/analytic/table.hpp"
#include "tests/approx.hpp"

using namespace warpfront::analytic;
using analytic::allreduce_time;
using machine::Locality;
using test::us;

namespace {

constexpr Locality kChip{0};
constexpr Locality kNetwork{2};

struct Overheads {
    double send, recv, L;
};
/// Returns a row for all sizes; times in microseconds, G and G_recv per byte.
machine::ProfileRow costing(machine::Protocol protocol, Overheads o, double G, double G_recv) {
    machine::ProfileRow row;
    row.protocol = protocol;
    row.o_send = us(o.send);
    row.o_recv = us(o.recv);
    row.L = us(o.L);
    row.G = test::us_per_byte(G);
    row.G_recv = test::us_per_byte(G_recv);
    return row;
}

MessageTime xt4(Locality locality, std::int64_t bytes) {
    return message_cost(test::cray({2, 1}, {2, 1}, test::kXt4).profile(locality), Bytes{bytes});
}

}  // namespace

TEST_SUITE("what a message costs") {
    TEST_CASE("an eager message holds its sender for o, its receiver for L + o") {
        // Recv = 0.36 + 3.85; Total = 2 * 3.85 + 1000 * 0.0004 + 0.36
        CHECK(xt4(kNetwork, 1000) == MessageTime{us(3.85), us(4.21), us(8.46)});
    }

    TEST_CASE("the last size of a row still belongs to it") {
        CHECK(xt4(kNetwork, 1024).send == us(3.85));
        CHECK(xt4(kNetwork, 1025).send == us(4.57));  // 3.85 + h, h = 2 * 0.36
    }

    TEST_CASE("a rendezvous adds 2 L to the sender and L to the receiver") {
        // Send = 3.85 + 2 * 0.36; Recv = 0.36 + 2000 * 0.0004 + 0.36 + 3.85: one o;
        // Total = 2 * 3.85 + 0.72 + 0.8 + 0.36
        CHECK(xt4(kNetwork, 2000) == MessageTime{us(4.57), us(5.37), us(9.58)});
    }

    TEST_CASE("a sender that waits until its bytes have left, or arrived, is busy for S*G, and L, longer") {
        machine::ProfileRow row = costing(machine::Protocol::rendezvous, {3.85, 3.85, 0.36}, 0.0004, 0.0);
        const MessageTime acknowledged = message_cost(row, Bytes{2000});
        row.sender_goes_on = machine::SenderGoesOn::sent;
        CHECK(message_cost(row, Bytes{2000}) ==
              MessageTime{acknowledged.send + us(0.8), acknowledged.recv, acknowledged.total});
        row.sender_goes_on = machine::SenderGoesOn::received;
        CHECK(message_cost(row, Bytes{2000}) ==
              MessageTime{acknowledged.send + us(1.16), acknowledged.recv, acknowledged.total});
        row.packet.size = Bytes{500};
        row.G_recv = row.G;
        CHECK(message_cost(row, Bytes{2000}).send == acknowledged.send + us(1.16));
    }

    TEST_CASE("a short on-chip message is copied in and out") {
        // Total = 2 * 1.98 + 1000 * 0.000764
        CHECK(xt4(kChip, 1000) == MessageTime{us(1.98), us(1.98), us(4.724)});
    }

    TEST_CASE("a long on-chip message is moved by DMA while its receiver waits") {
        // Recv = 2000 * 0.000091 + 1.98; Total = 3.77 + 0.182 + 1.98
        CHECK(xt4(kChip, 2000) == MessageTime{us(3.77), us(2.162), us(5.932)});
    }

    TEST_CASE("on InfiniBand the sender pays the latency, the receiver the bytes") {
        // Recv = 7300 / 730
        CHECK(message_cost(test::infiniband({2, 2}, {2, 2}).profile(kNetwork), Bytes{7300}) ==
              MessageTime{us(3.63), us(10), us(13.63)});
    }

    TEST_CASE("G_recv of a rendezvous is spent by the receiver") {
        const machine::ProfileRow row = costing(machine::Protocol::rendezvous, {1, 2, 10}, 1, 3);
        // Send = 1 + 2 * 10; Recv = 10 + 4 * 1 + 10 + 2 + 4 * 3; Total = 21 + 4 * 1 + 10 + 2 + 4 * 3
        CHECK(message_cost(row, Bytes{4}) == MessageTime{us(21), us(38), us(49)});
    }

    TEST_CASE("processors that handle request and acknowledgement hold the sender, the latter also the receiver") {
        // the SP/2's, as Sundaram-Stukel and Vernon count them: o_s = 23, o_l = 47, L = 23 us
        machine::ProfileRow row = costing(machine::Protocol::rendezvous, {23, 47, 23}, 0.03, 0);
        row.o_request = us(23);
        row.o_ack = us(70);
        // Send = o_s + L + o_s + o_s + L + o_l; Recv = o_s + L + o_l + S*G + L + o_l;
        // Total = o_s + L + o_s + o_s + L + o_l + S*G + L + o_l
        CHECK(message_cost(row, Bytes{5000}) == MessageTime{us(162), us(313), us(382)});
    }

    TEST_CASE("a message in packets is copied in, moved and copied out side by side") {
        machine::ProfileRow row = costing(machine::Protocol::eager, {1, 2, 10}, 2, 1);
        row.G_send = test::us_per_byte(3);
        row.packet = {.size = Bytes{4}, .overhead = us(1)};
        // Send = 1 + 12 * 3; Recv = 10 + 2 + 12 * 1; Total = 1 + 12 * 3, the last packet's 4 * 2 + 1 and 4 * 1, 10 + 2
        CHECK(message_cost(row, Bytes{12}) == MessageTime{us(37), us(24), us(62)});
        row.protocol = machine::Protocol::rendezvous;
        CHECK(message_cost(row, Bytes{12}).send == us(57));
        CHECK(message_cost(row, Bytes{12}).total == us(82));
    }

    TEST_CASE("o and copies are overhead, L and what precedes a long message latency, the flight bandwidth") {
        machine::ProfileRow row = costing(machine::Protocol::eager, {1, 2, 10}, 3, 1);
        row.G_send = test::us_per_byte(5);
        const auto parts = [](double overhead, double latency, double bandwidth) {
            return record::PathParts{.overhead = us(overhead), .latency = us(latency), .bandwidth = us(bandwidth)};
        };
        // 4 bytes: Send 1 + 4 * 5; Recv 10, 2 + 4 * 1; Total both, and 4 * 3
        const MessageParts eager = message_parts(row, Bytes{4});
        CHECK(eager.send == parts(21, 0, 0));
        CHECK(eager.recv == parts(6, 10, 0));
        CHECK(eager.total == parts(27, 10, 12));
        row.protocol = machine::Protocol::rendezvous;
        row.o_request = us(100);
        row.o_ack = us(1000);
        // request 10 + 100 and acknowledgement 10 + 1000 with Send and Total; acknowledgement and flight with Recv
        const MessageParts rendezvous = message_parts(row, Bytes{4});
        CHECK(rendezvous.send == parts(21, 1120, 0));
        CHECK(rendezvous.recv == parts(6, 10 + 1010, 12));
        CHECK(rendezvous.total == parts(27, 10 + 1120, 12));
        CHECK(rendezvous.time() == message_cost(row, Bytes{4}));
    }

    TEST_CASE("copies that the wire hides are bandwidth, and the costs of packets are a part of their own") {
        machine::ProfileRow row = costing(machine::Protocol::eager, {1, 2, 10}, 3, 2);
        row.packet = {.size = Bytes{4}, .overhead = us(1)};
        // 3 packets of 4 B: 3 * (12 + 1) on the wire, and the last one's 8 of copying out
        const record::PathParts all{
            .overhead = us(1 + 2 + 8), .latency = us(10), .bandwidth = us(36), .packets = us(3)};
        CHECK(message_parts(row, Bytes{12}).total == all);
        CHECK(message_parts(row, Bytes{12}).recv == record::PathParts{.overhead = us(2 + 24), .latency = us(10)});
        // a sender that waits for its bytes: 1 + 2 * 10, the wire
        row.protocol = machine::Protocol::rendezvous;
        row.sender_goes_on = machine::SenderGoesOn::sent;
        CHECK(message_parts(row, Bytes{12}).send ==
              record::PathParts{.overhead = us(1), .latency = us(20), .bandwidth = us(36), .packets = us(3)});
    }

    TEST_CASE("a wire that limits a message takes back the time of its copies, if they are on the path") {
        machine::ProfileRow row = costing(machine::Protocol::rendezvous, {1, 2, 10}, 1, 3);
        row.G_send = test::us_per_byte(2);
        row.wire = test::us_per_byte(9);
        // 4 bytes take 36, which include copies of 8 and 12; the receiver of a reply copies nothing in
        const MessageParts parts = message_parts(row, Bytes{4});
        CHECK(parts.total == record::PathParts{.overhead = us(1 + 2), .latency = us(30), .wire = us(36)});
        CHECK(parts.recv == record::PathParts{.overhead = us(2) - us(8), .latency = us(20), .wire = us(36)});
        CHECK(parts.send == record::PathParts{.overhead = us(1 + 8), .latency = us(20)});
    }

    TEST_CASE("packets that take longer than a cost may are refused") {
        machine::ProfileRow row = costing(machine::Protocol::eager, {0, 0, 0}, 0, 0);
        row.packet = {.size = Bytes{1}, .overhead = us(1e9)};
        CHECK_THROWS_AS(message_cost(row, Bytes{1'000'000}), input::BadInput);
    }

    TEST_CASE("a message longer than a cost may be is refused") {
        try {
            xt4(kNetwork, std::int64_t{1} << 62);
            FAIL("no fault");
        } catch (const input::BadInput& bad) {
            REQUIRE(bad.diagnostics().count() == 1);
            CHECK(bad.diagnostics().all()[0].kind == input::DiagnosticKind::closed_form_overflow);
            CHECK(bad.diagnostics().all()[0].message ==
                  "a message of 4611686018427387904 bytes at 4e-10 s per byte takes longer than the limit of one cost");
        }
    }
}

TEST_SUITE("the allreduce's closed form") {
    TEST_CASE("one rank needs none") { CHECK(allreduce_time(test::round_machine({1, 1}), Bytes{8}) == WideTime{}); }

    TEST_CASE("with one rank per node every one of log2 P stages goes off-node") {
        // 16 ranks: 4 stages of 13 + 8 bytes * 1
        CHECK(allreduce_time(test::round_machine({4, 4}), Bytes{8}) == us(4 * 21));
    }

    TEST_CASE("the ranks of a node take turns in each stage, off-node and on") {
        // 16 ranks, 4 per node: (4 - 2) stages * 4 * 21 off-node, 2 stages * 4 * 8 on-chip
        CHECK(allreduce_time(test::round_machine({4, 4}, {2, 2}), Bytes{8}) == us(2 * 4 * 21 + 2 * 4 * 8));
    }

    TEST_CASE("stages between the chips of a node are charged at their locality") {
        // 16 ranks, 4 per node, 2 per chip, 0 bytes: 2 * 4 * 2.64 between nodes, 1 * 4 * 0.69 between chips,
        // 1 * 4 * 0.655 on a chip
        CHECK(allreduce_time(test::infiniband({4, 4}, {2, 2}), Bytes{0}) == us(21.12 + 2.76 + 2.62));
    }

    TEST_CASE("stages on a chip are those of the ranks that the chip has") {
        // 16 ranks, 2 per node: 3 * 2 * 2.64 between nodes; then 1 * 2 * 0.655 on a chip, or, with a rank on each chip,
        // 1 * 2 * 0.69 between them
        machine::Machine machine = test::infiniband({4, 4}, {2, 1});
        CHECK(allreduce_time(machine, Bytes{0}) == us(15.84 + 1.31));
        machine.placement.cores = {0, 2};
        CHECK(allreduce_time(machine, Bytes{0}) == us(15.84 + 1.38));
    }

    TEST_CASE("a patch larger than the array counts the ranks that are there") {
        // 2 ranks on a node for 4: 1 stage * 2 * 8 on-chip, none off-node
        CHECK(allreduce_time(test::round_machine({2, 1}, {2, 2}), Bytes{8}) == us(16));
    }

    TEST_CASE("of a number of ranks that is not a power of two the logarithm stays real") {
        // 10 ranks: 3.321928094887362 stages of 21
        const WideTime time = allreduce_time(test::round_machine({5, 2}), Bytes{8});
        CHECK(seconds(time) == test::approx(69.7604899926346e-6).epsilon(1e-7));
    }

    // One core per node: each of the five rows is 8.14 us per stage, but Total of 8 bytes is 2 * 3.85 + 8 * 0.0004 +
    // 0.36 = 8.063. 8.14 us is Total of 200 bytes, with which the first two rows of two cores agree as well; the other
    // three agree with 8 bytes. The missing ingredient is the size of the messages, which the paper does not give.
    TEST_CASE("the XT4's published predictions: with 8 bytes within 2 %; within 1 % with 8 or 200 bytes") {
        const auto rows = test::read_table("tests/analytic/xt4_allreduce.csv");
        REQUIRE(rows.size() == 10);
        for (const test::TableRow& row : rows) {
            CAPTURE(row.count("ranks"));
            CAPTURE(row.count("cores_per_node"));
            const machine::Patch patch{row.count("cores_per_node"), 1};
            const auto machine = test::cray({row.count("ranks"), 1}, patch, test::kXt4);
            const auto difference = [&](Bytes size) {
                return std::abs(seconds(allreduce_time(machine, size)) * 1e6 / row.real("pred_us") - 1);
            };
            const bool small = patch.ranks() == 2 && row.count("ranks") >= 64;
            CHECK(difference(Bytes{small ? 8 : 200}) < (small ? 0.01 : 0.002));
            CHECK(difference(Bytes{8}) < 0.02);
        }
    }
}
