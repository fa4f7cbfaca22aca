// The cost of every piece of work of a model under given bindings, entry by entry, and the source of each number: the
// report of `warpfront check --costs`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "psl/checking/load.hpp"
#include "psl/specialising/bindings.hpp"

namespace warpfront::psl {

/// Picoseconds over the ranks that reach the entry; both are equal if ranks do not differ.
struct CostRange {
    std::int64_t least = 0;
    std::int64_t most = 0;
    bool known = false;  // false if no rank reaches the entry, or if it depends on a loop's variable
};

struct CostLine {
    unsigned depth = 0;  // 0: a `compute`, or a subtask whose value is used elsewhere
    CostRange time;
    std::string text;   // as written
    std::string names;  // the values of the names in the text: "n = 10, m = 20"
    std::string place;  // "FILE:LINE"
};

/// A parameter or a variable of the application.
struct NamedValue {
    std::string name;
    std::string value;
    std::string source;  // "scenario.yaml:9", "default, model.psl:3", "model.psl:20"
};

struct CostReport {
    std::vector<CostLine> lines;  // in the order of evaluation, each tree once
    std::vector<NamedValue> values;
};

/// Returns the report. Throws BadInput as `lower` does.
CostReport costs(const Model& model, const Bindings& bindings);

}  // namespace warpfront::psl
