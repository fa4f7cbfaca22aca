// Shapes and text as SVG, in pixels from the upper left corner.
#pragma once

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

}  // namespace warpfront::tools
