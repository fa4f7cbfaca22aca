#include "simulator/machine/placement/cores.hpp"

#include <algorithm>
#include <numeric>

namespace warpfront::machine {

namespace {

/// Deals ranks, one after another, over the parts of all divisions of a node.
class Dealer {
public:
    explicit Dealer(const NodeCores& node) {
        for (const std::uint32_t parts : node.divisions) {
            const std::uint32_t each = std::max<std::uint32_t>(1, node.count / parts);
            divisions_.push_back({each, std::vector<std::uint32_t>((node.count - 1) / each + 1, 0)});
        }
        for (std::uint32_t first = 0; first < node.count; first = cells_.back().end) {
            std::uint32_t end = node.count;
            for (const Division& division : divisions_)
                end = std::min(end, (first / division.cores + 1) * division.cores);
            cells_.push_back({first, end});
        }
    }

    /// Returns the core of the next rank.
    std::uint32_t deal() {
        Cell* best = nullptr;
        for (Cell& cell : cells_) {
            if (cell.free < cell.end && (best == nullptr || has_fewer(cell, *best))) best = &cell;
        }
        const std::uint32_t core = best->free++;
        for (Division& division : divisions_) ++division.ranks[core / division.cores];
        return core;
    }

private:
    struct Division {
        std::uint32_t cores;               // number of cores of a part
        std::vector<std::uint32_t> ranks;  // number of ranks that each part has so far
    };
    /// Consecutive cores that are in the same part of every division.
    struct Cell {
        std::uint32_t free;  // first core that has no rank yet
        std::uint32_t end;
    };

    bool has_fewer(const Cell& one, const Cell& other) const {
        for (const Division& division : divisions_) {
            const std::uint32_t of_one = division.ranks[one.free / division.cores];
            const std::uint32_t of_other = division.ranks[other.free / division.cores];
            if (of_one != of_other) return of_one < of_other;
        }
        return false;
    }

    std::vector<Division> divisions_;
    std::vector<Cell> cells_;
};

/// Numbers the positions of the patch row by row within a block, and block after block.
std::vector<std::uint32_t> numbered_by_blocks(const Patch& patch, const Patch& block) {
    const Extents blocks{patch.columns / block.columns, patch.rows / block.rows, patch.planes / block.planes};
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t z = 0; z < patch.planes; ++z) {
        for (std::uint32_t y = 0; y < patch.rows; ++y) {
            for (std::uint32_t x = 0; x < patch.columns; ++x) {
                numbers.push_back(number_in(blocks, x / block.columns, y / block.rows, z / block.planes) *
                                      block.ranks() +
                                  number_in(block, x % block.columns, y % block.rows, z % block.planes));
            }
        }
    }
    return numbers;
}

}  // namespace

std::vector<std::uint32_t> spread_order(const NodeCores& node, std::uint32_t ranks) {
    Dealer dealer(node);
    std::vector<std::uint32_t> cores;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) cores.push_back(dealer.deal());
    return cores;
}

Patch block_of(const Patch& patch, NodeFill fill, const NodeCores& node) {
    const std::uint32_t shared = fill == NodeFill::spread ? patch.ranks() : node.count;
    if (node.square_groups == 1 || shared % node.square_groups != 0) return {};
    return near_square(patch, shared / node.square_groups);
}

Patch near_square(const Patch& whole, std::uint32_t ranks) {
    Patch nearest;
    const auto sides = [](const Patch& patch) { return std::uint64_t{patch.columns} + patch.rows + patch.planes; };
    for (std::uint32_t columns = whole.columns; columns > 0; --columns) {
        if (whole.columns % columns != 0 || ranks % columns != 0) continue;
        for (std::uint32_t rows = whole.rows; rows > 0; --rows) {
            if (whole.rows % rows != 0 || ranks / columns % rows != 0) continue;
            const Patch patch{columns, rows, ranks / columns / rows};
            if (whole.planes % patch.planes != 0) continue;
            if (nearest.ranks() != ranks || sides(patch) < sides(nearest)) nearest = patch;
        }
    }
    return nearest;
}

std::vector<std::uint32_t> cores_of(const Patch& patch, const CoreRequest& request, const NodeCores& node) {
    std::vector<std::uint32_t> cores;
    for (const CoreRequest::Listed& each : request.listed) cores.push_back(each.core);
    if (!cores.empty()) return cores;
    if (request.fill == NodeFill::spread) {
        cores = spread_order(node, patch.ranks());
    } else {
        cores.resize(patch.ranks());
        std::iota(cores.begin(), cores.end(), 0U);
    }
    const Patch block = block_of(patch, request.fill, node);
    if (block.ranks() == 1) return cores;
    std::ranges::sort(cores);
    std::vector<std::uint32_t> by_blocks;
    for (const std::uint32_t number : numbered_by_blocks(patch, block)) by_blocks.push_back(cores[number]);
    return by_blocks;
}

std::vector<bool> ranks_beside_idle_cores(const Placement& placement, std::uint32_t cores) {
    const auto ranks = static_cast<std::uint32_t>(placement.grid.ranks());
    std::vector<std::uint32_t> on_node(placement.nodes(), 0);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) ++on_node[placement.node_of({rank}).index];
    std::vector<bool> beside(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) beside[rank] = on_node[placement.node_of({rank}).index] < cores;
    return beside;
}

}  // namespace warpfront::machine
