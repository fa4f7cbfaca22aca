// The user's program on one deck, with arguments and input filled in. If it reads a file, it runs in a folder of its
// own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "simulator/process/external_program.hpp"
#include "tools/from_code/kernels/decks.hpp"

namespace warpfront::kernels {

// External programs that this library calls: valgrind, nm, objdump, gcov, and the user's own.

using process::Invocation;
using process::Outcome;
using process::ScratchFolder;

/// Runs a program. Throws BadInput (missing_program) with the Debian package of the program if it cannot be started;
/// engine::Interrupted if a signal arrived meanwhile.
Outcome run_program(const Invocation& invocation);

/// Returns the last lines of a program's output, for the message of its fault.
std::string last_words(const Outcome& outcome);

/// Returns the invocation of a program on a deck. Files that it needs are written to `folder`. The words `before`
/// precede the program.
Invocation invocation_on_deck(const ProgramPattern& pattern, const Deck& deck,
                              const std::vector<DeckParameter>& parameters, const std::filesystem::path& folder,
                              std::vector<std::string> before = {});

/// Runs the program. Throws BadInput (program_failed) unless it ends with status 0.
Outcome run_on_deck(const ProgramPattern& pattern, const Deck& deck, const std::vector<DeckParameter>& parameters,
                    std::vector<std::string> before, std::vector<std::pair<std::string, std::string>> variables);

}  // namespace warpfront::kernels
