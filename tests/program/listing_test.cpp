// A program as text.
#include "simulator/program/listing.hpp"

#include <doctest/doctest.h>

using namespace warpfront;
using namespace warpfront::program;

TEST_CASE("a class is listed instruction by instruction, loops indented, with partners and lines") {
    Program program;
    program.name = "pair";
    program.grid = {2, 1};
    program.class_of = {0, 1};
    program.sites = {
        {"models/pair.psl", 3, 5, "repeat"}, {"models/pair.psl", 4, 9, "send"}, {"models/pair.psl", 2, 1, ""}};
    RankClass first;
    first.send_endpoints = {{1, 7}};
    first.code = {{.op = Op::loop, .site = 0, .operand = 3, .amount = 20},
                  {.op = Op::compute, .site = 0, .amount = 1'500'000},
                  {.op = Op::send, .site = 1, .operand = 0, .amount = 64},
                  {.op = Op::end_loop, .site = 0, .operand = 0},
                  {.op = Op::iteration, .site = 2},
                  {.op = Op::finish, .site = 2}};
    RankClass second = first;
    second.send_endpoints.clear();
    second.receive_endpoints = {{-1, 7}};
    second.code[1] = {.op = Op::delay, .site = 0, .amount = 2};
    second.code[2] = {.op = Op::recv, .site = 1, .operand = 0};
    program.classes = {first, second};
    CHECK(listing(program) ==
          "pair: 2 ranks in 2 classes\n"
          "\n"
          "class 1 of 2: rank 0 (column 1, row 1)\n"
          "  loop 20 times                                      pair.psl:3\n"
          "    compute 1.5us                                    pair.psl:3\n"
          "    send 64 B to rank + 1, tag 7                     pair.psl:4\n"
          "  end of loop\n"
          "  end of iteration\n"
          "  finish\n"
          "\n"
          "class 2 of 2: rank 1 (column 2, row 1)\n"
          "  loop 20 times                                      pair.psl:3\n"
          "    delay 0.000002us                                 pair.psl:3\n"
          "    recv from rank - 1, tag 7                        pair.psl:4\n"
          "  end of loop\n"
          "  end of iteration\n"
          "  finish\n");
}
