// Least, mean and most over all ranks, and the CSV of every rank.
#include "simulator/results/ranks.hpp"

#include <doctest/doctest.h>

#include "tests/results/example.hpp"

using namespace warpfront;
using namespace warpfront::results;

namespace {

/// Three ranks that compute 10, 40 and 10 us, and wait for the rest of 50, 60 and 55 us.
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

TEST_CASE("of equal ranks the first has the least and the most; means are rounded down to picoseconds") {
    const std::vector<OverRanks> all = over_ranks(three_ranks());
    REQUIRE(all.size() == 9);  // the finish and eight parts
    CHECK(all[0].name == "finish");
    CHECK(all[0].mean == WideTime{microseconds(55)});  // (50 + 60 + 55) / 3
    CHECK(all[0].most_rank == Rank{1});
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

TEST_CASE("a record without the ranks' parts has nothing to say of them") {
    CHECK(over_ranks(closed_form_record()).empty());
}

TEST_CASE("every rank has a line, in exact seconds, whose parts add up to its finish") {
    CHECK(
        ranks_csv(three_ranks(), {3, 1}, {{0}, {0}, {1}}) ==
        "rank,column,row,node,finish_s,compute_s,send_s,recv_s,wait_s,bus_wait_s,nic_wait_s,link_wait_s,collective_s\n"
        "0,1,1,0,0.000050000000,0.000010000000,0.000000000000,0.000000000000,0.000040000000,0.000000000000,"
        "0.000000000000,0.000000000000,0.000000000000\n"
        "1,2,1,0,0.000060000000,0.000040000000,0.000000000000,0.000000000000,0.000020000000,0.000000000000,"
        "0.000000000000,0.000000000000,0.000000000000\n"
        "2,3,1,1,0.000055000000,0.000010000000,0.000000000000,0.000000000000,0.000045000000,0.000000000000,"
        "0.000000000000,0.000000000000,0.000000000000\n");
}

TEST_CASE("of several planes every line has the plane, after the row") {
    const std::string text = ranks_csv(three_ranks(), {1, 1, 3}, {{0}, {0}, {1}});
    CHECK(text.starts_with("rank,column,row,plane,node,finish_s,"));
    CHECK(text.find("\n0,1,1,1,0,0.000050000000,") != std::string::npos);
    CHECK(text.find("\n2,1,1,3,1,0.000055000000,") != std::string::npos);
}

TEST_CASE("phases are listed with the last rank's time, and what is outside of them if that takes any") {
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
