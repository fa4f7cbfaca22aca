// `warpfront compare`: engines beside each other, seeds, parts, tolerance and outputs.
#include "tests/end_to_end/published_table.hpp"

TEST_CASE("without published values the engines are in one row, each with the time of its run") {
    const json result = json_of("compare " + kSmall);
    CHECK(result.at("schema") == "warpfront.comparison/1");
    CHECK(result.at("engines") == json::array({"event", "analytic"}));
    REQUIRE(result.at("rows").size() == 1);
    const json& row = result.at("rows").at(0);
    CHECK(row.at("ranks") == 16);
    const double event = time_of("run " + kSmall);
    const double analytic = time_of("run " + kSmall + "--engine analytic");
    CHECK(row.at("time_s") == json{{"event", event}, {"analytic", analytic}});
    CHECK(row.at("difference_pct").at("event/analytic").get<double>() == approx(100.0 * (event - analytic) / analytic));
    CHECK_FALSE(row.contains("parts_s"));
    CHECK(result.at("context").contains("inputs"));
}

TEST_CASE("the parts add up to event minus analytic, whichever engines are shown") {
    const json row = json_of("compare " + kSmall + "--parts").at("rows").at(0);
    double sum = 0.0;
    for (const json& part : row.at("parts_s")) sum += part.get<double>();
    const json& time = row.at("time_s");
    CHECK(sum == approx(time.at("event").get<double>() - time.at("analytic").get<double>()).epsilon(1e-9));
    CHECK(row.at("parts_s").at("bus") != 0.0);  // two cores on a bus
    const json alone = json_of("compare " + kSmall + "--parts --engines analytic").at("rows").at(0);
    CHECK(alone.at("parts_s") == row.at("parts_s"));
    CHECK_FALSE(alone.at("time_s").contains("event"));
}

TEST_CASE("several seeds: the mean, and the 95 % interval of one further run") {
    const std::string noisy = kSmall + "--set noise.cv=0.1 --seeds 5 ";
    const json ensemble = json_of("run " + noisy).at("ensemble");
    const json result = json_of("compare " + noisy);
    CHECK(result.at("seeds") == 5);
    const json& row = result.at("rows").at(0);
    const double mean = ensemble.at("mean_s").get<double>();
    CHECK(row.at("time_s").at("event").get<double>() == approx(mean).epsilon(1e-9));
    // q s / sqrt(5) is the interval of the mean, q s sqrt(1 + 1/5) = sqrt(6) times that of a run
    const double half = (ensemble.at("ci95_s").at(1).get<double>() - mean) * std::sqrt(6.0);
    CHECK(row.at("interval_s").at("event").at(0).get<double>() == approx(mean - half).epsilon(1e-9));
    CHECK(row.at("interval_s").at("event").at(1).get<double>() == approx(mean + half).epsilon(1e-9));
    CHECK_FALSE(row.at("interval_s").contains("analytic"));
}

TEST_CASE("rows, seeds and parts are the same on any number of threads") {
    const PublishedTable table("n,m,nx,ny,exec\n4,4,5,5,0.6\n2,2,5,5,0.5\n3,2,4,4,0.3\n");
    const std::string compare =
        kCompareSweep3d + table.against() +
        "--set parameters.nz=20 --set noise.cv=0.1 --set 'placement=random(2)' --seeds 3 --parts ";
    const json one = json_of(compare);
    const json three = json_of(compare + "--threads 3 ");
    CHECK(one.at("rows") == three.at("rows"));
    CHECK(one.at("statistics") == three.at("statistics"));
    CHECK(one.at("statistics").at(0).contains("coverage_pct"));
}

TEST_CASE("beyond tolerance: exit status 1, the rows by name on stderr, the table still on stdout") {
    const PublishedTable table("problem,n,m,nx,ny,pred\nfar off,2,2,5,5,9999\n");
    const Outcome outcome = invoke(kCompareSweep3d + table.against() + "--set parameters.nz=20 --tolerance 5");
    CHECK(outcome.status == 1);
    CHECK(holds(outcome.out, "far off"));
    CHECK(holds(outcome.err, "line 2, far off, 2 x 2 ranks: event differs from pred by -"));
    CHECK(holds(outcome.err, "line 2, far off, 2 x 2 ranks: analytic differs from pred by -"));
}

TEST_CASE("JSON and CSV are written beside the table, which gives way only to what goes to stdout") {
    const Scratch scratch;
    const std::string lu = "compare models/lu/lu.yaml --engines analytic --against models/lu/measured/xt3.csv ";
    const auto file = [&](const std::string& name) { return scratch.folder() / name; };
    const Outcome outcome = invoke(lu + "--json " + quoted(file("r.json")) + " --csv " + quoted(file("r.csv")));
    CHECK(outcome.status == 0);
    CHECK(holds(outcome.out, "against exec"));
    CHECK(json::parse(text_of(file("r.json"))).at("rows").size() == 10);
    const std::string csv = text_of(file("r.csv"));
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 11);
    CHECK(invoke(lu + "--csv -").out == csv);
}
