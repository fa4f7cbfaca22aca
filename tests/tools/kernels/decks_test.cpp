// Parameters and ranges of the command line, and the invocation of a program.
#include "tools/from_code/kernels/decks.hpp"

#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tools/from_code/kernels/run_on_deck.hpp"

using namespace warpfront::kernels;

namespace {

std::vector<DeckParameter> read(const std::string& text) {
    input::Diagnostics faults;
    auto parameters = read_decks({tools::option_value("--deck", text)}, faults);
    faults.raise();
    return parameters;
}

std::string fault_of(const std::string& text) {
    return test::summary_of(test::faults_of([&] { read(text); }));
}

}  // namespace

TEST_CASE("a range has a least value, a most value and a step") {
    const auto parameters = read("i=2..8,j=8..32..8,m=6");
    REQUIRE(parameters.size() == 3);
    CHECK(parameters[0].values() == 7);
    CHECK(parameters[1].value(1) == 16);
    CHECK(parameters[1].values() == 4);
    CHECK(parameters[2].is_constant());
}

TEST_CASE("text that is no range is refused") {
    CHECK(fault_of("i=2..3") ==
          "--deck i=2..3:1:3 bad_option [2..3] `2..3` has fewer than three values | expected at least three: two to "
          "fit, and one to hold out");
    CHECK(test::kinds_of(test::faults_of([] { read("i"); })) == test::Kinds{DiagnosticKind::bad_option});
    CHECK(test::kinds_of(test::faults_of([] { read("i=1..2..3..4"); })) == test::Kinds{DiagnosticKind::bad_option});
    CHECK(test::kinds_of(test::faults_of([] { read("i=0..3"); })) == test::Kinds{DiagnosticKind::out_of_range});
    CHECK(test::kinds_of(test::faults_of([] { read("i=x"); })) == test::Kinds{DiagnosticKind::bad_number});
    CHECK(test::kinds_of(test::faults_of([] { read("i=1..3,i=1..4"); })) ==
          test::Kinds{DiagnosticKind::duplicate_name});
    CHECK(fault_of("row=1..3") ==
          "--deck row=1..3:1:1 bad_option [row=1..3] `row` is a keyword of PSL | "
          "expected a name that a parameter of a subtask may have");
    CHECK(test::kinds_of(test::faults_of([] { read("a=1..3,b=1..3,c=1..3,d=1..3,e=1..3,f=1..3,g=1..3"); })) ==
          test::Kinds{DiagnosticKind::bad_option});
}

TEST_CASE("the grid has all combinations of the first values") {
    const auto decks = grid_of_decks(read("i=2..8,m=6,j=8..32..8"), {1, 0, 2});
    CHECK(decks == std::vector<Deck>{{2, 6, 8}, {2, 6, 16}, {2, 6, 24}, {3, 6, 8}, {3, 6, 16}, {3, 6, 24}});
}

TEST_CASE("a deck that is timed names every parameter that varies") {
    const auto parameters = read("i=2..8,m=6");
    input::Diagnostics faults;
    CHECK(read_deck(tools::option_value("--time", "i=50"), parameters, faults) == Deck{50, 6});
    CHECK(faults.empty());
    read_deck(tools::option_value("--time", "m=5"), parameters, faults);
    read_deck(tools::option_value("--time", "l=5"), parameters, faults);
    CHECK(test::kinds_of(faults) == test::Kinds{DiagnosticKind::missing_parameter, DiagnosticKind::unknown_name});
}

TEST_CASE("every parameter reaches the program, and every placeholder is a parameter") {
    const auto parameters = read("i=2..8,j=2..8");
    input::Diagnostics faults;
    check_placeholders({"./kernel", {"{i}x{j}", "{}", "{x y}"}}, parameters, faults);
    CHECK(faults.empty());
    check_placeholders({"./kernel", {"{i}", "{k}"}}, parameters, faults);
    CHECK(test::summary_of(faults) ==
          "argument {k}:1:1 unknown_name [{k}] `--deck` has no parameter `k` | "
          "expected one of `i`, `j`\nbad_option the program does not receive the value of `j` | expected `{j}` "
          "in the arguments after `--`, or in the file of `--input`");
}

TEST_CASE("a program reads its deck from arguments, or from a template as stdin and as a file") {
    const auto parameters = read("i=2..8,j=2..8");
    const test::Scratch scratch;
    const auto file = scratch.file("deck.template", "{i} {j}\n");
    const ProgramPattern pattern{"/bin/sh", {"-c", "cat deck; cat; echo {j}"}, file};
    CHECK(run_on_deck(pattern, {3, 4}, parameters, {}, {}).out == "3 4\n3 4\n4\n");
}

TEST_CASE("a program that fails is a fault, with its status and its output") {
    const auto fault = [](const std::string& script, std::vector<std::string> before) {
        return test::summary_of(test::faults_of([&] {
            run_on_deck({"/bin/sh", {"-c", script}}, {2}, read("i=2..8"), before, {});
        }));
    };
    CHECK(fault("echo no file >&2; exit 3", {}) ==
          "program_failed `/bin/sh` fails on i=2: exit status 3 | expected exit status 0; its last output is: no file");
    CHECK(fault("kill -SEGV $$", {}) == "program_failed `/bin/sh` fails on i=2: signal 11 | expected exit status 0");
    CHECK(fault("kill -ILL $$", {"env"})
              .starts_with("program_failed `/bin/sh` fails on i=2: valgrind does not support one of its instructions | "
                           "expected a program without AVX-512: compile with -march=x86-64-v3"));
    CHECK(test::kinds_of(test::faults_of([] { run_program({.words = {"no-such-program"}}); })) ==
          test::Kinds{DiagnosticKind::missing_program});
    CHECK(test::kinds_of(test::faults_of([] {
              run_on_deck({"/bin/false", {}}, {2}, read("i=2..8"), {}, {});
          })) == test::Kinds{DiagnosticKind::program_failed});
}
