#include "tools/study/points.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <numeric>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "psl/psl.hpp"
#include "simulator/scenario/overrides.hpp"
#include "simulator/scenario/uncertain.hpp"
#include "tools/answer/runs/uncertainty.hpp"

namespace warpfront::tools {

namespace {

scenario::ScenarioDocument document_at(const StudyPlan& plan, const scenario::ScenarioDocument& base,
                                       std::size_t point) {
    scenario::ScenarioDocument document = base;
    Diagnostics faults;
    for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
        for (const AxisKey& key : plan.axes[axis].keys) {
            const std::optional<YamlNode>& value = key.values[plan.index(point, axis)];
            if (!value) continue;
            scenario::Override made = scenario::scalar_override(key.path, key.range, "", value->range);
            made.value = *value;
            scenario::apply(plan.scenario, std::move(made), document, faults);
        }
    }
    std::vector<scenario::UncertainFigure> uncertain = scenario::take_uncertain(document.tree, faults);
    document.uncertain.insert(document.uncertain.end(), uncertain.begin(), uncertain.end());
    faults.raise();
    return document;
}

}  // namespace

scenario::Scenario scenario_at(const StudyPlan& plan, const scenario::ScenarioDocument& base, std::size_t point) {
    return scenario::read_scenario(document_at(plan, base, point));
}

std::vector<std::size_t> all_points(const StudyPlan& plan) {
    std::vector<std::size_t> points(plan.points());
    std::iota(points.begin(), points.end(), std::size_t{0});
    return points;
}

CaseRuns runs_of(const StudyPlan& plan, const scenario::ScenarioDocument& base,
                 const std::vector<std::size_t>& points) {
    CaseRuns runs{.cases = points.size(), .prepare = {}};
    runs.prepare = [&](std::size_t number) {
        const scenario::ScenarioDocument document = document_at(plan, base, points[number]);
        return PreparedCase{std::make_shared<const Experiment>(build_experiment(scenario::read_scenario(document))),
                            engines_at(plan, points[number]), notes_on_deviations(document)};
    };
    runs.seeds = plan.seeds;
    runs.with_path = plan.needs_path();
    runs.keeps_failures = true;
    runs.unit = plan.seeds == 1 ? "point" : "run";
    return runs;
}

namespace {

/// Returns the number in the text of a parameter; nothing if the text is not a number.
std::optional<double> number_in(const std::string& text) {
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || !(number > 0.0)) return std::nullopt;
    return number;
}

}  // namespace

Problem problem_of(const scenario::Scenario& scenario) {
    Problem problem;
    if (scenario.trace) return problem;
    const psl::Model model = psl::load(scenario.model, scenario.model_range);
    const RankGrid grid = scenario.bindings.grid;
    const std::array<std::uint32_t, 3> ranks{grid.columns, grid.rows, grid.planes};
    std::array<bool, 3> per_rank{};
    std::array<bool, 3> whole{};
    for (std::size_t axis = 0; axis < ranks.size(); ++axis) {
        const auto& [name, role] = scenario::kCellAxes[axis];
        if (const auto share = scenario.cells_per_rank.find(std::string(name));
            share != scenario.cells_per_rank.end()) {
            per_rank[axis] = true;
            problem.cells *= static_cast<double>(share->second) * ranks[axis];
            continue;
        }
        const std::optional<std::string> parameter = model.parameter_with(role);
        if (!parameter) continue;
        const auto bound = scenario.bindings.parameters.find(*parameter);
        if (bound == scenario.bindings.parameters.end()) continue;
        whole[axis] = true;
        problem.cells *= number_in(bound->second.text).value_or(1.0);
    }
    if (per_rank[0] && per_rank[1]) problem.scaling = Scaling::weak;
    if (whole[0] && whole[1]) problem.scaling = Scaling::strong;
    return problem;
}

std::vector<Problem> problems_of(const StudyPlan& plan, const scenario::ScenarioDocument& base,
                                 const std::vector<std::size_t>& points) {
    Diagnostics faults;
    std::vector<Problem> problems;
    for (const std::size_t point : points) {
        faults.collect([&] { problems.push_back(problem_of(scenario_at(plan, base, point))); });
    }
    faults.raise();
    return problems;
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
            if (std::ranges::find(all, engine) == all.end()) all.push_back(engine);
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
