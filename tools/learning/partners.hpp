// Partners that are no offsets in the array: the transposed rank, and the ranks of a butterfly.
//
//   rank_at(row, column)              the arrays of all runs are square
//   rank xor 1, rank xor 2, rank xor 4, ...     or from the largest distance on; the ranks are a power of two
//
// They are looked for where offsets alone do not explain the runs. A call in the code has one kind of partner.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "tools/learning/grid.hpp"
#include "tools/learning/steps.hpp"

namespace warpfront::learning {

enum class PartnerKind : std::uint8_t {
    offset,
    transposed,
    doubling,  // a butterfly whose distances grow
    halving    // one whose distances shrink
};
inline bool in_butterfly(PartnerKind way) { return way == PartnerKind::doubling || way == PartnerKind::halving; }

/// Calls by their place in the code; those that are missing have offsets.
using PartnerKinds = std::map<std::tuple<std::string, unsigned, std::string>, PartnerKind>;
PartnerKind partner_kind(const PartnerKinds& ways, const trace::RecordedSite& site);

/// The calls of all runs whose partners are never offsets.
struct RunSteps {
    const trace::RecordedRun* recorded = nullptr;
    const std::vector<RankSteps>* ranks = nullptr;
};
PartnerKinds partner_kinds(const std::vector<RunSteps>& runs);

/// The array of a run: the best for its partners that are offsets, and square where others are transposed.
Array array_of(const trace::RecordedRun& recorded, const std::vector<RankSteps>& ranks, const PartnerKinds& ways);

Rank transposed(const RankGrid& grid, Rank rank);
/// How many stages a butterfly has; the ranks are a power of two.
std::uint32_t stages_of(std::uint64_t ranks);

/// The stages of a butterfly in a sequence of symbols become one symbol, from `kButterfly` on.
inline constexpr std::uint32_t kButterfly = 0x80000000;
struct Butterfly {
    std::vector<std::uint32_t> steps;  // of each stage, without its number
    PartnerKind way = PartnerKind::doubling;
    friend auto operator<=>(const Butterfly&, const Butterfly&) = default;
};
/// What a symbol is: its way, its stage (log2 of the distance; below 0: no message of a butterfly), and the symbol
/// without the stage.
struct Staged {
    PartnerKind way = PartnerKind::offset;
    std::int32_t stage = -1;
    std::uint32_t without = 0;
};
std::vector<std::uint32_t> with_butterflies(const std::vector<std::uint32_t>& symbols, std::uint32_t stages,
                                            const std::function<Staged(std::uint32_t)>& staged,
                                            const std::function<std::uint32_t(const Butterfly&)>& number);

}  // namespace warpfront::learning
