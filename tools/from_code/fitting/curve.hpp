// A measured curve of time by message size, divided into pieces of straight lines.
//
// A piece is T(S) = a + g S with a, g >= 0 by least squares of relative deviations, sum ((T_i - a - g S_i) / T_i)^2.
// For each number of pieces, dynamic programming over the sizes finds those with the least sum R (Bellman 1961, "On the
// approximation of curves by line segments using dynamic programming"). The number of pieces is the k with the least
//
//   BIC(k) = n ln(max(R_k / n, f^2)) + 4 k ln n            n points
//
// where f = `kNegligible` is a relative deviation that does not justify another piece. A piece counts as four terms:
// two of its line and two for its end, which is chosen among all points (Zhang and Siegmund 2007, "A modified Bayes
// information criterion"). A point further from its piece than `kFar` times the robust deviation of the points (1.4826
// times the median) is an outlier, unless `kFewestPoints` or more such points are adjacent. The pieces are found again
// without the outliers. Points that fit none of their neighbours are left out from the start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace warpfront::tools {

struct CurvePoint {
    double bytes = 0.0;
    double seconds = 0.0;  // above 0
};

struct Line {
    double intercept = 0.0;  // seconds
    double slope = 0.0;      // seconds per byte

    double at(double bytes) const { return intercept + slope * bytes; }
};

struct Piece {
    std::size_t first = 0;  // number of the first point
    std::size_t end = 0;    // number after that of the last point
    Line line;
    double deviation = 0.0;  // root of the mean square of relative deviations, without outliers
};

struct PieceCount {
    std::size_t pieces = 0;
    double bic = 0.0;
    double deviation = 0.0;
};

struct FittedCurve {
    std::vector<Piece> pieces;
    std::vector<bool> outliers;        // true for points that are outliers
    std::vector<PieceCount> by_count;  // the result of each number of pieces
};

inline constexpr double kNegligible = 0.005;
inline constexpr double kFar = 4.5;
inline constexpr std::size_t kMostPieces = 10;
inline constexpr std::size_t kFewestPoints = 3;  // least number of points of a piece

/// Fits a curve. `points` ascend by size; several may have the same size. A piece must begin at one of the points with
/// the numbers `breaks`; without breaks it may begin anywhere. There must be at least `kFewestPoints` points, and as
/// many on both sides of each break.
FittedCurve fit_curve(std::span<const CurvePoint> points, std::span<const std::size_t> breaks = {});

/// Fits one line through all points except those that are far from it. The line is constant if bytes matter less than
/// `kNegligible` or all points have one size. There must be at least one point.
Line fit_line(std::span<const CurvePoint> points);

}  // namespace warpfront::tools
