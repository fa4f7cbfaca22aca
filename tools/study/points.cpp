#include "tools/study/points.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "psl/psl.hpp"
#include "simulator/scenario/uncertain.hpp"

namespace warpfront::tools {

using input::Diagnostics;

const EngineResult* PointResult::by(std::string_view engine) const {
    const auto found =
        std::find_if(engines.begin(), engines.end(), [&](const EngineResult& each) { return each.engine == engine; });
    return found == engines.end() ? nullptr : &*found;
}

scenario::Scenario scenario_at(const StudyPlan& plan, const scenario::ScenarioDocument& base, std::size_t point) {
    scenario::ScenarioDocument document = base;
    Diagnostics faults;
    for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
        for (const AxisKey& key : plan.axes[axis].keys) {
            const input::YamlNode& value = key.values[plan.index(point, axis)];
            scenario::Override made = scenario::scalar_override(key.path, key.range, "", value.range);
            made.value = value;
            apply(plan, std::move(made), document, faults);
        }
    }
    document.uncertain = scenario::take_uncertain(document.tree, faults);
    faults.raise();
    return scenario::read_scenario(document);
}

std::optional<Scaling> scaling_of(const scenario::Scenario& scenario) {
    const bool x_per_rank = scenario.cells_per_rank.contains("x");
    const bool y_per_rank = scenario.cells_per_rank.contains("y");
    if (x_per_rank && y_per_rank) return Scaling::weak;
    if (x_per_rank || y_per_rank || scenario.trace) return std::nullopt;
    const psl::Model model = psl::load(scenario.model, scenario.model_range);
    const auto has = [&](psl::Role role) {
        const std::optional<std::string> name = model.parameter_with(role);
        return name && scenario.bindings.parameters.contains(*name);
    };
    if (has(psl::Role::cells_x) && has(psl::Role::cells_y)) return Scaling::strong;
    return std::nullopt;
}

std::optional<Scaling> common_scaling(const StudyPlan& plan, const scenario::ScenarioDocument& base,
                                      const std::vector<std::size_t>& points) {
    input::Diagnostics faults;
    std::vector<std::optional<Scaling>> scalings;
    for (const std::size_t point : points) {
        try {
            scalings.push_back(scaling_of(scenario_at(plan, base, point)));
        } catch (const input::BadInput& bad) {
            faults.add(bad.diagnostics());
        }
    }
    faults.raise();
    const bool alike = std::count(scalings.begin(), scalings.end(), scalings.front()) == std::ssize(scalings);
    return alike ? scalings.front() : std::nullopt;
}

const std::vector<Engine>& engines_at(const StudyPlan& plan, std::size_t point) {
    for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
        if (!plan.axes[axis].engines.empty()) return plan.axes[axis].engines[plan.index(point, axis)];
    }
    return plan.engines;
}

std::vector<Engine> engines_of(const StudyPlan& plan) {
    std::vector<Engine> all;
    const auto add = [&all](const std::vector<Engine>& engines) {
        for (const Engine engine : engines) {
            if (std::find(all.begin(), all.end(), engine) == all.end()) all.push_back(engine);
        }
    };
    bool by_point = false;
    for (const StudyAxis& axis : plan.axes) {
        for (const std::vector<Engine>& engines : axis.engines) add(engines);
        by_point = by_point || !axis.engines.empty();
    }
    if (!by_point) add(plan.engines);
    return all;
}

std::vector<std::string> engine_names_of(const StudyPlan& plan) {
    std::vector<std::string> names;
    for (const Engine engine : engines_of(plan)) names.emplace_back(name_of(engine));
    return names;
}

NamedTexts values_at(const StudyPlan& plan, std::size_t point) {
    NamedTexts values;
    for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
        const StudyAxis& each = plan.axes[axis];
        const std::size_t index = plan.index(point, axis);
        if (each.label) values.emplace_back(each.label->name, each.label->texts[index]);
        for (const AxisKey& key : each.keys) values.emplace_back(key.path, text_of(key.values[index]));
    }
    return values;
}

NamedTexts shown_at(const StudyPlan& plan, std::size_t axis, std::size_t point) {
    const StudyAxis& each = plan.axes[axis];
    const std::size_t index = plan.index(point, axis);
    if (each.label) return {{each.label->name, each.label->texts[index]}};
    NamedTexts values;
    for (const AxisKey& key : each.keys) values.emplace_back(key.path, text_of(key.values[index]));
    return values;
}

std::string describe_point(const StudyPlan& plan, std::size_t point) {
    std::string text;
    for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
        for (const auto& [name, value] : shown_at(plan, axis, point)) {
            text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
        }
    }
    return text;
}

}  // namespace warpfront::tools
