#include "simulator/results/rank_array.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace warpfront::results {

namespace {

using Json = nlohmann::ordered_json;

std::uint32_t divided_up(std::uint32_t count, std::uint32_t by) { return (count + by - 1) / by; }

constexpr int kDigits = 6;
constexpr int kDigitsOfFinish = 10;  // ranks finish microseconds apart after a long run

double rounded(double value, int digits) { return std::stod(fmt::format("{:.{}e}", value, digits - 1)); }

/// The most cells along a side with which all planes together have at most kMostCells x kMostCells.
std::uint32_t most_along_a_side(const Extents& grid) {
    const auto cells = [&](std::uint32_t most) {
        return Extents{std::min(grid.columns, most), std::min(grid.rows, most), std::min(grid.planes, most)}.count();
    };
    std::uint32_t most = kMostCells;
    while (cells(most) > std::uint64_t{kMostCells} * kMostCells) --most;
    return most;
}

/// How the array is divided.
struct Cells {
    Extents each;  // of ranks
    RankGrid array;

    explicit Cells(const RankGrid& grid) {
        const std::uint32_t most = most_along_a_side(grid);
        each = {divided_up(grid.columns, most), divided_up(grid.rows, most), divided_up(grid.planes, most)};
        array = {divided_up(grid.columns, each.columns), divided_up(grid.rows, each.rows),
                 divided_up(grid.planes, each.planes)};
    }

    std::size_t of(Rank rank, const RankGrid& grid) const {
        return array
            .at((grid.column(rank) - 1) / each.columns + 1, (grid.row(rank) - 1) / each.rows + 1,
                (grid.plane(rank) - 1) / each.planes + 1)
            .index;
    }
};

Json means(const Cells& cells, const RankGrid& grid, int digits, const std::function<WideTime(std::uint32_t)>& time) {
    std::vector<double> sums(cells.array.count());
    std::vector<double> counts(sums.size());
    for (std::uint32_t rank = 0; rank < grid.ranks(); ++rank) {
        const std::size_t cell = cells.of({rank}, grid);
        sums[cell] += seconds(time(rank));
        counts[cell] += 1.0;
    }
    Json list = Json::array();
    for (std::size_t cell = 0; cell < sums.size(); ++cell) list.push_back(rounded(sums[cell] / counts[cell], digits));
    return list;
}

WideTime queueing(const record::Breakdown& parts) { return parts.bus_wait + parts.nic_wait + parts.link_wait; }

}  // namespace

Json rank_array(const record::Record& record, const RankGrid& grid) {
    if (record.rank_breakdown.empty()) return nullptr;
    const Cells cells(grid);
    Json json = {{"columns", cells.array.columns},
                 {"rows", cells.array.rows},
                 {"columns_per_cell", cells.each.columns},
                 {"rows_per_cell", cells.each.rows}};
    if (grid.planes > 1) {
        json["planes"] = cells.array.planes;
        json["planes_per_cell"] = cells.each.planes;
    }
    const auto add = [&](const char* name, int digits, const std::function<WideTime(std::uint32_t)>& time) {
        json[name] = means(cells, grid, digits, time);
    };
    if (!record.rank_first_tile.empty()) {
        add("first_tile_s", kDigits, [&](std::uint32_t rank) { return record.rank_first_tile[rank]; });
    }
    add("compute_s", kDigits, [&](std::uint32_t rank) { return record.rank_breakdown[rank].compute; });
    add("wait_s", kDigits, [&](std::uint32_t rank) { return record.rank_breakdown[rank].wait; });
    add("queue_s", kDigits, [&](std::uint32_t rank) { return queueing(record.rank_breakdown[rank]); });
    add("finish_s", kDigitsOfFinish, [&](std::uint32_t rank) { return record.rank_finish[rank]; });
    return json;
}

}  // namespace warpfront::results
