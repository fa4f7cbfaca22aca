// Cost maps: their contents and their faults.
#include "simulator/scenario/cost_map.hpp"

#include <doctest/doctest.h>

#include "tests/faults.hpp"

using namespace warpfront;
using namespace warpfront::scenario;
using namespace warpfront::test;
using input::DiagnosticKind;
using input::Diagnostics;
using variation::CostFactor;

namespace {

struct ReadMap {
    std::vector<CostFactor> map;
    Diagnostics faults;
};

/// A map for four ranks.
ReadMap read_map(std::string text) {
    ReadMap result;
    const auto source = std::make_shared<const input::SourceFile>("costs.csv", std::move(text));
    result.map = read_cost_map(source, 4, result.faults);
    return result;
}

Kinds refused_map(std::string text) { return kinds_of(read_map(std::move(text)).faults); }

}  // namespace

TEST_CASE("factors of ranks") {
    const ReadMap result = read_map("# slow ones\nrank,factor\n3,1.25\n0, 0.5\n");
    REQUIRE(result.faults.empty());
    REQUIRE(result.map.size() == 2);
    CHECK(result.map[0].rank == Rank{0});
    CHECK_FALSE(result.map[0].wave);
    CHECK(result.map[0].factor == 0.5);
    CHECK(result.map[1].rank == Rank{3});
    CHECK(result.map[1].factor == 1.25);
}

TEST_CASE("factors of tiles, in columns of any order; without a wave for the whole rank") {
    const ReadMap result = read_map("factor,wave,rank\n2,7,1\n3,,1\n");
    REQUIRE(result.faults.empty());
    REQUIRE(result.map.size() == 2);
    CHECK_FALSE(result.map[0].wave);
    CHECK(result.map[0].factor == 3.0);
    CHECK(result.map[1].wave == 7U);
    CHECK(result.map[1].factor == 2.0);
}

TEST_CASE("a rank out of range, at its position") {
    CHECK(read_map("rank,factor\n4,1\n").faults.render() ==
          "costs.csv:2:1: error: `4` is out of range\n"
          "    2 | 4,1\n"
          "      | ^ expected a whole number from 0 to 3\n");
    CHECK(refused_map("rank,factor\n-1,1\n") == Kinds{DiagnosticKind::out_of_range});
}

TEST_CASE("a wave beyond what an iteration can hold") {
    CHECK(read_map("rank,wave,factor\n0,1048575,1\n").faults.empty());
    CHECK(refused_map("rank,wave,factor\n0,1048576,1\n") == Kinds{DiagnosticKind::out_of_range});
}

TEST_CASE("a factor may be 0, not negative, not infinite, no word") {
    CHECK(read_map("rank,factor\n0,0\n").faults.empty());
    CHECK(refused_map("rank,factor\n0,-0.5\n") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_map("rank,factor\n0,1e999\n") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_map("rank,factor\n0,slow\n") == Kinds{DiagnosticKind::bad_number});
    CHECK(refused_map("rank,factor\n0,nan\n") == Kinds{DiagnosticKind::bad_number});
    CHECK(refused_map("rank,factor\n0,2us\n") == Kinds{DiagnosticKind::wrong_unit});
    CHECK(refused_map("rank,factor\n0,\n") == Kinds{DiagnosticKind::bad_number});
}

TEST_CASE("a rank or a tile that occurs twice, with the line of the other") {
    CHECK(read_map("rank,factor\n2,1\n1,1\n2,3\n").faults.render() ==
          "costs.csv:4:1: error: rank 2 stands twice\n"
          "    4 | 2,3\n"
          "      | ^ it has a factor in line 2\n");
    CHECK(refused_map("rank,factor\n2,1\n2,3\n") == Kinds{DiagnosticKind::duplicate_row});
    CHECK(refused_map("rank,wave,factor\n2,5,1\n2,5,3\n") == Kinds{DiagnosticKind::duplicate_row});
    CHECK(read_map("rank,wave,factor\n2,5,1\n2,6,3\n2,,1\n").faults.empty());
}

TEST_CASE("a missing or an unknown column") {
    CHECK(refused_map("rank\n1\n") == Kinds{DiagnosticKind::missing_key});
    CHECK(refused_map("") == Kinds{DiagnosticKind::missing_key, DiagnosticKind::missing_key});
    CHECK(refused_map("rank,tile,factor\n1,1,1\n") == Kinds{DiagnosticKind::unknown_column});
    CHECK(read_map("rank,factr\n1,1\n").faults.render().find("did you mean `factor`?") != std::string::npos);
}

TEST_CASE("rows of another length, and all faults of a file together") {
    CHECK(refused_map("rank,factor\n1\n9,1\n0,1,1\n") ==
          Kinds{DiagnosticKind::ragged_row, DiagnosticKind::out_of_range, DiagnosticKind::ragged_row});
}

TEST_CASE("binary junk is refused by its header") {
    CHECK(refused_map(std::string("\x7F"
                                  "ELF\0\1\2\xFF\n\0\0",
                                  11))
              .front() == DiagnosticKind::unknown_column);
}

TEST_CASE("a map of a hundred thousand tiles is read") {
    std::string text = "rank,wave,factor\n";
    for (int wave = 0; wave < 100'000; ++wave) text += "1," + std::to_string(wave) + ",1.5\n";
    CHECK(read_map(text).map.size() == 100'000);
}
