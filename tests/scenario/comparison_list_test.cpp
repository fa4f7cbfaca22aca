// Lists of comparisons: their keys and faults.
#include "simulator/scenario/comparison_list.hpp"

#include <doctest/doctest.h>

#include "tests/faults.hpp"

using namespace warpfront;
using namespace warpfront::scenario;
using namespace warpfront::test;
using input::DiagnosticKind;

namespace {

input::SourceFilePtr list(std::string text) {
    return std::make_shared<const input::SourceFile>("folder/list.yaml", std::move(text));
}

std::vector<ComparisonEntry> entries_of(std::string text) {
    return read_comparison_list("folder/list.yaml", list(std::move(text)));
}

Kinds list_faults(std::string text) {
    return kinds_of(faults_of([&] { entries_of(std::move(text)); }));
}

}  // namespace

TEST_CASE("an entry names scenario and table relative to the list, overrides in order, and itself") {
    const auto entries = entries_of(
        "comparisons:\n"
        "  - {scenario: a/lu.yaml, against: t/xt3.csv}\n"
        "  - {scenario: b.yaml, against: u.csv, set: ['node={columns: 2, rows: 1}', iterations=2], name: B}\n");
    REQUIRE(entries.size() == 2);
    CHECK(entries[0].scenario == "folder/a/lu.yaml");
    CHECK(entries[0].against == "folder/t/xt3.csv");
    CHECK(entries[0].name == "lu, xt3");
    CHECK(entries[0].sets.empty());
    CHECK(entries[1].sets == std::vector<std::string>{"node={columns: 2, rows: 1}", "iterations=2"});
    CHECK(entries[1].name == "B");
}

TEST_CASE("a file is a list if it has comparisons") {
    CHECK(is_comparison_list(list("comparisons: []\n")));
    CHECK_FALSE(is_comparison_list(list("model: m.psl\n")));
}

TEST_CASE("faults of a list: nothing in it, missing and unknown keys, wrong forms, equal names") {
    CHECK(list_faults("comparisons: []\n") == Kinds{DiagnosticKind::nothing_to_compare});
    CHECK(list_faults("comparisons: none\n") == Kinds{DiagnosticKind::nothing_to_compare});
    CHECK(list_faults("comparisons: [{scenario: a}]\n") == Kinds{DiagnosticKind::missing_key});
    CHECK(list_faults("comparisons: [{scenario: a, against: b, sets: c}]\n") == Kinds{DiagnosticKind::unknown_key});
    CHECK(list_faults("comparisons: [{scenario: a, against: b, set: c}]\n") == Kinds{DiagnosticKind::wrong_yaml_type});
    CHECK(list_faults("comparisons: [{scenario: a, against: b, set: [{c: d}]}]\n") ==
          Kinds{DiagnosticKind::wrong_yaml_type});
    CHECK(list_faults("comparisons: [{scenario: a, against: b}, {scenario: x/a.c, against: b.csv}]\n") ==
          Kinds{DiagnosticKind::duplicate_name});
}
