// The counts of a kernel: the operations of one call of a function as polynomials of the parameters of its decks.
// README.md describes the method: the decks, the held-out deck, sides of branches, library functions.
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
    std::string name;    // the name from the user
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
    std::function<std::vector<BranchLine>(const Deck& deck)> branches;  // empty if branches are not counted
    std::function<Instruction(const CodeAddress& at)> instruction;
    std::string program{};  // the object of the kernel; all other objects are libraries
};

/// One side of a branch whose counts depend on data.
struct BranchSide {
    SourceLine line;
    std::vector<Rational> host;  // coefficients of the number of executions of the branch, over the products
    Rational probability;        // mean probability over all decks
    double least = 0.0;          // least probability on a deck
    double most = 0.0;           // largest probability on a deck
};

struct CountedDeck {
    Deck deck;
    bool is_held_out = false;
    Rational counted;         // counted instructions of a call
    Rational predicted;       // prediction with the deck's own counts of branches
    Rational by_probability;  // prediction with mean probabilities
};

/// A library function that the kernel calls and whose counts are not polynomials, such as `memmove`.
struct LeftOut {
    std::string function;
    std::string library;
    double least = 0.0;  // least share of the instructions on a deck
    double most = 0.0;   // largest share of the instructions on a deck
};

struct KernelCounts {
    std::vector<DeckParameter> parameters;
    std::vector<Exponents> products;
    std::vector<BranchSide> sides;
    /// Coefficients by operation: those of the products and then those of the sides.
    std::map<std::string, std::vector<Rational>, std::less<>> operations;
    std::vector<Rational> instructions;  // coefficients of all instructions, in the same order
    std::vector<Rational> flops;         // coefficients of floating-point operations, in the same order
    std::vector<CountedDeck> decks;
    std::uint64_t calls = 0;          // number of calls in the first deck
    std::set<std::string> unclassed;  // mnemonics that count as `other`
    std::vector<LeftOut> left_out;    // functions that no count includes
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

/// Returns the seconds of each call of the kernel, for the first 1,000 calls. The program runs unmodified under a
/// debugger's interface (ptrace), and stops at the begin and the end of each call. The time of a stop itself is
/// measured before each call, by a single step, and subtracted. Programs with several threads are not supported.
/// Diagnostics: program_failed, also if the system forbids tracing.
std::vector<double> time_kernel(const KernelSymbol& kernel, const ProgramPattern& pattern, const Deck& deck,
                                const std::vector<DeckParameter>& parameters);

}  // namespace warpfront::kernels
