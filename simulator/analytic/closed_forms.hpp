// The closed forms by name: their descriptions, sources, and requirements on program and machine.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "simulator/analytic/phases.hpp"

namespace warpfront::analytic {

struct ClosedForm {
    std::string_view name;       // name of the engine
    std::string_view describes;  // description in one line
    std::string_view source;
    std::string_view needs{};   // requirements on program and machine; empty if it applies to every wavefront code
    bool unequal_work = false;  // true if it supports heterogeneous ranks or cells
    bool sweeps_only = false;   // true if it covers the sweeps only
    /// Returns the input that violates `needs`, or nothing.
    std::optional<std::string> (*misfit)(const Inputs&) = [](const Inputs&) { return std::optional<std::string>(); };
    Prediction (*predict)(const Inputs&) = nullptr;
};

/// Returns all closed forms. The first is `analytic`.
std::span<const ClosedForm> closed_forms();

/// Predicts a run. Throws BadInput: closed_form_missing, closed_form_range, closed_form_overflow; closed_form_misfit if
/// the form does not apply; the error then lists the forms that do.
Prediction predict(const ClosedForm& form, const Inputs& inputs);

}  // namespace warpfront::analytic
