// The bundle in the program is the one made from the modules in tools/report/page/browser.
#include <regex>

#include "simulator/input/sha256.hpp"
#include "tests/end_to_end/program.hpp"

using end_to_end::kRoot;
using end_to_end::lines_of;
using end_to_end::quoted;
using end_to_end::run_in;
using end_to_end::text_of;

TEST_CASE("the bundle was made from the modules as they are: if this fails, run tools/report/page/bundle") {
    std::set<std::filesystem::path> sources;
    for (const auto& entry : std::filesystem::directory_iterator(kRoot / "tools/report/page/browser")) {
        sources.insert(entry.path());
    }
    std::string all;
    for (const auto& source : sources) all += text_of(source);
    const std::string front =
        fmt::format("/* made by browser/bundle.js from sources with sha256 {} */\n", input::sha256_hex(all));
    for (const char* file : {"bundle.js", "bundle.css", "served.js"}) {
        CHECK_MESSAGE(text_of(kRoot / "tools/report/page" / file).starts_with(front), file);
    }
}

TEST_CASE("where node, npm and its registry are, the modules give the bundle byte for byte") {
    const test::Scratch scratch;
    const auto made =
        run_in(kRoot, "node --version && timeout 60 tools/report/page/bundle " + quoted(scratch.folder()));
    if (made.status != 0) {
        MESSAGE("not made again, since that takes node, npm and a network: ", made.err);
        return;
    }
    for (const char* file : {"bundle.js", "bundle.css", "served.js"}) {
        CHECK_MESSAGE(text_of(scratch.folder() / file) == text_of(kRoot / "tools/report/page" / file), file);
    }
}

TEST_CASE("where node is, a duration that its digits round up to 1000 of a unit is shown in the next unit") {
    // With four digits 999.96 us are 1000 us, and 999.94 us are 999.9 us.
    const auto shown = run_in(kRoot,
                              "node --input-type=module -e 'import {duration} from "
                              "\"./tools/report/page/browser/format.js\"; "
                              "console.log(duration(999.96e-6)); console.log(duration(999.94e-6)); "
                              "console.log(duration(999.96e-6, 5)); console.log(duration(0))'");
    if (shown.status != 0) {
        MESSAGE("not run, since that takes node: ", shown.err);
        return;
    }
    const std::vector<std::string> expected{"1\u00a0ms", "999.9\u00a0µs", "999.96\u00a0µs", "0\u00a0s"};
    CHECK(lines_of(shown.out) == expected);
}

TEST_CASE("the picture of the first page is the one that was made from the answer shown there") {
    const std::string picture = text_of(kRoot / "models/main-job.png");
    std::map<std::string, std::string> provenance;
    for (const std::string& line : lines_of(text_of(kRoot / "models/main-job.png.txt"))) {
        provenance[line.substr(0, line.find(':'))] = line.substr(line.find(':') + 1);
    }
    CHECK(provenance["sha256"] == input::sha256_hex(picture));
    CHECK(picture.size() < 300'000);
    // With as many decimals as the page has.
    std::smatch shown;
    const std::string page = text_of(kRoot / "README.md");
    REQUIRE(std::regex_search(page, shown, std::regex("predicted time  (\\d+\\.(\\d+))s \\(event engine\\)")));
    CHECK(shown[1].str() == fmt::format("{:.{}f}", std::stod(provenance["time_s"]), shown[2].length()));
}

TEST_CASE("a picture is drawn from a result") {
    const test::Scratch scratch;
    const auto file = scratch.folder() / "run.json";
    const auto picture = scratch.folder() / "picture.png";
    REQUIRE(end_to_end::invoke("run " + end_to_end::kSmall + "--quiet --json " + quoted(file)).status == 0);
    const auto drawn = run_in(kRoot, fmt::format("WARPFRONT={} timeout 60 tools/report/page/picture {} {}",
                                                 quoted(WARPFRONT_PROGRAM), quoted(file), quoted(picture)));
    REQUIRE_MESSAGE(drawn.status == 0, drawn.err);
    CHECK(text_of(picture).starts_with("\x89PNG"));
    CHECK(text_of(picture).size() > 20'000);
    const auto result = nlohmann::json::parse(text_of(file));
    CHECK(text_of(scratch.folder() / "picture.png.txt").find("digest:" + result["digest"].get<std::string>()) !=
          std::string::npos);
}
