// Text to tokens. Blanks, line breaks and comments (`//` to the end of the line, `/*` to the next `*/`) only separate
// tokens. A unit follows its number without a blank: `0.414us`, `8B`, `1KiB`. Signs of other languages (`&&`, `;`,
// `**`) are faults that name the right form; their tokens are those of that form, so that one mistake is one fault.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "psl/syntax/tree.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::psl {

struct Token {
    enum class Form : std::uint8_t { end, name, keyword, number, string, sign };
    Form form = Form::end;
    Span span;
    std::string_view text;  // as written; of a string the text between the quotes
    Value value;            // number
    bool first_on_line = false;
};

/// A word with a meaning in one kind of block or statement; anywhere else it may be a name.
struct BlockWord {
    std::string_view word;
    std::string_view block;  // "an application"
};
inline constexpr std::array kBlockWords{
    BlockWord{"note", "an application, beside its iteration"},
    BlockWord{"as", "a parameter of an application"},
    BlockWord{"processor", "a `hardware` object"},
    BlockWord{"rate", "a `hardware` object"},
    BlockWord{"operation", "a `hardware` object"},
    BlockWord{"time", "a subtask with a value"},
    BlockWord{"flops", "a subtask with a value"},
    BlockWord{"count", "a subtask with a value"},
    BlockWord{"loop", "a subtask with a value"},
    BlockWord{"case", "a subtask with a value"},
    BlockWord{"tasks", "an application without `iteration`, or a task"},
    BlockWord{"record", "an application without `iteration`"},
    BlockWord{"given", "a `record`"},
    BlockWord{"on", "a list of `tasks`"},
    BlockWord{"node", "a list of `tasks`"},
    BlockWord{"core", "a list of `tasks`"},
    BlockWord{"ahead", "a list of `tasks`"},
    BlockWord{"among", "a list of `tasks`"},
    BlockWord{"take", "a list of `tasks`"},
    BlockWord{"guided", "a list of `tasks`"},
    BlockWord{"factoring", "a list of `tasks`"},
    BlockWord{"trapezoid", "a list of `tasks`"},
    BlockWord{"fixed", "a list of `tasks`"},
    BlockWord{"task", "a list of `tasks`"},
    BlockWord{"after", "a `task`"},
    BlockWord{"prefer", "a `task`"},
    BlockWord{"read", "a `task`"},
    BlockWord{"write", "a `task`"},
};
/// Null if `word` has no such meaning.
const BlockWord* find_block_word(std::string_view word);

/// The tokens of `source`, `end` last. Text that is not a token is a fault and left out; a bad number is a fault and a
/// token of kind `any`. A file that is not text is one fault and has no tokens.
std::vector<Token> tokens(const input::SourceFilePtr& source, std::uint32_t file, input::Diagnostics& faults);

}  // namespace warpfront::psl
