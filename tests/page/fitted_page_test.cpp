// The page of a fit: times with the lines of rows, what each is off by, costs as the result has them.
#include "tests/page/browser.hpp"

using namespace warpfront::page_test;
using end_to_end::holds;
using end_to_end::invoke;
using end_to_end::text_of;

TEST_CASE("a fit is drawn with a line for each row and a mark for each time, and its costs are those of the result") {
    const test::Scratch scratch;
    const auto fit = scratch.folder() / "fit.json";
    const auto page = scratch.folder() / "page.html";
    REQUIRE(invoke(fmt::format("fit --layer chip=tools/from_code/fitting/tables/open-mpi.csv --like platforms/xt4.yaml "
                               "-o {} --json {}",
                               quoted(scratch.folder() / "machine.yaml"), quoted(fit)))
                .status == 0);
    REQUIRE(invoke(fmt::format("report {} -o {}", quoted(fit), quoted(page))).status == 0);
    const nlohmann::json probe = seen(page);
    CHECK(probe["console"] == "");
    CHECK(probe["errors"].empty());
    CHECK(probe["drawn"] == "true");
    CHECK(probe["described"] == true);
    CHECK(probe["overflow"].get<int>() <= 0);
    const auto result = nlohmann::json::parse(text_of(fit));
    const auto& layer = result["layers"][0];
    const auto& times = probe["figures"]["fit-0-chip"];
    CHECK(times["lines"].size() == layer["rows"].size());
    CHECK(times["shapes"].get<std::size_t>() > layer["points"].size());
    CHECK(probe["figures"]["fit-0-chip-residuals"]["shapes"].get<int>() > 20);
    for (const auto& row : layer["rows"]) {
        for (const char* cost : {"o_send_s", "L_s", "o_recv_s", "G_s"}) CHECK(shows(probe, row[cost]));
    }
    CHECK(holds(probe["text"], "Sends return by themselves up to 4,040 B, as measured."));
    CHECK(holds(probe["text"], "L and o_recv have the values of the eager row"));
}
