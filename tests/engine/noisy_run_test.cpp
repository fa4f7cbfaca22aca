// Runs with noise: their equality with other runs if the noise is zero, their dependence on the seed alone, and their
// breakdown.
#include "tests/engine/same_run.hpp"

using engine::Replay;
using variation::Noise;

namespace {

program::Program sweeps(std::int64_t iterations, std::int64_t work = 11 * us + 13, RankGrid grid = {4, 4}) {
    return wavefront({.grid = grid,
                      .tiles = 3,
                      .work = work,
                      .bytes = 2000,
                      .starts = {0, 3, 1, 2},
                      .allreduces = 1,
                      .iterations = iterations});
}

record::Record run(const program::Program& program, const Noise& noise, std::uint64_t seed = 0,
                   Replay replay = Replay::auto_) {
    return engine::run(program, simple_machine(program.grid, {2, 1}, true),
                       {.replay = replay, .noise = noise, .seed = {seed}});
}

const Noise kAll{
    .cv = 0.2, .periodic = variation::PeriodicNoise{{50 * us}, {2 * us}}, .classes = {{0.5, 1.0}, {0.5, 0.8}}};
const Noise kUnlike{.classes = {{0.5, 1.0}, {0.5, 0.8}}, .map = {{{3}, std::nullopt, 1.5}, {{5}, 2U, 4.0}}};

bool is_told(const record::Record& record, std::string_view note) {
    return std::any_of(record.notes.begin(), record.notes.end(),
                       [&](const std::string& text) { return text.find(note) != std::string::npos; });
}

/// Returns the program with a second loop of as many iterations, whose blocks take `times` their work over `parts`.
program::Program then_other_work(program::Program program, std::int64_t times, std::int64_t parts) {
    for (program::RankClass& rank_class : program.classes) {
        std::vector<program::Instruction>& code = rank_class.code;
        const auto length = static_cast<std::uint32_t>(code.size() - 1);  // of the loop
        code.insert(code.end() - 1, code.begin(), code.end() - 1);
        for (std::size_t at = length; at + 1 < code.size(); ++at) {
            if (code[at].op == program::Op::loop || code[at].op == program::Op::end_loop) code[at].operand += length;
            if (code[at].op == program::Op::compute) code[at].amount = code[at].amount * times / parts;
        }
    }
    program.iterations *= 2;
    return program;
}

/// Runs 50 iterations in full and skipping, which must skip at least half.
void check_skipping(const Noise& noise, const program::Program& program = sweeps(50)) {
    const record::Record skipped = run(program, noise, 1);
    const record::Record full = run(program, noise, 1, Replay::full);
    check_same_run(skipped, full);
    CHECK(skipped.work->messages_replayed < full.work->messages / 2);
}

/// Checks two ranks of a node that share its bus. There are no other nodes, so windows are a millisecond wide.
void check_on_one_node(const program::Program& program) {
    machine::Machine node = simple_machine(program.grid, {1, 2}, true);
    for (machine::Profile& profile : node.profiles) {
        for (machine::ProfileRow& row : profile) row.holds_bus = true;
    }
    const Noise repeats{.cv = 0.2, .repeats_after = 1};
    const record::Record skipped = engine::run(program, node, {.noise = repeats});
    const record::Record full = engine::run(program, node, {.replay = Replay::full, .noise = repeats});
    check_same_run(skipped, full);
}

}  // namespace

TEST_CASE("iterations whose interruptions repeat are skipped, and nothing changes") {
    // 20,000 in a second: a block of 10 us has one in five cases.
    check_skipping({.repeats_after = 1, .interruptions = variation::Interruptions{20'000.0, {3 * us}, false}});
}

TEST_CASE("the same seed gives the same run, another seed another") {
    const auto program = sweeps(3);
    CHECK(run(program, kAll, 1).rank_finish == run(program, kAll, 1).rank_finish);
    CHECK(run(program, kAll, 1).rank_finish != run(program, kAll, 2).rank_finish);
}

TEST_CASE("a rank of half the speed computes twice as long") {
    const auto program = wavefront({.grid = {1, 1}, .tiles = 5, .work = 7 * us, .iterations = 10});
    const record::Record record = run(program, {.classes = {{1.0, 0.5}}});
    CHECK(record.finish == WideTime{Wide{10 * 5 * 14} * us});
    CHECK(record.breakdown->compute == record.finish);
}

TEST_CASE("aligned noise events stop all computing at once: 10 us of work in every 12 us") {
    // Away from 10 to 12 us: the first block of 10 us ends at 10, the second at 22, the tenth at 9 * 12 + 10.
    const auto program = wavefront({.grid = {1, 1}, .tiles = 10, .work = 10 * us});
    const record::Record record = run(program, {.periodic = variation::PeriodicNoise{{12 * us}, {2 * us}, true}});
    CHECK(record.finish == WideTime{Wide{118} * us});
}

TEST_CASE("blocks that stand one after another in one wave do not share their noise") {
    // Two equal blocks would take twice the first: an even number of picoseconds in every run.
    const auto program = spmd({1, 1}, 1, [](Rank) {
        ClassBuilder builder;
        builder.work(us).work(us).iteration();
        program::RankClass rank_class = builder.build();
        rank_class.code[1].site = rank_class.code[0].site;  // one statement, unfolded twice
        return rank_class;
    });
    bool odd = false;
    for (std::uint64_t seed = 0; seed < 10; ++seed) odd = odd || run(program, {.cv = 0.1}, seed).finish.ps % 2 != 0;
    CHECK(odd);
}

TEST_CASE("four iterations take the same draws in one loop and in two loops of two") {
    for (const std::int64_t repeats_after : {0, 1, 3}) {
        const Noise noise{.cv = 0.2, .repeats_after = repeats_after};
        CHECK(run(then_other_work(sweeps(2), 1, 1), noise, 1).rank_finish == run(sweeps(4), noise, 1).rank_finish);
    }
}

TEST_CASE("a block takes the same draw with other instructions around it") {
    // Ten blocks of 7 us; then in five iterations of a loop, after a delay, an allreduce and a block without work.
    const auto of_one_rank = [](const ClassBuilder& builder) {
        return spmd({1, 1}, 1, [&](Rank) { return ClassBuilder(builder).iteration().build(); });
    };
    ClassBuilder plain;
    for (int k = 0; k < 10; ++k) plain.work(7 * us);
    ClassBuilder other;
    other.delay(3 * us).allreduce(8).work(0).loop(5).work(7 * us).work(7 * us).end();
    const Noise noise{.cv = 0.2, .interruptions = variation::Interruptions{20'000.0, {3 * us}, false}};
    CHECK(run(of_one_rank(other), noise, 1).finish == run(of_one_rank(plain), noise, 1).finish + Time{3 * us});
}

TEST_CASE("if ranks and tiles differ but do not vary, skipping ahead stays exact") { check_skipping(kUnlike); }

TEST_CASE("if noise repeats in every iteration, skipping ahead stays exact") {
    const Noise repeats{.cv = 0.2, .jitter = {us}, .repeats_after = 1};
    check_skipping(repeats);
    CHECK_FALSE(is_told(run(sweeps(50), repeats, 1), "noise is on"));
}

TEST_CASE("if noise repeats after three iterations, whole periods of three are skipped") {
    const Noise repeats{.cv = 0.2, .repeats_after = 3};
    check_skipping(repeats);
    check_skipping(repeats, then_other_work(sweeps(50), 1, 1));
}

TEST_CASE("ranks that act in the window in which others end the iteration skip ahead exactly too") {
    check_on_one_node(sweeps(8, 1, {1, 2}));
}

TEST_CASE("two iterations determine a loop, and one determines a second loop that begins in the same way") {
    // 50 iterations, then 50 whose blocks take twice as long; the state of ranks after an allreduce does not depend on
    // that.
    const Noise repeats{.cv = 0.2, .repeats_after = 1};
    const auto program = then_other_work(sweeps(50), 2, 1);
    const record::Record skipped = run(program, repeats, 1);
    const record::Record full = run(program, repeats, 1, Replay::full);
    check_same_run(skipped, full);
    CHECK(skipped.work->messages_replayed == 3 * full.work->messages / 100);
}

TEST_CASE("a loop is not skipped to its end where ranks would act before others end it") {
    check_on_one_node(then_other_work(sweeps(8, 3'000 * us, {1, 2}), 1, 3'000 * us));
}

TEST_CASE("noise that varies in time leaves nothing to skip, and that is reported") {
    const record::Record record = run(sweeps(20), kAll, 1);
    CHECK(record.work->messages_replayed == record.work->messages);
    CHECK(is_told(record, "noise is on: every iteration was simulated"));
    CHECK_FALSE(is_told(run(sweeps(20), kUnlike, 1), "noise is on"));
}
