// A trial's command is what a shell takes, its files are where the command names them, a crash is known to be its own.
#include <csignal>
#include <filesystem>
#include <stdexcept>

#include <doctest/doctest.h>

#include "tests/campaign/draw.hpp"
#include "tests/campaign/verdict.hpp"
#include "tests/campaign/worker.hpp"

using namespace warpfront;
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

/// LU on 2 x 2 ranks of the SP/2, in this process.
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

TEST_CASE("what runs is the same in every way, what does not is refused in every way") {
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
