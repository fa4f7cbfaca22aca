#include "tools/documentation/zsh_completion.hpp"

#include <string_view>

#include <fmt/format.h>

namespace warpfront::documentation {

namespace {

/// Text within a specification of `_arguments`, which stands in single quotes: brackets and colons are not its own.
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

/// `*` before what may be repeated, `:form:action` behind what has a value.
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
