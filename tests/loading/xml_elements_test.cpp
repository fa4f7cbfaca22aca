// Elements of an XML and their positions, and the small copy of a cluster.
#include "simulator/machine/loading/xml_elements.hpp"

#include "simulator/machine/loading/xml_cluster.hpp"
#include "tests/preamble.hpp"

namespace warpfront::machine {

namespace {

PlatformXml xml_of(const std::string& text) {
    return PlatformXml(std::make_shared<const input::SourceFile>("p.xml", text));
}

std::string marked_in(const PlatformXml& xml, const input::SourceRange& range) {
    return std::string(xml.source()->text().substr(range.offset, range.length));
}

}  // namespace

TEST_CASE("attributes are as written, where they stand") {
    const PlatformXml xml = xml_of("<platform>\n<!-- id=\"b\" --><link id = 'a&amp;b'/><link id=\"b\"/></platform>");
    REQUIRE(xml.elements().size() == 3);
    CHECK(xml.elements()[1].value_of("id") == "a&amp;b");
    CHECK(xml.elements()[1].value_of("bandwidth").empty());
    CHECK(input::text_of(xml.range_of(xml.elements()[1].value_of("id"))) == "p.xml:2:28");
    CHECK(input::text_of(xml.range_of_name("b_UP")) == "p.xml:2:48");  // not that of the comment
    CHECK(marked_in(xml, xml.range_of_message("no route from `b`")) == "b");
    CHECK(marked_in(xml, xml.range_of_platform()) == "<platform");
    CHECK(marked_in(xml, xml.range_of_name("c")) == "<platform");
}

TEST_CASE("a text that is not XML yields the elements before the fault") {
    CHECK(xml_of("").elements().empty());
    CHECK(xml_of("<a x='1'/><b y='2' z=3/>").elements().size() == 1);
    CHECK(xml_of("<a x='1'><b y='2'></a>").elements().size() == 2);
}

TEST_CASE("elements may be nested to any depth") {
    constexpr std::size_t deep = 1'000'000;
    std::string text;
    for (std::size_t k = 0; k < deep; ++k) text += "<zone>";
    CHECK(xml_of(text).elements().size() == deep);
}

TEST_CASE("a small copy changes the attributes of its cluster alone") {
    const PlatformXml xml = xml_of(
        "<platform><prop value=\"0-63\" radical=\"0-63\"/>"
        "<cluster topo_parameters = '4,4,4' radical=\"0-63\" topology=\"TORUS\"/></platform>");
    const auto cluster = single_cluster(xml);
    REQUIRE(cluster);
    CHECK(cluster->hosts == 64);
    CHECK(small_copy(xml, *cluster) ==
          "<platform><prop value=\"0-63\" radical=\"0-63\"/>"
          "<cluster topo_parameters = '2,2,2' radical=\"0-7\" topology=\"TORUS\"/></platform>");
}

}  // namespace warpfront::machine
