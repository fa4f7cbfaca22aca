// The report of `warpfront check --costs`: the cost of each entry of a model, and the source of each number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "psl/checking/load.hpp"
#include "psl/specialising/bindings.hpp"

namespace warpfront::psl {

/// The least and the greatest cost of an entry, in picoseconds, over the ranks that execute the entry.
struct CostRange {
    std::int64_t least = 0;
    std::int64_t most = 0;
    bool known = false;  // false if no rank executes the entry, or if the cost depends on a loop's variable
};

struct CostLine {
    /// Depth in the tree of calls. It is 0 for a `compute`, and for a subtask whose value is used elsewhere.
    unsigned depth = 0;
    CostRange time;
    std::string text;   // the entry as written
    std::string names;  // the values of the names in the text: "n = 10, m = 20"
    std::string place;  // where the entry is written, as "FILE:LINE"
};

/// A parameter or a variable of the application.
struct NamedValue {
    std::string name;
    std::string value;
    std::string source;  // where the value is from, such as "scenario.yaml:9", "default, model.psl:3" or "model.psl:20"
};

struct CostReport {
    std::vector<CostLine> lines;  // all entries in the order of evaluation; equal trees are listed once
    std::vector<NamedValue> values;
};

/// Returns the report. Throws the errors of `lower`.
CostReport costs(const Model& model, const Bindings& bindings);

}  // namespace warpfront::psl
