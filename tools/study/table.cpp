#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "simulator/results/formatting.hpp"
#include "tools/rendering/text_table.hpp"
#include "tools/study/outputs.hpp"

namespace warpfront::tools {

namespace {

constexpr std::size_t kMostNotesShown = 8;

using CellOf = std::function<std::optional<double>(std::size_t row)>;

std::string number_cell(std::optional<double> value, int digits) {
    return value ? fmt::format("{:.{}g}", *value, digits) : std::string(kEmptyCell);
}

TextColumn numbers(std::string header, std::size_t rows, int digits, const CellOf& cell) {
    TextColumn column{std::move(header), {}};
    for (std::size_t row = 0; row < rows; ++row) column.cells.push_back(number_cell(cell(row), digits));
    return column;
}

/// What is shown of the axes at a row.
NamedTexts shown_at_row(const StudyResults& results, std::size_t row) {
    NamedTexts all;
    for (std::size_t axis = 0; axis < results.plan().axes.size(); ++axis) {
        const NamedTexts some = shown_at(results.plan(), axis, results.points()[row]);
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

void add_values(const StudyResults& results, TextTable& table) {
    std::vector<TextColumn> columns;
    for (std::size_t row = 0; row < results.rows(); ++row) {
        const NamedTexts values = shown_at_row(results, row);
        columns.resize(values.size());
        for (std::size_t k = 0; k < values.size(); ++k) {
            columns[k].header = values[k].first;
            columns[k].cells.push_back(values[k].second);
        }
    }
    for (TextColumn& column : columns) table.add(std::move(column));
}

void add_ranks(const StudyResults& results, TextTable& table) {
    TextColumn column{"ranks", {}};
    bool varies = false;
    for (std::size_t row = 0; row < results.rows(); ++row) {
        column.cells.push_back(results::grouped(results.at(row).ranks));
        varies = varies || results.at(row).ranks != results.at(0).ranks;
    }
    if (varies) table.add(std::move(column));
}

/// 100 * (first engine - other) / other, for the first engine beside every other.
void add_differences(const StudyResults& results, TextTable& table) {
    const std::vector<std::string>& engines = results.engines();
    for (std::size_t k = 1; k < engines.size(); ++k) {
        table.add(numbers(fmt::format("{}/{} %", engines[0], engines[k]), results.rows(), 3,
                          [&](std::size_t row) -> std::optional<double> {
                              const auto one = results.value(ColumnName::time, row, engines[0]);
                              const auto other = results.value(ColumnName::time, row, engines[k]);
                              if (!one || !other || *other == 0.0) return std::nullopt;
                              return 100.0 * (*one - *other) / *other;
                          }));
    }
}

std::string best_lines(const StudyResults& results) {
    std::string text;
    std::string group;
    for (const BestFound& best : find_best(results)) {
        const StudyPlan& plan = results.plan();
        const ColumnText& column = text_of(best.what.column);
        const std::string heading = fmt::format("{} {} over {}:\n", column.more_is_better ? "most" : "least",
                                                column.name, plan.axes[best.what.axis].name());
        if (heading != group) text += heading;
        group = heading;
        std::string others, chosen;
        for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
            if (plan.axes[axis].size == 1) continue;
            for (const auto& [name, value] : shown_at(plan, axis, best.row)) {
                std::string& into = axis == best.what.axis ? chosen : others;
                into += fmt::format("{}{}={}", into.empty() ? "" : ", ", name, value);
            }
        }
        text += fmt::format("  {}{}{}: {} ({:.6g}{}{})\n", others, others.empty() ? "" : ", ", best.engine, chosen,
                            best.value, column.unit.empty() ? "" : " ", column.unit);
    }
    return text;
}

}  // namespace

std::string header_of(std::string_view engine, ColumnName column) {
    const ColumnText& text = text_of(column);
    return fmt::format("{} {}{}{}", engine, text.name, text.unit.empty() ? "" : " ", text.unit);
}

std::string study_table(const StudyResults& results) {
    std::string text;
    if (!results.plan().question.empty()) text += results.plan().question + "\n\n";
    TextTable table(shown_at_row(results, 0).size());
    add_values(results, table);
    add_ranks(results, table);
    for (const ColumnName column : results.columns()) {
        for (const std::string& engine : results.engines()) {
            table.add(numbers(header_of(engine, column), results.rows(), column == ColumnName::time ? 6 : 4,
                              [&](std::size_t row) { return results.value(column, row, engine); }));
        }
        if (column == ColumnName::time) add_differences(results, table);
    }
    text += table.render();
    if (const std::string best = best_lines(results); !best.empty()) text += "\n" + best;
    const std::vector<std::string> notes = results.notes();
    if (!notes.empty()) text += "\n";
    for (std::size_t k = 0; k < std::min(notes.size(), kMostNotesShown); ++k)
        text += fmt::format("note: {}\n", notes[k]);
    if (notes.size() > kMostNotesShown) {
        text += fmt::format("{} more notes are in the JSON\n", notes.size() - kMostNotesShown);
    }
    return text;
}

}  // namespace warpfront::tools
