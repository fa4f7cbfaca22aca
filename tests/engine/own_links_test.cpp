// Links that are not own to a core group although its messages cross them. If they were own, a message would be granted
// them before the message that requests them first. Values of fixtures.hpp: L = 1 us, o = 4 us. Links take 900 B in 1.8
// us, so a message that does not wait arrives 2.8 us after it leaves.
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

namespace {

/// Returns a crowded torus without buses. Messages leave a NIC at least 9 us apart.
machine::Machine nine_us_apart(RankGrid grid, machine::Patch patch) {
    machine::Machine machine = crowded_torus(grid, patch);
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_bus = false;
    machine.bus.reset();
    machine.nic = machine::Nic{.injection = {1e-9}, .ejection = {1e-9}, .g = {9 * us}};
    return machine;
}

/// A route of a table, as a list of links without latency.
struct Listed {
    std::uint32_t from, to;
    std::vector<machine::LinkId> links;
};

machine::TableRoutes table(const std::vector<Listed>& routes, const std::vector<Gap>& gaps) {
    machine::TableRoutes table;
    table.gaps = gaps;
    table.latencies.resize(gaps.size());
    for (const Listed& each : routes) {
        table.add(
            Host{each.from}, Host{each.to},
            {.latency = {}, .links = static_cast<std::uint32_t>(each.links.size()), .first = table.crossed.size()});
        table.crossed.insert(table.crossed.end(), each.links.begin(), each.links.end());
    }
    return table;
}

}  // namespace

TEST_CASE("a link that another node's or another NIC's messages cross is taken in the order of leaving") {
    // Rank 0 sends at 4 and, as its NIC is free 9 us later, at 13. Rank 1, with another NIC, sends at 12. The link is
    // busy from 4, 12 and 13.8. Rank 3: 12 + 2.8 + 4 = 18.8. Rank 2: 13.8 + 2.8 + 4 = 20.6.
    const auto check = [](const machine::Machine& machine, RankGrid grid) {
        const program::Program program =
            program_of(grid, {does().send(2, 900, 1).send(2, 900, 2), does().work(8 * us).send(2, 900),
                              does().recv(-2, 1).recv(-2, 2), does().recv(-2)});
        CHECK(finishes(program, machine) == at({13 * us, 12 * us, 20'600 * ns, 18'800 * ns}));
    };
    machine::Machine machine = nine_us_apart({4, 1}, {1, 1});
    machine.routes.zone = table({{0, 2, {{0}}}, {1, 3, {{0}}}}, {Gap{2e-9}});
    check(machine, {4, 1});
    machine = nine_us_apart({2, 2}, {2, 1});
    machine.nic->count = 2;
    check(machine, {2, 2});
}

TEST_CASE("a link of two nodes is taken in the order of leaving, also if the first node has a further channel") {
    // Ranks 0 to 3 as in the case before. Rank 4, on the node of rank 0, sends at 104 to rank 6: 104 + 2.8 + 4 = 110.8.
    machine::Machine machine = nine_us_apart({4, 2}, {1, 2});
    machine.routes.zone = table({{0, 2, {{0}}}, {1, 3, {{0}}}}, {Gap{2e-9}});
    const program::Program program =
        program_of({4, 2}, {does().send(2, 900, 1).send(2, 900, 2), does().work(8 * us).send(2, 900),
                            does().recv(-2, 1).recv(-2, 2), does().recv(-2), does().work(100 * us).send(2, 900), does(),
                            does().recv(-2)});
    CHECK(finishes(program, machine) == at({13 * us, 12 * us, 20'600 * ns, 18'800 * ns, 104 * us, 0, 110'800 * ns, 0}));
}

TEST_CASE("a link after different links of one node is taken in the order of coming to it") {
    // Routes 0 -> 1 over links 0 and 2, and 0 -> 2 over links 1 and 2. Link 0 takes 9 us for 900 B. Rank 0 sends to
    // rank 1 at 4 and 8, to rank 2 at 12. Link 0 is busy from 4 and 13, link 2 from 4, 12 and, for the second message,
    // 13.8. Rank 1: 13.8 + 1 + 9 + 4 = 27.8. Rank 2: 12 + 2.8 + 4 = 18.8.
    machine::Machine machine = nine_us_apart({3, 1}, {1, 1});
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_nic = false;
    machine.routes.zone = table({{0, 1, {{0}, {2}}}, {0, 2, {{1}, {2}}}}, {Gap{1e-8}, Gap{2e-9}, Gap{2e-9}});
    const program::Program program = program_of(
        {3, 1}, {does().send(1, 900, 1).send(1, 900, 2).send(2, 900), does().recv(-1, 1).recv(-1, 2), does().recv(-2)});
    CHECK(finishes(program, machine) == at({12 * us, 27'800 * ns, 18'800 * ns}));
}

TEST_CASE("a link after parallel links is taken in the order of coming to it") {
    // o = 0.1 us. Rank 0 sends 900 B and 8 B to rank 1, 900 B twice to rank 2, 8 B to rank 1 and 8 B to rank 3, every
    // 0.1 us. They take the two links from 0 to 1 in turn: the first is busy from 0.1, 1.9 (the third message) and 3.7,
    // the second from 0.2, 0.4 (the fourth) and 2.2 (the last). They come to the links from 1 to 2 in the order fourth
    // at 0.4, third at 1.9, last at 2.2, and take these in turn: the last has the link of the fourth, free at 2.2. It
    // arrives 1 + 0.016 us and two latencies of 0.05 us later, at 3.316.
    machine::Machine machine = crowded_torus({7, 1}, {1, 1});
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.holds_bus = row.holds_nic = false;
        row.o_send = row.o_recv = Time{100 * ns};
    }
    machine.links = machine::Links{2, machine::LinkChoice::round_robin};
    const program::Program program = program_of(
        {7, 1}, {does().send(1, 900, 1).send(1, 8, 2).send(2, 900, 1).send(2, 900, 2).send(1, 8, 3).send(3, 8),
                 does().recv(-1, 1).recv(-1, 2).recv(-1, 3), does().recv(-2, 1).recv(-2, 2), does().recv(-3)});
    CHECK(finishes(program, machine)[3] == WideTime{Time{3'416 * ns}});
}

TEST_CASE("a link of routes too long to be stored is taken in the order of leaving") {
    // A ring of 400 hosts: 1 link from host 0 to 1, and 199 to 199, more than 64 for each of the 3 ranks. Rank 0 is
    // busy to 4, 8 and 12; its messages leave at 4, 13 and 22. The one for rank 2 takes the first link at 13 and
    // arrives 2.8 us and 198 latencies of 0.05 us later: 25.7. Rank 1 has the last at 22 + 2.8.
    machine::Machine machine = nine_us_apart({3, 1}, {1, 1});
    std::get<machine::TorusRoutes>(machine.routes.zone).dimensions = {400};
    machine.placement.host_of = {{0}, {1}, {199}};
    const program::Program program =
        program_of({3, 1}, {does().send(1, 900, 1).isend(2, 900).send(1, 900, 2).await_sent(2),
                            does().recv(-1, 1).recv(-1, 2), does().recv(-2)});
    CHECK(finishes(program, machine) == at({22 * us, 28'800 * ns, 29'700 * ns}));
}

TEST_CASE("a message of a collective waits for a link that is own to another node") {
    // One link in both directions. Rank 0 sends at 4, and its part of the allreduce at 8. Rank 1 sends its part at 5,
    // and the link is free at 5.8. Rank 0: 5.8 + 2.8 + 4 = 12.6. Rank 1: 8 + 2.8 + 4 = 14.8, and 4 for the message.
    machine::Machine machine = nine_us_apart({2, 1}, {1, 1});
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_nic = false;
    machine.routes.zone = table({{0, 1, {{0}}}, {1, 0, {{0}}}}, {Gap{2e-9}});
    const program::Program program =
        program_of({2, 1}, {does().send(1, 900).allreduce(900), does().work(us).allreduce(900).recv(-1)});
    CHECK(finishes(program, machine) == at({12'600 * ns, 18'800 * ns}));
}
