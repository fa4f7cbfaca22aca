// Destinations of results: stdout, a file, a folder. A file or folder is checked for writing before the work starts. A
// file appears whole or not at all: it is written as FILE.??????.part in the same folder and renamed. Every failed
// write, also to stdout, is a fault (unwritable_file).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace warpfront::results {

class Output {
public:
    /// `target` is a file, or `-` for stdout. Throws BadInput if the file cannot be written; leaves nothing behind.
    explicit Output(std::string target);

    bool to_stdout() const { return target_ == "-"; }
    /// On failure throws BadInput and leaves the file unchanged.
    void write(std::string_view text) const;

private:
    std::string target_;
};

/// Replaces the file by `text`; writes into a pipe or a device; follows links. On failure throws BadInput and leaves
/// the file unchanged.
void write_atomically(const std::filesystem::path& path, std::string_view text);

/// Throws BadInput unless all of `text` is written.
void write_stdout(std::string_view text);

/// The output folder of a command.
class OutputFolder {
public:
    /// Throws BadInput if the folder can neither be made nor written to; leaves nothing behind.
    explicit OutputFolder(std::filesystem::path folder);

    /// `write` fills an empty folder, whose files and folders then replace those of the same names in this one: `last`
    /// after all others; it is absent during the replacement. If `write` throws, this folder is unchanged. Throws
    /// BadInput.
    void fill(std::string_view last, const std::function<void(const std::filesystem::path&)>& write) const;

private:
    std::filesystem::path folder_;
};

}  // namespace warpfront::results
