// The output of callgrind for a run: the number of executions of each instruction. It is read without compression of
// names and positions, with instruction addresses and lines (--compress-strings=no --compress-pos=no --dump-instr=yes).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tools/from_code/kernels/decks.hpp"

namespace warpfront::kernels {

/// The place of an instruction: its program or library, and the address in it.
struct CodeAddress {
    std::string object;
    std::uint64_t address = 0;
    friend auto operator<=>(const CodeAddress&, const CodeAddress&) = default;
};

struct SourceLine {
    std::string file;
    unsigned line = 0;  // 0: no debug information
    friend auto operator<=>(const SourceLine&, const SourceLine&) = default;
};

struct Executed {
    std::uint64_t times = 0;
    SourceLine line;
    std::string function{};
};

struct Profile {
    std::map<CodeAddress, Executed> instructions;
    std::uint64_t calls = 0;    // number of calls of the function
    bool is_recursive = false;  // the function calls itself
};

/// Parses the output. Calls of `function` are counted.
Profile parse_callgrind(std::string_view text, std::string_view function);

// The number of times that each side of a branch was taken, from gcov: a second program of the same source, compiled
// with --coverage, runs on the same decks. Its counts of lines and branches are exact.

/// A line with branches, and the number of times that each side was taken, in the order of gcov. The two sides of a
/// condition are adjacent.
struct BranchLine {
    SourceLine line;
    std::vector<std::uint64_t> taken;
};

/// Returns the lines with branches from the output of `gcov --json-format --branch-probabilities`.
std::vector<BranchLine> parse_gcov(std::string_view json);

/// Runs `pattern` on a deck, and gcov on its output. Diagnostics: program_failed, bad_option for a program without
/// coverage.
std::vector<BranchLine> count_branches(const ProgramPattern& pattern, const Deck& deck,
                                       const std::vector<DeckParameter>& parameters);

}  // namespace warpfront::kernels
