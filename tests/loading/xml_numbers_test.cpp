// Numbers of an XML that SimGrid takes without a word.
#include "simulator/machine/loading/xml_numbers.hpp"

#include <doctest/doctest.h>

#include "tests/loading/platforms.hpp"
#include "tests/loading/workspace.hpp"

namespace warpfront::machine {

namespace {

using input::Diagnostic;
using input::DiagnosticKind;
using input::Diagnostics;

/// A good cluster, with `attributes` in place of those of the same name.
std::string cluster(const std::string& attributes) {
    std::string text = R"(<cluster id="c" prefix="n" suffix="")";
    for (const auto& [name, value] :
         {std::pair{"radical", "0-3"}, {"speed", "1Gf"}, {"core", "4"}, {"bw", "1GBps"}, {"lat", "1us"}}) {
        if (attributes.find(std::string(name) + "=") == std::string::npos) {
            text += fmt::format(R"( {}="{}")", name, value);
        }
    }
    return platform_xml(text + " " + attributes + "/>");
}

Diagnostics faults_in(const std::string& xml) {
    Diagnostics faults;
    check_numbers(PlatformXml(std::make_shared<const input::SourceFile>("p.xml", xml)), faults);
    return faults;
}
Diagnostic fault_in(const std::string& attributes) {
    return only(faults_in(cluster(attributes)), DiagnosticKind::bad_xml_number);
}

std::vector<std::string> notes_on(const std::string& xml) {
    Diagnostics faults;
    auto notes = check_numbers(PlatformXml(std::make_shared<const input::SourceFile>("p.xml", xml)), faults);
    CHECK(faults.render() == "");
    return notes;
}

}  // namespace

TEST_CASE("a negative speed is a fault at its position") {
    const Diagnostic fault = fault_in(R"(speed="-1Gf")");
    CHECK(fault.message == "`-1Gf` is negative in `speed`");
    CHECK(fault.expected == "expected 0 or more");
    CHECK(marked(fault) == "-1Gf");
    CHECK(line_of(fault) == 3);
    CHECK(marked(fault_in(R"(speed="2Gf, -1Gf")")) == "-1Gf");  // of a host that can run at two speeds
}

TEST_CASE("a limiter of negative bandwidth, which SimGrid omits, is a fault") {
    CHECK(marked(fault_in(R"(limiter_link="-5GBps")")) == "-5GBps");
}

TEST_CASE("what is no number is a fault at its position") {
    CHECK(fault_in(R"(bw="fast")").message == "`fast` is no number in `bw`");
    CHECK(marked(fault_in(R"(bw="fast")")) == "fast");
}

TEST_CASE("cores are whole, positive and at most 2147483647") {
    CHECK(fault_in(R"(core="4.5")").message == "`4.5` is no whole number in `core`");
    CHECK(fault_in(R"(core="0")").message == "`0` is out of range in `core`");
    CHECK(fault_in(R"(core="-4")").message == "`-4` is out of range in `core`");
    CHECK(fault_in(R"(core="99999999999")").expected == "expected whole numbers from 1 to 2147483647");
}

TEST_CASE("hosts and dimensions of a cluster are whole numbers") {
    CHECK(marked(fault_in(R"(radical="a-3")")) == "a");
    CHECK(marked(fault_in(R"(radical="0-")")) == "0-");
    CHECK(marked(fault_in(R"(topology="TORUS" topo_parameters="2,x")")) == "x");
    CHECK(marked(fault_in(R"(topology="TORUS" topo_parameters="2,2.5")")) == "2.5");
    CHECK(marked(fault_in(R"(topology="FAT_TREE" topo_parameters="2;2,2;1,99999999999;1,1")")) == "99999999999");
    CHECK(faults_in(cluster(R"(topology="TORUS" topo_parameters="-2,-2")")).count() == 2);
    CHECK(faults_in(cluster(R"(topology="TORUS" topo_parameters="2, 2")")).empty());
    CHECK(faults_in(cluster(R"(topology="FLAT" topo_parameters="")")).empty());  // SimGrid does not read them
}

TEST_CASE("a number without a unit is noted with the unit that SimGrid assumes") {
    CHECK(notes_on(cluster(R"(bw="6")")) ==
          std::vector<std::string>{"p.xml:3:87: `6` has no unit in `bw`: SimGrid takes bytes per second"});
    CHECK(notes_on(cluster(R"(lat="2e-6")")).at(0).ends_with("`2e-6` has no unit in `lat`: SimGrid takes seconds"));
    CHECK(notes_on(cluster(R"(speed="1")")).at(0).ends_with("SimGrid takes flop per second"));
    CHECK(notes_on(cluster(R"(lat="0")")).empty());  // nothing is nothing in any unit
    CHECK(notes_on(cluster("")).empty());
}

TEST_CASE("of many numbers without a unit five are noted, with the number of the others") {
    std::string links;
    for (int k = 0; k < 8; ++k) links += fmt::format(R"(<link id="l{}" bandwidth="1e9" latency="1us"/>)", k);
    const auto notes = notes_on(platform_xml("<zone id=\"z\" routing=\"Full\">" + links + "</zone>"));
    REQUIRE(notes.size() == 6);
    CHECK(notes[5] == "3 further numbers of the platform have no unit");
}

TEST_CASE("comments, and text that is no XML, are for SimGrid to check") {
    CHECK(notes_on(platform_xml(R"(<!-- <cluster core="x" bw="6"/> -->)")).empty());
    for (const char* text : {"", "<", "<cluster", "<cluster bw", "<cluster bw=", "<cluster bw=\"6", "< =\"x\">", "<!--",
                             "<cluster bw=6/>", "<cluster =\"6\"/>"}) {
        CAPTURE(text);
        CHECK(notes_on(text).empty());
    }
}

}  // namespace warpfront::machine
