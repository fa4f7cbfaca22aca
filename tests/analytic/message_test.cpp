#include <doctest/doctest.h>

#include "simulator/analytic/message.hpp"
#include "simulator/input/diagnostic.hpp"
#include "tests/analytic/machines.hpp"

using namespace warpfront;
using namespace warpfront::analytic;
using machine::Locality;
using test::us;

namespace {

constexpr Locality kChip{0};
constexpr Locality kNetwork{2};

MessageTime xt4(Locality locality, std::int64_t bytes) {
    return message_cost(test::cray({2, 1}, {2, 1}, test::kXt4).profile(locality), Bytes{bytes});
}

}  // namespace

TEST_SUITE("what a message costs") {
    TEST_CASE("an eager message holds its sender for o, its receiver for L + o") {
        const MessageTime cost = xt4(kNetwork, 1000);
        CHECK(cost.send == us(3.85));
        CHECK(cost.recv == us(4.21));   // 0.36 + 3.85
        CHECK(cost.total == us(8.46));  // 2 * 3.85 + 1000 * 0.0004 + 0.36
    }

    TEST_CASE("the last size of a row still belongs to it") {
        CHECK(xt4(kNetwork, 1024).send == us(3.85));
        CHECK(xt4(kNetwork, 1025).send == us(4.57));  // 3.85 + h, h = 2 * 0.36
    }

    TEST_CASE("a rendezvous adds 2 L to the sender and L to the receiver") {
        const MessageTime cost = xt4(kNetwork, 2000);
        CHECK(cost.send == us(4.57));   // 3.85 + 2 * 0.36
        CHECK(cost.recv == us(5.37));   // 0.36 + 2000 * 0.0004 + 0.36 + 3.85: one o
        CHECK(cost.total == us(9.58));  // 2 * 3.85 + 0.72 + 0.8 + 0.36
    }

    TEST_CASE("a short on-chip message is copied in and out") {
        const MessageTime cost = xt4(kChip, 1000);
        CHECK(cost.send == us(1.98));
        CHECK(cost.recv == us(1.98));
        CHECK(cost.total == us(4.724));  // 2 * 1.98 + 1000 * 0.000764
    }

    TEST_CASE("a long on-chip message is moved by DMA while its receiver waits") {
        const MessageTime cost = xt4(kChip, 2000);
        CHECK(cost.send == us(3.77));
        CHECK(cost.recv == us(2.162));   // 2000 * 0.000091 + 1.98
        CHECK(cost.total == us(5.932));  // 3.77 + 0.182 + 1.98
    }

    TEST_CASE("on InfiniBand the sender pays the latency, the receiver the bytes") {
        const MessageTime cost = message_cost(test::infiniband({2, 2}, {2, 2}).profile(kNetwork), Bytes{7300});
        CHECK(cost.send == us(3.63));
        CHECK(cost.recv == us(10));  // 7300 / 730
        CHECK(cost.total == us(13.63));
    }

    TEST_CASE("G_recv of a rendezvous is spent by the receiver") {
        const machine::ProfileRow row{.up_to = {},
                                      .protocol = machine::Protocol::rendezvous,
                                      .o_send = us(1),
                                      .o_recv = us(2),
                                      .L = us(10),
                                      .G = test::us_per_byte(1),
                                      .G_recv = test::us_per_byte(3)};
        const MessageTime cost = message_cost(row, Bytes{4});
        CHECK(cost.send == us(21));   // 1 + 2 * 10
        CHECK(cost.recv == us(38));   // 10 + 4 * 1 + 10 + 2 + 4 * 3
        CHECK(cost.total == us(49));  // 21 + 4 * 1 + 10 + 2 + 4 * 3
    }

    TEST_CASE("processors that handle request and acknowledgement hold the sender, the latter also the receiver") {
        // the SP/2's, as Sundaram-Stukel and Vernon count them: o_s = 23, o_l = 47, L = 23 us
        const machine::ProfileRow row{.up_to = {},
                                      .protocol = machine::Protocol::rendezvous,
                                      .o_send = us(23),
                                      .o_recv = us(47),
                                      .o_request = us(23),
                                      .o_ack = us(70),
                                      .L = us(23),
                                      .G = test::us_per_byte(0.03),
                                      .G_recv = {}};
        const MessageTime cost = message_cost(row, Bytes{5000});
        CHECK(cost.send == us(162));   // o_s + L + o_s + o_s + L + o_l
        CHECK(cost.recv == us(313));   // o_s + L + o_l + S*G + L + o_l
        CHECK(cost.total == us(382));  // o_s + L + o_s + o_s + L + o_l + S*G + L + o_l
    }

    TEST_CASE("a message in packets is copied in, moved and copied out side by side") {
        machine::ProfileRow row{.up_to = {},
                                .protocol = machine::Protocol::eager,
                                .o_send = us(1),
                                .o_recv = us(2),
                                .L = us(10),
                                .G = test::us_per_byte(2),
                                .G_recv = test::us_per_byte(1),
                                .G_send = test::us_per_byte(3),
                                .packet = {.size = Bytes{4}, .overhead = us(1)}};
        const MessageTime eager = message_cost(row, Bytes{12});
        CHECK(eager.send == us(37));   // 1 + 12 * 3
        CHECK(eager.recv == us(24));   // 10 + 2 + 12 * 1
        CHECK(eager.total == us(62));  // 1 + 12 * 3, the last packet's 4 * 2 + 1 and 4 * 1, 10 + 2
        row.protocol = machine::Protocol::rendezvous;
        CHECK(message_cost(row, Bytes{12}).send == us(57));
        CHECK(message_cost(row, Bytes{12}).total == us(82));
    }

    TEST_CASE("packets that take longer than a cost may are refused") {
        machine::ProfileRow row{.up_to = {},
                                .protocol = machine::Protocol::eager,
                                .o_send = {},
                                .o_recv = {},
                                .L = {},
                                .G = {},
                                .G_recv = {},
                                .packet = {.size = Bytes{1}, .overhead = us(1e9)}};
        CHECK_THROWS_AS(message_cost(row, Bytes{1'000'000}), input::BadInput);
    }

    TEST_CASE("a message longer than a cost may be is refused") {
        try {
            xt4(kNetwork, std::int64_t{1} << 62);
            FAIL("no fault");
        } catch (const input::BadInput& bad) {
            REQUIRE(bad.faults().count() == 1);
            CHECK(bad.faults().all()[0].kind == input::DiagnosticKind::closed_form_overflow);
            CHECK(bad.faults().all()[0].message ==
                  "a message of 4611686018427387904 bytes at 4e-10 s per byte is longer than a cost may be");
        }
    }
}
