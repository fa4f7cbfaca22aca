// The points of a study as a picture (SVG): a column over the axis `x`, one line per engine and combination of the
// other axes. An axis whose values are different numbers of one unit, or different numbers of ranks, is drawn to scale,
// logarithmic if it spans a factor of kLogarithmicFrom; other values stand side by side in their order.
//
// A combination has a colour and a mark, an engine its dashes, the same in every picture; the event engine's marks are
// filled. Where only ranks grow along `x`, a thin line from the first point of each combination shows ideal scaling
// (StudyResults::ideal). tools/page/browser/study_lines.js draws the same on pages.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/study/results.hpp"

namespace warpfront::tools {

inline constexpr double kLogarithmicFrom = 8.0;
inline constexpr std::size_t kMostLines = 24;  // drawn; the picture says how many there are
inline constexpr std::size_t kMostIdeals = 4;  // of more combinations that of the first alone

/// Along x; without a value the line has a gap.
using StudyLinePoints = std::vector<std::pair<double, std::optional<double>>>;

struct StudyLine {
    std::string combination;  // values of the other axes; empty if no other varies
    Engine engine;
    StudyLinePoints points;
    StudyLinePoints ideal{};  // of the first line of a combination, if it has one

    /// "event, 1,024 ranks"
    std::string name() const;
};

struct StudyPicture {
    std::string title;
    std::string x_label, y_label;
    std::vector<std::string> categories;  // of x = 0, 1, ...; empty if x is to scale
    bool x_is_ranks = false;
    std::vector<StudyLine> lines;
};

/// Nothing if no line has two points.
std::optional<StudyPicture> study_picture(const StudyResults& results, ColumnName column);

std::string study_plot(const StudyPicture& picture);

/// The pattern of an engine's lines as `stroke-dasharray`, each a different one; empty: solid.
std::string_view dashes_of(Engine engine);

}  // namespace warpfront::tools
