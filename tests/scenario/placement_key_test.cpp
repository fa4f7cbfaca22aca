// The key `placement`: every form of it, every fault in it, and the equality of its echo.
#include <doctest/doctest.h>

#include "simulator/scenario/echo.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"

using namespace warpfront;
using namespace warpfront::scenario;
using namespace warpfront::test;
using input::DiagnosticKind;
using machine::PlacementRequest;
using machine::PlacementRule;

namespace {

/// Reads a scenario with `placement: TEXT`, on line 4.
Scenario read_placed(std::string_view text, const std::vector<std::string>& sets = {}) {
    const Scratch scratch;
    const std::string scenario = "model: code.psl\nplatform: m.yaml\nranks: {columns: 6, rows: 4}\nplacement: ";
    return read_scenario(read_document(scratch.file("s.yaml", scenario + std::string(text) + "\n"), sets));
}

PlacementRequest request(std::string_view text) { return read_placed(text).placement.request; }
Kinds refused_placement(std::string_view text) {
    return kinds_of(faults_of([&] { read_placed(text); }));
}
std::string reported_placement(std::string_view text) {
    return faults_of([&] { read_placed(text); }).render();
}
std::string echoed_placement(std::string_view text) { return echo(read_placed(text))["placement"].dump(); }

}  // namespace

TEST_CASE("a word is a rule without fragmentation") {
    CHECK(request("block").rule == PlacementRule::block);
    CHECK(request("linear").rule == PlacementRule::linear);
    CHECK(request("linear").fragmentation == machine::Share{0.0});
}

TEST_CASE("random takes its seed in parentheses, 0 without") {
    CHECK(request("random(7)").rule == PlacementRule::random);
    CHECK(request("random(7)").seed == Seed{7});
    CHECK(request("random").rule == PlacementRule::random);
    CHECK(request("random").seed == Seed{0});
}

TEST_CASE("a mapping has rule, seed and fragmentation; the default rule is block") {
    const PlacementRequest full = request("{rule: random, seed: 7, fragmentation: 0.2}");
    CHECK(full.rule == PlacementRule::random);
    CHECK(full.seed == Seed{7});
    CHECK(full.fragmentation == machine::Share{0.2});
    CHECK(request("{fragmentation: 0.5}").rule == PlacementRule::block);
    CHECK(request("{fragmentation: 0.5}").seed == Seed{0});
}

TEST_CASE("a rank file is relative to the scenario's folder") {
    const Scratch scratch;
    const auto file = scratch.file("deep/s.yaml",
                                   "model: c.psl\nplatform: m.yaml\nranks: {columns: 6, rows: 4}\n"
                                   "placement: {file: ../ranks.txt}\n");
    const PlacementRequest listed = read_scenario(read_document(file, {})).placement.request;
    CHECK(listed.rule == PlacementRule::file);
    CHECK(listed.rank_file == scratch.folder() / "ranks.txt");
}

TEST_CASE("an override may change any part of it") {
    CHECK(read_placed("block", {"placement=random(3)"}).placement.request.seed == Seed{3});
    CHECK(read_placed("{rule: random}", {"placement.seed=4"}).placement.request.seed == Seed{4});
}

TEST_CASE("an unknown placement is refused, with the known ones") {
    CHECK(refused_placement("snake") == Kinds{DiagnosticKind::bad_choice});
    for (const std::string word : {"`block`", "`linear`", "`random(SEED)`", "`{file: PATH}`"}) {
        CAPTURE(word);
        CHECK(reported_placement("snake").find(word) != std::string::npos);
    }
    CHECK(refused_placement("{rule: snake}") == Kinds{DiagnosticKind::bad_choice});
    CHECK(refused_placement("") == Kinds{DiagnosticKind::bad_choice});
    CHECK(refused_placement("[block]") == Kinds{DiagnosticKind::wrong_yaml_type});
}

TEST_CASE("a seed that is no whole number is refused at its position") {
    CHECK(refused_placement("random(many)") == Kinds{DiagnosticKind::bad_number});
    CHECK(reported_placement("random(many)").find("s.yaml:4:19: error: `many` is not a whole number") !=
          std::string::npos);
    CHECK(refused_placement("random()") == Kinds{DiagnosticKind::bad_number});
    CHECK(refused_placement("random(-1)") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_placement("{rule: random, seed: -1}") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_placement("random(7") == Kinds{DiagnosticKind::bad_choice});
}

TEST_CASE("a share of hosts is at least 0 and less than 1") {
    CHECK(refused_placement("{fragmentation: 1}") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_placement("{fragmentation: -0.1}") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_placement("{fragmentation: some}") == Kinds{DiagnosticKind::bad_number});
}

TEST_CASE("a rank file beside anything else is a conflict") {
    CHECK(refused_placement("{file: ranks.txt, rule: block}") == Kinds{DiagnosticKind::conflicting_keys});
    CHECK(refused_placement("{file: ranks.txt, seed: 1, fragmentation: 0.1}") ==
          Kinds{DiagnosticKind::conflicting_keys, DiagnosticKind::conflicting_keys});
}

TEST_CASE("an unknown key is refused") {
    CHECK(refused_placement("{rule: block, seeds: 1}") == Kinds{DiagnosticKind::unknown_key});
}

TEST_CASE("the echo has the shortest form, and reads as the same placement") {
    CHECK(echoed_placement("{rule: linear}") == R"("linear")");
    CHECK(echoed_placement("{rule: random, seed: 7}") == "\"random(7)\"");
    CHECK(echoed_placement("{file: ranks.txt}") == R"({"file":"ranks.txt"})");
    CHECK(echoed_placement("{rule: block, fragmentation: 0.2, seed: 3}") ==
          R"({"rule":"block","seed":3,"fragmentation":0.2})");
    for (const std::string text : {"block", "random(7)", "{file: ranks.txt}", "{rule: linear, fragmentation: 0.2}"}) {
        CAPTURE(text);
        const std::string once = echoed_placement(text);
        CHECK(echoed_placement(once) == once);
    }
}
