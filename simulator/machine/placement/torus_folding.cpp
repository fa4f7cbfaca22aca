#include "simulator/machine/placement/torus_folding.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

namespace warpfront::machine {

namespace {

enum Group : unsigned { kColumns, kRows, kLayerGroup };
constexpr std::size_t kGroups = 3;

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// The position after `steps` on a path of `length` that reverses at each end.
std::uint64_t boustrophedon(std::uint64_t steps, std::uint64_t length) {
    const std::uint64_t within = steps % length;
    return steps / length % 2 == 0 ? within : length - 1 - within;
}

/// Links between neighbours across a turn of the outer axis; the axis that folds less is the inner one.
std::uint64_t distance_across(std::uint64_t column_folds, std::uint64_t row_folds) {
    return std::max<std::uint64_t>(1, std::min(column_folds, row_folds));
}

/// A candidate for a larger torus; a lower rank is better.
struct Growth {
    std::uint64_t nodes = 0;  // to place
    std::uint64_t hosts = 0;
    double elongation = 0.0;  // longest dimension / shortest
    std::uint64_t distance = 0;
    std::vector<std::uint32_t> dimensions;

    auto rank() const {
        return std::make_tuple(std::max(hosts, 2 * nodes), std::max(elongation, 2.0), distance, hosts, elongation);
    }
};

/// Hosts in the dimensions beyond the third.
std::uint64_t further_hosts(const std::vector<std::uint32_t>& dimensions) {
    std::uint64_t product = 1;
    for (std::size_t k = 3; k < dimensions.size(); ++k) product *= dimensions[k];
    return product;
}

Growth fold_into(std::vector<std::uint32_t> dimensions, std::uint32_t columns, std::uint32_t rows,
                 std::uint64_t column_folds, std::uint64_t row_folds) {
    const std::uint64_t further = further_hosts(dimensions);
    dimensions[0] = static_cast<std::uint32_t>(ceil_div(columns, column_folds));
    dimensions[1] = static_cast<std::uint32_t>(ceil_div(rows, row_folds));
    dimensions[2] = static_cast<std::uint32_t>(ceil_div(column_folds * row_folds, further));
    const auto [shortest, longest] = std::minmax_element(dimensions.begin(), dimensions.end());
    Growth growth;
    growth.nodes = std::uint64_t{columns} * rows;
    growth.elongation = static_cast<double>(*longest) / static_cast<double>(*shortest);
    growth.distance = distance_across(column_folds, row_folds);
    growth.hosts = hosts_of(dimensions);
    growth.dimensions = std::move(dimensions);
    return growth;
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

TorusFolding::TorusFolding(std::uint32_t columns, std::uint32_t rows, TorusPath column_path, TorusPath row_path,
                           TorusPath layer_path)
    : columns_(std::move(column_path)),
      rows_(std::move(row_path)),
      layers_(std::move(layer_path)),
      column_folds_(ceil_div(columns, columns_.length())),
      row_folds_(ceil_div(rows, rows_.length())),
      columns_inner_(column_folds_ <= row_folds_) {
    across_outer_ = columns_inner_ ? columns : rows;
}

Host TorusFolding::host(std::uint32_t column, std::uint32_t row) const {
    const std::uint64_t column_fold = column / columns_.length();
    const std::uint64_t row_fold = row / rows_.length();
    const std::uint64_t layer =
        columns_inner_ ? row_fold * column_folds_ + column_fold : column_fold * row_folds_ + row_fold;
    return {columns_.offset(boustrophedon(column, columns_.length())) +
            rows_.offset(boustrophedon(row, rows_.length())) + layers_.offset(layer)};
}

std::uint64_t TorusFolding::greatest_distance() const { return distance_across(column_folds_, row_folds_); }

std::uint64_t TorusFolding::extra_links() const {
    const std::uint64_t outer_turns = std::max(column_folds_, row_folds_) - 1;
    return outer_turns * across_outer_ * (greatest_distance() - 1);
}

TorusFolding best_folding(std::uint32_t columns, std::uint32_t rows, const std::vector<std::uint32_t>& dimensions) {
    std::vector<unsigned> group(dimensions.size(), kLayerGroup);
    const auto folding = [&] {
        return TorusFolding(columns, rows, TorusPath(dimensions, group, kColumns), TorusPath(dimensions, group, kRows),
                            TorusPath(dimensions, group, kLayerGroup));
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
    std::size_t assignments = 1;
    for (std::size_t k = 0; k < longer_than_one.size(); ++k) assignments *= kGroups;
    for (std::size_t assignment = 0; assignment < assignments; ++assignment) {
        std::size_t digits = assignment;
        for (const std::size_t k : longer_than_one) {
            group[k] = static_cast<unsigned>(digits % kGroups);
            digits /= kGroups;
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

std::vector<std::uint32_t> grow(const std::vector<std::uint32_t>& original, std::uint32_t columns, std::uint32_t rows) {
    const std::uint64_t nodes = std::uint64_t{columns} * rows;
    if (original.size() == 1) return {static_cast<std::uint32_t>(nodes)};
    if (original.size() == 2) return {columns, rows};

    // more layers than the square root of the nodes only elongate the machine, fewer than it has waste hosts
    const auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(nodes))) + 1;
    const std::uint64_t most_layers = std::max(root, further_hosts(original));
    std::optional<Growth> best;
    for (std::uint64_t across = 1; across <= columns && across <= most_layers; ++across) {
        for (std::uint64_t down = 1; down <= rows && across * down <= most_layers; ++down) {
            Growth growth = fold_into(original, columns, rows, across, down);
            if (!best || growth.rank() < best->rank()) best = std::move(growth);
        }
    }
    return best->dimensions;
}

}  // namespace warpfront::machine
