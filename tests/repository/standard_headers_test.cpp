// Several files are compiled as one, which hides a missing include from the compiler. Names of the standard library and
// of fmt are therefore checked here: a file that uses one includes its header, directly or through the project's
// headers.
#include <regex>

#include "tests/repository/files.hpp"

using namespace warpfront::repository;

namespace {

const std::map<std::string, std::string> kHeaderOf{
    {"std::any_of", "algorithm"},
    {"std::array", "array"},
    {"std::atomic", "atomic"},
    {"std::chrono", "chrono"},
    {"std::deque", "deque"},
    {"std::filesystem", "filesystem"},
    {"std::function", "functional"},
    {"std::ifstream", "fstream"},
    {"std::istringstream", "sstream"},
    {"std::map", "map"},
    {"std::mutex", "mutex"},
    {"std::numeric_limits", "limits"},
    {"std::ofstream", "fstream"},
    {"std::optional", "optional"},
    {"std::ostringstream", "sstream"},
    {"std::regex", "regex"},
    {"std::runtime_error", "stdexcept"},
    {"std::set", "set"},
    {"std::shared_ptr", "memory"},
    {"std::sort", "algorithm"},
    {"std::span", "span"},
    {"std::string", "string"},
    {"std::string_view", "string_view"},
    {"std::thread", "thread"},
    {"std::unique_ptr", "memory"},
    {"std::unordered_map", "unordered_map"},
    {"std::variant", "variant"},
    {"std::vector", "vector"},
    {"fmt::format", "fmt/format.h"},
    {"fmt::join", "fmt/format.h"},
};

struct Source {
    std::set<std::string> used;      // names of kHeaderOf
    std::set<std::string> headers;   // in angle brackets
    std::set<std::string> included;  // of the project
};

Source read(const std::string& path) {
    static const std::regex include("^#include ([<\"])([^>\"]+)[>\"].*");
    static const std::regex name("\\b(?:std|fmt)::\\w+");
    static const std::regex text("\"[^\"]*\"");
    Source source;
    std::smatch match;
    for (const std::string& line : lines_of(text_of(root() / path))) {
        if (std::regex_match(line, match, include)) {
            (match[1] == "<" ? source.headers : source.included).insert(match[2].str());
            continue;
        }
        const std::string code = std::regex_replace(line.substr(0, line.find("//")), text, "");
        for (std::sregex_iterator found(code.begin(), code.end(), name), end; found != end; ++found) {
            if (kHeaderOf.contains(found->str())) source.used.insert(found->str());
        }
    }
    return source;
}

/// Collects the headers that `path` includes, directly or through the project's headers; each file is read once.
void collect(const std::map<std::string, Source>& all, const std::string& path, std::set<std::string>& seen,
             std::set<std::string>& headers) {
    const auto found = all.find(path);
    if (found == all.end() || !seen.insert(path).second) return;
    headers.insert(found->second.headers.begin(), found->second.headers.end());
    for (const std::string& included : found->second.included) collect(all, included, seen, headers);
}

}  // namespace

TEST_CASE("a file includes the header of every common name of the standard library and of fmt that it uses") {
    std::map<std::string, Source> all;
    for (const std::string& path : sources()) all.emplace(path, read(path));
    for (const auto& [path, source] : all) {
        std::set<std::string> seen;
        std::set<std::string> headers;
        collect(all, path, seen, headers);
        if (headers.contains("fmt/ranges.h")) headers.insert("fmt/format.h");
        for (const std::string& name : source.used) {
            CAPTURE(path);
            CHECK_MESSAGE(headers.contains(kHeaderOf.at(name)), name, " needs <", kHeaderOf.at(name), ">");
        }
    }
}
