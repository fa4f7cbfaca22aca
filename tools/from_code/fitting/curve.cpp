#include "tools/from_code/fitting/curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "tools/study/regression/least_squares.hpp"
#include "tools/study/regression/robust.hpp"

namespace warpfront::tools {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr unsigned kMostRounds = 4;    // number of searches for outliers
constexpr double kTermsOfPiece = 4.0;  // two terms of its line, and two for its end, which is chosen among all points

/// The sums of relative deviations from a line. Sizes are in units of `scale`.
class LineSums {
public:
    explicit LineSums(double scale) : scale_(scale) {}

    void add(const CurvePoint& point) { sums_.add(1.0 / point.seconds, point.bytes / scale_ / point.seconds); }
    Line line() const {
        const auto [intercept, slope] = sums_.non_negative();
        return {intercept, slope / scale_};
    }
    /// Returns the sum of squares of relative deviations from the line.
    double least_squares() const { return sums_.squares(sums_.non_negative()); }

private:
    double scale_;
    regression::TwoTerms sums_;
};

Line line_through(std::span<const CurvePoint> points) {
    LineSums sums(std::max(points.back().bytes, 1.0));
    for (const CurvePoint& point : points) sums.add(point);
    return sums.line();
}

double relative(const CurvePoint& point, const Line& line) { return line.at(point.bytes) / point.seconds - 1.0; }

double deviation_of(std::span<const CurvePoint> points, const Line& line) {
    double squares = 0.0;
    for (const CurvePoint& point : points) squares += relative(point, line) * relative(point, line);
    return std::sqrt(squares / static_cast<double>(points.size()));
}

/// Returns the distance of a point from the line through the points `a` and `b`, divided by the standard deviation that
/// this distance has if the relative errors of all three points are independent with a standard deviation of 1. Returns
/// nothing if `a` and `b` have the same size.
std::optional<double> beside(const CurvePoint& point, const CurvePoint& a, const CurvePoint& b) {
    if (a.bytes == b.bytes) return std::nullopt;
    const double of_b = (point.bytes - a.bytes) / (b.bytes - a.bytes);
    const double expected = (1.0 - of_b) * a.seconds + of_b * b.seconds;
    const double scale = std::hypot(point.seconds, (1.0 - of_b) * a.seconds, of_b * b.seconds);
    return std::abs(point.seconds - expected) / scale;
}

/// Marks points that are far from the lines through all pairs of near points. At a break, the pair on one side is near.
std::vector<bool> far_from_neighbours(std::span<const CurvePoint> points) {
    static constexpr std::array<std::array<std::ptrdiff_t, 2>, 3> kInside{{{-1, 1}, {-2, -1}, {1, 2}}};
    static constexpr std::array<std::array<std::ptrdiff_t, 2>, 5> kAtEnds{
        {{-1, 1}, {-2, -1}, {1, 2}, {-3, -2}, {2, 3}}};
    const auto count = static_cast<std::ptrdiff_t>(points.size());
    const auto distances = [&](std::ptrdiff_t k) {
        std::vector<double> found;
        const bool inside = k >= 2 && k + 2 < count;
        for (const auto& [first, second] : inside ? std::span<const std::array<std::ptrdiff_t, 2>>(kInside)
                                                  : std::span<const std::array<std::ptrdiff_t, 2>>(kAtEnds)) {
            if (k + first < 0 || k + second >= count) continue;
            const auto point = [&](std::ptrdiff_t at) { return points[static_cast<std::size_t>(at)]; };
            if (const auto distance = beside(point(k), point(k + first), point(k + second))) found.push_back(*distance);
        }
        return found;
    };
    std::vector<double> between;
    for (std::ptrdiff_t k = 1; k + 1 < count; ++k) {
        const std::vector<double> found = distances(k);
        if (!found.empty()) between.push_back(found.front());
    }
    const double limit = kFar * std::max(regression::robust_deviation(between), kNegligible);
    std::vector<bool> far(points.size(), false);
    for (std::ptrdiff_t k = 0; k < count; ++k) {
        const std::vector<double> found = distances(k);
        far[static_cast<std::size_t>(k)] =
            found.size() > 1 && std::all_of(found.begin(), found.end(), [&](double each) { return each > limit; });
    }
    return far;
}

/// The divisions of the points from `first` to `end` into pieces with the least sums of squares, by number of pieces.
class BestPieces {
public:
    BestPieces(std::span<const CurvePoint> points, std::size_t first, std::size_t end) : first_(first) {
        const std::size_t count = end - first;
        const std::size_t fewest = std::min(kFewestPoints, count);
        std::vector<std::vector<double>> of_piece(count, std::vector<double>(count + 1, kInfinite));
        for (std::size_t i = 0; i < count; ++i) {
            LineSums sums(std::max(points[end - 1].bytes, 1.0));
            for (std::size_t j = i + 1; j <= count; ++j) {
                sums.add(points[first + j - 1]);
                if (j - i >= fewest && is_end(points, first + j, end)) of_piece[i][j] = sums.least_squares();
            }
        }
        least_.push_back(of_piece.front());
        begins_.emplace_back(count + 1, 0);
        for (std::size_t pieces = 2; pieces <= std::min(kMostPieces, count / fewest); ++pieces) {
            std::vector<double> least(count + 1, kInfinite);
            std::vector<std::size_t> begins(count + 1, 0);
            for (std::size_t j = 1; j <= count; ++j) {
                for (std::size_t i = 1; i < j; ++i) {
                    const double sum = least_.back()[i] + of_piece[i][j];
                    if (sum < least[j]) {
                        least[j] = sum;
                        begins[j] = i;
                    }
                }
            }
            least_.push_back(std::move(least));
            begins_.push_back(std::move(begins));
        }
    }

    std::size_t most() const { return least_.size(); }
    double squares(std::size_t pieces) const { return least_[pieces - 1].back(); }

    /// Returns the first point of each piece.
    std::vector<std::size_t> begins(std::size_t pieces) const {
        std::vector<std::size_t> found;
        std::size_t end = least_.front().size() - 1;
        for (std::size_t left = pieces; left > 0; --left) {
            end = begins_[left - 1][end];
            found.insert(found.begin(), first_ + end);
        }
        return found;
    }

private:
    /// Returns true if a piece may end before `at`. Points of one size stay in one piece.
    static bool is_end(std::span<const CurvePoint> points, std::size_t at, std::size_t end) {
        return at == end || points[at].bytes != points[at - 1].bytes;
    }

    std::size_t first_;
    std::vector<std::vector<double>> least_;  // least sum of squares by number of pieces, by end
    std::vector<std::vector<std::size_t>> begins_;
};

struct Division {
    double squares = kInfinite;
    std::vector<std::size_t> begins;
};

/// Returns the best division for each number of pieces from 1 on. It has infinite squares if the breaks permit none.
std::vector<Division> divisions(std::span<const CurvePoint> points, std::span<const std::size_t> breaks) {
    std::vector<Division> best(kMostPieces);
    if (breaks.empty()) {
        const BestPieces whole(points, 0, points.size());
        for (std::size_t pieces = 1; pieces <= whole.most(); ++pieces) {
            best[pieces - 1] = {whole.squares(pieces), whole.begins(pieces)};
        }
        return best;
    }
    for (const std::size_t at : breaks) {
        const BestPieces below(points, 0, at), above(points, at, points.size());
        for (std::size_t left = 1; left <= below.most(); ++left) {
            for (std::size_t right = 1; right <= above.most() && left + right <= kMostPieces; ++right) {
                Division& known = best[left + right - 1];
                const double squares = below.squares(left) + above.squares(right);
                if (squares >= known.squares) continue;
                known = {squares, below.begins(left)};
                const std::vector<std::size_t> further = above.begins(right);
                known.begins.insert(known.begins.end(), further.begin(), further.end());
            }
        }
    }
    return best;
}

/// Fits the curve through these points, none of which is an outlier.
FittedCurve fit_all(std::span<const CurvePoint> points, std::span<const std::size_t> breaks) {
    FittedCurve fitted;
    const auto n = static_cast<double>(points.size());
    const std::vector<Division> best = divisions(points, breaks);
    double least = kInfinite;
    const Division* chosen = nullptr;
    for (std::size_t k = 0; k < best.size(); ++k) {
        if (best[k].squares == kInfinite) continue;
        const double mean = best[k].squares / n;
        const double bic = regression::information_criterion(n, std::max(mean, kNegligible * kNegligible),
                                                             kTermsOfPiece * static_cast<double>(k + 1));
        fitted.by_count.push_back({k + 1, bic, std::sqrt(mean)});
        if (bic >= least) continue;
        least = bic;
        chosen = &best[k];
    }
    for (std::size_t k = 0; k < chosen->begins.size(); ++k) {
        const std::size_t first = chosen->begins[k];
        const std::size_t end = k + 1 < chosen->begins.size() ? chosen->begins[k + 1] : points.size();
        const std::span<const CurvePoint> own = points.subspan(first, end - first);
        const Line line = line_through(own);
        fitted.pieces.push_back({first, end, line, deviation_of(own, line)});
    }
    return fitted;
}

/// The points that are not outliers, and the numbers of the breaks among these points.
struct Kept {
    std::vector<CurvePoint> points;
    std::vector<std::size_t> numbers;  // numbers of these points among all points
    std::vector<std::size_t> breaks;

    Kept(std::span<const CurvePoint> all, std::span<const std::size_t> breaks_of_all,
         const std::vector<bool>& left_out) {
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (left_out[k]) continue;
            points.push_back(all[k]);
            numbers.push_back(k);
        }
        for (const std::size_t at : breaks_of_all) breaks.push_back(place_of(at));
    }

    std::size_t place_of(std::size_t at) const {
        return static_cast<std::size_t>(std::lower_bound(numbers.begin(), numbers.end(), at) - numbers.begin());
    }
    bool suffices() const {
        return points.size() >= kFewestPoints && std::all_of(breaks.begin(), breaks.end(), [&](std::size_t at) {
                   return at >= kFewestPoints && points.size() - at >= kFewestPoints;
               });
    }
};

/// Marks the points that are further from their piece than `kFar` robust deviations. Adjacent far points are no
/// outliers if they are enough for a piece.
std::vector<bool> far_from_pieces(std::span<const CurvePoint> points, const std::vector<Piece>& pieces,
                                  const Kept& kept) {
    std::vector<double> distances(points.size());
    std::size_t piece = 0;
    for (std::size_t k = 0; k < points.size(); ++k) {
        while (piece + 1 < pieces.size() && k >= kept.numbers[pieces[piece + 1].first]) ++piece;
        distances[k] = std::abs(relative(points[k], pieces[piece].line));
    }
    const double limit = kFar * std::max(regression::robust_deviation(distances), kNegligible);
    std::vector<bool> far(points.size());
    for (std::size_t k = 0, run = 0; k < points.size(); ++k) {
        far[k] = distances[k] > limit;
        run = far[k] ? run + 1 : 0;
        if (run < kFewestPoints) continue;
        for (std::size_t back = 0; back < run; ++back) far[k - back] = false;
        run = 0;
    }
    return far;
}

/// Converts the numbers of points into numbers among all points. Outliers between two pieces belong to the first of
/// them, unless they have the first size of the second.
void place_among_all(std::vector<Piece>& pieces, std::span<const CurvePoint> points, const Kept& kept) {
    std::size_t end = points.size();
    for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
        piece->end = end;
        piece->first = piece->first == 0 ? 0 : kept.numbers[piece->first];
        while (piece->first > 0 && points[piece->first - 1].bytes == points[piece->first].bytes) --piece->first;
        end = piece->first;
    }
}

}  // namespace

FittedCurve fit_curve(std::span<const CurvePoint> points, std::span<const std::size_t> breaks) {
    std::vector<bool> outliers(points.size(), false);
    std::vector<bool> next = far_from_neighbours(points);
    FittedCurve fitted;
    for (unsigned round = 0; round < kMostRounds; ++round) {
        const Kept kept(points, breaks, next);
        if (!kept.suffices()) break;
        outliers = next;
        fitted = fit_all(kept.points, kept.breaks);
        next = far_from_pieces(points, fitted.pieces, kept);
        place_among_all(fitted.pieces, points, kept);
        if (next == outliers) break;
    }
    if (fitted.pieces.empty()) fitted = fit_all(points, breaks);
    fitted.outliers = std::move(outliers);
    return fitted;
}

namespace {

/// Returns the line of the median slope between two points and the median intercept of that slope (Theil 1950, Sen
/// 1968): up to a quarter of the points may be far from it. Its slope is zero if all points have one size.
Line median_line(std::span<const CurvePoint> points) {
    std::vector<double> slopes;
    for (std::size_t a = 0; a < points.size(); ++a) {
        for (std::size_t b = a + 1; b < points.size(); ++b) {
            if (points[a].bytes == points[b].bytes) continue;
            slopes.push_back((points[b].seconds - points[a].seconds) / (points[b].bytes - points[a].bytes));
        }
    }
    const double slope = regression::median_of(std::move(slopes));
    std::vector<double> intercepts;
    for (const CurvePoint& point : points) intercepts.push_back(point.seconds - slope * point.bytes);
    return {regression::median_of(std::move(intercepts)), slope};
}

}  // namespace

Line fit_line(std::span<const CurvePoint> points) {
    std::vector<CurvePoint> near(points.begin(), points.end());
    Line line = median_line(near);
    for (unsigned round = 0; round < kMostRounds; ++round) {
        std::vector<double> distances;
        for (const CurvePoint& point : near) distances.push_back(std::abs(relative(point, line)));
        const double limit = kFar * std::max(regression::robust_deviation(distances), kNegligible);
        std::vector<CurvePoint> nearer;
        for (std::size_t k = 0; k < near.size(); ++k) {
            if (distances[k] <= limit) nearer.push_back(near[k]);
        }
        if (nearer.size() == near.size()) break;
        near = std::move(nearer);
        line = line_through(near);
    }
    line = line_through(near);
    return line.slope * near.back().bytes < kNegligible * line.intercept ? Line{line.intercept, 0.0} : line;
}

}  // namespace warpfront::tools
