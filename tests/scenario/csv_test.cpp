// Published tables as text: cells and their places.
#include "simulator/scenario/csv.hpp"

#include <doctest/doctest.h>

#include "tests/faults.hpp"

using namespace warpfront;
using namespace warpfront::scenario;
using namespace warpfront::test;
using input::DiagnosticKind;
using input::Diagnostics;

namespace {

struct ReadRows {
    CsvTable table;
    Diagnostics faults;
};

ReadRows read_rows(std::string text) {
    ReadRows result;
    result.table = read_csv(std::make_shared<const input::SourceFile>("t.csv", std::move(text)), result.faults);
    return result;
}

}  // namespace

TEST_CASE("comments, empty lines, blanks around cells and line ends of either kind are ignored") {
    const ReadRows result = read_rows("# source\n\nn , m\r\n 2,\t3 \r\n\n4,5");
    REQUIRE(result.faults.empty());
    REQUIRE(result.table.header.size() == 2);
    CHECK(result.table.header[0].text == "n");
    CHECK(result.table.header[1].text == "m");
    REQUIRE(result.table.rows.size() == 2);
    CHECK(result.table.rows[0][0].text == "2");
    CHECK(result.table.rows[0][1].text == "3");
    CHECK(result.table.rows[1][1].text == "5");
}

TEST_CASE("an empty cell is a cell") {
    const ReadRows result = read_rows("a,b,c\n1,,\n");
    REQUIRE(result.faults.empty());
    CHECK(result.table.rows[0].size() == 3);
    CHECK(result.table.rows[0][1].text.empty());
}

TEST_CASE("a cell has its source range") {
    const ReadRows result = read_rows("a,b\n10, 20\n");
    const input::SourceRange& place = result.table.rows[0][1].range;
    CHECK(place.source->position(place.offset).line == 2);
    CHECK(place.source->position(place.offset).column == 5);
    CHECK(place.length == 2);
}

TEST_CASE("a row of another length than the header is refused, the others are kept") {
    const ReadRows result = read_rows("n,m,pred\n2,2,1.5\n4,2\n8,4,1.5,9\n");
    CHECK(kinds_of(result.faults) == Kinds{DiagnosticKind::ragged_row, DiagnosticKind::ragged_row});
    CHECK(result.faults.render() ==
          "t.csv:3:1: error: 2 cells under 3 columns\n"
          "    3 | 4,2\n"
          "      | ^^^ expected 3; a cell that contains a comma needs quotes\n"
          "t.csv:4:1: error: 4 cells under 3 columns\n"
          "    4 | 8,4,1.5,9\n"
          "      | ^^^^^^^^^ expected 3; a cell that contains a comma needs quotes\n");
    CHECK(result.table.rows.size() == 1);
}

TEST_CASE("cells may be in quotes, within which a comma is text and a quote is written twice") {
    const ReadRows result = read_rows("\"n\", \"m\" ,problem\n2,\"3\",\"60^3, \"\"small\"\"\"\n\"\",4,a\"b\n");
    REQUIRE(result.faults.render() == "");
    CHECK(result.table.header[0].text == "n");
    CHECK(result.table.header[1].text == "m");
    CHECK(result.table.header[1].range.offset == 6);  // past `"n", "`
    CHECK(result.table.rows[0][1].text == "3");
    CHECK(result.table.rows[0][2].text == "60^3, \"small\"");
    CHECK(result.table.rows[1][0].text.empty());
    CHECK(result.table.rows[1][2].text == "a\"b");
}

TEST_CASE("a quote that is not closed on its line, or is followed by text, is refused at its position") {
    CHECK(read_rows("n,m\n2,\"3\n").faults.render() ==
          "t.csv:2:3: error: a quoted cell does not end on its line\n"
          "    2 | 2,\"3\n"
          "      |   ^^ expected a closing `\"`; a quote within a cell is written twice\n");
    CHECK(read_rows("n,m\n\"2\"0,3\n").faults.render() ==
          "t.csv:2:4: error: text after the closing quote of a cell\n"
          "    2 | \"2\"0,3\n"
          "      |    ^ expected `,` or the end of the line; a quote within a cell is written twice\n");
    CHECK(kinds_of(read_rows("\"n,m\n2,3\n").faults).front() == DiagnosticKind::csv_quotes);
}

TEST_CASE("a column that occurs twice or has no name is refused") {
    CHECK(kinds_of(read_rows("n,m,n\n1,2,3\n").faults) == Kinds{DiagnosticKind::duplicate_column});
    CHECK(kinds_of(read_rows("n,,m\n1,2,3\n").faults) == Kinds{DiagnosticKind::unknown_column});
}

TEST_CASE("a table without rows is refused") {
    CHECK(kinds_of(read_rows("").faults) == Kinds{DiagnosticKind::nothing_to_compare});
    CHECK(kinds_of(read_rows("# only a comment\nn,m\n").faults) == Kinds{DiagnosticKind::nothing_to_compare});
}

TEST_CASE("a table beyond its limits is refused before it fills the memory") {
    CHECK(kinds_of(read_rows(std::string(100'000, ',') + "\n").faults).back() == DiagnosticKind::unknown_column);
    std::string header = "a0";
    for (int k = 1; k < 300; ++k) header += ",a" + std::to_string(k);
    CHECK(kinds_of(read_rows(header + "\n").faults).front() == DiagnosticKind::file_too_large);
    std::string rows = "a\n";
    for (std::size_t k = 0; k <= kMostRows; ++k) rows += "1\n";
    const ReadRows result = read_rows(rows);
    CHECK(kinds_of(result.faults) == Kinds{DiagnosticKind::file_too_large});
    CHECK(result.table.rows.size() == kMostRows);
}
