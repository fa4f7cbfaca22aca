// Writes a scenario for a recorded run.
#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "tools/from_code/learning/report.hpp"

namespace warpfront::learning {

namespace {

/// Formats a name for YAML within braces.
std::string yaml_text(const std::string& name) {
    const bool is_word = std::ranges::all_of(
        name, [](char each) { return std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_'; });
    if (is_word) return name;
    std::string text;
    for (const char each : name) text += each == '\'' ? "''" : std::string(1, each);
    return "'" + text + "'";
}

/// Returns the median of the spreads of all works.
double spread_of(const Learnt& learnt) {
    std::vector<double> spreads;
    for (const auto& [part, work] : learnt.works) spreads.push_back(work.spread);
    std::sort(spreads.begin(), spreads.end());
    return spreads.empty() ? 0.0 : spreads[spreads.size() / 2];
}

}  // namespace

std::string scenario_text(const Report& report, const std::string& model, const std::string& platform,
                          const std::string& given_speed) {
    const std::vector<Run>& runs = report.learnt.runs;
    const auto most = runs.begin() + static_cast<std::ptrdiff_t>(largest(runs));
    const std::optional<CountedWork>& counted = report.learnt.counted;
    const std::string speed =
        given_speed.empty() && counted ? fmt::format("{:.6g}Mflops", counted->rate * 1e-6) : given_speed;
    const std::string processor = counted ? yaml_text(counted->kernel->processor()) : "recorded";
    const std::string machine =
        speed.empty() ? platform
                      : fmt::format("{{file: {}, processor: {{name: {}, speed: {}}}}}", platform, processor, speed);
    std::string text =
        fmt::format("# The recorded run `{}`.\nmodel: {}\nplatform: {}\n", most->recorded->name, model, machine);
    text += fmt::format("ranks: {{columns: {}, rows: {}", most->grid.columns, most->grid.rows);
    if (most->grid.planes > 1) text += fmt::format(", planes: {}", most->grid.planes);
    text += "}\n";
    if (report.learnt.iteration) {
        const auto at = static_cast<std::size_t>(most - runs.begin());
        for (const Part& part : report.learnt.structure.parts) {
            if (part.id == *report.learnt.iteration) text += fmt::format("iterations: {}\n", part.iterations[at]);
        }
    }
    std::string parameters;
    const std::set<std::uint32_t> used = used_parameters(report.learnt);
    for (std::size_t v = 0; v < report.learnt.variables.parameters(); ++v) {
        if (!used.contains(static_cast<std::uint32_t>(Variables::kParameters + v))) continue;
        parameters +=
            fmt::format("  {}: {}\n", report.learnt.variables.names[Variables::kParameters + v], most->parameters[v]);
    }
    if (!speed.empty()) {
        for (const auto& [name, value] : time_parameters(report.learnt)) {
            parameters += fmt::format("  {}: {}\n", name, value);
        }
    }
    if (!parameters.empty()) text += "parameters:\n" + parameters;
    if (const double spread = spread_of(report.learnt); spread >= 0.001) {
        text += fmt::format("noise: {{cv: {:.3g}}}  # of single blocks of computing, as recorded\n", spread);
    }
    return text;
}

}  // namespace warpfront::learning
