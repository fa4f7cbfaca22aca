#include "simulator/input/source.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace warpfront::input {

namespace {

bool continues_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

SourceFile::SourceFile(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), line_starts_{0} {
    for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1)) {
        line_starts_.push_back(at + 1);
    }
}

SourceRange range_of_line(const SourceFilePtr& source, unsigned line) {
    return {source, source->line_start(line), source->line_text(line).size()};
}

std::string text_of(const SourceRange& range) {
    const SourceFile::Position position = range.source->position(range.offset);
    return fmt::format("{}:{}:{}", range.source->name(), position.line, position.column);
}

SourceFile::Position SourceFile::position(std::size_t offset) const {
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

std::size_t SourceFile::line_start(unsigned line) const {
    if (line == 0) return 0;
    return line <= line_starts_.size() ? line_starts_[line - 1] : text_.size();
}

std::string_view SourceFile::line_text(unsigned line) const {
    const std::size_t start = line_start(line);
    const std::size_t end = std::min(text_.find('\n', start), text_.size());
    std::string_view line_without_break = text().substr(start, end - start);
    if (line_without_break.ends_with('\r')) line_without_break.remove_suffix(1);
    return line_without_break;
}

}  // namespace warpfront::input
