// Partners that are not offsets in the process grid: the transposed rank, and the ranks of a staged exchange, a loop
// whose stages have different partners.
//
//   rank_at(row, column)              on square process grids; on two squares side by side, pairs of ranks in a row are
//                                     transposed, as in NPB CG
//   rank_at(1, 1), rank_at(columns, rows)
//                                     the first rank, of the last one, and the reverse: the result of a pipeline
//   rank xor 1, rank xor 2, rank xor 4, ...     or from the largest distance on; the ranks are a power of two, or those
//                                               of a row or of a column if the butterfly is over these
//   (rank + 1) % ranks, (rank + 2) % ranks, ...     or (rank - k) % ranks, to the largest distance: a shift, as in an
//                                                   alltoall by messages
//
// They are searched if offsets alone do not explain the runs. A call in the code has one kind of partner.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "tools/from_code/learning/grid.hpp"
#include "tools/from_code/learning/steps.hpp"

namespace warpfront::learning {

enum class PartnerKind : std::uint8_t {
    offset,
    transposed,
    first_rank,  // of the last rank alone
    last_rank,   // of the first rank alone
    doubling,    // a butterfly whose distances grow
    halving,     // a butterfly whose distances shrink
    row_doubling,
    row_halving,
    column_doubling,
    column_halving,
    shift_up,   // at a distance of k in stage k, around all ranks
    shift_down  // the same towards lower numbers
};
inline bool between_ends(PartnerKind kind) { return kind == PartnerKind::first_rank || kind == PartnerKind::last_rank; }
inline bool is_staged(PartnerKind kind) { return kind >= PartnerKind::doubling; }
inline bool is_shift(PartnerKind kind) { return kind >= PartnerKind::shift_up; }
inline bool in_butterfly(PartnerKind kind) { return is_staged(kind) && !is_shift(kind); }
inline bool doubles(PartnerKind kind) {
    return kind == PartnerKind::doubling || kind == PartnerKind::row_doubling || kind == PartnerKind::column_doubling;
}
inline bool over_row(PartnerKind kind) { return kind == PartnerKind::row_doubling || kind == PartnerKind::row_halving; }
inline bool over_column(PartnerKind kind) {
    return kind == PartnerKind::column_doubling || kind == PartnerKind::column_halving;
}

/// The partner kinds of calls, by their place in the code: of their sends, and of their receives (true). Calls that are
/// missing have offsets.
using PartnerKinds = std::map<std::tuple<std::string, unsigned, std::string, bool>, PartnerKind>;
/// Returns the partner kind of a message, or of a wait for it.
PartnerKind partner_kind(const PartnerKinds& kinds, const trace::RecordedRun& run, const RankSteps& rank,
                         const Step& step);

/// The steps of one run on all ranks.
struct RunSteps {
    const trace::RecordedRun* recorded = nullptr;
    const std::vector<RankSteps>* ranks = nullptr;
};
/// Returns those calls of all runs that never have a partner at an offset.
PartnerKinds partner_kinds(const std::vector<RunSteps>& runs);

/// Returns the process grid of a run: the best one for the partners that are offsets. Grids in which all communicators
/// of collectives are groups are preferred. The grid is one square or two if some partners are transposed.
Array array_of(const trace::RecordedRun& recorded, const std::vector<RankSteps>& ranks, const PartnerKinds& kinds);
/// Returns the process grid in which all ranks send to their partners at these offsets, and to no others, if these axes
/// are closed. On 2 x 2 ranks a torus with diagonal neighbours may as well be a row. If there is no such grid, returns
/// the best one.
Array array_of(const trace::RecordedRun& recorded, const std::vector<RankSteps>& ranks, const PartnerKinds& kinds,
               const std::set<Offset>& sends, const Closed& closed);
/// Returns the offsets of a run's sends to partners that are offsets.
std::set<Offset> sent_offsets(const trace::RecordedRun& recorded, const std::vector<RankSteps>& ranks,
                              const Array& array, const PartnerKinds& kinds);

inline Rank last_rank(const RankGrid& grid) { return Rank{static_cast<std::uint32_t>(grid.ranks()) - 1}; }
/// Returns the transposed rank; the rank itself if the grid does not consist of squares in a row.
Rank transposed(const RankGrid& grid, Rank rank);
/// The stages of an exchange: the bits in which the numbers of partners differ, or the distances of partners.
struct Stages {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};
Stages stages_of(PartnerKind kind, const RankGrid& grid);
/// Returns the bit that a stage changes, or its distance.
std::uint32_t change_of(PartnerKind kind, const Stages& stages, std::int64_t stage);
/// Returns the bit in which two ranks differ, or their distance.
std::uint32_t change_between(PartnerKind kind, const RankGrid& grid, Rank from, Rank to);
/// Returns the partner to which a change leads.
Rank changed(PartnerKind kind, const RankGrid& grid, Rank from, std::uint32_t change);

/// The stages of an exchange in a sequence of symbols become one symbol, from `kExchange` on.
inline constexpr std::uint32_t kExchange = 0x80000000;
struct Exchange {
    std::vector<std::uint32_t> steps;  // of each stage, without its number
    PartnerKind partner = PartnerKind::doubling;
    friend auto operator<=>(const Exchange&, const Exchange&) = default;
};
/// The parts of a symbol: its partner, the change of the stage (below 0: not a message of an exchange), and the symbol
/// without that change. One call may wait for the messages of several stages, so the waits of later stages are compared
/// as if each stage had a call of its own.
struct Staged {
    PartnerKind partner = PartnerKind::offset;
    std::int32_t change = -1;
    std::uint32_t without = 0;
    std::uint32_t alone = 0;  // the same as the first step of a call
};
/// Replaces the stages of exchanges by symbols. Exchanges of one stage are recognised by comparison with `known`
/// exchanges of other runs; new ones are added to `known`.
std::vector<std::uint32_t> with_exchanges(const std::vector<std::uint32_t>& symbols, const RankGrid& grid,
                                          const std::function<Staged(std::uint32_t)>& staged,
                                          std::vector<Exchange>& known);

}  // namespace warpfront::learning
