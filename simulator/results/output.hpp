// Where results go: stdout, a file, a folder. Whether a file or a folder can be written is found out before the work
// whose result it holds. A file appears whole or not at all: it is written beside its name, as FILE.??????.part, and
// renamed. Every failed write, to stdout as well, is a fault (unwritable_file).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace warpfront::results {

class Output {
public:
    /// `target` is a file, or `-` for stdout. Throws BadInput where the file cannot be written; leaves nothing behind.
    explicit Output(std::string target);

    bool to_stdout() const { return target_ == "-"; }
    /// Throws BadInput, and leaves the file as it was, where that fails.
    void write(std::string_view text) const;

private:
    std::string target_;
};

/// Replaces the file by `text`; a pipe or a device is written to instead, and links are followed. Throws BadInput, and
/// leaves the file as it was, where that fails.
void write_atomically(const std::filesystem::path& path, std::string_view text);

/// Throws BadInput where not all of `text` could be written.
void write_stdout(std::string_view text);

/// The answer of a command: `json_text` to `json`, if there is one, and `table` to stdout, unless the JSON goes there.
/// Each is written even if the other cannot be; throws BadInput with whatever failed.
void write_answer(const std::optional<Output>& json, std::string_view json_text, std::string_view table);

/// A folder that a command fills.
class OutputFolder {
public:
    /// Throws BadInput where the folder can neither be made nor written to; leaves nothing behind.
    explicit OutputFolder(std::filesystem::path folder);

    /// `write` fills an empty folder, whose files then replace those of the same names in this one: `last` after all
    /// others, and it is missing while they are replaced. Throws what `write` throws, and then leaves this folder as
    /// it was; BadInput.
    void fill(std::string_view last, const std::function<void(const std::filesystem::path&)>& write) const;

private:
    std::filesystem::path folder_;
};

}  // namespace warpfront::results
