#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/deviation.hpp"
#include "simulator/results/formatting.hpp"
#include "tools/study/study_plot.hpp"

namespace warpfront::tools {

namespace {

struct Scale {
    std::string label;
    std::vector<double> values;           // by index along the axis
    std::vector<std::string> categories;  // empty if to scale
};

/// The values of an axis as numbers: its first key whose values are numbers of one unit, increasing or decreasing.
std::optional<Scale> numeric_scale(const StudyAxis& axis) {
    for (const AxisKey& key : axis.keys) {
        Scale scale{key.path, {}, {}};
        std::string unit;
        for (const input::YamlNode& value : key.values) {
            const auto number = input::number_with_unit(value.scalar);
            if (!number || (!scale.values.empty() && number->unit != unit)) break;
            unit = number->unit;
            scale.values.push_back(number->value);
        }
        if (scale.values.size() != key.values.size()) continue;
        if (!unit.empty()) scale.label += ", " + unit;
        return scale;
    }
    return std::nullopt;
}

bool sets_ranks(const StudyAxis& axis) {
    return std::any_of(axis.keys.begin(), axis.keys.end(),
                       [](const AxisKey& key) { return key.path.starts_with("ranks"); });
}

Scale scale_of(const StudyResults& results, std::size_t x) {
    const StudyPlan& plan = results.plan();
    const StudyAxis& axis = plan.axes[x];
    if (sets_ranks(axis)) {
        Scale scale{"ranks", {}, {}};
        for (std::size_t k = 0; k < axis.size; ++k) {
            scale.values.push_back(static_cast<double>(results.at(k * plan.stride(x)).ranks));
        }
        return scale;
    }
    if (!axis.label) {
        if (auto numbers = numeric_scale(axis)) return std::move(*numbers);
    }
    Scale scale{axis.name(), {}, {}};
    for (std::size_t k = 0; k < axis.size; ++k) {
        scale.values.push_back(static_cast<double>(k));
        scale.categories.push_back(axis.text(k));
    }
    return scale;
}

std::string line_name(const StudyResults& study, std::size_t row, std::size_t x, std::string_view engine) {
    const StudyPlan& plan = study.plan();
    std::string name(engine);
    for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
        if (axis == x || plan.axes[axis].size < 2) continue;
        if (sets_ranks(plan.axes[axis]) && !plan.axes[axis].label) {
            name += fmt::format(", {} ranks", results::grouped(study.at(row).ranks));
            continue;
        }
        const std::string& path = plan.axes[axis].name();
        name += fmt::format(", {}={}", path.substr(path.rfind('.') + 1), plan.axes[axis].text(plan.index(row, axis)));
    }
    return name;
}

}  // namespace

std::optional<StudyPicture> study_picture(const StudyResults& results, ColumnName column) {
    const StudyPlan& plan = results.plan();
    if (!results.complete() || plan.axes.empty()) return std::nullopt;
    const Scale scale = scale_of(results, plan.x);
    const ColumnText& text = text_of(column);
    StudyPicture picture{plan.question.empty() ? plan.name : plan.question,
                         scale.label,
                         text.unit.empty() ? std::string(text.name) : fmt::format("{}, {}", text.name, text.unit),
                         scale.categories,
                         {}};
    for (std::size_t row = 0; row < results.rows(); ++row) {
        if (plan.index(row, plan.x) != 0) continue;
        for (const std::string& engine : results.engines()) {
            StudyLine line{line_name(results, row, plan.x, engine), engine, {}};
            for (std::size_t k = 0; k < scale.values.size(); ++k) {
                const auto value = results.value(column, row + k * plan.stride(plan.x), engine);
                if (value) line.points.emplace_back(scale.values[k], *value);
            }
            if (line.points.size() > 1) picture.lines.push_back(std::move(line));
        }
    }
    if (picture.lines.empty()) return std::nullopt;
    return picture;
}

}  // namespace warpfront::tools
