#include "tools/editor/lsp_positions.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include <fmt/format.h>

namespace warpfront::tools {

namespace {

constexpr std::string_view kFileScheme = "file://";

/// UTF-16 code units that the byte adds: 0 inside a code point, 2 at the first byte of four.
std::size_t units_of(char byte) {
    const auto bits = static_cast<unsigned char>(byte);
    if ((bits & 0xC0U) == 0x80U) return 0;
    return bits >= 0xF0U ? 2 : 1;
}

}  // namespace

std::size_t offset_of(std::string_view text, const nlohmann::json& position) {
    std::size_t at = 0;
    for (auto line = position.at("line").get<std::uint64_t>(); line > 0; --line) {
        const std::size_t end = text.find('\n', at);
        if (end == std::string_view::npos) return text.size();
        at = end + 1;
    }
    const auto wanted = position.at("character").get<std::uint64_t>();
    std::uint64_t units = 0;
    while (at < text.size() && text[at] != '\n' && (units < wanted || units_of(text[at]) == 0)) {
        units += units_of(text[at++]);
    }
    return at;
}

nlohmann::json position_of(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const std::size_t last = before.rfind('\n');
    const std::string_view line = last == std::string_view::npos ? before : before.substr(last + 1);
    std::size_t units = 0;
    for (const char byte : line) units += units_of(byte);
    return {{"line", std::count(before.begin(), before.end(), '\n')}, {"character", units}};
}

nlohmann::json range_of(std::string_view text, std::size_t offset, std::size_t length) {
    return {{"start", position_of(text, offset)}, {"end", position_of(text, offset + length)}};
}

std::filesystem::path path_of_uri(std::string_view uri) {
    if (uri.substr(0, kFileScheme.size()) == kFileScheme) uri.remove_prefix(kFileScheme.size());
    std::string path;
    for (std::size_t at = 0; at < uri.size(); ++at) {
        const bool coded = uri[at] == '%' && at + 2 < uri.size() &&
                           std::isxdigit(static_cast<unsigned char>(uri[at + 1])) != 0 &&
                           std::isxdigit(static_cast<unsigned char>(uri[at + 2])) != 0;
        if (!coded) {
            path += uri[at];
            continue;
        }
        path += static_cast<char>(std::stoi(std::string(uri.substr(at + 1, 2)), nullptr, 16));
        at += 2;
    }
    return path;
}

std::string uri_of_path(const std::filesystem::path& path) {
    std::string uri(kFileScheme);
    for (const char each : std::filesystem::absolute(path).lexically_normal().string()) {
        const bool plain = std::isalnum(static_cast<unsigned char>(each)) != 0 ||
                           std::string_view("/-._~").find(each) != std::string_view::npos;
        uri += plain ? std::string(1, each) : fmt::format("%{:02X}", static_cast<unsigned char>(each));
    }
    return uri;
}

}  // namespace warpfront::tools
