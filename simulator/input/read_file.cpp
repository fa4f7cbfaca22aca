#include "simulator/input/read_file.hpp"

#include <cctype>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/output_files.hpp"

namespace warpfront::input {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const SourceRange& mentioned_at, const std::string& why) {
    throw BadInput(DiagnosticKind::unreadable_file, mentioned_at, fmt::format("cannot read `{}`", path.string()), why);
}

std::string reason(std::error_code error) {
    if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) return "no such file";
    std::string text = error.message();
    if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

/// Only regular files are read: a pipe could block for ever, a device could be endless.
void demand_regular_file(const std::filesystem::path& path, const SourceRange& mentioned_at) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) refuse(path, mentioned_at, "no such file");
    if (error) refuse(path, mentioned_at, reason(error));
    if (std::filesystem::is_directory(status)) refuse(path, mentioned_at, "it is a directory");
    if (!std::filesystem::is_regular_file(status)) refuse(path, mentioned_at, "it is not a regular file");
}

}  // namespace

SourceFilePtr read_file(const std::filesystem::path& path, const SourceRange& mentioned_at, std::size_t most) {
    refuse_output_as_input(path, mentioned_at);
    demand_regular_file(path, mentioned_at);
    std::ifstream file(path, std::ios::binary);
    if (!file) refuse(path, mentioned_at, "it cannot be opened");
    file.seekg(0, std::ios::end);
    const std::streamoff size = file.tellg();
    if (size < 0) refuse(path, mentioned_at, "its size is unknown");
    if (static_cast<std::size_t>(size) > most) {
        throw BadInput(DiagnosticKind::file_too_large, mentioned_at,
                       fmt::format("`{}` has {} bytes", path.string(), size),
                       fmt::format("at most {} bytes are read", most));
    }
    std::string text(static_cast<std::size_t>(size), '\0');
    file.seekg(0);
    file.read(text.data(), size);
    if (file.gcount() != size) refuse(path, mentioned_at, "it ended early");
    if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
    return std::make_shared<const SourceFile>(path.string(), std::move(text));
}

}  // namespace warpfront::input
