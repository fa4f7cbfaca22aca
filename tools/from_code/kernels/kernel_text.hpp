// Counts of a kernel as text: a report, and subtasks of a model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/from_code/kernels/counting.hpp"

namespace warpfront::kernels {

/// The times of a run of the kernel without valgrind.
struct TimedDeck {
    Deck deck;
    std::vector<double> seconds;  // time of each call
};

/// Returns the floating-point operations of a call on a deck, where each side of a branch is weighted by its
/// probability.
double flops_on(const KernelCounts& counts, const Deck& deck);

std::string report(const std::string& kernel, const KernelCounts& counts, const std::optional<TimedDeck>& timed);

/// Formats two subtasks with a value, with the varying parameters as arguments: NAME, by `count`s of operations in
/// loops of the products, and NAME_by_rate, by `flops`. `made_by` is the command, for the comment at the top.
std::string model_text(const std::string& kernel, const KernelCounts& counts, const std::optional<TimedDeck>& timed,
                       const std::string& made_by);

/// Returns the kernel's name as a valid name of a model.
std::string model_name(const std::string& kernel);

}  // namespace warpfront::kernels
