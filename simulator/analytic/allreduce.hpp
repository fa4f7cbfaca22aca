// The closed form of an allreduce over P ranks, C of them on a node (Mudalige 2009, section 4.3):
//
//   T = (log2 P - log2 C) * C * Total_off + log2 C * C * Total_on
//
// a butterfly whose stages between nodes cost C times as much, since the ranks of a node share its interface. If a node
// has several chips, its log2 C stages split: log2 of the ranks on one chip, the most of any, are charged at the
// locality `chip`, the others at the locality between chips, and so on for every further kind of parts. If P is not a
// power of two, log2 P is a real number, as published.
//
// The closed form `allreduce` covers codes that do nothing else: all their allreduces, and their other compute.
#pragma once

#include <optional>
#include <string>

#include "simulator/analytic/phases.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/record/record.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::analytic {

/// Returns the time of one allreduce of `size` bytes over all ranks of the machine's placement. Throws BadInput
/// (closed_form_overflow).
record::PathParts allreduce_parts(const machine::Machine& machine, Bytes size);
/// Returns the sum of the parts.
WideTime allreduce_time(const machine::Machine& machine, Bytes size);

/// Returns the reason why the form does not apply, or nothing: the model has sweeps or exchanges, or no allreduces.
std::optional<std::string> not_only_allreduces(const Inputs& inputs);

/// Predicts a run of allreduces. Throws BadInput (closed_form_overflow).
Prediction allreduces(const Inputs& inputs);

}  // namespace warpfront::analytic
