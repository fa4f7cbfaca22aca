
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

TEST_CASE("a range is marked in its line, whatever the range covers") {
    struct Row {
        const char* name;
        std::string text;
        std::size_t offset, length;
        std::string column, shown, carets;
    };
    for (const Row& each : {
             Row{"with nothing expected the line ends at the carets", "ab", 0, 2, "1", "ab", "^^"},
             Row{"an empty range is one caret, also behind the end of a line", "ab\ncd", 2, 0, "3", "ab", "  ^"},
             Row{"a range over several lines is marked on its first", "ab\ncd", 1, 4, "2", "ab", " ^"},
             Row{"an empty text has a first line too", "", 0, 0, "1", "", "^"},
             Row{"a range beyond the text means its end", "ab", 99, 99, "3", "ab", "  ^"},
             Row{"a tab before the range is a tab before the caret", "\tab", 1, 2, "2", "\tab", "\t^^"},
             Row{"a code point of several bytes takes one caret", "\xC2\xB5 \xC2\xB5", 3, 2, "3", "\xC2\xB5 \xC2\xB5",
                 "  ^"},
             Row{"a line of more than 120 characters is cut around its caret",
                 std::string(1000, 'a') + "X" + std::string(1000, 'b'), 1000, 1, "1001",
                 std::string(60, 'a') + "X" + std::string(59, 'b'), std::string(60, ' ') + "^"},
         }) {
        CAPTURE(each.name);
        CHECK(rendered({source_of(each.text), each.offset, each.length}, "odd") ==
              "deck.yaml:1:" + each.column + ": error: odd\n    1 | " + each.shown + "\n      | " + each.carets + "\n");
    }
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

TEST_CASE("a message of more than 400 characters is cut") {
    CHECK(rendered({}, std::string(1000, 'a')) == "error: " + std::string(400, 'a') + "...\n");
}

TEST_CASE("a fault without a range has no excerpt") {
    CHECK(rendered({}, "cannot write `x`", "it is a directory") == "error: cannot write `x`: it is a directory\n");
}

TEST_CASE("faults are in the order in which they were found, or put in order of place") {
    const SourceFilePtr source = source_of("abc");
    Diagnostics faults;
    faults.add(DiagnosticKind::bad_number, {source, 2, 1}, "last");
    faults.add(DiagnosticKind::bad_number, {source, 1, 1}, "second");
    faults.add(DiagnosticKind::bad_number, {source, 1, 2}, "third");
    faults.add(DiagnosticKind::bad_number, {source, 0, 1}, "first");
    const auto order = [&] {
        std::string all;
        for (const Diagnostic& each : faults.all()) all += each.message + " ";
        return all;
    };
    CHECK(order() == "last second third first ");
    faults.sort_by_place();
    CHECK(order() == "first second third last ");
}

TEST_CASE("the same message at the same range is reported once") {
    const SourceFilePtr source = source_of("ab");
    Diagnostics faults;
    faults.add(DiagnosticKind::bad_number, {source, 0, 1}, "odd");
    faults.add(DiagnosticKind::bad_number, {source, 0, 1}, "odd");
    faults.add(DiagnosticKind::bad_number, {source, 1, 1}, "odd");
    CHECK(faults.count() == 2);
    faults.add(DiagnosticKind::bad_number, {source_of("ab"), 0, 1}, "odd");  // the text is read again
    CHECK(faults.count() == 2);
    faults.add(DiagnosticKind::bad_number, {source_of("abc"), 0, 1}, "odd");
    CHECK(faults.count() == 3);
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

}  // namespace

TEST_CASE("a name is near if little of it differs; the earlier of two that are equally near is taken") {
    struct Row {
        const char* name;
        std::string written;
        Names names;
        const char* nearest;
    };
    for (const Row& each : {
             Row{"one letter too many", "rrows", {"columns", "rows"}, "rows"},
             Row{"one letter too few", "ows", {"columns", "rows"}, "rows"},
             Row{"one letter wrong", "rowz", {"columns", "rows"}, "rows"},
             Row{"two neighbours swapped: 1 edit of 4 letters; two would be beyond a third", "rwos", {"rows"}, "rows"},
             Row{"a third of the longer name", "abcdyz", {"abcdef"}, "abcdef"},
             Row{"more than a third", "abcxyz", {"abcdef"}, ""},
             Row{"one letter of a short name", "nz", {"nx"}, "nx"},
             Row{"the only letter", "a", {"b"}, ""},
             Row{"the earlier of two", "nw", {"nx", "ny"}, "nx"},
             Row{"the earlier of two, in the other order", "nw", {"ny", "nx"}, "ny"},
             Row{"a name of megabytes", std::string(1 << 20, 'a'), {"a", "aa"}, ""},
         }) {
        CAPTURE(each.name);
        CHECK(nearest_name(each.written, each.names) == each.nearest);
    }
}

TEST_CASE("a suggestion proposes the nearest name, or lists the names") {
    CHECK(suggestion("rwos", Names{"columns", "rows"}) == "did you mean `rows`?");
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
