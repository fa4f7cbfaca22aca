#include "simulator/machine/loading/xml_positions.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace warpfront::machine {

namespace {

std::optional<input::SourceRange> attribute_value(const input::SourceFilePtr& xml, std::string_view value) {
    if (value.empty()) return std::nullopt;
    for (const char quote : {'"', '\''}) {
        const std::string quoted = quote + std::string(value) + quote;
        const std::size_t at = xml->text().find("=" + quoted);
        if (at != std::string_view::npos) return input::SourceRange{xml, at + 2, value.size()};
    }
    return std::nullopt;
}

/// The texts between consecutive quotes or brackets, and the text after the last colon.
std::vector<std::string_view> set_off_words(std::string_view message) {
    constexpr std::string_view marks = "'\"`()";
    std::vector<std::string_view> words;
    std::size_t start = message.find_first_of(marks);
    while (start != std::string_view::npos) {
        const std::size_t end = message.find_first_of(marks, start + 1);
        if (end == std::string_view::npos) break;
        words.push_back(message.substr(start + 1, end - start - 1));
        start = end;
    }
    const std::size_t colon = message.rfind(": ");
    if (colon != std::string_view::npos) words.push_back(message.substr(colon + 2));
    return words;
}

}  // namespace

input::SourceRange range_of_platform(const input::SourceFilePtr& xml) {
    constexpr std::string_view tag = "<platform";
    const std::size_t at = xml->text().find(tag);
    if (at == std::string_view::npos) return {xml, 0, 0};
    return {xml, at, tag.size()};
}

input::SourceRange range_of_line(const input::SourceFilePtr& xml, unsigned line, std::string_view message) {
    const unsigned last = xml->position(xml->text().size()).line;
    const unsigned shown = std::clamp(line, 1U, last);
    const std::string_view text = xml->line_text(shown);
    for (const std::string_view word : set_off_words(message)) {
        const std::size_t at = word.size() > 1 ? text.find(word) : std::string_view::npos;
        if (at != std::string_view::npos) return {xml, xml->line_start(shown) + at, word.size()};
    }
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {xml, xml->line_start(shown), 0};
    const std::size_t end = text.find_last_not_of(" \t") + 1;
    return {xml, xml->line_start(shown) + first, end - first};
}

input::SourceRange range_of_name(const input::SourceFilePtr& xml, std::string_view name) {
    while (true) {
        if (const auto range = attribute_value(xml, name)) return *range;
        const std::size_t underscore = name.rfind('_');
        if (underscore == std::string_view::npos) return range_of_platform(xml);
        name = name.substr(0, underscore);
    }
}

input::SourceRange range_of_message(const input::SourceFilePtr& xml, std::string_view message) {
    for (const std::string_view word : set_off_words(message)) {
        if (const auto range = attribute_value(xml, word)) return *range;
    }
    return range_of_platform(xml);
}

}  // namespace warpfront::machine
