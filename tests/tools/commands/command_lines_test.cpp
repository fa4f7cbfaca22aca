// Refusals of command lines: two outputs with one name, and options before the command.
#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tools/program/command_line/options.hpp"

using namespace warpfront::tools;

namespace {

/// Returns the faults of the outputs that a command line names.
input::Diagnostics faults_of_outputs(std::vector<std::string> words) {
    CLI::App app;
    AllOptions options;
    input::Diagnostics faults;
    describe_program(app, options, faults);
    std::ranges::reverse(words);
    app.parse(words);
    refuse_shared_outputs(options.outputs, faults);
    return faults;
}

}  // namespace

TEST_CASE("two outputs with one name are refused, in every command with several") {
    for (const std::vector<std::string>& words : std::initializer_list<std::vector<std::string>>{
             {"run", "s.yaml", "--json", "same.json", "--timeline", "same.json"},
             {"run", "s.yaml", "--json", "same.csv", "--ranks", "./same.csv"},
             {"explain", "s.yaml", "--json", "same", "--csv", "other/../same"},
             {"estimate", "s.yaml", "--csv", "same", "--json", "same"},
             {"compare", "s.yaml", "--csv", "same", "--json", "same"},
             {"study", "s.yaml", "--out", "same", "--json", "same"},
             {"sources", "s.yaml", "--out", "same", "--json", "same"},
             {"calibrate", "s.yaml", "--out", "same", "--json", "same"},
             {"fit", "t.txt", "-o", "same", "--csv", "same"},
             {"learn", "r3", "-o", "model.psl", "--json", "model.yaml"}}) {
        CAPTURE(words);
        CHECK(kinds_of(faults_of_outputs(words)) == Kinds{bad_option});
    }
    const input::Diagnostics faults = faults_of_outputs({"run", "s.yaml", "--json", "a.json", "--timeline", "a.json"});
    CHECK(faults.all()[0].message == "two outputs have the name `a.json`: `--json` and `--timeline`");
}

TEST_CASE("a name and a link to its file are one output") {
    const Scratch scratch;
    const std::string file = scratch.file("a.json", "{}").string();
    const std::string link = (scratch.folder() / "b.json").string();
    std::filesystem::create_symlink(file, link);
    CHECK(kinds_of(faults_of_outputs({"run", "s.yaml", "--json", file, "--csv", link})) == Kinds{bad_option});
}

TEST_CASE("stdout takes one output, a device several") {
    const input::Diagnostics faults = faults_of_outputs({"run", "s.yaml", "--json", "-", "--ranks", "-"});
    CHECK(faults.all()[0].message == "stdout (`-`) accepts only one of `--json` and `--ranks`");
    CHECK(kinds_of(faults_of_outputs({"compare", "s.yaml", "--json", "-", "--csv", "-"})) == Kinds{bad_option});
    CHECK(faults_of_outputs({"run", "s.yaml", "--json", "/dev/null", "--csv", "/dev/null"}).empty());
    CHECK(faults_of_outputs({"run", "s.yaml", "--json", "a.json", "--csv", "-", "--ranks", "a.csv"}).empty());
}

TEST_CASE("words before the command are refused with their place") {
    const auto refusal = [](std::vector<std::string> words) {
        CLI::App app;
        AllOptions options;
        input::Diagnostics faults;
        describe_program(app, options, faults);
        std::ranges::reverse(words);  // CLI11 takes them from the back
        try {
            app.parse(words);
        } catch (const CLI::ParseError& error) {
            explain(error, app, faults);
        }
        return summary_of(faults);
    };
    CHECK(refusal({"--log-level", "error", "run", "one.yaml"}) ==
          "bad_option `--log-level` comes before the subcommand | expected it after the subcommand: `warpfront run "
          "--log-level error`");
    CHECK(refusal({"one.yaml", "run", "two.yaml"}) ==
          "bad_option `one.yaml` comes before the subcommand | expected it after the subcommand: `warpfront run "
          "one.yaml`");
}
