#include "psl/binding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "psl/decimal.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/input/suggestion.hpp"

namespace warpfront::psl {
namespace {

using input::DiagnosticKind;
using input::Diagnostics;

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The number exactly where it is written as PSL writes it, else `rounded`.
long double exactly(std::string_view text, long double unit, std::size_t unit_length, long double rounded) {
    const std::string_view number = trimmed(text.substr(0, text.size() - unit_length));
    const Decimal decimal = read_decimal(number);
    return decimal.length == number.size() && decimal.length > 0 ? scaled(decimal, unit) : rounded;
}

Value time_value(const Binding& binding, Diagnostics& faults) {
    const input::Quantity quantity = input::parse_quantity(binding.text, binding.range, input::Dimension::time, faults);
    if (!faults.empty()) return {};
    const std::string_view text = trimmed(binding.text);
    const std::size_t last_other = text.find_last_of("0123456789. \t");
    const std::string_view unit_name = text.substr(last_other + 1);
    const input::Unit* unit = input::find_unit(unit_name);
    const long double rounded = static_cast<long double>(quantity.value) * 1e12L;
    if (rounded < 0.0L) {
        faults.add(DiagnosticKind::out_of_range, binding.range, fmt::format("a time of {}", binding.text),
                   "expected none below zero");
        return {};
    }
    if (!unit) return {Kind::time, 0, rounded};
    return {Kind::time, 0, exactly(text, picoseconds_of(unit->factor), unit_name.size(), rounded)};
}

Value truth_value(const Binding& binding, Diagnostics& faults) {
    const std::string_view text = trimmed(binding.text);
    if (text == "true" || text == "on" || text == "yes") return boolean(true);
    if (text == "false" || text == "off" || text == "no") return boolean(false);
    faults.add(DiagnosticKind::bad_choice, binding.range, fmt::format("`{}` is neither true nor false", binding.text),
               "expected `true` or `false`");
    return {};
}

Value read(const Binding& binding, Kind kind, Diagnostics& faults) {
    using Limits = std::numeric_limits<std::int64_t>;
    switch (kind) {
        case Kind::integer:
            return integer(input::parse_integer(binding.text, binding.range, Limits::min(), Limits::max(), faults));
        case Kind::real: {
            const double rounded = input::parse_real(binding.text, binding.range, faults);
            return {Kind::real, 0, exactly(trimmed(binding.text), 1.0L, 0, static_cast<long double>(rounded))};
        }
        case Kind::bytes: return {Kind::bytes, input::parse_bytes(binding.text, binding.range, faults).count, 0.0L};
        case Kind::boolean: return truth_value(binding, faults);
        default: return time_value(binding, faults);
    }
}

}  // namespace

std::map<std::string, Value> bound_values(const Model& model, const Bindings& bindings) {
    Diagnostics faults;
    std::map<std::string, Value> values;
    std::vector<std::string> names;
    for (const ParameterInfo& parameter : model.parameters()) {
        names.push_back(parameter.name);
        const auto bound = bindings.parameters.find(parameter.name);
        if (bound != bindings.parameters.end()) {
            Diagnostics own;
            values[parameter.name] = read(bound->second, kind_named(parameter.type).value_or(Kind::any), own);
            faults.add(own);
        } else if (parameter.required) {
            faults.add(DiagnosticKind::missing_parameter, bindings.range,
                       fmt::format("missing parameter `{}`", parameter.name),
                       fmt::format("`{}` needs a value of type `{}` for it", model.name(), parameter.type));
        }
    }
    for (const auto& [name, binding] : bindings.parameters) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        faults.add(DiagnosticKind::unknown_parameter, binding.range,
                   fmt::format("`{}` has no parameter `{}`", model.name(), name), input::suggestion(name, names));
    }
    faults.raise();
    return values;
}

}  // namespace warpfront::psl
