// Checks the entries of subtasks with a value, and hardware objects.
#include <fmt/format.h>

#include <algorithm>

#include "psl/checking/object_checker.hpp"
#include "simulator/input/suggestion.hpp"

namespace warpfront::psl {

using input::DiagnosticKind;
using Form = Statement::Form;

void ObjectChecker::cost_entry(Statement& each) {
    switch (each.form) {
        case Form::duration: return amount(each, Kind::time, "the time");
        case Form::flops: return amount(each, Kind::real, "the number of operations");
        case Form::count: amount(each, Kind::real, "the number of operations"); return operation(each);
        case Form::average_loop: amount(each, Kind::real, "the number of trips"); return block(each.body);
        case Form::alternative: amount(each, Kind::real, "the probability"); return block(each.body);
        default: return block(each.body);
    }
}

/// Hardware is bound at run time: any of the objects that are loaded may have the operation.
void ObjectChecker::operation(const Statement& each) {
    std::vector<std::string> names;
    bool any = false;
    for (const File& file : model_.files) {
        for (const auto& object : file.objects) {
            if (object->form != Object::Form::hardware) continue;
            any = true;
            for (const Statement& item : object->body) {
                if (item.form == Form::operation) names.push_back(item.name.text);
            }
        }
    }
    if (!any || std::find(names.begin(), names.end(), each.name.text) != names.end()) return;
    expressions_.fault(DiagnosticKind::unknown_name, each.name.span,
                       fmt::format("no hardware object has an operation `{}`", each.name.text),
                       input::suggestion(each.name.text, names));
}

void ObjectChecker::hardware(Object& object) {
    enter(object);
    std::vector<std::string> names;
    for (Statement& each : object.body) {
        const bool rate = each.form == Form::achieved_rate;
        const Type wanted{rate ? Kind::rate : Kind::time, false};
        expressions_.check(each.expressions[0], wanted, rate ? "the rate" : "the time of an operation");
        const std::string name = rate ? "rate" : each.name.text;
        if (std::find(names.begin(), names.end(), name) != names.end()) {
            expressions_.fault(DiagnosticKind::duplicate_name, rate ? each.span : each.name.span,
                               fmt::format("a second `{}`", name), "expected one per hardware object");
        }
        names.push_back(name);
    }
}

}  // namespace warpfront::psl
