// Allreduce as recursive doubling (a butterfly), for any number of ranks.
//
// With P ranks and B the largest power of two not above P, the first 2(P - B) ranks form pairs. The even rank of a pair
// sends its data to the odd one first and receives the result last. The other B ranks exchange with the partner whose
// position differs in bit 0, 1, ..., log2(B) - 1. (Thakur, Rabenseifner & Gropp 2005, section 4.5.)
// All ranks number the steps alike: 0 = fold in (only if P is no power of two), then the exchanges, then fold out. In a
// step a rank posts its receive, sends, and waits; it may have only one of the two operations, or neither.
#pragma once

#include <cstdint>
#include <optional>

#include "simulator/units/ids.hpp"

namespace warpfront::collectives {

class RecursiveDoubling {
public:
    /// ranks >= 1
    explicit RecursiveDoubling(std::uint32_t ranks);

    std::uint32_t steps() const { return steps_; }
    /// The messages of all ranks together.
    std::uint64_t messages() const { return 2 * std::uint64_t{folded_} + (std::uint64_t{exchanges_} << exchanges_); }

    struct Step {
        std::optional<Rank> send_to;
        std::optional<Rank> recv_from;
    };
    /// step < steps(), rank < ranks
    Step step(Rank rank, std::uint32_t step) const;

private:
    std::uint32_t folded_ = 0;     // P - B
    std::uint32_t exchanges_ = 0;  // log2 B
    std::uint32_t steps_ = 0;
};

}  // namespace warpfront::collectives
