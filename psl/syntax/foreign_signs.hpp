// Signs of C, Python and Fortran that have no meaning here, with the right form of each.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpfront::psl {

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
