// Files as sources.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "simulator/input/source.hpp"

namespace warpfront::input {

/// Reads a whole file, at most `kLargestFile` bytes, without its byte-order mark, if it has one; throws BadInput
/// (unreadable_file, file_too_large).
/// `mentioned_at` is where the user named the file, if in another file.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
inline constexpr std::size_t kLargestFile = std::size_t{64} << 20;
SourceFilePtr read_file(const std::filesystem::path& path, const SourceRange& mentioned_at = {});

}  // namespace warpfront::input
