// `run --timeline`: each format, read by foreign programs.
#include <zlib.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "tests/end_to_end/program.hpp"

namespace {

const std::string kRun =
    "run models/chimaera/chimaera.yaml --set iterations=1 --set ranks.columns=4 --set ranks.rows=3 "
    "--set calibration=off --set parameters.nz=24 ";

/// 12 ranks: 4 fold in and out, the other 8 exchange 3 times.
constexpr std::size_t kOfAllreduce = 2 * 4 + 8 * 3;

/// Returns the output of a foreign program.
std::string printed(const std::string& command, const std::filesystem::path& to) {
    REQUIRE(std::system((command + " > " + quoted(to)).c_str()) == 0);
    return text_of(to);
}

std::uint64_t varint(const std::string& bytes, std::size_t& at) {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes.at(at++));
        value |= std::uint64_t{byte & 0x7FU} << shift;
        if (byte < 0x80) return value;
    }
}

/// Returns the packets of all `compressed_packets` (field 50 of packets, which are field 1 of the file).
std::string inflated(const std::string& file) {
    std::string all;
    for (std::size_t at = 0; at < file.size();) {
        REQUIRE(varint(file, at) == ((1U << 3U) | 2U));
        const std::size_t length = varint(file, at);
        const std::size_t end = at + length;
        REQUIRE(varint(file, at) == ((50U << 3U) | 2U));
        const std::size_t size = varint(file, at);
        REQUIRE(at + size == end);
        std::string packets(std::size_t{64} << 20, '\0');
        uLongf filled = packets.size();
        REQUIRE(uncompress(reinterpret_cast<Bytef*>(packets.data()), &filled,
                           reinterpret_cast<const Bytef*>(file.data() + at), size) == Z_OK);
        all += packets.substr(0, filled);
        at = end;
    }
    return all;
}

/// A run with a timeline, and the messages between its ranks, from the result.
struct Ran {
    test::Scratch scratch;
    nlohmann::json result;

    explicit Ran(const std::string& ending) {
        const auto json = scratch.folder() / "run.json";
        const Outcome outcome = invoke(kRun + "--quiet --json " + quoted(json) + " --timeline " + quoted(file(ending)));
        CHECK(outcome.err == "");
        REQUIRE(outcome.status == 0);
        result = nlohmann::json::parse(text_of(json));
    }
    std::filesystem::path file(const std::string& ending) const { return scratch.folder() / ("t." + ending); }
};

}  // namespace

TEST_CASE("protoc decodes a .pftrace by the published numbers: slices that end, flows that arrive, counters") {
    const Ran ran("pftrace");
    const auto raw = ran.scratch.file("raw.pb", inflated(text_of(ran.file("pftrace"))));
    const std::string text = printed("protoc -I" + quoted(kRoot / "tests/end_to_end") +
                                         " --decode=perfetto.protos.Trace perfetto_trace.proto < " + quoted(raw),
                                     ran.scratch.folder() / "decoded");
    const auto messages = ran.result["work"]["messages"].get<std::size_t>();
    CHECK(count(text, " flow_ids: ") == messages + kOfAllreduce);
    CHECK(count(text, " terminating_flow_ids: ") == messages + kOfAllreduce);
    CHECK(count(text, "TYPE_SLICE_BEGIN") == count(text, "TYPE_SLICE_END"));
    CHECK(count(text, "TYPE_SLICE_BEGIN") > messages);
    CHECK(count(text, "TYPE_COUNTER") > 10);
    CHECK(count(text, "track_descriptor {") == 1 + 12 + 4);
    CHECK(holds(text, "name: \"rank 11 (column 4, row 3), node 11\""));
    const std::regex unknown("\\n *\\d+(:| \\{)");  // a field that is not in the schema has a number for its name
    CHECK_FALSE(std::regex_search(text, unknown));
}

TEST_CASE("a .json has an event for each slice and counter, and both ends of each message") {
    const Ran ran("json");
    const auto events = nlohmann::json::parse(text_of(ran.file("json")))["traceEvents"];
    std::map<std::string, std::size_t> phases;
    for (const auto& event : events) ++phases[event["ph"].get<std::string>()];
    CHECK(phases["s"] == ran.result["work"]["messages"].get<std::size_t>() + kOfAllreduce);
    CHECK(phases["f"] == phases["s"]);
    CHECK(phases["X"] > phases["s"]);
}

namespace {

/// One line of `otf2-print` of an event.
struct Otf2Event {
    std::string kind;
    std::size_t location = 0;
    std::int64_t time = 0;
    std::string rest;
};

std::vector<Otf2Event> otf2_events(const std::filesystem::path& file, const std::filesystem::path& scratch) {
    std::vector<Otf2Event> events;
    for (const std::string& line : lines_of(printed("otf2-print " + quoted(file), scratch / "otf2"))) {
        std::istringstream words(line);
        Otf2Event event;
        if (!(words >> event.kind >> event.location >> event.time)) continue;
        std::getline(words, event.rest);
        events.push_back(event);
    }
    return events;
}

/// Returns the number after `name`, as in "Tag: 7".
std::int64_t number_behind(const std::string& text, const std::string& name) {
    const std::size_t at = text.find(name);
    REQUIRE(at != std::string::npos);
    return std::stoll(text.substr(at + name.size()));
}

/// Receiver or sender, tag and length, in the order of messages on their channel.
using Channel = std::tuple<std::size_t, std::size_t, std::int64_t>;
using Lengths = std::map<Channel, std::vector<std::int64_t>>;

}  // namespace

TEST_CASE(
    "otf2-print reads an .otf2: regions that nest, every message sent and received in an MPI call, to the picosecond") {
    const Ran ran("otf2");
    Lengths sent;
    Lengths received;
    std::map<std::size_t, std::vector<std::string>> open;  // regions, by location
    std::int64_t end = 0;
    std::map<std::string, std::size_t> kinds;
    for (const Otf2Event& event : otf2_events(ran.file("otf2"), ran.scratch.folder())) {
        ++kinds[event.kind];
        std::vector<std::string>& regions = open[event.location];
        end = std::max(end, event.time);
        const std::string region = event.rest.substr(0, event.rest.find(" <"));
        if (event.kind == "ENTER") regions.push_back(region);
        if (event.kind == "LEAVE") {
            REQUIRE(!regions.empty());
            CHECK(regions.back() == region);
            regions.pop_back();
        }
        if (event.kind != "MPI_SEND" && event.kind != "MPI_RECV") continue;
        const bool sends = event.kind == "MPI_SEND";
        REQUIRE(!regions.empty());
        CHECK(holds(regions.back(), sends ? "\"MPI_Send\"" : "\"MPI_Recv\""));
        const auto other = static_cast<std::size_t>(number_behind(event.rest, sends ? "Receiver: " : "Sender: "));
        const std::int64_t tag = number_behind(event.rest, "Tag: ");
        const Channel channel = sends ? Channel(event.location, other, tag) : Channel(other, event.location, tag);
        (sends ? sent : received)[channel].push_back(number_behind(event.rest, "Length: "));
    }
    CHECK(sent == received);
    CHECK(kinds["MPI_SEND"] == ran.result["work"]["messages"].get<std::size_t>());
    CHECK(kinds["MPI_COLLECTIVE_BEGIN"] == 12);  // the allreduce that ends the iteration
    CHECK(kinds["MPI_COLLECTIVE_END"] == 12);
    CHECK(kinds["ENTER"] == kinds["LEAVE"]);
    for (const auto& [location, regions] : open) CHECK(regions.empty());
    CHECK(static_cast<double>(end) * 1e-12 == test::approx(ran.result["time_s"].get<double>()).epsilon(1e-13));
    const std::string definitions = printed("otf2-print -G " + quoted(ran.file("otf2")), ran.scratch.folder() / "g");
    CHECK(holds(definitions, "Ticks per Seconds: 1000000000000"));
    CHECK(count(definitions, "\nLOCATION  ") == 12);
    CHECK(holds(definitions, "Name: \"rank 11 (column 4, row 3), node 11\""));
    CHECK(holds(definitions, "Name: \"MPI_COMM_WORLD\""));
}

TEST_CASE("an .otf2 replaces an older one, and never a folder that is not its own") {
    const Ran ran("otf2");
    const auto archive = ran.file("otf2");
    const std::string again = kRun + "--quiet --timeline-ranks 2..3 --timeline " + quoted(archive);
    CHECK(invoke(again).status == 0);
    CHECK_FALSE(std::filesystem::exists(ran.scratch.folder() / "t/0.evt"));  // rank 0's, of the first
    CHECK(std::filesystem::exists(ran.scratch.folder() / "t/2.evt"));
    const std::string definitions = printed("otf2-print -G " + quoted(archive), ran.scratch.folder() / "g");
    CHECK(holds(definitions, "Name: \"ranks 2 to 3\""));
    std::filesystem::remove(archive);
    const Outcome refused = invoke(again);
    CHECK(refused.status == 2);
    CHECK(holds(refused.err, "its events would go to `" + (ran.scratch.folder() / "t").string() + "`"));
    CHECK(std::filesystem::exists(ran.scratch.folder() / "t/2.evt"));
}

TEST_CASE("a .prv keeps to Paraver's grammar: records by time, whose numbers the .pcf and the .row name") {
    const Ran ran("prv");
    const std::string names = text_of(ran.file("pcf"));
    const std::string rows = text_of(ran.file("row"));
    CHECK(holds(rows, "LEVEL CPU SIZE 12\n"));
    CHECK(holds(rows, "\nLEVEL NODE SIZE 12\n"));
    CHECK(holds(rows, "\nLEVEL THREAD SIZE 12\nrank 0 (column 1, row 1), node 0\n"));
    CHECK(count(rows, "\n") == 3 * (1 + 12) + 2);

    std::istringstream lines(text_of(ran.file("prv")));
    std::string line;
    std::getline(lines, line);
    static const std::regex header(
        R"(#Paraver \(\d\d/\d\d/\d{4} at \d\d:\d\d\):(\d+)_ns:12\((1,){11}1\):1:12\((1:\d+,){11}1:\d+\))");
    std::smatch match;
    REQUIRE(std::regex_match(line, match, header));
    // whole nanoseconds, rounded down
    CHECK(std::stoll(match[1]) == static_cast<std::int64_t>(ran.result["time_s"].get<double>() * 1e9));

    static const std::regex record(R"((1(:\d+){7})|(2(:\d+){5}(:\d+:\d+)+)|(3(:\d+){14}))");
    std::map<std::int64_t, std::int64_t> until;  // by task: where its last state ended
    std::int64_t last = 0;
    std::size_t communications = 0;
    while (std::getline(lines, line)) {
        CAPTURE(line);
        REQUIRE(std::regex_match(line, record));
        std::vector<std::int64_t> fields;
        std::istringstream numbers(line);
        for (std::string number; std::getline(numbers, number, ':');) fields.push_back(std::stoll(number));
        CHECK(fields[5] >= last);
        last = fields[5];
        for (const std::size_t object : fields[0] == 3 ? std::vector<std::size_t>{1, 7} : std::vector<std::size_t>{1}) {
            CHECK((fields[object] >= 1 && fields[object] <= 12));          // CPU
            CHECK(fields[object + 1] == 1);                                // application
            CHECK((fields[object + 2] >= 1 && fields[object + 2] <= 12));  // task
            CHECK(fields[object + 3] == 1);                                // thread
        }
        if (fields[0] == 1) {
            CHECK(std::exchange(until[fields[3]], fields[6]) == fields[5]);
            CHECK(holds(names, fmt::format("\n{:<4} {{", fields[7])));  // its colour
        }
        for (std::size_t k = 6; fields[0] == 2 && k < fields.size(); k += 2) {
            const std::size_t type = names.find(fmt::format("    {}    ", fields[k]));
            REQUIRE(type != std::string::npos);
            CHECK(names.find(fmt::format("\n{:<4} ", fields[k + 1]), type) < names.find("EVENT_TYPE", type));
        }
        if (fields[0] != 3) continue;
        ++communications;
        CHECK(fields[5] <= fields[6]);    // a message is sent from the call on
        CHECK(fields[11] <= fields[12]);  // and received after the call
        CHECK(fields[6] <= fields[12]);
    }
    CHECK(communications == ran.result["work"]["messages"].get<std::size_t>());
    CHECK(until.size() == 12);
}

TEST_CASE("a window contains the requested ranks and times") {
    const test::Scratch scratch;
    const auto file = scratch.folder() / "t.json";
    REQUIRE(invoke(kRun + "--quiet --timeline-ranks 2..3 --timeline-time 1ms..2ms --timeline " + quoted(file)).status ==
            0);
    const auto timeline = nlohmann::json::parse(text_of(file));
    std::size_t slices = 0;
    for (const auto& event : timeline["traceEvents"]) {
        if (event["ph"] != "X") continue;
        ++slices;
        CHECK((event["tid"] == 2 || event["tid"] == 3));
        CHECK(event["ts"].get<double>() >= 1000.0);
        CHECK(event["ts"].get<double>() + event["dur"].get<double>() <= test::approx(2000.0));
    }
    CHECK(slices >= 2);  // of each rank one
}

TEST_CASE("a window beyond the end of the run is an empty timeline, with the end in a warning and a note") {
    const test::Scratch scratch;
    const std::string file = "--timeline " + quoted(scratch.folder() / "t.json");
    const Outcome beyond = invoke(kRun + file + " --json - --timeline-time 100s..200s");
    CHECK(beyond.status == 0);
    const auto result = nlohmann::json::parse(beyond.out);
    const double end = result["time_s"];
    CHECK(end < 1.0);
    const std::string note = result["notes"].back();
    CHECK_MESSAGE(note.starts_with("the timeline is empty: it begins at 100s, and the run ends at "), note);
    CHECK(std::stod(note.substr(note.rfind(' '))) == test::approx(1000.0 * end));  // in ms
    CHECK(holds(beyond.err, "warning: " + note + "\n"));
    const Outcome within = invoke(kRun + file + " --json - --timeline-time 0ms..200s");
    CHECK(!holds(within.out + within.err, "the timeline is empty"));
}

TEST_CASE("timelines of other endings, ranks, engines and ensembles are refused, and leave no file") {
    const test::Scratch scratch;
    const auto refused = [&](const std::string& arguments, const std::string& message) {
        CAPTURE(arguments);
        const Outcome outcome = invoke(kRun + arguments);
        CHECK(outcome.status == 2);
        CHECK_MESSAGE(holds(outcome.err, message), outcome.err);
        CHECK(std::filesystem::is_empty(scratch.folder()));
    };
    const std::string file = "--timeline " + quoted(scratch.folder() / "t.json");
    refused("--timeline " + quoted(scratch.folder() / "t.txt"), "expected FILE.pftrace (Perfetto), FILE.json");
    refused(file + " --timeline-ranks 0..12", "the scenario has no rank 12");
    refused(file + " --engine analytic", "`--timeline` requires a single run of the event engine");
    refused(file + " --set noise.cv=0.05 --seeds 2", "`--timeline` requires a single run of the event engine");
    refused("--timeline-ranks 0..1", "`--timeline-ranks` requires `--timeline`");
}
