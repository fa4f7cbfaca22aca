#include "simulator/machine/placement/torus_folding.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

namespace warpfront::machine {

namespace {

enum Group : unsigned { kColumns, kRows, kLayerGroup, kPlanes };
constexpr std::size_t kGroupsOfPlane = 3;  // number of groups that are used without planes, before kPlanes
constexpr std::size_t kAxes = 3;
constexpr double kLongest = 2.0;  // length of the longest dimension, in lengths of the shortest, that is not avoided

PerAxis<std::uint64_t> sides(const Extents& array) { return {array.columns, array.rows, array.planes}; }

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// Returns the position after `steps` steps on a path of `length` positions that reverses at each end.
std::uint64_t boustrophedon(std::uint64_t steps, std::uint64_t length) {
    const std::uint64_t within = steps % length;
    return steps / length % 2 == 0 ? within : length - 1 - within;
}

/// A candidate for a larger torus; a lower rank is better.
struct Growth {
    std::uint64_t nodes = 0;  // number of nodes to place
    std::uint64_t hosts = 0;
    double elongation = 0.0;  // longest dimension / shortest dimension
    std::uint64_t distance = 0;
    std::vector<std::uint32_t> dimensions;

    auto rank() const {
        return std::make_tuple(std::max(hosts, 2 * nodes), std::max(elongation, kLongest), distance, hosts, elongation);
    }
};

/// Returns the number of hosts in the dimensions beyond the third.
std::uint64_t further_hosts(const std::vector<std::uint32_t>& dimensions) {
    std::uint64_t product = 1;
    for (std::size_t k = 3; k < dimensions.size(); ++k) product *= dimensions[k];
    return product;
}

/// Returns the candidate with these dimensions, in which neighbours are at most `distance` links apart.
Growth growth_to(std::vector<std::uint32_t> dimensions, const Extents& array, std::uint64_t distance) {
    const auto [shortest, longest] = std::minmax_element(dimensions.begin(), dimensions.end());
    Growth growth;
    growth.nodes = array.count();
    growth.elongation = static_cast<double>(*longest) / static_cast<double>(*shortest);
    growth.distance = distance;
    growth.hosts = hosts_of(dimensions);
    growth.dimensions = std::move(dimensions);
    return growth;
}

/// Returns a folding in which every node along the axis `layered` has a fold of its own.
Growth fold_into(std::vector<std::uint32_t> dimensions, const Extents& array, std::size_t layered,
                 PerAxis<std::uint64_t> folds) {
    const PerAxis<std::uint64_t> side = sides(array);
    folds[layered] = side[layered];
    const NestedFolds nested(folds);
    for (std::size_t axis = 0; axis < std::min(kAxes, dimensions.size()); ++axis) {
        dimensions[axis] = static_cast<std::uint32_t>(ceil_div(side[axis], folds[axis]));
    }
    dimensions[layered] = static_cast<std::uint32_t>(ceil_div(nested.count(), further_hosts(dimensions)));
    return growth_to(std::move(dimensions), array, nested.greatest_distance());
}

/// Tries all numbers of folds for the two other axes.
void consider(const std::vector<std::uint32_t>& original, const Extents& array, std::size_t layered,
              std::optional<Growth>& best) {
    const PerAxis<std::uint64_t> side = sides(array);
    const std::size_t a = layered == 0 ? 1 : 0;
    const std::size_t b = layered == 2 ? 1 : 2;
    // More layers than the square root of the number of nodes would only elongate the machine. Fewer layers than the
    // dimension has hosts would leave hosts unused.
    const auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(array.count()))) + 1;
    const std::uint64_t most = std::max<std::uint64_t>(std::max(root, further_hosts(original)) / side[layered], 1);
    for (std::uint64_t folds_a = 1; folds_a <= side[a] && folds_a <= most; ++folds_a) {
        for (std::uint64_t folds_b = 1; folds_b <= side[b] && folds_a * folds_b <= most; ++folds_b) {
            PerAxis<std::uint64_t> folds{};
            folds[a] = folds_a;
            folds[b] = folds_b;
            Growth growth = fold_into(original, array, layered, folds);
            if (!best || growth.rank() < best->rank()) best = std::move(growth);
        }
    }
}

/// Tries all numbers of hosts for the first three dimensions that differ by at most a factor of two.
void consider_compact(const std::vector<std::uint32_t>& original, const Extents& array, std::optional<Growth>& best) {
    const std::uint64_t needed = ceil_div(array.count(), further_hosts(original));
    std::vector<std::uint32_t> dimensions = original;
    // A longer dimension than twice the side of a cube leaves hosts unused.
    const auto side = static_cast<std::uint32_t>(std::cbrt(static_cast<double>(needed)));
    for (std::uint32_t longest = std::max(side, 1U); longest <= 2 * side + 1; ++longest) {
        for (std::uint32_t middle = (longest + 1) / 2; middle <= longest; ++middle) {
            const auto shortest = static_cast<std::uint32_t>(ceil_div(needed, std::uint64_t{longest} * middle));
            if (shortest > middle || 2 * shortest < longest) continue;
            std::copy_n(std::array{longest, middle, shortest}.begin(), kAxes, dimensions.begin());
            if (growth_to(dimensions, array, 1).rank() >= best->rank()) continue;  // not even with adjacent neighbours
            const TorusFolding folding = best_folding(array, dimensions);
            if (!folding.holds()) continue;
            Growth growth = growth_to(dimensions, array, folding.greatest_distance());
            if (growth.rank() < best->rank()) best = std::move(growth);
        }
    }
}

}  // namespace

TorusPath::TorusPath(const std::vector<std::uint32_t>& dimensions, const std::vector<unsigned>& group, unsigned which) {
    std::uint32_t stride = 1;
    for (std::size_t k = 0; k < dimensions.size(); ++k) {
        if (group[k] == which) {
            legs_.push_back({dimensions[k], stride});
            length_ *= dimensions[k];
        }
        stride *= dimensions[k];
    }
}

std::uint32_t TorusPath::offset(std::uint64_t position) const {
    std::uint32_t number = 0;
    for (const Leg& leg : legs_) {
        number += static_cast<std::uint32_t>(boustrophedon(position, leg.hosts)) * leg.stride;
        position /= leg.hosts;
    }
    return number;
}

NestedFolds::NestedFolds(const PerAxis<std::uint64_t>& folds) : folds_(folds) {
    PerAxis<std::size_t> inner_first{0, 1, 2};
    std::ranges::stable_sort(inner_first, [&](std::size_t a, std::size_t b) { return folds[a] < folds[b]; });
    for (const std::size_t axis : inner_first) {
        stride_[axis] = count_;
        count_ *= folds[axis];
    }
}

std::uint64_t NestedFolds::greatest_distance() const {
    std::uint64_t greatest = 1;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
        if (folds_[axis] > 1) greatest = std::max(greatest, stride_[axis]);
    }
    return greatest;
}

TorusFolding::TorusFolding(const Extents& array, PerAxis<TorusPath> paths, TorusPath layer_path)
    : extents_(sides(array)),
      paths_(std::move(paths)),
      layers_(std::move(layer_path)),
      folds_({ceil_div(extents_[0], paths_[0].length()), ceil_div(extents_[1], paths_[1].length()),
              ceil_div(extents_[2], paths_[2].length())}) {}

Host TorusFolding::host(const PerAxis<std::uint32_t>& node) const {
    std::uint32_t number = 0;
    std::uint64_t layer = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
        const std::uint64_t length = paths_[axis].length();
        number += paths_[axis].offset(boustrophedon(node[axis], length));
        layer += node[axis] / length * folds_.stride(axis);
    }
    return {number + layers_.offset(layer)};
}

std::uint64_t TorusFolding::extra_links() const {
    std::uint64_t links = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
        const std::uint64_t pairs_at_turn = extents_[(axis + 1) % kAxes] * extents_[(axis + 2) % kAxes];
        links += (folds_.folds(axis) - 1) * pairs_at_turn * (folds_.stride(axis) - 1);
    }
    return links;
}

TorusFolding best_folding(const Extents& array, const std::vector<std::uint32_t>& dimensions) {
    std::vector<unsigned> group(dimensions.size(), kLayerGroup);
    const auto path = [&](Group which) { return TorusPath(dimensions, group, which); };
    const auto folding = [&] {
        return TorusFolding(array, {path(kColumns), path(kRows), path(kPlanes)}, path(kLayerGroup));
    };
    const auto score = [](const TorusFolding& candidate) {
        return std::make_pair(candidate.greatest_distance(), candidate.extra_links());
    };

    TorusFolding best = folding();
    std::vector<std::size_t> longer_than_one;
    for (std::size_t k = 0; k < dimensions.size(); ++k) {
        if (dimensions[k] > 1) longer_than_one.push_back(k);
    }
    if (longer_than_one.size() > kMostFoldedDimensions) return best;
    const std::size_t groups = kGroupsOfPlane + (array.planes > 1 ? 1 : 0);
    std::size_t assignments = 1;
    for (std::size_t k = 0; k < longer_than_one.size(); ++k) assignments *= groups;
    for (std::size_t assignment = 0; assignment < assignments; ++assignment) {
        std::size_t digits = assignment;
        for (const std::size_t k : longer_than_one) {
            group[k] = static_cast<unsigned>(digits % groups);
            digits /= groups;
        }
        TorusFolding candidate = folding();
        if (candidate.holds() && score(candidate) < score(best)) best = std::move(candidate);
    }
    return best;
}

std::uint64_t hosts_of(const std::vector<std::uint32_t>& dimensions) {
    std::uint64_t product = 1;
    for (const std::uint32_t length : dimensions) product *= length;
    return product;
}

std::vector<std::uint32_t> grow(const std::vector<std::uint32_t>& original, const Extents& array) {
    const std::uint64_t nodes = array.count();
    if (original.size() == 1) return {static_cast<std::uint32_t>(nodes)};
    if (original.size() == 2 && array.planes > 1) {
        const std::uint32_t longest = std::max({array.columns, array.rows, array.planes});
        return {longest, static_cast<std::uint32_t>(nodes / longest)};
    }
    std::optional<Growth> best;
    if (original.size() > 2) consider(original, array, 2, best);
    if (original.size() == 2 || array.planes > 1) {
        consider(original, array, 0, best);
        consider(original, array, 1, best);
    }
    const bool is_flat = std::ranges::min(sides(array)) == 1;
    if (original.size() > 2 && is_flat && best->elongation > kLongest) consider_compact(original, array, best);
    return best->dimensions;
}

}  // namespace warpfront::machine
