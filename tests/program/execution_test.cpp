#include "simulator/program/execution.hpp"

#include <vector>

#include "tests/program/programs.hpp"

namespace warpfront::program {

namespace {

/// A loop of 2 trips of: an inner loop of 3 trips with work and a send, then a mark.
RankClass nested() {
    return {{make(Op::loop, 2, 6), make(Op::loop, 3, 4, 1), make(Op::compute, 7), make(Op::send, 8),
             make(Op::end_loop, 0, 1, 1), make(Op::iteration), make(Op::end_loop), make(Op::finish)},
            {{+1, 0}},
            {}};
}

}  // namespace

TEST_CASE("a position goes through loops trip by trip, inner ones anew in each trip of the outer") {
    const RankClass rank_class = nested();
    std::vector<std::size_t> passed;
    Position position;
    for (; rank_class.code[position.at].op != Op::finish; position.pass(rank_class.code[position.at])) {
        passed.push_back(position.at);
    }
    CHECK(passed == std::vector<std::size_t>{0, 1, 2, 3, 4, 2, 3, 4, 2, 3, 4, 5, 6,  //
                                             1, 2, 3, 4, 2, 3, 4, 2, 3, 4, 5, 6});
}

TEST_CASE("positions in different trips are different, although the instruction is the same") {
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

TEST_CASE("a cursor leaves loops out, and counts a wave for each trip within an iteration") {
    const RankClass rank_class = nested();
    Cursor cursor(rank_class);
    std::vector<std::uint64_t> waves;
    while (cursor.next().op != Op::finish) {
        if (cursor.current().op == Op::send) waves.push_back(cursor.wave());
    }
    const std::uint64_t second = std::uint64_t{1} << kWaveBits;
    CHECK(waves == std::vector<std::uint64_t>{0, 1, 2, second, second + 1, second + 2});
    CHECK(cursor.next().op == Op::finish);
    CHECK(cursor.index() == 7);
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
