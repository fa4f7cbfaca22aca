// The node's bus as a first-come first-served server: only waiting adds time. Network messages occupy it for 3 us + 0.1
// ns/B.
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

namespace {

/// Ranks 0 and 1 share node 0, ranks 2 and 3 node 1 (a 2 x 2 process grid with patches of 2 x 1). Each of ranks 0 and 1
/// sends south after `first` and `second` microseconds of work.
program::Program two_south(std::int64_t bytes = 500, std::int64_t first = 0, std::int64_t second = 0) {
    const auto after = [](std::int64_t work) { return work == 0 ? does() : does().work(work * us); };
    return program_of({2, 2},
                      {after(first).send(2, bytes), after(second).send(2, bytes), does().recv(-2), does().recv(-2)});
}

machine::Machine two_nodes(bool bus = true) { return simple_machine({2, 2}, {2, 1}, bus); }

}  // namespace

TEST_CASE("a message alone on the bus costs what it costs without a bus") {
    // Rank 1 sends 100 us later: no two messages meet.
    CHECK(finishes(two_south(500, 0, 100), two_nodes(true)) == finishes(two_south(500, 0, 100), two_nodes(false)));
}

TEST_CASE("the lower rank's message goes first of two at the same instant; the other waits once on each side") {
    // Both busy sending 0-4, request at 4. Rank 0 granted at 4 (bus occupied to 4 + 3.05), rank 1 at 7.05.
    // Data arrives at 4 + 1.5 = 5.5 and 7.05 + 1.5 = 8.55. Receiving node: requested at 5.5, granted, occupied to
    // 8.55; requested at 8.55, granted at once. Received at 9.5 and 12.55.
    CHECK(finishes(two_south(), two_nodes()) == at({4 * us, 7'050'000, 9'500'000, 12'550'000}));
}

TEST_CASE("a received message that holds the bus after its overhead requests it when o_recv is over") {
    // Ranks 0 and 1 depart at 4 and, after a hold of 3.05, at 7.05; their data is there 1.5 later, at 5.5 and 8.55.
    // o_recv is over at 9.5 and 12.55: held from 9.5 to 12.55 and from 12.55 on, so no rank waits.
    machine::Machine machine = two_nodes();
    for (machine::ProfileRow& row : machine.profiles[2]) row.receiver_hold = machine::ReceiverHold::after_overhead;
    CHECK(finishes(two_south(), machine) == at({4 * us, 7'050'000, 9'500'000, 12'550'000}));
}

TEST_CASE("a core alone does not wait for its own hold where that lies within its overhead") {
    // Ranks 0 and 1 on two nodes exchange 500 B twice. Both send 0-4 and hold their bus 4-7.05; data is there at 5.5.
    // Requested after o_recv at 9.5: free. The second exchange takes as long: 19. Requested on arrival at 5.5 instead,
    // the bus is free at 7.05: received at 11.05, and the second time at 22.1.
    const auto program = program_of({2, 1}, {does().send(1, 500).recv(1).send(1, 500).recv(1),
                                             does().send(-1, 500).recv(-1).send(-1, 500).recv(-1)});
    const auto finish = [&](machine::ReceiverHold hold) {
        machine::Machine machine = simple_machine({2, 1}, {1, 1}, true);
        for (machine::ProfileRow& row : machine.profiles[2]) row.receiver_hold = hold;
        return engine::run(program, machine, {}).finish;
    };
    CHECK(finish(machine::ReceiverHold::after_overhead) == WideTime{Time{19 * us}});
    CHECK(finish(machine::ReceiverHold::before_overhead) == WideTime{Time{22'100'000}});
}

TEST_CASE("a row's own o_dma replaces that of the bus") {
    // Held 1 us + 0.1 ns/B in place of 3 us + 0.1 ns/B: rank 1 departs at 4 + 1.05.
    machine::Machine machine = two_nodes();
    for (machine::ProfileRow& row : machine.profiles[2]) row.o_dma = Time{1 * us};
    CHECK(finishes(two_south(), machine)[1] == WideTime{Time{5'050'000}});
}

TEST_CASE("the time queued for the bus is the rank's bus wait") {
    const auto program =
        program_of({2, 2}, {does().send(2, 500), does().send(2, 500).work(50 * us), does().recv(-2), does().recv(-2)});
    // Rank 1: busy 0-4, granted at 7.05, works to 57.05.
    const record::Record record = engine::run(program, two_nodes(), {});
    REQUIRE(record.last == Rank{1});
    CHECK(record.breakdown->bus_wait == WideTime{Time{3'050'000}});
    CHECK(record.breakdown->total() == record.finish);
}

TEST_CASE("the bus serves by request time, not by rank") {
    // Rank 1 requests at 4, rank 0 at 5: rank 0 is granted at 7.05.
    const std::vector<WideTime> all = finishes(two_south(500, 1, 0), two_nodes());
    CHECK(all[1] == WideTime{Time{4 * us}});
    CHECK(all[0] == WideTime{Time{7'050'000}});
}

TEST_CASE("a rendezvous message requests the bus when its acknowledgement is back") {
    // 2000 bytes: busy 0-4, request 5, back 6; bus held 3.2 us: granted at 6 and 9.2.
    const std::vector<WideTime> all = finishes(two_south(2000), two_nodes());
    CHECK(all[0] == WideTime{Time{6 * us}});
    CHECK(all[1] == WideTime{Time{9'200'000}});
}

TEST_CASE("messages on the chip leave the bus alone") {
    // Rank 0 to rank 1 on one node: busy 0-2, there at 2, received to 4, whatever else the bus carries.
    const auto program = program_of({2, 1}, {does().send(1, 2000), does().recv(-1)});
    CHECK(engine::run(program, simple_machine({2, 1}, {2, 1}, true), {}).finish == WideTime{Time{4 * us}});
}

TEST_CASE("messages on the chip whose row holds the bus wait for it on either side") {
    // Ranks 0 and 1 send 2000 B to ranks 2 and 3 of the same node, all at once: busy 0-2, requested at 2. The bus
    // serves each message for 2 * 3.2 us, 1 of them (L) for its sender. Rank 0 is granted at 2 and rank 1 at 3; their
    // data is there at 3 and 4. Rank 2 requests for receiving at 3, behind rank 1: granted at 4 for 5.4 us, done at 6.
    // Rank 3 requests at 4, behind rank 2: granted at 9.4, done at 11.4.
    machine::Machine machine = simple_machine({2, 2}, {2, 2}, true);
    machine.profiles[0].front().holds_bus = true;
    machine.profiles[0].front().L = {1 * us};
    CHECK(finishes(two_south(2000), machine) == at({2 * us, 3 * us, 6 * us, 11'400'000}));
}

// Messages between ranks of one bus, by hand. Copies of 1 MB take 125 us, its two services together 2 * 19.53125 us:
// 0.15 us (L) + 0.15 us (o_recv) of them for the sender, and 38.7625 us for the receiver.

namespace {

constexpr std::int64_t kMegabyte = 1'000'000;

/// Returns nodes of four cores with `buses` buses of 51.2 GB/s. On the chip o = L = 0.15 us, and receivers copy at 8
/// GB/s.
machine::Machine copying_on(std::uint32_t buses) {
    machine::Machine machine = simple_machine({4, 1}, {4, 1}, true);
    machine.bus = machine::Bus{{}, {1 / 51.2e9}, buses};
    machine::ProfileRow& row = machine.profiles[0].front();
    row.o_send = row.o_recv = row.L = {150 * ns};
    row.G_recv = {1 / 8e9};
    row.receiver_hold = machine::ReceiverHold::after_overhead;
    row.holds_bus = true;
    return machine;
}

/// Returns a program of four ranks that do nothing unless their code is given.
program::Program four_ranks(std::vector<ClassBuilder> code) {
    code.resize(4);
    return program_of({4, 1}, std::move(code));
}

ClassBuilder begins(std::int64_t round_trips) {
    ClassBuilder code;
    return code.loop(round_trips).send(1, kMegabyte).recv(1).end();
}

ClassBuilder answers(std::int64_t round_trips) {
    ClassBuilder code;
    return code.loop(round_trips).recv(-1).send(-1, kMegabyte).end();
}

}  // namespace

TEST_CASE("a ping-pong on one bus takes as long as on two: its messages do not wait for themselves") {
    // Five round trips of 2 * (0.15 + 0.15 + 0.15 + 125) us
    const auto program = four_ranks({begins(5), answers(5)});
    for (const std::uint32_t buses : {1U, 2U, 4U}) {
        const record::Record record = engine::run(program, copying_on(buses), {});
        CHECK(record.finish == WideTime{Time{1'254'500 * ns}});
        CHECK(record.breakdown->bus_wait == WideTime{});
    }
}

TEST_CASE("of two messages on one bus the second waits for both services of the first") {
    // Both request at 0.15; granted at 0.15 and 0.45. Received by rank 1 from 0.75 on, up to 125.75; its service ends
    // at 39.5125, from where on rank 3 receives, up to 164.5125.
    const auto program =
        four_ranks({does().send(1, kMegabyte), does().recv(-1), does().send(1, kMegabyte), does().recv(-1)});
    CHECK(finishes(program, copying_on(1)) == at({150 * ns, 125'750 * ns, 450 * ns, 164'512'500}));
    CHECK(finishes(program, copying_on(2)) == at({150 * ns, 125'450 * ns, 150 * ns, 125'450 * ns}));
}

TEST_CASE("two ping-pongs on one bus wait once for each other, and then take turns") {
    // 39.0625 us of each 125.45 us are service, so both fit. The second pair waits 39.0625 us at the first message and
    // 0.3 us at the second, when the sender of the first pair is served.
    const auto program = four_ranks({begins(5), answers(5), begins(5), answers(5)});
    const std::vector<WideTime> all = finishes(program, copying_on(1));
    CHECK(all[0] == WideTime{Time{1'254'800 * ns}});
    CHECK(all[2] == WideTime{Time{1'293'862'500}});
}

TEST_CASE("isends of one rank on a bus do not wait for the copies of earlier ones") {
    // Requests at 0.15, 0.3 and so on. The first message is received from 0.75 on, behind the second isend. Then the
    // receiver is busy for nine times 0.15 + 125 us: 0.75 + 125 + 9 * 125.15 = 1252.1.
    ClassBuilder sends;
    ClassBuilder receives;
    for (std::int32_t tag = 0; tag < 10; ++tag) receives.recv(-1, tag);
    for (std::int32_t tag = 0; tag < 10; ++tag) sends.isend(1, kMegabyte, tag);
    for (std::int32_t tag = 0; tag < 10; ++tag) sends.await_sent(1, tag);
    CHECK(finishes(four_ranks({sends, receives}), copying_on(1))[1] == WideTime{Time{1'252'100 * ns}});
}

TEST_CASE("a bus that is slower than the copies takes 2 (o_dma + S G_dma) for each message but the first") {
    // At 4 GB/s twice 250 us. Ten messages of a ping-pong: nine times 500 us, and 0.15 + 0.3 + 125 us for the last.
    machine::Machine machine = copying_on(1);
    machine.bus->G_dma = {1 / 4e9};
    CHECK(engine::run(four_ranks({begins(5), answers(5)}), machine, {}).finish == WideTime{Time{4'625'450 * ns}});
}

TEST_CASE("the more time messages take on the bus, the later they are received, and never before their copies end") {
    WideTime before;
    for (const double bytes_per_ns : {1e6, 200.0, 51.2, 16.0, 15.9, 8.0, 4.0, 1.0}) {
        machine::Machine machine = copying_on(1);
        machine.bus->G_dma = {1e-9 / bytes_per_ns};
        const WideTime time =
            engine::run(four_ranks({begins(3), answers(3), begins(3), answers(3)}), machine, {}).finish;
        CHECK(time >= before);
        CHECK(time >= WideTime{Time{752'700 * ns}});  // six times 0.45 + 125 us
        before = time;
    }
}

TEST_CASE("a message within a node whose bytes arrive by themselves occupies the bus for its sender alone") {
    // 1 MB takes 125 us on the wire and 39.0625 us on the bus, which serves rank 2 from 190.15 to 229.2125. Rank 1
    // receives at 200, when its message has arrived, and requests no bus.
    machine::Machine machine = copying_on(1);
    machine::ProfileRow& row = machine.profiles[0].front();
    std::swap(row.G, row.G_recv);
    const auto program = four_ranks({does().send(1, kMegabyte), does().work(200 * us).recv(-1),
                                     does().work(190 * us).send(1, kMegabyte), does().recv(-1)});
    // 200 + 0.15, and 190 + 0.15 + 0.15 + 125 + 0.15
    CHECK(finishes(program, machine) == at({150 * ns, 200'150 * ns, 190'150 * ns, 315'450 * ns}));
}

TEST_CASE("with no latency at all the engine serves requests in order and gets the same waits") {
    machine::Machine machine = two_nodes();
    for (machine::ProfileRow& row : machine.profiles[2]) row.L = {}, row.G = {};
    // Busy 0-4, granted at 4 and 7.05, arrives at once, granted at 4 and 7.05, received at 8 and 11.05.
    CHECK(finishes(two_south(), machine) == at({4 * us, 7'050'000, 8 * us, 11'050'000}));
}

// Messages of one channel that do not all occupy the same resources.

namespace {

/// Returns a machine without shared resources, for messages up to 1000 bytes or beyond: eager, o_send = o_recv = 1 us,
/// L = 2 us, nothing per byte.
machine::Machine plain(RankGrid grid) {
    machine::Machine machine = crowded_torus(grid, {});
    machine.bus.reset();
    machine.nic.reset();
    std::get<machine::TorusRoutes>(machine.routes.zone).link_gap = {};
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.o_send = row.o_recv = {1 * us};
        row.L = {2 * us};
        row.G = {};
        row.protocol = machine::Protocol::eager;
        row.holds_bus = row.holds_nic = row.holds_links = false;
    }
    return machine;
}

}  // namespace

// Rank 0 sends 8 bytes over a link, then 2000 bytes that occupy no link. Rank 1 is busy 1 us for the small message,
// which arrives at 1 + 2 us, and not at all for the large one, which arrives at 2 + 2 us. Then it works 7 us: until 11.
// If it had taken the large one first, at 4, it would be busy until 5 and done at 12.
TEST_CASE("a message that holds no link does not overtake one of its channel that holds some") {
    machine::Machine machine = plain({3, 1});
    machine.profiles[2][0].holds_links = true;
    machine.profiles[2][1].o_recv = {};
    std::get<machine::TorusRoutes>(machine.routes.zone).duplex = false;  // so that no link is one node's own
    const auto program = program_of(
        {3, 1}, {does().send(1, 8).send(1, 2000).recv(1, 1), does().recv(-1).recv(-1).work(7 * us).send(-1, 8, 1)});
    CHECK(finishes(program, machine)[1] == WideTime{Wide{12 * us}});  // 11, and o_send to rank 0
}

// Three messages wait behind each other: one uses the NIC of the receiver, the next does not, the third does again.
// They arrive at 1 + 2, 2 + 2 and 3 + 2 us; the receiver works 10 us, then is busy 1 us for each.
TEST_CASE("a NIC passes by the messages of a queue that do not hold it") {
    machine::Machine machine = plain({2, 1});
    machine.profiles[2][0].holds_nic = true;
    machine.nic = machine::Nic{};
    const auto program = program_of({2, 1}, {does().send(1, 8).send(1, 2000).send(1, 8).send(1, 2000),
                                             does().work(10 * us).recv(-1).recv(-1).recv(-1).recv(-1)});
    CHECK(finishes(program, machine)[1] == WideTime{Wide{14 * us}});
}

// Rank 3 has posted both receives. The large message, for which it does not wait yet, arrives from rank 1 at its NIC at
// 1 + 2 + 3 = 6 us, the small one from rank 2 at 1 + 3 + 1 + 2 = 7 us. (A large one takes 3 us and no o, a small one 1
// + 2.) The large one requests the NIC only after the small one has arrived.
TEST_CASE("a message that has arrived is found by a rank that comes to wait for it later") {
    machine::Machine machine = plain({2, 2});
    machine.profiles[2][0].o_recv = {};
    machine.profiles[2][1].o_send = machine.profiles[2][1].o_recv = {};
    machine.profiles[2][1].L = {3 * us};
    machine.profiles[2][1].holds_nic = true;
    machine.nic = machine::Nic{};
    const auto program = program_of({2, 2}, {does().send(1, 8).send(2, 2000), does().recv(-1).send(2, 2000),
                                             does().recv(-2).send(1, 8), does().post(-1).post(-2).await(-1).await(-2)});
    CHECK(finishes(program, machine)[3] == WideTime{Wide{7 * us}});
}

// Several NICs of a node, and the cables between them and the network, by hand. Values of fixtures.hpp: an eager
// message of 900 B has o = 4 us, L = 1 us; S*G = 0.9 us is faster than the cables.

namespace {

constexpr Gap kGap{2e-9};  // of a cable: 1.8 us for a message

machine::Machine on(machine::Cabling cabling) { return two_nics(cabling, kGap); }

}  // namespace

TEST_CASE("NICs that share a cable follow each other on it, those with a cable each do not") {
    // Both leave at 4 us by NICs of their own. On one cable the second is granted at 5.8; they arrive 2.8 us later, at
    // 6.8 and 8.6; o_recv 4 us
    CHECK(finishes(to_the_ranks_below(), on(kSharedCable))[3] == WideTime{Time{12 * us + 600 * ns}});
    for (const machine::Cabling& own : {kCablePerNic, kRails}) {
        const std::vector<WideTime> all = finishes(to_the_ranks_below(), on(own));
        CHECK(all[2] == WideTime{Time{10 * us + 800 * ns}});
        CHECK(all[3] == WideTime{Time{10 * us + 800 * ns}});
    }
}

TEST_CASE("messages of two NICs to one rank meet at the rank's NIC, and with rails enter by two") {
    // Both leave at 4 us. In one plane they meet on the cable down to rank 3's NIC, so the second arrives at 8.6. With
    // rails both arrive, by two NICs, at 6.8. The receiver takes them one after the other, 4 us each: it is done at
    // 14.8 us either way, and waits for no NIC
    CHECK(finishes(to_the_last_rank(), on(kCablePerNic))[3] == WideTime{Time{14 * us + 800 * ns}});
    CHECK(finishes(to_the_last_rank(), on(kRails))[3] == WideTime{Time{14 * us + 800 * ns}});
    // Ejection at 10 ns/B takes 9 us, and so does a message: they arrive at 4 + 1 + 9 = 14 and, behind the first on the
    // cable, at 15.8. One NIC is free for the second message at 14 + 9 = 23; two are at once
    const auto slow = [](machine::Cabling cabling) {
        machine::Machine machine = on(cabling);
        machine.nic->ejection = Gap{10e-9};
        return machine;
    };
    CHECK(finishes(to_the_last_rank(), slow(kCablePerNic))[3] == WideTime{Time{27 * us}});
    CHECK(finishes(to_the_last_rank(), slow(kRails))[3] == WideTime{Time{22 * us}});
}

TEST_CASE("cables stay with their NICs where messages hold none") {
    machine::Machine machine = on(kCablePerNic);
    machine.nic.reset();
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_nic = false;
    CHECK(finishes(to_the_ranks_below(), machine)[3] == WideTime{Time{10 * us + 800 * ns}});
}

TEST_CASE("waits for a cable are reported by host and NIC") {
    machine::Machine machine = on(kCablePerNic);
    machine.nic->injection = machine.nic->ejection = Gap{};
    const record::Record record = engine::run(to_the_last_rank(), machine, {});
    REQUIRE(record.link_waits);
    CHECK(record.link_waits->hottest ==
          std::vector{record::LinkWait{"host 1 NIC 1, port 0 down", WideTime{Time{1800 * ns}}}});
}

TEST_CASE("cabled machines give the same times for any number of threads, skipping or not") {
    const RankGrid grid{8, 8};
    const auto program = four_sweeps(grid, 2000, 4);
    for (const machine::Cabling& cabling : {kCablePerNic, kRails}) {
        const std::uint32_t ends = cabling.ends_per_host();
        machine::Machine machine = crowded_torus(grid, {2, 2});
        machine.nic = machine::Nic{{2e-9}, {2e-9}, 2};
        for (const machine::Routes& routes :
             {machine::Routes{.zone = machine::FatTreeRoutes{{4 * ends, 4}, {1, 2}, {1, 1}, Time{50'000}, Gap{2e-9}},
             .links_in_L = 2,
             .cabling = cabling},
              machine::Routes{.zone = machine::HyperXRoutes{{2, 4}, 2 * ends, Time{50'000}, Gap{2e-9}},
              .links_in_L = 2,
              .routing = machine::Routing::adaptive,
              .cabling = cabling}}) {
            machine.routes = routes;
            check_all_ways(program, machine);
        }
    }
}

TEST_CASE("a rank that has received a long message does not wait for the bus of that message") {
    // G and G_dma are 10 ns/B: 2,000 B take 20 us on the wire and on the bus, o is 4 us. The first leaves at 4 + 1 + 1
    // and arrives at 6 + 1 + 20 = 27. It occupies the receiver's bus until the rank has received it, from 11 to 31. The
    // answer leaves at 31 + 4 + 1 + 1 = 37, arrives at 58 and is received by 62.
    machine::Machine machine = simple_machine({2, 1}, {}, true);
    machine.bus = machine::Bus{{}, {1e-8}};
    for (machine::ProfileRow& row : machine.profiles[2]) row.G = {1e-8};
    const program::Program program = program_of({2, 1}, {does().send(1, 2000).recv(1), does().recv(-1).send(-1, 2000)});
    const record::Record record = engine::run(program, machine, {});
    CHECK(record.rank_finish[1] == WideTime{Time{37 * us}});
    CHECK(record.rank_finish[0] == WideTime{Time{62 * us}});
    CHECK(record.breakdown->bus_wait == WideTime{});
}
