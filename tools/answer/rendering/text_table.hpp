// A table of aligned columns for a terminal. Text columns are flush left, others flush right. A table wider than
// `kWidestTable` is continued below: each further part repeats the leading columns and has the next ones.
#pragma once

#include <string>
#include <string_view>
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
    /// Creates a table whose first `leading` columns are in every part of a wide table.
    explicit TextTable(std::size_t leading) : leading_(leading) {}

    /// Omits a column whose cells are all empty (kEmptyCell).
    void add(TextColumn column);

    std::string render() const;

private:
    std::size_t leading_;
    std::vector<TextColumn> columns_;
};

}  // namespace warpfront::tools
