#include "tools/answer/prediction/option_values.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/quantity.hpp"

namespace warpfront::tools {

using input::DiagnosticKind;
using input::Diagnostics;

Percent read_tolerance(const OptionValue& value, input::Diagnostics& faults) {
    const Percent tolerance{input::parse_real(value.text, value.range, faults)};
    if (tolerance.value < 0.0) {
        faults.add(input::DiagnosticKind::out_of_range, value.range, fmt::format("`{}` is negative", value.text),
                   "expected a percentage of at least 0, such as `1`");
    }
    return tolerance;
}

std::string alternatives(std::span<const std::string> names) {
    std::string text;
    for (std::size_t k = 0; k < names.size(); ++k) {
        const std::string_view before = k == 0 ? "" : k + 1 == names.size() ? " or " : ", ";
        text += fmt::format("{}`{}`", before, names[k]);
    }
    return text;
}

OptionValue option_value(std::string_view option, std::string text) {
    const auto source = std::make_shared<const input::SourceFile>(fmt::format("{} {}", option, text), text);
    const std::size_t length = text.size();
    return {std::move(text), {source, 0, length}};
}

std::vector<OptionValue> pieces_of(const OptionValue& value, std::string_view separator) {
    std::vector<OptionValue> pieces;
    const std::string_view text = value.text;
    const auto add = [&](std::size_t start, std::size_t end) {
        pieces.push_back(
            {value.text.substr(start, end - start), {value.range.source, value.range.offset + start, end - start}});
    };
    int depth = 0;
    char quote = '\0';  // the open quote, if any
    std::size_t start = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char letter = text[at];
        if (letter == '{' || letter == '[') ++depth;
        if (letter == '}' || letter == ']') --depth;
        if (letter == '"' || letter == '\'') quote = quote == letter ? '\0' : quote == '\0' ? letter : quote;
        if (depth > 0 || quote != '\0' || !text.substr(at).starts_with(separator)) continue;
        add(start, at);
        start = at + separator.size();
        at = start - 1;
    }
    add(start, text.size());
    return pieces;
}

std::size_t read_choice(const OptionValue& value, std::string_view what, std::span<const std::string> names,
                        Diagnostics& faults) {
    const auto found = std::find(names.begin(), names.end(), value.text);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    std::string expected = "expected " + alternatives(names);
    const std::string_view near = input::nearest_name(value.text, names);
    if (!near.empty()) expected += fmt::format("; did you mean `{}`?", near);
    faults.add(DiagnosticKind::bad_choice, value.range, fmt::format("unknown {} `{}`", what, value.text), expected);
    return 0;
}

Engine read_engine(const OptionValue& value, Diagnostics& faults) {
    return Engine(read_choice(value, "engine", engine_names(), faults));
}

engine::Replay read_replay(const OptionValue& value, Diagnostics& faults) {
    static const std::array<std::string, 2> kNames{"auto", "full"};
    const std::size_t chosen = read_choice(value, "replay", kNames, faults);
    return chosen == 0 ? engine::Replay::auto_ : engine::Replay::full;
}

void add_engine(const OptionValue& value, std::vector<Engine>& engines, Diagnostics& faults) {
    const std::size_t before = faults.count();
    const Engine engine = read_engine(value, faults);
    if (faults.count() == before && std::ranges::find(engines, engine) != engines.end()) {
        faults.add(input::DiagnosticKind::duplicate_name, value.range,
                   fmt::format("the engine `{}` occurs twice", value.text), "expected each engine once");
    }
    engines.push_back(engine);
}

std::vector<Engine> read_engines(const OptionValue& value, Diagnostics& faults) {
    std::vector<Engine> engines;
    for (const OptionValue& piece : pieces_of(value, ",")) add_engine(piece, engines, faults);
    return engines;
}

}  // namespace warpfront::tools
