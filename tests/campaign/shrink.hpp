// From a failing trial to a simpler one that fails in the same way: choice by choice towards the simplest value, as
// long as the trial still fails.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "tests/campaign/choices.hpp"

namespace warpfront::campaign {

/// Runs the trial of these choices: the choices it made where it still fails, nothing where it does not.
using StillFails = std::function<std::optional<std::vector<Choice>>(const Fixed&)>;

/// The choices of the simplest trial found. `go_on` is asked before each run.
std::vector<Choice> shrink(std::vector<Choice> made, const StillFails& still_fails, const std::function<bool()>& go_on);

}  // namespace warpfront::campaign
