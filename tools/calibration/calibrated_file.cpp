#include "tools/calibration/calibrated_file.hpp"

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/source.hpp"
#include "simulator/scenario/overrides.hpp"

namespace warpfront::tools {

namespace {

using input::YamlNode;

/// What a calibration file says of its own fit.
constexpr std::array<std::string_view, 2> kOfTheFit{"error", "fitted"};

}  // namespace

YamlNode calibration_tree(const CalibrationPlan& plan, std::span<const double> values) {
    YamlNode tree = plan.fixed;
    input::Diagnostics faults;
    for (std::size_t k = 0; k < plan.terms.size(); ++k) {
        const PlannedTerm& term = plan.terms[k];
        for (const std::string& path : term.sets) {
            scenario::apply(scenario::scalar_override(path, plan.terms_range, term.text(values[k]), plan.terms_range),
                            tree, faults);
        }
    }
    for (const std::string_view key : kOfTheFit) {
        const YamlNode* given = tree.find(key);
        if (given == nullptr) continue;
        faults.add(input::DiagnosticKind::conflicting_keys, given->range, fmt::format("a plan that sets `{}`", key),
                   "expected none: the fit itself says how far it is off");
    }
    faults.raise();
    return tree;
}

scenario::Calibration calibration_of(const CalibrationPlan& plan, std::span<const double> values) {
    std::string text = input::yaml_text(calibration_tree(plan, values), kOpenLevels);
    return scenario::read_calibration(std::make_shared<input::SourceFile>(plan.writes.string(), std::move(text)));
}

}  // namespace warpfront::tools
