// Aligned tables, and wide ones in parts.
#include "tools/answer/rendering/text_table.hpp"
#include "tests/preamble.hpp"

using namespace warpfront::tools;

namespace {

using Side = TextColumn::Side;

}  // namespace

TEST_CASE("text is flush left, numbers are flush right, empty columns are omitted") {
    TextTable table(1);
    table.add({"case", {"a", "long name"}, Side::left});
    table.add({"s", {"10", "9"}});
    table.add({"nothing", {"-", "-"}});
    CHECK(table.render() ==
          "case        s\n"
          "a          10\n"
          "long name   9\n");
}

TEST_CASE("a table is wide enough for 160 characters; what is beyond them follows below, the leading column repeated") {
    TextTable table(1);
    table.add({"k", {"1"}, Side::left});
    table.add({std::string(100, 'a'), {"2"}});
    table.add({std::string(55, 'b'), {"3"}});  // 1 + 2 + 100 + 2 + 55 = 160
    CHECK(table.render() == "k  " + std::string(100, 'a') + "  " + std::string(55, 'b') + "\n" + "1  " +
                                std::string(99, ' ') + "2  " + std::string(54, ' ') + "3\n");
    table.add({"c", {"4"}});
    CHECK(table.render().ends_with("\n\nk  c\n1  4\n"));
}
