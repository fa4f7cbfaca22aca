#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "tools/plot_axis.hpp"
#include "tools/study/study_plot.hpp"
#include "tools/svg.hpp"

namespace warpfront::tools {

namespace {

constexpr double kPictureWidth = 860.0, kPlotLeft = 84.0, kPlotTop = 64.0, kPlotWidth = 744.0, kPlotHeight = 400.0;
constexpr double kPlotBottom = kPlotTop + kPlotHeight;
constexpr double kLegendTop = kPlotBottom + 66.0, kLegendRow = 18.0, kLegendColumn = 372.0;
constexpr std::size_t kLongestName = 52;  // characters in the legend

struct Reach {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();
    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool logarithmic() const { return low > 0.0 && high / low >= kLogarithmicFrom; }
};

std::string shortened_name(const std::string& name) {
    return name.size() <= kLongestName ? name : name.substr(0, kLongestName - 3) + "...";
}

class StudyDrawing {
public:
    explicit StudyDrawing(const StudyPicture& picture)
        : picture_(picture),
          drawn_(std::min(picture.lines.size(), kMostLines)),
          x_(x_axis()),
          y_(y_axis()),
          svg_(kPictureWidth, kLegendTop + 24.0 + kLegendRow * static_cast<double>((drawn_ + 1) / 2)) {}

    std::string draw() {
        svg_.text({kPlotLeft, 30}, picture_.title, Anchor::start, 17, kInk);
        if (drawn_ < picture_.lines.size()) {
            svg_.text({kPlotLeft, 50}, fmt::format("{} of {} lines", drawn_, picture_.lines.size()), Anchor::start, 12,
                      kFaint);
        }
        background();
        for (std::size_t k = 0; k < drawn_; ++k) line(k);
        legend();
        return svg_.document();
    }

private:
    bool to_scale() const { return picture_.categories.empty(); }

    Axis x_axis() {
        Reach reach;
        for (const StudyLine& each : picture_.lines) {
            for (const auto& [x, y] : each.points) reach.add(x);
        }
        x_is_logarithmic_ = to_scale() && reach.logarithmic();
        const double margin = to_scale() ? 0.03 * (reach.high - reach.low) : 0.5;
        const double low = x_is_logarithmic_ ? reach.low / 1.15 : reach.low - margin;
        const double high = x_is_logarithmic_ ? reach.high * 1.15 : reach.high + margin;
        return {low, high > low ? high : low + 1.0, kPlotLeft, kPlotLeft + kPlotWidth, x_is_logarithmic_};
    }

    Axis y_axis() {
        Reach reach;
        for (const StudyLine& each : picture_.lines) {
            for (const auto& [x, y] : each.points) reach.add(y);
        }
        y_is_logarithmic_ = reach.logarithmic();
        if (y_is_logarithmic_) return {reach.low / 1.2, reach.high * 1.2, kPlotBottom, kPlotTop, true};
        const double low = std::min(0.0, reach.low);
        const double high = reach.high > low ? reach.high : low + 1.0;
        return {low, low + 1.08 * (high - low), kPlotBottom, kPlotTop, false};
    }

    void background() {
        const auto vertical = [&](double value, const std::string& label) {
            svg_.line({x_.at(value), kPlotTop}, {x_.at(value), kPlotBottom}, kGrid, 1);
            svg_.text({x_.at(value), kPlotBottom + 18}, label, Anchor::middle, 12, kInk);
        };
        if (to_scale()) {
            for (const double tick : ticks_of(x_, x_is_logarithmic_)) vertical(tick, tick_text(tick));
        } else {
            for (std::size_t k = 0; k < picture_.categories.size(); ++k) {
                vertical(static_cast<double>(k), picture_.categories[k]);
            }
        }
        for (const double tick : ticks_of(y_, y_is_logarithmic_)) {
            svg_.line({kPlotLeft, y_.at(tick)}, {kPlotLeft + kPlotWidth, y_.at(tick)}, kGrid, 1);
            svg_.text({kPlotLeft - 8, y_.at(tick) + 4}, tick_text(tick), Anchor::end, 12, kInk);
        }
        svg_.rectangle({kPlotLeft, kPlotTop}, kPlotWidth, kPlotHeight, "none", kFrame);
        svg_.text({kPlotLeft + kPlotWidth / 2, kPlotBottom + 42}, picture_.x_label, Anchor::middle, 13, kInk);
        svg_.vertical_text({22, kPlotTop + kPlotHeight / 2}, picture_.y_label, 13, kInk);
    }

    static std::vector<double> ticks_of(const Axis& axis, bool logarithmic) {
        return logarithmic ? logarithmic_ticks(axis.low(), axis.high()) : linear_ticks(axis.low(), axis.high());
    }

    /// Engines of one combination share a colour; the first is filled and solid, the others are hollow and dashed.
    struct Style {
        std::string_view colour;
        Mark mark = Mark::circle;
        bool first = true;
    };
    Style style_of(std::size_t number) {
        const StudyLine& each = picture_.lines[number];
        const std::string rest = each.name.substr(each.engine.size());
        const std::size_t combination = combinations_.try_emplace(rest, combinations_.size()).first->second;
        return {kColours[combination % kColours.size()], kMarks[combination % 4],
                each.engine == picture_.lines.front().engine};
    }

    void line(std::size_t number) {
        const Style style = style_of(number);
        const auto& points = picture_.lines[number].points;
        for (std::size_t k = 1; k < points.size(); ++k) {
            svg_.line(at(points[k - 1]), at(points[k]), style.colour, style.first ? 1.6 : 1.1,
                      style.first ? "" : "5,4");
        }
        for (const auto& point : points) svg_.mark(style.mark, at(point), style.colour, style.first);
    }

    Point at(const std::pair<double, double>& point) const { return {x_.at(point.first), y_.at(point.second)}; }

    void legend() {
        for (std::size_t k = 0; k < drawn_; ++k) {
            const Style style = style_of(k);
            const Point corner{kPlotLeft + kLegendColumn * static_cast<double>(k % 2),
                               kLegendTop + kLegendRow * static_cast<double>(k / 2)};
            svg_.line(corner, {corner.x + 24, corner.y}, style.colour, 1.4, style.first ? "" : "5,4");
            svg_.mark(style.mark, {corner.x + 12, corner.y}, style.colour, style.first);
            svg_.text({corner.x + 32, corner.y + 4}, shortened_name(picture_.lines[k].name), Anchor::start, 12, kInk);
        }
    }

    const StudyPicture& picture_;
    std::size_t drawn_;
    bool x_is_logarithmic_ = false;
    bool y_is_logarithmic_ = false;
    std::map<std::string, std::size_t> combinations_;
    Axis x_, y_;
    Svg svg_;
};

}  // namespace

std::string study_plot(const StudyPicture& picture) { return StudyDrawing(picture).draw(); }

}  // namespace warpfront::tools
