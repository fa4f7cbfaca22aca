#include "tools/comparison/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "tools/rendering/svg.hpp"

namespace warpfront::tools {

namespace {

constexpr std::string_view kInnerBand = "#cfe5cf", kOuterBand = "#e9f3e6";
constexpr double kInner = 5.0, kOuter = 10.0;  // percent

constexpr double kWidth = 760.0, kHeight = 860.0, kLeft = 78.0, kRight = 24.0;
constexpr double kInside = kWidth - kLeft - kRight;
constexpr double kLegendLine = 26.0;

struct Panel {
    double top = 0.0;
    double height = 0.0;
    double bottom() const { return top + height; }
};
constexpr Panel kTimes{96.0, 430.0};
constexpr Panel kErrors{556.0, 246.0};

struct Extent {
    double least_s, most_s;      // of measured and predicted times
    double least_pct, most_pct;  // of errors
};

Extent extent_of(const std::vector<PlotSeries>& all) {
    const PlotPoint& first = all.front().points.front();
    Extent extent{first.measured_s, first.measured_s, -kOuter, kOuter};
    for (const PlotSeries& series : all) {
        for (const PlotPoint& point : series.points) {
            extent.least_s = std::min({extent.least_s, point.measured_s, point.predicted_s});
            extent.most_s = std::max({extent.most_s, point.measured_s, point.predicted_s});
            const results::Interval shown =
                point.interval.value_or(results::Interval{point.predicted_s, point.predicted_s});
            extent.least_pct = std::min(extent.least_pct, point.error_pct(shown.low_s));
            extent.most_pct = std::max(extent.most_pct, point.error_pct(shown.high_s));
        }
    }
    return extent;
}

class Plot {
public:
    explicit Plot(const std::vector<PlotSeries>& all)
        : all_(all),
          extent_(extent_of(all)),
          x_(extent_.least_s / 1.25, extent_.most_s * 1.25, kLeft, kLeft + kInside, true),
          time_(x_.low(), x_.high(), kTimes.bottom(), kTimes.top, true),
          error_(extent_.least_pct * 1.25, extent_.most_pct * 1.25, kErrors.bottom(), kErrors.top, false) {}

    std::string draw() {
        svg_.text({kLeft, 30}, "Predicted over measured time", Anchor::start, 18, kInk);
        legend();
        times_background();
        errors_background();
        for (std::size_t k = all_.size(); k-- > 0;) marks(k);  // engines above published predictions
        name_worst_rows();
        return svg_.document();
    }

private:
    void legend() {
        double x = kLeft;
        for (std::size_t k = 0; k < all_.size(); ++k) {
            svg_.mark(mark_of(k), {x + 6, 54}, colour_of(k), !all_[k].published);
            const std::string text = fmt::format("{} ({})", all_[k].method, all_[k].points.size());
            svg_.text({x + 17, 58.5}, text, Anchor::start, 13, kInk);
            x += 17 + 7.6 * static_cast<double>(text.size()) + kLegendLine;
        }
        svg_.rectangle({kLeft, 72}, 22, 10, kInnerBand, kInnerBand);
        svg_.text({kLeft + 28, 81}, "within 5 %", Anchor::start, 11, kFaint);
        svg_.rectangle({kLeft + 110, 72}, 22, 10, kOuterBand, "#d8e2d4");
        svg_.text({kLeft + 138, 81}, "within 10 %", Anchor::start, 11, kFaint);
        svg_.text({kLeft + kInside, 81}, "filled: engines; hollow: published predictions; in brackets: measured rows",
                  Anchor::end, 11, kFaint);
    }

    /// The band between the diagonals that are `percent` off.
    void band(double percent, std::string_view colour) {
        const double up = 1.0 + percent / 100.0, down = 1.0 - percent / 100.0;
        svg_.polygon({{x_.at(x_.low()), time_.at(x_.low() * down)},
                      {x_.at(x_.high()), time_.at(x_.high() * down)},
                      {x_.at(x_.high()), time_.at(x_.high() * up)},
                      {x_.at(x_.low()), time_.at(x_.low() * up)}},
                     colour);
    }

    void vertical_grid(const Panel& panel, bool labels) {
        for (const double tick : logarithmic_ticks(x_.low(), x_.high())) {
            svg_.line({x_.at(tick), panel.top}, {x_.at(tick), panel.bottom()}, kGrid, 1);
            if (labels) svg_.text({x_.at(tick), panel.bottom() + 18}, tick_text(tick), Anchor::middle, 12, kInk);
        }
    }

    void times_background() {
        svg_.begin_clip({kLeft, kTimes.top}, kInside, kTimes.height);
        band(kOuter, kOuterBand);
        band(kInner, kInnerBand);
        svg_.end_clip();
        vertical_grid(kTimes, false);
        for (const double tick : logarithmic_ticks(time_.low(), time_.high())) {
            svg_.line({kLeft, time_.at(tick)}, {kLeft + kInside, time_.at(tick)}, kGrid, 1);
            svg_.text({kLeft - 8, time_.at(tick) + 4}, tick_text(tick), Anchor::end, 12, kInk);
        }
        svg_.line({kLeft, kTimes.bottom()}, {kLeft + kInside, kTimes.top}, kFaint, 1.2);
        svg_.rectangle({kLeft, kTimes.top}, kInside, kTimes.height, "none", kFrame);
        svg_.vertical_text({22, kTimes.top + kTimes.height / 2}, "predicted, s", 13, kInk);
    }

    void errors_background() {
        for (const auto& [percent, colour] : {std::pair{kOuter, kOuterBand}, std::pair{kInner, kInnerBand}}) {
            const double top = error_.at(percent);
            svg_.rectangle({kLeft, top}, kInside, error_.at(-percent) - top, colour, "none");
        }
        vertical_grid(kErrors, true);
        for (const double tick : linear_ticks(error_.low(), error_.high())) {
            svg_.line({kLeft, error_.at(tick)}, {kLeft + kInside, error_.at(tick)}, kGrid, 1);
            svg_.text({kLeft - 8, error_.at(tick) + 4}, tick == 0.0 ? "0 %" : fmt::format("{:+g} %", tick), Anchor::end,
                      12, kInk);
        }
        svg_.line({kLeft, error_.at(0)}, {kLeft + kInside, error_.at(0)}, kFaint, 1.2);
        svg_.rectangle({kLeft, kErrors.top}, kInside, kErrors.height, "none", kFrame);
        svg_.vertical_text({22, kErrors.top + kErrors.height / 2}, "error", 13, kInk);
        svg_.text({kLeft + kInside / 2, kErrors.bottom() + 42}, "measured, s", Anchor::middle, 13, kInk);
    }

    void marks(std::size_t k) {
        for (const PlotPoint& point : all_[k].points) {
            const bool filled = !all_[k].published;
            if (point.interval) bar(point, colour_of(k));
            svg_.mark(mark_of(k), {x_.at(point.measured_s), time_.at(point.predicted_s)}, colour_of(k), filled);
            svg_.mark(mark_of(k), {x_.at(point.measured_s), error_.at(point.error_pct())}, colour_of(k), filled);
        }
    }

    void bar(const PlotPoint& point, std::string_view colour) {
        const double x = x_.at(point.measured_s);
        const double low = error_.at(point.error_pct(point.interval->low_s));
        const double high = error_.at(point.error_pct(point.interval->high_s));
        svg_.line({x, low}, {x, high}, colour, 1.4);
        for (const double end : {low, high}) svg_.line({x - 3, end}, {x + 3, end}, colour, 1.4);
    }

    void name_worst_rows() {
        std::vector<std::string> named;
        std::vector<Point> taken;
        for (const PlotSeries& series : all_) {
            const auto smaller = [](const PlotPoint& a, const PlotPoint& b) {
                return std::abs(a.error_pct()) < std::abs(b.error_pct());
            };
            const PlotPoint& worst = *std::max_element(series.points.begin(), series.points.end(), smaller);
            if (std::find(named.begin(), named.end(), worst.label) != named.end()) continue;
            named.push_back(worst.label);
            const Point mark{x_.at(worst.measured_s), error_.at(worst.error_pct())};
            const bool right_half = mark.x > kLeft + kInside / 2;
            Point at{mark.x + (right_half ? -9.0 : 9.0), mark.y + 4.0};
            const auto close = [&at](const Point& other) {
                return std::abs(other.y - at.y) < 13.0 && std::abs(other.x - at.x) < 180.0;
            };
            while (std::any_of(taken.begin(), taken.end(), close)) at.y += 13.0;
            taken.push_back(at);
            svg_.text(at, worst.label, right_half ? Anchor::end : Anchor::start, 11, kInk);
        }
    }

    std::string_view colour_of(std::size_t k) const { return kColours[k % kColours.size()]; }
    Mark mark_of(std::size_t k) const { return kMarks[k % kMarks.size()]; }

    const std::vector<PlotSeries>& all_;
    Extent extent_;
    Axis x_, time_, error_;
    Svg svg_{kWidth, kHeight};
};

std::string label_of(const ComparisonRow& row) {
    return fmt::format("{}, {}", row.table.empty() ? row.label : row.table, as_text(row.grid));
}

void add_point(std::vector<PlotSeries>& all, const MethodTime& time, bool published, const ComparisonRow& row) {
    if (!row.measurement || time.time.ps <= 0) return;
    auto found =
        std::find_if(all.begin(), all.end(), [&](const PlotSeries& each) { return each.method == time.method; });
    if (found == all.end()) found = all.insert(all.end(), {time.method, published, {}});
    found->points.push_back({seconds(*row.measurement), seconds(time.time), label_of(row), time.interval});
}

}  // namespace

std::vector<PlotSeries> plot_series(const Comparison& comparison) {
    std::vector<PlotSeries> all;
    for (const ComparisonRow& row : comparison.rows) {
        for (const MethodTime& time : row.times) add_point(all, time, false, row);
    }
    for (const ComparisonRow& row : comparison.rows) {
        for (const MethodTime& time : row.predictions) add_point(all, time, true, row);
    }
    return all;
}

std::string comparison_plot(const std::vector<PlotSeries>& series) { return Plot(series).draw(); }

}  // namespace warpfront::tools
