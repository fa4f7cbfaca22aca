// The kind of an input file, by its extension or by its keys. A command that expects another kind refuses the file with
// one error, in place of an error for each of its lines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"

namespace warpfront::input {

enum class FileKind : std::uint8_t {
    // by the extension
    model,
    platform,
    table,
    page,
    picture,
    code,
    // by the keys
    result,
    scenario,
    plan,
    study,
    comparisons,
    jobs,
    hardware,
    calibration,
};

/// Returns the kind of a file whose extension shows that it is not YAML; nothing for any other extension.
std::optional<FileKind> kind_of_name(const std::filesystem::path& file);

/// Returns the kind of a YAML file by its keys; nothing if they belong to no kind.
std::optional<FileKind> kind_of_keys(const YamlNode& tree);

/// Returns the kind of a file by its extension, otherwise by its keys; nothing if it is neither known nor YAML.
std::optional<FileKind> kind_of(const SourceFilePtr& source);

/// Throws BadInput (unknown_file_kind): "`lu.psl` is a model: expected a study (.yaml); ...", where `expected` is the
/// phrase after "expected". The message ends with the use of such a file.
[[noreturn]] void refuse_kind(FileKind kind, const std::filesystem::path& file, const SourceRange& range,
                              std::string_view expected);

/// Refuses a file whose extension shows that it is not YAML. `named_at` is the place in another file that names it.
void refuse_other_name(const std::filesystem::path& file, std::string_view expected, const SourceRange& named_at = {});

/// Refuses a YAML file whose keys are those of a kind that is not accepted.
void refuse_other_keys(const YamlNode& tree, const std::filesystem::path& file,
                       std::initializer_list<FileKind> accepted, std::string_view expected);

/// Refuses a file of a known kind that is not accepted, by its extension or by its keys.
void refuse_other_kind(const SourceFilePtr& source, std::initializer_list<FileKind> accepted, std::string_view expected,
                       const SourceRange& named_at = {});

}  // namespace warpfront::input
