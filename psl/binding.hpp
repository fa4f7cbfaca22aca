// Parameters from their source text to values of their declared types.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "psl/model.hpp"
#include "psl/psl.hpp"

namespace warpfront::psl {

struct BoundValue {
    Value value;
    std::vector<Value> items;  // of a list
};

/// The values of the parameters that are bound, by name. Throws BadInput: unknown and missing parameters, values of the
/// wrong type or unit.
std::map<std::string, BoundValue> bound_values(const Model& model, const Bindings& bindings);

}  // namespace warpfront::psl
