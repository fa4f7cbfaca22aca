// The critical path by hand: the longest chain of events, and the activities that its time consists of.
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"
#include "tests/validation/validate.hpp"

namespace {

std::string path_of(const program::Program& program, const machine::Machine& machine) {
    const record::Record record = engine::run(program, machine, {.replay = engine::Replay::full, .path = true});
    CHECK(record.path.value().total() == record.finish);
    return in_us(*record.path);
}

/// Returns a machine with one rank per node and nothing shared; eager messages of S bytes take o 1 us, L 10 us, S * 1
/// ns, o 2 us.
machine::Machine plain_machine(RankGrid grid, machine::Patch patch = {1, 1}) {
    machine::Machine machine = simple_machine(grid, patch, false);
    for (machine::Profile& profile : machine.profiles) {
        machine::ProfileRow row;
        row.o_send = {1 * us};
        row.o_recv = {2 * us};
        row.L = {10 * us};
        row.G = {1e-9};
        profile = {row};
    }
    return machine;
}

WideTime microseconds(std::int64_t count) { return WideTime{Wide{count} * us}; }

}  // namespace

TEST_CASE("a rank that waits for a message continues its sender's chain") {
    // 0 computes 100 us and sends 5,000 B; 1 computes 20 us, receives, computes 7 us: 100 + 1 + 10 + 5 + 2 + 7
    const program::Program program =
        program_of({2, 1}, {does().work(100 * us).send(1, 5000), does().work(20 * us).recv(-1).work(7 * us)});
    CHECK(path_of(program, plain_machine({2, 1})) == "compute 107, overhead 3, latency 10, bandwidth 5");
}

TEST_CASE("a rank whose message has already arrived continues its own chain") {
    // 1 computes 500 us: the message came at 116 us. 500 + 2 + 7
    const program::Program program =
        program_of({2, 1}, {does().work(100 * us).send(1, 5000), does().work(500 * us).recv(-1).work(7 * us)});
    CHECK(path_of(program, plain_machine({2, 1})) == "compute 507, overhead 2");
}

TEST_CASE("a rendezvous whose receive is posted late continues the receiver's chain") {
    // 1 posts at 200 us; the acknowledgement takes 10 us, the data 10 + 5 us, o_recv 2 us: 200 + 10 + 10 + 5 + 2
    const program::Program program = program_of({2, 1}, {does().send(1, 5000), does().work(200 * us).recv(-1)});
    machine::Machine machine = plain_machine({2, 1});
    for (machine::Profile& profile : machine.profiles) profile[0].protocol = machine::Protocol::rendezvous;
    CHECK(path_of(program, machine) == "compute 200, overhead 2, latency 20, bandwidth 5");
}

// The parts of a transfer.

namespace {

/// Returns the plain machine with every row changed.
machine::Machine plain_machine_with(const auto& change) {
    machine::Machine machine = plain_machine({2, 1});
    for (machine::Profile& profile : machine.profiles) change(profile[0]);
    return machine;
}

/// Returns a program in which rank 0 sends a message, and rank 1 computes for `work` before it receives the message.
program::Program message_to_rank(std::int64_t bytes, std::int64_t work = 0) {
    return program_of({2, 1}, {does().send(1, bytes), does().work(work).recv(-1)});
}

/// Cuts messages into packets of 1 kB, which take 1 us each on the plain machine's wire.
void cut(machine::ProfileRow& row) { row.packet.size = Bytes{1000}; }

/// Returns a machine whose NICs carry 0.2 GB/s, so that a message of 1,000 B takes 5 us: 1 us of copying in, 2 us of
/// copying out, and a flight of 2 us between them.
machine::Machine limited_by_wire(machine::Protocol protocol) {
    machine::Machine machine = plain_machine_with([&](machine::ProfileRow& row) {
        row.G_send = {1e-9};
        row.G_recv = {2e-9};
        row.protocol = protocol;
    });
    machine.nic_wires = {{5e-9}, {5e-9}};
    return machine;
}

}  // namespace

TEST_CASE("an eager message whose row has a rendezvous keeps its latencies: 3 * 10 of 1 + 30 + 5 + 2") {
    const machine::Machine machine = plain_machine_with([](machine::ProfileRow& row) {
        row.protocol = machine::Protocol::rendezvous;
        row.eager = machine::EagerSends{.limit = Bytes{10'000}};
    });
    CHECK(path_of(message_to_rank(5000), machine) == "overhead 3, latency 30, bandwidth 5");
}

TEST_CASE("copies out of packets that arrive one after another are hidden but for the last: 1 + 10 + 5 + 0.8 + 2") {
    const machine::Machine machine = plain_machine_with([](machine::ProfileRow& row) {
        cut(row);
        row.G_recv = {0.8e-9};
    });
    CHECK(path_of(message_to_rank(5000), machine) == "overhead 3.8, latency 10, bandwidth 5");
    // a receiver that comes later copies all packets out: 100 + 2 + 5 * 0.8
    CHECK(path_of(message_to_rank(5000, 100 * us), machine) == "compute 100, overhead 6");
}

TEST_CASE("bytes on the wire are hidden by slower copies but for those of one packet") {
    machine::Machine machine = plain_machine_with([](machine::ProfileRow& row) {
        cut(row);
        row.G_send = {2e-9};
    });
    // 1 + 5 * 2 + 1 + 10 + 2
    CHECK(path_of(message_to_rank(5000), machine) == "overhead 13, latency 10, bandwidth 1");
    for (machine::Profile& profile : machine.profiles) profile[0].G_recv = {3e-9};
    // 1 + 2 + 1 + 10 + 5 * 3 + 2
    CHECK(path_of(message_to_rank(5000), machine) == "overhead 20, latency 10, bandwidth 1");
}

TEST_CASE("a wire that limits a message takes back the time of its copies, so they are no overhead: 1 + 10 + 5 + 2") {
    const machine::Machine machine = limited_by_wire(machine::Protocol::eager);
    CHECK(path_of(message_to_rank(1000), machine) == "overhead 3, latency 10, wire 5");
    // a receiver that comes later copies the message out: 100 + 2 + 2
    CHECK(path_of(message_to_rank(1000, 100 * us), machine) == "compute 100, overhead 4");
}

TEST_CASE("if a post comes later than a message that a wire limits, its copying in is not on the path") {
    // 200 + 10 + 10 + 2 + 2 + 2: of 5 us on the wire, 1 us before the post. Copying in that takes longer would shorten
    // the rest: overhead 2 + 2 - 1 - 2
    const machine::Machine machine = limited_by_wire(machine::Protocol::rendezvous);
    CHECK(path_of(message_to_rank(1000, 200 * us), machine) == "compute 200, overhead 1, latency 20, wire 5");
    // posted at once: 1 + 1 + 20 + 10 + 2 + 2 + 2
    CHECK(path_of(message_to_rank(1000), machine) == "overhead 3, latency 30, wire 5");
}

TEST_CASE("the costs of packets beyond their bytes are a part of their own: 5 * 3, and 2 * 4 beyond the buffers") {
    machine::Machine machine = plain_machine_with([](machine::ProfileRow& row) {
        cut(row);
        row.packet.overhead = {3 * us};
    });
    CHECK(path_of(message_to_rank(5000), machine) == "overhead 3, latency 10, bandwidth 5, packets 15");
    for (machine::Profile& profile : machine.profiles) {
        profile[0].packet.buffers = Bytes{3000};
        profile[0].packet.full = {4 * us};
    }
    CHECK(path_of(message_to_rank(5000), machine) == "overhead 3, latency 10, bandwidth 5, packets 23");
}

TEST_CASE("a sender that waits for its bytes has the parts of the transfer until they have left, or arrived") {
    const program::Program program = program_of({2, 1}, {does().send(1, 5000).work(100 * us), does().recv(-1)});
    const auto path = [&](machine::SenderGoesOn sender_goes_on) {
        return path_of(program, plain_machine_with([&](machine::ProfileRow& row) {
                           cut(row);
                           row.packet.overhead = {3 * us};
                           row.G_recv = {0.8e-9};
                           row.protocol = machine::Protocol::rendezvous;
                           row.sender_goes_on = sender_goes_on;
                       }));
    };
    // 1 + 10 + 10, 5 * (1 + 3) on the wire, 100; then also the latency of the data
    CHECK(path(machine::SenderGoesOn::sent) == "compute 100, overhead 1, latency 20, bandwidth 5, packets 15");
    CHECK(path(machine::SenderGoesOn::received) == "compute 100, overhead 1, latency 30, bandwidth 5, packets 15");
}

TEST_CASE("a rank that waits for the bus continues the chain of the message that occupies it") {
    // Ranks 0 and 1 on one node send 5,000 B, the bus wanted at 31 and 33 us for 40 us each: that of rank 0 holds it
    // until 71 us, when that of rank 1 leaves. Rank 3 has it 10 + 5 us later, is busy 2 us, and gets its bus at once,
    // which rank 2 has held from 48 us on: 30 computing, 1 o_send, 40 bus, 10 L, 5 transfer, 2 o_recv.
    const program::Program program = program_of(
        {4, 1},
        {does().work(30 * us).send(2, 5000), does().work(32 * us).send(2, 5000), does().recv(-2), does().recv(-2)});
    machine::Machine machine = plain_machine({4, 1}, {2, 1});
    machine.bus = machine::Bus{{40 * us}, {0.0}};
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_bus = true;
    CHECK(path_of(program, machine) == "compute 30, overhead 3, latency 10, bandwidth 5, bus 40");
}

TEST_CASE("a rank that waits for the message rate continues the chain of the message that occupies the NIC") {
    // Ranks 0 and 1 of one node send at once to the ranks of another, through NICs of 1 ns/B that take a message every
    // g = 4 us.
    const auto program = [](std::int64_t first, std::int64_t second) {
        return program_of({2, 2}, {does().send(2, first), does().send(2, second), does().recv(-2), does().recv(-2)});
    };
    machine::Machine machine = plain_machine({2, 2}, {2, 1});
    for (machine::Profile& profile : machine.profiles) profile[0].holds_nic = true;
    machine.nic = machine::Nic{.injection = {1e-9}, .ejection = {1e-9}, .g = {4 * us}};
    // 10 B each: granted at 1 us and at 1 + 4; the second arrives at 5 + 10 + 0.01, g behind the first; o_recv 2
    CHECK(path_of(program(10, 10), machine) == "overhead 3, latency 10, bandwidth 0.01, message rate 4");
    // 1,000 B and 10 B: the bytes of the first arrive from 11 us on, those of the second from 5 + 10 = 15 on, when the
    // receiver's NIC is free again; o_recv 2
    CHECK(path_of(program(1000, 10), machine) == "overhead 3, latency 10, bandwidth 0.01, message rate 4");
    // 1,000 B each at 5 ns/B: the hold is 5 us, longer than g, and so is each flight, which the wire limits
    machine.nic->injection = {5e-9};
    CHECK(path_of(program(1000, 1000), machine) == "overhead 3, latency 10, nic 5, wire 5");
}

TEST_CASE("a message that waits for the receiver's NIC continues the chain of the message that occupies it") {
    // Ranks 0 and 2 of two nodes send 1,000 B and 10 B at once to a third node, whose NIC takes a message every 4 us.
    // The small message begins to arrive at 1 + 10 and ends 0.01 later. The NIC is free for the large one at 15, 3.99
    // after that, and its bytes take 1 us; o_recv 2.
    machine::Machine machine = plain_machine({2, 3}, {2, 1});
    for (machine::Profile& profile : machine.profiles) profile[0].holds_nic = true;
    machine.nic = machine::Nic{.injection = {1e-9}, .ejection = {1e-9}, .g = {4 * us}};
    const program::Program program = program_of(
        {2, 3}, {does().send(4, 1000), does(), does().send(3, 10), does(), does().recv(-4), does().recv(-3)});
    CHECK(path_of(program, machine) == "overhead 3, latency 10, bandwidth 1, message rate 4");
}

TEST_CASE("the fill is the least time that any rank is outside the later iterations of its loops of tiles") {
    // First tile: 100 us of work, 1 o_send, 10 L, 5 G: rank 1 waits for 116. The next come every 101 us, while it takes
    // 2 o_recv and computes for 100, so it waits no more. Then 1 o_send for the answer, which rank 0 has 10 L and 2
    // o_recv later, and its next tile is there 116 after that: rank 1 waits for 128, and ends 12 before rank 0. That
    // has sent its third tile at 303 and waits for the answer until 431, twice.
    const program::Program program = spmd({2, 1}, 2, [](Rank rank) {
        ClassBuilder builder;
        builder.loop(2).loop(3);
        if (rank.index == 0) builder.work(100 * us).send(1, 5000);
        if (rank.index == 1) builder.recv(-1).work(100 * us);
        builder.end();
        if (rank.index == 0) builder.recv(1);
        if (rank.index == 1) builder.send(-1, 0);
        return builder.iteration().end().build();
    });
    const record::Record record =
        engine::run(program, plain_machine({2, 1}), {.replay = engine::Replay::full, .path = true});
    CHECK(record.fill == microseconds(116 + 128 + 12));
    CHECK(record.fill == microseconds(2 * 128));
}

// Cores that share a memory: the part of the path that is proportional to its bandwidth.

namespace {

/// Runs two ranks on one node; each computing core uses `per_core` of a memory of 10 GB/s.
record::Record on_one_memory(const program::Program& program, double per_core, double bandwidth = 10e9) {
    machine::Machine machine = plain_machine({2, 1}, {2, 1});
    machine.memory = machine::Memory{.bandwidth = {bandwidth}, .per_core = {per_core}, .count = 1};
    return engine::run(program, machine, {.replay = engine::Replay::full, .path = true});
}

}  // namespace

TEST_CASE("computing in saturated memory is in proportion to its bandwidth as a whole, not only the slowed part") {
    // 2 * 10 GB/s of 10: twice as slow. 100 us take 200; with 12.5 GB/s, f = 1.6 and they take 160
    const program::Program both = program_of({2, 1}, {does().work(100 * us), does().work(100 * us)});
    const record::Record record = on_one_memory(both, 10e9);
    CHECK(in_us(record.path.value()) == "compute 100, memory 100");
    CHECK(record.saturated == record::SaturatedMemory{microseconds(200), microseconds(0)});
    CHECK(on_one_memory(both, 10e9, 12.5e9).finish == microseconds(160));
}

TEST_CASE("a block during which another core stops computing is in saturated memory until then, and uneven") {
    // Both until 200 us, when rank 0 has done its 100; rank 1 has 200 of its 300 left, which take 200 alone.
    const program::Program longer = program_of({2, 1}, {does().work(100 * us), does().work(300 * us)});
    const record::Record record = on_one_memory(longer, 10e9);
    CHECK(in_us(record.path.value()) == "compute 300, memory 100");
    CHECK(record.saturated == record::SaturatedMemory{microseconds(200), microseconds(200)});
}

TEST_CASE("memory that its cores do not saturate is never saturated, and without memory there is no such time") {
    const program::Program longer = program_of({2, 1}, {does().work(100 * us), does().work(300 * us)});
    CHECK(on_one_memory(longer, 5e9).saturated == record::SaturatedMemory{});
    CHECK_FALSE(engine::run(longer, plain_machine({2, 1}, {2, 1}), {.path = true}).saturated);
}

// The total waiting of messages for each link.

namespace {

/// Returns the machine with only links shared, one rank to a node.
machine::Machine on_links(machine::Machine machine) {
    machine.bus.reset();
    machine.nic.reset();
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_bus = row.holds_nic = false;
    return machine;
}

program::Program sweeps(RankGrid grid, std::int64_t iterations) {
    return wavefront(
        {.grid = grid, .tiles = 30, .work = 2 * us, .bytes = 2000, .starts = {0, 3, 1, 2}, .iterations = iterations});
}

record::LinkWaits waits(const program::Program& program, const machine::Machine& machine) {
    return engine::run(program, machine, {}).link_waits.value();
}

}  // namespace

TEST_CASE("a message's waiting counts for the link that was busy") {
    // a ring of five: rank 0 sends two links up to 2, rank 1 one link up to 2, half a microsecond later
    const auto program = meeting_on_a_link();
    const record::LinkWaits all = waits(program, on_links(crowded_torus({5, 1}, {1, 1})));
    // link 1 -> 2 is busy from 4 to 5.8 us, rank 1 requests at 4.5
    CHECK(all.all == WideTime{Time{1'300'000}});
    REQUIRE(all.hottest.size() == 1);
    CHECK(all.hottest[0] == record::LinkWait{"(1, 0) to (2, 0)", WideTime{Time{1'300'000}}});
}

TEST_CASE("neighbours of the array that are neighbours of the torus do not wait for each other's links") {
    const record::LinkWaits ideal = waits(sweeps({8, 6}, 1), on_links(crowded_torus({8, 6}, {1, 1})));
    CHECK(ideal.all == WideTime{});
    CHECK(ideal.hottest.empty());
}

TEST_CASE("scattered over the torus they do, and the links most waited for are reported, the hottest first") {
    const record::LinkWaits scattered = waits(sweeps({8, 6}, 1), on_links(scattered_torus({8, 6}, {1, 1})));
    CHECK(scattered.all > WideTime{});
    REQUIRE(scattered.hottest.size() == record::LinkWaits::kMostNamed);
    WideTime named;
    for (std::size_t k = 0; k < scattered.hottest.size(); ++k) {
        if (k > 0) CHECK(scattered.hottest[k].waited <= scattered.hottest[k - 1].waited);
        named += scattered.hottest[k].waited;
    }
    CHECK(named <= scattered.all);
}

TEST_CASE("if links are not shared there are no link waits") {
    machine::Machine machine = crowded_torus({8, 6}, {1, 1});
    machine.links.reset();
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_links = false;
    CHECK_FALSE(engine::run(sweeps({8, 6}, 1), machine, {}).link_waits);
}

// Time by phase of the program. The machine (fixtures.hpp): o = 4 us, L = 1 us, G = 1 ns/B, eager up to 1000 bytes.

namespace {

constexpr std::uint32_t kWork = 1;
constexpr std::uint32_t kMessages = 2;

program::Program named(program::Program program) {
    program.phases = {"work", "messages"};
    return program;
}

/// Returns a pipeline of `tiles` tiles along a row of ranks, with an allreduce, `iterations` times. Marks are within
/// the loop of tiles, or around it.
program::Program row(std::uint32_t ranks, std::int64_t tiles, std::int64_t iterations, bool marks_within) {
    return named(spmd({ranks, 1}, iterations, [&](Rank rank) {
        ClassBuilder builder;
        builder.loop(iterations);
        if (!marks_within) builder.phase(kWork);
        builder.loop(tiles);
        if (marks_within) builder.phase(kMessages);
        if (rank.index > 0) builder.recv(-1);
        if (marks_within) builder.phase(kWork);
        builder.work(10 * us + rank.index * 100 * ns);
        if (marks_within) builder.phase(kMessages);
        if (rank.index + 1 < ranks) builder.send(1, 500);
        if (marks_within) builder.phase(0);
        builder.end();
        if (!marks_within) builder.phase(0);
        return builder.allreduce(8).iteration().end().build();
    }));
}

}  // namespace

TEST_CASE("a rank is in a phase from the mark that begins it to the next, waits included") {
    // West: works to 10, sends to 14; there at 10 + 4 + 1 + 0.5 = 15.5. East: receives to 19.5, works to 29.5.
    const program::Program program =
        named(program_of({2, 1}, {does().phase(kWork).work(10 * us).phase(kMessages).send(1, 500).phase(0).work(2 * us),
                                  does().phase(kMessages).recv(-1).phase(kWork).work(10 * us).phase(0).work(2 * us)}));
    const record::Record record = engine::run(program, simple_machine({2, 1}), {});
    REQUIRE(record.phases);
    CHECK(record.phases->names == std::vector<std::string>{"work", "messages"});
    CHECK(record.phases->times[0] == std::vector<WideTime>{WideTime{Wide{10 * us}}, WideTime{Wide{10 * us}}});
    CHECK(record.phases->times[1] == std::vector<WideTime>{WideTime{Wide{4 * us}}, WideTime{Wide{19'500 * ns}}});
    CHECK(record.phases->outside == std::vector<WideTime>{WideTime{Wide{2 * us}}, WideTime{Wide{2 * us}}});
}

TEST_CASE("phases are the same with and without skipping, on one thread and two") {
    for (const bool marks_within : {false, true}) {
        for (const bool bus : {false, true}) {
            INFO("marks_within ", marks_within, ", bus ", bus);
            const program::Program program = row(6, 200, 30, marks_within);
            REQUIRE(program::validate(program).empty());
            const machine::Machine machine = simple_machine({6, 1}, {2, 1}, bus);
            const record::Record full = engine::run(program, machine, {engine::Replay::full});
            CHECK(contradictions(full).empty());
            engine::Options options;
            const record::Record skipped = engine::run(program, machine, options);
            check_same_run(skipped, full);
            CHECK(skipped.work->messages_replayed < full.work->messages / 5);
            options.threads = 2;
            check_same_run(engine::run(program, machine, options), full);
        }
    }
}

TEST_CASE("a program without phases has none in its record") {
    CHECK_FALSE(engine::run(wavefront({.grid = {2, 1}, .work = us}), simple_machine({2, 1}), {}).phases);
}
