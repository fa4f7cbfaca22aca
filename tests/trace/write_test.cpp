// Programs written as time-independent traces, and the other files of a replay.
#include "simulator/trace/write.hpp"

#include "simulator/engine/engine.hpp"
#include "tests/engine/fixtures.hpp"

using trace::Writer;

TEST_CASE("loops are unrolled, computing is counted in picoseconds, marks of iterations are left out") {
    const auto program = spmd({2, 1}, 2, [](Rank rank) {
        ClassBuilder builder;
        builder.loop(2);
        if (rank.index == 0) return builder.work(1500).send(1, 300).iteration().end().build();
        return builder.recv(-1).work(7).iteration().end().build();
    });
    CHECK(Writer(program).text_of({0}) ==
          "0 init\n0 compute 1500\n0 send 1 0 300\n0 compute 1500\n0 send 1 0 300\n"
          "0 finalize\n");
    CHECK(Writer(program).text_of({1}) ==
          "1 init\n1 recv 0 0 300\n1 compute 7\n1 recv 0 0 300\n1 compute 7\n"
          "1 finalize\n");
}

namespace {

/// Returns the sum of a rank's computing, from its trace's lines `RANK compute PICOSECONDS`.
std::int64_t computed(const std::string& text) {
    std::int64_t sum = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string rank, verb;
        std::int64_t picoseconds = 0;
        if (words >> rank >> verb >> picoseconds && verb == "compute") sum += picoseconds;
    }
    return sum;
}

}  // namespace

TEST_CASE("blocks take as long as in the event engine: noise, heterogeneous ranks, cost maps, all iterations") {
    const program::Program program = wavefront({.grid = {3, 2},
                                                .tiles = 4,
                                                .work = 10 * us,
                                                .bytes = 500,
                                                .starts = {0, 3, 1, 2},
                                                .allreduces = 1,
                                                .iterations = 3});
    const variation::Noise noise{.cv = 0.2,
                                 .jitter = {us},
                                 .classes = {{0.5, 1.0}, {0.5, 0.8}},
                                 .map = {{{3}, std::nullopt, 1.5}, {{5}, 2U, 4.0}}};
    for (const std::int64_t repeats_after : {0, 1, 2}) {
        CAPTURE(repeats_after);
        variation::Noise each = noise;
        each.repeats_after = repeats_after;
        const record::Record run = engine::run(program, simple_machine(program.grid), {.noise = each, .seed = {7}});
        const Writer writer(program, each, Seed{7});
        for (std::uint32_t rank = 0; rank < 6; ++rank) {
            CAPTURE(rank);
            CHECK(WideTime{Time{computed(writer.text_of({rank}))}} == run.rank_breakdown[rank].compute);
        }
    }
}

TEST_CASE("periodic noise, which depends on the beginning of a block, is left out of a trace") {
    const auto program = spmd({1, 1}, 1, [](Rank) { return ClassBuilder().work(1500).iteration().build(); });
    const variation::Noise away{.periodic = variation::PeriodicNoise{{100}, {50}, true}};
    CHECK(Writer(program, away).text_of({0}) == "0 init\n0 compute 1500\n0 finalize\n");
}

TEST_CASE("a delay is written as computing, without noise") {
    const auto program = spmd({1, 1}, 1, [](Rank) { return ClassBuilder().delay(1500).iteration().build(); });
    CHECK(Writer(program, {.cv = 0.5}).text_of({0}) == "0 init\n0 compute 1500\n0 finalize\n");
    CHECK(Writer(program).lines() == 3);
}

TEST_CASE("a receive has the size of the message that it takes, known only from its sender's program") {
    const auto program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) return builder.send(1, 10, 5).send(1, 8, 3).send(1, 30, 5).iteration().build();
        return builder.recv(-1, 5).post(-1, 5).recv(-1, 3).await(-1, 5).iteration().build();
    });
    CHECK(Writer(program).text_of({1}) ==
          "1 init\n1 recv 0 1 10\n1 irecv 0 1 30\n1 recv 0 0 8\n1 wait 0 1 1\n"
          "1 finalize\n");
}

TEST_CASE("an allreduce is the messages of recursive doubling, with tags of its own") {
    // Three ranks: 0 hands its data to 1, 1 and 2 exchange, 1 hands the result back; steps have tags 0, 1, 2.
    const auto program = spmd({3, 1}, 1, [](Rank) { return ClassBuilder().allreduce(8).iteration().build(); });
    CHECK(Writer(program).text_of({0}) == "0 init\n0 send 1 0 8\n0 irecv 1 2 8\n0 wait 1 0 2\n0 finalize\n");
    CHECK(Writer(program).text_of({1}) ==
          "1 init\n1 irecv 0 0 8\n1 wait 0 1 0\n1 irecv 2 1 8\n1 send 2 1 8\n1 wait 2 1 1\n"
          "1 send 0 2 8\n1 finalize\n");
}

TEST_CASE("sends that do not wait are written as isend, their waits name the sender first") {
    const auto program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) return builder.isend(1, 20).work(5).await_sent(1).iteration().build();
        return builder.recv(-1).iteration().build();
    });
    CHECK(Writer(program).text_of({0}) == "0 init\n0 isend 1 0 20\n0 compute 5\n0 wait 0 1 0\n0 finalize\n");
    CHECK(Writer(program).text_of({1}) == "1 init\n1 recv 0 0 20\n1 finalize\n");
}

TEST_CASE("lines are counted before they are written") {
    const RankGrid grid{4, 3};
    const auto code = wavefront({.grid = grid, .tiles = 5, .work = 1, .starts = {0, 3}, .iterations = 2});
    const Writer writer(code);
    std::uint64_t lines = 0;
    for (std::uint32_t rank = 0; rank < grid.ranks(); ++rank) {
        const std::string text = writer.text_of({rank});
        lines += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    }
    CHECK(writer.lines() == lines);
}

TEST_CASE("the rows of a profile become SMPI's overheads and factors, by size") {
    constexpr std::int64_t us = 1'000'000;
    machine::ProfileRow small{.up_to = Bytes{1024},
                              .protocol = machine::Protocol::eager,
                              .o_send = {4 * us},
                              .o_recv = {3 * us},
                              .L = {2 * us},
                              .G = {5e-10},
                              .G_recv = {1e-10}};
    machine::ProfileRow large = small;
    large.up_to.reset();
    large.protocol = machine::Protocol::rendezvous;
    large.o_send = {5 * us};
    large.G_send = {2e-10};
    const std::string script = trace::script_text(2, {small, large});
    for (const std::string setting :
         {"smpi/os:0:4e-06:0;1024:5e-06:2e-10", "smpi/or:0:3e-06:1e-10;1024:3e-06:1e-10", "smpi/lat-factor:0:2;1040:2",
          "smpi/bw-factor:0:2;1040:2", "smpi/async-small-thresh:1025", " -np 2 "}) {
        CAPTURE(setting);
        CHECK(script.find(setting) != std::string::npos);
    }
}
