// The kind of a file to be checked, by its name and its keys.
#include <doctest/doctest.h>

#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tools/checking/costs.hpp"
#include "tools/commands/commands.hpp"

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

TEST_CASE("a note of a model that differs from rank to rank is refused, since every run refuses it") {
    const Scratch scratch;
    const auto kinds = [&](const std::string& items) {
        const auto file = scratch.file("m.psl", "application m {\n" + items + "\niteration { compute 1us }\n}\n");
        return kinds_of(faults_of([&] { check({.files = {file}}); }));
    };
    CHECK(kinds("note rank > 0, \"not the first\"") == Kinds{DiagnosticKind::rank_dependent});
    CHECK(kinds("param n: int  note n > column, \"{}\", row") == Kinds{DiagnosticKind::rank_dependent});
    CHECK(kinds("note ranks > 1, \"several\"").empty());
    CHECK(kinds("note (if columns > 1 then rank else 0) > 0, \"on one column alone\"").empty());
    CHECK(kinds("note rank - rank > 0, \"never\"") == Kinds{DiagnosticKind::rank_dependent});
}

TEST_CASE("nothing to check, or changes of no scenario, are refused") {
    CHECK(kinds_of(faults_of([] { check({}); })) == Kinds{DiagnosticKind::bad_option});
    const std::string platform = std::string(WARPFRONT_SOURCE_DIR) + "/platforms/xt4.yaml";
    CHECK(kinds_of(faults_of([&] { check({.platform = platform, .sets = {"iterations=2"}}); })) ==
          Kinds{DiagnosticKind::bad_option});
}

TEST_CASE("costs are those of one scenario, with its own model or another") {
    const Scratch scratch;
    const auto model = scratch.file("a.psl", "application a { param w: time = 1us iteration { compute 2 * w } }\n");
    const auto other = scratch.file("b.psl", "application b { param w: time = 1us iteration { compute 3 * w } }\n");
    const auto scenario =
        scratch.file("s.yaml", "model: a.psl\nplatform: " + std::string(WARPFRONT_SOURCE_DIR) +
                                   "/platforms/pentium3.yaml\nranks: {columns: 2, rows: 1}\ncalibration: off\n");
    const auto text = [&](const std::vector<std::string>& sets) {
        return costs_text(build_experiment(scenario::read_scenario(scenario::read_document(scenario, sets))));
    };
    CHECK(text({"parameters.w=5us"}).find("10  compute 2 * w  w = 5 us") != std::string::npos);
    CHECK(text({"parameters.w=5us"}).find("w     5 us   --set parameters.w=5us:1") != std::string::npos);
    CHECK(text({}).find("processor of " + std::string(WARPFRONT_SOURCE_DIR) +
                        "/platforms/pentium3.yaml: Pentium 3, 110 Mflop/s\n") == 0);
    CHECK(text({"model=b.psl"}).find("3  compute 3 * w  w = 1 us") != std::string::npos);
    for (const std::vector<std::filesystem::path>& files :
         {std::vector<std::filesystem::path>{}, std::vector<std::filesystem::path>{model, other, scenario}}) {
        CHECK(kinds_of(faults_of([&] { check({.files = files, .costs = true}); })) ==
              Kinds{DiagnosticKind::bad_option});
    }
}

TEST_CASE("one model is printed in canonical layout, and nothing else") {
    const Scratch scratch;
    const auto model = scratch.file("a.psl", "application a{iteration{}}\n");
    const auto other = scratch.file("b.yaml", "model: a.psl\n");
    for (const std::vector<std::filesystem::path>& files :
         {std::vector<std::filesystem::path>{}, std::vector<std::filesystem::path>{other},
          std::vector<std::filesystem::path>{model, model}}) {
        CHECK(kinds_of(faults_of([&] { check({.files = files, .format = true}); })) ==
              Kinds{DiagnosticKind::bad_option});
    }
    const auto faulty = scratch.file("c.psl", "application c {\n");
    CHECK(kinds_of(faults_of([&] { check({.files = {faulty}, .format = true}); })) ==
          Kinds{DiagnosticKind::psl_syntax});
}

TEST_CASE("a tolerance without anything to compare with is refused before anything runs") {
    CompareOptions options;
    options.scenario = std::string(WARPFRONT_SOURCE_DIR) + "/models/sweep3d/billion.yaml";
    options.engines = {Engine::event};
    options.tolerance = Percent{1.0};
    CHECK(kinds_of(faults_of([&] { compare(options); })) == Kinds{DiagnosticKind::nothing_to_compare});
}
