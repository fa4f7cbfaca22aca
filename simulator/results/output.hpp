// Where a result goes. A file appears whole or not at all: it is written beside its name as FILE.part and renamed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warpfront::results {

/// Replaces `path` by `text`; what is no file (a pipe, a device) is written to instead, and links are followed. Throws
/// BadInput (unwritable_file) and leaves no partial file where that fails.
void write_atomically(const std::filesystem::path& path, std::string_view text);

/// The same, except that `-` means stdout.
void write_output(const std::string& target, std::string_view text);

}  // namespace warpfront::results
