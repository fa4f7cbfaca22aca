#include "simulator/input/yaml.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace warpfront::input;

namespace {

ParsedFile parsed(const std::string& name, const std::string& text, Diagnostics& faults) {
    return parse_once(std::make_shared<SourceFile>(name, text), faults);
}

}  // namespace

TEST_CASE("a file is parsed once; another text of that name, or another name, is another file") {
    Diagnostics faults;
    const ParsedFile first = parsed("a.yaml", "k: 1\n", faults);
    const ParsedFile again = parsed("a.yaml", "k: 1\n", faults);
    CHECK(again.source == first.source);
    CHECK(again.tree.find("k")->range.source == again.source);
    CHECK(parsed("a.yaml", "k: 2\n", faults).tree.find("k")->scalar == "2");
    CHECK(parsed("b.yaml", "k: 1\n", faults).source->name() == "b.yaml");
    CHECK(faults.empty());
}

TEST_CASE("a file with faults has them every time") {
    for (int time = 0; time < 2; ++time) {
        Diagnostics faults;
        parsed("a.yaml", "k: 1\nk: 2\n", faults);
        CHECK(faults.count() == 1);
    }
}
