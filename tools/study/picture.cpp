#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/deviation.hpp"
#include "simulator/results/formatting.hpp"
#include "tools/study/plot.hpp"

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

}  // namespace warpfront::tools
