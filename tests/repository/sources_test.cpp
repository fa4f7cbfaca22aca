// Rules for every file: nothing is left undone, every kind of fault is used and tested, and every link of a page leads
// somewhere.
#include <cctype>
#include <regex>

#include "tests/repository/files.hpp"

using namespace warpfront::repository;

namespace {

std::vector<std::string> fault_kinds() {
    static const std::regex kind("^DIAGNOSTIC_KIND\\((\\w+)\\)$");
    std::vector<std::string> kinds;
    std::smatch match;
    for (const std::string& line : lines_of(text_of(root() / "simulator/input/diagnostic_kinds.def"))) {
        if (std::regex_match(line, match, kind)) kinds.push_back(match[1].str());
    }
    return kinds;
}

/// Returns true if `text` has `word`, but not as the beginning of a longer name.
bool names(const std::string& text, const std::string& word) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const char next = end < text.size() ? text[end] : ' ';
        if (std::isalnum(static_cast<unsigned char>(next)) == 0 && next != '_') return true;
    }
    return false;
}

/// Returns every page of the project.
std::set<std::string> pages() {
    std::set<std::string> all{"README.md"};
    for (const std::string_view folder : {"models", "platforms", "psl", "simulator", "tests", "tools"}) {
        all.merge(files_below(folder, {".md"}));
    }
    return all;
}

/// Returns the fragment of a URL that leads to a heading: its letters and digits in lower case, a hyphen for each
/// blank.
std::string fragment_of(const std::string& heading) {
    std::string fragment;
    for (const char letter : heading) {
        const auto code = static_cast<unsigned char>(letter);
        if (letter == ' ') fragment += '-';
        if (std::isalnum(code) != 0 || letter == '-' || letter == '_') {
            fragment += static_cast<char>(std::tolower(code));
        }
    }
    return fragment;
}

std::set<std::string> fragments_of(const std::string& page) {
    std::set<std::string> fragments;
    for (const std::string& line : lines_of(page)) {
        if (line.starts_with("#")) fragments.insert(fragment_of(line.substr(line.find_first_not_of("# "))));
    }
    return fragments;
}

}  // namespace

TEST_CASE("every link of a page leads to a file of the project, and to a heading where it names one") {
    static const std::regex link("\\]\\(([^)#]*)(#[^)]*)?\\)");
    for (const std::string& page : pages()) {
        const std::string text = text_of(root() / page);
        const std::filesystem::path folder = std::filesystem::path(page).parent_path();
        for (std::sregex_iterator found(text.begin(), text.end(), link), end; found != end; ++found) {
            const std::string target = (*found)[1].str();
            const std::string fragment = (*found)[2].str();
            if (target.starts_with("http")) continue;
            CAPTURE(page);
            CAPTURE(found->str());
            const std::filesystem::path file = target.empty() ? root() / page : root() / folder / target;
            REQUIRE(std::filesystem::exists(file));
            if (fragment.empty()) continue;
            CHECK(fragments_of(text_of(file)).contains(fragment.substr(1)));
        }
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
        CHECK(names(tests, kind));
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
