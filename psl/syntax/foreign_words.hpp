// Words and signs of C, Python, Fortran and MPI that new users write by habit, with the right form of each, for
// messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpfront::psl {

/// The kind of place in which a word was found.
enum class WordPlace : std::uint8_t { file, statement, value, function, type };

/// Returns "expected ..."; empty if the word has no entry for that place. Case does not matter.
std::string_view foreign_word_remedy(std::string_view word, WordPlace place);

/// A sign of C, Python or Fortran that has no meaning here, with its right form.
struct ForeignSign {
    std::string_view sign;
    std::string_view meant;  // the token that replaces it; empty: it is left out
    bool is_word = false;    // true if `meant` is a reserved word
    std::string_view remedy;
    enum class Extent : unsigned char { sign, line, quoted } extent = Extent::sign;

    /// Returns the number of bytes to skip in a text that begins with the sign.
    std::size_t length(std::string_view text) const;
};

/// Returns the foreign sign at the beginning of `text`; null if there is none.
const ForeignSign* find_foreign_sign(std::string_view text);

}  // namespace warpfront::psl
