#include "psl/checking/scope.hpp"

#include <algorithm>

namespace warpfront::psl {

Variable* Scope::find(std::string_view name) {
    const auto found =
        std::find_if(variables_.rbegin(), variables_.rend(), [&](const Variable& v) { return v.name == name; });
    return found == variables_.rend() ? nullptr : &*found;
}

Slot Scope::declare(std::string name, Type type, bool local, std::uint32_t& slots) {
    variables_.push_back({std::move(name), Slot{local, slots++}, type});
    return variables_.back().slot;
}

std::vector<std::string> Scope::names() const {
    std::vector<std::string> all;
    for (const Variable& variable : variables_) all.push_back(variable.name);
    for (const Builtin& builtin : builtins()) all.emplace_back(builtin.name);
    return all;
}

}  // namespace warpfront::psl
