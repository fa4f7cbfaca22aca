// How long a kernel takes on this computer: the program runs as it is, under a debugger's interface (ptrace), and stops
// where a call of the kernel begins and where it ends. What a stop itself takes is measured in front of each call, by
// one instruction stepped alone, and taken off. One thread.
#pragma once

#include <vector>

#include "tools/kernels/counting.hpp"
#include "tools/kernels/decks.hpp"

namespace warpfront::kernels {

/// Seconds of each call, the first 1,000. Diagnostics: program_failed, also where the system forbids it.
std::vector<double> time_kernel(const KernelSymbol& kernel, const ProgramPattern& pattern, const Deck& deck,
                                const std::vector<DeckParameter>& parameters);

double median_of(std::vector<double> values);

}  // namespace warpfront::kernels
