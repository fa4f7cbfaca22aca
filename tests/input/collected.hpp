// Shared helpers of this library's tests: texts as sources, and the one fault of a case.
//
// Not pinned here: the keys of each file (tests/loading, tests/scenario), tokens and faults of models (tests/psl), and
// the refusal of random input (tests/fuzz).
#pragma once

#include "simulator/input/diagnostic.hpp"
#include "tests/preamble.hpp"

namespace warpfront::input {

inline SourceFilePtr source_of(std::string text, std::string name = "deck.yaml") {
    return std::make_shared<const SourceFile>(std::move(name), std::move(text));
}

/// Returns the range of a whole source.
inline SourceRange whole(const SourceFilePtr& source) { return {source, 0, source->text().size()}; }

/// Returns the only fault among `faults`.
inline Diagnostic only(const Diagnostics& faults) {
    REQUIRE(faults.count() == 1);
    return faults.all()[0];
}

}  // namespace warpfront::input
