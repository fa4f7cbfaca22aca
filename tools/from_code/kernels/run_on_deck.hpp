// The user's program on one deck, with arguments and input filled in. If it reads a file, it runs in a folder of its
// own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/from_code/kernels/decks.hpp"
#include "tools/from_code/kernels/external_program.hpp"

namespace warpfront::kernels {

/// Returns the invocation of a program on a deck. Files that it needs are written to `folder`. The words `before`
/// precede the program.
Invocation invocation_on_deck(const ProgramPattern& pattern, const Deck& deck,
                              const std::vector<DeckParameter>& parameters, const std::filesystem::path& folder,
                              std::vector<std::string> before = {});

/// Runs the program. Throws BadInput (program_failed) unless it ends with status 0.
Outcome run_on_deck(const ProgramPattern& pattern, const Deck& deck, const std::vector<DeckParameter>& parameters,
                    std::vector<std::string> before, std::vector<std::pair<std::string, std::string>> variables);

}  // namespace warpfront::kernels
