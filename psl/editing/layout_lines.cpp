#include "psl/editing/layout_lines.hpp"

#include <algorithm>

namespace warpfront::psl {
namespace {

constexpr std::size_t kWidest = 120;

/// Pieces of one line: as much as fits before each break. A piece without a break stays as long as it is.
std::vector<LayoutLine> broken(const LayoutLine& line) {
    std::vector<LayoutLine> pieces;
    std::size_t start = 0;
    std::size_t indent = line.indent;
    const auto add = [&](std::size_t end) {
        std::string text = line.text.substr(start, end - start);
        text.erase(text.find_last_not_of(' ') + 1);
        pieces.push_back({indent, std::move(text), {}, {}, line.blank_before && pieces.empty()});
        start = end;
        indent = line.indent + kIndent;
    };
    while (indent + line.text.size() - start > kWidest) {
        std::size_t best = 0;
        for (const std::size_t each : line.breaks) {
            if (each <= start) continue;
            if (best == 0 || indent + each - start <= kWidest + 1) best = each;
        }
        if (best == 0) break;
        add(best);
    }
    add(line.text.size());
    pieces.back().comment = line.comment;
    return pieces;
}

std::size_t width(const LayoutLine& line) { return line.indent + line.text.size(); }

/// The column of comments in the paragraph that begins at `first`: neighbouring lines of one indentation without a
/// blank line.
std::size_t comment_column(const std::vector<LayoutLine>& lines, std::size_t first) {
    std::size_t column = 0;
    for (std::size_t k = first; k < lines.size(); ++k) {
        if (k > first && (lines[k].blank_before || lines[k].indent != lines[first].indent)) break;
        if (!lines[k].comment.empty()) column = std::max(column, width(lines[k]) + 2);
    }
    return column;
}

}  // namespace

std::string rendered(const std::vector<LayoutLine>& lines) {
    std::vector<LayoutLine> pieces;
    for (const LayoutLine& line : lines) {
        for (LayoutLine& piece : broken(line)) pieces.push_back(std::move(piece));
    }
    std::string result;
    std::size_t column = 0;  // of the comments of this paragraph
    for (std::size_t k = 0; k < pieces.size(); ++k) {
        const LayoutLine& line = pieces[k];
        if (k == 0 || line.blank_before || line.indent != pieces[k - 1].indent) column = comment_column(pieces, k);
        if (line.blank_before) result += '\n';
        result += std::string(line.indent, ' ') + line.text;
        if (!line.comment.empty()) result += std::string(column - width(line), ' ') + line.comment;
        result += '\n';
    }
    return result;
}

}  // namespace warpfront::psl
