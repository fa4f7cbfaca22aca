// Runs without back-pressure: by hand, beside the event engine, with skipped iterations. Times are microseconds; the
// round machine has Send 1, L 10, o_recv 2: data arrives 11 + bytes after its send begins.
#include "tools/answer/difference/unblocked_run.hpp"

#include "simulator/analytic/message.hpp"
#include "tests/analytic/machines.hpp"
#include "tools/answer/difference/difference_parts.hpp"

using namespace warpfront::tools;
using program::Corner;

namespace {

program::WavefrontPhase two_byte_sweep(std::int64_t tiles) {
    program::WavefrontPhase phase;
    phase.work = us(100);
    phase.tiles = tiles;
    phase.east_west = {2};
    phase.north_south = {2};
    phase.corners = {Corner::northwest};
    return phase;
}

using Times = std::vector<WideTime>;

Times microseconds(const std::vector<double>& values) {
    Times times;
    for (const double value : values) times.push_back(us(value));
    return times;
}

Times sweep_times(RankGrid grid, std::int64_t tiles, const machine::Machine& machine, MessageFormulas formulas) {
    return unblocked_run(sweep_program(two_byte_sweep(tiles), Corner::northwest, grid), machine, formulas);
}

/// Returns a program of iterations in which rank 0 computes 7, both take part in an allreduce, and rank 0 sends to
/// rank 1.
program::Program two_ranks(std::int64_t iterations) {
    program::Program program;
    program.name = "two";
    program.grid = {2, 1};
    program.iterations = iterations;
    program.class_of = {0, 1};
    using program::Op;
    const auto code = [iterations](std::vector<program::Instruction> body) {
        body.insert(body.begin(), {.op = Op::loop, .operand = 5, .amount = iterations});
        body.push_back({.op = Op::iteration});
        body.push_back({.op = Op::end_loop});
        body.push_back({.op = Op::finish});
        return body;
    };
    const program::Instruction allreduce{.op = Op::allreduce, .amount = 8};
    program.classes.resize(2);
    program.classes[0].code = code({{.op = Op::compute, .amount = us(7).ps}, allreduce, {.op = Op::send, .amount = 2}});
    program.classes[0].send_endpoints = {{1, 0}};
    program.classes[1].code = code({{.op = Op::compute, .amount = 0}, allreduce, {.op = Op::recv}});
    program.classes[1].receive_endpoints = {{-1, 0}};
    return program;
}

}  // namespace

TEST_CASE("a sweep over 3 x 1 ranks by hand: a late receiver takes o_recv, by the closed form's formula Recv") {
    const machine::Machine machine = round_machine({3, 1});
    // rank 0: computes to 100, sends to 101, computes to 201, sends to 202
    // rank 1: 100 + 13 = 113, + 2 = 115; 215; 216; data there since 214: 218; 318; 319
    // rank 2: 215 + 13 = 228, + 2 = 230; 330; 318 + 13 = 331, + 2 = 333; 433
    CHECK(sweep_times({3, 1}, 2, machine, MessageFormulas::simulated) == microseconds({202, 319, 433}));
    // rank 1 begins its second receive at 216 and takes Recv = 12 for it: 228; 328; 329
    // rank 2 begins its second at 330: max(330 + 10, 328 + 13) + 2 = 343; 443
    CHECK(sweep_times({3, 1}, 2, machine, MessageFormulas::closed_form) == microseconds({202, 329, 443}));
}

TEST_CASE("a sweep over 2 x 2 ranks by hand") {
    const machine::Machine machine = round_machine({2, 2});
    // (1,1): 100, sends east to 101, south to 102
    // (2,1): 100 + 13 + 2 = 115; 215, sends south to 216
    // (1,2): 101 + 13 + 2 = 116; 216, sends east to 217
    // (2,2): from the west 216 + 13 + 2 = 231; from the north there since 228: 233; 333
    CHECK(sweep_times({2, 2}, 1, machine, MessageFormulas::simulated) == microseconds({102, 216, 217, 333}));
    // the receive from the north takes 12: 243, which is Start(2,2) of the closed form; 343
    CHECK(sweep_times({2, 2}, 1, machine, MessageFormulas::closed_form) == microseconds({102, 216, 217, 343}));
}

TEST_CASE("a rendezvous sender resumes after h, however late its receiver posts") {
    machine::Machine machine = round_machine({2, 1});
    machine.profiles.back().front().protocol = machine::Protocol::rendezvous;
    // Send = 1 + 2 L = 21, Recv = 10 + 2 + 10 + 2 = 24, Total = 21 + 2 + 10 + 2 = 35
    // rank 0: 100, 121; 221, 242; 342, 363
    // rank 1: 100 + 35 = 135; 235; max(235 + 24, 221 + 35) = 259; 359; max(359 + 24, 342 + 35) = 383; 483
    const Times expected = microseconds({363, 483});
    CHECK(sweep_times({2, 1}, 3, machine, MessageFormulas::simulated) == expected);
    CHECK(sweep_times({2, 1}, 3, machine, MessageFormulas::closed_form) == expected);
}

TEST_CASE("sweeps from other corners are mirrored") {
    const machine::Machine machine = round_machine({3, 1});
    const Times times =
        unblocked_run(sweep_program(two_byte_sweep(2), Corner::southeast, {3, 1}), machine, MessageFormulas::simulated);
    CHECK(times == microseconds({433, 319, 202}));
}

TEST_CASE("an allreduce is its messages, or by the formula") {
    const machine::Machine machine = round_machine({2, 1});
    // simulated: both send 8 bytes, rank 0 at 7, rank 1 at 0; rank 0 to 8, rank 0's data is there at 7 + 19 = 26.
    // rank 1: 26 + 2 = 28. Rank 0: rank 1's data there at 19: 19 + 2 = 21; sends 2 bytes to 22.
    // rank 1: data there at 21 + 13 = 34: 36
    CHECK(unblocked_run(two_ranks(1), machine, MessageFormulas::simulated) == microseconds({22, 36}));
    const WideTime left = WideTime{us(7)} + analytic::allreduce_time(machine, {8});
    // rank 1 posts when it leaves: max(left + 10, left + 13) + 2
    CHECK(unblocked_run(two_ranks(1), machine, MessageFormulas::closed_form) == Times{left + us(1), left + us(15)});
}

TEST_CASE("iterations that repeat are skipped with the same times") {
    const machine::Machine machine = round_machine({2, 1});
    for (const MessageFormulas formulas : {MessageFormulas::simulated, MessageFormulas::closed_form}) {
        const Times few = unblocked_run(two_ranks(10), machine, formulas);
        const Times more = unblocked_run(two_ranks(11), machine, formulas);
        const Times many = unblocked_run(two_ranks(1'000'000'010), machine, formulas);  // by stepping, an hour
        for (std::size_t rank = 0; rank < few.size(); ++rank) {
            CHECK(many[rank] == few[rank] + WideTime{(more[rank] - few[rank]).ps * 1'000'000'000});
        }
    }
}
