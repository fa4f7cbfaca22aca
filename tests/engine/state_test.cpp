// The memory of a run's state.
#include "simulator/engine/state/state.hpp"

#include "simulator/engine/engine.hpp"
#include "simulator/engine/estimate.hpp"
#include "simulator/engine/state/channel_numbers.hpp"
#include "simulator/engine/state/ids.hpp"
#include "simulator/engine/state/indexed_vector.hpp"
#include "simulator/engine/state/layout.hpp"
#include "simulator/units/ids.hpp"
#include "tests/engine/fixtures.hpp"

namespace {

constexpr RankGrid kGrid{8, 4};

/// Each rank passes 8 B on, and reduces `reduced` bytes unless it is 0.
program::Program chain(std::int64_t reduced) {
    return spmd(kGrid, 1, [reduced](Rank rank) {
        ClassBuilder builder;
        if (rank.index + 1 < kGrid.ranks()) builder.send(1, 8);
        if (rank.index > 0) builder.recv(-1);
        if (reduced > 0) builder.allreduce(reduced);
        return builder.iteration().build();
    });
}

std::uint64_t held(std::int64_t reduced) {
    const auto laid_out = engine::lay_out(chain(reduced), simple_machine(kGrid, {2, 1}));
    return engine::State(laid_out.layout, laid_out.channels).bytes();
}

std::uint64_t estimated(std::int64_t reduced) {
    return engine::estimate_bytes(chain(reduced), simple_machine(kGrid, {2, 1}), {.replay = engine::Replay::full});
}

// 32 ranks take 5 steps. In each a rank has a receive endpoint of 16 bytes, and a send endpoint: of 8 bytes if the
// receiver need not notify of its posts, of 16 if it must. Messages above 1000 B are rendezvous.
constexpr std::uint64_t kEager = 32 * 5 * (16 + 8);
constexpr std::uint64_t kRendezvous = 32 * 5 * (16 + 16);

}  // namespace

TEST_CASE("a step of an allreduce takes 24 bytes a rank where its messages are eager, 32 where they make rendezvous") {
    CHECK(held(8) - held(0) == kEager);
    CHECK(held(2000) - held(0) == kRendezvous);
}

TEST_CASE("estimates distinguish these two") { CHECK(estimated(2000) - estimated(8) == kRendezvous - kEager); }

TEST_CASE("if one rank receives from all others, memory is allocated only for existing channels") {
    // 512 ranks, 511 channels: a receive and a send endpoint each of some 70 bytes with its queue. A table of 512 x 512
    // would take 4 MiB for receive endpoints of 16 bytes alone.
    const RankGrid grid{512, 1};
    const auto program = spmd(grid, 1, [](Rank rank) {
        ClassBuilder builder;
        for (std::int32_t other = 1; rank.index == 0 && other < 512; ++other) builder.recv(other);
        if (rank.index > 0) builder.send(-static_cast<std::int32_t>(rank.index), 8);
        return builder.iteration().build();
    });
    const auto laid_out = engine::lay_out(program, simple_machine(grid));
    CHECK(engine::State(laid_out.layout, laid_out.channels).bytes() < 512 * 512);
    CHECK(engine::estimate_bytes(program, simple_machine(grid), {}) < 512 * 1024);
}

// Every channel end has a number, few numbers are unused, and the number determines rank and place.

namespace {

/// The number of endpoints by rank.
using Counts = engine::IndexedVector<Rank, std::uint32_t>;
using Numbers = engine::ChannelNumbers<engine::ReceiveEndpointId>;

}  // namespace

TEST_CASE("each place of each rank has a number of its own, which names both") {
    const Counts counts{0, 4, 4, 9, 1, 4, 70, 4, 3, 4};
    const Numbers numbers(counts);
    std::set<engine::ReceiveEndpointId> given;
    for (const Rank rank : counts.ids()) {
        CHECK(numbers.room(rank) >= counts[rank]);
        for (std::uint32_t place = 0; place < counts[rank]; ++place) {
            const engine::ReceiveEndpointId number = numbers.at(rank, place);
            CHECK(number.index < numbers.size());
            CHECK(given.insert(number).second);
            CHECK(numbers.rank_of(number) == rank);
            CHECK(numbers.place_of(number) == place);
        }
    }
}

TEST_CASE("few numbers are unused: ranks at the edges have space for a channel more, one with many for none") {
    CHECK(Numbers(Counts(1000, 4)).size() == 4000);
    Counts row(22, 3);
    row.front() = row.back() = 2;
    CHECK(Numbers(row).size() == 22 * 4);
    Counts star(1000, 1);
    star[Rank{0}] = 999;
    CHECK(Numbers(star).size() == 1000 + 998);  // one each, and the further ones of rank 0
}

// Ranks 0 and 1 share a node whose NIC takes 500 B in 1 us. Messages for rank 0 from ranks 2 and 4 and for rank 1 from
// rank 6 all arrive at 4 + 1 + 1 = 6 us. The NIC takes them in at 6, 7 and 8 us, those of rank 0 first, independently
// of their numbers.
TEST_CASE("messages that arrive at the same time are taken in by receiving rank, then by channel") {
    const RankGrid grid{20, 1};
    machine::Machine machine = test::simple_machine(grid, {2, 1});
    machine.nic = machine::Nic{.injection = {}, .ejection = {2e-9}};
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.G = {};
        row.holds_nic = true;
    }
    const auto program = program_of(grid, {does().recv(2).recv(4), does().recv(5), does().send(-2, 500), does(),
                                           does().send(-4, 500), does(), does().send(-5, 500)});
    REQUIRE(engine::receive_endpoint_numbers(program).size() ==
            20 + 1);  // the second channel of rank 0 is numbered beyond the rest
    CHECK(engine::run(program, machine, {}).rank_finish[1] == WideTime{Wide{(8 + 4) * test::us}});
}
