#include "psl/lowering/communicators.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace warpfront::psl {

void Communicators::add(SlotId colour, RankValues& values) {
    if (slots_[colour].known || splits_.contains(colour)) return;
    std::vector<std::int64_t> colours(ranks_);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
        values.set_rank({rank});
        colours[rank] = values(colour);
    }
    Split& split = splits_[colour];
    split.ranks.resize(ranks_);
    std::iota(split.ranks.begin(), split.ranks.end(), 0U);
    std::stable_sort(split.ranks.begin(), split.ranks.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return colours[a] < colours[b]; });
    split.place.resize(ranks_);
    split.begins.resize(ranks_);
    for (std::uint32_t at = 0; at < ranks_; ++at) {
        const bool continues = at > 0 && colours[split.ranks[at]] == colours[split.ranks[at - 1]];
        split.place[split.ranks[at]] = at;
        split.begins[at] = continues ? split.begins[at - 1] : at;
    }
}

Membership Communicators::of(SlotId colour, std::uint32_t rank) const {
    if (slots_[colour].known) return {rank, ranks_, {}};
    const Split& split = splits_.at(colour);
    const std::uint32_t place = split.place[rank];
    const std::uint32_t begin = split.begins[place];
    const auto end = std::upper_bound(split.begins.begin() + place, split.begins.end(), begin) - split.begins.begin();
    const std::uint32_t members = static_cast<std::uint32_t>(end) - begin;
    return {place - begin, members, std::span(split.ranks).subspan(begin, members)};
}

}  // namespace warpfront::psl
