#include "psl/specialising/hardware.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace warpfront::psl {

using Form = Statement::Form;

ChosenHardware choose_hardware(const CheckedModel& model, const std::optional<Processor>& processor) {
    std::vector<const Object*> all;
    for (const File& file : model.files) {
        for (const auto& object : file.objects) {
            if (object->form == Object::Form::hardware) all.push_back(object.get());
        }
    }
    if (!processor) return {nullptr, false, "the platform does not state its processor"};
    const auto same = std::find_if(all.begin(), all.end(), [&](const Object* object) {
        return !processor->name.empty() && object->processor.text == processor->name;
    });
    if (same != all.end()) return {*same, true, {}};
    if (all.empty()) return {nullptr, false, "the model has no hardware object"};
    if (all.size() == 1) return {all[0], false, {}};
    return {nullptr, false,
            fmt::format("none of the model's {} hardware objects is of the platform's processor `{}`", all.size(),
                        processor->name)};
}

const Expression* achieved_rate(const Object& hardware) {
    const auto found = std::find_if(hardware.body.begin(), hardware.body.end(),
                                    [](const Statement& each) { return each.form == Form::achieved_rate; });
    return found == hardware.body.end() ? nullptr : &found->expressions[0];
}

const Expression* operation_time(const Object& hardware, std::string_view name) {
    const auto found = std::find_if(hardware.body.begin(), hardware.body.end(), [&](const Statement& each) {
        return each.form == Form::operation && each.name.text == name;
    });
    return found == hardware.body.end() ? nullptr : &found->expressions[0];
}

}  // namespace warpfront::psl
