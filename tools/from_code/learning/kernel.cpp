#include "tools/from_code/learning/kernel.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "psl/checking/model.hpp"
#include "psl/specialising/folding.hpp"
#include "simulator/program/execution.hpp"

namespace warpfront::learning {

namespace {

using input::BadInput;
using input::DiagnosticKind;
using psl::Object;
using psl::Statement;

constexpr const char* kUnits = "one operation";  // name of the processor on which each operation takes 1 ns
constexpr double kGiga = 1e9;
constexpr double kPerSecond = 1e-12;  // seconds in a picosecond

bool has_costs(const Object& object) {
    return object.form == Object::Form::subtask && object.result.kind == psl::Kind::time;
}

/// Adds the names of all `count` entries of a subtask and of the subtasks that it calls.
void add_operations(const Object& subtask, std::set<std::string>& names, std::set<const Object*>& seen) {
    if (!seen.insert(&subtask).second) return;
    const std::function<void(const psl::Expression&)> calls = [&](const psl::Expression& expression) {
        if (expression.callee != nullptr) add_operations(*expression.callee, names, seen);
        for (const psl::Expression& operand : expression.operands) calls(operand);
    };
    const std::function<void(const std::vector<Statement>&)> walk = [&](const std::vector<Statement>& statements) {
        for (const Statement& each : statements) {
            if (each.form == Statement::Form::count) names.insert(each.name.text);
            for (const psl::Expression& expression : each.expressions) calls(expression);
            walk(each.body);
            walk(each.otherwise);
        }
    };
    walk(subtask.body);
}

/// Returns the names of all `count` entries of a model, for a hardware object that has times for all of them.
std::vector<std::string> operations_of(const psl::CheckedModel& model) {
    std::set<std::string> names;
    std::set<const Object*> seen;
    for (const psl::File& file : model.files) {
        for (const auto& object : file.objects) {
            if (has_costs(*object)) add_operations(*object, names, seen);
        }
    }
    return {names.begin(), names.end()};
}

std::vector<std::string> operations_of(const Object& subtask) {
    std::set<std::string> names;
    std::set<const Object*> seen;
    add_operations(subtask, names, seen);
    return {names.begin(), names.end()};
}

const Object* first_hardware(const psl::CheckedModel& model) {
    for (const psl::File& file : model.files) {
        for (const auto& object : file.objects) {
            if (object->form == Object::Form::hardware) return object.get();
        }
    }
    return nullptr;
}

/// Returns the first operation for which the hardware object has no time; null if it has all.
const std::string* lacking(const std::vector<std::string>& operations, const Object* hardware) {
    const auto found = std::ranges::find_if(operations, [&](const std::string& name) {
        return hardware == nullptr || psl::operation_time(*hardware, name) == nullptr;
    });
    return found == operations.end() ? nullptr : &*found;
}

std::string imports_of(const std::vector<std::filesystem::path>& files) {
    std::string text;
    for (const std::filesystem::path& file : files) {
        text += fmt::format("import \"{}\"\n", std::filesystem::absolute(file).lexically_normal().string());
    }
    return text;
}

psl::Model one_call(const std::string& declarations, const std::string& time) {
    return psl::load_text("the call of the counted subtask",
                          fmt::format("{}application one_call {{\n    iteration {{\n        compute {}\n    }}\n}}\n",
                                      declarations, time));
}

/// Returns the computing time of the model's only rank, in seconds.
double computing_of(const psl::Model& model, const std::optional<psl::Processor>& processor) {
    psl::Bindings bindings;
    bindings.processor = processor;
    const program::Program program = psl::lower(model, bindings);
    program::Cursor cursor(program.of(Rank{0}));
    double picoseconds = 0.0;
    for (const program::Instruction* step = &cursor.next(); step->op != program::Op::finish; step = &cursor.next()) {
        if (step->op == program::Op::compute) picoseconds += static_cast<double>(step->amount);
    }
    return picoseconds * kPerSecond;
}

/// Reports a parameter whose type does not accept a number of a learnt model.
void check_type(const psl::CheckedModel& model, const psl::Parameter& parameter) {
    const bool is_number = parameter.type.kind == psl::Kind::integer || parameter.type.kind == psl::Kind::real;
    if ((is_number && !parameter.type.list) || !parameter.preset.empty()) return;
    throw BadInput(DiagnosticKind::wrong_type, model.range_of(parameter.name.span),
                   fmt::format("parameter `{}` is of type `{}`, but a learnt model can bind only whole numbers",
                               parameter.name.text, psl::type_name(parameter.type)),
                   "expected a parameter of type `int` or `real`, or a default");
}

/// Returns the model that contains the hardware object of the recording's processor: the first of `files`, or the
/// kernel's file if there are none.
psl::Model hardware_of(const psl::Model& kernel, const std::vector<std::filesystem::path>& files) {
    std::optional<psl::Model> first;
    for (const std::filesystem::path& file : files) {
        psl::Model objects = psl::load(file);
        if (first_hardware(objects.checked()) == nullptr) {
            throw BadInput(DiagnosticKind::no_hardware, input::range_of_line(objects.sources().front(), 1),
                           "this file has no hardware object",
                           "expected `hardware NAME { ... }`, as `warpfront opcodes` writes it");
        }
        if (!first) first = std::move(objects);
    }
    return first.value_or(kernel);
}

/// Returns the subtask with the requested name. If no name is requested, returns the first subtask whose operations all
/// have times in the hardware object, or the first of all.
const Object& chosen_subtask(const psl::Model& model, const KernelRequest& request, const Object* hardware) {
    std::vector<const Object*> subtasks;
    std::vector<std::string> names;
    for (const auto& object : model.checked().files.front().objects) {
        if (!has_costs(*object)) continue;
        subtasks.push_back(object.get());
        names.push_back(object->name.text);
    }
    if (subtasks.empty()) {
        throw BadInput(DiagnosticKind::unknown_kernel, input::range_of_line(model.sources().front(), 1),
                       "this file has no subtask with costs",
                       "expected `subtask NAME(cells: int): time { flops 9 * cells }`, as `warpfront costs` writes it");
    }
    const auto chosen = std::ranges::find_if(subtasks, [&](const Object* each) {
        return request.subtask ? each->name.text == request.subtask->text
                               : lacking(operations_of(*each), hardware) == nullptr;
    });
    if (chosen != subtasks.end()) return **chosen;
    if (!request.subtask) return *subtasks.front();
    throw BadInput(DiagnosticKind::unknown_name, request.subtask->range,
                   fmt::format("`{}` has no subtask `{}` with costs", request.file.string(), request.subtask->text),
                   input::suggestion(request.subtask->text, names));
}

[[noreturn]] void refuse_operation(const input::SourceRange& range, const std::string& subtask,
                                   const std::string& operation, const Object* hardware) {
    throw BadInput(DiagnosticKind::no_hardware, range,
                   hardware == nullptr
                       ? fmt::format("`{}` counts the operation `{}`, but no hardware object has times of operations",
                                     subtask, operation)
                       : fmt::format("hardware `{}` has no operation `{}`", hardware->name.text, operation),
                   "expected `--hardware FILE.psl` with a hardware object that states the time of this operation, as "
                   "`warpfront opcodes` writes, or a subtask with only `flops`");
}

/// Returns the rate of a hardware object, in operations per second.
double rate_of(const psl::CheckedModel& model, const Object& hardware) {
    const psl::Expression* const rate = psl::achieved_rate(hardware);
    if (rate == nullptr) {
        throw BadInput(DiagnosticKind::no_hardware, model.range_of(hardware.name.span),
                       fmt::format("hardware `{}` states no `rate`", hardware.name.text),
                       "expected `rate = 2.1Gflops`, by which its times are converted to other processors");
    }
    return kGiga / computing_of(one_call({}, fmt::format("1000000000 / ({})", model.text(rate->span))), std::nullopt);
}

}  // namespace

Kernel::Kernel(const KernelRequest& request) {
    files_.push_back(request.file);
    files_.insert(files_.end(), request.hardware.begin(), request.hardware.end());
    const psl::Model model = psl::load(request.file, request.range);
    const psl::Model described = hardware_of(model, request.hardware);
    const Object* const hardware = first_hardware(described.checked());
    const Object& subtask = chosen_subtask(model, request, hardware);
    subtask_ = subtask.name.text;
    operations_ = operations_of(model.checked());
    const std::vector<std::string> own = operations_of(subtask);
    if (const std::string* const missing = lacking(own, hardware)) {
        refuse_operation(model.checked().range_of(subtask.name.span), subtask_, *missing, hardware);
    }
    for (const psl::Parameter& parameter : subtask.parameters) {
        check_type(model.checked(), parameter);
        KernelParameter& here = parameters_.emplace_back();
        here.name = parameter.name.text;
        here.range = model.checked().range_of(parameter.name.span);
        if (!parameter.preset.empty()) here.preset = std::string(model.checked().text(parameter.preset.front().span));
    }
    if (hardware == nullptr) return;
    processor_ = hardware->processor.text;
    if (!own.empty()) object_rate_ = rate_of(described.checked(), *hardware);
}

double Kernel::seconds(const psl::Model& probe, const std::string& processor, double rate) const {
    return computing_of(probe, psl::Processor{processor, rate});
}

const KernelCost& Kernel::cost(const std::vector<std::string>& arguments) const {
    if (const auto known = known_.find(arguments); known != known_.end()) return known->second;
    const std::string call = fmt::format("{}({})", subtask_, fmt::join(arguments, ", "));
    std::string units = fmt::format("hardware units {{\n    processor \"{}\"\n    rate = 1Gflops\n", kUnits);
    for (const std::string& name : operations_) units += fmt::format("    operation {} = 1ns\n", name);
    const psl::Model counted = one_call(imports_of({files_.front()}) + units + "}\n", call);
    const psl::Model timed = one_call(imports_of(files_), call);
    // At half the rate, only the operations take twice as long.
    KernelCost cost;
    cost.operations = (seconds(counted, kUnits, kGiga / 2) - seconds(counted, kUnits, kGiga)) * kGiga;
    const double slow = seconds(timed, processor_, kGiga / 2);
    const double fast = seconds(timed, processor_, kGiga);
    cost.work = (slow - fast) * kGiga;
    cost.fixed = 2 * fast - slow;
    return known_[arguments] = cost;
}

}  // namespace warpfront::learning
