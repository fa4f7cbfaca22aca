#include "tools/program/checking/checking.hpp"

#include <fmt/format.h>

#include "psl/psl.hpp"
#include "simulator/analytic/plug_and_play.hpp"
#include "tools/answer/experiment/lowering.hpp"
#include "tools/answer/rendering/text_table.hpp"

namespace warpfront::tools {

namespace {

std::string time_text(std::int64_t ps) { return fmt::format("{:.7g}", static_cast<double>(ps) * 1e-6); }

std::string time_text(const psl::CostRange& time) {
    if (!time.known) return std::string(kEmptyCell);
    if (time.least == time.most) return time_text(time.least);
    return fmt::format("{} to {}", time_text(time.least), time_text(time.most));
}

std::string cell(const std::string& text) { return text.empty() ? std::string(kEmptyCell) : text; }

std::string tree(const psl::CostReport& report) {
    TextTable table(2);
    table.add("us", report.lines, [](const psl::CostLine& line) { return time_text(line.time); });
    table.add_texts("work", report.lines, [](const psl::CostLine& line) {
        return std::string(std::size_t{2} * line.depth, ' ') + line.text;
    });
    table.add_texts("with", report.lines, [](const psl::CostLine& line) { return cell(line.names); });
    table.add_texts("at", report.lines, [](const psl::CostLine& line) { return line.place; });
    return table.render();
}

std::string values(const psl::CostReport& report) {
    TextTable table(1);
    table.add_texts("name", report.values, [](const psl::NamedValue& each) { return each.name; });
    table.add_texts("value", report.values, [](const psl::NamedValue& each) { return each.value; });
    table.add_texts("from", report.values, [](const psl::NamedValue& each) { return each.source; });
    return table.render();
}

}  // namespace

std::string costs_text(const Experiment& prepared) {
    const scenario::Scenario& scenario = prepared.scenario;
    if (scenario.trace) {
        throw BadInput(DiagnosticKind::bad_option, scenario.trace->range,
                       "a trace has no model whose costs could be shown", "expected a scenario with a model");
    }
    psl::Bindings bindings = scenario.bindings;
    bindings.closed_form = [&prepared](const program::WavefrontPhase& phase) {
        return analytic::predict(phase, prepared.published_machine());
    };
    bindings.list_time = ListTimes(prepared.machine);
    const psl::CostReport report = psl::costs(*prepared.model, bindings);
    const auto& processor = scenario.bindings.processor;
    const std::string rate =
        processor ? fmt::format("{}{:.6g} Mflop/s", processor->name.empty() ? "" : processor->name + ", ",
                                processor->operations_per_second * 1e-6)
                  : "none stated";
    return fmt::format("processor of {}: {}\n\n{}\n{}", scenario.platform.string(), rate, tree(report), values(report));
}

}  // namespace warpfront::tools
