#include "tools/program/documentation/program_text.hpp"

#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace warpfront::documentation {

namespace {

/// Functions of the script. bash splits `--engine=event` and `ranks.rows=4` into three words, so the previous word may
/// be a `=`.
constexpr std::string_view kFunctions = R"(
_warpfront_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }

# Completes the last of several words joined by commas.
_warpfront_list() {
    local before=""
    [[ $word == *,* ]] && before=${word%,*},
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${word##*,}")
}

# Completes folders, and files whose names match the pattern.
_warpfront_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X "!$1" -- "$word")
}

_warpfront_folders() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$word")
}

# Completes paths of keys up to the `=`.
_warpfront_keys() {
    compopt -o nospace 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -S = -W "$_warpfront_key_paths" -- "$word")
}

_warpfront() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    if [[ $word == = ]]; then
        word=""
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
        [[ $before == --* ]] || return  # the value of a key
    fi
)";

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

/// Returns the call that completes a value; empty if there is no completion.
std::string completion_of(const OptionText& option) {
    switch (option.kind) {
        case ValueKind::word: return fmt::format("_warpfront_words '{}'", joined(option.choices));
        case ValueKind::words: return fmt::format("_warpfront_list '{}'", joined(option.choices));
        case ValueKind::scenario: return "_warpfront_files '*.yaml'";
        case ValueKind::table: return "_warpfront_files '*.csv'";
        case ValueKind::file: return "_warpfront_files '*'";
        case ValueKind::folder: return "_warpfront_folders";
        case ValueKind::key: return "_warpfront_keys";
        case ValueKind::other:
        case ValueKind::none: break;
    }
    return ":";
}

std::vector<std::string> names_of(const std::vector<OptionText>& options) {
    std::vector<std::string> names;
    for (const OptionText& option : options) {
        if (!option.positional) names.push_back(option.name);
    }
    return names;
}

/// Returns the case of a sub-command: values after the name of their option, then options by their first letter, then
/// positional arguments.
std::string command_case(const CommandText& command) {
    std::string text = fmt::format("    {})\n        case $before in\n", command.name);
    std::string unnamed = ":";
    for (const OptionText& option : command.options) {
        if (option.positional) unnamed = completion_of(option);
        if (option.positional || option.kind == ValueKind::none) continue;
        text += fmt::format("        {}) {}; return ;;\n", option.name, completion_of(option));
    }
    text += "        esac\n        if [[ $word == -* ]]; then\n";
    text += fmt::format("            _warpfront_words '{}'\n", joined(names_of(command.options)));
    text += fmt::format("        else\n            {}\n        fi ;;\n", unnamed);
    return text;
}

}  // namespace

std::string bash_completion(const ProgramText& program) {
    std::string text = fmt::format("# Completion of {} for bash.\n\n_warpfront_key_paths='{}'\n{}", program.name,
                                   fmt::join(program.keys, " "), kFunctions);
    std::vector<std::string> words;
    for (const CommandText& command : program.commands) words.push_back(command.name);
    for (const std::string& option : names_of(program.options)) words.push_back(option);
    text += fmt::format("    if ((COMP_CWORD == 1)); then\n        _warpfront_words '{}'\n        return\n    fi\n",
                        joined(words));
    text += "    case ${COMP_WORDS[1]} in\n";
    for (const CommandText& command : program.commands) text += command_case(command);
    return text + fmt::format("    esac\n}}\ncomplete -F _warpfront {}\n", program.name);
}

namespace {

/// Escapes text for a specification of `_arguments` in single quotes, where brackets and colons are syntax.
std::string as_zsh(std::string_view text) {
    std::string safe;
    for (const char letter : text) {
        if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') safe += '\\';
        if (letter == '\'') {
            safe += "'\\''";
        } else {
            safe += letter;
        }
    }
    return safe;
}

std::string action_of(const OptionText& option) {
    const std::string choices = fmt::format("{}", fmt::join(option.choices, " "));
    switch (option.kind) {
        case ValueKind::word: return fmt::format("({})", choices);
        case ValueKind::words: return fmt::format("_values -s , {} {}", option.name.substr(2), choices);
        case ValueKind::scenario: return "_files -g \"*.yaml\"";
        case ValueKind::table: return "_files -g \"*.csv\"";
        case ValueKind::file: return "_files";
        case ValueKind::folder: return "_files -/";
        case ValueKind::key: return "compadd -S = -a keys";
        case ValueKind::other:
        case ValueKind::none: break;
    }
    return " ";
}

/// Formats a specification: `*` before a repeatable option, `:form:action` after one with a value.
std::string specification(const OptionText& option) {
    if (option.positional) {
        return fmt::format("'{}:{}:{}'", option.repeats ? "*" : "", as_zsh(option.form), action_of(option));
    }
    std::string text = option.repeats ? "'*" : "'";
    text += fmt::format("{}[{}]", option.name, as_zsh(option.help));
    if (option.kind != ValueKind::none) text += fmt::format(":{}:{}", as_zsh(option.form), action_of(option));
    return text + "'";
}

std::string command_branch(const CommandText& command) {
    std::string text = fmt::format("    {})\n        _arguments", command.name);
    for (const OptionText& option : command.options) text += fmt::format(" \\\n            {}", specification(option));
    return text + " ;;\n";
}

}  // namespace

std::string zsh_completion(const ProgramText& program) {
    std::string text = fmt::format("#compdef {0}\n# Completion of {0} for zsh.\n\n_{0}() {{\n", program.name);
    text += "    local context state line\n    local -a commands=(\n";
    for (const CommandText& command : program.commands) {
        text += fmt::format("        '{}:{}'\n", command.name, as_zsh(command.what));
    }
    text += fmt::format("    )\n    local -a keys=({})\n    _arguments -C", fmt::join(program.keys, " "));
    for (const OptionText& option : program.options) text += fmt::format(" \\\n        {}", specification(option));
    text += " \\\n        '1:command:->command' '*::argument:->argument'\n";
    text += "    if [[ $state == command ]]; then\n        _describe command commands\n        return\n    fi\n";
    text += "    case $words[1] in\n";
    for (const CommandText& command : program.commands) text += command_branch(command);
    return text + fmt::format("    esac\n}}\n\n_{0} \"$@\"\n", program.name);
}

}  // namespace warpfront::documentation
