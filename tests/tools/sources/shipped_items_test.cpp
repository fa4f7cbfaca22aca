// The shipped items: closed forms, and the event engine if it takes only a moment, agree with the sources, or the items
// have a reason; the tests of causes exist. `ninja sources` judges the event engine on all items.
#include <cctype>

#include "tests/scratch.hpp"
#include "tools/study/sources/items.hpp"

using namespace warpfront::tools;

namespace {

/// Returns the text after a heading of a page up to the next one; empty if there is no such heading. The anchor of a
/// heading is the heading in lower case with hyphens for blanks, without other signs.
std::string section(const std::string& page, const std::string& anchor) {
    std::string text;
    bool inside = false;
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("#")) {
            std::string here;
            for (const char letter : line.substr(line.find_first_not_of("# "))) {
                if (letter == ' ') here += '-';
                if (std::isalnum(static_cast<unsigned char>(letter)) != 0)
                    here += static_cast<char>(std::tolower(letter));
            }
            inside = here == anchor;
        } else if (inside) {
            text += line + "\n";
        }
    }
    return text;
}

/// Returns true if others can repeat the test of a cause: it is a file of the project, or a section of a page that has
/// a command, which the suite `pages` runs; or if there is no test.
bool is_shown(const std::string& test) {
    if (test.empty()) return true;
    const std::filesystem::path file = std::filesystem::path(WARPFRONT_SOURCE_DIR) / test.substr(0, test.find('#'));
    if (!std::filesystem::is_regular_file(file)) return false;
    if (test.find('#') == std::string::npos) return true;
    std::ostringstream page;
    page << std::ifstream(file).rdbuf();
    return section(page.str(), test.substr(test.find('#') + 1)).find("\n    build/warpfront ") != std::string::npos;
}

}  // namespace

TEST_CASE("the test of a cause is found as a file, or as a section with a command") {
    CHECK(is_shown("models/studies/noise-and-tiles.yaml"));
    CHECK(is_shown("models/sources/README.md#groups-of-cores"));
    CHECK_FALSE(is_shown("models/sources/README.md#not-reproduced"));
    CHECK_FALSE(is_shown("models/sources/README.md#what-nobody-wrote"));
    CHECK_FALSE(is_shown("a clock"));
}

TEST_CASE("no statement of a shipped item differs without a reason") {
    const test::Scratch scratch;
    const PointStore points(scratch.folder());
    for (const auto& file : item_files({WARPFRONT_SOURCE_DIR "/models/sources"})) {
        const SourceItem item = run_item(file, {.points = &points, .threads = 2, .most_messages = 100'000});
        CHECK_MESSAGE(!item.source.empty(), file.string(), " does not say where it stands");
        for (const Statement& statement : item.statements) {
            CHECK_MESSAGE(statement.verdict() != Verdict::differs, item.name, ": ", statement.states);
            CHECK_MESSAGE(is_shown(statement.tested_by), item.name, ": ", statement.tested_by);
        }
    }
}
