#include "simulator/scenario/cost_map.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/scenario/csv.hpp"

namespace warpfront::scenario {

using input::DiagnosticKind;
using input::Diagnostics;
using input::SourceFilePtr;
using input::SourceRange;
using variation::CostFactor;

namespace {

const std::array<std::string, 3> kColumnNames{"rank", "wave", "factor"};
constexpr std::size_t kRank = 0, kWave = 1, kFactor = 2;

/// The positions of `rank`, `wave` and `factor` in a row.
using Columns = std::array<std::optional<std::size_t>, kColumnNames.size()>;

Columns find_columns(const std::vector<Cell>& header, const SourceFilePtr& source, Diagnostics& faults) {
    Columns columns;
    for (std::size_t at = 0; at < header.size(); ++at) {
        const auto name = std::find(kColumnNames.begin(), kColumnNames.end(), header[at].text);
        if (name != kColumnNames.end()) {
            columns[static_cast<std::size_t>(name - kColumnNames.begin())] = at;
        } else if (!header[at].text.empty()) {
            faults.add(DiagnosticKind::unknown_column, header[at].range,
                       fmt::format("unknown column `{}`", header[at].text),
                       input::suggestion(header[at].text, kColumnNames));
        }
    }
    const SourceRange line = header.empty() ? SourceRange{source, 0, 0} : header.front().range;
    for (const std::size_t required : {kRank, kFactor}) {
        if (columns[required]) continue;
        faults.add(DiagnosticKind::missing_key, line,
                   fmt::format("a cost map has no column `{}`", kColumnNames[required]),
                   "expected `rank,factor` or `rank,wave,factor`");
    }
    return columns;
}

/// A factor and the range of its rank, without the source: there may be millions.
struct Row {
    CostFactor cost;
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
};
static_assert(input::kLargestFile <= std::numeric_limits<std::uint32_t>::max());

Row read_row(const std::vector<Cell>& cells, const Columns& columns, std::uint64_t ranks, Diagnostics& faults) {
    const Cell& rank = cells[*columns[kRank]];
    const Cell& factor = cells[*columns[kFactor]];
    Row row;
    row.offset = static_cast<std::uint32_t>(rank.range.offset);
    row.length = static_cast<std::uint32_t>(rank.range.length);
    const auto last_rank = static_cast<std::int64_t>(ranks) - 1;
    row.cost.rank = {static_cast<std::uint32_t>(input::parse_integer(rank.text, rank.range, 0, last_rank, faults))};
    if (columns[kWave] && !cells[*columns[kWave]].text.empty()) {
        const Cell& wave = cells[*columns[kWave]];
        row.cost.wave =
            static_cast<std::uint32_t>(input::parse_integer(wave.text, wave.range, 0, variation::kLastWave, faults));
    }
    row.cost.factor = input::parse_real(factor.text, factor.range, faults);
    if (row.cost.factor < 0.0) {
        faults.add(DiagnosticKind::out_of_range, factor.range, fmt::format("`{}` is negative", factor.text),
                   "expected a factor of at least 0");
    }
    return row;
}

void report_duplicates(std::vector<Row>& rows, const SourceFilePtr& source, Diagnostics& faults) {
    const auto key = [](const Row& row) { return std::tuple(row.cost.rank, row.cost.wave); };
    std::sort(rows.begin(), rows.end(),
              [&](const Row& a, const Row& b) { return std::tuple(key(a), a.offset) < std::tuple(key(b), b.offset); });
    for (std::size_t at = 1; at < rows.size(); ++at) {
        if (key(rows[at]) != key(rows[at - 1])) continue;
        const CostFactor& cost = rows[at].cost;
        const std::string tile = cost.wave ? fmt::format(" in wave {}", *cost.wave) : "";
        faults.add(DiagnosticKind::duplicate_row, {source, rows[at].offset, rows[at].length},
                   fmt::format("rank {}{} stands twice", cost.rank.index, tile),
                   fmt::format("it has a factor in line {}", source->position(rows[at - 1].offset).line));
    }
}

}  // namespace

std::vector<CostFactor> read_cost_map(const SourceFilePtr& source, std::uint64_t ranks, Diagnostics& faults) {
    const std::size_t before = faults.count();
    CsvRows csv(source, faults);
    const Columns columns = find_columns(csv.header(), source, faults);
    std::vector<CostFactor> map;
    if (faults.count() != before) return map;
    std::vector<Row> rows;
    while (const auto cells = csv.next()) rows.push_back(read_row(*cells, columns, ranks, faults));
    if (faults.count() == before) report_duplicates(rows, source, faults);
    if (faults.count() != before) return map;
    map.reserve(rows.size());
    for (const Row& row : rows) map.push_back(row.cost);
    return map;
}

}  // namespace warpfront::scenario
