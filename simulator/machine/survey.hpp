// SimGrid's side of loading a platform; to be called in a process that may crash, once.
#pragma once

#include "simulator/input/fault.hpp"
#include "simulator/machine/platform.hpp"

namespace warpfront::machine {

/// Loads `xml` into this process' SimGrid. What it finds wrong is added to `faults`. While routing, `doing` says
/// between which hosts, as the fault that a crash means; while loading it says nothing.
Platform survey(const input::SourcePtr& xml, const PairsWanted& wanted, Doing& doing, input::Faults& faults);

}  // namespace warpfront::machine
