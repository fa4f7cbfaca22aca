// Words and signs that a user of C, Python, Fortran or MPI writes first, with the right form of each: for messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpfront::psl {

/// Where the word stands.
enum class WordPlace : std::uint8_t { file, statement, value, function, type };

/// "expected ..."; empty if the word is not known there. Case does not matter.
std::string_view foreign_word_remedy(std::string_view word, WordPlace place);

/// A sign of C, Python or Fortran that has no meaning here, with its right form.
struct ForeignSign {
    std::string_view sign;
    std::string_view meant;  // the token that it stands for; empty: it is left out
    bool is_word = false;    // whether `meant` is a reserved word
    std::string_view remedy;
    enum class Extent : unsigned char { sign, line, quoted } extent = Extent::sign;

    /// The bytes to skip of a text that begins with the sign.
    std::size_t length(std::string_view text) const;
};

/// The foreign sign at the beginning of `text`; null if there is none.
const ForeignSign* find_foreign_sign(std::string_view text);

}  // namespace warpfront::psl
