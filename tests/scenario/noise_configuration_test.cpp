// Noise, unlike ranks and seeds as a scenario says them.
#include "simulator/scenario/noise_configuration.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "simulator/scenario/echo.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"

using namespace warpfront;
using namespace warpfront::scenario;
using namespace warpfront::test;
using input::DiagnosticKind;

namespace {

constexpr std::string_view kPlain = "model: code.psl\nplatform: m.yaml\nranks: {columns: 2, rows: 2}\n";
constexpr std::int64_t us = 1'000'000;

using NoiseSets = std::vector<std::string>;

Scenario scenario(std::string_view more, const NoiseSets& sets = {}) {
    const Scratch scratch;
    return read_scenario(read_document(scratch.file("s.yaml", std::string(kPlain) + std::string(more)), sets));
}

NoiseConfiguration read_noise(std::string_view more, const NoiseSets& sets = {}) {
    return scenario(more, sets).noise_configuration;
}

Kinds refused_noise(std::string_view more, const NoiseSets& sets = {}) {
    return kinds_of(faults_of([&] { scenario(more, sets); }));
}

std::string echoed_noise(std::string_view more, std::string_view key) {
    return echo(scenario(more)).at(std::string(key)).dump();
}

}  // namespace

TEST_CASE("noise is off and the seed 0 by default") {
    const NoiseConfiguration configuration = read_noise("");
    CHECK(configuration.noise.off());
    CHECK_FALSE(configuration.map);
    CHECK(configuration.seed == Seed{0});
}

TEST_CASE("all of it") {
    const NoiseConfiguration all = read_noise(
        "seed: 7\n"
        "noise: {cv: 0.05, shrinking_from: 10us, jitter: 3us, redrawn: off, detours: {period: 10ms, length: 50us, "
        "aligned: on}}\n"
        "heterogeneity: {classes: [{share: 0.9, speed: 1.0}, {share: 0.1, speed: 0.8}]}\n");
    CHECK(all.seed == Seed{7});
    CHECK(all.noise.cv == 0.05);
    CHECK(all.noise.shrinking_from == Time{10 * us});
    CHECK(all.noise.jitter == Time{3 * us});
    CHECK_FALSE(all.noise.redrawn);
    REQUIRE(all.noise.detours);
    CHECK(all.noise.detours->period == Time{10'000 * us});
    CHECK(all.noise.detours->length == Time{50 * us});
    CHECK(all.noise.detours->aligned);
    REQUIRE(all.noise.classes.size() == 2);
    CHECK(all.noise.classes[1].share == 0.1);
    CHECK(all.noise.classes[1].speed == 0.8);
}

TEST_CASE("a calibration's noise counts where the scenario states none; ranks that are not alike stay the scenario's") {
    const variation::Noise calibrations{.cv = 0.3, .classes = {{1.0, 0.5}}};
    NoiseConfiguration silent = read_noise("heterogeneity: {classes: [{share: 1, speed: 0.8}]}\n");
    CHECK_FALSE(silent.take_noise(std::nullopt));
    CHECK(silent.take_noise(calibrations));
    CHECK(silent.noise.cv == 0.3);
    REQUIRE(silent.noise.classes.size() == 1);
    CHECK(silent.noise.classes[0].speed == 0.8);
    for (const std::string stated : {"noise: off\n", "noise: {cv: 0.1}\n"}) {
        NoiseConfiguration configuration = read_noise(stated);
        CHECK_FALSE(configuration.take_noise(calibrations));
        CHECK(configuration.noise.cv != 0.3);
    }
}

TEST_CASE("the noise of a run has the factors of the cost map, whose file is one of its sources") {
    const Scratch scratch;
    scratch.file("costs.csv", "rank,factor\n2,1.5\n");
    const auto file = scratch.file("s.yaml", std::string(kPlain) + "heterogeneity: {map: costs.csv}\n");
    const NoiseConfiguration configuration = read_scenario(read_document(file, {})).noise_configuration;
    std::vector<input::SourceFilePtr> sources;
    input::Diagnostics faults;
    const variation::Noise noise = noise_of(configuration, 4, sources, faults);
    REQUIRE(noise.map.size() == 1);
    CHECK(noise.map[0].rank == Rank{2});
    REQUIRE(sources.size() == 1);
    CHECK(sources[0]->name().ends_with("costs.csv"));
    CHECK(faults.empty());
}

TEST_CASE("a cost map is relative to the scenario's folder") {
    const Scratch scratch;
    const auto file = scratch.file("deep/s.yaml", std::string(kPlain) + "heterogeneity: {map: ../costs.csv}\n");
    const NoiseConfiguration configuration = read_scenario(read_document(file, {})).noise_configuration;
    REQUIRE(configuration.map);
    CHECK(configuration.map->file == scratch.folder() / "costs.csv");
}

TEST_CASE("noise, detours and heterogeneity can be disabled on the command line") {
    constexpr std::string_view on =
        "noise: {cv: 0.05, detours: {period: 10ms, length: 50us}}\n"
        "heterogeneity: {classes: [{share: 1, speed: 0.5}]}\n";
    CHECK(read_noise(on, {"noise=off"}).noise.recurs());
    CHECK_FALSE(read_noise(on, {"noise.detours=off"}).noise.detours);
    for (const char* no : {"false", "no", "No"}) {
        CAPTURE(no);
        CHECK(read_noise(on, {std::string("noise=") + no}).noise.recurs());
        CHECK_FALSE(read_noise(on, {std::string("noise.detours=") + no}).noise.detours);
    }
    CHECK(read_noise(on, {"noise.detours=off"}).noise.cv == 0.05);
    CHECK(read_noise(on, {"heterogeneity=off"}).noise.classes.empty());
    CHECK(read_noise("", {"noise.cv=0.2"}).noise.cv == 0.2);
}

TEST_CASE("a spread below 0 or beyond 10 is refused") {
    CHECK(refused_noise("noise: {cv: -0.1}\n") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_noise("noise: {cv: 10.5}\n") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_noise("noise: {cv: 5us}\n") == Kinds{DiagnosticKind::wrong_unit});
}

TEST_CASE("noise that shrinks needs a spread to shrink, and a length to shrink from") {
    CHECK(refused_noise("noise: {shrinking_from: 10us}\n") == Kinds{DiagnosticKind::missing_key});
    CHECK(refused_noise("noise: {cv: 0.1, shrinking_from: 0us}\n") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_noise("noise: {cv: 0.1, shrinking_from: 10}\n") == Kinds{DiagnosticKind::missing_unit});
}

TEST_CASE("noise that draws nothing is not redrawn") {
    CHECK(refused_noise("noise: {redrawn: off}\n") == Kinds{DiagnosticKind::missing_key});
}

TEST_CASE("detours need a period and a length that leaves some of it") {
    CHECK(refused_noise("noise: {detours: {period: 10ms}}\n") == Kinds{DiagnosticKind::missing_key});
    CHECK(refused_noise("noise: {detours: {period: 0s, length: 0s}}\n") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_noise("noise: {detours: {period: 1ms, length: 1ms}}\n") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_noise("noise: {detours: {period: 1ms, length: 1us, aligned: 3}}\n") ==
          Kinds{DiagnosticKind::bad_choice});
}

TEST_CASE("shares of classes add up to 1") {
    CHECK(refused_noise("heterogeneity: {classes: [{share: 0.9, speed: 1}, {share: 0.2, speed: 1}]}\n") ==
          Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_noise("heterogeneity: {classes: [{share: 0.333333, speed: 1}, {share: 0.666666, speed: 1}]}\n") ==
          Kinds{DiagnosticKind::out_of_range});
    // Ten times 0.1 is not 1 in binary.
    std::string tenths = "heterogeneity: {classes: [{share: 0.1, speed: 1}";
    for (int k = 1; k < 10; ++k) tenths += ", {share: 0.1, speed: 1}";
    CHECK(read_noise(tenths + "]}\n").noise.classes.size() == 10);
}

TEST_CASE("a class has a share above 0 and a speed above 0") {
    CHECK(refused_noise("heterogeneity: {classes: [{share: 1, speed: 0}]}\n") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_noise("heterogeneity: {classes: [{share: 1, speed: -1}]}\n") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_noise("heterogeneity: {classes: [{share: 0, speed: 1}, {share: 1, speed: 1}]}\n") ==
          Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_noise("heterogeneity: {classes: [{share: 1}]}\n") == Kinds{DiagnosticKind::missing_key});
    CHECK(refused_noise("heterogeneity: {classes: []}\n") == Kinds{DiagnosticKind::wrong_yaml_type});
    CHECK(refused_noise("heterogeneity: {classes: [0.5, 0.5]}\n").front() == DiagnosticKind::wrong_yaml_type);
}

TEST_CASE("what is neither off nor keys and values is refused") {
    CHECK(refused_noise("noise: on\n") == Kinds{DiagnosticKind::wrong_yaml_type});
    CHECK(refused_noise("noise: 0.05\n") == Kinds{DiagnosticKind::wrong_yaml_type});
    CHECK(refused_noise("heterogeneity: [1]\n") == Kinds{DiagnosticKind::wrong_yaml_type});
}

TEST_CASE("unknown keys are refused at every level") {
    CHECK(refused_noise("noise: {cb: 0.05}\n") == Kinds{DiagnosticKind::unknown_key});
    CHECK(refused_noise("noise: {detours: {period: 1ms, length: 1us, phase: 0s}}\n") ==
          Kinds{DiagnosticKind::unknown_key});
    CHECK(refused_noise("heterogeneity: {class: [{share: 1, speed: 1}]}\n") == Kinds{DiagnosticKind::unknown_key});
    CHECK(refused_noise("heterogeneity: {classes: [{share: 1, speed: 1, name: a}]}\n") ==
          Kinds{DiagnosticKind::unknown_key});
}

TEST_CASE("a seed is a whole number from 0") {
    CHECK(read_noise("seed: 9223372036854775807\n").seed == Seed{9'223'372'036'854'775'807});
    CHECK(refused_noise("seed: -1\n") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_noise("seed: 1.5\n") == Kinds{DiagnosticKind::bad_number});
}

TEST_CASE("the echo repeats the keys") {
    CHECK(echoed_noise("seed: 7\n", "seed") == "7");
    CHECK(echoed_noise("noise: {cv: 0.05, shrinking_from: 1500ns, detours: {period: 10ms, length: 50us}}\n", "noise") ==
          R"({"cv":0.05,"shrinking_from":"1500ns","detours":{"period":"10ms","length":"50us","aligned":"off"}})");
    CHECK(echoed_noise("heterogeneity: {classes: [{share: 1, speed: 0.5}], map: costs.csv}\n", "heterogeneity") ==
          R"({"classes":[{"share":1.0,"speed":0.5}],"map":"costs.csv"})");
    CHECK(echoed_noise("noise: {cv: 0.05, jitter: 3us, redrawn: off}\n", "noise") ==
          R"({"cv":0.05,"jitter":"3us","redrawn":"off"})");
    CHECK(echoed_noise("noise: {cv: 0}\n", "noise") == R"("off")");
}

TEST_CASE("noise without a value does not switch it off, in a file or by an override") {
    const Kinds refused{DiagnosticKind::wrong_yaml_type};
    for (const char* key : {"noise", "heterogeneity"}) {
        CAPTURE(key);
        for (const char* null : {"", " ~", " null"}) CHECK(refused_noise(fmt::format("{}:{}\n", key, null)) == refused);
        for (const char* null : {"~", "null"}) CHECK(refused_noise("", {fmt::format("{}={}", key, null)}) == refused);
    }
    CHECK(faults_of([] { read_noise("", {"noise=null"}); }).render() ==
          "--set noise=null:1:7: error: `noise` is neither `off` nor keys and values\n"
          "    1 | noise=null\n"
          "      |       ^^^^ expected `off`, or a mapping: `{KEY: VALUE}`\n");
    for (const char* off : {"off", "false"}) CHECK(read_noise("", {fmt::format("noise={}", off)}).noise.off());
}
