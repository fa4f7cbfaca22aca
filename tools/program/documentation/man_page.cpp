#include "tools/program/documentation/program_text.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "simulator/scenario/keys.hpp"
#include "tools/program/command_line/options.hpp"
#include "tools/program/commands/commands.hpp"

namespace warpfront::documentation {

namespace {

/// Escapes text so that troff shows it unchanged: backslashes and hyphens are escaped, and no line begins with a
/// request. Text in backticks becomes bold.
std::string troff(std::string_view text) {
    std::string safe;
    if (text.starts_with('.') || text.starts_with('\'')) safe = "\\&";
    bool bold = false;
    for (const char letter : text) {
        if (letter == '\\') {
            safe += "\\e";
        } else if (letter == '-') {
            safe += "\\-";
        } else if (letter == '`') {
            bold = !bold;
            safe += bold ? "\\fB" : "\\fR";
        } else {
            safe += letter;
        }
    }
    return safe;
}

/// Allows line breaks after each choice.
std::string breakable(const std::string& choices) {
    std::string text;
    for (const char letter : choices) {
        text += letter;
        if (letter == '|' || letter == ',') text += "\\:";
    }
    return text;
}

/// Formats `--json FILE|-` with the name in bold and the value in italics.
std::string shown(const OptionText& option) {
    const std::string form = fmt::format("\\fI{}\\fR", breakable(troff(option.form)));
    if (option.positional) return form;
    const std::string name = fmt::format("\\fB{}\\fR", troff(option.name));
    return option.form.empty() ? name : name + " " + form;
}

/// Formats the option for a synopsis: in brackets if it is optional, with dots if it is repeatable.
std::string in_synopsis(const OptionText& option) {
    const std::string text = option.required ? shown(option) : fmt::format("[{}]", shown(option));
    return option.repeats ? text + " ..." : text;
}

bool is_help(const OptionText& option) { return option.name == "--help"; }

std::string synopsis(const ProgramText& program, const CommandText& command) {
    std::string text = fmt::format(".B {} {}\n", program.name, command.name);
    for (const bool positional : {true, false}) {
        for (const OptionText& option : command.options) {
            if (option.positional == positional && !is_help(option)) text += in_synopsis(option) + "\n";
        }
    }
    return text;
}

std::string described(const OptionText& option) {
    return fmt::format(".TP\n{}\n{}\n", shown(option), troff(option.help));
}

std::string described(const EngineText& engine) {
    return fmt::format(".TP\n.B {}\n{}\n", troff(engine.name), troff(engine.text));
}

std::string described(const scenario::Key& key) {
    return fmt::format(".TP\n\\fB{}\\fR ({}; if left out: {})\n{}\n", troff(key.path), troff(key.form),
                       troff(key.if_left_out), troff(key.means));
}

std::string command_section(const ProgramText& program, const CommandText& command) {
    std::string text =
        fmt::format(".SS {}\n{}.\n.PP\n{}", command.name, troff(command.what), synopsis(program, command));
    for (const OptionText& option : command.options) {
        if (!is_help(option)) text += described(option);
    }
    for (const tools::Example& example : tools::examples()) {
        if (example.command != command.name) continue;
        text += fmt::format(".PP\nExample: {}.\n.PP\n.in +4n\n.EX\n{} {} {}\n.EE\n.in\n", troff(example.answers),
                            program.name, example.command, troff(example.arguments));
    }
    return text;
}

std::string front(const ProgramText& program) {
    std::string text = fmt::format(".TH WARPFRONT 1 \"\" \"{}\" \"User Commands\"\n", troff(program.version));
    text += ".ad l\n.nh\n";  // lists of choices have no spaces to stretch, and names must not be hyphenated
    text += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", program.name, troff(program.what));
    for (const CommandText& command : program.commands) {
        text += fmt::format(".B {} {}\n", program.name, command.name);
        for (const OptionText& option : command.options) {
            if (option.positional || option.required) text += in_synopsis(option) + "\n";
        }
        text += ".RI [ options ]\n.br\n";
    }
    return text;
}

constexpr std::string_view kDescription =
    "A \\fIscenario\\fR names a model (PSL) or traces, a hardware file, the process grid and the parameters. Each "
    "command "
    "but \\fBcheck\\fR takes one scenario, and \\fB\\-\\-set\\fR changes its keys. Results go to standard output, "
    "messages "
    "and progress to standard error.";

}  // namespace

std::string man_page(const ProgramText& program) {
    std::string text = front(program);
    text += fmt::format(".SH DESCRIPTION\n{}\n.SH OPTIONS\n", kDescription);
    for (const OptionText& option : program.options) text += described(option);
    text += ".SH COMMANDS\n";
    for (const CommandText& command : program.commands) text += command_section(program, command);
    text += ".SH ENGINES\n";
    for (const EngineText& engine : program.engines) text += described(engine);
    text += ".SH SCENARIO KEYS\n";
    for (const scenario::Key& key : scenario::keys()) text += described(key);
    text += ".SH EXIT STATUS\n";
    for (const ExitStatusText& status : exit_statuses()) {
        text += fmt::format(".TP\n.B {}\n{}\n", status.numbers, troff(status.means));
    }
    text += ".SH SEE ALSO\n.BR smpirun (1)\n";
    return text;
}

namespace {

using tools::ExitStatus;

static_assert(ExitStatus::done == ExitStatus{0} && ExitStatus::run_failed == ExitStatus{1} &&
              ExitStatus::bad_input == ExitStatus{2} && ExitStatus::internal_fault == ExitStatus{3} &&
              ExitStatus::interrupted == ExitStatus{130} && ExitStatus::terminated == ExitStatus{143} &&
              ExitStatus::hung_up == ExitStatus{129});

constexpr std::array kTexts{
    ExitStatusText{"0", "done"},
    ExitStatusText{"1",
                   "the run failed: a deadlock, virtual time overflow, a disagreement beyond `--tolerance`, "
                   "a fit that predicts nothing"},
    ExitStatusText{"2", "bad input: a file, an option; or an output that cannot be written"},
    ExitStatusText{"3", "an internal fault: please report it"},
    ExitStatusText{"130, 143, 129", "interrupted by Ctrl-C, by SIGTERM, or by SIGHUP (the terminal was closed)"},
};

}  // namespace

std::span<const ExitStatusText> exit_statuses() { return kTexts; }

}  // namespace warpfront::documentation
