#include "tools/from_code/kernels/external_program.hpp"

#include <array>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/input/diagnostic.hpp"
#include "tools/answer/runs/interrupt.hpp"

namespace warpfront::kernels {

namespace {

std::string package_of(std::string_view program) {
    struct Package {
        std::string_view program, name;
    };
    constexpr std::array kPackages{Package{"valgrind", "valgrind"}, Package{"objdump", "binutils"},
                                   Package{"nm", "binutils"}, Package{"gcov", "gcc"}};
    for (const Package& package : kPackages) {
        if (package.program == program) return fmt::format("expected the Debian package `{}`", package.name);
    }
    return "expected a program that can be run";
}

}  // namespace

Outcome run_program(const Invocation& invocation) {
    Outcome outcome = process::run_external(invocation);
    tools::end_if_interrupted();
    if (outcome.not_started.empty()) return outcome;
    throw input::BadInput(input::DiagnosticKind::missing_program, {},
                          fmt::format("`{}` cannot be started: {}", invocation.words.front(), outcome.not_started),
                          package_of(invocation.words.front()));
}

std::string last_words(const Outcome& outcome) {
    constexpr std::size_t kLines = 3;
    std::vector<std::string> lines;
    std::istringstream stream(outcome.err + outcome.out);
    for (std::string line; std::getline(stream, line);) {
        if (!line.empty() && !line.starts_with("==")) lines.push_back(line);  // lines of valgrind begin with `==`
    }
    if (lines.size() > kLines) lines.erase(lines.begin(), lines.end() - kLines);
    constexpr std::size_t kLongest = 300;
    return input::escaped(fmt::format("{}", fmt::join(lines, "; ")), kLongest);
}

}  // namespace warpfront::kernels
