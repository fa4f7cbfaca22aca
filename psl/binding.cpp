#include "psl/binding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "simulator/input/decimal.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/input/suggestion.hpp"

namespace warpfront::psl {
namespace {

using input::DiagnosticKind;
using input::Diagnostics;

/// `number` units, rounded once, if the number is written as in PSL; else `rounded`.
long double exactly(std::string_view number, long double unit, long double rounded) {
    const input::Decimal decimal = input::read_decimal(number);
    return decimal.length == number.size() ? scaled(decimal, unit) : rounded;
}

Value time_value(const Binding& binding, Diagnostics& faults) {
    const input::Quantity quantity = input::parse_quantity(binding.text, binding.range, input::Dimension::time, faults);
    if (!faults.empty()) return {};
    if (quantity.value < 0.0) {
        faults.add(DiagnosticKind::out_of_range, binding.range, fmt::format("a time of {}", binding.text),
                   "expected none below zero");
        return {};
    }
    return {Kind::time, 0, input::picoseconds_of(quantity)};
}

Value truth_value(const Binding& binding, Diagnostics& faults) {
    const std::string_view text = input::trimmed(binding.text);
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
            const input::Quantity number =
                input::parse_quantity(binding.text, binding.range, input::Dimension::number, faults);
            return {Kind::real, 0, exactly(number.digits, 1.0L, static_cast<long double>(number.value))};
        }
        case Kind::rate: {
            const input::Quantity rate =
                input::parse_quantity(binding.text, binding.range, input::Dimension::flop_rate, faults);
            return {Kind::rate, 0, static_cast<long double>(rate.value)};
        }
        case Kind::bytes: return {Kind::bytes, input::parse_bytes(binding.text, binding.range, faults).count, 0.0L};
        case Kind::boolean: return truth_value(binding, faults);
        default: return time_value(binding, faults);
    }
}

/// Of "[8B, 16B]". Items share the range of the whole text.
std::vector<Value> items(const Binding& binding, Kind kind, Diagnostics& faults) {
    std::string_view text = input::trimmed(binding.text);
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
        faults.add(DiagnosticKind::wrong_type, binding.range, fmt::format("`{}` is no list", binding.text),
                   fmt::format("expected a list of `{}`, such as `[1, 2]`", type_name({kind, false})));
        return {};
    }
    text = text.substr(1, text.size() - 2);
    std::vector<Value> all;
    if (input::trimmed(text).empty()) return all;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t comma = std::min(text.find(',', start), text.size());
        const Binding item{std::string(input::trimmed(text.substr(start, comma - start))), binding.range};
        all.push_back(read(item, kind, faults));
        start = comma + 1;
    }
    return all;
}

}  // namespace

std::map<std::string, BoundValue> bound_values(const Model& model, const Bindings& bindings) {
    Diagnostics faults;
    std::map<std::string, BoundValue> values;
    std::vector<std::string> names;
    for (const ParameterInfo& parameter : model.parameters()) {
        names.push_back(parameter.name);
        const auto bound = bindings.parameters.find(parameter.name);
        if (bound != bindings.parameters.end()) {
            Diagnostics own;
            const bool list = parameter.type.front() == '[';
            const std::string_view type(parameter.type);
            const Kind kind = kind_named(list ? type.substr(1, type.size() - 2) : type).value_or(Kind::any);
            BoundValue& value = values[parameter.name];
            (list ? void(value.items = items(bound->second, kind, own))
                  : void(value.value = read(bound->second, kind, own)));
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
