// Who takes part in a collective: the ranks for which an expression, the colour, has the same value, as after
// MPI_Comm_split. They are numbered from 0 in the order of their ranks.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "psl/lowering/rank_values.hpp"
#include "simulator/collectives/membership.hpp"

namespace warpfront::psl {

using collectives::Membership;

class Communicators {
public:
    Communicators(const Slots& slots, RankGrid grid)
        : slots_(slots), ranks_(static_cast<std::uint32_t>(grid.ranks())) {}

    /// Evaluates the colour on every rank, once; `values` is left at another rank.
    void add(SlotId colour, RankValues& values);
    /// The membership of a rank by an added colour.
    Membership of(SlotId colour, std::uint32_t rank) const;

private:
    struct Split {
        std::vector<std::uint32_t> ranks;   // by colour, then by rank
        std::vector<std::uint32_t> place;   // by rank, in `ranks`
        std::vector<std::uint32_t> begins;  // by place, that of its communicator; ends where the next begins
    };

    const Slots& slots_;
    std::uint32_t ranks_;
    std::map<SlotId, Split> splits_;  // of colours that differ between ranks
};

}  // namespace warpfront::psl
