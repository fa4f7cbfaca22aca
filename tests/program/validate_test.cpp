#include "tests/program/programs.hpp"

#include <vector>

using namespace warpfront;
using namespace warpfront::program;

namespace {

/// What is wrong with `pair()` after one change of its first class.
template <class Change>
std::string after(Change change) {
    Program program = pair();
    change(program, program.classes[0]);
    return validate(program);
}

/// The problem of two ranks that do this in their one iteration. Choice 0 is a channel that its reply 0 answers on.
std::string with(std::vector<Instruction> steps) {
    return after([&](Program& p, RankClass& c) {
        p.iterations = 1;
        steps.push_back(make(Op::iteration));
        steps.push_back(make(Op::finish));
        c.code = steps;
        c.receive_endpoints = {{+1, 1}};
        c.choices = {{{0}}};
        c.replies = {{0, {0}}};
        p.class_of = {0, 0};
        p.classes.pop_back();
    });
}

}  // namespace

TEST_CASE("a sound program has nothing wrong with it") { CHECK(validate(pair()) == ""); }

TEST_CASE("every rank needs a class that exists") {
    CHECK(after([](Program& p, RankClass&) { p.class_of.pop_back(); }) == "not every rank has a class");
    CHECK(after([](Program& p, RankClass&) { p.class_of[1] = 2; }) == "there is no class 2");
}

TEST_CASE("loops nest, run, and refer to their ends") {
    CHECK(after([](Program&, RankClass& c) { c.code[1].amount = 0; }) ==
          "class 0: instruction 1: a loop that never runs");
    CHECK(after([](Program&, RankClass& c) { c.code[1].operand = 2; }) ==
          "class 0: instruction 1: the loop leads nowhere");
    CHECK(after([](Program&, RankClass& c) { c.code[3].operand = 0; }) == "class 0: instruction 3: ends no loop");
    CHECK(after([](Program&, RankClass& c) { c.code[1].depth = 0; }) ==
          "class 0: instruction 1: the depth is not that of the loop");
}

TEST_CASE("an isend is waited for before anything else is sent on its send endpoint") {
    CHECK(with({make(Op::isend, 8), make(Op::wait_send), make(Op::send, 8)}) == "");
    CHECK(with({make(Op::isend, 8), make(Op::send, 8)}) == "class 0: instruction 1: sends beside an isend");
    CHECK(with({make(Op::isend, 8), make(Op::isend, 8)}) == "class 0: instruction 1: sends beside an isend");
    CHECK(with({make(Op::wait_send)}) == "class 0: instruction 0: no isend to wait for");
    CHECK(with({make(Op::isend, 8)}) == "class 0: the isend is never waited for");
}

TEST_CASE("a choice has one receive posted at a time, and a reply one message begun") {
    const Instruction post = make(Op::irecv_any);
    const Instruction wait = make(Op::wait_recv_any);
    CHECK(with({post, wait, post, wait}) == "");
    CHECK(with({post, post}) == "class 0: instruction 1: a second receive of a choice");
    CHECK(with({wait}) == "class 0: instruction 0: no receive of a choice to wait for");
    CHECK(with({post}) == "class 0: the receive of a choice is never waited for");
    const Instruction answer = make(Op::ireply, 8);
    CHECK(with({answer, make(Op::wait_reply)}) == "");
    CHECK(with({answer, answer}) == "class 0: instruction 1: sends beside an isend");
    CHECK(with({make(Op::wait_reply)}) == "class 0: instruction 0: no ireply to wait for");
    CHECK(with({answer}) == "class 0: the ireply is never waited for");
}

TEST_CASE("an answer begins no second message on a channel where one may be under way, and none follows it there") {
    const std::string beside = "class 0: instruction 1: sends beside an isend";
    const Instruction answer = make(Op::ireply, 8);  // on the only channel
    CHECK(with({make(Op::isend, 8), answer}) == beside);
    CHECK(with({make(Op::isend, 8), make(Op::reply, 8)}) == beside);
    CHECK(with({answer, make(Op::isend, 8)}) == beside);
    CHECK(with({answer, make(Op::ssend, 8)}) == beside);
    CHECK(with({answer, make(Op::reply, 8)}) == beside);
    CHECK(with({answer, make(Op::wait_reply), make(Op::isend, 8), make(Op::wait_send), answer, make(Op::wait_reply)}) ==
          "");
}

TEST_CASE("what a trip of a loop begins is waited for in it, or begun again for the next trip") {
    const Instruction begin = make(Op::isend, 8);
    const Instruction wait = make(Op::wait_send);
    CHECK(with({make(Op::loop, 2, 2), begin, make(Op::end_loop), wait}) ==
          "class 0: instruction 2: a trip leaves other requests open than it finds");
    CHECK(with({begin, make(Op::loop, 2, 4), wait, begin, make(Op::end_loop, 0, 1), wait}) == "");
}

TEST_CASE("loops nest four deep at most") {
    const auto nested = [](std::uint8_t levels) {
        Program program = pair();
        program.iterations = 1;
        RankClass& first = program.classes[0];
        first = {};
        for (std::uint8_t i = 0; i < levels; ++i) first.code.push_back(make(Op::loop, 2, 2U * levels - i, i));
        first.code.push_back(make(Op::compute, 1));
        for (std::uint8_t i = levels; i > 0; --i)
            first.code.push_back(make(Op::end_loop, 0, i - 1U, static_cast<std::uint8_t>(i - 1)));
        first.code.push_back(make(Op::iteration));
        first.code.push_back(make(Op::finish));
        program.class_of = {0, 0};
        program.classes.pop_back();
        return validate(program);
    };
    CHECK(nested(4) == "");
    CHECK(nested(5) == "class 0: instruction 4: loops nest too deep");
}

TEST_CASE("the marks are as many as the iterations, in executed order") {
    CHECK(after([](Program& p, RankClass&) { p.iterations = 4; }) ==
          "class 0: the iteration marks are not as many as the iterations");
    CHECK(after([](Program& p, RankClass&) { p.iterations = 2; }) ==
          "class 0: instruction 5: more iteration marks than iterations");
}

TEST_CASE("finish is last and nowhere else") {
    CHECK(after([](Program&, RankClass& c) { c.code.pop_back(); }) == "class 0: the code does not end with finish");
    CHECK(after([](Program&, RankClass& c) { c.code[2].op = Op::finish; }) ==
          "class 0: instruction 2: finish is not last");
}

TEST_CASE("amounts, channels and sites are what they refer to") {
    CHECK(after([](Program&, RankClass& c) { c.code[2].amount = -8; }) == "class 0: instruction 2: a negative amount");
    CHECK(after([](Program&, RankClass& c) { c.code[2].operand = 1; }) == "class 0: instruction 2: no such channel");
    CHECK(after([](Program&, RankClass& c) { c.code[2].site = 2; }) == "class 0: instruction 2: no such site");
    CHECK(after([](Program&, RankClass& c) {
              c.send_endpoints.push_back({+1, 0});
          }) == "class 0: a channel stands twice among the send endpoints");
}
