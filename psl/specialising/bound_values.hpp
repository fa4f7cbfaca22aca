// Conversion of parameters from text to values of their declared types.
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
    std::vector<Value> items;  // items of a list
};

struct BoundValues {
    std::map<std::string, BoundValue> parameters;  // values of the application's parameters
    /// Values that replace defaults of templates, subtasks and functions, and entries of hardware objects (`rate`, and
    /// operations by name); for lookup only.
    std::map<const Object*, std::map<std::string, BoundValue>> objects;
};

/// Returns the bound values by name. Throws BadInput: unknown and missing parameters, values of the wrong type or unit.
BoundValues bound_values(const Model& model, const Bindings& bindings);

}  // namespace warpfront::psl
