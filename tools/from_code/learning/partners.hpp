// Partners that are not at a fixed offset in the process grid. They are the transposed rank, a rank in the same row or
// column at a distance that is the number of the row or column, the first or the last rank, and the partners in a
// staged exchange. A staged exchange is a loop with different partners in each iteration
// (stage).
//
//   rank_at(row, column)              on square process grids; on two squares side by side, pairs of ranks in a row are
//                                     transposed, as in NPB CG
//   rank_at((column - row + columns) % columns + 1, row)
//                                     row 2 shifts by one rank, row 3 by two and so on around the row, as before the
//                                     products of Cannon's algorithm; or in the other direction, or along columns
//   rank_at(1, 1), rank_at(columns, rows)
//                                     the last rank sends to the first, or the first to the last, such as the result
//                                     of a pipeline
//   rank xor 1, rank xor 2, rank xor 4, ...     a butterfly; it may also begin with the largest distance. The ranks are
//                                               a power of two: all ranks, or those of a row or of a column
//   (rank + 1) % ranks, (rank + 2) % ranks, ...     a shift, up to the largest distance, as in an alltoall by messages;
//                                                   or (rank - k) % ranks
//
// These kinds are tried if offsets alone do not explain the runs. A call in the code has one kind of partner.
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
    skewed_west,  // around a row, at the distance of the row to the first one
    skewed_east,
    skewed_north,  // around a column, at the distance of the column to the first one
    skewed_south,
    first_rank,  // partner of the last rank alone
    last_rank,   // partner of the first rank alone
    doubling,    // a butterfly whose distances grow
    halving,     // a butterfly whose distances shrink
    row_doubling,
    row_halving,
    column_doubling,
    column_halving,
    shift_up,   // around all ranks, at distance k in stage k
    shift_down  // the same, towards lower numbers
};
/// Returns true if each rank has one partner, which follows from its own place in a square.
inline bool is_mapped(PartnerKind kind) { return kind >= PartnerKind::transposed && kind <= PartnerKind::skewed_south; }
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

/// The kinds of partners of calls, by their call site. The last component of the key is false for sends and true for
/// receives. Calls without an entry have partners at offsets.
using PartnerKinds = std::map<std::tuple<std::string, unsigned, std::string, bool>, PartnerKind>;
/// Returns the kind of partner of a message, or of the message for which a step waits.
PartnerKind partner_kind(const PartnerKinds& kinds, const trace::RecordedRun& run, const RankSteps& rank,
                         const Step& step);

/// The steps of one run on all ranks.
struct RunSteps {
    const trace::RecordedRun* recorded = nullptr;
    const std::vector<RankSteps>* ranks = nullptr;
};
/// Returns the kinds of those calls that never have a partner at an offset in any run.
PartnerKinds partner_kinds(const std::vector<RunSteps>& runs);

/// Returns the process grid of a run: the best one for the partners at offsets. Grids in which all communicators of
/// collectives are groups are preferred. If some partners are transposed, the grid is one square or two.
Array array_of(const trace::RecordedRun& recorded, const std::vector<RankSteps>& ranks, const PartnerKinds& kinds);
/// Returns the process grid on which all ranks send to their partners at these offsets, and to no others, if `closed`
/// axes are closed. On 2 x 2 ranks a torus with diagonal neighbours cannot be distinguished from a row without these
/// offsets. If there is no such grid, returns the best one.
Array array_of(const trace::RecordedRun& recorded, const std::vector<RankSteps>& ranks, const PartnerKinds& kinds,
               const std::set<Offset>& sends, const Closed& closed);
/// Returns the offsets of a run's sends. Sends to other kinds of partners are excluded.
std::set<Offset> sent_offsets(const trace::RecordedRun& recorded, const std::vector<RankSteps>& ranks,
                              const Array& array, const PartnerKinds& kinds);

inline Rank last_rank(const RankGrid& grid) { return Rank{static_cast<std::uint32_t>(grid.ranks()) - 1}; }
/// Returns the partner of a rank for a kind that `is_mapped`. Returns the rank itself if it has none, or if the grid
/// does not consist of squares in a row.
Rank mapped(PartnerKind kind, const RankGrid& grid, Rank rank);
/// The stages of an exchange, as a range of numbers. They are the bits in which partners differ, or their distances.
struct Stages {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};
Stages stages_of(PartnerKind kind, const RankGrid& grid);
/// Returns the bit or the distance of a stage.
std::uint32_t change_of(PartnerKind kind, const Stages& stages, std::int64_t stage);
/// Returns the bit in which two ranks differ, or their distance.
std::uint32_t change_between(PartnerKind kind, const RankGrid& grid, Rank from, Rank to);
/// Returns the partner of `from` for this bit or distance.
Rank changed(PartnerKind kind, const RankGrid& grid, Rank from, std::uint32_t change);

/// The first symbol that represents an exchange. One symbol replaces all stages of an exchange.
inline constexpr std::uint32_t kExchange = 0x80000000;
struct Exchange {
    std::vector<std::uint32_t> steps;  // steps of each stage, without the number of the stage
    PartnerKind partner = PartnerKind::doubling;
    friend auto operator<=>(const Exchange&, const Exchange&) = default;
};
/// A symbol with its stage separated. One call may wait for the messages of several stages. So the waits of later
/// stages are compared as if each stage had a call of its own. `change` is the bit or distance of the stage, and
/// negative if the symbol is no message of an exchange. `without` is the symbol without the stage.
struct Staged {
    PartnerKind partner = PartnerKind::offset;
    std::int32_t change = -1;
    std::uint32_t without = 0;
    std::uint32_t alone = 0;  // the symbol as the first step of a call
};
/// Replaces the stages of each exchange by one symbol. An exchange with a single stage is recognised by comparison with
/// `known` exchanges of other runs. New exchanges are added to `known`.
std::vector<std::uint32_t> with_exchanges(const std::vector<std::uint32_t>& symbols, const RankGrid& grid,
                                          const std::function<Staged(std::uint32_t)>& staged,
                                          std::vector<Exchange>& known);

}  // namespace warpfront::learning
