// Two terms by weighted linear least squares: a and b of
//
//   minimise sum_i w_i (a x_i + b y_i - 1)^2,   each 0 or more if requested
//
// For a line T = a + b S by relative deviations, x is 1 / T and y is S / T.
#pragma once

#include <algorithm>

namespace warpfront::regression {

/// The sums over samples from which the terms follow. Samples are added one by one.
class TwoTerms {
public:
    struct Values {
        double a = 0.0;
        double b = 0.0;
    };

    void add(double x, double y, double weight = 1.0) {
        one_ += weight;
        x_ += weight * x;
        y_ += weight * y;
        xx_ += weight * x * x;
        xy_ += weight * x * y;
        yy_ += weight * y * y;
    }

    /// Returns the terms; b is 0 if the samples do not distinguish it from a.
    Values values() const {
        const double determinant = xx_ * yy_ - xy_ * xy_;
        if (!(determinant > kSingular * xx_ * yy_)) return {x_ / xx_, 0.0};
        return {(x_ * yy_ - y_ * xy_) / determinant, (xx_ * y_ - xy_ * x_) / determinant};
    }
    /// Returns the terms with none below 0.
    Values non_negative() const {
        const Values free = values();
        if (free.a < 0.0) return {0.0, y_ / yy_};
        if (free.b < 0.0) return {x_ / xx_, 0.0};
        return free;
    }
    /// Returns the sum of squares for these terms.
    double squares(const Values& of) const {
        const double sum =
            one_ + of.a * of.a * xx_ + of.b * of.b * yy_ + 2.0 * (of.a * of.b * xy_ - of.a * x_ - of.b * y_);
        return std::max(sum, 0.0);
    }

private:
    static constexpr double kSingular = 1e-12;

    double one_ = 0.0, x_ = 0.0, y_ = 0.0, xx_ = 0.0, xy_ = 0.0, yy_ = 0.0;
};

}  // namespace warpfront::regression
