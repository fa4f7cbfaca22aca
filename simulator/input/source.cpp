#include "simulator/input/source.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::input {

namespace {

bool continues_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

[[noreturn]] void refuse(const std::filesystem::path& path, const Place& mentioned_at, const std::string& why) {
    throw BadInput(FaultKind::unreadable_file, mentioned_at, fmt::format("cannot read `{}`", path.string()), why);
}

std::string reason(std::error_code error) {
    if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) return "no such file";
    std::string text = error.message();
    if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

/// A pipe could block for ever and a device never end, so only regular files are read.
void demand_regular_file(const std::filesystem::path& path, const Place& mentioned_at) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) refuse(path, mentioned_at, "no such file");
    if (error) refuse(path, mentioned_at, reason(error));
    if (std::filesystem::is_directory(status)) refuse(path, mentioned_at, "it is a directory");
    if (!std::filesystem::is_regular_file(status)) refuse(path, mentioned_at, "it is not a regular file");
}

}  // namespace

Source::Source(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)), line_starts_{0} {
    for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1)) {
        line_starts_.push_back(at + 1);
    }
}

std::string text_of(const Place& place) {
    const Source::Position position = place.source->position(place.offset);
    return fmt::format("{}:{}:{}", place.source->name(), position.line, position.column);
}

Source::Position Source::position(std::size_t offset) const {
    const std::size_t end = std::min(offset, text_.size());
    const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), end);
    const std::size_t start = *std::prev(after);
    Position position;
    position.line = static_cast<unsigned>(after - line_starts_.begin());
    for (std::size_t at = start; at < end; ++at) {
        if (!continues_code_point(text_[at])) ++position.column;
    }
    return position;
}

std::size_t Source::line_start(unsigned line) const {
    if (line == 0) return 0;
    return line <= line_starts_.size() ? line_starts_[line - 1] : text_.size();
}

std::string_view Source::line_text(unsigned line) const {
    const std::size_t start = line_start(line);
    const std::size_t end = std::min(text_.find('\n', start), text_.size());
    std::string_view line_without_break = text().substr(start, end - start);
    if (line_without_break.ends_with('\r')) line_without_break.remove_suffix(1);
    return line_without_break;
}

SourcePtr read_file(const std::filesystem::path& path, const Place& mentioned_at) {
    demand_regular_file(path, mentioned_at);
    std::ifstream file(path, std::ios::binary);
    if (!file) refuse(path, mentioned_at, "it cannot be opened");
    file.seekg(0, std::ios::end);
    const std::streamoff size = file.tellg();
    if (size < 0) refuse(path, mentioned_at, "its size is unknown");
    if (static_cast<std::size_t>(size) > kLargestFile) {
        throw BadInput(FaultKind::file_too_large, mentioned_at, fmt::format("`{}` has {} bytes", path.string(), size),
                       fmt::format("at most {} bytes are read", kLargestFile));
    }
    std::string text(static_cast<std::size_t>(size), '\0');
    file.seekg(0);
    file.read(text.data(), size);
    if (file.gcount() != size) refuse(path, mentioned_at, "it ended early");
    if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
    return std::make_shared<const Source>(path.string(), std::move(text));
}

}  // namespace warpfront::input
