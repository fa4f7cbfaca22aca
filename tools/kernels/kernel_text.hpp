// Counts of a kernel as text: a report for people, and subtasks of a model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/kernels/counting.hpp"

namespace warpfront::kernels {

/// A run of the kernel as it is.
struct TimedDeck {
    Deck deck;
    std::vector<double> seconds;  // of each call
};

/// Floating-point operations of a call on a deck, sides of branches by their probability.
double flops_on(const KernelCounts& counts, const Deck& deck);

std::string report(const std::string& kernel, const KernelCounts& counts, const std::optional<TimedDeck>& timed);

/// Two subtasks with a value, of the parameters that vary: NAME, by `count`s of operations in loops of the products,
/// and NAME_by_rate, by `flops`. `made_by`: the command, for the comment at the top.
std::string model_text(const std::string& kernel, const KernelCounts& counts, const std::optional<TimedDeck>& timed,
                       const std::string& made_by);

/// The kernel's name as one of a model.
std::string model_name(const std::string& kernel);

}  // namespace warpfront::kernels
