// The array of ranks as maps: cell by cell, means where a cell holds several ranks.
#include "simulator/results/ranks.hpp"

#include <doctest/doctest.h>

#include "tests/results/example.hpp"

using namespace warpfront;
using namespace warpfront::results;

namespace {

/// A record whose rank k computes k us, waits 1 us for each of four causes and finishes at 10 + k us.
record::Record ranks(std::uint32_t count) {
    record::Record record;
    for (std::uint32_t rank = 0; rank < count; ++rank) {
        record::Breakdown parts;
        parts.compute = microseconds(rank);
        parts.wait = parts.bus_wait = parts.nic_wait = parts.link_wait = microseconds(1);
        record.rank_breakdown.push_back(parts);
        record.rank_finish.emplace_back(microseconds(10 + rank));
    }
    return record;
}

}  // namespace

TEST_CASE("a small array has a cell for every rank, from the north-west along the rows") {
    record::Record record = ranks(6);
    for (int rank = 0; rank < 6; ++rank) record.rank_first_tile.emplace_back(microseconds(1 + rank));
    const auto json = rank_array(record, {3, 2});
    CHECK(json["columns"] == 3);
    CHECK(json["rows"] == 2);
    CHECK(json["columns_per_cell"] == 1);
    CHECK(json["first_tile_s"] == nlohmann::json::array({1e-6, 2e-6, 3e-6, 4e-6, 5e-6, 6e-6}));
    CHECK(json["compute_s"] == nlohmann::json::array({0.0, 1e-6, 2e-6, 3e-6, 4e-6, 5e-6}));
    CHECK(json["wait_s"][5] == 1e-6);
    CHECK(json["queue_s"][5] == 3e-6);  // bus, NIC, links
    CHECK(json["finish_s"][5] == 15e-6);
}

TEST_CASE("65 columns are cells of two, the last of one; a cell has the mean of its ranks") {
    const auto json = rank_array(ranks(65), {65, 1});
    CHECK(json["columns"] == 33);
    CHECK(json["columns_per_cell"] == 2);
    CHECK(json["compute_s"][0] == 0.5e-6);  // (0 + 1) / 2
    CHECK(json["compute_s"][1] == 2.5e-6);  // (2 + 3) / 2
    CHECK(json["compute_s"][32] == 64e-6);
}

TEST_CASE("an array of several planes has its cells plane by plane") {
    const auto json = rank_array(ranks(12), {3, 2, 2});
    CHECK(json["columns"] == 3);
    CHECK(json["rows"] == 2);
    CHECK(json["planes"] == 2);
    CHECK(json["planes_per_cell"] == 1);
    CHECK(json["compute_s"].size() == 12);
    CHECK(json["compute_s"][7] == 7e-6);  // column 2, row 1 of plane 2
    CHECK_FALSE(rank_array(ranks(6), {3, 2}).contains("planes"));
}

TEST_CASE("all planes together have at most 64 x 64 cells: 16 along each side of a cube") {
    const auto json = rank_array(ranks(32 * 32 * 32), {32, 32, 32});
    CHECK(json["columns"] == 16);
    CHECK(json["planes"] == 16);
    CHECK(json["rows_per_cell"] == 2);
    CHECK(json["planes_per_cell"] == 2);
    CHECK(json["compute_s"].size() == 4096);
    // the first cell: ranks 0, 1, 32, 33 and those 1024 further on
    CHECK(json["compute_s"][0] == 528.5e-6);  // (0 + 1 + 32 + 33) / 4 + 1024 / 2
    // 4 planes: 32 along a side, 32 * 32 * 4 = 4096
    CHECK(rank_array(ranks(64 * 32 * 4), {64, 32, 4})["columns_per_cell"] == 2);
    CHECK(rank_array(ranks(64 * 32 * 4), {64, 32, 4})["rows_per_cell"] == 1);
}

TEST_CASE("values have six significant digits, finishes ten") {
    record::Record record = ranks(1);
    record.rank_finish[0] = WideTime{Wide{1'234'567'890'123}};
    record.rank_breakdown[0].compute = WideTime{Wide{1'234'567'890'123}};
    CHECK(rank_array(record, {1, 1})["finish_s"][0] == 1.234567890);
    CHECK(rank_array(record, {1, 1})["compute_s"][0] == 1.23457);
}

TEST_CASE("ranks without a first tile have no map of it, ranks without breakdown no maps") {
    CHECK_FALSE(rank_array(ranks(2), {2, 1}).contains("first_tile_s"));
    CHECK(rank_array(closed_form_record(), {2, 1}).is_null());
}
