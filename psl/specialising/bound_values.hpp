// Parameters from their source text to values of their declared types.
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
    std::vector<Value> items;  // if it is a list
};

struct BoundValues {
    std::map<std::string, BoundValue> parameters;  // of the application
    /// Values that replace defaults of templates, subtasks and functions, and entries of hardware objects (`rate`, and
    /// operations by name).
    std::map<const Object*, std::map<std::string, BoundValue>> objects;  // for lookup only
};

/// Returns the bound values by name. Throws BadInput: unknown and missing parameters, values of the wrong type or unit.
BoundValues bound_values(const Model& model, const Bindings& bindings);

}  // namespace warpfront::psl
