// The man page and the completion scripts: generated from the options that the program parses, and accepted by the
// programs that read them.
//
// Not pinned here: help and the faults of command lines (tests/end_to_end/bad_input_test.cpp), the places of the
// installed files (tests/installation).
#include <regex>

#include "simulator/scenario/keys.hpp"
#include "tests/end_to_end/program.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/program/command_line/options.hpp"
#include "tools/program/documentation/program_text.hpp"

using namespace warpfront::documentation;
using end_to_end::holds;
using end_to_end::lines_of;
using end_to_end::Outcome;
using end_to_end::run_in;

namespace {

bool installed(const std::string& program) { return run_in(end_to_end::kRoot, "command -v " + program).status == 0; }

/// Returns the completions of bash for the last of `words`, which are those of a command line as split by bash, at the
/// project's root; sorted, each followed by a space.
std::string offered(const std::string& words) {
    const test::Scratch scratch;
    const auto completion = scratch.file("warpfront", bash_completion(program_text()));
    const auto session = scratch.file(
        "session", "source " + completion.string() + "\nCOMP_WORDS=(" + words +
                       ")\n"
                       "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_warpfront\n"
                       "for word in \"${COMPREPLY[@]}\"; do echo \"$word\"; done | LC_ALL=C sort | tr '\\n' ' '\n");
    const Outcome outcome = run_in(end_to_end::kRoot, "bash --norc " + session.string());
    CHECK(outcome.err == "");
    return outcome.out;
}

}  // namespace

TEST_CASE("the program's text is that of its options") {
    const ProgramText program = program_text();
    CHECK(program.name == "warpfront");
    std::vector<std::string> names;
    for (const CommandText& command : program.commands) names.push_back(command.name);
    CHECK(names == std::vector<std::string>{"run", "explain", "estimate", "compare", "study", "sources", "report",
                                            "serve", "calibrate", "fit", "trace", "record", "learn", "check", "costs",
                                            "opcodes", "lsp"});
    const std::vector<OptionText>& run = program.commands.front().options;
    const auto named = [&run](const std::string& name) {
        return *std::find_if(run.begin(), run.end(), [&](const OptionText& option) { return option.name == name; });
    };
    CHECK(named("SCENARIO").positional);
    CHECK(named("SCENARIO").required);
    CHECK(named("--set").repeats);
    CHECK(named("--set").kind == ValueKind::key);
    CHECK(named("--engine").choices == tools::engine_names());
    CHECK(named("--quiet").kind == ValueKind::none);
    CHECK(named("--seeds").kind == ValueKind::other);
}

TEST_CASE("the man page has every sub-command, option, example and exit status") {
    const ProgramText program = program_text();
    const std::string page = man_page(program);
    CHECK(page.starts_with(".TH WARPFRONT 1 "));
    for (const CommandText& command : program.commands) {
        CHECK(holds(page, ".SS " + command.name + "\n"));
        for (const OptionText& option : command.options) {
            CAPTURE(option.name);
            const std::string name = option.positional ? option.name : option.name.substr(2);
            CHECK(holds(page, std::regex_replace(name, std::regex("-"), "\\-")));  // a hyphen that can be copied
        }
    }
    for (const tools::Example& example : tools::examples()) {
        CHECK(holds(page, "\nwarpfront " + std::string(example.command) + " "));
    }
    for (const ExitStatusText& status : exit_statuses()) CHECK(holds(page, ".B " + std::string(status.numbers) + "\n"));
}

TEST_CASE("the man page describes every engine, and the needs of a closed form") {
    const std::string page = man_page(program_text());
    CHECK(holds(page, ".SH ENGINES\n.TP\n.B event\nevery message and every wait, event by event.\n"));
    CHECK(holds(page, ".TP\n.B plug\\-and\\-play\\-2d\n"));
    CHECK(holds(page, "It needs a process grid of one row or one column.\n"));
    CHECK(program_text().engines.size() == tools::engine_names().size());
}

TEST_CASE("man finds nothing wrong with the page, and shows it") {
    if (!installed("man")) return;  // its form is checked above
    const test::Scratch scratch;
    const auto page = scratch.file("warpfront.1", man_page(program_text()));
    const Outcome outcome = run_in(scratch.folder(), "LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -l " + page.string());
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "");
    CHECK(holds(outcome.out, "--engine event|simgrid|analytic|plug-and-play|"));
    CHECK(holds(outcome.out, "warpfront check models/lu/lu.psl models/lu/lu.yaml platforms/xt3.yaml"));
}

TEST_CASE("every line of the man page is text or a request of man(7)") {
    const std::set<std::string> requests{".TH", ".ad", ".nh", ".SH", ".SS", ".TP", ".PP",
                                         ".B",  ".RI", ".BR", ".br", ".in", ".EX", ".EE"};
    for (const std::string& line : lines_of(man_page(program_text()))) {
        CAPTURE(line);
        CHECK(!line.empty());
        CHECK(!line.starts_with('\''));
        if (line.starts_with('.')) CHECK(requests.contains(line.substr(0, line.find(' '))));
    }
}

TEST_CASE("bash completes sub-commands and options") {
    CHECK(offered("warpfront ''") ==
          "--help --version calibrate check compare costs estimate explain fit learn lsp opcodes record report run "
          "serve sources study trace ");
    CHECK(offered("warpfront c") == "calibrate check compare costs ");
    CHECK(offered("warpfront estimate --") == "--csv --force --help --json --log-level --replay --set --threads ");
    CHECK(offered("warpfront run a.yaml --re") == "--replay ");
    CHECK(offered("warpfront fly --") == "");
}

TEST_CASE("bash completes values that are known, also behind a `=` and a comma") {
    CHECK(offered("warpfront run --replay ''") == "auto full ");
    CHECK(offered("warpfront lsp --log-level ''") == "debug error info warn ");
    CHECK(offered("warpfront run --engine = an") == "analytic ");
    CHECK(offered("warpfront run --engine = plug") == "plug-and-play plug-and-play-2d ");
    CHECK(offered("warpfront compare --engines event,simg") == "event,simgrid ");
    CHECK(offered("warpfront run --threads ''") == "");
}

TEST_CASE("bash completes keys of a scenario up to their `=`") {
    CHECK(offered("warpfront run a.yaml --set ranks.") == "ranks.columns= ranks.planes= ranks.rows= ");
    CHECK(offered("warpfront check --set het") == "heterogeneity.classes= heterogeneity.map= heterogeneity= ");
    CHECK(offered("warpfront run a.yaml --set ranks.rows = ''") == "");
}

TEST_CASE("bash completes files of the kind that is meant, and folders") {
    CHECK(offered("warpfront run models/lu/l") == "models/lu/lu.yaml ");
    CHECK(offered("warpfront check models/lu/l") == "models/lu/lu.psl models/lu/lu.yaml ");
    CHECK(offered("warpfront compare a.yaml --against models/lu/measured/") == "models/lu/measured/xt3.csv ");
    CHECK(offered("warpfront trace a.yaml --out models/l") == "models/lu ");
    CHECK(offered("warpfront run models/lu/lu.yaml --set ranks.rows = mo") == "");
}

TEST_CASE("the completion for zsh has every sub-command and option, and zsh can parse it") {
    const ProgramText program = program_text();
    const std::string script = zsh_completion(program);
    CHECK(script.starts_with("#compdef warpfront\n"));
    for (const CommandText& command : program.commands) {
        CHECK(holds(script, "        '" + command.name + ":"));
        for (const OptionText& option : command.options) {
            CHECK(holds(script, (option.positional ? ":" + option.form : option.name + "[")));
        }
    }
    if (!installed("zsh")) return;
    const test::Scratch scratch;
    const Outcome outcome = run_in(scratch.folder(), "zsh -n " + scratch.file("_warpfront", script).string());
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "");
}

TEST_CASE("the program's own page reports the same exit statuses") {
    const std::string page = end_to_end::text_of(end_to_end::kRoot / "tools/README.md");
    for (const ExitStatusText& status : exit_statuses()) {
        const std::string row = "| " + std::string(status.numbers) + " | " + std::string(status.means) + " |\n";
        CHECK_MESSAGE(holds(page, row), row);
    }
}
