// Converts text to tokens. Blanks, line breaks and comments only separate tokens. Comments are `//` to the end of the
// line, and `/*` to the next `*/`. A unit follows its number without a blank: `0.414us`, `8B`, `1KiB`. Signs of other
// languages (`&&`, `;`, `**`) are errors whose messages contain the right form. Such a sign becomes the token of the
// right form, so that one mistake gives one error.
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
    std::string_view text;  // the text as written; a string has no quotes
    Value value;            // the value of a number
    bool first_on_line = false;
};

/// A word that has a meaning only in one kind of block or statement. Elsewhere it may be a name.
struct BlockWord {
    std::string_view word;
    std::string_view block;      // where the word has its meaning, such as "an application"
    std::string_view meaning{};  // short explanation of the word in a list of tasks
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
    BlockWord{"tasks", "an application without `iteration`, or a task",
              "a list of tasks: each free worker takes the next one"},
    BlockWord{"record", "an application without `iteration`",
              "an array of records in cluster memory; the size of each follows `:`"},
    BlockWord{"given", "a `record`", "the records exist from the beginning"},
    BlockWord{"on", "a list of `tasks`", "the workers that take the tasks: nodes or cores"},
    BlockWord{"node", "a list of `tasks`", "nodes take the tasks"},
    BlockWord{"core", "a list of `tasks`", "the cores of the enclosing task's node, or all cores, take the tasks"},
    BlockWord{"ahead", "a list of `tasks`",
              "the number of tasks that a worker takes in advance, to read their records while it computes"},
    BlockWord{"among", "a list of `tasks`", "workers choose among this number of the first tasks that are not taken"},
    BlockWord{"take", "a list of `tasks`", "the number of tasks that a worker takes at once"},
    BlockWord{"guided", "a list of `tasks`",
              "a worker takes ceil(R / P) tasks at once, where R tasks are left for P workers"},
    BlockWord{"factoring", "a list of `tasks`",
              "batches of P chunks of ceil(R / 2P) tasks, where R tasks are left for P workers"},
    BlockWord{"trapezoid", "a list of `tasks`",
              "chunks from ceil(N / 2P) tasks linearly down to one, for N tasks and P workers"},
    BlockWord{"fixed", "a list of `tasks`", "every worker has a fixed share of N / P tasks"},
    BlockWord{"task", "a list of `tasks`", "a task for each value of its indices, with its steps one after another"},
    BlockWord{"after", "a `task`", "the task may begin once these tasks of the same list are done"},
    BlockWord{"prefer", "a `task`", "of the tasks that it may take, a worker takes the one with the greatest value"},
    BlockWord{"read", "a `task`", "reads whole records; reads at the beginning of a task are done in advance"},
    BlockWord{"write", "a `task`",
              "writes whole records; writes at the end of a task are done while the worker continues"},
};
/// Returns the block word with this text. Returns null if `word` is not a block word.
const BlockWord* find_block_word(std::string_view word);

/// Returns the tokens of `source`. The last one is `end`. Text that is not a token is an error and is skipped. A bad
/// number is an error and gives a token with a value of kind `any`. A file that is not text gives one error and no
/// other tokens.
std::vector<Token> tokens(const SourceFilePtr& source, std::uint32_t file, Diagnostics& faults);

}  // namespace warpfront::psl
