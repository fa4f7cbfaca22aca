#include <doctest/doctest.h>

#include "simulator/machine/placement/rank_file.hpp"
#include "tests/loading/workspace.hpp"

namespace warpfront::machine {

namespace {

using input::Diagnostic;
using input::DiagnosticKind;
using input::Diagnostics;

RankFile read(const std::string& text) {
    const Workspace files;
    return read_rank_file(files.write("ranks.txt", text), {});
}
Diagnostics checked(const std::string& text, std::uint32_t nodes, std::uint32_t hosts) {
    Diagnostics faults;
    const bool right = check_rank_file(read(text), nodes, hosts, faults);
    CHECK(right == faults.empty());
    return faults;
}
Diagnostics junk(const std::string& text) {
    return faults_of([&] { read(text); });
}

}  // namespace

TEST_CASE("a rank file lists a host per line, node by node") {
    CHECK(read("5\n3\n4\n").host_of == std::vector<Host>{{5}, {3}, {4}});
}

TEST_CASE("comments, blanks, empty lines and a last line without an end do not matter") {
    CHECK(read("# first row\n 5 # west\n\n\t3\r\n4").host_of == std::vector<Host>{{5}, {3}, {4}});
}

TEST_CASE("one distinct host of the machine for each node has no faults") {
    CHECK(checked("5\n3\n4\n", 3, 6).render() == "");
}

TEST_CASE("a line that is no host number is a fault there") {
    const Diagnostic fault = only(junk("5\n  rank3 \n4\n"), DiagnosticKind::bad_number);
    CHECK(line_of(fault) == 2);
    CHECK(marked(fault) == "rank3");
    CHECK(marked(only(junk("5 6\n"), DiagnosticKind::bad_number)) == "5 6");
    CHECK(marked(only(junk("-1\n"), DiagnosticKind::out_of_range)) == "-1");
    CHECK(marked(only(junk("4294967296\n"), DiagnosticKind::out_of_range)) == "4294967296");
}

TEST_CASE("a host that the machine has not is a fault at its line") {
    const Diagnostic fault = only(checked("5\n6\n4\n", 3, 6), DiagnosticKind::out_of_range);
    CHECK(fault.message == "there is no host 6");
    CHECK(fault.expected == "expected 0 to 5");
    CHECK(line_of(fault) == 2);
}

TEST_CASE("the same host twice is a fault at the second line, naming the first") {
    const Diagnostic fault = only(checked("5\n3\n5\n", 3, 6), DiagnosticKind::host_taken_twice);
    CHECK(line_of(fault) == 3);
    CHECK(fault.expected.find("line 1") != std::string::npos);
}

TEST_CASE("too few lines are a fault at the end, too many at the first that is too many") {
    CHECK(only(checked("5\n3\n", 3, 6), DiagnosticKind::rank_file_length).message == "2 hosts for 3 nodes");
    CHECK(only(checked("", 3, 6), DiagnosticKind::rank_file_length).message == "0 hosts for 3 nodes");
    CHECK(line_of(only(checked("5\n3\n1\n2\n", 3, 6), DiagnosticKind::rank_file_length)) == 4);
}

TEST_CASE("reading stops after the most faults that are reported") {
    std::string text;
    for (int line = 0; line < 100'000; ++line) text += "x\n";
    CHECK(junk(text).count() == Diagnostics::kMostFaults);
}

}  // namespace warpfront::machine
