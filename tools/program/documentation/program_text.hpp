// The program's options as data, read from the description that parses them. The man page and the completion scripts
// are generated from it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpfront::documentation {

/// The kind of an option's value, for completion in a shell.
enum class ValueKind : std::uint8_t { none, other, word, words, key, scenario, table, file, folder };

struct OptionText {
    std::string name;  // name such as "--json", or "SCENARIO" if it is positional
    std::string form;  // form of the value in the help, such as "FILE|-"; empty without a value
    std::string help;
    ValueKind kind = ValueKind::none;
    std::vector<std::string> choices;  // possible values of a word, or of words joined by commas
    bool positional = false;
    bool required = false;
    bool repeats = false;
};

struct CommandText {
    std::string name;
    std::string what;  // description in one line
    std::vector<OptionText> options;
};

struct EngineText {
    std::string name;
    std::string text;  // description; for a closed form also its publication and its requirements
};

struct ProgramText {
    std::string name;
    std::string version;  // version such as "warpfront 0.1.0"
    std::string what;
    std::vector<OptionText> options;
    std::vector<CommandText> commands;
    std::vector<EngineText> engines;
    std::vector<std::string> keys;  // keys of a scenario, for `--set`
};

/// Returns the text of `warpfront`, in the order of its help.
ProgramText program_text();

// Completion of `warpfront` for two shells: sub-commands, options, and their values where possible.

std::string bash_completion(const ProgramText& program);

/// Returns the script for zsh, including the help of options.
std::string zsh_completion(const ProgramText& program);

// The man page warpfront(1), in the macros of man(7).

std::string man_page(const ProgramText& program);

/// The meaning of an exit status, in words.
struct ExitStatusText {
    std::string_view numbers;
    std::string_view means;
};

std::span<const ExitStatusText> exit_statuses();

}  // namespace warpfront::documentation
