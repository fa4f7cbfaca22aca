// The words that cannot be names. A new statement is a row of the table in keywords.cpp: the lexer, the parser,
// completion and messages read it, and the suite `psl` compares the editor's grammar, the page of the language and the
// words of the fuzzer with it.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "psl/syntax/tree.hpp"
#include "simulator/collectives/collective.hpp"

namespace warpfront::psl {

struct Keyword {
    /// The places where the statement may stand, in addition to the blocks of a rank's statements.
    struct Places {
        bool application = false;  // beside its iteration
        bool costs = false;        // in a subtask with a value
    };

    std::string_view word;
    std::optional<Statement::Form> form{};  // of the statement that begins with the word
    Places also{};
    collectives::Kind collective{};  // form collective: its kind
    std::string_view root{};         // form collective: precedes its root; empty: it has none
};

/// Returns all keywords, in the order of the page of the language.
std::span<const Keyword> keywords();

/// Returns the keyword; null if `word` may be a name.
const Keyword* find_keyword(std::string_view word);

}  // namespace warpfront::psl
