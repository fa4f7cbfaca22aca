// Equal iterations are one loop, whatever their number; different iterations are separated exactly.
#include "tests/psl/models.hpp"

using namespace warpfront;
using namespace warpfront::psl;
using program::Op;

namespace {

/// Iterations per phase: the trips of the outermost loops, 1 for a mark without a loop around it.
std::vector<std::int64_t> phases(const program::Program& program) {
    REQUIRE(program::validate(program) == "");
    std::vector<std::int64_t> all;
    std::int64_t trips = 1;
    for (const program::Instruction& each : program.classes[0].code) {
        if (each.op == Op::loop && each.depth == 0) trips = each.amount;
        if (each.op == Op::end_loop && each.depth == 0) trips = 1;
        if (each.op == Op::iteration) all.push_back(trips);
    }
    return all;
}

std::vector<std::int64_t> phases_of(const std::string& body, std::int64_t iterations) {
    return phases(lowered(iterating(body), Run{1, 1, iterations}));
}

using Phases = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("equal iterations are one loop") {
    CHECK(phases_of("compute 1us", 120) == Phases{120});
    CHECK(phases_of("compute 1us", 36'000'000) == Phases{36'000'000});
    CHECK(phases_of("compute 1us", 4'000'000'000) == Phases{4'000'000'000});
}

TEST_CASE("a comparison of k splits where it changes") {
    CHECK(phases_of("compute if k > 7 then 2us else 1us", 12) == Phases{7, 5});
    CHECK(phases_of("compute if k >= 7 then 2us else 1us", 12) == Phases{6, 6});
    CHECK(phases_of("compute if k == 7 then 2us else 1us", 12) == Phases{6, 1, 5});
    CHECK(phases_of("compute if k != 1 then 2us else 1us", 12) == Phases{1, 11});
    CHECK(phases_of("compute if k == 12 then 2us else 1us", 12) == Phases{11, 1});
    CHECK(phases_of("compute if 2 * k - 3 < 18 then 2us else 1us", 12) == Phases{10, 2});  // 2k < 21: k <= 10
    CHECK(phases_of("compute if k > 3 and k <= 9 then 2us else 1us", 12) == Phases{3, 6, 3});
}

TEST_CASE("a comparison that never changes splits nothing") {
    CHECK(phases_of("compute if k > 12 then 2us else 1us", 12) == Phases{12});
    CHECK(phases_of("compute if k > 4 then 1us else 1us", 12) == Phases{12});
    CHECK(phases_of("if k > 4 { compute 0us }", 12) == Phases{12});
}

TEST_CASE("thirty-six million iterations split as quickly as twelve") {
    CHECK(phases_of("compute if k > iterations - 5 then 2us else 1us", 36'000'000) == Phases{35'999'995, 5});
}

TEST_CASE("work that grows with k makes every iteration its own") {
    CHECK(phases_of("compute 1us * k", 4) == Phases{1, 1, 1, 1});
    CHECK(steps(lowered(iterating("compute 1us * k"), Run{1, 1, 3}), {0}) ==
          std::vector<Event>{{Op::compute, 1'000'000}, {Op::compute, 2'000'000}, {Op::compute, 3'000'000}});
}

TEST_CASE("every third iteration is found among its neighbours") {
    // two turns of three: loop 2 { two, one }, one
    const program::Program turns = lowered(iterating("compute if k % 3 == 0 then 2us else 1us"), Run{1, 1, 7});
    std::vector<std::int64_t> work;
    for (const Event& each : steps(turns, {0})) work.push_back(each.amount / 1'000'000);
    CHECK(work == std::vector<std::int64_t>{1, 1, 2, 1, 1, 2, 1});
    CHECK(phases_of("compute if is_power_of_two(k) then 2us else 1us", 9) == Phases{2, 1, 1, 3, 1, 1});
}

TEST_CASE("k may be compared with what differs from rank to rank") {
    const program::Program stairs = lowered(iterating("if k > column { compute 1us }"), Run{3, 1, 4});
    CHECK(steps(stairs, {0}).size() == 3);  // k = 2, 3, 4
    CHECK(steps(stairs, {2}).size() == 1);  // k = 4
}

TEST_CASE("the closed form has phases of its own") {
    const program::Program program = lowered(
        "application a {\n    iteration k { compute if k > 2 then 2us else 1us }\n    closed_form {\n"
        "        pre_work = 3us  work = if k > 4 then 2us else 1us  tiles = 10  east_west = 8B  north_south = 16B\n"
        "        corners = [northwest, southeast]  allreduces = 2  allreduce_bytes = 4B\n"
        "        exchanges = [80B, 80B, 40B, 80B]  other = 5us\n    }\n}\n",
        Run{2, 2, 6});
    CHECK(phases(program) == Phases{2, 4});
    using program::Corner;
    program::WavefrontPhase phase;
    phase.iterations = 4;
    phase.pre_work = {3'000'000};
    phase.work = {1'000'000};
    phase.tiles = 10;
    phase.east_west = {8};
    phase.north_south = {16};
    phase.corners = {Corner::northwest, Corner::southeast};
    phase.allreduces = 2;
    phase.allreduce_bytes = {4};
    phase.exchanges = {{2, {80}}, {1, {40}}, {1, {80}}};
    phase.other = {5'000'000};
    REQUIRE(program.closed_form.size() == 2);
    CHECK((program.closed_form[0] == phase));
    phase.iterations = 2;
    phase.work = {2'000'000};
    CHECK((program.closed_form[1] == phase));
}

TEST_CASE("a model without a closed form has none") { CHECK(lowered(iterating("compute 1us")).closed_form.empty()); }

TEST_CASE("an iteration needs no number") {
    CHECK(phases(lowered("application a { let n = 3  iteration { repeat n { compute 1us } } "
                         "closed_form { work = 1us tiles = n east_west = 1B north_south = 1B corners = [] } }\n",
                         Run{1, 1, 5})) == Phases{5});
}
