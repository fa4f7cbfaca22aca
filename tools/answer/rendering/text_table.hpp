// A table of aligned columns for a terminal. Text columns are aligned left, others right. A table that is wider than
// `kWidestTable` is divided into parts, one below the other. Each part repeats the leading columns.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpfront::tools {

inline constexpr std::size_t kWidestTable = 160;
inline constexpr std::string_view kEmptyCell = "-";

struct TextColumn {
    enum class Side : bool { left, right };

    std::string header;
    std::vector<std::string> cells;  // one cell per row
    Side side = Side::right;
};

class TextTable {
public:
    /// Creates a table. Its first `leading` columns are repeated in every part of a wide table.
    explicit TextTable(std::size_t leading) : leading_(leading) {}

    /// Adds a column, unless all its cells are empty (kEmptyCell).
    void add(TextColumn column);
    /// Adds a column with one cell per row; `cell` returns the text of a row's cell.
    template <class Rows, class Cell>
    void add(std::string header, const Rows& rows, const Cell& cell, TextColumn::Side side = TextColumn::Side::right) {
        TextColumn column{std::move(header), {}, side};
        for (const auto& row : rows) column.cells.push_back(cell(row));
        add(std::move(column));
    }
    /// Adds a column of texts, which are aligned left, with one cell per row.
    template <class Rows, class Cell>
    void add_texts(std::string header, const Rows& rows, const Cell& cell) {
        add(std::move(header), rows, cell, TextColumn::Side::left);
    }

    std::string render() const;

private:
    std::size_t leading_;
    std::vector<TextColumn> columns_;
};

}  // namespace warpfront::tools
