#include "simulator/collectives/recursive_doubling.hpp"

#include <bit>

namespace warpfront::collectives {

RecursiveDoubling::RecursiveDoubling(std::uint32_t ranks)
    : folded_(ranks - std::bit_floor(ranks)),
      exchanges_(static_cast<std::uint32_t>(std::bit_width(ranks)) - 1),
      steps_(exchanges_ + (folded_ > 0 ? 2U : 0U)) {}

RecursiveDoubling::Step RecursiveDoubling::step(Rank rank, std::uint32_t step) const {
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

}  // namespace warpfront::collectives
