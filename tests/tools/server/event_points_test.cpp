// Runs of the event engine at polled positions.
#include "tools/report/server/answers.hpp"

#include "simulator/input/read_file.hpp"
#include "tests/approx.hpp"
#include "tools/answer/prediction/engines.hpp"

using namespace warpfront::tools;
using namespace std::chrono_literals;

namespace {

Exploration explored(std::vector<std::string> sets) {
    const std::filesystem::path file = WARPFRONT_SOURCE_DIR "/models/sweep3d/billion.yaml";
    sets.insert(sets.end(), {"calibration=off"});
    return {file, input::read_file(file), sets};
}

constexpr std::size_t kTile = 1;
constexpr std::size_t kLatency = 3;

/// Polls until `satisfies` is true, which takes a moment, and on any host less than a minute.
template <typename Satisfies>
EventPoints::Status poll_until(EventPoints& points, const Position& at, std::size_t knob, Satisfies satisfies) {
    for (int k = 0; k < 6000; ++k) {
        EventPoints::Status seen = points.poll(at, knob);
        if (satisfies(seen)) return seen;
        std::this_thread::sleep_for(10ms);
    }
    FAIL("nothing for a minute");
    return {};
}

}  // namespace

TEST_CASE("all choices of the knob are run, with the times of the engine, and what is known stays known") {
    const Exploration small = explored({"ranks={columns: 4, rows: 4}", "parameters.nz=6", "iterations=1"});
    EventPoints points(small, 2);
    const Position start = small.start();
    const std::size_t choices = small.knobs()[kTile].choices.size();  // 1, 2, 3, 4, 5, 6
    CHECK(choices == 6);
    const auto seen = poll_until(points, start, kTile, [&](const auto& all) { return all.points.size() == choices; });
    CHECK(seen.running.empty());
    CHECK(seen.waiting == 0);
    for (const auto& [at, answer] : seen.points) {
        CHECK(answer.time == predict(Engine::event, small.experiment(at)).record.finish);
    }
    Position other = start;
    other.choices[kLatency] = 0;
    CHECK(points.poll(other, kLatency).points.size() == 1);  // the start alone differs in one knob
}

TEST_CASE("a point of a calibrated machine has the 95 % interval that the calibration states, another has none") {
    const std::filesystem::path file = WARPFRONT_SOURCE_DIR "/models/sweep3d/billion.yaml";
    const auto point_of = [&](const std::string& calibration) {
        const Exploration small(file, input::read_file(file),
                                {"ranks={columns: 4, rows: 4}", "parameters.nz=6", "iterations=1", calibration});
        EventPoints points(small, 1);
        const auto seen = poll_until(points, small.start(), kTile,
                                     [&](const auto& all) { return all.points.contains(small.start()); });
        return std::pair(seen.points.at(small.start()), small.experiment(small.start()).calibrated);
    };
    const auto [answer, calibrated] = point_of("calibration=on");
    REQUIRE(answer.interval);
    const PredictionError error = calibrated.value().error.value();
    REQUIRE(error.groups == 6);  // 2.446912: Student's t; one run has no spread
    const double half = 2.446912 * error.deviation * seconds(answer.time.value());
    CHECK(answer.interval->low_s == test::approx(seconds(*answer.time) - half));
    CHECK(answer.interval->high_s == test::approx(seconds(*answer.time) + half));
    CHECK_FALSE(point_of("calibration=off").first.interval);
}

TEST_CASE("a run that is not in the last poll is stopped, and another position is run in its place") {
    const Exploration large = explored({"iterations=12"});  // a minute
    EventPoints points(large, 1);
    const Position start = large.start();
    poll_until(points, start, kTile,
               [](const auto& seen) { return !seen.running.empty() && seen.running[0].done > 0; });
    Position small = start;
    small.choices[0] = 0;  // 2 x 1 ranks
    small.choices[kTile] = large.knobs()[kTile].choices.size() - 1;
    const auto seen = poll_until(points, small, kLatency, [&](const auto& all) { return all.points.contains(small); });
    CHECK(seen.points.at(small).time);
    CHECK_FALSE(points.poll(start, kTile).points.contains(start));
}

TEST_CASE("without a poll for the timeout, all runs stop") {
    const Exploration large = explored({"iterations=12"});
    EventPoints points(large, 1, 300ms);
    const Position start = large.start();
    poll_until(points, start, kTile,
               [](const auto& seen) { return !seen.running.empty() && seen.running[0].done > 0; });
    std::this_thread::sleep_for(1500ms);
    CHECK(points.poll(start, kTile).running.empty());
}
