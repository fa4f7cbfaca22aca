#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "simulator/input/diagnostic.hpp"
#include "tests/input/collected.hpp"

using namespace warpfront::input;

namespace {

std::string rendered(const SourceRange& range, const std::string& message, const std::string& expected = {}) {
    Diagnostics faults;
    faults.add(DiagnosticKind::bad_number, range, message, expected);
    return faults.render();
}

}  // namespace

TEST_CASE("a fault shows file, line, column, the line, carets under the whole range and the expectation") {
    const SourceFilePtr source = source_of("wg = 1us;\ncompute wgg * cells;\n", "x.psl");
    CHECK(rendered({source, 18, 3}, "unknown name `wgg`", "did you mean `wg`?") ==
          "x.psl:2:9: error: unknown name `wgg`\n"
          "    2 | compute wgg * cells;\n"
          "      |         ^^^ did you mean `wg`?\n");
}

TEST_CASE("with nothing expected the line ends at the carets") {
    CHECK(rendered({source_of("ab"), 0, 2}, "odd") ==
          "deck.yaml:1:1: error: odd\n"
          "    1 | ab\n"
          "      | ^^\n");
}

TEST_CASE("an empty range is one caret, also behind the end of a line") {
    CHECK(rendered({source_of("ab\ncd"), 2, 0}, "odd") ==
          "deck.yaml:1:3: error: odd\n"
          "    1 | ab\n"
          "      |   ^\n");
}

TEST_CASE("a range over several lines is marked on its first") {
    CHECK(rendered({source_of("ab\ncd"), 1, 4}, "odd") ==
          "deck.yaml:1:2: error: odd\n"
          "    1 | ab\n"
          "      |  ^\n");
}

TEST_CASE("an empty text has a first line too") {
    CHECK(rendered({source_of(""), 0, 0}, "odd") ==
          "deck.yaml:1:1: error: odd\n"
          "    1 | \n"
          "      | ^\n");
}

TEST_CASE("a range beyond the text means its end") {
    CHECK(rendered({source_of("ab"), 99, 99}, "odd") ==
          "deck.yaml:1:3: error: odd\n"
          "    1 | ab\n"
          "      |   ^\n");
}

TEST_CASE("a tab before the range is a tab before the caret, so both line up") {
    CHECK(rendered({source_of("\tab"), 1, 2}, "odd") ==
          "deck.yaml:1:2: error: odd\n"
          "    1 | \tab\n"
          "      | \t^^\n");
}

TEST_CASE("a code point of several bytes takes one caret") {
    CHECK(rendered({source_of("\xC2\xB5 \xC2\xB5"), 3, 2}, "odd") ==
          "deck.yaml:1:3: error: odd\n"
          "    1 | \xC2\xB5 \xC2\xB5\n"
          "      |   ^\n");
}

TEST_CASE("bytes that are not text cannot reach the terminal") {
    CHECK(rendered({source_of("a\x1B[2J\xFF"
                              "b"),
                    6, 1},
                   "odd `\x07`") ==
          "deck.yaml:1:7: error: odd `\xEF\xBF\xBD`\n"
          "    1 | a\xEF\xBF\xBD[2J\xEF\xBF\xBD"
          "b\n"
          "      |       ^\n");
}

TEST_CASE("a line of more than 120 characters is cut around its caret") {
    const SourceFilePtr source = source_of(std::string(1000, 'a') + "X" + std::string(1000, 'b'));
    CHECK(rendered({source, 1000, 1}, "odd") ==
          "deck.yaml:1:1001: error: odd\n"
          "    1 | " +
              std::string(60, 'a') + "X" + std::string(59, 'b') + "\n" + "      | " + std::string(60, ' ') + "^\n");
}

TEST_CASE("a message of more than 400 characters is cut") {
    CHECK(rendered({}, std::string(1000, 'a')) == "error: " + std::string(400, 'a') + "...\n");
}

TEST_CASE("a fault without a range has no excerpt") {
    CHECK(rendered({}, "cannot write `x`", "it is a directory") == "error: cannot write `x`: it is a directory\n");
}

TEST_CASE("faults are reported in the order in which they were found") {
    const SourceFilePtr source = source_of("ab");
    Diagnostics faults;
    faults.add(DiagnosticKind::bad_number, {source, 1, 1}, "second byte");
    faults.add(DiagnosticKind::bad_number, {source, 0, 1}, "first byte");
    CHECK(faults.all()[0].message == "second byte");
    CHECK(faults.all()[1].message == "first byte");
}

TEST_CASE("faults of one file can be put in order of place, those of one place as they were found") {
    const SourceFilePtr source = source_of("abc");
    Diagnostics faults;
    faults.add(DiagnosticKind::bad_number, {source, 2, 1}, "last");
    faults.add(DiagnosticKind::bad_number, {source, 1, 1}, "second");
    faults.add(DiagnosticKind::bad_number, {source, 1, 2}, "third");
    faults.add(DiagnosticKind::bad_number, {source, 0, 1}, "first");
    faults.sort_by_place();
    std::string order;
    for (const Diagnostic& each : faults.all()) order += each.message + " ";
    CHECK(order == "first second third last ");
}

TEST_CASE("the same message at the same range is reported once") {
    const SourceFilePtr source = source_of("ab");
    Diagnostics faults;
    faults.add(DiagnosticKind::bad_number, {source, 0, 1}, "odd");
    faults.add(DiagnosticKind::bad_number, {source, 0, 1}, "odd");
    faults.add(DiagnosticKind::bad_number, {source, 1, 1}, "odd");
    CHECK(faults.count() == 2);
}

TEST_CASE("after 20 faults the others are counted") {
    Diagnostics faults;
    for (int at = 0; at < 23; ++at) faults.add(DiagnosticKind::bad_number, {}, "fault " + std::to_string(at));
    CHECK(faults.all().size() == 20);
    CHECK(faults.count() == 23);
    CHECK(faults.render().ends_with("error: fault 19\n... and 3 more\n"));
}

TEST_CASE("faults of several inputs add up, those that were only counted too") {
    Diagnostics many;
    for (int at = 0; at < 23; ++at) many.add(DiagnosticKind::bad_number, {}, "fault " + std::to_string(at));
    Diagnostics faults;
    faults.add(DiagnosticKind::bad_number, {}, "an earlier one");
    faults.add(many);
    CHECK(faults.count() == 24);
}

TEST_CASE("raise throws all faults together") {
    Diagnostics faults;
    faults.add(DiagnosticKind::bad_number, {}, "one");
    faults.add(DiagnosticKind::missing_key, {}, "two");
    try {
        faults.raise();
        FAIL("nothing was thrown");
    } catch (const BadInput& bad) {
        CHECK(bad.diagnostics().count() == 2);
        CHECK(std::strcmp(bad.what(), "error: one\nerror: two\n") == 0);
    }
}

TEST_CASE("raise does nothing without a fault") {
    CHECK_NOTHROW(Diagnostics().raise());
    CHECK(Diagnostics().render() == "");
}

TEST_CASE("a kind is named as the registry names it") {
    CHECK(kind_name(DiagnosticKind::unreadable_file) == "unreadable_file");
    CHECK(kind_name(DiagnosticKind::bad_choice) == "bad_choice");
}

namespace {

using Names = std::vector<std::string>;

std::string_view near(std::string_view name, const Names& names) {
    static Names kept;  // the answer points into the candidates
    kept = names;
    return nearest_name(name, kept);
}

}  // namespace

TEST_CASE("one letter too many, too few or wrong is near") {
    CHECK(near("rrows", {"columns", "rows"}) == "rows");
    CHECK(near("ows", {"columns", "rows"}) == "rows");
    CHECK(near("rowz", {"columns", "rows"}) == "rows");
}

TEST_CASE("two neighbouring letters swapped count as one edit") {
    CHECK(near("rwos", {"rows"}) == "rows");  // 1 of 4 letters; as two edits it would be beyond a third
}

TEST_CASE("a third of the longer name may differ, not more") {
    CHECK(near("abcdyz", {"abcdef"}) == "abcdef");
    CHECK(near("abcxyz", {"abcdef"}) == "");
}

TEST_CASE("short names may differ in one letter, unless that is all they have") {
    CHECK(near("nz", {"nx"}) == "nx");
    CHECK(near("a", {"b"}) == "");
}

TEST_CASE("the earlier of two equally near names is taken") {
    CHECK(near("nw", {"nx", "ny"}) == "nx");
    CHECK(near("nw", {"ny", "nx"}) == "ny");
}

TEST_CASE("a name of megabytes is near to nothing") { CHECK(near(std::string(1 << 20, 'a'), {"a", "aa"}) == ""); }

TEST_CASE("a suggestion proposes the nearest name") {
    CHECK(suggestion("rwos", Names{"columns", "rows"}) == "did you mean `rows`?");
}

TEST_CASE("with none near a suggestion lists the names") {
    CHECK(suggestion("zzzz", Names{"columns", "rows"}) == "expected one of `columns`, `rows`");
    CHECK(suggestion("zzzz", Names{"rows"}) == "expected `rows`");
    CHECK(suggestion("zzzz", Names{}) == "");
}

TEST_CASE("a suggestion lists forty names, and how many others there are") {
    Names names(40, "a");
    std::string all = "expected one of `a`";
    for (std::size_t at = 1; at < names.size(); ++at) all += ", `a`";
    CHECK(suggestion("zzzz", names) == all);
    names.resize(43, "b");
    CHECK(suggestion("zzzz", names) == all + " and 3 others");
}
