#include "simulator/input/file_kind.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::input {

namespace {

/// The words for a kind of file in messages.
struct KindWords {
    std::string_view noun;
    std::string_view use;  // empty: the program does not read such files
};

/// The words by kind, in the order of FileKind.
constexpr std::array<KindWords, 14> kWords{
    {{"a model", "a scenario names a model by `model:`"},
     {"a SimGrid platform", "a hardware file (.yaml) names it by `platform:`"},
     {"a table", "`compare --against` takes a published table"},
     {"a page", ""},
     {"a picture", ""},
     {"source code", ""},
     {"a result", "`report` and `serve` read results"},
     {"a scenario", "`run` takes a scenario"},
     {"a plan of a calibration", "`calibrate` takes a plan"},
     {"a study", "`study` takes a study"},
     {"a list of comparisons", "`compare` takes such a list"},
     {"a file of jobs", "`run` and `check` take several jobs side by side"},
     {"a hardware file", "a scenario names it by `platform:`"},
     {"a calibration", "a hardware file or a scenario names it by `calibration:`"}}};

bool accepts(std::initializer_list<FileKind> accepted, FileKind kind) {
    return std::ranges::find(accepted, kind) != accepted.end();
}

}  // namespace

std::optional<FileKind> kind_of_name(const std::filesystem::path& file) {
    static constexpr std::array<std::pair<std::string_view, FileKind>, 14> kExtensions{{{".psl", FileKind::model},
                                                                                        {".xml", FileKind::platform},
                                                                                        {".csv", FileKind::table},
                                                                                        {".md", FileKind::page},
                                                                                        {".html", FileKind::page},
                                                                                        {".pdf", FileKind::page},
                                                                                        {".png", FileKind::picture},
                                                                                        {".jpg", FileKind::picture},
                                                                                        {".svg", FileKind::picture},
                                                                                        {".c", FileKind::code},
                                                                                        {".cpp", FileKind::code},
                                                                                        {".hpp", FileKind::code},
                                                                                        {".f90", FileKind::code},
                                                                                        {".py", FileKind::code}}};
    const std::string extension = file.extension().string();
    for (const auto& [known, kind] : kExtensions) {
        if (extension == known) return kind;
    }
    return std::nullopt;
}

std::optional<FileKind> kind_of_keys(const YamlNode& tree) {
    const YamlNode* schema = tree.find("schema");
    if (schema != nullptr && schema->scalar.starts_with("warpfront.")) return FileKind::result;
    static constexpr std::array<std::pair<std::string_view, FileKind>, 13> kKeys{
        {{"model", FileKind::scenario},
         {"trace", FileKind::scenario},
         {"ranks", FileKind::scenario},
         {"terms", FileKind::plan},
         {"axes", FileKind::study},
         {"variants", FileKind::study},
         {"comparisons", FileKind::comparisons},
         {"jobs", FileKind::jobs},
         {"layers", FileKind::hardware},
         {"like", FileKind::hardware},
         {"computing", FileKind::calibration},
         {"error", FileKind::calibration},
         {"fitted", FileKind::calibration}}};
    for (const auto& [key, kind] : kKeys) {
        if (tree.find(key) != nullptr) return kind;
    }
    return std::nullopt;
}

std::optional<FileKind> kind_of(const SourceFilePtr& source) {
    if (const auto kind = kind_of_name(source->name())) return kind;
    try {
        Diagnostics ignored;
        return kind_of_keys(parse_yaml(source, ignored));
    } catch (const BadInput&) {
        return std::nullopt;
    }
}

void refuse_kind(FileKind kind, const std::filesystem::path& file, const SourceRange& range,
                 std::string_view expected) {
    const KindWords& words = kWords[static_cast<std::size_t>(kind)];
    throw BadInput(DiagnosticKind::unknown_file_kind, range, fmt::format("`{}` is {}", file.string(), words.noun),
                   fmt::format("expected {}{}{}", expected, words.use.empty() ? "" : "; ", words.use));
}

void refuse_other_name(const std::filesystem::path& file, std::string_view expected, const SourceRange& named_at) {
    if (const auto kind = kind_of_name(file)) refuse_kind(*kind, file, named_at, expected);
}

void refuse_other_keys(const YamlNode& tree, const std::filesystem::path& file,
                       std::initializer_list<FileKind> accepted, std::string_view expected) {
    const auto kind = kind_of_keys(tree);
    if (kind && !accepts(accepted, *kind)) refuse_kind(*kind, file, tree.range, expected);
}

void refuse_other_kind(const SourceFilePtr& source, std::initializer_list<FileKind> accepted, std::string_view expected,
                       const SourceRange& named_at) {
    const auto kind = kind_of(source);
    if (kind && !accepts(accepted, *kind)) refuse_kind(*kind, source->name(), named_at, expected);
}

}  // namespace warpfront::input
