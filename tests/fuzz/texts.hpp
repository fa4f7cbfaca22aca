// The division of a fuzzer's input into texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpfront::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// Returns the parts of a text between lines `%%`, at most `most`; the last contains the rest.
inline std::vector<std::string> parts_of(std::string_view text, std::size_t most) {
    static constexpr std::string_view kLine = "%%\n";
    std::vector<std::string> parts;
    while (parts.size() + 1 < most) {
        const std::size_t at = text.find(kLine);
        if (at == std::string_view::npos) break;
        parts.emplace_back(text.substr(0, at));
        text.remove_prefix(at + kLine.size());
    }
    parts.emplace_back(text);
    return parts;
}

}  // namespace warpfront::fuzz
