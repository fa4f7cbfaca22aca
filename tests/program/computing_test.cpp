// The correction of computing times: T' = factor * T + per_block.
#include "simulator/program/computing.hpp"

#include <stdexcept>

#include "tests/program/programs.hpp"

using namespace warpfront;
using namespace warpfront::program;

namespace {

/// One rank that computes for each of these picoseconds.
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

TEST_CASE("every block takes factor times as long, rounded once, and per_block more") {
    Program program = computing_for({1000, 3});
    apply({.factor = 1.5, .per_block = {7}}, program);
    CHECK(program.classes[0].code[0].amount == 1507);  // 1.5 * 1000 + 7
    CHECK(program.classes[0].code[1].amount == 12);    // 4.5 becomes 5, + 7
}

TEST_CASE("a block without work stays without work") {
    Program program = computing_for({0});
    apply({.factor = 2.0, .per_block = {7}}, program);
    CHECK(program.classes[0].code[0].amount == 0);
}

TEST_CASE("a delay stays as it is") {
    Program program = computing_for({1000});
    program.classes[0].code[0].op = Op::delay;
    apply({.factor = 2.0, .per_block = {7}}, program);
    CHECK(program.classes[0].code[0].amount == 1000);
}

TEST_CASE("messages and the closed form keep their figures") {
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
