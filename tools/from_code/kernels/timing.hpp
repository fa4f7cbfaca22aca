// The time of a kernel on this host. The program runs unmodified under a debugger's interface (ptrace), and stops where
// a call of the kernel begins and where it ends. The time of a stop itself is measured before each call, by one
// instruction stepped alone, and subtracted. One thread.
#pragma once

#include <vector>

#include "tools/from_code/kernels/counting.hpp"
#include "tools/from_code/kernels/decks.hpp"

namespace warpfront::kernels {

/// Returns the seconds of each call, for the first 1,000 calls. Diagnostics: program_failed, also if the system forbids
/// tracing.
std::vector<double> time_kernel(const KernelSymbol& kernel, const ProgramPattern& pattern, const Deck& deck,
                                const std::vector<DeckParameter>& parameters);

}  // namespace warpfront::kernels
