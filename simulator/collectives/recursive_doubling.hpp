// Allreduce as recursive doubling (a butterfly), for any number of ranks.
//
// With P ranks and B the largest power of two not above P, the first 2(P - B) ranks form pairs. The even rank of a pair
// first sends its data to the odd rank, and receives the result at the end. The other B ranks exchange data with the
// partner whose position differs in bit 0, 1, ..., log2(B) - 1 (Thakur, Rabenseifner & Gropp 2005, section 4.5). All
// ranks number the steps in the same way. Step 0 is the send of the even ranks, if P is no power of two. Then follow
// the exchanges, then the result for the even ranks. In a step, a rank posts its receive, sends, and waits. It may have
// only one of the two messages, or none.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "simulator/units/ids.hpp"

namespace warpfront::collectives {

class RecursiveDoubling {
public:
    /// Requires ranks >= 1.
    explicit RecursiveDoubling(std::uint32_t ranks)
        : folded_(ranks - std::bit_floor(ranks)),
          exchanges_(static_cast<std::uint32_t>(std::bit_width(ranks)) - 1),
          steps_(exchanges_ + (folded_ > 0 ? 2U : 0U)) {}

    std::uint32_t steps() const { return steps_; }
    /// Returns the number of messages of all ranks.
    std::uint64_t messages() const { return 2 * std::uint64_t{folded_} + (std::uint64_t{exchanges_} << exchanges_); }

    struct Step {
        std::optional<Rank> send_to;
        std::optional<Rank> recv_from;
    };
    /// Returns the messages of a rank in a step. Requires step < steps() and rank < ranks.
    Step step(Rank rank, std::uint32_t step) const {
        const bool paired = rank.index < 2 * folded_;
        const bool stays = !paired || rank.index % 2 == 1;
        if (folded_ > 0 && (step == 0 || step == steps_ - 1)) {
            if (!paired) return {};
            const Rank partner{rank.index ^ 1U};
            const bool sends = (step == 0) != stays;
            return sends ? Step{partner, std::nullopt} : Step{std::nullopt, partner};
        }
        if (!stays) return {};
        const std::uint32_t bit = step - (folded_ > 0 ? 1U : 0U);
        const std::uint32_t position = (paired ? rank.index / 2 : rank.index - folded_) ^ (1U << bit);
        const Rank partner{position < folded_ ? 2 * position + 1 : position + folded_};
        return {partner, partner};
    }

private:
    std::uint32_t folded_ = 0;     // P - B
    std::uint32_t exchanges_ = 0;  // log2 B
    std::uint32_t steps_ = 0;
};

}  // namespace warpfront::collectives
