#include "simulator/program/collective_use.hpp"

#include <algorithm>

namespace warpfront::program {

void add_use(std::vector<CollectiveUse>& uses, const CollectiveUse& use) {
    const auto known = std::ranges::find_if(uses, [&](const CollectiveUse& each) {
        return each.operation == use.operation && each.algorithm == use.algorithm && each.because == use.because &&
               each.least.has_value() == use.least.has_value();
    });
    if (known == uses.end()) return uses.push_back(use);
    known->fewest_ranks = std::min(known->fewest_ranks, use.fewest_ranks);
    known->most_ranks = std::max(known->most_ranks, use.most_ranks);
    known->least = std::min(known->least, use.least);
    known->most = std::max(known->most, use.most);
}

}  // namespace warpfront::program
