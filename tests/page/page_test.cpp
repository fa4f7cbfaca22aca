// `warpfront report`: a browser shows the values of the result, at any width, light and dark, and without an error.
//
// Not pinned here: which results and timelines are read and refused, and which part of a timeline is drawn
// (tests/tools/page); the server's responses and refusals (tests/tools/server); the numbers themselves (tests/engine,
// tests/analytic).
#include "tests/page/browser.hpp"

using namespace warpfront::page_test;
using end_to_end::holds;
using end_to_end::invoke;
using end_to_end::kRoot;
using end_to_end::kSmall;
using end_to_end::text_of;

namespace {

/// A run, a comparison and a study, and the page of all three.
struct Pages {
    test::Scratch scratch;
    std::filesystem::path run = scratch.folder() / "run.json";
    std::filesystem::path study = scratch.folder() / "study.json";
    std::filesystem::path comparison = scratch.folder() / "comparison.json";
    std::filesystem::path page = scratch.folder() / "page.html";

    Pages() {
        const auto out = quoted(scratch.folder() / "study");
        REQUIRE(invoke("run " + kSmall + "--path " +
                       "--set platform=../../platforms/xt4.yaml --set calibration=on --set "
                       "platform.links.torus.bandwidth=0.01x --set 'placement=random(1)' --quiet --json " +
                       quoted(run))
                    .status == 0);
        REQUIRE(invoke("study models/chimaera/chimaera.yaml --vary 'ranks.columns=4..64*2' --engines analytic --quiet "
                       "--out " +
                       out + " --json " + quoted(study))
                    .status == 0);
        REQUIRE(invoke("compare models/lu/lu.yaml --engines analytic --against models/lu/measured/xt3.csv --json " +
                       quoted(comparison))
                    .status == 0);
        REQUIRE(
            invoke(fmt::format("report {} {} {} -o {}", quoted(run), quoted(comparison), quoted(study), quoted(page)))
                .status == 0);
    }
    nlohmann::json result() const { return nlohmann::json::parse(text_of(run)); }

    /// Returns the record of the page in the browser, which opens it only once.
    const nlohmann::json& probe() const {
        static const nlohmann::json shown = seen(page);
        return shown;
    }
};

const Pages& pages() {
    static const Pages made;
    return made;
}

/// Converts a shown time such as "7.551 ms" to seconds.
double seconds_shown(const std::string& text) {
    std::size_t end = 0;
    std::string digits = text;
    std::erase(digits, ',');
    const double number = std::stod(digits, &end);
    const std::string unit = digits.substr(end);
    if (unit.starts_with("\u00a0s")) return number;
    if (unit.starts_with("\u00a0ms")) return number * 1e-3;
    if (unit.starts_with("\u00a0µs")) return number * 1e-6;
    if (unit.starts_with("\u00a0ns")) return number * 1e-9;
    return unit.starts_with("\u00a0ps") ? number * 1e-12 : number;
}

}  // namespace

TEST_CASE("every figure of a run, a comparison and a study is drawn, described and not empty, without an error") {
    const auto& probe = pages().probe();
    CHECK(probe["console"] == "");
    CHECK(probe["errors"].empty());
    CHECK(probe["drawn"] == "true");
    CHECK(probe["described"] == true);
    for (const std::string name :
         {"interval", "breakdown", "critical-path", "engines", "comparison-0", "wave", "map-wait_s", "map-queue_s",
          "map-compute_s", "map-finish_s", "links", "torus", "study-0-time"}) {
        CAPTURE(name);
        REQUIRE(probe["figures"].contains(name));
        CHECK(probe["figures"][name]["shapes"].get<int>() > 1);
        CHECK(probe["figures"][name]["area"].get<double>() > 1000.0);
    }
    CHECK(probe["figures"]["map-wait_s"]["shapes"] == 16);  // 4 x 4 ranks, a pixel each
    CHECK(probe["heading"] == "sweep3d on xt4, 16 ranks");
    CHECK(holds(probe["slider"], "of 16 ranks have done their first tile"));
}

TEST_CASE("the numbers on the page are those of the results") {
    const auto& probe = pages().probe();
    const auto result = pages().result();
    CHECK(shows(probe, result["time_s"]));
    CHECK(shows(probe, result["closed_form_s"]));
    CHECK(shows(probe, result["ranks"]));
    for (const auto& [part, time] : result["breakdown"].items()) {
        CAPTURE(part);
        CHECK(shows(probe, time));
        for (const char* over : {"least", "mean", "most"}) CHECK(shows(probe, result["over_ranks"][part][over]));
    }
    for (const auto& [part, time] : result["critical_path"].items()) CHECK_MESSAGE(shows(probe, time), part);
    for (const auto& link : result["link_waits"]["hottest"]) CHECK(shows(probe, link["wait_s"]));
    const auto study = nlohmann::json::parse(text_of(pages().study));
    REQUIRE(!study["points"].empty());
    for (const auto& point : study["points"]) {
        CHECK(shows(probe, point["engines"]["analytic"]["time"]));
    }
    const auto comparison = nlohmann::json::parse(text_of(pages().comparison));
    REQUIRE(!comparison["rows"].empty());
    for (const auto& row : comparison["rows"]) {
        CHECK(shows(probe, row["time_s"]["analytic"]));
        CHECK(shows(probe, row["exec_s"]));
    }
}

TEST_CASE("a comparison with measurements is drawn with its errors, and names the worst row of each method") {
    const auto& probe = pages().probe();
    const auto comparison = nlohmann::json::parse(text_of(pages().comparison));
    double worst = 0.0;
    for (const auto& row : comparison["rows"]) {
        const double error = row["difference_pct"]["analytic/exec"];
        if (std::abs(error) > std::abs(worst)) worst = error;
    }
    const std::vector<std::string> captions = probe["captions"];
    const auto says = [&](const std::string& text) {
        return std::any_of(captions.begin(), captions.end(), [&](const auto& each) { return holds(each, text); });
    };
    CHECK_MESSAGE(says(fmt::format("analytic at most {:.3g} % (", worst)), worst);
    const auto texts = probe["figures"]["comparison-0"]["texts"];
    for (const char* label : {"↑ predicted, s", "↑ error, %"}) {
        CHECK_MESSAGE(std::count(texts.begin(), texts.end(), label) == 1, label);
    }
}

TEST_CASE("an array of several planes is drawn plane by plane") {
    const auto [result, probe] =
        SeenRun("models/halo3d/halo3d.yaml --set 'ranks={columns: 4, rows: 3, planes: 5}' --set iterations=2");
    CHECK(probe["figures"]["map-wait_s"]["shapes"] == 60);  // 4 x 3 x 5 ranks, a pixel each
    CHECK(probe["described"] == true);
    CHECK(holds(probe["text"], "planes one after another, the lowest first"));
    const auto& last = result["last_rank"];
    CHECK(holds(probe["text"], fmt::format("(column {}, row {}, plane {})", last["column"].get<int>(),
                                           last["row"].get<int>(), last["plane"].get<int>())));
}

TEST_CASE("if a model names phases, the page has their times for the last rank and over all ranks") {
    const auto [result, probe] = SeenRun("models/jacobi/jacobi.yaml --set ranks.columns=4 --set ranks.rows=4");
    CHECK(probe["figures"]["phases"]["shapes"].get<int>() > 1);
    const auto& phases = result["phases"];
    REQUIRE(phases.size() >= 3);
    CHECK(phases[0]["name"] == "inner");
    for (const auto& phase : phases) {
        for (const char* which : {"time_s", "least_s", "mean_s", "most_s"}) CHECK(shows(probe, phase[which]));
    }
}

TEST_CASE("the bars of the critical path are its parts alone: filling and the steady state are a sentence") {
    const auto& probe = pages().probe();
    const std::vector<std::string> texts = probe["figures"]["critical-path"]["texts"];
    double sum = 0;
    for (const std::string& text : texts) {
        CHECK(text != "fill");
        CHECK(text != "steady");
        CHECK(text != "contention");
        if (text.ends_with("%")) sum += std::stod(text);
    }
    CHECK(sum == test::approx(100.0).epsilon(0.004));  // up to seven parts, each rounded to 0.1 %
    CHECK(holds(probe["text"], "of the time pipelines filled, the other"));
}

TEST_CASE("links that cost nothing are one sentence, without a chart and a torus") {
    const test::Scratch scratch;
    const auto run = scratch.folder() / "run.json";
    const auto page = scratch.folder() / "page.html";
    REQUIRE(invoke("run " + kSmall + "--quiet --json " + quoted(run)).status == 0);
    auto result = nlohmann::json::parse(text_of(run));
    const auto shown = [&](double waited) {
        result["link_waits"] = {{"all_s", waited},
                                {"hottest", {{{"link", "(0, 0, 0) to (1, 0, 0)"}, {"wait_s", waited}}}}};
        const auto file = scratch.file("changed.json", result.dump());
        REQUIRE(invoke(fmt::format("report {} -o {}", quoted(file), quoted(page))).status == 0);
        return seen(page);
    };
    const double all_ranks = result["time_s"].get<double>() * 16;  // 4 x 4
    const auto little = shown(0.0004 * all_ranks);
    CHECK(holds(little["text"], "less than 0.05\u00a0% of the time of all ranks"));
    CHECK_FALSE(little["figures"].contains("links"));
    CHECK_FALSE(little["figures"].contains("torus"));
    CHECK(shown(0.001 * all_ranks)["figures"].contains("torus"));
    result["link_waits"] = {{"all_s", 0.0}, {"hottest", nlohmann::json::array()}};
    const auto file = scratch.file("none.json", result.dump());
    REQUIRE(invoke(fmt::format("report {} -o {}", quoted(file), quoted(page))).status == 0);
    CHECK(holds(seen(page)["text"], "No message waited for a link."));
}

TEST_CASE("a number is written as it is, to three digits or more") {
    std::size_t checked = 0;
    for (const auto& [text, value] :
         pages().probe()["values"].get<std::vector<std::pair<std::string, nlohmann::json>>>()) {
        if (text.empty() || !value.is_number()) continue;
        const double shown = seconds_shown(text);
        CHECK_MESSAGE(shown == test::approx(value.get<double>()).epsilon(6e-3), text);
        ++checked;
    }
    CHECK(checked > 50);
}

TEST_CASE("inputs stand on the page with their hashes, and the command that makes the run again") {
    const auto& probe = pages().probe();
    const auto result = pages().result();
    for (const auto& [path, hash] : result["context"]["inputs"].items()) {
        CHECK(holds(probe["text"], path));
        CHECK(holds(probe["text"], hash.get<std::string>()));
    }
    const auto command = result["context"]["command"].get<std::string>();
    CHECK(holds(probe["text"], command));
    CHECK(command.starts_with("warpfront run models/sweep3d/billion.yaml --set "));
    CHECK(holds(command, "--set 'ranks={columns: 4, rows: 4}' --set "));
    const auto again =
        nlohmann::json::parse(invoke(command.substr(std::string("warpfront ").size()) + " --json -").out);
    CHECK(again["digest"] == result["digest"]);
}

TEST_CASE("the page fits a telephone, a tablet and a desk, and is dark where the reader prefers that") {
    for (const int width : {500, 800, 1400}) {
        CAPTURE(width);
        const auto probe = seen(pages().page, {.width = width, .dark = width == 800});
        CHECK(probe["errors"].empty());
        CHECK(probe["overflow"].get<int>() <= 0);
        CHECK(probe["background"] == (width == 800 ? "rgb(17, 22, 27)" : "rgb(245, 246, 248)"));
    }
}

TEST_CASE("names in a result and of its file are text, whatever they hold") {
    const test::Scratch scratch;
    auto result = pages().result();
    result["notes"] = {"</script><script>document.title = 'taken'</script>", "a & b &lt; \u2028 <!-- c"};
    result["link_waits"]["hottest"][0]["link"] = "<img src=x onerror=\"document.title = 'taken'\">";
    const auto file = scratch.file("x<y/script><img src=x onerror=document.title=1>.json", result.dump());
    const auto page = scratch.folder() / "page.html";
    REQUIRE(invoke(fmt::format("report {} -o {}", quoted(file), quoted(page))).status == 0);
    const auto probe = seen(page);
    CHECK(probe["errors"].empty());
    CHECK(probe["console"] == "");
    CHECK(probe["images"] == 0);
    CHECK(probe["scripts"] == 3);  // the probe, the results, the page's own
    CHECK(holds(probe["title"], "sweep3d on xt4"));
    CHECK(holds(probe["text"], "</script><script>document.title = 'taken'</script>"));
    CHECK(holds(probe["text"], "a & b &lt; "));
    CHECK(holds(probe["text"], "script><img src=x onerror=document.title=1>.json"));
}

TEST_CASE("a result without ranks, links or an interval is a page all the same") {
    const test::Scratch scratch;
    const auto result = scratch.folder() / "closed.json";
    const auto page = scratch.folder() / "closed.html";
    REQUIRE(invoke("run " + kSmall + "--engine analytic --quiet --json " + quoted(result)).status == 0);
    REQUIRE(invoke(fmt::format("report {} -o {}", quoted(result), quoted(page))).status == 0);
    const auto probe = seen(page);
    CHECK(probe["errors"].empty());
    CHECK(probe["drawn"] == "true");
    CHECK(shows(probe, nlohmann::json::parse(text_of(result))["time_s"]));
}

TEST_CASE("the page loads nothing, and could not") {
    const std::string text = text_of(pages().page);
    CHECK(holds(text, "default-src 'none'"));
    for (const char* loading : {"<link", "src=\"", "@import", "url(h", "fetch(", "XMLHttpRequest"})
        CHECK_MESSAGE(!holds(text, loading), loading);
}
