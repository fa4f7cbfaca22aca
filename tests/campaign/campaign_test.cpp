// The command of a trial is valid in a shell, its files are in the place that the command names, and a crash is
// attributed to its trial.
//
// Not pinned here: the cases that the campaign draws, which the campaign itself tests; the results on which engines
// must agree (tests/engine, by hand). These tests check that drawing, comparing and shrinking work.
#include <csignal>

#include "tests/campaign/draw.hpp"
#include "tests/campaign/worker.hpp"
#include "tests/comparison/differences.hpp"

using namespace warpfront::campaign;

namespace {

Trial shipped() {
    Trial trial;
    trial.folder = "build/campaign/test";
    trial.scenario = "models/lu/lu.yaml";
    trial.set("ranks.columns", "4");
    trial.set("placement", "random(7)");
    return trial;
}

Verdict verdict_of(const std::function<Verdict(const Trial&)>& work) {
    Worker worker(shipped(), work);
    while (!worker.take()) {}
    return worker.verdict();
}

/// Returns the verdict of LU on 2 x 2 ranks of the SP/2, in this process.
Verdict verdict_of_lu(const std::string& columns) {
    Trial trial = shipped();
    trial.scenario = std::filesystem::path(WARPFRONT_SOURCE_DIR) / trial.scenario;
    trial.sets = {"ranks.columns=" + columns, "ranks.rows=2", "parameters.nz=4", "iterations=2",
                  "platform=../../platforms/sp2.yaml"};
    return try_all_ways(trial);
}

}  // namespace

TEST_CASE("arguments that a shell would change are quoted") {
    CHECK(command(shipped()) ==
          "build/warpfront run models/lu/lu.yaml --set ranks.columns=4 --set 'placement=random(7)'");
    CHECK(command(shipped(), "--replay full").ends_with("'placement=random(7)' --replay full"));
}

TEST_CASE("files are named from where the scenario, or the trial's own files, stand") {
    CHECK(shipped().from_scenario("platforms/xt4.yaml") == "../../platforms/xt4.yaml");
    CHECK(shipped().from_scenario("build/campaign/test/machine.yaml") == "../../build/campaign/test/machine.yaml");
    CHECK(shipped().from_folder("models/pipeline.psl") == "../../../models/pipeline.psl");
}

TEST_CASE("the same choices draw the same trial, others another") {
    const auto drawn = [](std::uint32_t number) {
        Choices choices({5}, number);
        const Trial trial = draw_trial(choices, "build/campaign/test", 0.1);
        return std::pair(command(trial), trial.files);
    };
    for (std::uint32_t number = 0; number < 100; ++number) CHECK(drawn(number) == drawn(number));
    CHECK(drawn(1) != drawn(2));
}

TEST_CASE("a trial that runs is the same in every way, one that does not is refused in every way") {
    CHECK(verdict_of_lu("2").kind == Verdict::Kind::same);
    const Verdict refused = verdict_of_lu("two");
    CHECK(refused.kind == Verdict::Kind::refused);
    REQUIRE(refused.lines.size() == 1);
    CHECK(refused.lines.front().find("two") != std::string::npos);
}

TEST_CASE("a verdict comes back from the process that reached it") {
    const Verdict verdict = verdict_of([](const Trial& trial) {
        Verdict reached;
        reached.kind = Verdict::Kind::differs;
        reached.way = trial.scenario;
        reached.lines = {"time: 1 ps and 2 ps (+1 ps)", "\xFF"};  // the second is no UTF-8
        reached.stepped = 12;
        reached.skipped_iterations = true;
        return reached;
    });
    CHECK(verdict.failed());
    CHECK(verdict.kind == Verdict::Kind::differs);
    CHECK(verdict.way == "models/lu/lu.yaml");
    REQUIRE(verdict.lines.size() == 2);
    CHECK(verdict.lines.front() == "time: 1 ps and 2 ps (+1 ps)");
    CHECK(verdict.stepped == 12);
    CHECK(verdict.skipped_iterations);
    CHECK_FALSE(verdict.deadlock);
}

TEST_CASE("a crash, an exception and an end without a verdict are failures") {
    const Verdict killed = verdict_of([](const Trial&) -> Verdict {
        std::raise(SIGKILL);
        return {};
    });
    CHECK(killed.kind == Verdict::Kind::crashed);
    CHECK(killed.lines == std::vector<std::string>{"ended by signal 9 (Killed)"});
    const Verdict thrown = verdict_of([](const Trial&) -> Verdict { throw std::runtime_error("out of tiles"); });
    CHECK(thrown.kind == Verdict::Kind::fault);
    CHECK(thrown.lines == std::vector<std::string>{"out of tiles"});
    const Verdict left = verdict_of([](const Trial&) -> Verdict { std::_Exit(4); });
    CHECK(left.kind == Verdict::Kind::crashed);
    CHECK(left.lines == std::vector<std::string>{"the process left with status 4 and no verdict"});
}

// The seed and the number determine a trial, and each of its choices can be changed alone.

TEST_CASE("a choice depends on seed, trial and name, not on the choices made before") {
    Choices first({7}, 3);
    first.size("ranks", 1, 1'000'000'000);
    const std::int64_t tiles = first.size("tiles", 1, 1'000'000'000);
    Choices second({7}, 3);
    CHECK(second.size("tiles", 1, 1'000'000'000) == tiles);
    Choices other_trial({7}, 4);
    CHECK(other_trial.size("tiles", 1, 1'000'000'000) != tiles);
    Choices other_seed({8}, 3);
    CHECK(other_seed.size("tiles", 1, 1'000'000'000) != tiles);
}

TEST_CASE("a fixed choice is what it was fixed to, any other the simplest") {
    Choices choices(Fixed{{"ranks", 40}});
    CHECK(choices.size("ranks", 1, 100) == 40);
    CHECK(choices.size("tiles", 5, 100) == 5);
    CHECK(choices.below("corner", 4) == 0);
    CHECK_FALSE(choices.chance("noise", 1.0));
}

TEST_CASE("the choices that were made, fixed, make the same trial again") {
    Choices drawn({7}, 3);
    const std::int64_t ranks = drawn.size("ranks", 1, 2000);
    const std::int64_t kind = drawn.weighted("kind", {1, 1, 1});
    Choices again(fixed_of(drawn.made()));
    CHECK(again.size("ranks", 1, 2000) == ranks);
    CHECK(again.weighted("kind", {1, 1, 1}) == kind);
}

TEST_CASE("two choices of one name would always be equal, so they are refused") {
    Choices choices({7}, 3);
    choices.chance("noise", 0.5);
    CHECK_THROWS_WITH_AS(choices.chance("noise", 0.5), "two choices are called noise", std::logic_error);
}

// Two results that differ in any value: the difference names the value.

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
                                       .processing_wait = {},
                                       .nic_wait = {},
                                       .link_wait = {},
                                       .collective = {}};
    made.link_waits = record::LinkWaits{WideTime{7}, {{"(0) to (1)", WideTime{7}}}};
    made.rank_finish = {WideTime{90}, WideTime{100}};
    made.work.emplace().messages = 8;
    return made;
}

/// Returns the differences after `change` was made to one of two records.
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

TEST_CASE("each differing value is named, with both numbers") {
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
    CHECK(test::differences(blocked, later) == Lines{"blocked: rank 0 sends at site 2, peer 1, tag 3, since 50 ps, and "
                                                     "rank 0 sends at site 2, peer 1, tag 3, since 51 ps"});
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

// A shrunk trial still fails, and none of its choices can be made simpler.

namespace {

/// A toy trial of ranks, perhaps a bus with its cost, and tiles.
struct Toy {
    std::int64_t ranks, bus, cost, tiles;
};

Toy draw(Choices& choices) {
    Toy toy{};
    toy.ranks = choices.size("ranks", 1, 2000);
    toy.bus = choices.chance("bus", 0.5) ? 1 : 0;
    toy.cost = toy.bus == 1 ? choices.size("bus.cost", 0, 20'000'000) : 0;
    toy.tiles = choices.size("tiles", 1, 1000);
    return toy;
}

template <typename Fails>
Toy shrunk(const Fixed& from, const Fails& fails, std::uint32_t most_runs = 100'000) {
    const StillFails still_fails = [&](const Fixed& fixed) -> std::optional<std::vector<Choice>> {
        Choices choices(fixed);
        if (!fails(draw(choices))) return std::nullopt;
        return choices.made();
    };
    Choices first(from);
    draw(first);
    std::uint32_t runs = 0;
    Choices last(fixed_of(shrink(first.made(), still_fails, [&] { return runs++ < most_runs; })));
    return draw(last);
}

const Fixed kFound{{"ranks", 1311}, {"bus", 1}, {"bus.cost", 7'123'456}, {"tiles", 640}};

}  // namespace

TEST_CASE("the least sizes that still fail are found, and what does not matter is dropped") {
    const Toy toy = shrunk(kFound, [](const Toy& each) { return each.ranks >= 37 && each.tiles > 5; });
    CHECK(toy.ranks == 37);
    CHECK(toy.tiles == 6);
    CHECK(toy.bus == 0);
}

TEST_CASE("a choice that is needed stays, with the simplest of the choices that it brings") {
    const Toy toy = shrunk(kFound, [](const Toy& each) { return each.bus == 1 && each.cost > 1'000'000; });
    CHECK(toy.bus == 1);
    CHECK(toy.cost == 1'000'001);
    CHECK(toy.ranks == 1);
    CHECK(toy.tiles == 1);
}

TEST_CASE("out of time, the simplest found so far still fails") {
    const auto fails = [](const Toy& each) { return each.ranks >= 37 && each.tiles > 5; };
    CHECK(fails(shrunk(kFound, fails, 6)));
}
