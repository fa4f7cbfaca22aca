// Access to the project's own files for the repository tests.
//
// Not pinned here: layout (the test `format`), commands and examples of pages (tests/pages, tests/psl), tables of pages
// (tests/end_to_end/page_tables_test.cpp), that each kind of fault is triggered (tests/fault_kinds).
#pragma once

#include "tests/preamble.hpp"

namespace warpfront::repository {

inline std::filesystem::path root() { return WARPFRONT_SOURCE_DIR; }

inline std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Returns paths from the project's root, in order, of all files below `folder` whose extension is one of `extensions`.
inline std::set<std::string> files_below(std::string_view folder, const std::set<std::string>& extensions) {
    std::set<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root() / folder)) {
        if (!entry.is_regular_file() || !extensions.contains(entry.path().extension().string())) continue;
        files.insert(entry.path().lexically_relative(root()).generic_string());
    }
    return files;
}

inline std::set<std::string> sources() {
    std::set<std::string> all;
    for (const std::string_view folder : {"simulator", "psl", "tools", "tests"}) {
        all.merge(files_below(folder, {".cpp", ".hpp", ".def"}));
    }
    return all;
}

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        lines.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return lines;
}

}  // namespace warpfront::repository
