// Access to closed forms by name, for these suites.
#pragma once

#include "simulator/analytic/closed_forms.hpp"
#include "tests/analytic/machines.hpp"

namespace warpfront::test {

inline const analytic::ClosedForm& form_named(std::string_view name) {
    for (const analytic::ClosedForm& form : analytic::closed_forms()) {
        if (form.name == name) return form;
    }
    throw std::runtime_error("no such closed form");
}

inline analytic::Prediction prediction_by(std::string_view name, const std::vector<program::WavefrontPhase>& phases,
                                          const machine::Machine& machine, const analytic::UnequalWork& unequal = {}) {
    const program::Program program = declaring(machine.placement.grid, phases);
    return analytic::predict(form_named(name), {program, machine, unequal});
}

inline analytic::Prediction prediction_by(std::string_view name, const program::WavefrontPhase& phase,
                                          const machine::Machine& machine, const analytic::UnequalWork& unequal = {}) {
    return prediction_by(name, std::vector{phase}, machine, unequal);
}

inline WideTime time_by(std::string_view name, const program::WavefrontPhase& phase, const machine::Machine& machine,
                        const analytic::UnequalWork& unequal = {}) {
    return prediction_by(name, phase, machine, unequal).total;
}

/// Returns the reason why the form does not apply; "none" if it applies.
inline std::string misfit(std::string_view name, const program::WavefrontPhase& phase, const machine::Machine& machine,
                          const analytic::UnequalWork& unequal = {}) {
    const program::Program program = declaring(machine.placement.grid, {phase});
    return form_named(name).misfit({program, machine, unequal}).value_or("none");
}

}  // namespace warpfront::test
