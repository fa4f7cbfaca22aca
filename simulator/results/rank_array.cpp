#include "simulator/results/rank_array.hpp"

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

/// How the array is divided.
struct Cells {
    std::uint32_t columns_each, rows_each;  // of ranks
    std::uint32_t columns, rows;            // of cells

    explicit Cells(RankGrid grid)
        : columns_each(divided_up(grid.columns, kMostCells)),
          rows_each(divided_up(grid.rows, kMostCells)),
          columns(divided_up(grid.columns, columns_each)),
          rows(divided_up(grid.rows, rows_each)) {}

    std::size_t of(Rank rank, RankGrid grid) const {
        const std::size_t row = (grid.row(rank) - 1) / rows_each;
        return row * columns + (grid.column(rank) - 1) / columns_each;
    }
};

Json means(const Cells& cells, RankGrid grid, int digits, const std::function<WideTime(std::uint32_t)>& time) {
    std::vector<double> sums(std::size_t{cells.columns} * cells.rows);
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

Json rank_array(const record::Record& record, RankGrid grid) {
    if (record.rank_breakdown.empty()) return nullptr;
    const Cells cells(grid);
    Json json = {{"columns", cells.columns},
                 {"rows", cells.rows},
                 {"columns_per_cell", cells.columns_each},
                 {"rows_per_cell", cells.rows_each}};
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
