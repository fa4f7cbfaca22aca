// Two results that differ in any figure are distinguished, and the figure is named.
#include "tests/comparison/differences.hpp"

#include <doctest/doctest.h>

using namespace warpfront;

namespace {

using Lines = std::vector<std::string>;

record::Record example() {
    record::Record made;
    made.finish = WideTime{100};
    made.iterations = {{WideTime{50}, 2}};
    made.last = Rank{1};
    made.breakdown = record::Breakdown{.compute = 60,
                                       .send = 10,
                                       .recv = 10,
                                       .wait = 20,
                                       .bus_wait = {},
                                       .nic_wait = {},
                                       .link_wait = {},
                                       .collective = {}};
    made.link_waits = record::LinkWaits{WideTime{7}, {{"(0) to (1)", WideTime{7}}}};
    made.rank_finish = {WideTime{90}, WideTime{100}};
    made.work.emplace().messages = 8;
    return made;
}

/// What is different once `change` was made to one of two records.
template <typename Change>
Lines after(const Change& change) {
    record::Record changed = example();
    change(changed);
    return test::differences(example(), changed);
}

}  // namespace

TEST_CASE("the same record has no differences, whatever work it took") {
    CHECK(after([](record::Record& each) { each.work->messages_replayed = 2; }).empty());
}

TEST_CASE("each figure that differs is named, with both values") {
    CHECK(after([](auto& each) { each.finish = 103; }) == Lines{"time: 100 ps and 103 ps (+3 ps)"});
    CHECK(after([](auto& each) { each.last = Rank{0}; }) == Lines{"last rank: 1 and 0"});
    CHECK(after([](auto& each) { each.rank_finish[0] = 88; }) == Lines{"finish of rank 0: 90 ps and 88 ps (-2 ps)"});
    CHECK(after([](auto& each) { each.rank_finish.pop_back(); }) == Lines{"ranks: 2 and 1"});
    CHECK(after([](auto& each) { each.iterations[0].first = 51; }) ==
          Lines{"iterations, run 0: 2 x 50 ps and 2 x 51 ps"});
    CHECK(after([](auto& each) {
              each.iterations.push_back({WideTime{1}, 1});
          }) == Lines{"runs of equal iterations: 1 and 2"});
    CHECK(after([](auto& each) { each.work->messages = 9; }) == Lines{"messages of the model: 8 and 9"});
}

TEST_CASE("each part of the breakdown counts") {
    for (const record::BreakdownPart& part : record::kBreakdownParts) {
        CHECK(after([part](auto& each) { (*each.breakdown.*part.time).ps += 1; }).size() == 1);
    }
}

TEST_CASE("link waits of one run only are a difference") {
    CHECK(after([](auto& each) { each.link_waits.reset(); }) == Lines{"link waits are there: true and false"});
    CHECK(after([](auto& each) { each.link_waits->all = 8; }) == Lines{"waiting for all links: 7 ps and 8 ps (+1 ps)"});
    CHECK(after([](auto& each) { each.link_waits->hottest[0].link = "(1) to (0)"; }) ==
          Lines{"hottest link 0: (0) to (1) 7 ps and (1) to (0) 7 ps"});
    CHECK(after([](auto& each) { each.link_waits->hottest.clear(); }) ==
          Lines{"hottest link 0: (0) to (1) 7 ps and no link"});
}

TEST_CASE("deadlocks that block other ranks, or block them elsewhere or later, are different") {
    const std::vector<record::Blocked> blocked{
        {.rank = {0}, .peer = {1}, .tag = 3, .site = 2, .what = record::Blocked::What::send, .since = {50}}};
    CHECK(test::differences(blocked, blocked).empty());
    CHECK(test::differences(blocked, {}) == Lines{"blocked ranks: 1 and 0"});
    std::vector<record::Blocked> later = blocked;
    later.front().since = {51};
    CHECK(test::differences(blocked, later) ==
          Lines{"blocked: rank 0 sends at site 2, peer 1, tag 3, since 50 ps, and rank 0 sends at site 2, peer 1, "
                "tag 3, since 51 ps"});
}

TEST_CASE("a record contradicts itself where parts are negative or do not add up") {
    CHECK(test::contradictions(example()).empty());
    record::Record late = example();
    late.iterations[0].second = 3;  // 3 x 50 ps
    CHECK(test::contradictions(late) == Lines{"time and sum of iterations: 100 ps and 150 ps (+50 ps)"});
    record::Record negative = example();
    negative.breakdown->wait = -5;
    negative.breakdown->compute = 85;  // 85 + 10 + 10 - 5 = 100
    CHECK(test::contradictions(negative) == Lines{"wait is negative: -5 ps"});
}
