#include "simulator/input/escaping.hpp"

#include <algorithm>

namespace warpfront::input {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

unsigned byte(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

bool is_control(std::string_view code_point) {
    const unsigned first = byte(code_point, 0);
    return first < 0x20 || first == 0x7F || (first == 0xC2 && byte(code_point, 1) < 0xA0);
}

}  // namespace

std::size_t utf8_sequence(std::string_view text) {
    if (text.empty()) return 0;
    const unsigned first = byte(text, 0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
    for (std::size_t at = 1; at < length; ++at) {
        if ((byte(text, at) & 0xC0U) != 0x80U) return 0;
    }
    const unsigned second = byte(text, 1);
    const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
    const bool surrogate = first == 0xED && second > 0x9F;
    const bool beyond = first == 0xF4 && second > 0x8F;
    return overlong || surrogate || beyond ? 0 : length;
}

CodePoints printable_code_points(std::string_view text) {
    CodePoints result;
    while (!text.empty()) {
        const std::size_t length = utf8_sequence(text);
        const std::string_view code_point = text.substr(0, std::max<std::size_t>(1, length));
        const bool shown = length > 0 && (code_point == "\t" || !is_control(code_point));
        result.push_back(shown ? code_point : kReplacement);
        text.remove_prefix(code_point.size());
    }
    return result;
}

std::string escaped(std::string_view text, std::size_t limit) {
    const bool cut = text.size() > 4 * limit;  // a code point has at most 4 bytes: the rest need not be read
    const CodePoints code_points = printable_code_points(cut ? text.substr(0, 4 * limit) : text);
    std::string result;
    for (std::size_t at = 0; at < std::min(limit, code_points.size()); ++at) result += code_points[at];
    if (cut || code_points.size() > limit) result += "...";
    return result;
}

}  // namespace warpfront::input
