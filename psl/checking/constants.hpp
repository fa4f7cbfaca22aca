// Finds values that do not depend on parameters, ranks or iterations: literals, built-in corners and `nobody`,
// arithmetic on them, and variables with such values. Folding uses the same arithmetic (value.hpp).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "psl/syntax/tree.hpp"

namespace warpfront::psl {

class Constants {
public:
    /// Returns the value of a constant. Returns nothing if the value is not constant, or if its arithmetic fails.
    std::optional<Value> value(const Expression& expression) const;
    /// Returns the number of items of a list that is written out. Returns nothing for other lists.
    std::optional<std::size_t> length(const Expression& expression) const;
    /// Stores the value of a `let`. A slot of a frame is never used for two variables.
    void bind(const Statement& let);
    /// Forgets the variables of the previous template or subtask.
    void enter_object();

private:
    using Key = std::pair<bool, std::uint32_t>;  // the members `local` and `index` of a Slot
    static Key key(Slot slot) { return {slot.local, slot.index}; }
    std::optional<Value> list_length(const Expression& list) const;
    std::optional<Value> operation(const Expression& expression) const;

    std::map<Key, Value> values_;
    std::map<Key, std::size_t> lengths_;
};

}  // namespace warpfront::psl
