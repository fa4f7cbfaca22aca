// `run --timeline`: each format as a reader that is not ours sees it.
#include <doctest/doctest.h>
#include <zlib.h>

#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "tests/end_to_end/program.hpp"

using namespace warpfront;
using namespace warpfront::end_to_end;

namespace {

const std::string kRun =
    "run models/chimaera/chimaera.yaml --set iterations=1 --set ranks.columns=4 --set ranks.rows=3 "
    "--set calibration=off --set parameters.nz=24 ";

/// 12 ranks: 4 fold in and out, the other 8 exchange 3 times.
constexpr std::size_t kOfAllreduce = 2 * 4 + 8 * 3;

/// What a foreign program prints.
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

/// The packets of all `compressed_packets` (field 50 of packets, which are field 1 of the file).
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

/// Messages between the ranks, from the result.
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
    CHECK(count(text, "track_descriptor {") == 1 + 12 + 3);
    CHECK(holds(text, "name: \"rank 11 (column 4, row 3), node 11\""));
    const std::regex unknown("\\n *\\d+(:| \\{)");  // a field that the schema does not know has a number for its name
    CHECK_FALSE(std::regex_search(text, unknown));
}

TEST_CASE("pj_dump reads a .paje: states that add up to the run, one link for each message") {
    const Ran ran("paje");
    const std::string text = printed("pj_dump " + quoted(ran.file("paje")), ran.scratch.folder() / "dumped");
    std::map<std::string, std::size_t> kinds;
    double of_rank_0 = 0.0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        ++kinds[line.substr(0, line.find(','))];
        if (!line.starts_with("State, rank 0 ") || !holds(line, ", activity, ")) continue;
        std::istringstream fields(line.substr(line.find(", activity, ") + 12));
        double begin = 0.0;
        double end = 0.0;
        char comma = ',';
        fields >> begin >> comma >> end;
        if (!holds(line, ", -")) of_rank_0 += end - begin;
    }
    CHECK(kinds["Container"] == 2 + 12);
    CHECK(kinds["Link"] == ran.result["work"]["messages"].get<std::size_t>() + kOfAllreduce);
    CHECK(of_rank_0 == doctest::Approx(ran.result["time_s"].get<double>()).epsilon(0.01));
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

TEST_CASE("a window holds the ranks and the time that are asked for") {
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
        CHECK(event["ts"].get<double>() + event["dur"].get<double>() <= doctest::Approx(2000.0));
    }
    CHECK(slices >= 2);  // of each rank one
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
    refused(file + " --timeline-ranks 3..2", "`3..2` holds nothing");
    refused(file + " --timeline-ranks 3", "expected `FIRST..LAST`, such as `0..255`");
    refused(file + " --timeline-time 1ms..1ms", "`1ms..1ms` holds nothing");
    refused(file + " --timeline-time 1..2", "expected");
    refused(file + " --engine analytic", "`--timeline` of an ensemble, or of another engine");
    refused(file + " --set noise.cv=0.05 --seeds 2", "`--timeline` of an ensemble");
    refused("--timeline-ranks 0..1", "`--timeline-ranks` of no timeline");
}
