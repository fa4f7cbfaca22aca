// Parts of a loop's body that only some iterations execute, and parts that only some runs execute.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/tools/learning/runs.hpp"
#include "tools/from_code/learning/occasions.hpp"

using namespace warpfront;
using learning::FoundOccasion;
using learning::Values;
using learning::Variables;
using test::array;
using test::difference_on;
using test::learnt_from;
using test::recorded_runs;
using test::refusals_of;
using test::RunDifference;
using test::SmallRun;

namespace {

// A pipeline with norms every `inorm` iterations, and one after the last iteration.
const std::string kNorms = R"(
application norms {
    param n: int
    param inorm: int
    iteration k {
        if k == 1 {
            allreduce 64B
        }
        repeat n - 2 {
            recv from west
            compute 20us
            send 40B * n to east
        }
        if k % inorm == 0 {
            allreduce 40B
        }
        irecv from west
        irecv from east
        isend 80B * n to west
        isend 80B * n to east
        waitall
        if k % inorm == 0 or k == iterations {
            allreduce 40B
        }
        if k == iterations {
            allreduce 24B
        }
    }
}
)";

const std::string kChecks = R"(
application checks {
    param n: int
    param steps: int
    iteration {
        for step in 1..steps {
            irecv from west
            irecv from east
            isend 8B * n to west
            isend 8B * n to east
            waitall
            compute 1us * n
            if step % 10 == 0 {
                allreduce 8B
            }
        }
        allreduce 16B
    }
}
)";

const std::string kOrders = R"(
application orders {
    param n: int
    template eastwards() {
        repeat n {
            recv from west
            send 8B * n to east
        }
    }
    template southwards() {
        repeat n {
            recv from north
            send 16B * n to south
        }
    }
    iteration {
        if columns > rows {
            eastwards()
            southwards()
        } else {
            southwards()
            eastwards()
        }
        allreduce 8B
    }
}
)";

/// The samples of one loop in which the iterations listed execute a part.
std::vector<learning::OccasionSample> samples(const Values& values, std::int64_t of,
                                              const std::vector<std::int64_t>& executed) {
    std::vector<learning::OccasionSample> all;
    for (std::int64_t each = 1; each <= of; ++each) {
        const bool is_listed = std::find(executed.begin(), executed.end(), each) != executed.end();
        all.push_back({{&values, each, of}, is_listed});
    }
    return all;
}

}  // namespace

TEST_CASE("norms every n-th iteration and after the last one are conditions on the iteration") {
    const std::vector<trace::RecordedRun> runs =
        recorded_runs(kNorms, {{array(3, 3), 6, {{"n", "8"}, {"inorm", "3"}}},
                               {array(4, 3), 5, {{"n", "10"}, {"inorm", "2"}}},
                               {array(3, 4), 7, {{"n", "13"}, {"inorm", "4"}}}});
    const learning::Learnt learnt = learnt_from(runs);
    for (const SmallRun& unseen : {SmallRun{array(6, 5), 11, {{"n", "9"}, {"inorm", "5"}}},
                                   SmallRun{array(3, 3), 3, {{"n", "9"}, {"inorm", "1"}}},
                                   SmallRun{array(3, 3), 4, {{"n", "9"}, {"inorm", "100"}}}}) {
        const RunDifference found = difference_on(unseen, learnt, kNorms);
        CHECK(found.operations > 0);
        CHECK(found.different == 0);
        CHECK(found.work < 1e-3);
    }
    const std::string model = learning::model_text(learnt, "m");
    INFO(model);
    CHECK(model.find("if k % inorm == 0 {\n") != std::string::npos);
    CHECK(model.find("if k % inorm == 0 or k == iterations {\n") != std::string::npos);
}

TEST_CASE("a check in every tenth iteration is a remainder, not a number of loops that the parameters happen to give") {
    const std::vector<trace::RecordedRun> runs =
        recorded_runs(kChecks, {{array(3, 3), 2, {{"n", "8"}, {"steps", "27"}}},
                                {array(4, 3), 3, {{"n", "9"}, {"steps", "35"}}},
                                {array(3, 4), 4, {{"n", "7"}, {"steps", "44"}}}});
    const learning::Learnt learnt = learnt_from(runs);
    for (const char* const steps : {"53", "40", "9"}) {
        const RunDifference found = difference_on({array(5, 4), 2, {{"n", "11"}, {"steps", steps}}}, learnt, kChecks);
        CHECK(found.operations > 0);
        CHECK(found.different == 0);
        CHECK(found.work < 1e-3);
    }
    CHECK(learning::model_text(learnt, "m").find("% 10 == 0 {\n") != std::string::npos);
}

TEST_CASE("an order of loops that depends on the shape of the process grid is a condition on it") {
    const std::vector<trace::RecordedRun> runs = recorded_runs(
        kOrders, {{array(3, 3), 4, {{"n", "8"}}}, {array(4, 3), 5, {{"n", "9"}}}, {array(3, 4), 6, {{"n", "7"}}}});
    const learning::Learnt learnt = learnt_from(runs);
    for (const RankGrid& grid : {array(6, 4), array(4, 6), array(5, 5)}) {
        const RunDifference found = difference_on({grid, 3, {{"n", "12"}}}, learnt, kOrders);
        CHECK(found.operations > 0);
        CHECK(found.different == 0);
    }
    CHECK(learning::model_text(learnt, "m").find("if columns <= rows {\n") != std::string::npos);
}

TEST_CASE("a part that irregular iterations execute is refused with these iterations") {
    const std::string code = R"(
application irregular {
    param n: int
    iteration {
        for step in 1..n {
            recv from west
            send 8B to east
            if step % (if n == 10 then 3 else 4) == 0 {
                recv from west
                send 16B to east
            }
        }
    }
}
)";
    const std::vector<std::string> refusals = refusals_of(
        code, {{array(3, 1), 1, {{"n", "10"}}}, {array(4, 1), 1, {{"n", "12"}}}, {array(5, 1), 1, {{"n", "11"}}}});
    REQUIRE(refusals.size() == 1);
    INFO(refusals.front());
    CHECK(refusals.front().starts_with(
        "`3 x 1`: rank 1 executes a receive from the rank at (-1, +0) (models/written.psl:"));
    CHECK(refusals.front().find(" only in iterations 3, 6, 9 of the 10 of a loop; ") != std::string::npos);
}

TEST_CASE("a parameter that differs between the runs is preferred to a constant, and a constant to one that does not") {
    const Variables variables{{"columns", "rows", "planes", "column", "row", "plane", "every", "same"}};
    const Values first{3, 3, 1, 1, 1, 1, 3, 5};
    const Values second{4, 3, 1, 1, 1, 1, 4, 5};
    const auto text = [&](const std::vector<learning::OccasionSample>& all) {
        const std::optional<FoundOccasion> found = learning::occasion_of(all, variables);
        return found ? text_of(found->occasion, variables, "k", "n") : std::string("none");
    };
    const auto both = [&](std::int64_t of, const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
        std::vector<learning::OccasionSample> all = samples(first, of, a);
        const std::vector<learning::OccasionSample> others = samples(second, of, b);
        all.insert(all.end(), others.begin(), others.end());
        return text(all);
    };
    CHECK(both(10, {3, 6, 9}, {4, 8}) == "k % every == 0");
    CHECK(both(10, {1, 4, 7, 10}, {1, 5, 9}) == "k % every == 1");
    CHECK(both(10, {5, 10}, {5, 10}) == "k % 5 == 0");
    CHECK(both(10, {10}, {10}) == "k == n");
    CHECK(both(7, {2, 3, 4, 5, 6, 7}, {2, 3, 4, 5, 6, 7}) == "k != 1");
    CHECK(both(10, {3, 6, 9, 10}, {4, 8, 10}) == "k % every == 0 or k == n");
    CHECK(both(9, {4, 5, 6, 7, 8, 9}, {5, 6, 7, 8, 9}) == "k > every");
    CHECK(both(3, {}, {1, 2, 3}) == "columns > rows");
    // Outside of loops the remainder of a parameter meets any choice of runs: here that of the first run.
    CHECK(both(1, {}, {1}) == "columns > rows");
    CHECK(both(1, {1}, {}) == "columns <= rows");
    const Values third{5, 3, 1, 1, 1, 1, 6, 5};
    CHECK(text({{{&first, 1, 1}, false}, {{&second, 1, 1}, true}, {{&third, 1, 1}, false}}) == "none");
    CHECK(both(10, {2, 3, 7}, {2, 3, 7}) == "none");
    CHECK(learning::is_regular({true, false, false, true}));
    CHECK(!learning::is_regular({false, true, true, false, false, false, true, false}));
}
