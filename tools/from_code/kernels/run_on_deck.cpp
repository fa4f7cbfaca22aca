#include "tools/from_code/kernels/run_on_deck.hpp"

#include <csignal>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::kernels {

namespace {

[[noreturn]] void refuse_run(const ProgramPattern& pattern, const std::string& deck, const Outcome& outcome,
                             bool is_counted) {
    const std::string what = fmt::format("`{}` fails on {}: ", pattern.program.string(), deck);
    if (is_counted && outcome.status == 128 + SIGILL) {
        throw input::BadInput(
            input::DiagnosticKind::program_failed, {}, what + "valgrind does not support one of its instructions",
            "expected a program without AVX-512: compile with -march=x86-64-v3, or -mno-avx512f behind "
            "-march=native");
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

}  // namespace warpfront::kernels
