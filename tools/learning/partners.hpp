// Partners that are no offsets in the array: the transposed rank, and the ranks of a butterfly.
//
//   rank_at(row, column)              the arrays of all runs are square
//   rank xor 1, rank xor 2, rank xor 4, ...     or from the largest distance on; the ranks are a power of two, or those
//                                               of a row or of a column if the butterfly is over these
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
    halving,   // one whose distances shrink
    row_doubling,
    row_halving,
    column_doubling,
    column_halving
};
inline bool in_butterfly(PartnerKind kind) { return kind >= PartnerKind::doubling; }
inline bool doubles(PartnerKind kind) {
    return kind == PartnerKind::doubling || kind == PartnerKind::row_doubling || kind == PartnerKind::column_doubling;
}
inline bool over_row(PartnerKind kind) { return kind == PartnerKind::row_doubling || kind == PartnerKind::row_halving; }
inline bool over_column(PartnerKind kind) {
    return kind == PartnerKind::column_doubling || kind == PartnerKind::column_halving;
}

/// Calls by their place in the code; those that are missing have offsets.
using PartnerKinds = std::map<std::tuple<std::string, unsigned, std::string>, PartnerKind>;
PartnerKind partner_kind(const PartnerKinds& kinds, const trace::RecordedSite& site);

/// The calls of all runs whose partners are never offsets.
struct RunSteps {
    const trace::RecordedRun* recorded = nullptr;
    const std::vector<RankSteps>* ranks = nullptr;
};
PartnerKinds partner_kinds(const std::vector<RunSteps>& runs);

/// The array of a run: the best for its partners that are offsets, if there is one in which all communicators of
/// collectives are groups, and square where others are transposed.
Array array_of(const trace::RecordedRun& recorded, const std::vector<RankSteps>& ranks, const PartnerKinds& kinds);

Rank transposed(const RankGrid& grid, Rank rank);
/// The bits in which the numbers of partners differ: as many as the butterfly has stages.
struct Bits {
    std::uint32_t first = 0;
    std::uint32_t stages = 0;
};
Bits bits_of(PartnerKind kind, const RankGrid& grid);
/// Which of them a stage changes.
std::uint32_t bit_of(PartnerKind kind, const Bits& bits, std::int64_t stage);

/// The stages of a butterfly in a sequence of symbols become one symbol, from `kButterfly` on.
inline constexpr std::uint32_t kButterfly = 0x80000000;
struct Butterfly {
    std::vector<std::uint32_t> steps;  // of each stage, without its number
    PartnerKind partner = PartnerKind::doubling;
    friend auto operator<=>(const Butterfly&, const Butterfly&) = default;
};
/// What a symbol is: its partner, the bit that differs (below 0: no message of a butterfly), and the symbol without it.
struct Staged {
    PartnerKind partner = PartnerKind::offset;
    std::int32_t bit = -1;
    std::uint32_t without = 0;
};
/// Butterflies of one stage are recognised by what `known` ones of other runs do in theirs, to which new ones are
/// added.
std::vector<std::uint32_t> with_butterflies(const std::vector<std::uint32_t>& symbols, const RankGrid& grid,
                                            const std::function<Staged(std::uint32_t)>& staged,
                                            std::vector<Butterfly>& known);

}  // namespace warpfront::learning
