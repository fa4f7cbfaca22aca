#include "tools/program/commands/commands.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpfront::tools {

namespace {

std::string shell_word(const std::string& text) {
    const auto is_plain = [](char letter) {
        return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
               std::string_view("_-./=,:+@%").find(letter) != std::string_view::npos;
    };
    if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
    std::string word = "'";
    for (const char letter : text) word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return word + "'";
}

void append_each(std::string& words, std::string_view option, const std::vector<std::string>& values) {
    for (const std::string& value : values) words += fmt::format(" {} {}", option, shell_word(value));
}

}  // namespace

std::string command_words(const RunOptions& options) {
    std::string words = "warpfront run " + shell_word(options.scenario.string());
    append_each(words, "--set", options.sets);
    if (options.engine != Engine::event) words += fmt::format(" --engine {}", name_of(options.engine));
    if (options.seeds) words += fmt::format(" --seeds {}", *options.seeds);
    if (options.samples) words += fmt::format(" --samples {}", *options.samples);
    return words;
}

std::string command_words(const StudyOptions& options) {
    std::string words = "warpfront study " + shell_word(options.study.string());
    append_each(words, "--set", options.sets);
    append_each(words, "--vary", options.vary);
    if (options.ranks) words += " --ranks " + shell_word(*options.ranks);
    if (options.x) words += " --x " + shell_word(*options.x);
    append_each(words, "--best", options.best);
    std::vector<std::string_view> engines;
    for (const Engine engine : options.engines) engines.push_back(name_of(engine));
    if (!engines.empty()) words += fmt::format(" --engines {}", fmt::join(engines, ","));
    if (options.seeds) words += fmt::format(" --seeds {}", *options.seeds);
    return words;
}

std::string command_words(const CostsOptions& options) {
    std::string words = "warpfront costs " + shell_word(options.program.string());
    append_each(words, "--kernel", {options.kernel.text});
    for (const OptionValue& deck : options.decks) append_each(words, "--deck", {deck.text});
    if (options.input) append_each(words, "--input", {options.input->string()});
    if (options.coverage) append_each(words, "--gcov", {options.coverage->string()});
    if (!options.arguments.empty()) words += " --";
    for (const std::string& argument : options.arguments) words += " " + shell_word(argument);
    return words;
}

}  // namespace warpfront::tools
