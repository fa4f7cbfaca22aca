// Pictures as SVG: shapes and text, in pixels from the upper left corner; the colours, axes and ticks of plots.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpfront::tools {

struct Point {
    double x = 0.0;
    double y = 0.0;
};

enum class Mark : std::uint8_t { circle, square, triangle, diamond, cross, plus };

enum class Anchor : std::uint8_t { start, middle, end };

class Svg {
public:
    Svg(double width, double height);

    void line(Point from, Point to, std::string_view colour, double width, std::string_view dashes = "");
    void polygon(const std::vector<Point>& corners, std::string_view colour);
    void rectangle(Point corner, double width, double height, std::string_view fill, std::string_view stroke);
    /// Filled or hollow; crosses and pluses are strokes.
    void mark(Mark mark, Point centre, std::string_view colour, bool filled);
    /// On a white rim, so that it can be read over marks and lines.
    void text(Point at, std::string_view content, Anchor anchor, double size, std::string_view colour);
    /// Read from the bottom to the top.
    void vertical_text(Point at, std::string_view content, double size, std::string_view colour) {
        turned_text(at, content, Anchor::middle, size, colour, 90.0);
    }
    /// Turned against the clock by `degrees`.
    void turned_text(Point at, std::string_view content, Anchor anchor, double size, std::string_view colour,
                     double degrees);
    /// What is drawn until `end_clip` is shown only inside the rectangle.
    void begin_clip(Point corner, double width, double height);
    void end_clip();

    /// The whole document.
    std::string document() const;

private:
    double width_;
    double height_;
    unsigned clips_ = 0;
    std::string body_;
};

/// Okabe & Ito 2008: distinguishable with all forms of colour vision.
inline constexpr std::array<std::string_view, 6> kColours{"#0072B2", "#D55E00", "#009E73",
                                                          "#CC79A7", "#E69F00", "#444444"};
inline constexpr std::array kMarks{Mark::circle, Mark::square, Mark::triangle, Mark::diamond, Mark::cross, Mark::plus};
inline constexpr std::string_view kInk = "#222222", kFaint = "#666666", kGrid = "#e4e4e4", kFrame = "#999999";

/// A range of values and where they lie, in pixels.
class Axis {
public:
    Axis(double low, double high, double at_low, double at_high, bool logarithmic)
        : low_(low), high_(high), at_low_(at_low), at_high_(at_high), logarithmic_(logarithmic) {}

    double low() const { return low_; }
    double high() const { return high_; }
    double at(double value) const;

private:
    double low_, high_, at_low_, at_high_;
    bool logarithmic_;
};

/// About five whole steps of 1, 2 or 5 times a power of ten.
std::vector<double> linear_ticks(double low, double high);

/// 1, 2 and 5 times the powers of ten in [low, high]; only the powers if there are many. In a narrow range these are
/// too few, so its ticks are linear.
std::vector<double> logarithmic_ticks(double low, double high);

/// "0.05", "20", "5000"
std::string tick_text(double value);

}  // namespace warpfront::tools
