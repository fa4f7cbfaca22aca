// The ranks that may send to `recv from any`: known once the programs of all ranks are written.
//
// While a class is written, its receives from any source are empty choices, and its answers to them empty replies. Then
// every rank that sends to one of them, statically or as an answer, becomes a source, by rank and tag. Ranks of one
// class whose sources differ, relative to the rank, make classes of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "psl/specialising/residual.hpp"
#include "psl/specialising/skeleton.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::psl {

/// A choice of a class that is to be filled.
struct AnySource {
    std::uint32_t choice = 0;
    std::optional<std::int32_t> tag;  // nothing: any tag
    std::uint16_t site = 0;
};

/// A reply of a class that is to be filled.
struct Answer {
    std::uint32_t reply = 0;
    std::int32_t tag = 0;
};

/// What a class receives from any source; empty where it receives from named sources alone.
struct Wildcards {
    std::vector<AnySource> sources;
    std::vector<Answer> answers;
};

/// Fills choices and replies; `wildcards`: by class. Throws BadInput unmatched_messages where no rank sends.
void find_sources(const Skeleton& skeleton, const Graph& graph, const std::vector<Wildcards>& wildcards,
                  program::Program& program);

}  // namespace warpfront::psl
