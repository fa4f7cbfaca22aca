// Decks: the inputs of a program for which its kernel is counted. The user gives parameters and ranges (README.md); the
// tool chooses values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "tools/answer/prediction/option_values.hpp"
#include "tools/from_code/kernels/polynomials.hpp"

namespace warpfront::kernels {

struct DeckParameter {
    std::string name;
    std::int64_t least = 0;
    std::int64_t most = 0;
    std::int64_t step = 1;

    bool is_constant() const { return least == most; }
    std::int64_t values() const { return (most - least) / step + 1; }
    std::int64_t value(std::int64_t number) const { return least + number * step; }
};

/// Reads the values of `--deck`. Diagnostics: bad_option for a value that is not a range, for too few values, or for a
/// name that a model cannot have; bad_number, out_of_range, duplicate_name.
std::vector<DeckParameter> read_decks(const std::vector<tools::OptionValue>& values, input::Diagnostics& faults);

/// Reads the deck of `--time`: every parameter that is not constant has a value, in any order. Diagnostics: those of
/// `read_decks`, unknown_name, missing_parameter.
Deck read_deck(const tools::OptionValue& value, const std::vector<DeckParameter>& parameters,
               input::Diagnostics& faults);

/// Formats a deck: `i=2, j=3`.
std::string text_of(const Deck& deck, const std::vector<DeckParameter>& parameters);

/// Returns all combinations of the first `degrees[k] + 1` values of parameter k.
std::vector<Deck> grid_of_decks(const std::vector<DeckParameter>& parameters, const std::vector<unsigned>& degrees);

/// The command line and the input of a program, with placeholders.
struct ProgramPattern {
    std::filesystem::path program;
    std::vector<std::string> arguments;                     // arguments with placeholders
    std::optional<std::filesystem::path> input_template{};  // becomes stdin, and a file of its name without `.template`
};

/// Checks placeholders. Diagnostics: unknown_name for a placeholder that is not a parameter, bad_option for a parameter
/// without a placeholder.
void check_placeholders(const ProgramPattern& pattern, const std::vector<DeckParameter>& parameters,
                        input::Diagnostics& faults);

/// Returns `text` with the values of a deck in place of placeholders.
std::string filled(const std::string& text, const Deck& deck, const std::vector<DeckParameter>& parameters);

}  // namespace warpfront::kernels
