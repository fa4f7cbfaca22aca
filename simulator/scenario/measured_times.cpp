#include "simulator/scenario/measured_times.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/machine/loading/hardware_file.hpp"

namespace warpfront::scenario {

namespace {

using machine::Processor;

/// Formats a machine for a note.
std::string described(const std::filesystem::path& platform, const Processor& processor) {
    const std::string name = processor.name.empty() ? "" : processor.name + ", ";
    return fmt::format("`{}` ({}{:.6g} Mflop/s)", platform.filename().string(), name, processor.speed.per_second / 1e6);
}

/// A hardware file and the processor that it describes with the overrides of a scenario.
struct DescribedProcessor {
    std::optional<machine::HardwareTree> hardware;  // none if the file cannot be read
    std::optional<Processor> processor;
    const std::filesystem::path& platform;

    std::filesystem::path origin() const { return hardware ? machine::origin_of(*hardware) : machine::plain(platform); }
};

/// Returns the processor on which the times were measured. `here` is the processor of the platform in use.
DescribedProcessor measured_on(const MeasuredKeys& measured, const DescribedProcessor& here) {
    DescribedProcessor there{here.hardware, {}, measured.platform};
    try {
        if (measured.platform != here.platform) {
            there.hardware = machine::read_hardware_tree(measured.platform, {}, here.hardware->files);
        }
        there.processor = machine::processor_of(*there.hardware, measured.overrides);
    } catch (const BadInput&) {
        there.hardware = std::nullopt;
    }
    return there;
}

/// Formats the subject of a note on a missing speed: the hardware file or files without a speed.
std::string without_speed(const DescribedProcessor& from, const DescribedProcessor& to) {
    if (!from.processor && !to.processor) return "neither file states";
    return fmt::format("`{}` does not state", (from.processor ? to : from).platform.filename().string());
}

std::optional<std::string> note_unscaled(const Scenario& scenario, const DescribedProcessor& from,
                                         const DescribedProcessor& to) {
    const bool stated = from.processor || to.processor;
    if (!stated && from.origin() == to.origin()) return std::nullopt;
    const std::string given = fmt::format("the values of `{}` in `{}` were measured on the processor of `{}`",
                                          fmt::join(scenario.measured.names, "`, `"), scenario.file.string(),
                                          from.platform.filename().string());
    if (from.platform == to.platform) {
        return fmt::format("{} and are not scaled to the changed speed of this processor, since {} states no speed",
                           given, from.processor ? "the changed platform" : "the file");
    }
    return fmt::format("{} and are not scaled to `{}`, since {} the speed of its processor", given,
                       to.platform.filename().string(), without_speed(from, to));
}

/// Returns the text of t * s1 / s2; in a list "[t, u]", scales each item.
std::string scaled(const psl::Binding& time, FlopRate from, FlopRate to) {
    if (time.text.front() == '[') {
        std::vector<std::string> items;
        for (std::size_t start = 1; start < time.text.size();) {
            const std::size_t comma = std::min(time.text.find(',', start), time.text.size() - 1);
            items.push_back(
                scaled({std::string(input::trimmed(time.text.substr(start, comma - start))), time.range}, from, to));
            start = comma + 1;
        }
        return fmt::format("[{}]", fmt::join(items, ", "));
    }
    Diagnostics none;  // the text is a time, since the key is a measured one
    const input::Quantity quantity = input::parse_quantity(time.text, time.range, input::Dimension::time, none);
    const long double here = input::picoseconds_of(quantity) * static_cast<long double>(from.per_second) /
                             static_cast<long double>(to.per_second);
    return fmt::format("{:.0f}ps", std::round(here));
}

}  // namespace

MeasuredTimes scale_measured_times(Scenario& scenario, const machine::HardwareTree& hardware) {
    if (scenario.measured.names.empty()) return {};
    const DescribedProcessor to{hardware, machine::processor_of(hardware, scenario.overrides), scenario.platform};
    const DescribedProcessor from = measured_on(scenario.measured, to);
    if (!from.processor || !to.processor) return {note_unscaled(scenario, from, to), {}};
    const FlopRate s1 = from.processor->speed;
    const FlopRate s2 = to.processor->speed;
    if (s1 == s2) return {};

    const double factor = scenario.trace ? s2.per_second / s1.per_second : s1.per_second / s2.per_second;
    if (scenario.trace) {
        scenario.trace->speed.rate.per_second *= factor;
        scenario.trace->speed.times_as_fast *= factor;
    } else {
        for (const std::string& name : scenario.measured.names) {
            psl::Binding& time = scenario.bindings.parameters.at(name);
            time.text = scaled(time, s1, s2);
        }
    }
    std::string note = fmt::format("the values of `{}` in `{}` were multiplied by {:.6g}, from {} to {}",
                                   fmt::join(scenario.measured.names, "`, `"), scenario.file.string(), factor,
                                   described(scenario.measured.platform, *from.processor),
                                   described(scenario.platform, *to.processor));
    std::vector<SourceFilePtr> sources = from.hardware->sources;
    scenario.measured.platform = scenario.platform;
    scenario.measured.overrides = scenario.overrides;
    return {std::move(note), std::move(sources)};
}

}  // namespace warpfront::scenario
