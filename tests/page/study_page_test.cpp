// Studies on a page: the labels of axes, the order of lines, their distinction, and the line of ideal scaling.
#include "tests/page/browser.hpp"

using namespace warpfront::page_test;
using end_to_end::holds;
using end_to_end::invoke;

namespace {

using Texts = std::vector<std::string>;

/// A study of jobs of 4 to 140 million seconds on 1,024 to 131,072 ranks, and of the partition that serves best.
constexpr std::string_view kMachineSizes = R"(scenario: {}/models/sweep3d/billion.yaml
engines: [analytic]
set: {{iterations: 1, calibration: off, parameters.fixup_iterations: 0, parameters.mk: 4}}
axes:
  - ranks.columns: [32, 64, 64, 128, 128, 256, 256, 512]
    ranks.rows: [32, 32, 64, 64, 128, 128, 256, 256]
pool: 131072
repeats: 36000000
derived: [job, throughput, R/X, R^2/X]
best: [{{of: R/X, over: ranks.columns}}, {{of: R^2/X, over: ranks.columns}}]
x: ranks.columns
)";

std::string machine_sizes(const test::Scratch& scratch) {
    return quoted(scratch.file("machine-sizes.yaml", fmt::format(kMachineSizes, end_to_end::kRoot.string())));
}

/// Returns the record of the page of a study with `arguments`.
nlohmann::json page_of(const std::string& arguments, Window window = {}) {
    const test::Scratch scratch;
    const auto folder = scratch.folder() / "study";
    const auto page = scratch.folder() / "page.html";
    const Outcome ran = invoke("study " + arguments + " --quiet --out " + quoted(folder));
    REQUIRE_MESSAGE(ran.status == 0, ran.err);
    REQUIRE(invoke(fmt::format("report {} -o {}", quoted(folder / "study.json"), quoted(page))).status == 0);
    const nlohmann::json probe = seen(page, window);
    CHECK(probe["errors"].empty());
    CHECK(probe["console"] == "");
    CHECK(probe["overflow"].get<int>() <= 0);
    return probe;
}

/// The texts of a figure without those that are blank.
Texts texts_of(const nlohmann::json& probe, const std::string& figure) {
    Texts texts = probe["figures"][figure]["texts"];
    std::erase(texts, "");
    return texts;
}

bool has_all(const Texts& texts, const Texts& wanted) {
    return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& each) {
        return std::find(texts.begin(), texts.end(), each) != texts.end();
    });
}

}  // namespace

TEST_CASE("numbers on an axis are short, told apart and whole: no label is cut, repeated or left out") {
    const test::Scratch scratch;
    const auto probe = page_of(machine_sizes(scratch));
    const Texts job = texts_of(probe, "study-0-job");  // 4 to 140 million seconds
    CHECK(has_all(job, {"↑ job, 10⁶ s", "10", "100"}));
    CHECK(has_all(job, {"1Ki", "2Ki", "4Ki", "8Ki", "16Ki", "32Ki", "64Ki", "128Ki"}));
    CHECK(std::set(job.begin(), job.end()).size() == job.size());
    for (const std::string& text : job) CHECK_MESSAGE(text.size() <= 16, text);
}

TEST_CASE("values that are no numbers stand in the order of the axis, with bars that stand on zero") {
    const auto probe = page_of(
        "models/lu/lu.yaml --set iterations=1 --vary 'placement=random(2),linear,block' --vary ranks.columns=4,8 --x "
        "placement --engines analytic");
    const auto& figure = probe["figures"]["study-0-time"];
    Texts shown = texts_of(probe, "study-0-time");
    std::erase_if(shown,
                  [](const std::string& text) { return text != "random(2)" && text != "linear" && text != "block"; });
    CHECK(shown == Texts{"random(2)", "linear", "block"});
    CHECK(figure["lines"].empty());
    REQUIRE(figure["bars"].size() == 6);  // of two numbers of ranks
    for (const auto& bar : figure["bars"]) {
        const double bottom = bar["y"].get<double>() + bar["height"].get<double>();
        CHECK(bottom == test::approx(figure["bars"][0]["y"].get<double>() + figure["bars"][0]["height"].get<double>()));
    }
    CHECK(has_all(texts_of(probe, "study-0-time"), {"0"}));
}

TEST_CASE("a study is named by what varies, and its pictures can be saved") {
    const auto probe = page_of(
        "models/lu/lu.yaml --set iterations=1 --vary ranks.columns=4,8 --vary parameters.htile=1,2 --engines analytic");
    CHECK(end_to_end::holds(probe["text"], "Study lu: ranks and htile"));
    CHECK(probe["figures"]["study-0-time"]["saves"] == nlohmann::json{"SVG", "PNG"});
}

TEST_CASE("lines have labels at their right ends, apart from each other and within the page at any width") {
    for (const int width : {375, 1000, 1600}) {
        CAPTURE(width);
        const auto probe = page_of(
            "models/chimaera/chimaera.yaml --set iterations=1 --vary parameters.htile=1,2,4,8 --vary "
            "ranks.columns=8..64*2 --engines analytic",
            {.width = width});
        const auto& figure = probe["figures"]["study-0-time"];
        Texts labels;
        double below = 0.0;
        for (const auto& end : figure["ends"]) {
            labels.push_back(end["text"]);
            CHECK(end["top"].get<double>() >= below - 1.0);  // of letters' boxes
            below = end["bottom"];
            CHECK(end["right"].get<double>() <= figure["right"].get<double>());
        }
        // On 1,024 ranks a tile of two planes is the fastest, one of eight the slowest: from the top down.
        CHECK(labels == Texts{"htile=8", "htile=4", "htile=1", "htile=2"});
        CHECK(figure["legend"] == nlohmann::json{"analytic", "ideal scaling from the first point"});
    }
}

TEST_CASE("variants are categories by their names, and lines by their names alone") {
    const test::Scratch scratch;
    const auto study = scratch.file(
        "s.yaml", fmt::format("scenario: {}/models/lu/lu.yaml\nengines: [analytic]\nset: {{iterations: 1}}\nvariants:\n"
                              "  - name: as it is\n  - {{name: twice the bandwidth, set: "
                              "{{platform.layers.network.G.bandwidth: 2x}}}}\n",
                              end_to_end::kRoot.string()));
    const auto alone = page_of(quoted(study));
    CHECK(has_all(texts_of(alone, "study-0-time"), {"as it is", "twice the bandwidth"}));
    CHECK(alone["figures"]["study-0-time"]["bars"].size() == 2);
    const auto over_ranks = page_of(quoted(study) + " --vary ranks.columns=4,8,16");
    Texts labels;
    for (const auto& end : over_ranks["figures"]["study-0-time"]["ends"]) labels.push_back(end["text"]);
    CHECK(labels == Texts{"as it is", "twice the bandwidth"});
}

TEST_CASE("engines of a study with one line have colours of their own") {
    const auto probe =
        page_of("models/lu/lu.yaml --set iterations=1 --vary parameters.htile=1,2 --engines event,analytic");
    const auto& lines = probe["figures"]["study-0-time"]["lines"];
    REQUIRE(lines.size() == 2);
    CHECK(lines[0]["stroke"] != lines[1]["stroke"]);
}

TEST_CASE("numbers are joined from the least to the most, in whichever order they are given") {
    const auto probe = page_of("models/chimaera/chimaera.yaml --vary parameters.htile=5,1,3 --engines analytic");
    const std::vector<double> xs = probe["figures"]["study-0-time"]["lines"][0]["xs"];
    REQUIRE(xs.size() == 3);
    CHECK(std::is_sorted(xs.begin(), xs.end()));
}

TEST_CASE("the closed form is dashed whether it stands alone or first or second") {
    const auto dashes = [](const std::string& engines) {
        const auto probe =
            page_of("models/lu/lu.yaml --set iterations=1 --vary parameters.htile=1,2 --engines " + engines);
        Texts patterns;
        for (const auto& line : probe["figures"]["study-0-time"]["lines"]) patterns.push_back(line["dashes"]);
        return patterns;
    };
    CHECK(dashes("analytic") == Texts{"7px, 4px"});
    CHECK(dashes("event,analytic") == Texts{"none", "7px, 4px"});
    CHECK(dashes("analytic,event") == Texts{"7px, 4px", "none"});
    CHECK(dashes("event,analytic,plug-and-play") == Texts{"none", "7px, 4px", "12px, 4px"});
}

TEST_CASE("twelve lines have twelve colours") {
    const auto probe = page_of(
        "models/chimaera/chimaera.yaml --vary parameters.htile=1..12 --vary parameters.nz=120,240 --engines analytic");
    std::set<std::string> colours;
    for (const auto& line : probe["figures"]["study-0-time"]["lines"]) colours.insert(line["stroke"]);
    CHECK(colours.size() == 12);
}

TEST_CASE("over ranks a thin line shows ideal scaling, over anything else none does") {
    const auto thin = [](const nlohmann::json& probe) {
        const auto& lines = probe["figures"]["study-0-time"]["lines"];
        return std::count_if(lines.begin(), lines.end(), [](const auto& line) { return line["width"] == "1px"; });
    };
    const auto ranks = page_of("models/chimaera/chimaera.yaml --vary ranks.columns=8,16,32 --engines analytic");
    CHECK(thin(ranks) == 1);
    CHECK(end_to_end::holds(ranks["text"], "ideal scaling from the first point"));
    CHECK(thin(page_of("models/chimaera/chimaera.yaml --vary parameters.htile=1,2 --engines analytic")) == 0);
}

TEST_CASE("one point is a picture, and a point without a value leaves the others as they are") {
    const auto one =
        page_of("models/chimaera/chimaera.yaml --vary parameters.htile=2 --engines analytic", {.width = 500});
    CHECK(has_all(texts_of(one, "study-0-time"), {"2"}));

    const test::Scratch scratch;
    const auto folder = scratch.folder() / "study";
    REQUIRE(
        invoke("study models/chimaera/chimaera.yaml --vary parameters.htile=1..3 --engines analytic --quiet --out " +
               quoted(folder))
            .status == 0);
    auto study = nlohmann::json::parse(end_to_end::text_of(folder / "study.json"));
    study["points"][1].erase("engines");
    const auto file = scratch.file("failed.json", study.dump());
    const auto page = scratch.folder() / "page.html";
    REQUIRE(invoke(fmt::format("report {} -o {}", quoted(file), quoted(page))).status == 0);
    const auto probe = seen(page);
    CHECK(probe["errors"].empty());
    CHECK(has_all(texts_of(probe, "study-0-time"), {"1", "2", "3"}));
    CHECK(shows(probe, study["points"][2]["engines"]["analytic"]["time"]));
}

TEST_CASE("powers of units are raised, in pictures and in the table, whose numbers have the size of their column") {
    const test::Scratch scratch;
    const auto probe = page_of(machine_sizes(scratch) + " --set parameters.nx=100 --set parameters.ny=100");
    CHECK(has_all(texts_of(probe, "study-0-R/X"), {"↑ R/X, 10¹² s²"}));
    bool seen = false;
    for (const auto& [text, value] : probe["values"].get<std::vector<std::pair<std::string, double>>>()) {
        CHECK_MESSAGE(text.size() <= 24, text);
        seen = seen || (value > 1e12 && std::stod(text) == test::approx(value * 1e-12).epsilon(1e-5));
    }
    CHECK(seen);
}

TEST_CASE("the best values that a study requests are on its page, with their points") {
    const test::Scratch scratch;
    const auto probe = page_of(machine_sizes(scratch));
    CHECK(holds(probe["text"], "Best values"));
    CHECK(holds(probe["text"], "ranks.columns=512, ranks.rows=256"));
    const auto without = page_of(machine_sizes(scratch) + " --best time:ranks.columns");
    CHECK(holds(without["text"], "Best values"));
    const auto none = page_of("models/chimaera/chimaera.yaml --vary parameters.htile=1,2 --engines analytic");
    CHECK_FALSE(holds(none["text"], "Best values"));
}

TEST_CASE("with several seeds a chart has the intervals of means, and the best values have points as good") {
    const auto probe = page_of(
        "models/chimaera/chimaera.yaml --set iterations=1 --set 'ranks={columns: 2, rows: 2}' --set noise.cv=0.3 "
        "--vary platform.bus.enabled=on,off --engines event --seeds 3 --best time");
    CHECK(holds(probe["captions"].dump(), "Points with noise are means of 3 seeds; bars are 95 % intervals"));
    CHECK(holds(probe["text"], "not distinguishable from"));
}
