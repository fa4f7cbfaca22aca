// Pictures of studies: where points stand, which lines join them, and how lines differ, from times chosen by
// hand.
#include <set>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "simulator/input/read_file.hpp"
#include "tests/scratch.hpp"
#include "tools/study/picture.hpp"

using namespace warpfront;
using namespace warpfront::tools;

namespace {

StudyPlan pictured_plan(const std::string& text) {
    const test::Scratch scratch;
    return read_study(scratch.file("s.yaml", "scenario: a.yaml\n" + text), {});
}

/// By the event engine and the closed form, which is a second faster.
PointResult point_of(std::uint64_t ranks, std::int64_t seconds) {
    constexpr std::int64_t kPicoseconds = 1'000'000'000'000;
    PointResult point{ranks, ranks, {}, {}};
    point.engines.push_back({.engine = "event", .time = Time{seconds * kPicoseconds}});
    point.engines.push_back({.engine = "analytic", .time = Time{(seconds - 1) * kPicoseconds}});
    return point;
}

StudyPicture drawn(const StudyPlan& plan, const std::vector<PointResult>& points, ColumnName column = ColumnName::time,
                   std::optional<Scaling> scaling = std::nullopt) {
    std::vector<std::size_t> numbers;
    for (std::size_t k = 0; k < points.size(); ++k) numbers.push_back(k);
    const auto picture = study_picture(StudyResults(plan, numbers, points, scaling), column);
    REQUIRE(picture);
    return *picture;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The different values of an attribute of `element`.
std::set<std::string> attributes(const std::string& svg, const std::string& element, const std::string& name) {
    std::set<std::string> values;
    for (std::size_t at = svg.find('<' + element); at != std::string::npos; at = svg.find('<' + element, at + 1)) {
        const std::size_t end = svg.find('>', at);
        const std::size_t begin = svg.find(name + "=\"", at);
        if (begin > end) continue;
        const std::size_t value = begin + name.size() + 2;
        values.insert(svg.substr(value, svg.find('"', value) - value));
    }
    return values;
}

}  // namespace

TEST_CASE("a line goes from left to right, in whichever order the axis lists its values") {
    const StudyPlan plan = pictured_plan("axes: [{parameters.mk: [4, 1, 2]}]\n");
    const StudyPicture picture = drawn(plan, {point_of(2, 9), point_of(2, 12), point_of(2, 6)});
    CHECK(picture.lines[0].points == StudyLinePoints{{1.0, 12.0}, {2.0, 6.0}, {4.0, 9.0}});
}

TEST_CASE("a line has a gap where its engine predicts nothing") {
    const StudyPlan plan = pictured_plan("axes: [{parameters.mk: [1, 2, 4]}]\n");
    std::vector<PointResult> points{point_of(2, 12), point_of(2, 6), point_of(2, 9)};
    points[1].engines.erase(points[1].engines.begin());  // event
    const StudyPicture picture = drawn(plan, points);
    CHECK(picture.lines[0].points == StudyLinePoints{{1.0, 12.0}, {2.0, std::nullopt}, {4.0, 9.0}});
    // no step of the event engine's line, two of the closed form's, and one piece of each in the legend
    const std::string svg = study_plot(picture);
    std::size_t steps = 0;
    for (std::size_t at = svg.find("stroke-width=\"1.6\""); at != std::string::npos;
         at = svg.find("stroke-width=\"1.6\"", at + 1)) {
        steps += svg.rfind("<line", at) > svg.rfind('>', at) ? 1U : 0U;
    }
    CHECK(steps == 0 + 2 + 2);
}

TEST_CASE("arrays of one number of ranks stand side by side by their columns, rows and planes") {
    const StudyPlan plan =
        pictured_plan("axes: [{ranks.columns: [8, 8, 4, 4], ranks.rows: [2, 1, 4, 2], ranks.planes: [1, 2, 1, 2]}]\n");
    const StudyPicture picture = drawn(plan, {point_of(16, 9), point_of(16, 12), point_of(16, 6), point_of(16, 7)});
    CHECK_FALSE(picture.x_is_ranks);
    CHECK(picture.categories == std::vector<std::string>{"8 x 2 x 1", "8 x 1 x 2", "4 x 4 x 1", "4 x 2 x 2"});
}

TEST_CASE("where two axes set ranks each point stands at its own number of them") {
    const StudyPlan plan = pictured_plan("axes: [{ranks.columns: [2, 4]}, {ranks.rows: [1, 2]}]\n");
    const StudyPicture picture = drawn(plan, {point_of(2, 9), point_of(4, 8), point_of(4, 7), point_of(8, 6)});
    REQUIRE(picture.lines.size() == 4);
    CHECK(picture.lines[2].name() == "event, columns=4");
    CHECK(picture.lines[2].points == StudyLinePoints{{4.0, 7.0}, {8.0, 6.0}});
}

TEST_CASE(
    "ideal scaling: from the first point, time falls as ranks grow, and stays where the problem grows with them") {
    const StudyPlan plan = pictured_plan("axes: [{ranks.columns: [10, 20, 40]}]\nderived: [speed-up, efficiency]\n");
    const std::vector<PointResult> points{point_of(10, 12), point_of(20, 8), point_of(40, 6)};
    const auto ideal = [&](ColumnName column, std::optional<Scaling> scaling) {
        return drawn(plan, points, column, scaling).lines[0].ideal;
    };
    CHECK(ideal(ColumnName::time, Scaling::strong) == StudyLinePoints{{10.0, 12.0}, {20.0, 6.0}, {40.0, 3.0}});
    CHECK(ideal(ColumnName::time, Scaling::weak) == StudyLinePoints{{10.0, 12.0}, {20.0, 12.0}, {40.0, 12.0}});
    CHECK(ideal(ColumnName::speed_up, Scaling::strong) == StudyLinePoints{{10.0, 1.0}, {20.0, 2.0}, {40.0, 4.0}});
    CHECK(ideal(ColumnName::efficiency, Scaling::strong).empty());
    CHECK(ideal(ColumnName::time, std::nullopt).empty());
    // one ideal line for the one combination, the event engine's
    CHECK(drawn(plan, points, ColumnName::time, Scaling::strong).lines[1].ideal.empty());
    CHECK(holds(study_plot(drawn(plan, points, ColumnName::time, Scaling::strong)),
                "ideal scaling from the first point"));
    CHECK_FALSE(holds(study_plot(drawn(plan, points)), "ideal scaling"));
}

TEST_CASE("an axis that sets more than ranks has no ideal line, nor has a speed-up over another axis") {
    const std::vector<PointResult> points{point_of(10, 12), point_of(20, 8)};
    const StudyPlan larger = pictured_plan("axes: [{ranks.columns: [10, 20], parameters.nx: [100, 200]}]\n");
    CHECK(drawn(larger, points, ColumnName::time, Scaling::strong).lines[0].ideal.empty());
    const StudyPlan over = pictured_plan(
        "axes: [{parameters.mk: [1, 2]}, {ranks.columns: [10, 20]}]\nderived: [speed-up]\nover: parameters.mk\n"
        "x: ranks.columns\n");
    const std::vector<PointResult> four{point_of(10, 12), point_of(20, 8), point_of(10, 6), point_of(20, 4)};
    CHECK(drawn(over, four, ColumnName::speed_up, Scaling::strong).lines[0].ideal.empty());
}

TEST_CASE("an engine has dashes of its own, the same alone and beside others, and on pages") {
    std::set<std::string_view> patterns;
    const std::filesystem::path project = WARPFRONT_SOURCE_DIR;
    const std::string page(input::read_file(project / "tools/page/browser/study_lines.js")->text());
    for (std::size_t number = 0; number < engine_names().size(); ++number) {
        const Engine engine(number);
        CAPTURE(name_of(engine));
        CHECK(patterns.insert(dashes_of(engine)).second);
        const bool quoted = holds(page, fmt::format("\"{}\": \"{}\"", name_of(engine), dashes_of(engine)));
        CHECK((quoted || holds(page, fmt::format("{}: \"{}\"", name_of(engine), dashes_of(engine)))));
    }
    const std::vector<PointResult> points{point_of(2, 12), point_of(2, 6)};
    const std::set<std::string> alone =
        attributes(study_plot(drawn(pictured_plan("engines: [analytic]\naxes: [{parameters.mk: [1, 2]}]\n"), points)),
                   "line", "stroke-dasharray");
    CHECK(alone == std::set<std::string>{std::string(dashes_of(Engine::analytic))});
    CHECK(dashes_of(Engine::event).empty());
}

TEST_CASE("no two of twenty lines have one colour") {
    std::string values = "1";
    for (int k = 2; k <= 20; ++k) values += fmt::format(", {}", k);
    const StudyPlan plan =
        pictured_plan("engines: [event]\naxes: [{parameters.mk: [" + values + "]}, {parameters.nz: [1, 2]}]\n");
    std::vector<PointResult> points;
    for (int k = 0; k < 40; ++k) points.push_back(point_of(2, 10 + k));
    const StudyPicture picture = drawn(plan, points);
    REQUIRE(picture.lines.size() == 20);
    CHECK(attributes(study_plot(picture), "line", "stroke").size() >= 20 + 1);  // and the grid's
}

TEST_CASE("large numbers stand on the axis in powers of a thousand of their unit, ranks in units of 1,024") {
    const StudyPlan plan = pictured_plan("axes: [{ranks.columns: [1024, 8192]}]\nderived: [job]\nrepeats: 10000000\n");
    const std::string svg = study_plot(drawn(plan, {point_of(1024, 12), point_of(8192, 6)}, ColumnName::job));
    CHECK(holds(svg, ">job, 10^6 s<"));  // 120 and 60 of them
    CHECK(holds(svg, ">100<"));
    CHECK(holds(svg, ">1Ki<"));
    CHECK(holds(svg, ">8Ki<"));
}
