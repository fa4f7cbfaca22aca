// What an editor asks of a model: what stands at an offset of its first file, where it is declared, which words may
// follow.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "psl/checking/load.hpp"

namespace warpfront::psl {

struct Symbol {
    input::SourceRange range;     // of the word
    std::string text;             // "param wg: time = 0.414us", with the value where it is a constant
    input::SourceRange declared;  // of its name; no source for what the language declares
};

std::optional<Symbol> symbol_at(const Model& model, std::size_t offset);

struct Word {
    enum class Kind : std::uint8_t { keyword, type, function, value, object, variable };
    std::string text;
    Kind kind = Kind::keyword;
    std::string detail;
};

/// The words of the language, and with a model the names that its first file declares or imports; in this order.
std::vector<Word> words(const Model* model);

}  // namespace warpfront::psl
