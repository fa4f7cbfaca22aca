#include "tools/answer/rendering/text_table.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace warpfront::tools {

namespace {

constexpr std::size_t kGap = 2;

std::size_t width_of(const TextColumn& column) {
    std::size_t widest = column.header.size();
    for (const std::string& cell : column.cells) widest = std::max(widest, cell.size());
    return widest;
}

using Part = std::vector<const TextColumn*>;

/// Appends a line of the table. `cell` returns the text of a column.
template <typename Cell>
void append_line(std::string& text, const Part& part, const Cell& cell) {
    std::string line;
    for (const TextColumn* column : part) {
        if (column != part.front()) line.append(kGap, ' ');
        const bool left = column->side == TextColumn::Side::left;
        line += left ? fmt::format("{:<{}}", cell(*column), width_of(*column))
                     : fmt::format("{:>{}}", cell(*column), width_of(*column));
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
}

void append_part(std::string& text, const Part& part) {
    append_line(text, part, [](const TextColumn& column) -> const std::string& { return column.header; });
    for (std::size_t row = 0; row < part.front()->cells.size(); ++row) {
        append_line(text, part, [row](const TextColumn& column) -> const std::string& { return column.cells[row]; });
    }
}

}  // namespace

void TextTable::add(TextColumn column) {
    const auto empty = [](const std::string& cell) { return cell == kEmptyCell; };
    if (!std::all_of(column.cells.begin(), column.cells.end(), empty)) columns_.push_back(std::move(column));
}

std::string TextTable::render() const {
    if (columns_.empty()) return {};
    const std::size_t leading = std::min(leading_, columns_.size());
    Part lead;
    std::size_t lead_width = 0;
    for (std::size_t k = 0; k < leading; ++k) {
        lead.push_back(&columns_[k]);
        lead_width += width_of(columns_[k]) + kGap;
    }
    std::string text;
    Part part = lead;
    std::size_t width = lead_width;
    for (std::size_t k = leading; k < columns_.size(); ++k) {
        const std::size_t added = width_of(columns_[k]) + kGap;
        if (part.size() > leading && width + added > kWidestTable + kGap) {
            append_part(text, part);
            text += '\n';
            part = lead;
            width = lead_width;
        }
        part.push_back(&columns_[k]);
        width += added;
    }
    append_part(text, part);
    return text;
}

}  // namespace warpfront::tools
