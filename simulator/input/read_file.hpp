// Reading of files as source files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string_view>

#include "simulator/input/source.hpp"

namespace warpfront::input {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
inline constexpr std::size_t kLargestFile = std::size_t{64} << 20;
/// Reads a whole file of at most `most` bytes, without its byte-order mark. `mentioned_at` is the place in another file
/// that names it. Throws BadInput (unreadable_file, file_too_large; unwritable_file if the run will write it).
SourceFilePtr read_file(const std::filesystem::path& path, const SourceRange& mentioned_at = {},
                        std::size_t most = kLargestFile);

/// A cache of files, so that each is read once.
class FilesReadOnce {
public:
    /// Returns the file. Throws BadInput as read_file does.
    SourceFilePtr read(const std::filesystem::path& path, const SourceRange& mentioned_at);

private:
    std::map<std::filesystem::path, SourceFilePtr> by_path_;
};

/// Returns the folder to which paths in a file are relative: the folder of the file. For a pipe such as `<(command)` it
/// is an empty path, the working directory.
std::filesystem::path folder_of(const std::filesystem::path& file);

// The files that a run will write. The run would destroy them as inputs, so reading them is an error.

/// A file that the run will write, during the lifetime of this object. It may be used from any thread.
class OutputFile {
public:
    explicit OutputFile(const std::filesystem::path& path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

private:
    std::filesystem::path path_;
};

/// Throws BadInput (unwritable_file) if the run will write the input `path`. `mentioned_at` is the place in another
/// file that names the input.
void refuse_output_as_input(const std::filesystem::path& path, const SourceRange& mentioned_at = {});

}  // namespace warpfront::input
