// Reference data: the keys that each column overrides, and faults of tables.
#include "simulator/scenario/reference_data.hpp"

#include "simulator/input/read_file.hpp"
#include "simulator/scenario/csv.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"

using namespace warpfront::scenario;

namespace {

input::SourceFilePtr csv(std::string text) {
    return std::make_shared<const input::SourceFile>("t.csv", std::move(text));
}

/// Returns the table of a text without faults.
ReferenceTable table_of(std::string text) {
    Diagnostics faults;
    ReferenceTable table = read_reference_table(csv(std::move(text)), faults);
    CHECK(faults.render() == "");
    return table;
}

Diagnostics faults_in(std::string text) {
    Diagnostics faults;
    read_reference_table(csv(std::move(text)), faults);
    return faults;
}

/// Reads a scenario of the shipped Sweep3D model (which has mk), changed by the arguments of --set.
ScenarioDocument sweep3d(const std::vector<std::string>& sets = {}) {
    return read_document(std::string(WARPFRONT_SOURCE_DIR) + "/models/sweep3d/billion.yaml", sets);
}

Scenario first_row(std::string text, const ScenarioDocument& base = sweep3d()) {
    const ReferenceRow row = table_of(std::move(text)).rows.at(0);
    return scenario_of(row, document_of(row, base));
}

std::string row_parameter(const Scenario& scenario, const std::string& name) {
    const auto found = scenario.bindings.parameters.find(name);
    return found == scenario.bindings.parameters.end() ? "(none)" : found->second.text;
}

}  // namespace

TEST_CASE("n, m, nx and ny are the rank array and the cells of one rank") {
    const Scenario scenario = first_row("n,m,nx,ny\n32,16,5,10\n");
    CHECK(scenario.bindings.grid == RankGrid{32, 16});
    REQUIRE(scenario.bindings.roles.size() == 2);
    CHECK(scenario.bindings.roles[0].role == psl::Role::cells_x);
    CHECK(scenario.bindings.roles[0].value.text == "160");  // 5 * 32
    CHECK(scenario.bindings.roles[1].value.text == "160");  // 10 * 16
}

TEST_CASE("Wg and Wg_fix are seconds per cell, nz is a parameter") {
    const Scenario scenario = first_row("n,m,nz,Wg,Wg_fix\n2,2,400,4.64e-7,5.19e-7\n");
    CHECK(row_parameter(scenario, "wg") == "4.64e-7s");
    CHECK(row_parameter(scenario, "wg_fixup") == "5.19e-7s");
    CHECK(row_parameter(scenario, "nz") == "400");
}

TEST_CASE("cores per node are the patches of the studies") {
    const auto patch = [](const std::string& cores) {
        return first_row("n,m,cores_per_node\n8,8," + cores + "\n").patch;
    };
    CHECK(patch("1").columns == 1);
    CHECK(patch("2").columns == 2);
    CHECK(patch("2").rows == 1);
    CHECK(patch("4").rows == 2);
    CHECK(patch("8").columns == 4);
    CHECK(patch("8").rows == 2);
    CHECK(patch("16").rows == 4);
    CHECK(kinds_of(faults_in("n,m,cores_per_node\n8,8,3\n")) == Kinds{bad_choice});
}

TEST_CASE("a scenario's path as a header sets that path, unit and all") {
    const std::string header = "ranks.columns,ranks.rows,parameters.wg,placement,iterations\n";
    const Scenario scenario = first_row(header + "4,2,0.5us,linear,3\n");
    CHECK(scenario.bindings.grid == RankGrid{4, 2});
    CHECK(row_parameter(scenario, "wg") == "0.5us");
    CHECK(scenario.placement.request.rule == machine::PlacementRule::linear);
    CHECK(scenario.bindings.iterations == 3);
}

TEST_CASE("the tile height becomes mk for a model that has mk: mk = htile * mmo / mmi") {
    const std::string text = "n,m,htile\n2,2,5\n";
    CHECK(row_parameter(first_row(text, sweep3d({"parameters.mmo=6", "parameters.mmi=3"})), "mk") ==
          "10");                                         // 5 * 6 / 3
    CHECK(row_parameter(first_row(text), "mk") == "5");  // 5 * 6 / 6
}

TEST_CASE("a fraction of a plane is the fewest whole planes with a divisor of all angles") {
    const auto tile = [](const std::string& height, const std::vector<std::string>& sets = {}) {
        const Scenario scenario = first_row("n,m,htile\n2,2," + height + "\n", sweep3d(sets));
        return row_parameter(scenario, "mk") + " of " + row_parameter(scenario, "mmi");
    };
    CHECK(tile("2.5") == "5 of 3");  // 2.5 * 6 / 3
    CHECK(tile("0.5") == "1 of 3");
    CHECK(tile("2.5", {"parameters.mmi=1"}) == "15 of 1");  // whole as it is
    CHECK(tile("2.5", {"parameters.mmi=6"}) == "5 of 3");
    const auto refused = [](const std::string& text) { return kinds_of(faults_of([&] { first_row(text); })); };
    CHECK(refused("n,m,htile\n2,2,2.3\n") == Kinds{no_tile_height});
    CHECK(refused("n,m,htile\n2,2,-2.5\n") == Kinds{no_tile_height});
    CHECK(refused("n,m,htile,parameters.mmi\n2,2,2.5,6\n") == Kinds{conflicting_keys});
}

TEST_CASE("the tile height is a parameter of its own for a model without mk") {
    const auto chimaera = read_document(std::string(WARPFRONT_SOURCE_DIR) + "/models/chimaera/chimaera.yaml", {});
    CHECK(row_parameter(first_row("n,m,htile\n2,2,5\n", chimaera), "htile") == "5");
}

TEST_CASE("columns set the parameters of a user's model by their roles, whatever they are called") {
    const Scratch scratch;
    scratch.file(
        "code.psl",
        "application code {\n    param block: int = 1 as tile_planes\n    param group: int = 1 as tile_angles\n"
        "    param all: int = 1 as angles\n    param levels: int = 1 as cells_z\n    param t: time as work\n"
        "    iteration { compute t }\n}\n");
    const auto base = read_document(scratch.file("s.yaml",
                                                 "model: code.psl\nplatform: p.yaml\nranks: {columns: 1, rows: 1}\n"
                                                 "parameters: {group: 2, all: 8}\n"),
                                    {});
    const Scenario scenario = first_row("n,m,htile,nz,Wg\n2,2,3,50,2e-6\n", base);
    CHECK(row_parameter(scenario, "block") == "12");  // 3 * 8 / 2
    CHECK(row_parameter(scenario, "levels") == "50");
    CHECK(row_parameter(scenario, "t") == "2e-6s");
    const auto refused = [&](const std::string& text) { return kinds_of(faults_of([&] { first_row(text, base); })); };
    CHECK(refused("n,m,Wg_fix\n2,2,1e-6\n") == Kinds{unknown_parameter});
    CHECK(refused("n,m,nz,parameters.levels\n2,2,50,60\n") == Kinds{conflicting_keys});
}

TEST_CASE("a tile height that makes no whole mk is refused, as is one without angles") {
    const auto refused = [](const std::vector<std::string>& sets) {
        return kinds_of(faults_of([&] { first_row("n,m,htile\n2,2,5\n", sweep3d(sets)); }));
    };
    CHECK(refused({"parameters.mmo=3", "parameters.mmi=6"}) == Kinds{no_tile_height});  // 5 * 3 / 6 = 2.5
    CHECK(refused({"parameters={nx: 8, ny: 8, nz: 8, mk: 1, wg: 1us, mmi: 6}"}) == Kinds{no_tile_height});
}

TEST_CASE("predictions and the measurement are durations to compare with, the rest is information") {
    const ReferenceTable table = table_of("problem,n,m,pred,exec,comp,warpp,pace\n60^3,4,4,48.71,55.27,44.67,,50.5\n");
    const ReferenceRow& row = table.rows.at(0);
    CHECK(row.label == "60^3");
    CHECK(row.line == 2);
    CHECK(row.predictions ==
          std::vector<PublishedPrediction>{{"pred", Time{48'710'000'000'000}}, {"pace", Time{50'500'000'000'000}}});
    CHECK(row.measurement == Time{55'270'000'000'000});
    CHECK(row.information == std::vector<std::pair<std::string, std::string>>{{"problem", "60^3"}, {"comp", "44.67"}});
}

TEST_CASE("columns that end in _us are microseconds") {
    const ReferenceTable table = table_of("n,m,exec_us,pred_us\n4,4,15.4,16.3\n");
    const ReferenceRow& row = table.rows.at(0);
    CHECK(row.measurement == Time{15'400'000});
    CHECK(row.predictions == std::vector<PublishedPrediction>{{"pred", Time{16'300'000}}});
    CHECK(faults_in("n,m,exec_us\n2,2,0\n").render().find("`0` is not a duration in microseconds") !=
          std::string::npos);
}

TEST_CASE("rows without a rank array are skipped: their number, the reason, and their lines") {
    const ReferenceTable table = table_of("ranks,n,m,pred\n256,16,16,1\n512,,,2\n1024,32,,3\n");
    REQUIRE(table.rows.size() == 1);
    CHECK(table.skipped == std::vector<unsigned>{3, 4});
    CHECK(table.skipped_note() == "2 of 3 rows skipped, since the cells of the process grid are empty: lines 3, 4");
    CHECK(table_of("n,m\n2,2\n,2\n").skipped_note() ==
          "1 of 2 rows skipped, since the cells of the process grid are empty: line 3");
}

TEST_CASE("eight of many skipped rows are named") {
    std::string text = "n,m\n";
    for (int row = 0; row < 11; ++row) text += ",\n";
    CHECK(table_of(text).skipped_note() ==
          "11 of 11 rows skipped, since the cells of the process grid are empty: lines 2, 3, 4, 5, 6, 7, 8, 9 and 3 "
          "more");
}

TEST_CASE("no row of a shipped table is skipped") {
    std::size_t tables = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(WARPFRONT_SOURCE_DIR "/models")) {
        const std::filesystem::path& path = entry.path();
        if (path.extension() != ".csv" || path.parent_path().filename() == "maps") continue;  // of a study
        CAPTURE(path);
        Diagnostics faults;
        const ReferenceTable table = read_reference_table(input::read_file(path), faults);
        CHECK(faults.render() == "");
        CHECK(table.skipped_note() == "");
        ++tables;
    }
    CHECK(tables >= 5);  // two of Chimaera, two of Sweep3D, one of LU
}

TEST_CASE("two columns that set the same key are refused, whatever they are called") {
    CHECK(summary_of(faults_in("n,m,ranks.columns\n2,2,4\n")) ==
          "t.csv:1:5 conflicting_keys [ranks.columns] the table has both column `ranks.columns` and column `n` | "
          "expected only one of the two, since both set `ranks.columns`");
    const auto conflict = [](const std::string& columns) {
        return kinds_of(faults_in(columns + "\n2,2\n")) == Kinds{conflicting_keys};
    };
    CHECK(kinds_of(faults_in("n,m,ranks.rows\n2,2,2\n")) == Kinds{conflicting_keys});
    CHECK(conflict("Wg,parameters.wg"));
    CHECK(conflict("nx,cells_per_rank.x"));
    CHECK(conflict("nx,parameters.nx"));  // cells of a rank, and of the whole grid
    CHECK(conflict("htile,parameters.mk"));
    CHECK(conflict("htile,parameters.htile"));
    CHECK(conflict("cores_per_node,node.rows"));
    CHECK_FALSE(conflict("nx,parameters.ny"));
    CHECK(conflict("pred,pred_us"));
    CHECK(conflict("exec,exec_us"));
    CHECK_FALSE(conflict("pred,exec"));
}

TEST_CASE("one side of the rank array needs the other, in a column of either name") {
    CHECK(summary_of(faults_in("n,exec\n2,1\n")) ==
          "t.csv:1:1 missing_key [n] the table has column `n`, but no column for the rows of the process grid | "
          "expected `m` (or `ranks.rows`) as well");
    CHECK(summary_of(faults_in("exec,m\n1,2\n")) ==
          "t.csv:1:6 missing_key [m] the table has column `m`, but no column for the columns of the process grid | "
          "expected `n` (or `ranks.columns`) as well");
    CHECK(kinds_of(faults_in("ranks.columns,exec\n2,1\n")) == Kinds{missing_key});
    CHECK(first_row("n,ranks.rows,exec\n2,3,1\n").bindings.grid == RankGrid{2, 3});
    CHECK(table_of("Wg,exec\n1e-6,1\n").rows.size() == 1);  // the array of the scenario
}

TEST_CASE("the ranks that a row states are those of its array, which the row or the scenario gives") {
    CHECK(first_row("ranks,n,m\n8,4,2\n").bindings.grid == RankGrid{4, 2});
    const Diagnostics faults = faults_of([] { first_row("n,m,ranks\n4,2,16\n"); });
    CHECK(summary_of(faults) ==
          "t.csv:2:5 conflicting_keys [16] column `ranks` states 16 ranks, but the process grid is 4 x 2 | expected 8, "
          "or another process grid (columns `n` and `m`, or `ranks` of the scenario)");
    CHECK(kinds_of(faults) == Kinds{conflicting_keys});
    const ScenarioDocument array = sweep3d({"ranks={columns: 4, rows: 4}"});
    CHECK(first_row("ranks,exec\n16,1\n", array).bindings.grid == RankGrid{4, 4});
    CHECK(kinds_of(faults_of([&] { first_row("ranks,exec\n8,1\n", array); })) == Kinds{conflicting_keys});
    CHECK(kinds_of(faults_of([] { first_row("ranks,n,m\nmany,4,2\n"); })) == Kinds{bad_number});
    CHECK(first_row("ranks,n,m\n,4,2\n").bindings.grid == RankGrid{4, 2});
}

TEST_CASE("a table whose cells are those of one rank has a note") {
    const auto noted = [](const std::string& text) {
        const std::vector<std::string> notes = table_of(text).notes();
        return notes.size() == 1 && notes.front().find("cells of one rank") != std::string::npos;
    };
    CHECK(noted("n,m,nx,ny,exec\n2,2,5,5,1\n"));
    CHECK_FALSE(noted("n,m,parameters.nx,exec\n2,2,10,1\n"));
    CHECK_FALSE(noted("n,m,cells_per_rank.x,exec\n2,2,5,1\n"));
}

TEST_CASE("a table without any time to compare with has a note") {
    const auto compares = [](const std::string& text) { return table_of(text).notes().empty(); };
    CHECK_FALSE(compares("n,m\n2,2\n"));
    CHECK_FALSE(compares("n,m,exec\n2,2,\n"));
    CHECK(table_of("n,m\n2,2\n").notes().at(0).starts_with("no row has a time to compare with (`exec`"));
    for (const std::string column : {"exec", "exec_us", "pred", "pred_us", "warpp", "pace"}) {
        CAPTURE(column);
        CHECK(compares(std::string("n,m,") + column + "\n2,2,\n4,2,1\n"));
    }
}

TEST_CASE("an empty cell overrides nothing") {
    const ReferenceRow row = table_of("n,m,Wg,pred\n4,4,,\n").rows.at(0);
    CHECK(row.overrides.size() == 2);
    CHECK(row.predictions.empty());
}

TEST_CASE("an unknown column is named beside the nearest known one") {
    const Diagnostics faults = faults_in("n,m,Wg_fux\n2,2,1\n");
    CHECK(kinds_of(faults) == Kinds{unknown_column});
    CHECK(summary_of(faults) == "t.csv:1:5 unknown_column [Wg_fux] unknown column `Wg_fux` | did you mean `Wg_fix`?");
    CHECK(summary_of(faults_in("n;m;pred\n2;2;1\n")) ==
          "t.csv:1:1 unknown_column [n;m;pred] unknown column `n;m;pred` | expected commas between column names");
    CHECK(kinds_of(faults_in("n,m,parameters.\n2,2,1\n")) == Kinds{unknown_column});
    CHECK(kinds_of(faults_in("n,m,parameters.a.b\n2,2,1\n")) == Kinds{unknown_column});
}

TEST_CASE("a value that is no number is refused at its position") {
    CHECK(kinds_of(faults_in("n,m,pred\n2,2,fast\n")) == Kinds{bad_number});
    CHECK(faults_in("n,m,pred\n2,2,fast\n").render().find("t.csv:2:5: error:") == 0);
    CHECK(kinds_of(faults_in("n,m,Wg\n2,2,quick\n")) == Kinds{bad_number});
    CHECK(kinds_of(faults_in("n,m,exec\n2,2,-1\n")) == Kinds{out_of_range});
    CHECK(kinds_of(faults_in("n,m,exec\n2,2,0\n")) == Kinds{out_of_range});
}

TEST_CASE("a fault of the scenario that a row causes points into the table") {
    const Diagnostics faults = faults_of([] { first_row("n,m\n0,4\n"); });
    CHECK(kinds_of(faults) == Kinds{out_of_range});
    CHECK(faults.render().find("t.csv:2:1: error:") == 0);
}

// Published tables as text: cells and their places.

namespace {

struct ReadRows {
    CsvTable table;
    Diagnostics faults;
};

ReadRows read_rows(std::string text) {
    ReadRows result;
    result.table = read_csv(std::make_shared<const input::SourceFile>("t.csv", std::move(text)), result.faults);
    return result;
}

}  // namespace

TEST_CASE("comments, empty lines, blanks around cells and line ends of either kind are ignored") {
    const ReadRows result = read_rows("# source\n\nn , m\r\n 2,\t3 \r\n\n4,5");
    REQUIRE(result.faults.empty());
    REQUIRE(result.table.header.size() == 2);
    CHECK(result.table.header[0].text == "n");
    CHECK(result.table.header[1].text == "m");
    REQUIRE(result.table.rows.size() == 2);
    CHECK(result.table.rows[0][0].text == "2");
    CHECK(result.table.rows[0][1].text == "3");
    CHECK(result.table.rows[1][1].text == "5");
}

TEST_CASE("an empty cell is a cell") {
    const ReadRows result = read_rows("a,b,c\n1,,\n");
    REQUIRE(result.faults.empty());
    CHECK(result.table.rows[0].size() == 3);
    CHECK(result.table.rows[0][1].text.empty());
}

TEST_CASE("a cell has its source range") {
    const ReadRows result = read_rows("a,b\n10, 20\n");
    const input::SourceRange& place = result.table.rows[0][1].range;
    CHECK(place.source->position(place.offset).line == 2);
    CHECK(place.source->position(place.offset).column == 5);
    CHECK(place.length == 2);
}

TEST_CASE("a row of another length than the header is refused, the others are kept") {
    const ReadRows result = read_rows("n,m,pred\n2,2,1.5\n4,2\n8,4,1.5,9\n");
    CHECK(kinds_of(result.faults) == Kinds{ragged_row, ragged_row});
    CHECK(summary_of(result.faults) ==
          "t.csv:3:1 ragged_row [4,2] the row has 2 cells, but the header has 3 columns | expected 3 cells; a cell "
          "that contains a comma needs quotes\n"
          "t.csv:4:1 ragged_row [8,4,1.5,9] the row has 4 cells, but the header has 3 columns | expected 3 cells; a "
          "cell that contains a comma needs quotes");
    CHECK(result.table.rows.size() == 1);
}

TEST_CASE("cells may be in quotes, within which a comma is text and a quote is written twice") {
    const ReadRows result = read_rows("\"n\", \"m\" ,problem\n2,\"3\",\"60^3, \"\"small\"\"\"\n\"\",4,a\"b\n");
    REQUIRE(result.faults.render() == "");
    CHECK(result.table.header[0].text == "n");
    CHECK(result.table.header[1].text == "m");
    CHECK(result.table.header[1].range.offset == 6);  // past `"n", "`
    CHECK(result.table.rows[0][1].text == "3");
    CHECK(result.table.rows[0][2].text == "60^3, \"small\"");
    CHECK(result.table.rows[1][0].text.empty());
    CHECK(result.table.rows[1][2].text == "a\"b");
}

TEST_CASE("a quote that is not closed on its line, or is followed by text, is refused at its position") {
    CHECK(summary_of(read_rows("n,m\n2,\"3\n").faults) ==
          "t.csv:2:3 csv_quotes [\"3] a quoted cell does not end on its line | expected a closing `\"`; a quote within "
          "a cell is written twice");
    CHECK(summary_of(read_rows("n,m\n\"2\"0,3\n").faults) ==
          "t.csv:2:4 csv_quotes [0] a cell has text after its closing quote | expected `,` or the end of the line; a "
          "quote within a cell is written twice");
    CHECK(kinds_of(read_rows("\"n,m\n2,3\n").faults).front() == csv_quotes);
}

TEST_CASE("a column that occurs twice or has no name is refused") {
    CHECK(kinds_of(read_rows("n,m,n\n1,2,3\n").faults) == Kinds{duplicate_column});
    CHECK(kinds_of(read_rows("n,,m\n1,2,3\n").faults) == Kinds{unknown_column});
}

TEST_CASE("a table without rows is refused") {
    CHECK(kinds_of(read_rows("").faults) == Kinds{nothing_to_compare});
    CHECK(kinds_of(read_rows("# only a comment\nn,m\n").faults) == Kinds{nothing_to_compare});
}

TEST_CASE("a table beyond its limits is refused before it fills the memory") {
    CHECK(kinds_of(read_rows(std::string(100'000, ',') + "\n").faults).back() == unknown_column);
    std::string header = "a0";
    for (int k = 1; k < 300; ++k) header += ",a" + std::to_string(k);
    CHECK(kinds_of(read_rows(header + "\n").faults).front() == file_too_large);
    std::string rows = "a\n";
    for (std::size_t k = 0; k <= kMostRows; ++k) rows += "1\n";
    const ReadRows result = read_rows(rows);
    CHECK(kinds_of(result.faults) == Kinds{file_too_large});
    CHECK(result.table.rows.size() == kMostRows);
}
