// The ranks that may send to `recv from any`, which are determined once the programs of all ranks are written.
//
// While a class is written, its receives from any source are empty choices, and its answers to them empty replies. Then
// every rank that sends to one of them, statically or as an answer, becomes a source, by rank and tag. Ranks of one
// class get separate classes if their sources, relative to the rank, differ.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "psl/specialising/residual.hpp"
#include "psl/specialising/skeleton.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::psl {

/// A choice of a class that is filled later.
struct AnySource {
    std::uint32_t choice = 0;
    std::optional<std::int32_t> tag;  // nothing: any tag
    std::uint16_t site = 0;
};

/// A reply of a class that is filled later.
struct Answer {
    std::uint32_t reply = 0;
    std::int32_t tag = 0;
};

/// The wildcard receives of a class; empty if the class receives only from named sources.
struct Wildcards {
    std::vector<AnySource> sources;
    std::vector<Answer> answers;
};

/// Fills choices and replies; `wildcards` is indexed by class. Throws BadInput unmatched_messages if no rank sends.
void find_sources(const Skeleton& skeleton, const Graph& graph, const std::vector<Wildcards>& wildcards,
                  program::Program& program);

}  // namespace warpfront::psl
