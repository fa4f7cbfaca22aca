#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "simulator/input/yaml.hpp"
#include "tests/input/collected.hpp"

using namespace warpfront;
using namespace warpfront::input;

namespace {

/// A mapping being read, a small example of a room that reads a file.
struct Reading {
    Diagnostics faults;
    YamlNode root;
    MappingReader reader;
    explicit Reading(const std::string& text)
        : root(parse_yaml(source_of(text), faults)), reader(root, "a scenario", faults) {}
};

const std::vector<std::string> kRules = {"block", "linear"};

}  // namespace

TEST_CASE("values are read by key in the requested type") {
    Reading deck(
        "model: x.psl\nranks: 64\nfactor: 0.5\nwg: 0.414us\nsize: 1KiB\nG: 2us/B\nlink: 6GBps\nnoise: off\n"
        "placement: linear\n");
    CHECK(deck.reader.text("model") == "x.psl");
    CHECK(deck.reader.integer("ranks", 1, 100) == 64);
    CHECK(deck.reader.real("factor") == 0.5);
    CHECK(deck.reader.time("wg") == Time{414'000});
    CHECK(deck.reader.bytes("size") == Bytes{1024});
    CHECK(deck.reader.gap("G") == Gap{2e-6});
    CHECK(deck.reader.bandwidth("link") == Bandwidth{6e9});
    CHECK(deck.reader.flag("noise") == false);
    CHECK(deck.reader.choice("placement", kRules) == 1);
    deck.reader.finish();
    CHECK(deck.faults.render() == "");
}

TEST_CASE("an absent key is nothing, and no fault unless it is required") {
    Reading deck("a: 1\n");
    CHECK(deck.reader.take("b") == nullptr);
    CHECK_FALSE(deck.reader.text("b"));
    CHECK_FALSE(deck.reader.time("b"));
    CHECK_FALSE(deck.reader.flag("b"));
    CHECK_FALSE(deck.reader.has("b"));
    CHECK(deck.reader.has("a"));
    CHECK(deck.faults.empty());
}

TEST_CASE("a required key that is missing is reported at its mapping") {
    Reading deck("a: 1\n");
    CHECK(deck.reader.require("ranks") == nullptr);
    CHECK(only(deck.faults).kind == DiagnosticKind::missing_key);
    CHECK(deck.faults.render() ==
          "deck.yaml:1:1: error: a scenario has no `ranks`\n"
          "    1 | a: 1\n"
          "      | ^\n");
}

TEST_CASE("every key that is not requested is unknown, with the nearest requested key") {
    Reading deck("ranks: 4\nplacment: block\n");
    deck.reader.integer("ranks", 1, 9);
    deck.reader.choice("placement", kRules);
    deck.reader.finish();
    CHECK(only(deck.faults).kind == DiagnosticKind::unknown_key);
    CHECK(deck.faults.render() ==
          "deck.yaml:2:1: error: unknown key `placment` in a scenario\n"
          "    2 | placment: block\n"
          "      | ^^^^^^^^ did you mean `placement`?\n");
}

TEST_CASE("a scalar where keys are expected is one fault, whatever the number of requests") {
    Diagnostics faults;
    const YamlNode root = parse_yaml(source_of("node: 4\n"), faults);
    MappingReader node(*root.find("node"), "`node`", faults);
    node.require("columns");
    node.require("rows");
    node.finish();
    CHECK(only(faults).kind == DiagnosticKind::wrong_yaml_type);
    CHECK(faults.render() ==
          "deck.yaml:1:7: error: `node` is a single value\n"
          "    1 | node: 4\n"
          "      |       ^ expected keys and values\n");
}

TEST_CASE("a mapping, a list or nothing where a single value is expected is a fault") {
    Reading deck("a: {x: 1}\nb: [1]\nc:\n");
    CHECK_FALSE(deck.reader.text("a"));
    CHECK_FALSE(deck.reader.integer("b", 1, 9));
    CHECK_FALSE(deck.reader.time("c"));
    REQUIRE(deck.faults.count() == 3);
    for (const Diagnostic& fault : deck.faults.all()) CHECK(fault.kind == DiagnosticKind::wrong_yaml_type);
    CHECK(deck.faults.all()[0].message == "`a` is a mapping");
    CHECK(deck.faults.all()[1].message == "`b` is a list");
    CHECK(deck.faults.all()[2].message == "`c` has no value");
}

TEST_CASE("a null that is spelled out is no value, in quotes it is a text") {
    Reading deck("a: null\nb: ~\nc: 'null'\n");
    CHECK_FALSE(deck.reader.text("a"));
    CHECK_FALSE(deck.reader.flag("b"));
    REQUIRE(deck.faults.count() == 2);
    CHECK(deck.faults.all()[0].message == "`a` has no value");
    CHECK(deck.faults.all()[1].message == "`b` has no value");
    CHECK(deck.reader.text("c") == "null");
}

TEST_CASE("a bad value is marked within its line and read as nothing") {
    Reading deck("parameters: {wg: 0.414 usec}\n");
    MappingReader parameters(*deck.reader.take("parameters"), "`parameters`", deck.faults);
    CHECK_FALSE(parameters.time("wg"));
    CHECK(deck.faults.render() ==
          "deck.yaml:1:24: error: unknown unit `usec`\n"
          "    1 | parameters: {wg: 0.414 usec}\n"
          "      |                        ^^^^ expected one of `ps`, `ns`, `us`, `ms`, `s`, `min`, `h`\n");
}

TEST_CASE("a quoted value is marked within its quotes") {
    Reading deck("wg: \"3 uss\"\n");
    CHECK_FALSE(deck.reader.time("wg"));
    CHECK(deck.faults.render() ==
          "deck.yaml:1:8: error: unknown unit `uss`\n"
          "    1 | wg: \"3 uss\"\n"
          "      |        ^^^ did you mean `us`?\n");
}

TEST_CASE("on, true and yes are the same, as are off, false and no") {
    Reading deck("a: on\nb: true\nc: yes\nd: off\ne: false\nf: no\n");
    for (const char* key : {"a", "b", "c"}) CHECK(deck.reader.flag(key) == true);
    for (const char* key : {"d", "e", "f"}) CHECK(deck.reader.flag(key) == false);
}

TEST_CASE("a flag is nothing else") {
    Reading deck("noise: maybe\n");
    CHECK_FALSE(deck.reader.flag("noise"));
    CHECK(deck.faults.render() ==
          "deck.yaml:1:8: error: `noise` cannot be `maybe`\n"
          "    1 | noise: maybe\n"
          "      |        ^^^^^ expected `on` or `off`\n");
}

TEST_CASE("a choice is one of its names") {
    Reading deck("placement: blok\n");
    CHECK_FALSE(deck.reader.choice("placement", kRules));
    CHECK(only(deck.faults).kind == DiagnosticKind::bad_choice);
    CHECK(deck.faults.render() ==
          "deck.yaml:1:12: error: `placement` cannot be `blok`\n"
          "    1 | placement: blok\n"
          "      |            ^^^^ did you mean `block`?\n");
}

TEST_CASE("the range of a key is that of its value, or of the mapping if it is absent") {
    Reading deck("a: 1\n");
    CHECK(deck.reader.range_of("a").offset == 3);
    CHECK(deck.reader.range_of("b").offset == 0);
}
