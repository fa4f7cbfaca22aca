// Converts the text of parameters to values of their types.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "psl/checking/load.hpp"
#include "psl/checking/model.hpp"
#include "psl/specialising/bindings.hpp"

namespace warpfront::psl {

struct BoundValue {
    Value value;
    std::vector<Value> items;  // the items, if the value is a list
};

struct BoundValues {
    std::map<std::string, BoundValue> parameters;  // values of the application's parameters
    /// Values for other objects, by name: they replace defaults of templates, subtasks and functions, the `rate` of
    /// hardware objects, and times of operations. The map is only for lookup.
    std::map<const Object*, std::map<std::string, BoundValue>> objects;
};

/// Returns the values of all parameters that the scenario sets. Throws BadInput for unknown or missing parameters and
/// for values of a wrong type or unit.
BoundValues bound_values(const Model& model, const Bindings& bindings);

}  // namespace warpfront::psl
