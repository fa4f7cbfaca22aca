// `warpfront learn` and `record`: requests of a command line that cannot be fulfilled.
#include "simulator/trace/recording_format.h"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tools/answer/prediction/option_values.hpp"
#include "tools/program/commands/commands.hpp"

TEST_CASE("a recording of one rank that was killed is not learnt from, and no file is written") {
    const test::Scratch scratch;
    // The header of a file that its rank has not ended, without records.
    warpfront_recording_header header{};
    std::memcpy(header.magic, WARPFRONT_RECORDING_MAGIC, sizeof WARPFRONT_RECORDING_MAGIC - 1);
    header.ranks = 1;
    header.state = WARPFRONT_RUNNING;
    header.ns_per_tick = 1.0;
    scratch.file("run/rank-0.events", std::string(reinterpret_cast<const char*>(&header), sizeof header));
    tools::LearnOptions options;
    options.runs = {scratch.folder() / "run"};
    options.out = scratch.folder() / "model.psl";
    CHECK(test::kinds_of(test::faults_of([&] { tools::learn(options); })) == test::Kinds{not_learnt});
    CHECK(!std::filesystem::exists(options.out));
}

TEST_CASE("a run that is given twice is refused, whatever it is called") {
    const test::Scratch scratch;
    tools::LearnOptions options;
    options.runs = {scratch.folder() / "r5", scratch.folder() / "other/../r5"};
    options.out = scratch.folder() / "model.psl";
    CHECK(test::kinds_of(test::faults_of([&] { tools::learn(options); })) == test::Kinds{duplicate_name});
}

TEST_CASE("options of a counted kernel are refused without one") {
    const test::Scratch scratch;
    const auto faults = [&scratch](const auto& set) {
        tools::LearnOptions options;
        options.out = scratch.folder() / "model.psl";
        set(options);
        return test::summary_of(test::faults_of([&] { tools::learn(options); }));
    };
    CHECK(
        faults([](tools::LearnOptions& options) { options.blocks = {tools::option_value("--block", "main_work")}; }) ==
        "--block main_work:1:1 bad_option [main_work] `--block` has no effect without `--costs` | expected `--costs "
        "FILE.psl`, a file of `warpfront costs`");
    CHECK(faults([](tools::LearnOptions& options) { options.hardware = {"zen.psl"}; }).find("`--hardware` has no") !=
          std::string::npos);
}

TEST_CASE("`record` refuses a code that is not there, one without MPI, and a folder that holds something else") {
    const test::Scratch scratch;
    const auto faults = [&scratch](const std::vector<std::string>& code) {
        tools::RecordOptions options;
        options.code = code;
        options.out = scratch.folder() / "out";
        return test::kinds_of(test::faults_of([&] { tools::record(options); }));
    };
    CHECK(faults({}) == test::Kinds{bad_option});
    CHECK(faults({"/bin/true"}) == test::Kinds{bad_option});
}
