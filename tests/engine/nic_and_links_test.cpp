// NICs and links by hand. Values of fixtures.hpp: a rendezvous message of 2000 B has o = 4 us, L = 1 us, S*G = 2 us.
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

namespace {

/// Returns the machine with only the named resources shared.
machine::Machine sharing(machine::Machine machine, bool bus, bool nic, bool links) {
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.holds_bus = bus;
        row.holds_nic = nic;
        row.holds_links = links;
    }
    return machine;
}

}  // namespace

TEST_CASE("the second message waits for the first to be injected, and then finds the receiver's NIC free") {
    machine::Machine machine = sharing(crowded_torus({2, 2}, {2, 1}), false, true, false);
    machine.nic = machine::Nic{{2e-9}, {2e-9}};
    // o_send 4; rank 0 injects 4 .. 5.8, rank 1 is granted at 5.8; both arrive L + 900 B * 2 ns/B = 2.8 us later, at
    // 6.8 and 8.6; ejection takes 1.8 us, so the second, 1.8 us behind, does not wait; o_recv 4
    CHECK(finishes(to_the_ranks_below(), machine) == at({4 * us, 5'800 * ns, 10'800 * ns, 12'600 * ns}));
}

TEST_CASE("the message's wait for the receiver's NIC is the receiver's NIC wait, the rest its wait") {
    machine::Machine machine = sharing(crowded_torus({2, 2}, {2, 1}), false, true, false);
    machine.nic = machine::Nic{{0.0}, {2e-9}};
    const record::Record record = engine::run(to_the_ranks_below(), machine, {});
    // both leave at 4 and arrive at 6.8; the second is ejected at 6.8 + 1.8 = 8.6; o_recv 4
    CHECK(record.rank_finish[2] == WideTime{Time{10 * us + 800'000}});
    CHECK(record.rank_finish[3] == WideTime{Time{12 * us + 600'000}});
    CHECK(record.last == Rank{3});
    CHECK(in_us(*record.breakdown) == "recv 4, wait 6.8, nic wait 1.8");
}

namespace {

/// Two nodes of two ranks with a NIC of 1 ns/B each and a gap g of 3 us between messages; no bus, no links.
machine::Machine with_message_rate() {
    machine::Machine machine = sharing(crowded_torus({2, 2}, {2, 1}), false, true, false);
    machine.nic = machine::Nic{.injection = {1e-9}, .ejection = {1e-9}, .g = {3 * us}};
    return machine;
}

/// Returns a program in which the ranks of the first of two nodes each send 100 B at once to the rank below.
program::Program small_messages() {
    return program_of({2, 2}, {does().send(2, 100), does().send(2, 100), does().recv(-2), does().recv(-2)});
}

}  // namespace

TEST_CASE("small messages of a node follow each other at its NIC by g, and so do those that enter one") {
    // 100 B take 0.1 us of bandwidth, less than g. o_send 4: rank 0 injects at 4; rank 1 requests at 4 and is granted
    // at 4 + 3 = 7. They arrive after L + S * 2 ns/B (links) = 1.2 us, at 5.2 and 8.2, 3 us apart, so that neither
    // waits for the receiver's NIC; o_recv 4: 9.2 and 12.2. Without g the second is granted at 4.1, received by 9.3.
    const record::Record record = engine::run(small_messages(), with_message_rate(), {});
    CHECK(record.rank_finish[2] == WideTime{Time{9'200 * ns}});
    CHECK(record.rank_finish[3] == WideTime{Time{12'200 * ns}});
    machine::Machine without = with_message_rate();
    without.nic->g = {};
    CHECK(finishes(small_messages(), without)[3] == WideTime{Time{9'300 * ns}});
}

TEST_CASE("a NIC takes messages one by one, g apart, from whichever nodes they come") {
    // Ranks 0 and 1 of two nodes send 100 B at once to rank 2. Both arrive at 4 + 1.2 = 5.2; the receiver's NIC takes
    // the first at 5.2, which is received by 9.2, and the second at 5.2 + g = 11.2, which is received by 15.2.
    machine::Machine machine = sharing(crowded_star({3, 1}, {1, 1}), false, true, false);
    machine.nic = machine::Nic{.injection = {1e-9}, .ejection = {1e-9}, .g = {6 * us}};
    const program::Program program =
        program_of({3, 1}, {does().send(2, 100), does().send(1, 100), does().recv(-2).recv(-1)});
    const record::Record record = engine::run(program, machine, {.replay = engine::Replay::full});
    CHECK(record.rank_finish[2] == WideTime{Time{15'200 * ns}});
    CHECK(in_us(*record.breakdown) == "recv 8, wait 5.2, nic wait 2");
}

namespace {

/// Three nodes of one rank with NICs of 1 GB/s; o_send and o_recv are 1 us, L is 1 us, messages have the rate of NICs.
machine::Machine with_nics_alone() {
    machine::Machine machine = simple_machine({3, 1});
    machine.nic = machine::Nic{.injection = {1e-9}, .ejection = {1e-9}};
    machine::ProfileRow row;
    row.o_send = row.o_recv = row.L = {1 * us};
    row.G = {1e-9};
    row.holds_nic = true;
    machine.profiles[2] = {row};
    return machine;
}

}  // namespace

TEST_CASE("a NIC injects and ejects at the same time") {
    // Two ranks send 10 kB to each other: they leave at 1, arrive at 1 + 1 + 10 and are received by 13.
    const program::Program program =
        program_of({3, 1}, {does().send(1, 10'000).recv(1), does().send(-1, 10'000).recv(-1), does()});
    CHECK(finishes(program, with_nics_alone()) == at({13 * us, 13 * us, 0}));
}

TEST_CASE("a small message behind a large one does not wait for bytes that have arrived already") {
    // 1,000 kB leave at 1 us and have arrived by 1 + 1 + 1,000 = 1,002; 8 B leave at 1,001, when injection is free, and
    // arrive at 1,002.008. The rank has received the first by 1,003, the second by 1,004.
    const program::Program program =
        program_of({3, 1}, {does().send(1, 1'000'000, 1).send(1, 8, 2), does().recv(-1, 1).recv(-1, 2), does()});
    CHECK(finishes(program, with_nics_alone())[1] == WideTime{Time{1'004 * us}});
}

TEST_CASE("two messages of different sizes enter a NIC no faster than its bandwidth") {
    // 10 kB and 5 kB leave two nodes at 1 us. The bytes of the smaller arrive from 2 to 7 us, those of the larger from
    // then on, until 17 = 1 + 1 + 15. The rank has received the first by 8, the second by 18.
    const program::Program program =
        program_of({3, 1}, {does().send(2, 10'000), does().send(1, 5'000), does().recv(-1).recv(-2)});
    const record::Record record = engine::run(program, with_nics_alone(), {});
    CHECK(record.rank_finish[2] == WideTime{Time{18 * us}});
    CHECK(record.breakdown->nic_wait == WideTime{Time{5 * us}});
}

TEST_CASE("a small message that comes while a large one arrives does not delay it") {
    // 50 kB leave rank 0 at 1 us, and their bytes arrive at rank 2 from 2 to 52. Rank 1 works for 20 us, and its 8 B
    // leave at 21 and begin to arrive at 22. They wait until the NIC is free, and arrive from 52 to 52.008. Rank 2 has
    // received the large message by 53, the small one by 54. If the NIC served the small message first, it would
    // be idle from 2 to 22, and the large one would arrive by 22.008 + 50.
    const program::Program program =
        program_of({3, 1}, {does().send(2, 50'000), does().work(20 * us).send(1, 8), does().recv(-2).recv(-1)});
    const record::Record record = engine::run(program, with_nics_alone(), {});
    CHECK(record.rank_finish[2] == WideTime{Time{54 * us}});
    CHECK(record.breakdown->nic_wait == WideTime{});
}

TEST_CASE("a slow wire occupies a NIC only for the last bytes of its message") {
    // At 10 ns/B the 5 kB of rank 0 are on the wire from 2 to 52 us, and occupy the NIC of 1 GB/s for 5 us, from 47 on.
    // The 8 B of rank 1 take 0.08 us, leave at 21, and have arrived by 22.08. Rank 2 has received them by 23.08, and
    // the others by 53. At 46 the 8 B would leave at 47, begin to occupy the NIC at 48.072, and arrive with the others.
    machine::Machine machine = with_nics_alone();
    machine.profiles[2].front().G = {1e-8};
    const auto receives_small_first = [&](std::int64_t work) {
        return finishes(
            program_of({3, 1}, {does().send(2, 5'000), does().work(work).send(1, 8), does().recv(-1).recv(-2)}),
            machine)[2];
    };
    CHECK(receives_small_first(20 * us) == WideTime{Time{53 * us}});
    CHECK(receives_small_first(46 * us) == WideTime{Time{54'008 * ns}});  // 52 + 0.008, then twice o_recv
}

TEST_CASE("a large message hides g, and a message alone does not wait for it") {
    // 900 B at 4 ns/B hold the NIC for 3.6 us, longer than g: the second is granted at 4 + 3.6 = 7.6 in either case.
    machine::Machine machine = with_message_rate();
    machine.nic->injection = {4e-9};
    machine::Machine without = machine;
    without.nic->g = {};
    const program::Program large = to_the_ranks_below();
    CHECK(finishes(large, machine) == finishes(large, without));
    CHECK(finishes(large, machine)[1] == WideTime{Time{7'600 * ns}});
    const program::Program alone = program_of({2, 2}, {does().send(2, 100), does(), does().recv(-2)});
    CHECK(finishes(alone, machine) == finishes(alone, without));
}

TEST_CASE("a message that no rank waits for yet is ejected when it arrives, not when it is received") {
    machine::Machine machine = sharing(crowded_torus({2, 2}, {2, 1}), false, true, false);
    machine.nic = machine::Nic{{0.0}, {2e-9}};
    const auto program =
        program_of({2, 2}, {does().send(2, 900), does().send(2, 900), does().recv(-2), does().work(20 * us).recv(-2)});
    const record::Record record = engine::run(program, machine, {});
    CHECK(record.rank_finish[2] == WideTime{Time{10 * us + 800'000}});
    CHECK(record.rank_finish[3] == WideTime{Time{24 * us}});  // ejected by 10.4, received at 20
    CHECK(record.breakdown->nic_wait == WideTime{});
}

TEST_CASE("two messages that leave a node at once over one link follow each other") {
    const machine::Machine machine = sharing(crowded_torus({2, 2}, {2, 1}), false, false, true);
    const record::Record record = engine::run(to_the_ranks_below(), machine, {});
    // both leave at 4; the link takes 1.8 us for each; arrive at 6.8 and 8.6; o_recv 4
    CHECK(record.rank_finish[1] == WideTime{Time{4 * us}});  // the sender does not wait for links
    CHECK(record.rank_finish[2] == WideTime{Time{10 * us + 800'000}});
    CHECK(record.rank_finish[3] == WideTime{Time{12 * us + 600'000}});
    CHECK(record.breakdown->link_wait == WideTime{Time{1 * us + 800'000}});
}

TEST_CASE("each link of a route is requested when the one before is granted, older waves first") {
    // a ring of 5 nodes in a row; rank 0 sends two links up to 2, rank 1 one link up to 2: they meet on 1 -> 2
    machine::Machine machine = sharing(crowded_torus({5, 1}, {1, 1}), false, false, true);
    const auto program = meeting_on_a_link();
    const record::Record record = engine::run(program, machine, {});
    // from 0: leaves at 4, no waiting, arrives 4 + 2.8 + 0.05 (a link beyond L) = 6.85; received by 10.85
    // from 1: leaves at 4.5, link 1 -> 2 busy 4 .. 5.8: waits 1.3; arrives 5.8 + 2.8 = 8.6; received at 10.85, by 14.85
    CHECK(record.rank_finish[2] == WideTime{Time{14 * us + 850'000}});
    CHECK(record.breakdown->link_wait == WideTime{});  // it was there before the receiver was
}

TEST_CASE("a link stays free for others until a message that waits for an earlier link of its route requests it") {
    // a ring of 7 nodes in a row: 1 sends one link up to 2; 0 sends three links up to 3; 2 sends one link up to 3
    std::vector<ClassBuilder> ranks(7);
    ranks[0].work(500'000).send(3, 900);
    ranks[1].send(1, 900);
    ranks[2].work(1 * us).send(1, 900).recv(-1);
    ranks[3].recv(-3).recv(-1);
    const machine::Machine machine = sharing(crowded_torus({7, 1}, {1, 1}), false, false, true);
    const record::Record record = engine::run(program_of({7, 1}, ranks), machine, {});
    // from 1: leaves at 4, link 1 -> 2 busy 4 .. 5.8
    // from 0: leaves at 4.5, waits for link 1 -> 2 until 5.8 and requests link 2 -> 3 only then
    // from 2: leaves at 5, link 2 -> 3 is free and busy 5 .. 6.8; arrives 5 + 2.8 = 7.8
    // from 0: waits for link 2 -> 3 until 6.8; arrives 6.8 + 2.8 + 0.1 (two links beyond L) = 9.7; received by 13.7
    CHECK(record.rank_finish[3] == WideTime{Time{17 * us + 700'000}});
    CHECK(record.link_waits->all == WideTime{Time{1'300'000 + 1'000'000}});
}

TEST_CASE("a message that passes one of its channel over a parallel link is received after it") {
    machine::Machine machine = sharing(crowded_torus({5, 1}, {1, 1}), false, false, true);
    machine.links = machine::Links{2, machine::LinkChoice::round_robin};
    for (machine::ProfileRow& row : machine.profiles[2]) row.o_send = row.o_recv = Time{100 * ns};
    const auto program = program_of({5, 1}, {does().send(1, 900).send(1, 8).send(2, 900).send(2, 8),
                                             does().recv(-1).recv(-1), does().recv(-2).recv(-2)});
    // Rank 0 sends every 0.1 us, over the first and the second link from 0 to 1 in turn. The first is busy from 0.1 to
    // 1.9. So the third message waits from 0.3 to 1.9 and arrives at 1.9 + 1 + 1.8 + 0.05 = 4.75; the fourth leaves at
    // 0.4 and would arrive at 0.4 + 1 + 0.016 + 0.05 = 1.466. They are received by 4.85 and 4.95.
    CHECK(finishes(program, machine)[2] == Time{4'950 * ns});
}

TEST_CASE("resources without bounds change nothing") {
    const RankGrid grid{6, 4};
    const auto program = four_sweeps(grid, 2000, 2, 4);
    machine::Machine free = crowded_torus(grid, {2, 1});
    free.bus = machine::Bus{};
    free.nic = machine::Nic{};
    std::get<machine::TorusRoutes>(free.routes.zone).link_gap = {};
    const machine::Machine none = sharing(free, false, false, false);
    CHECK(finishes(program, free) == finishes(program, none));
}

TEST_CASE("groups of cores have a bus and a NIC each") {
    // four ranks of one node, two groups of two; 0 and 1 send at once, then 0 and 2
    const auto sends = [](std::uint32_t first, std::uint32_t second) {
        std::vector<ClassBuilder> ranks(8);
        for (const std::uint32_t rank : {first, second}) ranks[rank].send(4, 900), ranks[rank + 4].recv(-4);
        return program_of({4, 2}, ranks);
    };
    machine::Machine machine = sharing(crowded_torus({4, 2}, {4, 1}), true, false, false);
    machine.bus->count = 2;
    // the bus is held 3 us + 900 B * 0.1 ns/B
    CHECK(engine::run(sends(0, 1), machine, {}).rank_finish[1] == WideTime{Time{4 * us + 3'090'000}});
    CHECK(engine::run(sends(0, 2), machine, {}).rank_finish[2] == WideTime{Time{4 * us}});
}

TEST_CASE("a NIC that several buses feed serves messages by the time of their request") {
    // Ranks 0 and 1 share bus 0, rank 2 has bus 1; one NIC. Rank 1 requests bus 0 at 4 us behind rank 0, which holds it
    // for 3 us + 900 B * 0.1 ns/B: it requests the NIC at 7.09 us. Rank 2 computes for 2 us and requests the NIC at
    // 6 us, before that. Injections take 1.8 us: rank 0 from 4, rank 2 from 6, rank 1 from 7.8 us.
    const auto program = program_of({4, 2}, {does().send(4, 900), does().send(4, 900), does().work(2 * us).send(4, 900),
                                             does(), does().recv(-4), does().recv(-4), does().recv(-4)});
    machine::Machine machine = sharing(crowded_torus({4, 2}, {4, 1}), true, true, false);
    machine.bus->count = 2;
    const record::Record record = engine::run(program, machine, {});
    CHECK(record.rank_finish[0] == WideTime{Time{4 * us}});
    CHECK(record.rank_finish[2] == WideTime{Time{6 * us}});
    CHECK(record.rank_finish[1] == WideTime{Time{7'800'000}});
}

// Windows are 2^23 ps = 8.388 us wide (flight 13 us). One link, 5 us for each message; a bus, 3 us for each.
TEST_CASE("messages take a link in the order in which they leave their node, also where that is a window later") {
    machine::Machine machine = sharing(crowded_torus({3, 2}, {3, 1}), true, false, true);
    for (machine::ProfileRow& row : machine.profiles[2]) row.L = {8 * us};
    machine.bus = machine::Bus{.o_dma = {3 * us}, .G_dma = {}};
    std::get<machine::TorusRoutes>(machine.routes.zone).link_gap = {5e-6 / 900};
    const auto program =
        program_of({3, 2}, {does().work(4000 * ns).send(3, 900), does().work(4500 * ns).send(3, 900),
                            does().work(2000 * ns).send(3, 900), does().recv(-3), does().recv(-3), does().recv(-3)});
    const record::Record record = engine::run(program, machine, {});
    // o_send is over at 8, 8.5 and 6 us; bus at 6 (rank 2), 9 (rank 0), 12 (rank 1); link at 6, 11 and 16; received
    // 8 + 5 us later, o_recv 4 us
    CHECK(record.rank_finish[5] == WideTime{Time{23 * us}});
    CHECK(record.rank_finish[3] == WideTime{Time{28 * us}});
    CHECK(record.rank_finish[4] == WideTime{Time{33 * us}});
}

// Empty messages occupy the bus for no time, and a link for 2 us. Both are granted the bus at 11.4 us.
TEST_CASE("the message of the older wave takes a link first, of several that leave their node at one time") {
    machine::Machine machine = sharing(crowded_torus({3, 2}, {3, 1}), true, false, true);
    machine.bus = machine::Bus{.o_dma = {}, .G_dma = {6e-9}};
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.L = {50 * us};
        row.receiver_hold = machine::ReceiverHold::after_overhead;
        row.packet.overhead = {2 * us};
    }
    const auto program = program_of(
        {3, 2}, {does().loop(1).work(3 * us).end().send(3, 0), does().work(4 * us).send(3, 0),
                 does().work(2 * us).send(3, 900), does().recv(-3), does().recv(-3), does().work(100 * us).recv(-3)});
    const record::Record record = engine::run(program, machine, {});
    // rank 2 has the bus from 6 to 11.4 us and the link from 6 to 9.8 us; rank 0, a wave further on, requests the bus
    // at 7 us, rank 1 at 8 us; rank 1 has the link from 11.4 us, rank 0 from 13.4 us; there 2 + 50 us later, o_recv 4
    // us
    CHECK(record.rank_finish[4] == WideTime{Time{67'400 * ns}});
    CHECK(record.rank_finish[3] == WideTime{Time{69'400 * ns}});
}
