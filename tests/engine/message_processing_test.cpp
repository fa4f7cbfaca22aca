// The processing of messages by one core of a node: a first-come first-served server that a message occupies for the
// `processing` of its row, from the beginning of o_send and of o_recv on. Only waiting adds time.
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

namespace {

/// Ranks 0 and 1 share node 0, ranks 2 and 3 node 1; each of the first two sends 500 B south.
program::Program both_south() {
    return program_of({2, 2}, {does().send(2, 500), does().send(2, 500), does().recv(-2), does().recv(-2)});
}

/// Returns nodes of two cores. o = 4 us, L + S*G = 1.5 us for 500 B; one core of each node processes a message between
/// nodes for `network`, and one on the chip for `chip`.
machine::Machine processing_nodes(std::int64_t network, std::optional<Time> chip = {}) {
    machine::Machine machine = simple_machine({2, 2}, {2, 1});
    machine.processing = machine::MessageProcessing{};
    for (machine::ProfileRow& row : machine.profiles[2]) row.processing = Time{network};
    for (machine::ProfileRow& row : machine.profiles[0]) row.processing = chip;
    return machine;
}

}  // namespace

TEST_CASE("the second of two messages that leave a node at once waits while the first is processed") {
    // Rank 0 is busy 0-4 and departs at 4; rank 1 waits until 4, is busy until 8 and departs then. Their data arrive at
    // 5.5 and 9.5; o_recv ends at 9.5 and 13.5. The processing of node 1 is occupied from 5.5 to 9.5 and from then on.
    CHECK(finishes(both_south(), processing_nodes(4 * us)) == at({4 * us, 8 * us, 9'500'000, 13'500'000}));
}

TEST_CASE("a message that is processed for longer than its overhead delays the next one alone") {
    // Processed for 6 us: rank 0 resumes at 4, rank 1 begins at 6 and departs at 10; its data arrive at 11.5, as the
    // processing of the message to rank 2 ends, which began at 5.5.
    CHECK(finishes(both_south(), processing_nodes(6 * us)) == at({4 * us, 10 * us, 9'500'000, 15'500'000}));
}

TEST_CASE("a receiver waits while another message of its node is processed") {
    // On three nodes: ranks 0 and 2 send to ranks 4 and 5 of the third, where both messages arrive at 5.5. Rank 4 is
    // busy 5.5-9.5; rank 5 waits until then.
    const auto program = program_of(
        {2, 3}, {does().send(4, 500), does(), does().send(3, 500), does(), does().recv(-4), does().recv(-3)});
    machine::Machine machine = simple_machine({2, 3}, {2, 1});
    machine.processing = machine::MessageProcessing{};
    for (machine::ProfileRow& row : machine.profiles[2]) row.processing = Time{4 * us};
    const std::vector<WideTime> all = finishes(program, machine);
    CHECK(all[4] == WideTime{Time{9'500'000}});
    CHECK(all[5] == WideTime{Time{13'500'000}});
}

TEST_CASE("a rendezvous occupies the processing for its request, and departs without it") {
    // 2000 B: rank 0 is busy 0-4, sends its request, is acknowledged at 6 and departs; rank 1 is busy 4-8 and departs
    // at 10.
    const auto program =
        program_of({2, 2}, {does().send(2, 2000), does().send(2, 2000), does().recv(-2), does().recv(-2)});
    const std::vector<WideTime> all = finishes(program, processing_nodes(4 * us));
    CHECK(all[0] == WideTime{Time{6 * us}});
    CHECK(all[1] == WideTime{Time{10 * us}});
}

TEST_CASE("two processors of messages serve a core each") {
    machine::Machine machine = processing_nodes(4 * us);
    machine.processing->count = 2;
    CHECK(finishes(both_south(), machine) == at({4 * us, 4 * us, 9'500'000, 9'500'000}));
}

TEST_CASE("a message on the chip occupies the processing if its row states for how long") {
    // Rank 0 sends 500 B to rank 1 of its node: busy 0-2, processed 0-3. Rank 1 sends 500 B south at once: busy 0-4, or
    // 3-7 behind the message on the chip.
    const auto program =
        program_of({2, 2}, {does().send(1, 500), does().send(2, 500).recv(-1), does(), does().recv(-2)});
    const auto arrival = [&](std::optional<Time> chip) { return finishes(program, processing_nodes(4 * us, chip))[3]; };
    CHECK(arrival(std::nullopt) == WideTime{Time{4 * us + 1'500'000 + 4 * us}});
    CHECK(arrival(Time{3 * us}) == WideTime{Time{7 * us + 1'500'000 + 4 * us}});
}

TEST_CASE("the bus serves nothing where messages are processed one at a time") {
    // The DMA of a message is part of its processing: 4 us, not 4 and the 3.05 us of the bus.
    machine::Machine machine = processing_nodes(4 * us);
    machine.bus = machine::Bus{.o_dma = {3 * us}, .G_dma = {1e-10}};
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_bus = true;
    CHECK(finishes(both_south(), machine) == finishes(both_south(), processing_nodes(4 * us)));
}

TEST_CASE("the time queued for message processing is the rank's processing wait, and no bus wait") {
    const auto program =
        program_of({2, 2}, {does().send(2, 500), does().send(2, 500).work(50 * us), does().recv(-2), does().recv(-2)});
    // Rank 1: waits 0-4, is busy 4-8, works to 58.
    const record::Record record = engine::run(program, processing_nodes(4 * us), {});
    REQUIRE(record.last == Rank{1});
    CHECK(record.breakdown->processing_wait == WideTime{Time{4 * us}});
    CHECK(record.breakdown->bus_wait == WideTime{});
    CHECK(record.breakdown->total() == record.finish);
}

TEST_CASE("the critical path names the processing that a message waited for") {
    // Rank 3 ends last, at 13.5: it waited for rank 1, whose message waited 4 us for the processing of rank 0's.
    engine::Options options;
    options.path = true;
    const record::Record record = engine::run(both_south(), processing_nodes(4 * us), options);
    REQUIRE(record.path);
    CHECK(record.path->processing == WideTime{Time{4 * us}});
    CHECK(record.path->bus == WideTime{});
    CHECK(record.path->total() == record.finish);
}

TEST_CASE(
    "a sender's wait for the processing is no part of its overhead, where messages are taken as they come either") {
    // Rank 0 is busy 0-4; rank 1 waits until 4 and is busy until 8. The ranks below take the messages in the order of
    // arrival.
    const std::vector<program::Channel> from_above{{-2, 0}};
    const auto program = program_of(
        {2, 2}, {does().send(2, 500), does().send(2, 500), does().recv_any(from_above), does().recv_any(from_above)});
    const record::Record record = engine::run(program, processing_nodes(4 * us), {});
    CHECK(record.rank_breakdown[1].send == WideTime{Time{4 * us}});
    CHECK(record.rank_breakdown[1].processing_wait == WideTime{Time{4 * us}});
    CHECK(record.rank_breakdown[1].wait == WideTime{});
}
