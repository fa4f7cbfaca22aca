// The variables visible at one point of an object, innermost last.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "psl/syntax/tree.hpp"

namespace warpfront::psl {

struct Variable {
    std::string name;
    Slot slot;
    Type type;
    bool changes = false;  // declared by `var`
    bool used = false;
};

class Scope {
public:
    Variable* find(std::string_view name);
    /// The new variable's slot; frames never reuse one.
    Slot declare(std::string name, Type type, bool local, std::uint32_t& slots);
    Variable& last() { return variables_.back(); }
    std::size_t index_of(const Variable& variable) const {
        return static_cast<std::size_t>(&variable - &variables_[0]);
    }
    std::size_t size() const { return variables_.size(); }
    Variable& operator[](std::size_t index) { return variables_[index]; }
    /// Removes all but the first `size` variables: the end of a block.
    void shrink(std::size_t size) { variables_.resize(size); }
    /// Every name allowed in an expression, for suggestions.
    std::vector<std::string> names() const;

private:
    std::vector<Variable> variables_;
};

}  // namespace warpfront::psl
