// The output of callgrind for a run: the number of executions of each instruction. It is read without compression of
// names and positions, with instruction addresses and lines (--compress-strings=no --compress-pos=no --dump-instr=yes).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

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
    std::uint64_t calls = 0;    // of the function
    bool is_recursive = false;  // the function calls itself
};

/// Parses the output. Calls of `function` are counted.
Profile parse_callgrind(std::string_view text, std::string_view function);

}  // namespace warpfront::kernels
