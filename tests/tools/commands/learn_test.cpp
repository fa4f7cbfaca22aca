// `warpfront learn` and `record`: what a command line asks for that cannot be had.
#include <filesystem>

#include <doctest/doctest.h>

#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tools/commands/commands.hpp"

using namespace warpfront;
using input::DiagnosticKind;

TEST_CASE("a recording of one rank that was killed is not learnt from, and no file is written") {
    const test::Scratch scratch;
    // A header of a file that its rank has not ended: state 0, no records.
    std::string header("warpfront recording 1\n", 22);
    header.resize(24, '\0');
    header += std::string(4, '\0') + std::string("\1\0\0\0", 4) + std::string(48, '\0');
    scratch.file("run/rank-0.events", header);
    tools::LearnOptions options;
    options.runs = {scratch.folder() / "run"};
    options.out = scratch.folder() / "model.psl";
    CHECK(test::kinds_of(test::faults_of([&] { tools::learn(options); })) == test::Kinds{DiagnosticKind::not_learnt});
    CHECK(!std::filesystem::exists(options.out));
}

TEST_CASE("`record` refuses a code that is not there, one without MPI, and a folder that holds something else") {
    const test::Scratch scratch;
    const auto faults = [&scratch](const std::vector<std::string>& code) {
        tools::RecordOptions options;
        options.code = code;
        options.out = scratch.folder() / "out";
        return test::kinds_of(test::faults_of([&] { tools::record(options); }));
    };
    CHECK(faults({}) == test::Kinds{DiagnosticKind::bad_option});
    CHECK(faults({"/bin/true"}) == test::Kinds{DiagnosticKind::bad_option});
}
