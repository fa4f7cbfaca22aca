#include "psl/specialising/bound_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

#include "simulator/input/decimal.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/input/yaml.hpp"

namespace warpfront::psl {
namespace {

/// Returns `number` times `unit`, rounded once, if the number is written as in PSL. Returns `rounded` otherwise.
long double exactly(std::string_view number, long double unit, long double rounded) {
    const input::Decimal decimal = input::read_decimal(number);
    return decimal.length == number.size() ? scaled(decimal, unit) : rounded;
}

Value time_value(const Binding& binding, Diagnostics& faults) {
    const input::Quantity quantity = input::parse_quantity(binding.text, binding.range, input::Dimension::time, faults);
    if (!faults.empty()) return {};
    if (quantity.value < 0.0) {
        faults.add(DiagnosticKind::out_of_range, binding.range, fmt::format("`{}` is negative", binding.text),
                   "expected a time of at least 0");
        return {};
    }
    return {Kind::time, 0, input::picoseconds_of(quantity)};
}

Value truth_value(const Binding& binding, Diagnostics& faults) {
    if (const auto truth = input::truth_of(input::trimmed(binding.text))) return boolean(*truth);
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

/// Returns the items of a list such as "[8B, 16B]". All items have the range of the whole text.
std::vector<Value> items(const Binding& binding, Kind kind, Diagnostics& faults) {
    std::string_view text = input::trimmed(binding.text);
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
        faults.add(DiagnosticKind::wrong_type, binding.range, fmt::format("`{}` is not a list", binding.text),
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

BoundValue read(const Binding& binding, Type type, Diagnostics& faults) {
    Diagnostics own;
    BoundValue result;
    if (type.list) {
        result.items = items(binding, type.kind, own);
    } else {
        result.value = read(binding, type.kind, own);
    }
    faults.add(own);
    return result;
}

class ObjectBindings {
public:
    ObjectBindings(const CheckedModel& model, BoundValues& values, Diagnostics& faults)
        : values_(values), faults_(faults) {
        for (const File& file : model.files) add(file.objects);
    }

    void bind(const std::string& object_name, const std::map<std::string, Binding>& bindings) {
        const Objects& objects = named(object_name);
        for (const auto& [name, binding] : bindings) {
            if (objects.empty() && applications_.contains(object_name)) {
                refuse(binding, fmt::format("`{}` is the application of the model", object_name),
                       fmt::format("expected `parameters.{}`, which sets a parameter of the application", name));
            } else if (objects.empty()) {
                refuse(binding, fmt::format("the model has no object `{}`", object_name),
                       input::suggestion(object_name, names_));
            } else {
                bind(objects, name, binding);
            }
        }
    }

private:
    using Objects = std::vector<const Object*>;

    void add(const std::vector<std::unique_ptr<Object>>& objects) {
        for (const auto& object : objects) {
            add(object->inner);
            if (object->form == Object::Form::application) {
                applications_.insert(object->name.text);
                continue;
            }
            all_.push_back(object.get());
            names_.push_back(object->name.text);
        }
    }

    Objects named(const std::string& name) const {
        Objects found;
        std::copy_if(all_.begin(), all_.end(), std::back_inserter(found),
                     [&](const Object* object) { return object->name.text == name; });
        return found;
    }

    /// Returns the names and types of the values that a scenario may set in an object.
    static std::map<std::string, Type> settable(const Object& object) {
        std::map<std::string, Type> types;
        for (const Parameter& parameter : object.parameters) {
            if (!parameter.preset.empty()) types[parameter.name.text] = parameter.type;
        }
        for (const Statement& each : object.body) {
            if (each.form == Statement::Form::achieved_rate) types["rate"] = {Kind::rate, false};
            if (each.form == Statement::Form::operation) types[each.name.text] = {Kind::time, false};
        }
        return types;
    }

    void bind(const Objects& objects, const std::string& name, const Binding& binding) {
        std::vector<std::string> names;
        bool known = false;
        for (const Object* object : objects) {
            for (const auto& [each, type] : settable(*object)) {
                names.push_back(each);
                if (each != name) continue;
                known = true;
                values_.objects[object][name] = read(binding, type, faults_);
            }
        }
        if (known) return;
        refuse(binding, fmt::format("`{}` has no default `{}` to replace", objects[0]->name.text, name),
               input::suggestion(name, names));
    }

    void refuse(const Binding& binding, std::string message, std::string expected) {
        faults_.add(DiagnosticKind::unknown_parameter, binding.range, std::move(message), std::move(expected));
    }

    BoundValues& values_;
    Diagnostics& faults_;
    Objects all_;
    std::vector<std::string> names_;
    std::set<std::string> applications_;
};

/// Returns the parameters that the scenario sets by name or by role.
std::map<std::string, Binding> named_bindings(const Model& model, const Bindings& bindings, Diagnostics& faults) {
    std::map<std::string, Binding> named = bindings.parameters;
    for (const auto& [role, value, key] : bindings.roles) {
        const RoleDescription& wanted = description_of(role);
        const std::optional<std::string> name = model.parameter_with(role);
        if (!name) {
            faults.add(
                DiagnosticKind::unknown_parameter, value.range,
                fmt::format("`{}` has no parameter for `{}`: none has the role `{}`", model.name(), key, wanted.name),
                fmt::format("expected a parameter in the model, such as `param {}: {} as {}`", wanted.usual[0],
                            wanted.type, wanted.name));
        } else if (!named.try_emplace(*name, value).second) {
            faults.add(DiagnosticKind::conflicting_keys, value.range,
                       fmt::format("`{}` and `parameters.{}` set the same quantity", key, *name),
                       "expected one of the two");
        }
    }
    return named;
}

}  // namespace

BoundValues bound_values(const Model& model, const Bindings& bindings) {
    Diagnostics faults;
    BoundValues values;
    const std::map<std::string, Binding> named = named_bindings(model, bindings, faults);
    std::vector<std::string> names;
    for (const ParameterInfo& parameter : model.parameters()) {
        names.push_back(parameter.name);
        const auto bound = named.find(parameter.name);
        if (bound != named.end()) {
            const bool list = parameter.type.front() == '[';
            const std::string_view type(parameter.type);
            const Kind kind = kind_named(list ? type.substr(1, type.size() - 2) : type).value_or(Kind::any);
            values.parameters[parameter.name] = read(bound->second, {kind, list}, faults);
        } else if (parameter.required) {
            faults.add(DiagnosticKind::missing_parameter, bindings.range,
                       fmt::format("missing parameter `{}`", parameter.name),
                       fmt::format("`{}` needs a value of type `{}` for it", model.name(), parameter.type));
        }
    }
    for (const auto& [name, binding] : bindings.parameters) {
        if (std::ranges::find(names, name) != names.end()) continue;
        faults.add(DiagnosticKind::unknown_parameter, binding.range,
                   fmt::format("`{}` has no parameter `{}`", model.name(), name), input::suggestion(name, names));
    }
    ObjectBindings objects(model.checked(), values, faults);
    for (const auto& [object, bound] : bindings.objects) objects.bind(object, bound);
    faults.raise();
    return values;
}

}  // namespace warpfront::psl
