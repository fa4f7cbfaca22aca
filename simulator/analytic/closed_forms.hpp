// The closed forms by name: what each describes, where it was published, what it needs of program and machine.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "simulator/analytic/phases.hpp"

namespace warpfront::analytic {

struct ClosedForm {
    std::string_view name;       // of the engine
    std::string_view describes;  // in one line
    std::string_view source;
    std::string_view needs;  // of program and machine; empty if it applies to every wavefront code
    bool unequal_work;       // has ranks or cells that are not alike
    bool sweeps_only;        // leaves out what lies between sweeps
    /// Nothing, or what of the inputs is not as `needs` says.
    std::optional<std::string> (*misfit)(const Inputs&);
    Prediction (*predict)(const Inputs&);
};

/// All of them. The first is `analytic`.
std::span<const ClosedForm> closed_forms();

/// Throws BadInput: closed_form_missing, closed_form_range, closed_form_overflow; closed_form_misfit if the form does
/// not apply, with the forms that do.
Prediction predict(const ClosedForm& form, const Inputs& inputs);

}  // namespace warpfront::analytic
