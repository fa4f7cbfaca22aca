// The counts of a kernel: the operations of one call of a function as polynomials of the parameters of its decks.
//
// The decks are the grid of two values of each parameter, since products of parameters up to the first power of each
// have as many unknown coefficients. One more deck, with the largest value of each parameter, is held out and
// predicted. If the prediction fails, each parameter alone is tried on further values, and those that need a square get
// three values in the grid. Instructions that are executed equally often on all decks are fitted together.
//
// If the counts of some instructions are not such polynomials, the sides of branches are further unknowns: those
// branches counted by gcov whose own counts are no polynomials either. The held-out deck is then predicted with its own
// counts of branches, which must give an exact result, and with the mean probability of each.
//
// Library functions choose their instructions by the length of their data. Those whose counts are not polynomials are
// left out if they have at most a tenth of the instructions.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tools/from_code/kernels/callgrind.hpp"
#include "tools/from_code/kernels/decks.hpp"
#include "tools/from_code/kernels/operations.hpp"
#include "tools/from_code/kernels/polynomials.hpp"

namespace warpfront::kernels {

/// A function of a program, with the name from the user.
struct KernelSymbol {
    std::string name;    // as given
    std::string symbol;  // the name for the linker
    std::uint64_t address = 0;
};

/// Finds the function in the output of nm for a program, unsorted, plain and demangled. The name may be its symbol, its
/// name, its name without parameters, or the name of the only clone that a compiler has made of it
/// (`sweep_.constprop.0`). Throws BadInput (unknown_kernel) with the nearest name.
KernelSymbol find_kernel(const tools::OptionValue& name, const std::filesystem::path& program, std::string_view symbols,
                         std::string_view demangled);

/// The external sources of the fit; tests supply stored texts.
struct CountingSources {
    std::function<Profile(const Deck& deck)> profile;
    std::function<std::vector<BranchLine>(const Deck& deck)> branches;  // empty: none are counted
    std::function<Instruction(const CodeAddress& at)> instruction;
    std::string program{};  // the object of the kernel; all other objects are libraries
};

/// One side of a branch whose counts depend on data.
struct BranchSide {
    SourceLine line;
    std::vector<Rational> host;  // how often the branch is executed, over the products
    Rational probability;        // the mean of all decks
    double least = 0.0;          // of a deck
    double most = 0.0;
};

struct CountedDeck {
    Deck deck;
    bool is_held_out = false;
    Rational counted;         // instructions of a call
    Rational predicted;       // with its own counts of branches
    Rational by_probability;  // with mean probabilities
};

/// A library function that the kernel calls and whose counts are not polynomials, such as `memmove`.
struct LeftOut {
    std::string function;
    std::string library;
    double least = 0.0;  // its share of the instructions on a deck
    double most = 0.0;
};

struct KernelCounts {
    std::vector<DeckParameter> parameters;
    std::vector<Exponents> products;
    std::vector<BranchSide> sides;
    /// Coefficients by operation: those of the products and then those of the sides.
    std::map<std::string, std::vector<Rational>, std::less<>> operations;
    std::vector<Rational> instructions;  // likewise
    std::vector<Rational> flops;
    std::vector<CountedDeck> decks;
    std::uint64_t calls = 0;          // in the first deck
    std::set<std::string> unclassed;  // mnemonics of `other`
    std::vector<LeftOut> left_out;    // in none of these counts
};

/// Counts a kernel. Throws BadInput: not_called, recursive_kernel, or counts_do_not_fit with the lines that do not fit.
KernelCounts count_kernel(const std::string& kernel, const std::vector<DeckParameter>& parameters,
                          const CountingSources& sources);

/// Returns the function of a program that `--kernel` names.
KernelSymbol find_kernel(const tools::OptionValue& name, const std::filesystem::path& program);

/// Counts a kernel with valgrind, objdump and gcov.
KernelCounts count_program(const KernelSymbol& kernel, const ProgramPattern& pattern,
                           const std::vector<DeckParameter>& parameters,
                           const std::optional<std::filesystem::path>& coverage);

}  // namespace warpfront::kernels
