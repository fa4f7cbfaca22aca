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
    TextColumn time{"us", {}, TextColumn::Side::right};
    TextColumn entry{"work", {}, TextColumn::Side::left};
    TextColumn names{"with", {}, TextColumn::Side::left};
    TextColumn place{"at", {}, TextColumn::Side::left};
    for (const psl::CostLine& line : report.lines) {
        time.cells.push_back(time_text(line.time));
        entry.cells.push_back(std::string(std::size_t{2} * line.depth, ' ') + line.text);
        names.cells.push_back(cell(line.names));
        place.cells.push_back(line.place);
    }
    TextTable table(2);
    for (TextColumn* column : {&time, &entry, &names, &place}) table.add(std::move(*column));
    return table.render();
}

std::string values(const psl::CostReport& report) {
    TextColumn name{"name", {}, TextColumn::Side::left};
    TextColumn value{"value", {}, TextColumn::Side::left};
    TextColumn source{"from", {}, TextColumn::Side::left};
    for (const psl::NamedValue& each : report.values) {
        name.cells.push_back(each.name);
        value.cells.push_back(each.value);
        source.cells.push_back(each.source);
    }
    TextTable table(1);
    for (TextColumn* column : {&name, &value, &source}) table.add(std::move(*column));
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
