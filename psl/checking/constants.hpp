// Values that do not depend on parameters, ranks or iterations: literals, built-in corners and `nobody`, arithmetic on
// them, and variables bound to such values. Folding uses the same arithmetic (value.hpp).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "psl/syntax/tree.hpp"

namespace warpfront::psl {

class Constants {
public:
    /// Returns the constant value; nothing if the value is not constant or its arithmetic fails.
    std::optional<Value> value(const Expression& expression) const;
    /// Returns the number of items of a list that the expression writes out; nothing for other lists.
    std::optional<std::size_t> length(const Expression& expression) const;
    /// Stores the value of a `let`. Frames never reuse a slot.
    void bind(const Statement& let);
    /// Removes the variables of the template or subtask that was examined before.
    void enter_object();

private:
    using Key = std::pair<bool, std::uint32_t>;  // `local` and `index` of a slot
    static Key key(Slot slot) { return {slot.local, slot.index}; }
    std::optional<Value> list_length(const Expression& list) const;
    std::optional<Value> operation(const Expression& expression) const;

    std::map<Key, Value> values_;
    std::map<Key, std::size_t> lengths_;
};

}  // namespace warpfront::psl
