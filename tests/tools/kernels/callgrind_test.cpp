// Profiles of callgrind and branch counts of gcov, from small stored texts.
#include "tools/from_code/kernels/callgrind.hpp"

#include "tests/faults.hpp"

using namespace warpfront::kernels;

namespace {

// Two calls of `kern`, which calls a function of the C library.
constexpr std::string_view kProfile = R"(# callgrind format
version: 1
cmd:  ./calls 5 3
positions: instr line
events: Ir
summary: 71

ob=/tmp/calls
fl=/tmp/calls.c
fn=kern
0x12b0 7 2
0x12b4 8 10
cob=/usr/lib/libm.so.6
cfi=./math/w_exp.c
cfn=exp
calls=10 0x39370 31
0x12b4 8 50
fi=/tmp/inlined.h
0x12b9 3 10
fe=/tmp/calls.c
0x12b4 8 1

fn=main
cfn=kern
calls=2 0x12b0 7
0x114e 20 71

ob=/usr/lib/libm.so.6
fl=./math/w_exp.c
fn=exp
0x39370 31 50

totals: 71
)";

}  // namespace

TEST_CASE("instructions are counted by their address, without what calls took") {
    const Profile profile = parse_callgrind(kProfile, "kern");
    CHECK(profile.calls == 2);
    CHECK_FALSE(profile.is_recursive);
    REQUIRE(profile.instructions.size() == 4);
    const Executed& loop = profile.instructions.at({"/tmp/calls", 0x12b4});
    CHECK(loop.times == 11);  // it appears twice
    CHECK(loop.line == SourceLine{"/tmp/calls.c", 8});
    CHECK(profile.instructions.at({"/tmp/calls", 0x12b9}).line == SourceLine{"/tmp/inlined.h", 3});
    CHECK(profile.instructions.at({"/usr/lib/libm.so.6", 0x39370}).times == 50);
}

TEST_CASE("a function that calls itself is recognised by the level that callgrind appends") {
    const std::string_view text =
        "fn=fib\n0x10 5 1\ncfn=fib'2\ncalls=1 0x10 5\n0x12 5 9\nfn=main\ncfn=fib\ncalls=1 0x10 5\n";
    CHECK(parse_callgrind(text, "fib").is_recursive);
    CHECK_FALSE(parse_callgrind(text, "fibre").is_recursive);
}

TEST_CASE("branches are read from gcov's JSON, without those of exceptions") {
    const auto lines = parse_gcov(R"({"files": [{"file": "kernel.c", "lines": [
        {"line_number": 7, "count": 3, "branches": []},
        {"line_number": 8, "count": 15, "branches": [{"count": 4, "throw": false, "fallthrough": true},
                                                     {"count": 11, "throw": false, "fallthrough": false},
                                                     {"count": 0, "throw": true, "fallthrough": false}]}]}]})");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].line == SourceLine{"kernel.c", 8});
    CHECK(lines[0].taken == std::vector<std::uint64_t>{4, 11});
    CHECK(parse_gcov("no JSON").empty());
}

TEST_CASE("a program without coverage has no branches to count") {
    const auto faults = warpfront::test::faults_of([] { count_branches({"/bin/true", {}}, {2}, {{"i", 2, 9, 1}}); });
    CHECK(warpfront::test::summary_of(faults) ==
          "bad_option `/bin/true` has written no counts of branches | expected a program compiled and linked with "
          "--coverage, with its files .gcno where the compiler wrote them");
}
