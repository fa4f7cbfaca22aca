// The kind of a file to be checked, by its name and its keys.
#include <doctest/doctest.h>

#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tools/commands.hpp"

using namespace warpfront;
using namespace warpfront::tools;
using namespace warpfront::test;
using input::DiagnosticKind;

TEST_CASE("YAML with neither a model nor layers is of no known kind") {
    const Scratch scratch;
    const auto file = scratch.file("x.yaml", "nodes: 5\n");
    CHECK(kinds_of(faults_of([&] { check({.files = {file}}); })) == Kinds{DiagnosticKind::unknown_file_kind});
}

TEST_CASE("an extension that belongs to no kind of file is refused, a directory too") {
    const Scratch scratch;
    for (const char* name : {"x.xml", "x.csv", "x.txt", "x"}) {
        CAPTURE(name);
        const auto file = scratch.file(name, "text");
        CHECK(kinds_of(faults_of([&] { check({.files = {file}}); })) == Kinds{DiagnosticKind::unknown_file_kind});
    }
    CHECK(kinds_of(faults_of([&] { check({.files = {scratch.folder()}}); })) ==
          Kinds{DiagnosticKind::unknown_file_kind});
}

TEST_CASE("a file that does not exist is refused as missing, whatever its extension") {
    const Scratch scratch;
    const auto file = scratch.folder() / "gone.xml";
    CHECK(kinds_of(faults_of([&] { check({.files = {file}}); })) == Kinds{DiagnosticKind::unreadable_file});
}

TEST_CASE("nothing to check, or changes of no scenario, are refused") {
    CHECK(kinds_of(faults_of([] { check({}); })) == Kinds{DiagnosticKind::bad_option});
    const std::string platform = std::string(WARPFRONT_SOURCE_DIR) + "/platforms/xt4.yaml";
    CHECK(kinds_of(faults_of([&] { check({.platform = platform, .sets = {"iterations=2"}}); })) ==
          Kinds{DiagnosticKind::bad_option});
}

TEST_CASE("a tolerance without anything to compare with is refused before anything runs") {
    CompareOptions options;
    options.scenario = std::string(WARPFRONT_SOURCE_DIR) + "/models/sweep3d/billion.yaml";
    options.engines = {Engine::event};
    options.tolerance = Percent{1.0};
    CHECK(kinds_of(faults_of([&] { compare(options); })) == Kinds{DiagnosticKind::nothing_to_compare});
}
