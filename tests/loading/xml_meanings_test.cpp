// Every element and attribute of SimGrid's DTD: its effect, its note, or its refusal. Each has a platform here, which
// SimGrid loads unless it or the table refuses the element.
#include "tests/loading/hardware_text.hpp"
#include "tests/loading/platforms.hpp"

namespace warpfront::machine::xml_meanings_test {

namespace {

using Notes = std::vector<std::string>;

// --- platforms -------------------------------------------------------------------------------------------------------

std::string zone_of(const std::string& routing, const std::string& inner, const std::string& element = "zone") {
    return fmt::format("<{0} id=\"z\" routing=\"{1}\">{2}</{0}>", element, routing, inner);
}

/// Two hosts and a link between them, with more attributes and elements.
struct Pair {
    std::string host{};
    std::string link{};
    std::string route{};
    std::string inside_host{};
    std::string inside_link{};
    std::string between{};
    std::string behind{};
};
std::string full(const Pair& more = {}, const std::string& routing = "Full", const std::string& element = "zone") {
    return zone_of(
        routing,
        fmt::format("<host id=\"a\" speed=\"1Gf\" {}>{}</host><host id=\"b\" speed=\"1Gf\"/>"
                    "<link id=\"l\" bandwidth=\"1GBps\" latency=\"1us\" {}>{}</link>{}"
                    "<route src=\"a\" dst=\"b\" {}><link_ctn id=\"l\"/></route>{}",
                    more.host, more.inside_host, more.link, more.inside_link, more.between, more.route, more.behind),
        element);
}

/// Returns a cluster; `more` replaces attributes of the same name.
std::string cluster(const std::string& more = {}) {
    return fmt::format(
        "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" {}/>", more);
}
std::string torus(const std::string& more = {}) {
    return cluster("topology=\"TORUS\" topo_parameters=\"2,2\" " + more);
}

const std::string kHostsWithLinks =
    "<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>"
    "<link id=\"la\" bandwidth=\"1GBps\" latency=\"1us\"/><link id=\"lb\" bandwidth=\"1GBps\" latency=\"1us\"/>"
    "<host_link id=\"a\" up=\"la\" down=\"la\"/><host_link id=\"b\" up=\"lb\" down=\"lb\"/>";
const std::string kBackbone = "<backbone id=\"bb\" bandwidth=\"1GBps\" latency=\"1us\"/>";
const std::string kCabinet =
    "<cabinet id=\"cab\" prefix=\"n\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"/>";

std::string peers(const std::string& more = {}) {
    std::string inner;
    for (const char* id : {"p", "q"}) {
        inner +=
            fmt::format("<peer id=\"{}\" speed=\"1Gf\" bw_in=\"1GBps\" bw_out=\"1GBps\" coordinates=\"1 2 3\" {}/>", id,
                        *id == 'p' ? more : "");
    }
    return zone_of("Vivaldi", inner);
}

/// Returns two clusters, joined by routes between zones.
std::string joined(const std::string& route) {
    const std::string more = route.starts_with("bypass") ? route : "";
    const std::string usual = more.empty() ? route : "zoneRoute";
    std::string inner;
    for (const char* id : {"x", "y"}) {
        inner += fmt::format(
            "<cluster id=\"{0}\" prefix=\"{0}\" suffix=\"\" radical=\"0-1\" speed=\"1Gf\" bw=\"1GBps\" "
            "lat=\"1us\" router_id=\"r{0}\"/>",
            id);
    }
    inner += "<link id=\"l\" bandwidth=\"1GBps\" latency=\"1us\"/>";
    for (const std::string& each : {usual, more}) {
        if (each.empty()) continue;
        inner += fmt::format("<{0} src=\"x\" dst=\"y\" gw_src=\"rx\" gw_dst=\"ry\"><link_ctn id=\"l\"/></{0}>", each);
    }
    return zone_of("Full", inner);
}

const std::string kTrace = "<trace id=\"t\" periodicity=\"1.0\">\n0.0 1.0\n0.5 1.0\n</trace>";

/// Returns the platforms by element, its attribute and the case, if the table has several.
const std::map<std::string, std::string>& samples() {
    static const std::vector<std::pair<std::vector<std::string>, std::string>> kPlatforms{
        {{"platform version", "zone id", "zone routing", "host id", "host speed", "link id", "link bandwidth",
          "link latency", "route src", "route dst", "link_ctn id"},
         full()},
        {{"include"}, "<include file=\"p.xml\"/>"},
        {{"trace"}, kTrace + full()},
        {{"random"}, "<random id=\"r\" min=\"0\" max=\"1\" mean=\"0.5\" std_deviation=\"0.1\"/>" + full()},
        {{"trace_connect"}, kTrace + "<trace_connect kind=\"SPEED\" trace=\"t\" element=\"a\"/>" + full()},
        {{"AS id", "AS routing"}, full({}, "Full", "AS")},
        {{"AS routing Wifi"}, zone_of("WIFI", "<host id=\"a\" speed=\"1Gf\"/>", "AS")},
        {{"zone routing Wifi"}, zone_of("Wifi", "<host id=\"a\" speed=\"1Gf\"/>")},
        {{"storage_type"}, zone_of("Full", "<storage_type id=\"s\" size=\"1GB\"/>")},
        {{"storage"}, zone_of("Full", "<storage id=\"s\" typeId=\"t\" attach=\"a\"/>")},
        {{"mount"}, full({.inside_host = "<mount storageId=\"s\" name=\"/\"/>"})},
        {{"model_prop"},
         zone_of("Full", "<storage_type id=\"s\" size=\"1GB\"><model_prop id=\"a\" value=\"b\"/></storage_type>")},
        {{"host core"}, full({.host = "core=\"4\""})},
        {{"host speed_file"}, full({.host = "speed_file=\"ones\""})},
        {{"host availability_file"}, full({.host = "availability_file=\"ones\""})},
        {{"host state_file"}, full({.host = "state_file=\"ones\""})},
        {{"host coordinates"},
         zone_of("Vivaldi",
                 "<host id=\"a\" speed=\"1Gf\" coordinates=\"1 2 3\"/>"
                 "<host id=\"b\" speed=\"1Gf\" coordinates=\"2 2 3\"/>")},
        {{"host coordinates outside of a Vivaldi zone"}, full({.host = "coordinates=\"1 2 3\""})},
        {{"host pstate"}, full({.host = "pstate=\"0\""})},
        {{"disk id", "disk read_bw", "disk write_bw"},
         full({.inside_host = "<disk id=\"d\" read_bw=\"1MBps\" write_bw=\"1MBps\"/>"})},
        {{"host_link id", "host_link up"}, zone_of("Cluster", kHostsWithLinks)},
        {{"host_link down"}, zone_of("cluster", kHostsWithLinks)},
        {{"host_link outside of a Cluster zone"}, full({.between = "<host_link id=\"a\" up=\"l\" down=\"l\"/>"})},
        {{"cluster id", "cluster prefix", "cluster suffix", "cluster radical", "cluster speed", "cluster bw",
          "cluster lat"},
         cluster()},
        {{"cluster core"}, cluster("core=\"4\"")},
        {{"cluster sharing_policy"}, cluster("sharing_policy=\"SHARED\"")},
        {{"cluster sharing_policy FATPIPE"}, cluster("sharing_policy=\"FATPIPE\"")},
        {{"cluster topology", "cluster topo_parameters"}, torus()},
        {{"cluster topo_parameters a flat cluster"}, cluster("topo_parameters=\"2,2\"")},
        {{"cluster bb_bw", "cluster bb_lat"}, cluster("bb_bw=\"1GBps\" bb_lat=\"1us\"")},
        {{"cluster bb_bw other than a flat cluster"}, torus("bb_bw=\"1GBps\"")},
        {{"cluster bb_lat other than a flat cluster"}, torus("bb_lat=\"1us\"")},
        {{"cluster bb_sharing_policy"}, cluster("bb_bw=\"1GBps\" bb_lat=\"1us\" bb_sharing_policy=\"FATPIPE\"")},
        {{"cluster bb_sharing_policy other than a flat cluster"}, torus("bb_sharing_policy=\"FATPIPE\"")},
        {{"cluster router_id"}, cluster("router_id=\"r\"")},
        {{"cluster router_id other than a flat cluster"}, torus("router_id=\"r\"")},
        {{"cluster limiter_link"}, cluster("limiter_link=\"1GBps\"")},
        {{"cluster loopback_bw", "cluster loopback_lat"}, cluster("loopback_bw=\"1GBps\" loopback_lat=\"1us\"")},
        {{"cabinet id", "cabinet prefix", "cabinet suffix", "cabinet radical", "cabinet speed", "cabinet bw",
          "cabinet lat"},
         zone_of("Cluster", kCabinet + kBackbone)},
        {{"cabinet outside of a Cluster zone"}, full({.between = kCabinet})},
        {{"peer id", "peer speed", "peer bw_in", "peer bw_out", "peer coordinates"}, peers()},
        {{"peer lat"}, peers("lat=\"1us\"")},
        {{"peer speed_file"}, peers("speed_file=\"ones\"")},
        {{"peer availability_file"}, peers("availability_file=\"ones\"")},
        {{"peer state_file"}, peers("state_file=\"ones\"")},
        {{"router id"}, full({.between = "<router id=\"r\"/>"})},
        {{"router coordinates"},
         zone_of("Vivaldi",
                 "<host id=\"a\" speed=\"1Gf\" coordinates=\"1 2 3\"/><router id=\"r\" coordinates=\"1 2 3\"/>")},
        {{"router coordinates outside of a Vivaldi zone"},
         full({.between = "<router id=\"r\" coordinates=\"1 2 3\"/>"})},
        {{"backbone id", "backbone bandwidth", "backbone latency"}, zone_of("Cluster", kHostsWithLinks + kBackbone)},
        {{"backbone outside of a Cluster zone"}, full({.between = kBackbone})},
        {{"link id on no route"}, full({.between = "<link id=\"m\" bandwidth=\"1GBps\" latency=\"1us\"/>"})},
        {{"link bandwidth_file"}, full({.link = "bandwidth_file=\"ones\""})},
        {{"link latency_file"}, full({.link = "latency_file=\"ones\""})},
        {{"link state_file"}, full({.link = "state_file=\"ones\""})},
        {{"link sharing_policy"}, full({.link = "sharing_policy=\"FATPIPE\""})},
        {{"link sharing_policy WIFI"}, full({.link = "sharing_policy=\"WIFI\""})},
        {{"route dst the same as `src`"}, full({.behind = "<route src=\"a\" dst=\"a\"><link_ctn id=\"l\"/></route>"})},
        {{"route symmetrical"}, full({.route = "symmetrical=\"YES\""})},
        {{"bypassRoute src", "bypassRoute dst"},
         full({.behind = "<bypassRoute src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></bypassRoute>"})},
        {{"ASroute"}, joined("ASroute")},
        {{"zoneRoute"}, joined("zoneRoute")},
        {{"bypassASroute"}, joined("bypassASroute")},
        {{"bypassZoneRoute"}, joined("bypassZoneRoute")},
        {{"link_ctn direction"},
         zone_of("Full",
                 "<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/><link id=\"l\" "
                 "bandwidth=\"1GBps\" latency=\"1us\" sharing_policy=\"SPLITDUPLEX\"/><route "
                 "src=\"a\" dst=\"b\"><link_ctn id=\"l\" direction=\"UP\"/></route>")},
        {{"process"}, full() + "<process host=\"a\" function=\"f\"/>"},
        {{"actor"}, full() + "<actor host=\"a\" function=\"f\"/>"},
        {{"argument"}, full() + "<actor host=\"a\" function=\"f\"><argument value=\"1\"/></actor>"},
        {{"config id"}, "<config id=\"mine\"><prop id=\"smpi/np\" value=\"2\"/></config>" + full()},
        {{"prop"}, full({.inside_link = "<prop id=\"watt_range\" value=\"1:2\"/>"})},
    };
    static const std::map<std::string, std::string> kByRow = [] {
        std::map<std::string, std::string> platforms;
        for (const auto& [rows, platform] : kPlatforms) {
            for (const std::string& row : rows) platforms.emplace(row, platform);
        }
        return platforms;
    }();
    return kByRow;
}

std::string key_of(const XmlMeaning& row) {
    std::string key(row.element);
    for (const std::string_view part : {row.attribute, row.when}) {
        if (!part.empty()) key += fmt::format(" {}", part);
    }
    return key;
}

/// The output of `check` of a hardware file for a platform with this body.
struct Checked {
    Notes notes;  // without folders
    Diagnostics faults;
};
Checked check_platform(const std::string& body) {
    const Workspace files;
    files.write("ones", "0.0 1.0\n1.0 1.0\n");
    files.write("p.xml", platform_xml(body));
    const auto file =
        files.write("m.yaml", "name: m\nplatform: p.xml\nsize: exact\ncores: 1\nlinks_in_L: 0\nlayers:\n" + kNetwork);
    Checked checked;
    checked.faults = faults_of([&] { checked.notes = notes_of_check(file); });
    return checked;
}

/// Returns the notes about an element or, unless it is empty, its attribute.
Notes about(std::string_view element, std::string_view attribute, const Notes& notes) {
    const std::string what =
        attribute.empty() ? fmt::format(": `<{}>` ", element) : fmt::format(": `{}` of `<{}>` ", attribute, element);
    Notes found;
    for (const std::string& note : notes) {
        if (note.find(what) != std::string::npos) found.push_back(note);
    }
    return found;
}

/// The elements that SimGrid 3.32 refuses: it has removed some of them, and others describe the program.
const std::set<std::string> kRefusedBySimGrid{"include",    "storage_type", "storage", "mount",
                                              "model_prop", "process",      "actor",   "argument"};

// The attributes of SimGrid 3.32's DTD, by element.
constexpr const char* kDtd =
    "platform version\n"
    "include file\n"
    "trace id file periodicity\n"
    "random id min max mean std_deviation seed radical generator\n"
    "trace_connect kind trace element\n"
    "AS id routing\n"
    "zone id routing\n"
    "storage_type id model size content\n"
    "storage id typeId content attach\n"
    "mount storageId name\n"
    "host id speed core speed_file availability_file state_file coordinates pstate\n"
    "disk id read_bw write_bw\n"
    "host_link id up down\n"
    "cluster id prefix suffix radical speed core bw lat sharing_policy topology topo_parameters bb_bw bb_lat "
    "bb_sharing_policy router_id limiter_link loopback_bw loopback_lat\n"
    "cabinet id prefix suffix radical speed bw lat\n"
    "peer id speed bw_in bw_out lat coordinates speed_file availability_file state_file\n"
    "router id coordinates\n"
    "backbone id bandwidth latency\n"
    "link id bandwidth bandwidth_file latency latency_file state_file sharing_policy\n"
    "route src dst symmetrical\n"
    "ASroute src dst gw_src gw_dst symmetrical\n"
    "bypassASroute src dst gw_src gw_dst\n"
    "zoneRoute src dst gw_src gw_dst symmetrical\n"
    "link_ctn id direction\n"
    "bypassRoute src dst\n"
    "bypassZoneRoute src dst gw_src gw_dst\n"
    "process host function start_time kill_time on_failure\n"
    "actor host function start_time kill_time on_failure\n"
    "argument value\n"
    "config id\n"
    "prop id value\n"
    "model_prop id value\n";

}  // namespace

TEST_CASE("every element and attribute of SimGrid's DTD has a platform here, and every row is of the DTD and has one") {
    std::istringstream lines(kDtd);
    std::map<std::string, std::vector<std::string>> attributes;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string element;
        words >> element;
        for (std::string word; words >> word;) attributes[element].push_back(word);
    }
    for (const auto& [element, names] : attributes) {
        for (const std::string& name : names) {
            const std::string key = element + " " + name;
            CHECK_MESSAGE((samples().contains(element) || samples().contains(key)), key);
        }
    }
    for (const XmlMeaning& row : xml_meanings()) {
        CAPTURE(key_of(row));
        CHECK(samples().contains(key_of(row)));
        const auto known = attributes.find(std::string(row.element));
        REQUIRE(known != attributes.end());
        if (row.attribute.empty()) continue;
        CHECK(std::ranges::find(known->second, row.attribute) != known->second.end());
    }
}

TEST_CASE("what has an effect has no note, what has none has one at its place, what is refused is a fault") {
    for (const auto& [key, platform] : samples()) {
        CAPTURE(key);
        const Checked checked = check_platform(platform);
        const auto row = std::ranges::find(xml_meanings(), key, key_of);
        const bool has_row = row != xml_meanings().end();
        if (has_row ? row->effect == XmlEffect::refused : kRefusedBySimGrid.contains(key)) {
            CHECK_FALSE(checked.faults.empty());
            continue;
        }
        CHECK(checked.faults.render() == "");
        if (!has_row) {
            const std::size_t space = std::min(key.find(' '), key.size() - 1);
            CHECK(about(key.substr(0, space), key.substr(space + 1), checked.notes) == Notes{});
            continue;
        }
        const Notes notes = about(row->element, row->attribute, checked.notes);
        REQUIRE(notes.size() == 1);
        CHECK(notes[0].starts_with("p.xml:"));
        CHECK(notes[0].find(row->text) != std::string::npos);
    }
}

TEST_CASE("a note has the number of further elements that it applies to") {
    const Checked checked =
        check_platform(full({.host = "pstate=\"0\"", .between = "<host id=\"d\" speed=\"1Gf\" pstate=\"0\"/>"}));
    REQUIRE(checked.notes.size() == 1);
    CHECK(checked.notes[0] ==
          "p.xml:3:62: `pstate` of `<host>` has no effect: computing times come from the scenario and from `processor` "
          "of the hardware file (and 1 more)");
}

TEST_CASE("profiles are noted by every run, other descriptions without effect by `check` alone") {
    const Workspace files;
    files.write("ones", "0.0 1e9\n1.0 1.0\n");
    files.write("p.xml", platform_xml(full({.link = "bandwidth_file=\"ones\"",
                                            .between = "<link id=\"m\" bandwidth=\"1GBps\" latency=\"1us\"/>"})));
    const auto file = files.write("m.yaml", kHead + "links_in_L: 0\nlayers:\n" + kNetwork);
    const Machine built = build(request_for(files.write("e.yaml", "like: m.yaml\nsize: exact\n"), {2, 1})).machine;
    REQUIRE(built.notes.size() == 1);
    CHECK(built.notes[0].find("`bandwidth_file` of `<link>` has no effect after time 0: the link has its bandwidth of "
                              "time 0 throughout the run") != std::string::npos);
    CHECK(built.routes.gap(LinkId{0}) == Gap{1e-9});
    CHECK(check(file).size() == 2);
}

TEST_CASE("a WIFI link is refused at its place, and so is a zone of such links") {
    const auto fault = [](const std::string& body) { return only(check_platform(body).faults, bad_link); };
    CHECK(summary_of(fault(full({.link = "\nsharing_policy=\"WIFI\""}))) ==
          "p.xml:4:17 bad_link [WIFI] `sharing_policy` of `<link>` is `WIFI`, which is not simulated | expected a "
          "`Full` zone with a link for each station: stations that share the rate of a radio are not simulated");
    CHECK(marked(fault(zone_of("Wifi", "<host id=\"a\" speed=\"1Gf\"/>"))) == "Wifi");
}

TEST_CASE("the page of machines names every attribute without effect") {
    const input::SourceFilePtr page =
        input::read_file(std::filesystem::path(WARPFRONT_SOURCE_DIR) / "platforms/README.md");
    std::set<std::string> names = kRefusedBySimGrid;
    names.insert("speed");  // required by SimGrid
    for (const XmlMeaning& row : xml_meanings()) names.emplace(row.attribute.empty() ? row.element : row.attribute);
    for (const std::string& name : names) {
        CHECK_MESSAGE(page->text().find(fmt::format("`{}`", name)) != std::string_view::npos, name);
    }
}

// The configuration of SimGrid and SMPI.

namespace {

std::string configured(const std::vector<std::pair<std::string, std::string>>& values) {
    std::string props;
    for (const auto& [key, value] : values) props += fmt::format("<prop id=\"{}\" value=\"{}\"/>\n", key, value);
    return "<config>\n" + props + "</config>" + full();
}

/// Returns true if SimGrid accepts the key with one of these values.
bool is_accepted(const std::string& key) {
    for (const char* value : {"1", "no", "default", "Cas01", ""}) {
        if (check_platform(configured({{key, value}})).faults.empty()) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("a file with the calibration of an SMPI user is accepted, and its keys are noted") {
    const Checked checked = check_platform(configured({{"network/latency-factor", "13"},
                                                       {"smpi/os", "0:8e-06:7e-10;1420:1.4e-05:2.9e-10"},
                                                       {"smpi/coll-selector", "ompi"},
                                                       {"smpi/host-speed", "1Gf"},
                                                       {"tracing/precision", "7"}}));
    CHECK(checked.faults.render() == "");
    REQUIRE(checked.notes.size() == 4);
    CHECK(checked.notes[0] ==
          "p.xml:4:11: `network/latency-factor`, `smpi/os` of `<config>` have no effect: the costs of messages are "
          "those of `layers`; `layers: {network: {like: smpi}}` takes the costs from these keys");
    CHECK(checked.notes[1].starts_with("p.xml:6:11: `smpi/coll-selector` of `<config>` has no effect: "));
    CHECK(checked.notes[2].starts_with("p.xml:7:11: `smpi/host-speed` of `<config>` has no effect: "));
    CHECK(checked.notes[3] ==
          "p.xml:8:11: `tracing/precision` of `<config>` has no effect: only SimGrid's own programs read such keys");
}

TEST_CASE("every configuration key that the table names is one of SimGrid's") {
    for (const ConfigGroup& group : config_groups()) {
        for (const std::string_view key : group.keys) {
            if (!key.ends_with('/')) CHECK_MESSAGE(is_accepted(std::string(key)), key);
        }
    }
}

TEST_CASE("an unknown configuration key is a fault at its place, with the nearest of SimGrid's") {
    CHECK(summary_of(only(check_platform(configured({{"smpi/async-small-tresh", "1"}})).faults, unknown_key)) ==
          "p.xml:4:11 unknown_key [smpi/async-small-tresh] SimGrid 3.32 has no configuration key "
          "`smpi/async-small-tresh` | did you mean `smpi/async-small-thresh`?");
}

TEST_CASE("the first value of a key that is set twice counts") {
    const std::string text =
        "<platform><config><prop id=\"a\" value=\"1\"/><prop id=\"b\" value=\"2\"/><prop id=\"a\" "
        "value=\"3\"/></config><zone><prop id=\"c\" value=\"4\"/></zone></platform>";
    const PlatformXml xml(std::make_shared<const input::SourceFile>("p.xml", text));
    const std::vector<ConfigValue> values = config_of(xml);
    REQUIRE(values.size() == 2);
    CHECK(values[0].value == "1");
    CHECK(values[1].value == "2");
}

}  // namespace warpfront::machine::xml_meanings_test
