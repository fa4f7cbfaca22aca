// Messages of the Language Server Protocol over stdin and stdout: a header with the length of a JSON text, and the
// text.
#include <charconv>
#include <cstddef>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulator/results/output.hpp"
#include "tools/editor/lsp_session.hpp"
#include "tools/program/commands/commands.hpp"

namespace warpfront::tools {

namespace {

constexpr std::size_t kLargestMessage = std::size_t{16} << 20;  // bytes

/// Returns the number of bytes that follow a header; nothing at the end of the input or if there is no header.
std::optional<std::size_t> read_header(std::istream& in) {
    constexpr std::string_view kLength = "Content-Length: ";
    std::optional<std::size_t> length;
    for (std::string line; std::getline(in, line);) {
        if (line.ends_with('\r')) line.pop_back();
        if (line.empty()) return length;
        if (!line.starts_with(kLength)) continue;
        std::size_t count = 0;
        const char* const end = line.data() + line.size();
        const auto read = std::from_chars(line.data() + kLength.size(), end, count);
        if (read.ec == std::errc{} && read.ptr == end && count <= kLargestMessage) length = count;
    }
    return std::nullopt;
}

}  // namespace

ExitStatus lsp() {
    LspSession session;
    while (!session.ended()) {
        const std::optional<std::size_t> length = read_header(std::cin);
        if (!length) break;
        std::string text(*length, '\0');
        std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
        if (static_cast<std::size_t>(std::cin.gcount()) != text.size()) break;
        for (const nlohmann::json& message : session.handle(nlohmann::json::parse(text, nullptr, false))) {
            const std::string answer = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
            results::write_stdout(fmt::format("Content-Length: {}\r\n\r\n{}", answer.size(), answer));
        }
    }
    return session.ended() && session.in_order() ? ExitStatus::done : ExitStatus::run_failed;
}

}  // namespace warpfront::tools
