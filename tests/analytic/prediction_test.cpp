
#include "simulator/analytic/phases.hpp"
#include "simulator/analytic/plug_and_play.hpp"
#include "tests/analytic/machines.hpp"
#include "tests/approx.hpp"
#include "tests/faults.hpp"

using namespace warpfront::analytic;
using program::WavefrontPhase;
using test::us;
using enum program::Corner;

namespace {

constexpr RankGrid kGrid{2, 2};

WavefrontPhase phase(double work, std::int64_t iterations) {
    WavefrontPhase phase = test::sweeping({northwest, southeast});
    phase.iterations = iterations;
    phase.work = us(work);
    return phase;
}

Prediction predicted(std::vector<WavefrontPhase> phases) {
    return predict(test::declaring(kGrid, std::move(phases)), test::round_machine(kGrid));
}

input::Diagnostics faults_of(std::vector<WavefrontPhase> phases) {
    return test::faults_of([&] { predicted(std::move(phases)); });
}

}  // namespace

TEST_SUITE("a prediction") {
    TEST_CASE(
        "of sweeps has no planes: an array of several is refused, also for one phase; without sweeps it has any") {
        constexpr RankGrid kCube{2, 2, 2};
        const machine::Machine machine = test::round_machine(kCube);
        const auto faults = test::faults_of([&] { predict(test::declaring(kCube, {phase(100, 1)}), machine); });
        REQUIRE(faults.count() == 1);
        CHECK(faults.all()[0].kind == closed_form_misfit);
        CHECK(faults.all()[0].message ==
              "closed forms cover only sweeps over columns and rows, and the process grid has 2 x 2 x 2 ranks");
        CHECK(faults.all()[0].expected == "expected one plane of ranks, or the event engine");
        CHECK(test::kinds_of(test::faults_of([&] { predict(phase(100, 1), machine); })) ==
              test::Kinds{closed_form_misfit});
        WavefrontPhase other;
        other.other = us(5);
        CHECK(predict(test::declaring(kCube, {other}), machine).total == WideTime{us(5)});
    }

    TEST_CASE("is the sum of its phases, each listed as one run of equal iterations") {
        // work 100: 2 fills of 260, 2 stacks of (100 + 26) * 10; work 200: fills of 460, stacks of (200 + 26) * 10
        const Prediction prediction = predicted({phase(100, 7), phase(200, 5)});
        REQUIRE(prediction.iterations.size() == 2);
        CHECK(prediction.iterations[0] == std::pair{WideTime{us(520 + 2520)}, std::int64_t{7}});
        CHECK(prediction.iterations[1] == std::pair{WideTime{us(920 + 4520)}, std::int64_t{5}});
        CHECK(prediction.total == us(7 * 3040 + 5 * 5440));
    }

    TEST_CASE("has disjoint shares that add up to the total") {
        WavefrontPhase with_all = phase(100, 3);
        with_all.other = us(11);
        const machine::Machine machine = test::with_bus(test::round_machine(kGrid, {2, 1}), us(2));
        const Prediction prediction = predict(test::declaring(kGrid, {with_all}), machine);
        CHECK(prediction.contention == us(3 * 2 * 10 * 4));  // iterations, sweeps, tiles, 2 holds of 2
        CHECK(prediction.stack == us(3 * 2 * 10 * 126));
        CHECK(prediction.nonwavefront == us(3 * 11));
        CHECK(prediction.fill + prediction.stack + prediction.contention + prediction.nonwavefront == prediction.total);
    }

    TEST_CASE("slows all computing by the share of the memory bandwidth that a rank has when all compute") {
        // two ranks per node draw 10 GB/s each of 16 GB/s: 20 / 16 = 1.25 times as long
        WavefrontPhase with_work = phase(100, 3);
        with_work.other = us(8);
        machine::Machine machine = test::round_machine(kGrid, {2, 1});
        WavefrontPhase slower = with_work;
        slower.work = us(1.25 * 100);
        slower.pre_work = Time{with_work.pre_work.ps * 5 / 4};
        slower.other = us(10);
        const Prediction expected = predict(test::declaring(kGrid, {slower}), machine);
        machine.memory = machine::Memory{.bandwidth = {16e9}, .per_core = {10e9}};
        CHECK(predict(test::declaring(kGrid, {with_work}), machine).total == expected.total);
        machine.memory->bandwidth = {20e9};  // enough for both
        CHECK(predict(test::declaring(kGrid, {slower}), machine).total == expected.total);
    }

    TEST_CASE("slows computing by the ranks that share a memory, the most of any") {
        // Four ranks on eight cores, four to a memory of 16 GB/s: packed all draw on one, 40 / 16 = 2.5 times as long;
        // spread two on each, 20 / 16 = 1.25 times; three and one 30 / 16
        machine::Machine machine = test::round_machine(kGrid, {2, 2});
        machine.cores = 8;
        machine.memory = machine::Memory{.bandwidth = {16e9}, .per_core = {10e9}, .count = 2};
        CHECK(slowing_of(machine) == 2.5);
        machine.placement.cores = {0, 4, 1, 5};
        CHECK(slowing_of(machine) == 1.25);
        machine.placement.cores = {7, 4, 1, 5};
        CHECK(slowing_of(machine) == 1.875);
    }

    TEST_CASE("has iterations that add up to its time, each as long as the others of its phase") {
        const Prediction prediction = predicted({phase(100, 3), phase(50, 2)});
        REQUIRE(prediction.iterations.size() == 2);
        CHECK(prediction.iterations[0].second == 3);
        CHECK(prediction.iterations[1].second == 2);
        WideTime sum;
        for (const auto& [time, count] : prediction.iterations) sum += WideTime{time.ps * count};
        CHECK(sum == prediction.total);
    }

    TEST_CASE("of a production run of a hundred thousand years is exact") {
        const std::int64_t iterations = std::int64_t{1} << 50;
        CHECK(predicted({phase(100, iterations)}).total == WideTime{Wide{us(3040).ps} * iterations});
    }

    TEST_CASE("without a closed form is refused") {
        const input::Diagnostics faults = faults_of({});
        REQUIRE(faults.count() == 1);
        CHECK(faults.all()[0].kind == closed_form_missing);
        CHECK(faults.all()[0].message == "the model `example` declares no closed form");
        CHECK(faults.all()[0].expected == "expected a `closed_form` block in its application, or the event engine");
    }

    TEST_CASE("reports every value of the closed form that is out of range") {
        WavefrontPhase bad = phase(100, 0);
        bad.tiles = 0;
        bad.east_west = Bytes{-1};
        bad.exchanges = {{.count = -3, .bytes = Bytes{8}}};
        const input::Diagnostics faults = faults_of({bad});
        REQUIRE(faults.count() == 4);
        for (const input::Diagnostic& fault : faults.all()) CHECK(fault.kind == closed_form_range);
        CHECK(faults.all()[0].message == "`iterations` in the closed form of `example` is 0");
        CHECK(faults.all()[0].expected == "expected at least 1");
        CHECK(faults.all()[1].message == "`tiles` in the closed form of `example` is 0");
        CHECK(faults.all()[2].message == "`east_west` in the closed form of `example` is -1");
        CHECK(faults.all()[3].message == "`exchanges` in the closed form of `example` is -3");
    }

    TEST_CASE("beyond what it can hold is refused, never wrapped") {
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
        for (const auto count : {&WavefrontPhase::tiles, &WavefrontPhase::iterations}) {
            WavefrontPhase huge = phase(100, 1);
            huge.work = kLongestCost;
            huge.*count = most;
            const input::Diagnostics faults = faults_of({huge});
            REQUIRE(faults.count() == 1);
            CHECK(faults.all()[0].kind == closed_form_overflow);
        }
    }

    TEST_CASE("names the term that is too long") {
        WavefrontPhase huge = phase(100, 1);
        huge.allreduces = std::numeric_limits<std::int64_t>::max();
        huge.allreduce_bytes = Bytes{1'000'000'000};  // at 1 us per byte 1000 s, in two stages
        const input::Diagnostics faults = faults_of({huge});
        REQUIRE(faults.count() == 1);
        CHECK(faults.all()[0].message ==
              "the time of the allreduces is too long for a closed form: 2e+03 s, 9223372036854775807 times");
    }
}

TEST_SUITE("a term") {
    TEST_CASE("of the longest allowed time is held, one count more is not") {
        const std::int64_t half = std::int64_t{1} << 45;  // 2^45 * 2^45 = 2^90
        CHECK(times(WideTime{Wide{half}}, half, "x") == kLongestTerm);
        CHECK_THROWS_AS(times(WideTime{Wide{half}}, half + 1, "x"), input::BadInput);
    }

    TEST_CASE("taken no times is nothing, however long") {
        CHECK(times(kLongestTerm + kLongestTerm, 0, "x") == WideTime{});
    }
}
