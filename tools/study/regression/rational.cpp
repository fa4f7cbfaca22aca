#include "tools/study/regression/rational.hpp"

#include <utility>

namespace warpfront::regression {

std::vector<std::optional<std::vector<Rational>>> solve(std::vector<std::vector<Rational>> rows,
                                                        std::span<const std::vector<Rational>> ys) {
    const std::size_t columns = rows.empty() ? 0 : rows.front().size();
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (const std::vector<Rational>& y : ys) rows[row].push_back(y[row]);
    }
    std::vector<std::size_t> pivots;  // pivot column of each row that has one
    for (std::size_t column = 0; column < columns && pivots.size() < rows.size(); ++column) {
        const std::size_t top = pivots.size();
        std::size_t found = top;
        while (found < rows.size() && rows[found][column] == 0) ++found;
        if (found == rows.size()) continue;
        std::swap(rows[top], rows[found]);
        const Rational scale = rows[top][column];
        for (std::size_t at = column; at < rows[top].size(); ++at) rows[top][at] /= scale;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (row == top || rows[row][column] == 0) continue;
            const Rational factor = rows[row][column];
            for (std::size_t at = column; at < rows[row].size(); ++at) rows[row][at] -= factor * rows[top][at];
        }
        pivots.push_back(column);
    }
    std::vector<std::optional<std::vector<Rational>>> solutions;
    for (std::size_t y = columns; y < columns + ys.size(); ++y) {
        std::optional<std::vector<Rational>> solution(std::in_place, columns);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (row < pivots.size()) {
                (*solution)[pivots[row]] = rows[row][y];
            } else if (rows[row][y] != 0) {
                solution.reset();
                break;
            }
        }
        solutions.push_back(std::move(solution));
    }
    return solutions;
}

}  // namespace warpfront::regression
