#include "tools/rendering/svg.hpp"

#include <cmath>

#include <fmt/format.h>

namespace warpfront::tools {

namespace {

constexpr double kRadius = 4.2;  // of a mark

std::string escaped_for_xml(std::string_view content) {
    std::string text;
    for (const char letter : content) {
        switch (letter) {
            case '&': text += "&amp;"; break;
            case '<': text += "&lt;"; break;
            case '>': text += "&gt;"; break;
            default: text += letter;
        }
    }
    return text;
}

std::string_view name_of(Anchor anchor) {
    if (anchor == Anchor::start) return "start";
    return anchor == Anchor::middle ? "middle" : "end";
}

/// The outline around the origin, all of about the same area.
std::string_view outline(Mark mark) {
    switch (mark) {
        case Mark::square: return "M-3.7,-3.7H3.7V3.7H-3.7Z";
        case Mark::triangle: return "M0,-5L4.8,3.6H-4.8Z";
        case Mark::diamond: return "M0,-5.4L5.4,0L0,5.4L-5.4,0Z";
        case Mark::cross: return "M-3.6,-3.6L3.6,3.6M-3.6,3.6L3.6,-3.6";
        case Mark::plus: return "M-4.8,0H4.8M0,-4.8V4.8";
        case Mark::circle: break;
    }
    return "";
}

}  // namespace

Svg::Svg(double width, double height) : width_(width), height_(height) {}

void Svg::line(Point from, Point to, std::string_view colour, double width, std::string_view dashes) {
    const std::string dashed = dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes);
    body_ += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{:.1f}\"{}/>\n",
        from.x, from.y, to.x, to.y, colour, width, dashed);
}

void Svg::polygon(const std::vector<Point>& corners, std::string_view colour) {
    body_ += "<polygon points=\"";
    for (const Point& corner : corners) body_ += fmt::format("{:.1f},{:.1f} ", corner.x, corner.y);
    body_ += fmt::format("\" fill=\"{}\"/>\n", colour);
}

void Svg::rectangle(Point corner, double width, double height, std::string_view fill, std::string_view stroke) {
    body_ +=
        fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" stroke=\"{}\"/>\n",
                    corner.x, corner.y, width, height, fill, stroke);
}

void Svg::mark(Mark mark, Point centre, std::string_view colour, bool filled) {
    const bool strokes = mark == Mark::cross || mark == Mark::plus;
    const std::string_view fill = filled && !strokes ? colour : "none";
    const std::string style = fmt::format("fill=\"{}\" fill-opacity=\"0.8\" stroke=\"{}\" stroke-width=\"{}\"", fill,
                                          colour, filled && !strokes ? "0.8" : "1.6");
    if (mark == Mark::circle) {
        body_ +=
            fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" {}/>\n", centre.x, centre.y, kRadius, style);
        return;
    }
    body_ += fmt::format("<path transform=\"translate({:.1f},{:.1f})\" d=\"{}\" {}/>\n", centre.x, centre.y,
                         outline(mark), style);
}

void Svg::text(Point at, std::string_view content, Anchor anchor, double size, std::string_view colour) {
    body_ +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{:.1f}\" fill=\"{}\">{}</text>\n",
                    at.x, at.y, name_of(anchor), size, colour, escaped_for_xml(content));
}

void Svg::turned_text(Point at, std::string_view content, Anchor anchor, double size, std::string_view colour,
                      double degrees) {
    body_ += fmt::format(
        "<text transform=\"translate({:.1f},{:.1f}) rotate({:.0f})\" text-anchor=\"{}\" font-size=\"{:.1f}\" "
        "fill=\"{}\">{}</text>\n",
        at.x, at.y, -degrees, name_of(anchor), size, colour, escaped_for_xml(content));
}

void Svg::begin_clip(Point corner, double width, double height) {
    const unsigned number = clips_++;
    body_ += fmt::format(
        "<clipPath id=\"clip{0}\"><rect x=\"{1:.1f}\" y=\"{2:.1f}\" width=\"{3:.1f}\" height=\"{4:.1f}\"/></clipPath>\n"
        "<g clip-path=\"url(#clip{0})\">\n",
        number, corner.x, corner.y, width, height);
}

void Svg::end_clip() { body_ += "</g>\n"; }

std::string Svg::document() const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
        "{1:.0f}\" "
        "font-family=\"Helvetica, Arial, sans-serif\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{2}</svg>\n",
        width_, height_, body_);
}

namespace {

constexpr double kNarrow = 4.0;  // highest over lowest value

}  // namespace

double Axis::at(double value) const {
    const double share = logarithmic_ ? (std::log10(value) - std::log10(low_)) / (std::log10(high_) - std::log10(low_))
                                      : (value - low_) / (high_ - low_);
    return at_low_ + share * (at_high_ - at_low_);
}

std::vector<double> linear_ticks(double low, double high) {
    double step = std::pow(10.0, std::floor(std::log10((high - low) / 5.0)));
    for (const double factor : {2.0, 2.5, 2.0}) {
        if ((high - low) / step > 8.0) step *= factor;
    }
    std::vector<double> ticks;
    for (double tick = std::ceil(low / step) * step; tick <= high; tick += step) ticks.push_back(tick);
    return ticks;
}

std::vector<double> logarithmic_ticks(double low, double high) {
    if (high / low < kNarrow) return linear_ticks(low, high);
    const bool many = std::log10(high / low) > 4.0;
    std::vector<double> ticks;
    for (double power = std::pow(10.0, std::floor(std::log10(low))); power <= high; power *= 10.0) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            if (many && factor != 1.0) continue;
            const double tick = factor * power;
            if (tick >= low && tick <= high) ticks.push_back(tick);
        }
    }
    return ticks;
}

std::string tick_text(double value) { return fmt::format("{:.6g}", value); }

}  // namespace warpfront::tools
