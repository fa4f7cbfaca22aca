// The process grid as maps: cell by cell, with means if a cell has several ranks.
#include "simulator/results/ranks.hpp"

#include "simulator/input/sha256.hpp"
#include "tests/results/example.hpp"

using namespace warpfront::results;

namespace {

/// Returns a record whose rank k computes k us, waits 1 us for each of four causes and finishes at 10 + k us.
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

TEST_CASE("ranks without a first tile have no map of it, a record without the ranks' parts has nothing about them") {
    CHECK_FALSE(rank_array(ranks(2), {2, 1}).contains("first_tile_s"));
    CHECK(rank_array(closed_form_record(), {2, 1}).is_null());
    CHECK(over_ranks(closed_form_record()).empty());
}

// Least, mean and most over all ranks, and the CSV of every rank.

namespace {

/// Returns three ranks that compute 10, 40 and 10 us, and wait for the rest of 50, 60 and 55 us.
record::Record three_ranks() {
    record::Record record;
    record.rank_finish = {microseconds(50), microseconds(60), microseconds(55)};
    for (const auto& [compute, wait] : {std::pair{10, 40}, {40, 20}, {10, 45}}) {
        record::Breakdown parts;
        parts.compute = microseconds(compute);
        parts.wait = microseconds(wait);
        record.rank_breakdown.push_back(parts);
    }
    return record;
}

}  // namespace

TEST_CASE("the first of equal ranks has the least and the most; means are rounded down to picoseconds") {
    const std::vector<OverRanks> all = over_ranks(three_ranks());
    REQUIRE(all.size() == 10);  // the finish and nine parts
    CHECK(all[0].name == "finish");
    CHECK(all[0].mean == WideTime{microseconds(55)});  // (50 + 60 + 55) / 3
    CHECK(all[0].most_rank == Rank{1});
    CHECK(all[2].most_rank == Rank{0});  // none sends
    CHECK(all[1].name == "compute");
    CHECK(all[1].least == WideTime{microseconds(10)});
    CHECK(all[1].least_rank == Rank{0});
    CHECK(all[1].mean == WideTime{microseconds(20)});
    CHECK(all[1].most == WideTime{microseconds(40)});
    CHECK(all[4].name == "wait");
    CHECK(all[4].mean == WideTime{Wide{105'000'000 / 3}});
    CHECK(all[4].least_rank == Rank{1});
    CHECK(all[4].most_rank == Rank{2});
}

TEST_CASE("every rank has a line, in exact seconds, whose parts add up to its finish") {
    CHECK(ranks_csv(three_ranks(), {3, 1}, {{0}, {0}, {1}}) ==
          "rank,column,row,node,finish_s,compute_s,send_s,recv_s,wait_s,bus_wait_s,processing_wait_s,nic_wait_s,link_"
          "wait_s,collective_s\n"
          "0,1,1,0,0.000050000000,0.000010000000,0.000000000000,0.000000000000,0.000040000000,0.000000000000,"
          "0.000000000000,0.000000000000,0.000000000000,0.000000000000\n"
          "1,2,1,0,0.000060000000,0.000040000000,0.000000000000,0.000000000000,0.000020000000,0.000000000000,"
          "0.000000000000,0.000000000000,0.000000000000,0.000000000000\n"
          "2,3,1,1,0.000055000000,0.000010000000,0.000000000000,0.000000000000,0.000045000000,0.000000000000,"
          "0.000000000000,0.000000000000,0.000000000000,0.000000000000\n");
}

TEST_CASE("every line has the plane after the row if there are several planes") {
    const std::string text = ranks_csv(three_ranks(), {1, 1, 3}, {{0}, {0}, {1}});
    CHECK(text.starts_with("rank,column,row,plane,node,finish_s,"));
    CHECK(text.find("\n0,1,1,1,0,0.000050000000,") != std::string::npos);
    CHECK(text.find("\n2,1,1,3,1,0.000055000000,") != std::string::npos);
}

TEST_CASE("phases are listed with the last rank's time, and the time outside of them if there is any") {
    record::Record record = three_ranks();
    record.last = Rank{1};
    const std::vector<WideTime> sweep{microseconds(20), microseconds(30), microseconds(25)};
    const std::vector<WideTime> rest{microseconds(30), microseconds(30), microseconds(30)};
    record.phases = record::Phases{{"sweep", "norm"}, {sweep, rest}, {WideTime{}, WideTime{}, WideTime{}}};
    std::vector<PhaseOverRanks> all = phases_over_ranks(record);
    REQUIRE(all.size() == 2);
    CHECK(all[0].name == "sweep");
    CHECK(all[0].last == WideTime{microseconds(30)});
    CHECK(all[0].mean == WideTime{microseconds(25)});  // (20 + 30 + 25) / 3
    CHECK(all[0].least_rank == Rank{0});
    record.phases->outside[2] = WideTime{Wide{1}};
    all = phases_over_ranks(record);
    REQUIRE(all.size() == 3);
    CHECK(all[2].outside);
    CHECK(all[2].most == WideTime{Wide{1}});
    const std::string csv = ranks_csv(record, {3, 1}, {{0}, {1}, {2}});
    CHECK(csv.find(",collective_s,phase_sweep_s,phase_norm_s,no_phase_s\n") != std::string::npos);
    CHECK(csv.find(",0.000025000000,0.000030000000,0.000000000001\n") != std::string::npos);
}

TEST_CASE("final times are hashed in the order of ranks, each as sixteen bytes, lowest first") {
    const auto digest_of = [](const std::vector<WideTime>& times) { return digest(times); };
    CHECK(digest_of({Time{0x0102}}) == input::sha256_hex(std::string("\x02\x01", 2) + std::string(14, '\0')));
    CHECK(digest_of({WideTime{Wide{3} << 64}}) ==
          input::sha256_hex(std::string(8, '\0') + '\x03' + std::string(7, '\0')));
    CHECK(digest_of({Time{1}, Time{2}}) ==
          input::sha256_hex('\x01' + std::string(15, '\0') + '\x02' + std::string(15, '\0')));
}

TEST_CASE("every input is listed once, in order, with the hash of its bytes") {
    const auto deck = std::make_shared<const input::SourceFile>("deck.yaml", "abc");
    const auto code = std::make_shared<const input::SourceFile>("code.psl", "");
    const std::vector<input::SourceFilePtr> sources = {deck, code, deck};
    CHECK(hash_inputs(sources) ==
          std::vector<InputHash>{{"deck.yaml", input::sha256_hex("abc")}, {"code.psl", input::sha256_hex("")}});
}

TEST_CASE("the computer is described on one line, with its cores") {
    const std::string host = describe_host();
    CHECK(host.find('\n') == std::string::npos);
    CHECK(host.find(" cores, ") != std::string::npos);
}
