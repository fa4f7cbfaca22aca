// Words that a user of C, Python, Fortran or MPI writes first, with the right form of each: for messages.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpfront::psl {

/// Where the word stands.
enum class WordPlace : std::uint8_t { file, statement, value, function, type };

/// "expected ..."; empty if the word is not known there. Case does not matter.
std::string_view foreign_word_remedy(std::string_view word, WordPlace place);

}  // namespace warpfront::psl
