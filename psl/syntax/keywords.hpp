// The words that cannot be names. A new statement is a row of the table in keywords.cpp: the lexer, the parser,
// completion and messages read it, and the suite `psl` compares the editor's grammar, the page of the language and the
// words of the fuzzer with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "psl/syntax/tree.hpp"
#include "simulator/collectives/collective.hpp"

namespace warpfront::psl {

struct Keyword {
    /// The places in which the statement may stand, in addition to the blocks of a rank's statements.
    struct Places {
        bool application = false;  // true for blocks of an application beside its iteration
        bool costs = false;        // true for entries of a subtask with a value
    };

    std::string_view word;
    std::optional<Statement::Form> form{};  // form of the statement that begins with the word
    Places also{};
    collectives::Kind collective{};  // kind of a collective
    std::string_view root{};         // word before the root of a collective; empty if the collective has no root
};

/// Returns all keywords, in the order of the page of the language.
std::span<const Keyword> keywords();

/// Returns the keyword; null if `word` may be a name.
const Keyword* find_keyword(std::string_view word);

// Words and signs of C, Python, Fortran and MPI that new users write by habit, and the right form of each for messages.

/// The kind of place in which a word was found.
enum class WordPlace : std::uint8_t { file, statement, value, function, type };

/// Returns "expected ..."; empty if the word has no entry for that place. Case does not matter.
std::string_view foreign_word_remedy(std::string_view word, WordPlace place);

/// A sign of C, Python or Fortran that has no meaning here, with its right form.
struct ForeignSign {
    std::string_view sign;
    std::string_view meant;  // token that replaces the unexpected one; empty if it is left out
    bool is_word = false;    // true if `meant` is a reserved word
    std::string_view remedy;
    enum class Extent : unsigned char { sign, line, quoted } extent = Extent::sign;

    /// Returns the number of bytes to skip in a text that begins with the sign.
    std::size_t length(std::string_view text) const;
};

/// Returns the foreign sign at the beginning of `text`; null if there is none.
const ForeignSign* find_foreign_sign(std::string_view text);

}  // namespace warpfront::psl
