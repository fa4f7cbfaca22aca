// The program's options as data, read from the description that parses them: what the man page and the completion
// scripts are made from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpfront::documentation {

/// What can stand in an option's place, as far as a shell can complete it.
enum class ValueKind : std::uint8_t { none, other, word, words, key, scenario, table, file, folder };

struct OptionText {
    std::string name;  // "--json", or "SCENARIO" where it needs no name
    std::string form;  // of its value, as help shows it: "FILE|-"; empty where it has none
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
    std::string text;  // what it is; of a closed form also where it was published and what it needs
};

struct ProgramText {
    std::string name;
    std::string version;  // "warpfront 0.1.0"
    std::string what;
    std::vector<OptionText> options;
    std::vector<CommandText> commands;
    std::vector<EngineText> engines;
    std::vector<std::string> keys;  // of a scenario, as `--set` takes them
};

/// The text of `warpfront`, in the order of its help.
ProgramText program_text();

}  // namespace warpfront::documentation
