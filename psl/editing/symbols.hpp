// Finds symbols of a model for editors: the word at an offset of the first file, its declaration, and all words that a
// user may type.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "psl/checking/load.hpp"

namespace warpfront::psl {

struct Symbol {
    SourceRange range;     // range of the word at the cursor
    std::string text;      // "param wg: time = 0.414us", with the value of a constant
    SourceRange declared;  // range of the name in its declaration; empty for words of the language
};

std::optional<Symbol> symbol_at(const Model& model, std::size_t offset);

struct Word {
    enum class Kind : std::uint8_t { keyword, type, function, value, object, variable };
    std::string text;
    Kind kind = Kind::keyword;
    std::string detail;
};

/// Returns the words of the language. If there is a model, also returns the names that its first file declares or
/// imports.
std::vector<Word> words(const Model* model);

}  // namespace warpfront::psl
