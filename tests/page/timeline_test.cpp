// The page's timeline: drawn of the file that `run --timeline` wrote, with that file's numbers.
#include "tests/page/browser.hpp"

using namespace warpfront::page_test;
using end_to_end::holds;
using end_to_end::invoke;
using end_to_end::kRoot;
using end_to_end::kSmall;
using end_to_end::text_of;

namespace {

/// A run with a timeline, and the page of both.
struct TimelinePage {
    test::Scratch scratch;
    std::filesystem::path run = scratch.folder() / "run.json";
    std::filesystem::path timeline = scratch.folder() / "timeline.json";
    std::filesystem::path page = scratch.folder() / "page.html";

    explicit TimelinePage(const std::string& options) {
        REQUIRE(invoke(fmt::format("run {} --quiet --json {} --timeline {} {}", kSmall, quoted(run), quoted(timeline),
                                   options))
                    .status == 0);
        REQUIRE(invoke(fmt::format("report {} {} -o {}", quoted(timeline), quoted(run), quoted(page))).status == 0);
    }
};

/// The time of ranks up to `last` until `end`, in picoseconds: by rank and state, read without the program.
std::map<std::pair<int, std::string>, std::int64_t> totals_in(const std::filesystem::path& timeline, int last,
                                                              std::int64_t end) {
    const auto picoseconds = [](const nlohmann::json& us) {
        return static_cast<std::int64_t>(std::llround(1e6 * us.get<double>()));
    };
    std::map<std::pair<int, std::string>, std::int64_t> totals;
    const auto file = nlohmann::json::parse(text_of(timeline));
    for (const auto& event : file["traceEvents"]) {
        if (event["ph"] != "X" || event["tid"] > last || event["name"] == "collective") continue;
        const std::int64_t begin = picoseconds(event["ts"]);
        const std::int64_t until = std::min(end, begin + picoseconds(event["dur"]));
        if (until > begin) totals[{event["tid"], event["name"]}] += until - begin;
    }
    return totals;
}

std::string timeline_caption(const nlohmann::json& probe) {
    for (const std::string text : probe["captions"]) {
        if (text.starts_with("Rank")) return text;
    }
    return {};
}

}  // namespace

TEST_CASE("a timeline is drawn beside its result, with the numbers of its file, wide and narrow, light and dark") {
    const TimelinePage made("--timeline-ranks 0..3 --timeline-time 0us..300us");
    const auto wide = seen(made.page);
    for (const bool narrow : {false, true}) {
        CAPTURE(narrow);
        const auto probe = narrow ? seen(made.page, {.width = 500, .dark = true}) : wide;
        CHECK(probe["console"] == "");
        CHECK(probe["errors"].empty());
        CHECK(probe["described"] == true);
        CHECK(probe["overflow"].get<int>() <= 0);
        REQUIRE(probe["figures"].contains("timeline-0"));
        CHECK(probe["figures"]["timeline-0"]["shapes"].get<int>() > 50);
        CHECK(probe["figures"]["timeline-0"]["area"].get<double>() > 50'000.0);
        CHECK(probe["figures"].contains("breakdown"));  // of the result
    }
    CHECK(holds(wide["text"], "timeline.json: sweep3d on Cray XT4, 16 ranks"));
    CHECK(timeline_caption(wide).starts_with("Ranks 0 to 3 from 0"));
    CHECK_FALSE(holds(timeline_caption(wide), "the first"));
    CHECK_FALSE(holds(timeline_caption(wide), "goes on until"));
    const auto of_file = totals_in(made.timeline, 3, std::int64_t{300'000'000});
    REQUIRE(of_file.size() >= 4 * 3);
    for (const auto& [key, time] : of_file) {
        CAPTURE(key.first);
        CAPTURE(key.second);
        CHECK(shows(wide, static_cast<double>(time) * 1e-12));
    }
}

TEST_CASE("the caption names the ranks and the time that are too many to be drawn") {
    const TimelinePage made("--timeline-ranks 1..15");
    const auto probe = seen(made.page);
    CHECK(probe["errors"].empty());
    const std::string caption = timeline_caption(probe);
    CHECK_MESSAGE(caption.starts_with("Ranks 1 to 12 from 0"), caption);
    CHECK_MESSAGE(holds(caption, "These are the first 12 of the 15 ranks in the file."), caption);
    CHECK_MESSAGE(holds(caption, "bars; the file continues until "), caption);
    CHECK(probe["figures"]["timeline-0"]["shapes"].get<int>() > 1000);
    CHECK(probe["figures"]["timeline-0"]["shapes"].get<int>() < 6000);
    CHECK(std::filesystem::file_size(made.timeline) > 1'000'000);
    CHECK(std::filesystem::file_size(made.page) < 500'000);
}

TEST_CASE("the caption mentions the wait of ranks that a wave reaches late before the drawn window") {
    const TimelinePage made("--timeline-ranks 0..0 --timeline-time 0us..200us");
    const auto probe = seen(made.page);
    CHECK(probe["errors"].empty());
    const std::string caption = timeline_caption(probe);
    CHECK_MESSAGE(holds(caption, "Before, from 0\u00a0s on, all of them wait."), caption);
}

TEST_CASE("the axis of a window counts from 0, and from its beginning where that is far away") {
    const auto axis = [](const std::string& window) {
        const TimelinePage made("--timeline-ranks 15..15 --timeline-time " + window);
        const auto probe = seen(made.page);
        CHECK(probe["errors"].empty());
        return probe["text"].get<std::string>();
    };
    CHECK(holds(axis("1ms..1.2ms"), "time, ms →"));
    CHECK(holds(axis("1ms..1.002ms"), "time after 1\u00a0ms, µs →"));
}

TEST_CASE("a timeline alone is a page, of which the same bytes are made each time") {
    const TimelinePage made("--timeline-ranks 0..1");
    const auto once = invoke("report " + quoted(made.timeline) + " -o -");
    CHECK(once.status == 0);
    CHECK(once.out == invoke("report " + quoted(made.timeline) + " -o -").out);
    const auto probe = seen(made.scratch.file("alone.html", once.out));
    CHECK(probe["errors"].empty());
    CHECK(probe["heading"] == "sweep3d on Cray XT4, 16 ranks");
    CHECK(probe["figures"]["timeline-0"]["shapes"].get<int>() > 50);
    CHECK_FALSE(holds(probe["text"], "Where this is from"));
}

TEST_CASE("the page of a timeline of no time states that there is none") {
    const TimelinePage made("--timeline-ranks 0..1 --timeline-time 100s..200s");
    const auto probe = seen(made.page);
    CHECK(probe["errors"].empty());
    CHECK(holds(probe["text"], "No rank is active in the window of this timeline."));
}

TEST_CASE("names in a timeline are text, whatever they hold") {
    const test::Scratch scratch;
    const std::string taken = "</title></script><img src=x onerror=\"document.title = 'taken'\">";
    auto timeline =
        nlohmann::json::parse(text_of(TimelinePage("--timeline-ranks 0..0 --timeline-time 0us..20us").timeline));
    nlohmann::json& excerpt = timeline["otherData"]["excerpt"];
    excerpt["title"] = "of " + taken;
    excerpt["ranks"][0]["name"] = "rank " + taken;
    for (nlohmann::json& statement : excerpt["statements"]) statement = "statement " + taken;
    const auto file = scratch.file("x<y/script><img src=x>.json", timeline.dump());
    const auto page = scratch.folder() / "page.html";
    REQUIRE(invoke(fmt::format("report {} -o {}", quoted(file), quoted(page))).status == 0);
    const auto probe = seen(page);
    CHECK(probe["errors"].empty());
    CHECK(probe["console"] == "");
    CHECK(probe["images"] == 0);
    CHECK(probe["scripts"] == 3);  // the probe, the results, the page's own
    CHECK(holds(probe["text"], "script><img src=x>.json: of " + taken));
    CHECK(holds(probe["tooltips"].dump(), nlohmann::json("statement " + taken).dump().substr(1, 20)));
    CHECK(probe["tooltips"][0].get<std::string>().starts_with("rank " + taken));
}

TEST_CASE("JSON that is neither a result nor a timeline is refused with its place") {
    const test::Scratch scratch;
    const auto refused = [&](const std::string& text) {
        const auto outcome = invoke("report " + quoted(scratch.file("other.json", text)) + " -o " +
                                    quoted(scratch.folder() / "page.html"));
        CHECK(outcome.status == 2);
        CHECK_FALSE(std::filesystem::exists(scratch.folder() / "page.html"));
        return outcome.err;
    };
    const std::string foreign = refused("{\"traceEvents\": [{\"ph\": \"X\", \"name\": \"f\", \"ts\": 1, \"dur\": 2}]}");
    CHECK(holds(foreign, "other.json:1:1: error: "));
    CHECK(holds(foreign, "is not a result: it has no schema"));
    CHECK(holds(foreign, "or a timeline of `run --timeline FILE.json`"));
    CHECK(holds(refused(R"({"otherData": {"schema": "warpfront.timeline/1"}, "traceEvents": [{"ph": "X"}]})"),
                "is a timeline of an earlier version, without an excerpt"));
    CHECK(holds(refused("{\"traceEvents\": [],\n\"otherData\": {}"), "other.json:2:16: error: "));
}
