// Lists of comparisons: their keys and faults.
#include "tools/study/cases/tables.hpp"

#include "tests/faults.hpp"

using namespace warpfront::tools;

namespace {

input::SourceFilePtr list_source(std::string text) {
    return std::make_shared<const input::SourceFile>("folder/list.yaml", std::move(text));
}

std::vector<ComparisonEntry> entries_of(std::string text) {
    return read_comparison_list(list_source(std::move(text))).entries;
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
    CHECK(entries[0].scenario.file == "folder/a/lu.yaml");
    CHECK(entries[0].file == "folder/t/xt3.csv");
    CHECK(entries[0].name == "lu, xt3");
    CHECK(entries[0].scenario.changes.empty());
    REQUIRE(entries[1].scenario.changes.size() == 2);
    CHECK(scenario::path_of(entries[1].scenario.changes[0]) == "node");
    CHECK(scenario::path_of(entries[1].scenario.changes[1]) == "iterations");
    CHECK(entries[1].name == "B");
}

TEST_CASE("a list states the source of its tables, an entry its tolerance and the reason of exceptions") {
    const ComparisonList read = read_comparison_list(list_source(
        "source: a paper\n"
        "comparisons: [{scenario: a, against: b, within: {exec: 7.5 %}, reason: it slept, tested_by: a clock}]\n"));
    CHECK(read.source_text == "a paper");
    REQUIRE(read.entries.front().within.size() == 1);
    CHECK(read.entries.front().within.at("exec").value == 7.5);
    CHECK(read.entries.front().reason == "it slept");
    CHECK(read.entries.front().tested_by.at("pred") == "a clock");
    CHECK(read.entries.front().tested_by.at("exec") == "a clock");
    CHECK(list_faults("comparisons: [{scenario: a, against: b, within: {exec: 7.5}}]\n") == Kinds{missing_unit});
    CHECK(list_faults("comparisons: [{scenario: a, against: b, within: {excc: 7 %}}]\n") == Kinds{unknown_key});
}

TEST_CASE("a cause may be tested for single columns") {
    const ComparisonList read = read_comparison_list(
        list_source("comparisons: [{scenario: a, against: b, reason: it slept, tested_by: {pred: a clock}}]\n"));
    CHECK(read.entries.front().tested_by == std::map<std::string, std::string>{{"pred", "a clock"}});
    CHECK(list_faults("comparisons: [{scenario: a, against: b, reason: it slept, tested_by: {prd: a clock}}]\n") ==
          Kinds{unknown_key});
    CHECK(list_faults("comparisons: [{scenario: a, against: b, tested_by: a clock}]\n") == Kinds{missing_key});
}

TEST_CASE("a file is a list if it has comparisons") {
    CHECK(is_comparison_list(list_source("comparisons: []\n")));
    CHECK_FALSE(is_comparison_list(list_source("model: m.psl\n")));
}

TEST_CASE("faults of a list: nothing in it, missing and unknown keys, wrong forms, equal names") {
    CHECK(list_faults("comparisons: []\n") == Kinds{nothing_to_compare});
    CHECK(list_faults("comparisons: none\n") == Kinds{nothing_to_compare});
    CHECK(list_faults("comparisons: [{scenario: a}]\n") == Kinds{missing_key});
    CHECK(list_faults("comparisons: [{scenario: a, against: b, sets: c}]\n") == Kinds{unknown_key});
    CHECK(list_faults("comparisons: [{scenario: a, against: b}, {scenario: x/a.c, against: b.csv}]\n") ==
          Kinds{duplicate_name});
}
