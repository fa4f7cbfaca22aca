#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"

using namespace warpfront::input;

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

TEST_CASE("of two equally near the earlier is taken") {
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
