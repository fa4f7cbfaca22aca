#include "tools/from_code/kernels/run_on_deck.hpp"

#include <array>
#include <csignal>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/input/diagnostic.hpp"
#include "tools/answer/runs/interrupt.hpp"

namespace warpfront::kernels {

namespace {

[[noreturn]] void refuse_run(const ProgramPattern& pattern, const std::string& deck, const Outcome& outcome,
                             bool is_counted) {
    const std::string what = fmt::format("`{}` fails on {}: ", pattern.program.string(), deck);
    if (is_counted && outcome.status == 128 + SIGILL) {
        throw input::BadInput(
            input::DiagnosticKind::program_failed, {}, what + "valgrind does not support one of its instructions",
            "expected a program without AVX-512: compile with -march=x86-64-v3, or with -march=native -mno-avx512f");
    }
    const std::string words = last_words(outcome);
    throw input::BadInput(input::DiagnosticKind::program_failed, {},
                          what + (outcome.status > 128 ? fmt::format("signal {}", outcome.status - 128)
                                                       : fmt::format("exit status {}", outcome.status)),
                          words.empty() ? "expected exit status 0"
                                        : fmt::format("expected exit status 0; its last output is: {}", words));
}

}  // namespace

Invocation invocation_on_deck(const ProgramPattern& pattern, const Deck& deck,
                              const std::vector<DeckParameter>& parameters, const std::filesystem::path& folder,
                              std::vector<std::string> before) {
    Invocation invocation{.words = std::move(before)};
    invocation.words.push_back(std::filesystem::absolute(pattern.program).string());
    for (const std::string& argument : pattern.arguments)
        invocation.words.push_back(filled(argument, deck, parameters));
    if (!pattern.input_template) return invocation;
    std::filesystem::path name = pattern.input_template->filename();
    if (name.extension() == ".template") name.replace_extension();
    std::ifstream stream(*pattern.input_template, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    invocation.folder = folder;
    invocation.input = folder / name;
    std::ofstream(invocation.input, std::ios::binary) << filled(text, deck, parameters);
    return invocation;
}

Outcome run_on_deck(const ProgramPattern& pattern, const Deck& deck, const std::vector<DeckParameter>& parameters,
                    std::vector<std::string> before, std::vector<std::pair<std::string, std::string>> variables) {
    const ScratchFolder scratch;
    const bool is_counted = !before.empty();
    Invocation invocation = invocation_on_deck(pattern, deck, parameters, scratch.path(), std::move(before));
    invocation.variables = std::move(variables);
    Outcome outcome = run_program(invocation);
    if (outcome.status != 0) refuse_run(pattern, text_of(deck, parameters), outcome, is_counted);
    return outcome;
}

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
