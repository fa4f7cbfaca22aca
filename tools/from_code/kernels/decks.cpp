#include "tools/from_code/kernels/decks.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "psl/syntax/keywords.hpp"
#include "psl/syntax/types.hpp"
#include "simulator/input/decimal.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/input/read_file.hpp"

namespace warpfront::kernels {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::SourceRange;
using tools::pieces_of;

constexpr std::int64_t kLargestValue = 1'000'000'000;
constexpr std::size_t kMostParameters = 6;
constexpr std::string_view kForm = "expected `NAME=LEAST..MOST`, `NAME=LEAST..MOST..STEP` or `NAME=VALUE`";

bool is_name(std::string_view text) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !text.empty() && letter(text.front()) &&
           std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

std::int64_t number_of(const tools::OptionValue& text, Diagnostics& faults) {
    return input::parse_integer(text.text, text.range, 1, kLargestValue, faults);
}

/// Splits a piece at the `=` into a name and a value; returns nothing after a fault.
std::optional<std::pair<std::string, tools::OptionValue>> assignment_of(const tools::OptionValue& piece,
                                                                        Diagnostics& faults) {
    const std::vector<tools::OptionValue> sides = pieces_of(piece, "=");
    if (sides.size() != 2 || !is_name(sides[0].text) || sides[1].text.empty()) {
        faults.add(DiagnosticKind::bad_option, piece.range,
                   fmt::format("`{}` is not a parameter of a deck", piece.text), std::string(kForm));
        return std::nullopt;
    }
    return std::pair{sides[0].text, sides[1]};
}

void read_range(const tools::OptionValue& piece, std::vector<DeckParameter>& parameters, Diagnostics& faults) {
    const auto assignment = assignment_of(piece, faults);
    if (!assignment) return;
    const auto& [name, value] = *assignment;
    if (psl::find_keyword(name) != nullptr || psl::find_builtin(name) != nullptr) {
        faults.add(DiagnosticKind::bad_option, piece.range, fmt::format("`{}` is a keyword of PSL", name),
                   "expected a name that a parameter of a subtask may have");
    }
    const auto same = [&](const DeckParameter& other) { return other.name == name; };
    if (std::any_of(parameters.begin(), parameters.end(), same)) {
        faults.add(DiagnosticKind::duplicate_name, piece.range, fmt::format("`{}` is given twice", name),
                   "expected each parameter once");
    }
    const std::vector<tools::OptionValue> bounds = pieces_of(value, "..");
    if (bounds.size() > 3) {
        faults.add(DiagnosticKind::bad_option, value.range, fmt::format("`{}` is not a range", value.text),
                   std::string(kForm));
        return;
    }
    const std::size_t before = faults.count();
    DeckParameter parameter{name};
    parameter.least = number_of(bounds[0], faults);
    parameter.most = bounds.size() > 1 ? number_of(bounds[1], faults) : parameter.least;
    parameter.step = bounds.size() > 2 ? number_of(bounds[2], faults) : 1;
    if (faults.count() > before) return;
    if (bounds.size() > 1 && (parameter.most < parameter.least || parameter.values() < 3)) {
        faults.add(DiagnosticKind::bad_option, value.range, fmt::format("`{}` has fewer than three values", value.text),
                   "expected at least three: two to fit, and one to hold out");
        return;
    }
    parameters.push_back(std::move(parameter));
}

void find_placeholders(const std::string& text, const SourceRange& range, const std::vector<DeckParameter>& parameters,
                       std::vector<bool>& used, Diagnostics& faults) {
    std::vector<std::string> names;
    for (const DeckParameter& parameter : parameters) names.push_back(parameter.name);
    for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
        const std::size_t close = text.find('}', open);
        if (close == std::string::npos) break;
        const std::string name = text.substr(open + 1, close - open - 1);
        if (!is_name(name)) continue;
        const auto at = std::find(names.begin(), names.end(), name);
        if (at != names.end()) {
            used[static_cast<std::size_t>(at - names.begin())] = true;
            continue;
        }
        faults.add(DiagnosticKind::unknown_name, {range.source, range.offset + open, close + 1 - open},
                   fmt::format("`--deck` has no parameter `{}`", name), input::suggestion(name, names));
    }
}

}  // namespace

std::vector<DeckParameter> read_decks(const std::vector<tools::OptionValue>& values, Diagnostics& faults) {
    std::vector<DeckParameter> parameters;
    for (const tools::OptionValue& value : values) {
        for (const tools::OptionValue& piece : pieces_of(value, ",")) read_range(piece, parameters, faults);
    }
    const auto varied = std::count_if(parameters.begin(), parameters.end(),
                                      [](const DeckParameter& parameter) { return !parameter.is_constant(); });
    if (static_cast<std::size_t>(varied) > kMostParameters) {
        faults.add(DiagnosticKind::bad_option, values.front().range, fmt::format("{} parameters vary", varied),
                   fmt::format("expected at most {}; the others must be constant", kMostParameters));
    }
    return parameters;
}

Deck read_deck(const tools::OptionValue& value, const std::vector<DeckParameter>& parameters, Diagnostics& faults) {
    std::vector<std::string> names;
    for (const DeckParameter& parameter : parameters) names.push_back(parameter.name);
    Deck deck(parameters.size(), 0);
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        if (parameters[k].is_constant()) deck[k] = parameters[k].least;
    }
    for (const tools::OptionValue& piece : pieces_of(value, ",")) {
        const auto assignment = assignment_of(piece, faults);
        if (!assignment) continue;
        const auto at = std::find(names.begin(), names.end(), assignment->first);
        if (at == names.end()) {
            faults.add(DiagnosticKind::unknown_name, piece.range,
                       fmt::format("`--deck` has no parameter `{}`", assignment->first),
                       input::suggestion(assignment->first, names));
            continue;
        }
        deck[static_cast<std::size_t>(at - names.begin())] = number_of(assignment->second, faults);
    }
    for (std::size_t k = 0; k < parameters.size() && faults.empty(); ++k) {
        if (deck[k] != 0) continue;
        faults.add(DiagnosticKind::missing_parameter, value.range, fmt::format("`{}` has no value", names[k]),
                   fmt::format("expected `{}=VALUE`", names[k]));
    }
    return deck;
}

std::string text_of(const Deck& deck, const std::vector<DeckParameter>& parameters) {
    std::string text;
    for (std::size_t k = 0; k < deck.size(); ++k) {
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", parameters[k].name, deck[k]);
    }
    return text;
}

std::vector<Deck> grid_of_decks(const std::vector<DeckParameter>& parameters, const std::vector<unsigned>& degrees) {
    std::vector<Deck> decks{{}};
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        std::vector<Deck> longer;
        for (const Deck& deck : decks) {
            for (std::int64_t number = 0; number <= static_cast<std::int64_t>(degrees[k]); ++number) {
                longer.push_back(deck);
                longer.back().push_back(parameters[k].value(number));
            }
        }
        decks = std::move(longer);
    }
    return decks;
}

void check_placeholders(const ProgramPattern& pattern, const std::vector<DeckParameter>& parameters,
                        Diagnostics& faults) {
    std::vector<bool> used(parameters.size(), false);
    for (const std::string& argument : pattern.arguments) {
        find_placeholders(argument, tools::option_value("argument", argument).range, parameters, used, faults);
    }
    if (pattern.input_template) {
        const input::SourceFilePtr text = input::read_file(*pattern.input_template);
        find_placeholders(std::string(text->text()), {text, 0, 0}, parameters, used, faults);
    }
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        if (used[k]) continue;
        faults.add(DiagnosticKind::bad_option, {},
                   fmt::format("the program does not receive the value of `{}`", parameters[k].name),
                   fmt::format("expected `{{{}}}` in the arguments after `--`, or in the file of `--input`",
                               parameters[k].name));
    }
}

std::string filled(const std::string& text, const Deck& deck, const std::vector<DeckParameter>& parameters) {
    std::string result = text;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        const std::string placeholder = fmt::format("{{{}}}", parameters[k].name);
        const std::string value = std::to_string(deck[k]);
        for (std::size_t at = result.find(placeholder); at != std::string::npos;
             at = result.find(placeholder, at + value.size())) {
            result.replace(at, placeholder.size(), value);
        }
    }
    return result;
}

}  // namespace warpfront::kernels
