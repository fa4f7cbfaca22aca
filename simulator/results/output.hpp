// Destinations of results: stdout, a file, a folder, and the answer of a command, which goes to several. A file or
// folder is checked for writing before the work starts. A file appears complete or not at all: it is written as
// FILE.??????.part in the same folder and renamed. Every failed write, including one to stdout, is an error
// (unwritable_file).
#pragma once

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulator/input/read_file.hpp"

namespace warpfront::results {

/// Returns true if this program wrote the file, judging by its beginning. An empty or absent file counts as such.
bool is_own_file(const std::filesystem::path& path);

/// A guard: as long as it exists, Output and OutputFolder refuse to replace files that this program did not write.
class ForeignFilesKept {
public:
    ForeignFilesKept();
    ForeignFilesKept(const ForeignFilesKept&) = delete;
    ForeignFilesKept& operator=(const ForeignFilesKept&) = delete;
    ~ForeignFilesKept();
};

/// A file that will be written, or stdout.
class Output {
public:
    /// The permission to write a file that the same run has read as an input.
    enum class AsInput : bool { refused, allowed };

    /// Checks the target, a file or `-` for stdout. Throws BadInput if the file cannot be written; leaves nothing
    /// behind.
    explicit Output(std::string target, AsInput as_input = AsInput::refused);

    bool to_stdout() const { return target_ == "-"; }
    /// Writes the text. On failure throws BadInput and leaves the file unchanged.
    void write(std::string_view text) const;

private:
    std::string target_;
    mutable std::shared_ptr<const input::OutputFile> unwritten_;  // registration of the file until it is written
};

/// Replaces the file by `text`; writes into a pipe or a device; follows links. On failure throws BadInput and leaves
/// the file unchanged.
void write_atomically(const std::filesystem::path& path, std::string_view text);

/// Throws BadInput unless all of `text` is written.
void write_stdout(std::string_view text);

/// Performs each write, even if another throws BadInput; then throws BadInput with all failures.
void write_each(std::initializer_list<std::function<void()>> writes);

/// The output folder of a command.
class OutputFolder {
public:
    /// Checks the folder. Throws BadInput if it can neither be made nor written to; leaves nothing behind.
    explicit OutputFolder(std::filesystem::path folder);

    /// Fills the folder: `write` fills an empty folder, whose files and folders then replace those of the same names in
    /// this one. `last` is absent during the replacement and is written last. If `write` throws, this folder is
    /// unchanged. Throws BadInput, also if foreign files are kept and one would be replaced in a folder without a
    /// `last` of this program.
    void fill(std::string_view last, const std::function<void(const std::filesystem::path&)>& write) const;
    /// Throws BadInput if `fill` would refuse to replace one of the files `names`.
    void keep_foreign(std::string_view last, const std::vector<std::string>& names) const;

private:
    std::filesystem::path folder_;
};

/// The answer of a command: a table on stdout and, if requested, its quantities as JSON and as CSV.
class Answer {
public:
    /// Checks the targets. Each is a file or `-` for stdout in place of the table; only one may be `-`. Throws BadInput
    /// if one cannot be written.
    Answer(const std::optional<std::string>& json, const std::optional<std::string>& csv);

    bool has_table() const;
    bool has_data() const { return json_ || csv_; }
    /// Calls `first`, which may write further files, then writes each form. A failure does not prevent the other
    /// writes; throws BadInput with all failures. The CSV is `rows`, if given, in place of the quantities of `data`.
    void write(const nlohmann::ordered_json& data, std::string_view table, const std::function<void()>& first = {},
               const std::optional<std::string>& rows = {}) const;

private:
    std::optional<Output> json_;
    std::optional<Output> csv_;
};

/// Formats CSV by RFC 4180: a line `quantity,value`, then one line per value of the JSON. The name of a quantity has
/// the keys, and the places in lists from 0, joined by dots: `critical_path.compute_s`, `iteration_s.0.1`. Numbers have
/// all digits of their double.
std::string quantities_csv(const nlohmann::ordered_json& data);

/// Quotes the text if it has a comma, a quote or a line break.
std::string csv_cell(const std::string& text);

}  // namespace warpfront::results
