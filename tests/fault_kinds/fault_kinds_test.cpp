// Every fault that a user can make is triggered by some suite; all suites have run before this one (tests/main.cpp).
//
// Not pinned here: the place and the words of a kind's message, which are pinned by the suites that trigger it.
#include "simulator/input/diagnostic.hpp"
#include "tests/preamble.hpp"

namespace {

/// Returns the kinds that the suites of this build have triggered.
std::set<std::string> triggered() {
    std::set<std::string> kinds;
    for (const auto& suite : std::filesystem::directory_iterator(WARPFRONT_FAULT_KINDS)) {
        std::ifstream record(suite.path());
        for (std::string kind; std::getline(record, kind);) kinds.insert(kind);
    }
    return kinds;
}

}  // namespace

TEST_CASE("every kind of fault has been triggered by a suite") {
    const std::set<std::string> kinds = triggered();
#define DIAGNOSTIC_KIND(name) CHECK_MESSAGE(kinds.contains(#name), "no suite triggers `" #name "`");
#include "simulator/input/diagnostic_kinds.def"
#undef DIAGNOSTIC_KIND
}
