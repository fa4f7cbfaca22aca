// The reduction of a failing trial to a simpler one that fails in the same way: choice by choice towards the simplest
// value, as long as the trial still fails.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "tests/campaign/choices.hpp"

namespace warpfront::campaign {

/// A function that runs the trial of these choices. It returns the choices that the trial made if it still fails, else
/// nothing.
using StillFails = std::function<std::optional<std::vector<Choice>>(const Fixed&)>;

/// Returns the choices of the simplest trial found. `go_on` is called before each run; the search ends when it returns
/// false.
std::vector<Choice> shrink(std::vector<Choice> made, const StillFails& still_fails, const std::function<bool()>& go_on);

}  // namespace warpfront::campaign
