#include "tools/study/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/results/formatting.hpp"
#include "tools/rendering/svg.hpp"

namespace warpfront::tools {

namespace {

/// How an axis is drawn: over ranks, over numbers, or side by side.
struct Scale {
    std::string label;
    bool is_ranks = false;
    std::vector<double> values;           // by index along the axis; not for ranks
    std::vector<std::string> categories;  // empty if to scale
};

/// The values of an axis as numbers: its first key whose values are different numbers of one unit.
std::optional<Scale> numeric_scale(const StudyAxis& axis) {
    for (const AxisKey& key : axis.keys) {
        Scale scale{key.path, false, {}, {}};
        std::string unit;
        for (const input::YamlNode& value : key.values) {
            const auto number = input::number_with_unit(value.scalar);
            if (!number || (!scale.values.empty() && number->unit != unit)) break;
            unit = number->unit;
            scale.values.push_back(number->value);
        }
        if (std::set(scale.values.begin(), scale.values.end()).size() != key.values.size()) continue;
        if (!unit.empty()) scale.label += ", " + unit;
        return scale;
    }
    return std::nullopt;
}

/// Whether the points of an axis, the others equal, have different numbers of ranks.
bool tells_ranks(const StudyResults& results, std::size_t axis) {
    const StudyPlan& plan = results.plan();
    if (!plan.axes[axis].sets_ranks()) return false;
    for (std::size_t row = 0; row < results.rows(); ++row) {
        if (plan.index(row, axis) != 0) continue;
        std::set<std::uint64_t> ranks;
        for (std::size_t k = 0; k < plan.axes[axis].size; ++k)
            ranks.insert(results.at(row + k * plan.stride(axis)).ranks);
        if (ranks.size() != plan.axes[axis].size) return false;
    }
    return true;
}

Scale scale_of(const StudyResults& results, std::size_t x) {
    const StudyAxis& axis = results.plan().axes[x];
    if (tells_ranks(results, x)) return {"ranks", true, {}, {}};
    if (!axis.label) {
        if (auto numbers = numeric_scale(axis)) return std::move(*numbers);
    }
    Scale scale{axis.name(), false, {}, {}};
    for (std::size_t k = 0; k < axis.size; ++k) {
        scale.values.push_back(static_cast<double>(k));
        scale.categories.push_back(axis.telling_text(k));
    }
    return scale;
}

std::string combination_at(const StudyResults& results, std::size_t row) {
    const StudyPlan& plan = results.plan();
    const auto of_ranks = std::count_if(plan.axes.begin(), plan.axes.end(),
                                        [](const StudyAxis& axis) { return axis.size > 1 && axis.sets_ranks(); });
    std::string name;
    for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
        if (axis == plan.x || plan.axes[axis].size < 2) continue;
        if (!name.empty()) name += ", ";
        if (of_ranks == 1 && !plan.axes[axis].label && tells_ranks(results, axis)) {
            name += fmt::format("{} ranks", results::grouped(results.at(row).ranks));
            continue;
        }
        const std::string& path = plan.axes[axis].name();
        name +=
            fmt::format("{}={}", path.substr(path.rfind('.') + 1), plan.axes[axis].telling_text(plan.index(row, axis)));
    }
    return name;
}

/// The rows that differ from `first` along x alone with their places, from left to right.
std::vector<std::pair<double, std::size_t>> rows_along_x(const StudyResults& results, const Scale& scale,
                                                         std::size_t first) {
    const StudyPlan& plan = results.plan();
    std::vector<std::pair<double, std::size_t>> rows;
    for (std::size_t k = 0; k < plan.axes[plan.x].size; ++k) {
        const std::size_t row = first + k * plan.stride(plan.x);
        rows.emplace_back(scale.is_ranks ? static_cast<double>(results.at(row).ranks) : scale.values[k], row);
    }
    std::sort(rows.begin(), rows.end());
    return rows;
}

StudyLine line_of(const StudyResults& results, const Scale& scale, ColumnName column, std::size_t first,
                  Engine engine) {
    const std::string_view name = name_of(engine);
    StudyLine line{combination_at(results, first), engine, {}};
    std::optional<std::size_t> base;
    for (const auto& [x, row] : rows_along_x(results, scale, first)) {
        const auto value = results.value(column, row, name);
        line.points.emplace_back(x, value);
        if (value && !base) base = row;
        if (!base) continue;
        if (const auto ideal = results.ideal(column, *base, row, name)) line.ideal.emplace_back(x, ideal);
    }
    return line;
}

bool has_two_points(const StudyLine& line) {
    return std::count_if(line.points.begin(), line.points.end(),
                         [](const auto& point) { return point.second.has_value(); }) > 1;
}

}  // namespace

std::string StudyLine::name() const {
    return fmt::format("{}{}{}", name_of(engine), combination.empty() ? "" : ", ", combination);
}

std::optional<StudyPicture> study_picture(const StudyResults& results, ColumnName column) {
    const StudyPlan& plan = results.plan();
    if (!results.complete() || plan.axes.empty()) return std::nullopt;
    const Scale scale = scale_of(results, plan.x);
    const ColumnText& text = text_of(column);
    StudyPicture picture{plan.question.empty() ? plan.name : plan.question,
                         scale.label,
                         text.unit.empty() ? std::string(text.name) : fmt::format("{}, {}", text.name, text.unit),
                         scale.categories,
                         scale.is_ranks,
                         {}};
    std::set<std::string> combinations;
    for (std::size_t row = 0; row < results.rows(); ++row) {
        if (plan.index(row, plan.x) != 0) continue;
        for (const Engine engine : engines_of(plan)) {
            StudyLine line = line_of(results, scale, column, row, engine);
            if (!has_two_points(line)) continue;
            if (!combinations.insert(line.combination).second) line.ideal.clear();
            picture.lines.push_back(std::move(line));
        }
    }
    if (picture.lines.empty()) return std::nullopt;
    const bool one_ideal = column == ColumnName::speed_up || combinations.size() > kMostIdeals;
    for (std::size_t k = 1; k < picture.lines.size() && one_ideal; ++k) picture.lines[k].ideal.clear();
    return picture;
}

namespace {

constexpr double kPictureWidth = 860.0, kPlotLeft = 84.0, kPlotTop = 64.0, kPlotWidth = 744.0, kPlotHeight = 400.0;
constexpr double kPlotBottom = kPlotTop + kPlotHeight;
constexpr double kLegendRow = 18.0, kLegendColumn = 372.0;
constexpr double kLetter = 6.6;               // the mean width of one of 12 pixels
constexpr std::size_t kLongestName = 52;      // characters in the legend
constexpr std::size_t kLongestCategory = 24;  // characters below the axis
constexpr std::size_t kMostValues = 12;       // of x, each with a tick

/// By number of the engine.
constexpr std::array<std::string_view, 15> kDashes{"",         "2 3",         "7 4",  "12 4",     "7 3 2 3",
                                                   "12 3 2 3", "7 3 2 3 2 3", "4 2",  "12 3 4 3", "12 3 2 3 2 3",
                                                   "2 6",      "7 8",         "12 8", "4 6",      "2 3 2 8"};

struct Reach {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();
    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool logarithmic() const { return low > 0.0 && high / low >= kLogarithmicFrom; }
};

std::string shortened(const std::string& text, std::size_t longest) {
    return text.size() <= longest ? text : text.substr(0, longest - 3) + "...";
}

/// Different for each of `count` lines: of the palette, or hues in turn, light and dark.
std::string colour_of(std::size_t number, std::size_t count) {
    if (count <= kColours.size()) return std::string(kColours[number]);
    return fmt::format("hsl({}, 65%, {}%)", (210 + 360 * number / count) % 360, number % 2 == 0 ? 35 : 50);
}

/// The power of a thousand that leaves numbers of at most five digits.
double unit_of(double most) {
    if (!(most > 0.0) || (most >= 0.01 && most < 1e5)) return 1.0;
    return std::pow(10.0, 3.0 * std::floor(std::log10(most) / 3.0));
}

/// "1Ki" where all are whole multiples of 1,024, else "1,024".
std::string rank_text(double ranks, bool binary) {
    return binary ? fmt::format("{}Ki", ranks / 1024.0) : results::grouped(static_cast<std::uint64_t>(ranks));
}

class StudyDrawing {
public:
    explicit StudyDrawing(const StudyPicture& picture)
        : picture_(picture),
          drawn_(std::min(picture.lines.size(), kMostLines)),
          x_(x_axis()),
          y_(y_axis()),
          legend_top_(kPlotBottom + 66.0 + slant_height()),
          svg_(kPictureWidth, legend_top_ + 24.0 + kLegendRow * static_cast<double>((drawn_ + 2) / 2)) {
        for (const StudyLine& each : picture.lines) combinations_.try_emplace(each.combination, combinations_.size());
    }

    std::string draw() {
        svg_.text({kPlotLeft, 30}, picture_.title, Anchor::start, 17, kInk);
        if (drawn_ < picture_.lines.size()) {
            svg_.text({kPlotLeft, 50}, fmt::format("{} of {} lines", drawn_, picture_.lines.size()), Anchor::start, 12,
                      kFaint);
        }
        background();
        for (std::size_t k = 0; k < drawn_; ++k) ideal(k);
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
            for (const StudyLinePoints* points : {&each.points, &each.ideal}) {
                for (const auto& [x, y] : *points) {
                    if (y) reach.add(*y);
                }
            }
        }
        y_unit_ = unit_of(reach.high);
        reach = {reach.low / y_unit_, reach.high / y_unit_};
        y_is_logarithmic_ = reach.logarithmic();
        if (y_is_logarithmic_) return {reach.low / 1.2, reach.high * 1.2, kPlotBottom, kPlotTop, true};
        const double low = std::min(0.0, reach.low);
        const double high = reach.high > low ? reach.high : low + 1.0;
        return {low, low + 1.08 * (high - low), kPlotBottom, kPlotTop, false};
    }

    void background() {
        if (to_scale()) {
            numbers_below();
        } else {
            categories_below();
        }
        for (const double tick : ticks_of(y_, y_is_logarithmic_)) {
            svg_.line({kPlotLeft, y_.at(tick)}, {kPlotLeft + kPlotWidth, y_.at(tick)}, kGrid, 1);
            svg_.text({kPlotLeft - 8, y_.at(tick) + 4}, tick_text(tick), Anchor::end, 12, kInk);
        }
        svg_.rectangle({kPlotLeft, kPlotTop}, kPlotWidth, kPlotHeight, "none", kFrame);
        svg_.text({kPlotLeft + kPlotWidth / 2, kPlotBottom + 42 + slant_height()}, picture_.x_label, Anchor::middle, 13,
                  kInk);
        svg_.vertical_text({22, kPlotTop + kPlotHeight / 2}, y_label(), 13, kInk);
    }

    void grid_line_at(double x) { svg_.line({x_.at(x), kPlotTop}, {x_.at(x), kPlotBottom}, kGrid, 1); }

    /// A tick for each value of x or, where they are many, at round numbers; labels as far as they have room.
    void numbers_below() {
        std::set<double> values;
        for (const StudyLine& each : picture_.lines) {
            for (const auto& [x, y] : each.points) values.insert(x);
        }
        std::vector<double> ticks(values.begin(), values.end());
        if (ticks.size() > kMostValues) ticks = ticks_of(x_, x_is_logarithmic_);
        const bool binary = std::all_of(ticks.begin(), ticks.end(),
                                        [](double tick) { return tick >= 1024.0 && std::fmod(tick, 1024.0) == 0.0; });
        double limit = std::numeric_limits<double>::max();
        for (auto tick = ticks.rbegin(); tick != ticks.rend(); ++tick) {
            grid_line_at(*tick);
            const std::string text = picture_.x_is_ranks ? rank_text(*tick, binary) : tick_text(*tick);
            const double half = 0.5 * kLetter * static_cast<double>(text.size()) + 3.0;
            if (x_.at(*tick) + half > limit) continue;
            limit = x_.at(*tick) - half;
            svg_.text({x_.at(*tick), kPlotBottom + 18}, text, Anchor::middle, 12, kInk);
        }
    }

    void categories_below() {
        for (std::size_t k = 0; k < picture_.categories.size(); ++k) {
            const double x = static_cast<double>(k);
            const std::string text = shortened(picture_.categories[k], kLongestCategory);
            grid_line_at(x);
            if (slant_height() == 0.0) {
                svg_.text({x_.at(x), kPlotBottom + 18}, text, Anchor::middle, 12, kInk);
            } else {
                svg_.turned_text({x_.at(x) + 4, kPlotBottom + 14}, text, Anchor::end, 12, kInk, 35.0);
            }
        }
    }

    /// How much lower slanted categories reach; 0 if they fit side by side.
    double slant_height() const {
        std::size_t longest = 0;
        for (const std::string& each : picture_.categories)
            longest = std::max(longest, std::min(each.size(), kLongestCategory));
        const double width = kLetter * static_cast<double>(longest);
        const double room = kPlotWidth / static_cast<double>(std::max<std::size_t>(1, picture_.categories.size()));
        return width + 8.0 > room ? 0.57 * width : 0.0;
    }

    /// "job, 10^6 s"
    std::string y_label() const {
        if (y_unit_ == 1.0) return picture_.y_label;
        const std::size_t comma = picture_.y_label.find(", ");
        return fmt::format("{}, 10^{}{}", picture_.y_label.substr(0, comma), std::lround(std::log10(y_unit_)),
                           comma == std::string::npos ? "" : picture_.y_label.substr(comma + 1));
    }

    static std::vector<double> ticks_of(const Axis& axis, bool logarithmic) {
        return logarithmic ? logarithmic_ticks(axis.low(), axis.high()) : linear_ticks(axis.low(), axis.high());
    }

    struct Style {
        std::string colour;
        Mark mark = Mark::circle;
        std::string_view dashes;
        bool filled = true;
    };
    Style style_of(std::size_t number) const {
        const StudyLine& each = picture_.lines[number];
        const std::size_t combination = combinations_.at(each.combination);
        return {colour_of(combination, combinations_.size()), kMarks[combination % 4], dashes_of(each.engine),
                each.engine == Engine::event};
    }

    /// Between neighbours that both have a value.
    void join(const StudyLinePoints& points, std::string_view colour, double width, std::string_view dashes) {
        for (std::size_t k = 1; k < points.size(); ++k) {
            if (!points[k - 1].second || !points[k].second) continue;
            svg_.line(at(points[k - 1]), at(points[k]), colour, width, dashes);
        }
    }

    void ideal(std::size_t number) { join(picture_.lines[number].ideal, style_of(number).colour, 0.6, ""); }

    void line(std::size_t number) {
        const Style style = style_of(number);
        const StudyLinePoints& points = picture_.lines[number].points;
        join(points, style.colour, 1.6, style.dashes);
        for (const auto& point : points) {
            if (point.second) svg_.mark(style.mark, at(point), style.colour, style.filled);
        }
    }

    Point at(const StudyLinePoints::value_type& point) const {
        return {x_.at(point.first), y_.at(*point.second / y_unit_)};
    }

    void legend() {
        bool has_ideal = false;
        for (std::size_t k = 0; k < drawn_; ++k) {
            const Style style = style_of(k);
            const Point corner = legend_entry(k, picture_.lines[k].name());
            svg_.line(corner, {corner.x + 32, corner.y}, style.colour, 1.6, style.dashes);
            svg_.mark(style.mark, {corner.x + 16, corner.y}, style.colour, style.filled);
            has_ideal = has_ideal || !picture_.lines[k].ideal.empty();
        }
        if (!has_ideal) return;
        const Point corner = legend_entry(drawn_, "ideal scaling from the first point");
        svg_.line(corner, {corner.x + 32, corner.y}, kInk, 0.6, "");
    }

    /// Writes the text of an entry; returns where its line begins.
    Point legend_entry(std::size_t number, const std::string& text) {
        const Point corner{kPlotLeft + kLegendColumn * static_cast<double>(number % 2),
                           legend_top_ + kLegendRow * static_cast<double>(number / 2)};
        svg_.text({corner.x + 40, corner.y + 4}, shortened(text, kLongestName), Anchor::start, 12, kInk);
        return corner;
    }

    const StudyPicture& picture_;
    std::size_t drawn_;
    bool x_is_logarithmic_ = false;
    bool y_is_logarithmic_ = false;
    double y_unit_ = 1.0;  // what a number on the axis stands for
    std::map<std::string, std::size_t> combinations_;
    Axis x_, y_;
    double legend_top_;
    Svg svg_;
};

}  // namespace

std::string_view dashes_of(Engine engine) { return kDashes.at(engine.number()); }

std::string study_plot(const StudyPicture& picture) { return StudyDrawing(picture).draw(); }

}  // namespace warpfront::tools
