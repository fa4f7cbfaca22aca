// The points of a study as a picture (SVG): a column over the axis `x`, one line per engine and combination of the other
// axes. An axis whose values are numbers of one unit, or numbers of ranks, is drawn to scale, logarithmic if it spans a
// factor of kLogarithmicFrom; other values stand side by side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/study/study_results.hpp"

namespace warpfront::tools {

inline constexpr double kLogarithmicFrom = 8.0;
inline constexpr std::size_t kMostLines = 24;  // drawn; the picture says how many there are

struct StudyLine {
    std::string name;                               // engine, values of the other axes
    std::string engine;                             // its colour's
    std::vector<std::pair<double, double>> points;  // along x
};

struct StudyPicture {
    std::string title;
    std::string x_label, y_label;
    std::vector<std::string> categories;  // of x = 0, 1, ...; empty if x is to scale
    std::vector<StudyLine> lines;
};

/// Nothing if no line has two points.
std::optional<StudyPicture> study_picture(const StudyResults& results, ColumnName column);

std::string study_plot(const StudyPicture& picture);

}  // namespace warpfront::tools
