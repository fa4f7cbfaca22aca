// The ranks that wait most, by kind, and what one of them waits for by statement.
#include "simulator/results/ranks.hpp"

#include <doctest/doctest.h>

#include "tests/results/example.hpp"

using namespace warpfront;
using namespace warpfront::results;
using record::Activity;

namespace {

/// Ranks of a row that each finish after 100 us: these us of waiting for messages and of queueing for a bus, the rest
/// computing.
record::Record row_of(const std::vector<std::pair<int, int>>& waits) {
    record::Record record;
    record.finish = microseconds(100);
    for (const auto& [wait, bus] : waits) {
        record::Breakdown parts;
        parts.wait = microseconds(wait);
        parts.bus_wait = microseconds(bus);
        parts.compute = microseconds(100 - wait - bus);
        record.rank_breakdown.push_back(parts);
        record.rank_finish.push_back(record.finish);
    }
    return record;
}

record::Span span(int begin, int end, Activity activity, std::uint16_t site) {
    return {microseconds(begin), microseconds(end), activity, site};
}

}  // namespace

TEST_CASE("the ranks that wait longest come first, of equal ones the lower, three of them") {
    const record::Record record = row_of({{10, 0}, {20, 15}, {30, 0}, {35, 0}, {1, 29}});
    CHECK(most_waiting(record) == std::vector<Rank>{{1}, {3}, {2}});  // 35, 35, 30; rank 4 waits 30 too
    CHECK(most_waiting(row_of({{1, 0}})) == std::vector<Rank>{{0}});
    CHECK(most_waiting(closed_form_record()).empty());
}

TEST_CASE("ranks wait unevenly if one waits longer than the mean by more than a twentieth of the time") {
    // The mean of 0 and w is w / 2: w is that much longer, of 100 us.
    CHECK_FALSE(waits_unevenly(row_of({{0, 0}, {10, 0}})));
    CHECK(waits_unevenly(row_of({{0, 0}, {11, 0}})));
    CHECK_FALSE(waits_unevenly(row_of({{50, 0}, {50, 0}})));
    CHECK_FALSE(waits_unevenly(closed_form_record()));
}

TEST_CASE("a line says which rank, where it is, how long and for what, without the kinds that took no time") {
    CHECK(waiting_table(row_of({{10, 0}, {20, 15}}), {2, 1}) ==
          "the ranks that wait most\n"
          "  rank 1 (column 2, row 1)                35us: wait 20us, bus wait 15us\n"
          "  rank 0 (column 1, row 1)                10us: wait 10us\n");
    CHECK(waiting_table(closed_form_record(), {1, 1}) == "");
}

TEST_CASE("the JSON has every kind") {
    const nlohmann::ordered_json list = waiting_json(row_of({{20, 15}}), {1, 1});
    REQUIRE(list.size() == 1);
    CHECK(list[0].at("rank") == 0);
    CHECK(list[0].at("column") == 1);
    CHECK(list[0].at("row") == 1);
    CHECK(list[0].at("all_s").get<double>() == doctest::Approx(35e-6));
    CHECK(list[0].at("wait_s").get<double>() == doctest::Approx(20e-6));
    CHECK(list[0].at("bus_wait_s").get<double>() == doctest::Approx(15e-6));
    for (const char* kind : {"nic_wait_s", "link_wait_s", "collective_s"}) CHECK(list[0].at(kind) == 0.0);
}

TEST_CASE("waits of one statement add up; computing and sending are none") {
    program::Program program;
    program.sites = {{"m.psl", 3, 9, "recv from west"}, {"m.psl", 4, 9, "send 8B to east"}};
    const record::RankTimeline timeline{.rank = {0},
                                        .spans = {span(0, 7, Activity::wait, 0), span(7, 9, Activity::compute, 0),
                                                  span(9, 12, Activity::bus_wait, 1), span(12, 15, Activity::wait, 0)},
                                        .collectives = {},
                                        .holds = {}};
    const std::vector<StatementWait> waits = waits_by_statement(timeline);
    CHECK(waits == std::vector<StatementWait>{{0, Activity::wait, microseconds(7 + 3)},
                                              {1, Activity::bus_wait, microseconds(3)}});
    CHECK(statements_table(waits, program) ==
          "        10us wait in `recv from west` at m.psl:3:9\n"
          "         3us bus wait in `send 8B to east` at m.psl:4:9\n");
    const nlohmann::ordered_json first = statements_json(waits, program).front();
    CHECK(first.at("kind") == "wait");
    CHECK(first.at("time_s").get<double>() == doctest::Approx(10e-6));
    CHECK(first.at("statement") == "recv from west");
    CHECK(first.at("file") == "m.psl");
    CHECK(first.at("line") == 3);
}
