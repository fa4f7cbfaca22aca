// Noise, heterogeneous ranks and seeds in a scenario.
#include "simulator/scenario/noise_configuration.hpp"

#include "simulator/input/quantity.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/scenario/uncertain.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"

using namespace warpfront::scenario;
using variation::CostFactor;

namespace {

constexpr std::string_view kPlain = "model: code.psl\nplatform: m.yaml\nranks: {columns: 2, rows: 2}\n";
constexpr std::int64_t us = 1'000'000;

using NoiseSets = std::vector<std::string>;

Scenario scenario_with(std::string_view more, const NoiseSets& sets = {}) {
    const Scratch scratch;
    return read_scenario(read_document(scratch.file("s.yaml", std::string(kPlain) + std::string(more)), sets));
}

NoiseConfiguration read_noise(std::string_view more, const NoiseSets& sets = {}) {
    return scenario_with(more, sets).noise_configuration;
}

Kinds refused_noise(std::string_view more, const NoiseSets& sets = {}) {
    return kinds_of(faults_of([&] { scenario_with(more, sets); }));
}

std::string echoed_noise(std::string_view more, std::string_view key) {
    return echo(scenario_with(more)).at(std::string(key)).dump();
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
        "noise: {cv: 0.05, jitter: 3us, redrawn: off, periodic: {period: 10ms, length: 50us, "
        "aligned: on}, interruptions: {per_second: 2, length: 0.8ms, absorbed_by: nothing}}\n"
        "heterogeneity: {classes: [{share: 0.9, speed: 1.0}, {share: 0.1, speed: 0.8}]}\n");
    CHECK(all.seed == Seed{7});
    CHECK(all.noise.cv == 0.05);
    CHECK(all.noise.jitter == Time{3 * us});
    CHECK(all.noise.repeats_after == variation::kWhenEnough);
    REQUIRE(all.noise.periodic);
    CHECK(all.noise.periodic->period == Time{10'000 * us});
    CHECK(all.noise.periodic->length == Time{50 * us});
    CHECK(all.noise.periodic->aligned);
    CHECK(all.noise.interruptions == variation::Interruptions{2.0, Time{800 * us}, false});
    REQUIRE(all.noise.classes.size() == 2);
    CHECK(all.noise.classes[1].share == 0.1);
    CHECK(all.noise.classes[1].speed == 0.8);
}

TEST_CASE("an idle core absorbs interruptions unless a scenario states otherwise") {
    CHECK(read_noise("noise: {interruptions: {per_second: 1, length: 1ms}}\n")
              .noise.interruptions->absorbed_by_idle_core);
}

TEST_CASE("values of noise, heterogeneity and seed that cannot be, missing keys and unknown ones are refused") {
    const std::vector<std::pair<std::string, Kinds>> refusals{
        {"noise: {interruptions: {per_second: 1}}", {missing_key}},
        {"noise: {interruptions: {length: 1ms}}", {missing_key}},
        {"noise: {interruptions: {per_second: -1, length: 1ms}}", {out_of_range}},
        {"noise: {interruptions: {per_second: 2e9, length: 1ms}}", {out_of_range}},
        {"noise: {interruptions: {per_second: 1, length: 1ms, absorbed_by: cores}}", {bad_choice}},
        {"noise: {cv: -0.1}", {out_of_range}},
        {"noise: {cv: 10.5}", {out_of_range}},
        {"noise: {cv: 5us}", {wrong_unit}},
        {"noise: {cb: 0.05}", {unknown_key}},
        {"noise: {redrawn: off}", {missing_key}},  // of nothing
        {"noise: {repeats_after: 2}", {missing_key}},
        {"noise: {periodic: {period: 10ms}}", {missing_key}},
        {"noise: {periodic: {period: 0s, length: 0s}}", {out_of_range}},
        {"noise: {periodic: {period: 1ms, length: 1ms}}", {out_of_range}},
        {"noise: {periodic: {period: 1ms, length: 1us, aligned: 3}}", {bad_choice}},
        {"noise: {periodic: {period: 1ms, length: 1us, phase: 0s}}", {unknown_key}},
        {"noise: on", {wrong_yaml_type}},
        {"noise: 0.05", {wrong_yaml_type}},
        {"heterogeneity: [1]", {wrong_yaml_type}},
        {"heterogeneity: {class: [{share: 1, speed: 1}]}", {unknown_key}},
        {"heterogeneity: {classes: [{share: 1, speed: 1, name: a}]}", {unknown_key}},
        {"heterogeneity: {classes: [{share: 1, speed: 0}]}", {out_of_range}},
        {"heterogeneity: {classes: [{share: 1, speed: -1}]}", {out_of_range}},
        {"heterogeneity: {classes: [{share: 0, speed: 1}, {share: 1, speed: 1}]}", {out_of_range}},
        {"heterogeneity: {classes: [{share: 1}]}", {missing_key}},
        {"heterogeneity: {classes: []}", {wrong_yaml_type}},
        {"heterogeneity: {classes: [0.5, 0.5]}", {wrong_yaml_type, wrong_yaml_type}},
        {"heterogeneity: {classes: [{share: 0.9, speed: 1}, {share: 0.2, speed: 1}]}", {out_of_range}},
        {"heterogeneity: {classes: [{share: 0.333333, speed: 1}, {share: 0.666666, speed: 1}]}", {out_of_range}},
        {"seed: -1", {out_of_range}},
        {"seed: 1.5", {bad_number}}};
    for (const auto& [line, kinds] : refusals) {
        CAPTURE(line);
        CHECK(refused_noise(line + "\n") == kinds);
    }
}

TEST_CASE("shares of classes add up to 1 within rounding, and a seed has 63 bits") {
    std::string tenths = "heterogeneity: {classes: [{share: 0.1, speed: 1}";  // ten times 0.1 is not 1 in binary
    for (int k = 1; k < 10; ++k) tenths += ", {share: 0.1, speed: 1}";
    CHECK(read_noise(tenths + "]}\n").noise.classes.size() == 10);
    CHECK(read_noise("seed: 9223372036854775807\n").seed == Seed{9'223'372'036'854'775'807});
}

TEST_CASE("a calibration's noise applies if the scenario states none; heterogeneous ranks stay the scenario's") {
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

TEST_CASE("noise, periodic noise and heterogeneity can be disabled on the command line") {
    constexpr std::string_view on =
        "noise: {cv: 0.05, periodic: {period: 10ms, length: 50us}}\n"
        "heterogeneity: {classes: [{share: 1, speed: 0.5}]}\n";
    CHECK(read_noise(on, {"noise=off"}).noise.recurs());
    CHECK_FALSE(read_noise(on, {"noise.periodic=off"}).noise.periodic);
    for (const std::string no : {"false", "no", "No"}) {
        CAPTURE(no);
        CHECK(read_noise(on, {std::string("noise=") + no}).noise.recurs());
        CHECK_FALSE(read_noise(on, {std::string("noise.periodic=") + no}).noise.periodic);
    }
    CHECK(read_noise(on, {"noise.periodic=off"}).noise.cv == 0.05);
    CHECK(read_noise(on, {"heterogeneity=off"}).noise.classes.empty());
    CHECK(read_noise("", {"noise.cv=0.2"}).noise.cv == 0.2);
}

TEST_CASE("`noise.detours`, the former name of `noise.periodic`, is still read, with a note") {
    constexpr std::string_view former = "noise: {detours: {period: 10ms, length: 50us}}\n";
    constexpr std::string_view current = "noise: {periodic: {period: 10ms, length: 50us}}\n";
    const auto length = [](std::string_view file, const NoiseSets& sets) {
        return read_noise(file, sets).noise.periodic->length;
    };
    CHECK(length(former, {}) == Time{50 * us});
    CHECK(length(former, {"noise.periodic.length=20us"}) == Time{20 * us});
    CHECK(length(former, {"noise.detours.length=20us"}) == Time{20 * us});
    CHECK(length(current, {"noise.detours.length=20us"}) == Time{20 * us});
    CHECK(length("", {"noise={detours: {period: 1ms, length: 20us}}"}) == Time{20 * us});
    CHECK(scenario_with(current).notes.empty());
    const std::vector<std::string> notes = scenario_with(former).notes;
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].ends_with(
        "s.yaml:4:9: `noise.detours` is now called `noise.periodic`; the next version refuses the former name"));
}

TEST_CASE("draws repeat after the stated iterations; noise that is redrawn has none") {
    CHECK(read_noise("noise: {cv: 0.1, repeats_after: 3}\n", {}).noise.repeats_after == 3);
    CHECK(echoed_noise("noise: {cv: 0.1, repeats_after: 3}\n", "noise") == R"({"cv":0.1,"repeats_after":3})");
    CHECK(refused_noise("noise: {cv: 0.1, redrawn: on, repeats_after: 3}\n") == Kinds{conflicting_keys});
}

TEST_CASE("the echo repeats the keys") {
    CHECK(echoed_noise("seed: 7\n", "seed") == "7");
    CHECK(echoed_noise("noise: {cv: 0.05, periodic: {period: 10ms, length: 1500ns}}\n", "noise") ==
          R"({"cv":0.05,"periodic":{"period":"10ms","length":"1500ns","aligned":"off"}})");
    CHECK(echoed_noise("heterogeneity: {classes: [{share: 1, speed: 0.5}], map: costs.csv}\n", "heterogeneity") ==
          R"({"classes":[{"share":1.0,"speed":0.5}],"map":"costs.csv"})");
    CHECK(echoed_noise("noise: {cv: 0.05, jitter: 3us, redrawn: off}\n", "noise") ==
          R"({"cv":0.05,"jitter":"3us","redrawn":"off"})");
    CHECK(echoed_noise("noise: {interruptions: {per_second: 1, length: 0.8ms}, redrawn: off}\n", "noise") ==
          R"({"redrawn":"off","interruptions":{"per_second":1.0,"length":"800us","absorbed_by":"idle_core"}})");
    CHECK(echoed_noise("noise: {cv: 0}\n", "noise") == R"("off")");
}

TEST_CASE("noise without a value does not switch it off, in a file or by an override") {
    const Kinds refused{wrong_yaml_type};
    for (const std::string key : {"noise", "heterogeneity"}) {
        CAPTURE(key);
        for (const char* null : {"", " ~", " null"}) CHECK(refused_noise(fmt::format("{}:{}\n", key, null)) == refused);
        for (const char* null : {"~", "null"}) CHECK(refused_noise("", {fmt::format("{}={}", key, null)}) == refused);
    }
    CHECK(faults_of([] { read_noise("", {"noise=null"}); }).render() ==
          "--set noise=null:1:7: error: `noise` is neither `off` nor keys and values\n    1 | noise=null\n      |      "
          " ^^^^ expected `off` or a mapping `{KEY: VALUE}`\n");
    for (const char* off : {"off", "false"}) CHECK(read_noise("", {fmt::format("noise={}", off)}).noise.off());
}

// Cost maps: their contents and their faults.

namespace {

struct ReadMap {
    std::vector<CostFactor> map;
    Diagnostics faults;
};

/// Reads a map for four ranks.
ReadMap read_map(std::string text) {
    ReadMap result;
    const auto source = std::make_shared<const input::SourceFile>("costs.csv", std::move(text));
    result.map = read_cost_map(source, 4, result.faults);
    return result;
}

Kinds refused_map(std::string text) { return kinds_of(read_map(std::move(text)).faults); }

}  // namespace

TEST_CASE("factors of ranks") {
    const ReadMap result = read_map("# slow ones\nrank,factor\n3,1.25\n0, 0.5\n");
    REQUIRE(result.faults.empty());
    REQUIRE(result.map.size() == 2);
    CHECK(result.map[0].rank == Rank{0});
    CHECK_FALSE(result.map[0].wave);
    CHECK(result.map[0].factor == 0.5);
    CHECK(result.map[1].rank == Rank{3});
    CHECK(result.map[1].factor == 1.25);
}

TEST_CASE("factors of tiles, in columns of any order; without a wave for the whole rank") {
    const ReadMap result = read_map("factor,wave,rank\n2,7,1\n3,,1\n");
    REQUIRE(result.faults.empty());
    REQUIRE(result.map.size() == 2);
    CHECK_FALSE(result.map[0].wave);
    CHECK(result.map[0].factor == 3.0);
    CHECK(result.map[1].wave == 7U);
    CHECK(result.map[1].factor == 2.0);
}

TEST_CASE("values and columns of a cost map that cannot be are refused, all faults of a file together") {
    CHECK(summary_of(read_map("rank,factor\n4,1\n").faults) ==
          "costs.csv:2:1 out_of_range [4] `4` is out of range | expected a whole number from 0 to 3");
    CHECK(read_map("rank,factr\n1,1\n").faults.render().find("did you mean `factor`?") != std::string::npos);
    const std::vector<std::pair<std::string, Kinds>> maps{
        {"rank,factor\n-1,1\n", {out_of_range}},
        {"rank,wave,factor\n0,1048575,1\n", {}},
        {"rank,wave,factor\n0,1048576,1\n", {out_of_range}},
        {"rank,factor\n0,0\n", {}},
        {"rank,factor\n0,-0.5\n", {out_of_range}},
        {"rank,factor\n0,1e999\n", {out_of_range}},
        {"rank,factor\n0,slow\n", {bad_number}},
        {"rank,factor\n0,nan\n", {bad_number}},
        {"rank,factor\n0,2us\n", {wrong_unit}},
        {"rank,factor\n0,\n", {bad_number}},
        {"rank\n1\n", {missing_key}},
        {"", {missing_key, missing_key}},
        {"rank,tile,factor\n1,1,1\n", {unknown_column}},
        {"rank,factor\n1\n9,1\n0,1,1\n", {ragged_row, out_of_range, ragged_row}}};
    for (const auto& [text, kinds] : maps) {
        CAPTURE(text);
        CHECK(refused_map(text) == kinds);
    }
    const std::string junk(
        "\x7F"
        "ELF\0\1\2\xFF\n\0\0",
        11);
    CHECK(refused_map(junk).front() == unknown_column);
}

TEST_CASE("a rank or a tile that occurs twice, with the line of the other") {
    CHECK(summary_of(read_map("rank,factor\n2,1\n1,1\n2,3\n").faults) ==
          "costs.csv:4:1 duplicate_row [2] rank 2 has a factor already | expected one factor only; line 2 states "
          "another");
    CHECK(refused_map("rank,factor\n2,1\n2,3\n") == Kinds{duplicate_row});
    CHECK(refused_map("rank,wave,factor\n2,5,1\n2,5,3\n") == Kinds{duplicate_row});
    CHECK(read_map("rank,wave,factor\n2,5,1\n2,6,3\n2,,1\n").faults.empty());
}

TEST_CASE("a map of a hundred thousand tiles is read") {
    std::string text = "rank,wave,factor\n";
    for (int wave = 0; wave < 100'000; ++wave) text += "1," + std::to_string(wave) + ",1.5\n";
    CHECK(read_map(text).map.size() == 100'000);
}

// Values with a standard deviation: the value of a run, and the draws of samples.

namespace {

const std::string kUncertain = "model: m.psl\nplatform: p.yaml\nranks: {columns: 1, rows: 1}\n";

ScenarioDocument uncertain_document(const std::string& more, const std::vector<std::string>& sets = {}) {
    const Scratch scratch;
    return read_document(scratch.file("s.yaml", kUncertain + more), sets);
}

Kinds refused_figure(const std::string& text) {
    return kinds_of(faults_of([&] { uncertain_document("parameters: {wg: " + text + "}\n"); }));
}

/// Returns sample `number` of `parameters.wg`, without its unit.
double drawn_wg(const ScenarioDocument& document, std::uint32_t number) {
    input::YamlNode tree = document.tree;
    draw_figures(document.uncertain, {7}, number, tree);
    return std::stod(tree.find("parameters")->find("wg")->scalar);
}

}  // namespace

TEST_CASE("a number with a deviation counts as its value, in the file and in an override") {
    const ScenarioDocument document =
        uncertain_document("parameters: {wg: 0.4us +- 0.01us, nx: 10}\n", {"platform.bus.o_dma=4us +- 0.2us"});
    CHECK(document.tree.find("parameters")->find("wg")->scalar == "0.4us");
    CHECK(document.tree.find("platform")->find("bus")->find("o_dma")->scalar == "4us");
    REQUIRE(document.uncertain.size() == 2);
    CHECK(document.uncertain.back().unit == "us");
}

TEST_CASE("samples have the mean and the deviation of the number") {
    const ScenarioDocument document = uncertain_document("parameters: {wg: 0.4us +- 0.01us}\n");
    constexpr int kSamples = 20'000;
    double sum = 0.0, squares = 0.0;
    for (std::uint32_t k = 0; k < kSamples; ++k) {
        const double drawn = (drawn_wg(document, k) - 0.4) / 0.01;
        CHECK(std::abs(drawn) <= 3.0 + 1e-9);
        sum += drawn;
        squares += drawn * drawn;
    }
    // The normal distribution cut at 3 deviations has variance 1 - 6 phi(3) / (2 Phi(3) - 1) = 0.973. The mean errs by
    // 1 / sqrt(20,000) = 0.0071, the variance by about sqrt(2 / 20,000) = 0.01; bounds are four such errors.
    CHECK(std::abs(sum / kSamples) < 0.028);
    CHECK(std::abs(squares / kSamples - 0.973) < 0.04);
}

TEST_CASE("samples of a size are whole bytes") {
    const ScenarioDocument document = uncertain_document("parameters: {s: 10kB +- 0.1kB}\n");
    for (std::uint32_t number = 0; number < 10; ++number) {
        input::YamlNode tree = document.tree;
        draw_figures(document.uncertain, {7}, number, tree);
        const input::YamlNode& drawn = *tree.find("parameters")->find("s");
        input::Diagnostics faults;
        CHECK(std::abs(input::parse_bytes(drawn.scalar, drawn.range, faults).count - 10'000) <= 300);
        CHECK(faults.empty());
    }
}

TEST_CASE("a sample depends on its number alone") {
    const ScenarioDocument document = uncertain_document("parameters: {wg: 0.4us +- 0.01us}\n");
    CHECK(drawn_wg(document, 3) == drawn_wg(document, 3));
    CHECK(drawn_wg(document, 3) != drawn_wg(document, 4));
}

TEST_CASE("a whole number has no deviation, in the file and in an override") {
    CHECK(refused_noise("iterations: 10 +- 1\n") == Kinds{bad_number});
    const Diagnostics faults = faults_of([] { scenario_with("", {"iterations=10 +- 1"}); });
    REQUIRE(faults.count() == 1);
    CHECK(faults.all()[0].message == "`10 +- 1`: a whole number has no deviation");
}

TEST_CASE("faults of numbers with a deviation") {
    CHECK(refused_figure("0.4us +- ") == Kinds{bad_number});
    CHECK(refused_figure("x +- 0.1us") == Kinds{bad_number});
    CHECK(refused_figure("0.4us +- 10ns") == Kinds{wrong_unit});
    CHECK(refused_figure("0.4us +- 0us") == Kinds{out_of_range});
    CHECK(refused_figure("0.3us +- 0.1us") == Kinds{out_of_range});  // 3 * 0.1 reaches 0
}
