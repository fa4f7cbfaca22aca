// Hand-made programs for this library's tests.
//
// Not pinned here: the construction of programs from models (tests/psl) and traces (tests/trace); their behaviour on a
// machine (tests/engine).
#pragma once

#include "simulator/program/program.hpp"
#include "tests/preamble.hpp"

namespace warpfront::program {

inline Instruction make(Op op, std::int64_t amount = 0, std::uint32_t operand = 0, std::uint8_t depth = 0,
                        std::uint16_t site = 0) {
    return {op, depth, site, operand, amount};
}

/// Two ranks; in each of 3 iterations the first sends 5 messages of 8 bytes east, which the second receives.
inline Program pair() {
    Program program;
    program.grid = {2, 1};
    program.iterations = 3;
    program.class_of = {0, 1};
    program.sites.resize(2);
    RankClass sender{{make(Op::loop, 3, 5, 0), make(Op::loop, 5, 3, 1), make(Op::send, 8, 0, 0, 1),
                      make(Op::end_loop, 0, 1, 1), make(Op::iteration), make(Op::end_loop, 0, 0, 0), make(Op::finish)},
                     {{+1, 0}},
                     {}};
    RankClass receiver = sender;
    receiver.code[2] = make(Op::recv, 0, 0, 0, 1);
    receiver.send_endpoints.clear();
    receiver.receive_endpoints = {{-1, 0}};
    program.classes = {sender, receiver};
    return program;
}

}  // namespace warpfront::program
