// What holds for every file: a size one can read, nothing left undone, every kind of fault used and tested.
#include <cctype>
#include <regex>

#include <doctest/doctest.h>

#include "tests/repository/files.hpp"

using namespace warpfront::repository;

namespace {

constexpr std::size_t kLongestFile = 400;  // lines

std::vector<std::string> fault_kinds() {
    static const std::regex kind("^FAULT_KIND\\((\\w+)\\)$");
    std::vector<std::string> kinds;
    std::smatch match;
    for (const std::string& line : lines_of(text_of(root() / "simulator/input/diagnostic_kinds.def"))) {
        if (std::regex_match(line, match, kind)) kinds.push_back(match[1].str());
    }
    return kinds;
}

/// `word` in `text`, not as the front of a longer name.
bool names(const std::string& text, const std::string& word) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const char next = end < text.size() ? text[end] : ' ';
        if (std::isalnum(static_cast<unsigned char>(next)) == 0 && next != '_') return true;
    }
    return false;
}

}  // namespace

TEST_CASE("no source file is longer than 400 lines") {
    for (const std::string& path : sources()) {
        CAPTURE(path);
        CHECK(lines_of(text_of(root() / path)).size() <= kLongestFile);
    }
}

TEST_CASE("nothing is promised in place of being done") {
    std::set<std::string> files = sources();
    files.merge(files_below("models", {".psl", ".yaml"}));
    files.merge(files_below("platforms", {".yaml", ".xml"}));
    for (const std::string& path : files) {
        const std::string text = text_of(root() / path);
        for (const std::string& word : {std::string("TO") + "DO", std::string("FIX") + "ME", std::string("XX") + "X"}) {
            CAPTURE(path);
            CAPTURE(word);
            CHECK(text.find(word) == std::string::npos);
        }
    }
}

TEST_CASE("every header is guarded by pragma once") {
    for (const std::string& path : sources()) {
        if (!path.ends_with(".hpp")) continue;
        CAPTURE(path);
        CHECK(text_of(root() / path).find("#pragma once\n") != std::string::npos);
    }
}

TEST_CASE("every kind of fault is expected by name in some test") {
    std::string tests;
    for (const std::string& path : files_below("tests", {".cpp", ".hpp"})) tests += text_of(root() / path);
    REQUIRE(!fault_kinds().empty());
    for (const std::string& kind : fault_kinds()) {
        CAPTURE(kind);
        CHECK(names(tests, "DiagnosticKind::" + kind));
    }
}

TEST_CASE("every kind of fault is used by the program") {
    std::string program;
    for (const std::string& path : sources()) {
        if (!path.starts_with("tests/")) program += text_of(root() / path);
    }
    for (const std::string& kind : fault_kinds()) {
        CAPTURE(kind);
        CHECK(names(program, "DiagnosticKind::" + kind));
    }
}
