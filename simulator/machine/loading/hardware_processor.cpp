#include "simulator/machine/loading/hardware_processor.hpp"

#include <string>

#include <fmt/format.h>

#include "simulator/input/quantity.hpp"
#include "simulator/machine/loading/hardware_tree.hpp"

namespace warpfront::machine {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::MappingReader;
using input::YamlNode;

std::optional<FlopRate> read_speed(const std::string& text, const input::SourceRange& range, Diagnostics& faults) {
    if (factor_of(text)) {
        faults.add(DiagnosticKind::missing_key, range, "the hardware file states no speed to multiply",
                   "expected a rate of arithmetic, such as `350Mflops`");
        return std::nullopt;
    }
    Diagnostics own;
    const double speed = input::parse_quantity(text, range, input::Dimension::flop_rate, own).value;
    faults.add(own);
    if (!own.empty()) return std::nullopt;
    if (speed >= kSlowestProcessor.per_second && speed <= kFastestProcessor.per_second) return FlopRate{speed};
    faults.add(DiagnosticKind::out_of_range, range, fmt::format("a processor of `{}`", text),
               "expected a speed from 1flops to 1e9Tflops");
    return std::nullopt;
}

}  // namespace

std::optional<Processor> read_processor(const YamlNode* node, Diagnostics& faults) {
    if (node == nullptr) return std::nullopt;
    MappingReader reader(*node, "`processor`", faults);
    const std::string name = reader.text("name").value_or("");
    reader.require("speed");
    std::optional<FlopRate> speed;
    if (const auto text = reader.text("speed")) speed = read_speed(*text, reader.range_of("speed"), faults);
    reader.finish();
    return speed ? std::optional(Processor{name, *speed}) : std::nullopt;
}

DescribedProcessor processor_of(const std::filesystem::path& hardware_file, const HardwareOverrides& overrides) {
    Diagnostics reported_elsewhere;
    try {
        HardwareTree tree = read_hardware_tree(hardware_file, {}, reported_elsewhere);
        apply_overrides(overrides.tree, tree.root, reported_elsewhere);
        return {read_processor(tree.root.find("processor"), reported_elsewhere), std::move(tree.sources)};
    } catch (const input::BadInput&) {
        return {};
    }
}

}  // namespace warpfront::machine
