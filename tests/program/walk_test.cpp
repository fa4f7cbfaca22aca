#include "simulator/program/walk.hpp"

#include <ctime>

#include "simulator/program/computing.hpp"
#include "simulator/program/execution.hpp"
#include "simulator/program/mismatches.hpp"
#include "tests/program/programs.hpp"
#include "tests/validation/validate.hpp"

using namespace warpfront::program;

namespace warpfront::program {

namespace {

constexpr std::uint64_t kMost = 10'000;

/// Returns two ranks, each with these instructions towards the other, on channel 0 each way.
Program exchange(const std::vector<Instruction>& left, const std::vector<Instruction>& right,
                 std::int64_t iterations = 1) {
    Program program;
    program.grid = {2, 1};
    program.iterations = iterations;
    program.class_of = {0, 1};
    program.sites.resize(4);
    program.classes = {{left, {{+1, 0}}, {{+1, 0}}}, {right, {{-1, 0}}, {{-1, 0}}}};
    for (RankClass& each : program.classes) each.code.push_back(make(Op::finish));
    return program;
}

/// Returns `body` in 3 iterations.
std::vector<Instruction> three_times(std::vector<Instruction> body) {
    const auto end = static_cast<std::uint32_t>(body.size() + 2);
    body.insert(body.begin(), make(Op::loop, 3, end));
    body.push_back(make(Op::iteration));
    body.push_back(make(Op::end_loop));
    return body;
}

}  // namespace

TEST_CASE("ranks that both receive first are stuck, buffered or not, each at its own receive") {
    const Program program = exchange({make(Op::recv, 0, 0, 0, 1), make(Op::send, 8, 0, 0, 2)},
                                     {make(Op::recv, 0, 0, 0, 3), make(Op::send, 8)});
    for (const Buffering& buffering : {all_eager(), all_rendezvous()}) {
        const auto stuck = stuck_ranks(program, buffering, kMost);
        REQUIRE(stuck->size() == 2);
        CHECK(stuck->at(0).what == Stuck::What::recv);
        CHECK(stuck->at(0).peer.index == 1);
        CHECK(stuck->at(0).site == 1);
        CHECK(stuck->at(1).peer.index == 0);
        CHECK(stuck->at(1).site == 3);
    }
}

TEST_CASE("ranks that both send first continue only if messages are buffered") {
    const std::vector<Instruction> both{make(Op::send, 8), make(Op::recv)};
    const Program program = exchange(both, both);
    CHECK(stuck_ranks(program, all_eager(), kMost)->empty());
    const auto stuck = stuck_ranks(program, all_rendezvous(), kMost);
    REQUIRE(stuck->size() == 2);
    CHECK(stuck->at(0).what == Stuck::What::send);
}

TEST_CASE("ranks continue without buffers if they post their receives before they send, or do not wait for sends") {
    for (const std::vector<Instruction>& both :
         {std::vector<Instruction>{make(Op::irecv), make(Op::send, 8), make(Op::wait_recv)},
          std::vector<Instruction>{make(Op::isend, 8), make(Op::recv), make(Op::wait_send)}}) {
        CHECK(stuck_ranks(exchange(both, both), all_rendezvous(), kMost)->empty());
    }
}

TEST_CASE("a receive that is posted for any source lets a synchronous send leave before its rank waits") {
    Program program = exchange({make(Op::irecv_any), make(Op::ssend, 8), make(Op::wait_recv_any)},
                               {make(Op::ssend, 8), make(Op::recv)});
    program.classes[0].choices = {{{0}}};
    CHECK(stuck_ranks(program, all_rendezvous(), kMost)->empty());
    program.classes[0].code.erase(program.classes[0].code.begin());
    program.classes[0].code[1].op = Op::recv_any;
    CHECK(stuck_ranks(program, all_rendezvous(), kMost)->size() == 2);
}

TEST_CASE("a receive that is posted for any source and has no message is where its rank is stuck") {
    Program program = exchange({make(Op::irecv_any), make(Op::wait_recv_any, 0, 0, 0, 2), make(Op::send, 8)},
                               {make(Op::recv), make(Op::send, 8)});
    program.classes[0].choices = {{{0}}};
    const auto stuck = stuck_ranks(program, all_eager(), kMost);
    REQUIRE(stuck->size() == 2);
    CHECK(stuck->at(0).what == Stuck::What::recv);
    CHECK(stuck->at(0).site == 2);
    CHECK(stuck->at(0).peer.index == 1);
}

TEST_CASE("a receive of any tag takes the message that is sent first, but not that of a receive posted by name") {
    const auto continues = [](const std::vector<Instruction>& receiver, const std::vector<Instruction>& sender) {
        Program program = exchange(receiver, sender);
        program.classes[0].receive_endpoints = {{+1, 1}, {+1, 2}};
        program.classes[1].send_endpoints = {{-1, 1}, {-1, 2}};
        program.classes[0].choices = {{{0, 1}}};
        return stuck_ranks(program, all_eager(), kMost)->empty() &&
               stuck_ranks(program, all_rendezvous(), kMost)->empty();
    };
    // Rank 1 sends with tag 2, then with tag 1. The choice lists tag 1 first, and the receive by name is left tag 1.
    CHECK(continues({make(Op::recv_any), make(Op::recv)}, {make(Op::send, 8, 1), make(Op::send, 8, 0)}));
    CHECK(continues({make(Op::irecv), make(Op::recv_any), make(Op::wait_recv)},
                    {make(Op::send, 8, 0), make(Op::send, 8, 1)}));
}

TEST_CASE("a nonblocking answer is waited for until it is received") {
    Program program =
        exchange({make(Op::recv_any), make(Op::ireply, 8), make(Op::wait_reply, 0, 0, 0, 3), make(Op::recv)},
                 {make(Op::send, 8), make(Op::ssend, 8), make(Op::recv)});
    program.classes[0].choices = {{{0}}};
    program.classes[0].replies = {{0, {0}}};
    CHECK(stuck_ranks(program, all_eager(), kMost)->empty());
    const auto stuck = stuck_ranks(program, all_rendezvous(), kMost);
    REQUIRE(stuck->size() == 2);
    CHECK(stuck->at(0).what == Stuck::What::send);
    CHECK(stuck->at(0).site == 3);
}

TEST_CASE("a rank that never comes to the allreduce is waited for there") {
    const Program program = exchange({make(Op::allreduce, 8)}, {make(Op::recv)});
    const auto stuck = stuck_ranks(program, all_eager(), kMost);
    REQUIRE(stuck->size() == 2);
    CHECK(stuck->at(0).what == Stuck::What::allreduce);
    CHECK(stuck->at(0).peer.index == 1);
}

TEST_CASE("the allreduces of many ranks are walked in a time that is proportional to the number of ranks") {
    // 3 allreduces would take 3 * 50,000^2 steps, more than ten seconds, if each rank looked at all others.
    constexpr std::uint32_t kRanks = 50'000;
    Program program;
    program.grid = {kRanks, 1};
    program.class_of.assign(kRanks, 0);
    program.sites.resize(1);
    program.classes.resize(1);
    program.classes.front().code = {make(Op::allreduce), make(Op::allreduce), make(Op::allreduce), make(Op::finish)};
    const auto begin = std::clock();
    CHECK(stuck_ranks(program, all_eager(), 1'000'000)->empty());
    program.class_of.back() = 1;  // the last rank enters none
    program.classes.push_back(program.classes.front());
    program.classes.back().code = {make(Op::finish)};
    const auto stuck = stuck_ranks(program, all_eager(), 1'000'000);
    REQUIRE(stuck->size() == kRanks - 1);
    CHECK(stuck->front().peer.index == kRanks - 1);
    CHECK(std::clock() - begin < 2 * CLOCKS_PER_SEC);
}

TEST_CASE("a walk that takes too many instructions has no answer") {
    // rank 0: loop of 3 with 5 sends, each a send and an end_loop: over 30
    CHECK_FALSE(stuck_ranks(pair(), all_eager(), 20));
    CHECK(stuck_ranks(pair(), all_eager(), 200)->empty());
}

TEST_CASE("a rank runs ahead of its receiver if it only sends, several buffered messages on a channel") {
    CHECK(*run_ahead(pair(), all_eager(), kMost) == std::vector<RunAhead>{{{0}, {1}, 1}});
    CHECK(run_ahead(pair(), all_rendezvous(), kMost)->empty());
    const Program answered =
        exchange(three_times({make(Op::send, 8), make(Op::recv)}), three_times({make(Op::recv), make(Op::send, 8)}), 3);
    CHECK(run_ahead(answered, all_eager(), kMost)->empty());
    CHECK(run_ahead(exchange({make(Op::send, 8)}, {make(Op::recv)}), all_eager(), kMost)->empty());
}

TEST_CASE("if messages between some ranks are buffered, sends wait for posts only between the others") {
    const std::vector<Instruction> both{make(Op::send, 8), make(Op::recv)};
    const Program program = exchange(both, both);
    const Buffering eastward{[](Rank sender, Rank receiver, const Instruction&) { return sender < receiver; }};
    CHECK(stuck_ranks(program, eastward, kMost)->empty());  // rank 0 continues to its receive
    const Buffering small{[](Rank, Rank, const Instruction& send) { return send.amount < 8; }};
    CHECK(stuck_ranks(program, small, kMost)->size() == 2);
}

TEST_CASE("a wait for an isend waits for the post only if its message is not buffered") {
    const std::vector<Instruction> both{make(Op::isend, 8), make(Op::wait_send), make(Op::recv)};
    const Program program = exchange(both, both);
    CHECK(stuck_ranks(program, all_eager(), kMost)->empty());
    CHECK(stuck_ranks(program, all_rendezvous(), kMost)->size() == 2);
}

TEST_CASE("loops are shortened equally on all ranks, unless messages then no longer match") {
    const std::optional<Program> two = shortened(pair(), 2);
    REQUIRE(two);
    CHECK(traffic(*two).messages == 2 * 2);
    Program uneven = pair();
    // The receiver takes 15 messages in one loop of 15 iterations, which would be 2.
    uneven.classes[1].code = {make(Op::loop, 15, 2), make(Op::recv, 0, 0, 0, 1), make(Op::end_loop), make(Op::finish)};
    CHECK_FALSE(shortened(uneven, 2));
}

namespace {

/// Returns a loop of 2 iterations of: an inner loop of 3 iterations with work and a send, then a mark.
RankClass nested() {
    return {{make(Op::loop, 2, 6), make(Op::loop, 3, 4, 1), make(Op::compute, 7), make(Op::send, 8),
             make(Op::end_loop, 0, 1, 1), make(Op::iteration), make(Op::end_loop), make(Op::finish)},
            {{+1, 0}},
            {}};
}

}  // namespace

TEST_CASE("a position passes loops iteration by iteration, inner ones anew in each iteration of the outer") {
    const RankClass rank_class = nested();
    std::vector<std::size_t> passed;
    Position position;
    for (; rank_class.code[position.at].op != Op::finish; position.pass(rank_class.code[position.at])) {
        passed.push_back(position.at);
    }
    CHECK(passed == std::vector<std::size_t>{0, 1, 2, 3, 4, 2, 3, 4, 2, 3, 4, 5, 6,  //
                                             1, 2, 3, 4, 2, 3, 4, 2, 3, 4, 5, 6});
}

TEST_CASE("positions in different iterations are different, although the instruction is the same") {
    const std::vector<Instruction> code = nested().code;
    const auto after = [&](std::size_t steps) {
        Position position;
        for (; steps > 0; --steps) position.pass(code[position.at]);
        return position;
    };
    CHECK(after(2).at == after(5).at);
    CHECK(after(2) != after(5));
    CHECK(after(2) == after(2));
}

TEST_CASE("a cursor leaves loops out, and counts a wave for each loop iteration within an iteration") {
    const RankClass rank_class = nested();
    Cursor cursor(rank_class);
    std::vector<std::uint64_t> waves;
    while (cursor.next().op != Op::finish) {
        if (cursor.current().op == Op::send) waves.push_back(cursor.wave());
    }
    const std::uint64_t second = std::uint64_t{1} << kWaveBits;
    CHECK(waves == std::vector<std::uint64_t>{0, 1, 2, second, second + 1, second + 2});
    CHECK(cursor.next().op == Op::finish);
}

TEST_CASE("a cursor numbers the blocks of computing of an iteration, without those that have no work") {
    const RankClass rank_class{
        .code = {make(Op::loop, 2, 6), make(Op::compute, 5), make(Op::compute), make(Op::delay, 5),
                 make(Op::compute, 7), make(Op::iteration), make(Op::end_loop), make(Op::compute, 9), make(Op::finish)},
        .send_endpoints = {},
        .receive_endpoints = {}};
    Cursor cursor(rank_class);
    std::vector<std::uint64_t> numbers;
    while (cursor.next().op != Op::finish) {
        if (computes(cursor.current().op) && cursor.current().amount > 0) numbers.push_back(cursor.block_number());
    }
    CHECK(numbers == std::vector<std::uint64_t>{0, 1, 0, 1, 0});
}

TEST_CASE("an instruction's endpoints are its own, or all among which the run decides") {
    RankClass rank_class;
    rank_class.choices = {{{2, 5}}};
    rank_class.replies = {{0, {1, 4}}};
    const auto endpoints = [&](const Instruction& step) {
        const auto found = endpoints_of(step, rank_class);
        return std::vector<std::uint32_t>(found.begin(), found.end());
    };
    CHECK(endpoints(make(Op::ssend, 8, 3)) == std::vector<std::uint32_t>{3});
    CHECK(endpoints(make(Op::wait_recv, 0, 6)) == std::vector<std::uint32_t>{6});
    CHECK(endpoints(make(Op::wait_any)) == std::vector<std::uint32_t>{2, 5});
    CHECK(endpoints(make(Op::wait_reply)) == std::vector<std::uint32_t>{1, 4});
    CHECK(endpoints(make(Op::allreduce, 8)).empty());
}

}  // namespace warpfront::program

// The correction of computing times: T' = factor * T + per_block.

namespace {

/// Returns one rank that computes for each of these picoseconds.
Program computing_for(std::vector<std::int64_t> amounts) {
    Program program;
    program.grid = {1, 1};
    program.iterations = 1;
    program.class_of = {0};
    RankClass only;
    for (const std::int64_t amount : amounts) only.code.push_back(make(Op::compute, amount));
    only.code.push_back(make(Op::iteration));
    only.code.push_back(make(Op::finish));
    program.classes = {only};
    return program;
}

}  // namespace

TEST_CASE("every block of work takes factor times as long, rounded once, and per_block more; delays stay") {
    Program program = computing_for({1000, 3, 0, 1000});
    program.classes[0].code[3].op = Op::delay;
    apply({.factor = 1.5, .per_block = {7}}, program);
    const std::vector<Instruction>& code = program.classes[0].code;
    CHECK(code[0].amount == 1507);  // 1.5 * 1000 + 7
    CHECK(code[1].amount == 12);    // 4.5 becomes 5, + 7
    CHECK(code[2].amount == 0);     // no work
    CHECK(code[3].amount == 1000);
}

TEST_CASE("messages and the closed form keep their values") {
    Program program = pair();
    program.closed_form.emplace_back();
    program.closed_form.back().work = {1000};
    const Program before = program;
    apply({.factor = 2.0, .per_block = {7}}, program);
    CHECK(program.classes[0].code[2].amount == 8);
    CHECK(program.closed_form == before.closed_form);
}

TEST_CASE("the correction that changes nothing keeps every picosecond of the longest block") {
    Program program = computing_for({kLongestCost.ps - 1});
    apply({}, program);
    CHECK(program.classes[0].code[0].amount == kLongestCost.ps - 1);
}

TEST_CASE("a block that becomes longer than virtual time allows is reported") {
    Program program = computing_for({kLongestCost.ps});
    CHECK_THROWS_AS(apply({.factor = 2.0}, program), std::overflow_error);
}

namespace {

/// Returns the program of pair(), with an allreduce at the end of each iteration.
Program closed_pair() {
    Program program = pair();
    for (RankClass& rank_class : program.classes) {
        rank_class.code.insert(rank_class.code.begin() + 4, make(Op::allreduce, 8));
        rank_class.code[0].operand = 6;
    }
    return program;
}

}  // namespace

TEST_CASE("iterations whose messages are received in them, with an allreduce of all at their ends, are closed") {
    CHECK(validate(closed_pair()) == "");
    CHECK(has_closed_iterations(closed_pair()));
    CHECK_FALSE(has_closed_iterations(pair()));  // a rank may begin an iteration while others are in the one before
    Program of_one_rank = closed_pair();
    of_one_rank.classes[1] = pair().classes[1];
    CHECK_FALSE(has_closed_iterations(of_one_rank));
}

TEST_CASE("iterations are not closed where a message is received in a later one") {
    // One message is sent before the loop and one received after it, so every receive takes the message before.
    Program program = closed_pair();
    auto& sends = program.classes[0].code;
    auto& receives = program.classes[1].code;
    sends.insert(sends.begin(), make(Op::send, 8, 0));
    receives.insert(receives.end() - 1, make(Op::recv, 0, 0));
    sends[1].operand += 1;
    sends[2].operand += 1;
    sends[4].operand += 1;
    sends[7].operand += 1;
    CHECK(validate(program) == "");
    CHECK(mismatches(program, 1).empty());
    CHECK_FALSE(has_closed_iterations(program));
}

TEST_CASE("iterations are not closed where one loop sends what another receives") {
    // Two loops of 3 iterations with 5 sends each: 30. With 4 receives in the first and 6 in the second: 30, too.
    Program program = closed_pair();
    for (RankClass& rank_class : program.classes) {
        const std::vector<Instruction> loop(rank_class.code.begin(), rank_class.code.end() - 1);
        rank_class.code.insert(rank_class.code.end() - 1, loop.begin(), loop.end());
        rank_class.code[7].operand += 7;
        rank_class.code[8].operand += 7;
        rank_class.code[10].operand += 7;
        rank_class.code[13].operand += 7;
    }
    program.iterations = 6;
    REQUIRE(validate(program) == "");
    CHECK(has_closed_iterations(program));
    program.classes[1].code[1].amount = 4;  // of 5 messages an iteration
    program.classes[1].code[8].amount = 6;
    REQUIRE(mismatches(program, 1).empty());
    CHECK_FALSE(has_closed_iterations(program));
}

TEST_CASE("iterations with started messages are not assumed to be closed") {
    Program program = closed_pair();
    auto& code = program.classes[0].code;
    code[2].op = Op::isend;
    code.insert(code.begin() + 3, make(Op::wait_send, 0, 0, 0, 1));
    code[0].operand = 7;
    code[1].operand = 4;
    CHECK(validate(program) == "");
    CHECK_FALSE(has_closed_iterations(program));
}
