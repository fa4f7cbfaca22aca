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
    std::string name;  // "--json", or "SCENARIO" if it is positional
    std::string form;  // of its value in the help: "FILE|-"; empty without a value
    std::string help;
    ValueKind kind = ValueKind::none;
    std::vector<std::string> choices;  // of a word, or of words joined by commas
    bool positional = false;
    bool required = false;
    bool repeats = false;
};

struct CommandText {
    std::string name;
    std::string what;  // a line
    std::vector<OptionText> options;
};

struct EngineText {
    std::string name;
    std::string text;  // its description; for a closed form also its publication and its needs
};

struct ProgramText {
    std::string name;
    std::string version;  // "warpfront 0.1.0"
    std::string what;
    std::vector<OptionText> options;
    std::vector<CommandText> commands;
    std::vector<EngineText> engines;
    std::vector<std::string> keys;  // of a scenario, for `--set`
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
