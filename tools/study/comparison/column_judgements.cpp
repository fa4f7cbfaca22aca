#include "tools/study/comparison/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/results/formatting.hpp"

namespace warpfront::tools {

namespace {

constexpr std::string_view kClosedForm = "analytic", kEvent = "event", kClosedFormColumn = "pred";
constexpr Percent kOfClosedForm{1.0};

/// The differences between one engine and one published column, over the rows of a table.
struct ColumnDifferences {
    double sum_of_sizes = 0.0;
    std::size_t rows = 0;
    Percent worst{};
    std::vector<std::string> beyond;  // rows that differ by more than `within`, with their differences

    void add(Percent difference, Percent within, const ComparisonRow& row) {
        ++rows;
        sum_of_sizes += std::abs(difference.value);
        if (std::abs(difference.value) > std::abs(worst.value)) worst = difference;
        if (std::abs(difference.value) <= within.value) return;
        beyond.push_back(fmt::format("{} ranks {:+.1f} %", as_text(row.grid), difference.value));
    }
};

using Rows = std::vector<const ComparisonRow*>;

std::optional<WideTime> published_time(const ComparisonRow& row, std::string_view column) {
    if (column == "exec") return row.measurement ? std::optional<WideTime>(*row.measurement) : std::nullopt;
    const auto found =
        std::ranges::find_if(row.predictions, [&](const MethodTime& time) { return time.method == column; });
    return found == row.predictions.end() ? std::nullopt : std::optional(found->time);
}

/// Returns the largest error of the source's own predictions. Returns nothing if predictions or measurements are
/// missing.
std::optional<Percent> own_error(const Rows& rows) {
    std::optional<Percent> largest;
    for (const ComparisonRow* row : rows) {
        if (!row->measurement) continue;
        for (const MethodTime& prediction : row->predictions) {
            const auto error = difference(prediction.time, *row->measurement);
            if (error && (!largest || std::abs(error->value) > largest->value))
                largest = Percent{std::abs(error->value)};
        }
    }
    return largest;
}

/// Judges one column of a table. Returns nothing if no row has it.
std::optional<Statement> statement_of(const ComparisonEntry& entry, const Rows& rows, const std::string& column) {
    const std::string_view engine = column == kClosedFormColumn ? kClosedForm : kEvent;
    const auto stated = entry.within.find(column);
    const bool own = stated == entry.within.end() && column != kClosedFormColumn;
    const std::optional<Percent> within = stated != entry.within.end()  ? std::optional(stated->second)
                                          : column == kClosedFormColumn ? std::optional(kOfClosedForm)
                                                                        : own_error(rows);
    std::size_t published = 0;
    ColumnDifferences differences;
    for (const ComparisonRow* row : rows) {
        const std::optional<WideTime> theirs = published_time(*row, column);
        if (!theirs) continue;
        ++published;
        const MethodTime* ours = time_of(*row, engine);
        const auto percent = ours == nullptr ? std::nullopt : difference(ours->time, *theirs);
        if (percent && within) differences.add(*percent, *within, *row);
    }
    if (published == 0 || !within) return std::nullopt;
    const auto tested = entry.tested_by.find(column);
    Statement statement{.states = fmt::format("{}: {}", entry.name, column),
                        .expected = fmt::format("{} within {:.3g} %{}", results::counted(published, "row"),
                                                within->value, own ? ", the source's largest error" : " (our bound)"),
                        .our_bounds = !own,
                        .reason = entry.reason,
                        .tested_by = tested == entry.tested_by.end() ? std::string() : tested->second};
    if (differences.rows == 0) return statement;
    std::string text =
        fmt::format("{}, mean {:.2g} %, worst {:+.2g} %", results::counted(differences.rows, "row"),
                    differences.sum_of_sizes / static_cast<double>(differences.rows), differences.worst.value);
    if (!differences.beyond.empty()) text += fmt::format("; outside: {}", fmt::join(differences.beyond, ", "));
    statement.ours.push_back({std::string(engine), std::move(text), differences.worst, differences.beyond.empty()});
    return statement;
}

}  // namespace

std::vector<Statement> judge(const ComparisonEntry& entry, const Comparison& comparison) {
    Rows rows;
    for (const ComparisonRow& row : comparison.rows) {
        if (row.table == entry.name) rows.push_back(&row);
    }
    std::vector<Statement> statements;
    for (const char* column : {"pred", "warpp", "pace", "exec"}) {
        if (auto statement = statement_of(entry, rows, column)) statements.push_back(std::move(*statement));
    }
    return statements;
}

}  // namespace warpfront::tools
