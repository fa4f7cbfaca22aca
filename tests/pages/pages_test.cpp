// Every command on a README is run from the project's folder, and succeeds. Commands run unchanged, except that those
// that take long get less to do. Scripts of tools/ have their own suites in tests/end_to_end; tests/fuzz/run is a
// separate test.
//
// Not pinned here: that tables of results are those of their commands (tests/end_to_end/page_tables_test.cpp), errors
// beside measurements (tests/end_to_end/compare_published_test.cpp), links to headings, names of sources
// (tests/repository), examples of the language (tests/psl/language_test.cpp).
#include <unistd.h>

#include <regex>

#include "tests/end_to_end/program.hpp"

namespace {

const std::string kProgram = "build/warpfront ";

/// Returns the lines of a text that begin with `indent` and `front`, from the latter on.
std::vector<std::string> lines_with(const std::string& text, const std::string& indent, const std::string& front) {
    std::vector<std::string> found;
    for (const std::string& line : lines_of(text)) {
        if (line.starts_with(indent + front)) found.push_back(line.substr(indent.size()));
    }
    return found;
}

/// Returns indented lines of a page that begin with `front`, from there.
std::vector<std::string> shown_lines(const std::string& page, const std::string& front) {
    return lines_with(text_of(kRoot / page), "    ", front);
}

/// Returns the outcome of a command. The main job takes a minute and two tests use it, so each command runs once.
const Outcome& answer(const std::string& arguments) {
    static std::map<std::string, Outcome> answers;
    const auto known = answers.find(arguments);
    if (known != answers.end()) return known->second;
    // `serve` runs until a signal ends it, and a second one ends it at once: `timeout` sends it to its whole group as
    // well, unless in the foreground.
    const bool serves = arguments.starts_with("serve ");
    const std::string served =
        "timeout --foreground --preserve-status --signal=TERM 2 " + quoted(WARPFRONT_PROGRAM) + " " + arguments;
    return answers.emplace(arguments, serves ? run_in(kRoot, served) : invoke(arguments)).first->second;
}

/// Runs commands that begin with `program`.
void run_each(const std::vector<std::string>& commands, const std::string& program) {
    for (const std::string& command : commands) {
        CAPTURE(command);
        const Outcome& outcome = answer(command.substr(program.size()));
        CHECK(outcome.status == 0);
        if (command.find("--log-level debug") == std::string::npos) CHECK(without_heartbeats(outcome.err) == "");
    }
}

/// Returns the command shortened to seconds, for any user and host, and without its comment.
std::string shortened(const std::string& shown) {
    const std::string command = std::regex_replace(shown, std::regex(" +# .*"), "");
    if (command.starts_with("mpirun ")) return "mpirun --allow-run-as-root --oversubscribe" + command.substr(6);
    if (command == "tools/measurements/speed" || command == "tools/measurements/measure") return command + " --small";
    if (command == "build/tests/psl_test") return command + " --list-test-cases";  // the test `psl` runs them
    return std::regex_replace(command, std::regex("--seconds \\d+"), "--seconds 1");
}

/// Compiles the program of tests/codes that examples and pages count, with the command of the page.
void compile_kernel() {
    static const Outcome compiled = run_in(kRoot, shown_lines("tools/from_code/kernels/README.md", "gfortran ").at(0));
    CHECK_MESSAGE(compiled.status == 0, compiled.err);
}

/// Returns every README of the project, relative to its folder.
std::vector<std::string> pages() {
    std::vector<std::string> found{"README.md"};
    for (const char* folder : {"models", "platforms", "psl", "simulator", "tests", "tools"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / folder)) {
            if (entry.path().filename() != "README.md") continue;
            found.push_back(entry.path().lexically_relative(kRoot).string());
        }
    }
    return found;
}

}  // namespace

// First, since examples use its recording and its model.
TEST_CASE("the walk from a code to its answer works as the page has it") {
    const std::string page = "tools/from_code/learning/README.md";
    for (const std::string& line : lines_of(text_of(kRoot / page))) {
        const bool runs = line.starts_with("    " + kProgram);
        const bool prepares = std::regex_search(line, std::regex("^    (mkdir|mpicc|mpif77) "));
        if (!runs && !prepares) continue;
        CAPTURE(line);
        const Outcome outcome = prepares ? run_in(kRoot, line) : answer(line.substr(4 + kProgram.size()));
        CHECK_MESSAGE(outcome.status == 0, outcome.out, outcome.err);
        if (!holds(line, "--check")) continue;
        // Every operation of a run that was not learnt from.
        CHECK_MESSAGE(
            std::regex_search(outcome.out, std::regex("not learnt from +build/walk/6x5 +30 of 30 +(\\d+) of \\1 ")),
            outcome.out);
        // The counted kernel beside the times of that run; their difference depends on the load of this host.
        CHECK_MESSAGE(std::regex_search(
                          outcome.out, std::regex("main_work +sweep\\.c:\\d+ +build/walk/6x5, not learnt from +\\d+ ")),
                      outcome.out);
    }
}

TEST_CASE("the examples of every help text run") {
    compile_kernel();
    for (const std::string& line : lines_with(answer("--help").out, "  ", "warpfront ")) {
        const std::string command = line.substr(0, line.find(' ', line.find(' ') + 1));  // "warpfront run"
        const std::string help = answer(command.substr(std::string("warpfront ").size()) + " --help").out;
        const std::vector<std::string> examples = lines_with(help, "  ", "warpfront ");
        CHECK(!examples.empty());
        run_each(examples, "warpfront ");
    }
}

TEST_CASE("the commands of every page run") {
    compile_kernel();
    for (const std::string& page : pages()) {
        CAPTURE(page);
        run_each(shown_lines(page, kProgram), kProgram);
    }
}

TEST_CASE("the commands of the pages on the build, the tests and the profiler work") {
    const bool has_perf = run_in(kRoot, "perf record -o /dev/null true").status == 0;
    std::set<std::string> tried;
    for (const std::string& page : pages()) {
        for (const std::string front : {"cmake ", "mpicc ", "mpirun ", "build/tests/", "perf ",
                                        "tools/measurements/speed", "tools/measurements/measure"}) {
            if (front == "perf " && !has_perf) continue;
            for (const std::string& command : shown_lines(page, front)) {
                if (!tried.insert(command).second) continue;
                CAPTURE(command);
                const Outcome outcome = run_in(kRoot, shortened(command));
                CHECK_MESSAGE(outcome.status == 0, outcome.out, outcome.err);
            }
        }
    }
}

TEST_CASE("the page for developers names every library") {
    static const std::regex room(R"(\nroom\((\w+) )");
    const std::string build = text_of(kRoot / "CMakeLists.txt");
    for (std::sregex_iterator found(build.begin(), build.end(), room), end; found != end; ++found) {
        const std::string target = "`warpfront_" + (*found)[1].str() + "`";
        CHECK_MESSAGE(holds(text_of(kRoot / "simulator/README.md"), target), target);
    }
}

TEST_CASE("the answer that the README shows is the answer given") {
    const Outcome& outcome = answer("run models/sweep3d/billion.yaml");
    const std::string page = text_of(kRoot / "README.md");
    const std::size_t start = page.find("    predicted time");
    REQUIRE(start != std::string::npos);
    for (const std::string& line : lines_of(page.substr(start, page.find("\n\n", start) - start))) {
        CHECK_MESSAGE(holds(outcome.out, line.substr(4) + "\n"), line, " is not in\n", outcome.out);
    }
}

TEST_CASE("the two scripts that the README begins with are there to be run") {
    for (const std::string script : {"./quickstart", "./check"}) {
        CAPTURE(script);
        CHECK(shown_lines("README.md", script).size() == 1);
        CHECK(access((kRoot / script).c_str(), X_OK) == 0);
    }
}

TEST_CASE("the files that the pages point to exist") {
    static const std::regex link(R"(\]\((?!https://)([^)#]+)(#[^)]*)?\))");
    std::size_t links = 0;
    for (const std::string& page : pages()) {
        const std::string text = text_of(kRoot / page);
        for (std::sregex_iterator found(text.begin(), text.end(), link), end; found != end; ++found) {
            CAPTURE(page);
            CAPTURE(found->str());
            CHECK(std::filesystem::exists((kRoot / page).parent_path() / (*found)[1].str()));
            ++links;
        }
    }
    CHECK(links > 0);
}

TEST_CASE("continuous integration calls the check script and nothing else") {
    CHECK(text_of(kRoot / ".ci/run") ==
          "#!/usr/bin/env bash\nset -euo pipefail\nexec \"$(dirname \"${BASH_SOURCE[0]}\")/../check\"\n");
}
