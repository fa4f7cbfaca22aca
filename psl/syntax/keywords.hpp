// The words that cannot be names. A new statement is a row of the table in keywords.cpp, which the lexer, the parser,
// completion and messages read. The suite `psl` compares the table with the editor's grammar, the page of the language
// and the words of the fuzzer.
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
    /// The places at which the statement is allowed, in addition to the blocks of a rank's statements.
    struct Places {
        bool application = false;  // true if it is allowed in an application, outside the iteration
        bool costs = false;        // true if it is allowed as a cost of a subtask with a value
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

// Words and signs of C, Python, Fortran and MPI that new users write by habit. Messages give the right form of each.

/// The place of a word.
enum class WordPlace : std::uint8_t { file, statement, value, function, type };

/// Returns "expected ..." with the right form. Returns an empty text if the word has no entry for `place`. Case does
/// not matter.
std::string_view foreign_word_remedy(std::string_view word, WordPlace place);

/// A sign of C, Python or Fortran that has no meaning in PSL, and its right form.
struct ForeignSign {
    std::string_view sign;
    std::string_view meant;  // token that replaces the sign; empty if the sign is ignored
    bool is_word = false;    // true if `meant` is a reserved word
    std::string_view remedy;
    enum class Extent : unsigned char { sign, line, quoted } extent = Extent::sign;

    /// Returns how many bytes of `text` to skip. The text begins with the sign.
    std::size_t length(std::string_view text) const;
};

/// Returns the foreign sign at the beginning of `text`. Returns null if there is none.
const ForeignSign* find_foreign_sign(std::string_view text);

}  // namespace warpfront::psl
