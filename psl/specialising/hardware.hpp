// Which hardware object gives operations their times, and by which rule they are carried to another processor.
//
// The platform states its processor: a name and a rate. The object that describes a processor of this name is chosen;
// without one, the only object of the model. Times of operations are those of the object times (its rate / the
// platform's rate); a number of flops takes flops / (the platform's rate). What a rule lacks is a fault: an object for
// another processor without a rate, several objects of which none is meant, a platform that states no processor.
#pragma once

#include <string>

#include "psl/checking/model.hpp"
#include "psl/specialising/bindings.hpp"

namespace warpfront::psl {

struct ChosenHardware {
    const Object* object = nullptr;  // null: there is none, for the reason below
    bool described = false;          // whether it is an object of the platform's processor
    std::string reason;              // completes "no times of operations: ..."
};

ChosenHardware choose_hardware(const CheckedModel& model, const std::optional<Processor>& processor);

/// The value of `rate`, or of an operation, as it is written; null if the object has none.
const Expression* achieved_rate(const Object& hardware);
const Expression* operation_time(const Object& hardware, std::string_view name);

}  // namespace warpfront::psl
