// Study files and --vary: axes, linked keys, ranges, and every fault with its place.

#include "tests/tools/experiments.hpp"
#include "tests/tools/study/study_texts.hpp"
#include "tools/study/axis.hpp"
#include "tools/study/points.hpp"

namespace {

using Texts = std::vector<std::string>;

StudyPlan with_axes(const std::string& axes) { return study_of("scenario: a.yaml\naxes: [" + axes + "]\n"); }

Texts values_of(const StudyPlan& plan, std::size_t axis = 0, std::size_t key = 0) {
    Texts texts;
    for (const auto& value : plan.axes[axis].keys[key].values) texts.push_back(text_of(value));
    return texts;
}

Texts varied(const std::string& argument) {
    const Scratch scratch;
    return values_of(read_study(scratch.file("a.yaml", "model: m.psl\n"), {.vary = {argument}}));
}

}  // namespace

TEST_CASE("an axis is a list, a range with or without a step, or powers of two") {
    CHECK(values_of(with_axes("{a.b: [1, 5us, x]}")) == Texts{"1", "5us", "x"});
    CHECK(values_of(with_axes("{a: {from: 2, to: 4}}")) == Texts{"2", "3", "4"});
    CHECK(values_of(with_axes("{a: {from: 0.1us, to: 0.4us, step: 0.1us}}")) ==
          Texts{"0.1us", "0.2us", "0.3us", "0.4us"});
    CHECK(values_of(with_axes("{a: {from: 2, to: 17, factor: 2}}")) == Texts{"2", "4", "8", "16"});
    CHECK(values_of(with_axes("{node: [{columns: 1, rows: 2}, {columns: 4, rows: 4}]}")) ==
          Texts{"{columns: 1, rows: 2}", "{columns: 4, rows: 4}"});
    CHECK(values_of(with_axes("{node: {columns: 1, rows: 2}}")) == Texts{"{columns: 1, rows: 2}"});
}

TEST_CASE("points are all combinations, the last axis fastest; keys of one axis go together") {
    const StudyPlan plan = with_axes("{a: [1, 2]}, {b: [x, y, z], c: {from: 1, to: 3}}");
    CHECK(plan.points() == 6);
    CHECK(plan.stride(0) == 3);
    CHECK(describe_point(plan, 0) == "a=1, b=x, c=1");
    CHECK(describe_point(plan, 4) == "a=2, b=y, c=2");
    CHECK(plan.index(5, 0) == 1);
    CHECK(plan.index(5, 1) == 2);
}

TEST_CASE("engines are those of the study, or of each value of an axis") {
    const StudyPlan plan = study_of(
        "scenario: a.yaml\nengines: [analytic]\n"
        "axes: [{a: [1, 2], engines: [[event, analytic], cmp]}, {b: [1, 2]}]\n");
    CHECK(engines_at(plan, 1) == std::vector<Engine>{Engine::event, Engine::analytic});
    CHECK(engines_at(plan, 2).size() == 1);
    CHECK(engine_names_of(plan) == Texts{"event", "analytic", "cmp"});
    CHECK(engine_names_of(study_of("scenario: a.yaml\nengines: [analytic]\naxes: [{a: [1]}]\n")) == Texts{"analytic"});
    CHECK(engine_names_of(with_axes("{a: [1]}")) == Texts{"event", "analytic"});
}

TEST_CASE("--vary: values, ranges, steps, factors and mappings, in place of an axis or in addition") {
    CHECK(varied("a=1, 2,5us") == Texts{"1", "2", "5us"});
    CHECK(varied("a=1..3") == Texts{"1", "2", "3"});
    CHECK(varied("a=0..100..50,7") == Texts{"0", "50", "100", "7"});
    CHECK(varied("a=4..16*2") == Texts{"4", "8", "16"});
    CHECK(varied("a=1us..2us") == Texts{"1us", "2us"});
    CHECK(varied("a={columns: 1, rows: 2},{columns: 2, rows: 2}") ==
          Texts{"{columns: 1, rows: 2}", "{columns: 2, rows: 2}"});
    CHECK(varied("a=../b.yaml,c..d") == Texts{"../b.yaml", "c..d"});
    const StudyPlan plan = study_of("scenario: a.yaml\naxes: [{a: [1, 2]}, {b: [1]}]\n", {.vary = {"a=3", "c=4,5"}});
    CHECK(describe_point(plan, 1) == "a=3, b=1, c=5");
    const StudyPlan ranks =
        study_of("scenario: a.yaml\naxes: [{ranks.rows: [1, 2], ranks.columns: [1, 2]}]\n", {.vary = {"ranks=7"}});
    CHECK(describe_point(ranks, 0) == "ranks=7");
    const StudyPlan named = study_of(
        "scenario: a.yaml\naxes: [{label: {machine: [old]}, ranks.rows: [1]}, {a: [1]}]\nover: machine\nx: "
        "ranks.rows\n",
        {.vary = {"ranks=7"}});
    CHECK(named.over == 0);
    CHECK(named.x == 0);
}

TEST_CASE("an axis with a label is shown, and named, by it") {
    const StudyPlan plan = study_of(
        "scenario: a.yaml\naxes: [{label: {machine: [old, new]}, a: [1, 2], b: [3, 4]}, {c: [5]}]\nover: machine\n");
    CHECK(describe_point(plan, 1) == "machine=new, c=5");
    CHECK(values_at(plan, 1) == NamedTexts{{"machine", "new"}, {"a", "2"}, {"b", "4"}, {"c", "5"}});
    CHECK(plan.over == 0);
    CHECK(plan.axes[0].name() == "machine");
    CHECK(plan.axes[1].name() == "c");
}

TEST_CASE("the axis of plots is that of `x`, of `best`, of `over`, or the last") {
    CHECK(study_of("scenario: a.yaml\naxes: [{a: [1]}, {b: [1]}, {c: [1]}]\n").x == 2);
    const std::string head = "scenario: a.yaml\naxes: [{a: [1, 2]}, {b: [1, 2]}, {c: [1, 2]}]\n";
    CHECK(study_of(head).x == 2);
    CHECK(study_of(head + "over: a\n").x == 0);
    CHECK(study_of(head + "over: a\nbest: [{of: time, over: b}]\n").x == 1);
    CHECK(study_of(head + "best: [{of: time, over: b}]\nx: c\n").x == 2);
}

TEST_CASE("faults of axes") {
    CHECK(kinds_of(axis_faults("{a: [1, 2], b: [1]}")) == Kinds{uneven_axis});
    CHECK(kinds_of(axis_faults("{a: [1, 2], label: {l: [x]}}")) == Kinds{uneven_axis});
    CHECK(kinds_of(axis_faults("{a: [1, 2], label: [x, y]}")) == Kinds{wrong_yaml_type});
    CHECK(kinds_of(axis_faults("{label: {l: [x]}}")) == Kinds{missing_key});
    CHECK(kinds_of(axis_faults("{a: []}")) == Kinds{wrong_yaml_type});
    CHECK(kinds_of(axis_faults("a")) == Kinds{wrong_yaml_type});
    CHECK(kinds_of(axis_faults("{a..b: [1]}")) == Kinds{bad_override});
    CHECK(kinds_of(axis_faults("{a: [1], a: [2]}")) == Kinds{duplicate_key});
    CHECK(kinds_of(axis_faults("{a: [1]}, {a: [2]}")) == Kinds{conflicting_keys});
    CHECK(kinds_of(axis_faults("{ranks: [1]}, {ranks.rows: [2]}")) == Kinds{conflicting_keys});
    CHECK(kinds_of(axis_faults("{a: {from: 1}}")) == Kinds{missing_key});
    CHECK(kinds_of(axis_faults("{a: {from: 1, to: 2, stp: 1}}")) == Kinds{unknown_key});
    CHECK(kinds_of(axis_faults("{a: {from: 1, to: 2, step: 1, factor: 2}}")) == Kinds{conflicting_keys});
    CHECK(kinds_of(axis_faults("{a: {from: x, to: 2}}")) == Kinds{bad_number});
    CHECK(kinds_of(axis_faults("{a: {from: 1us, to: 2ms, step: 1us}}")) == Kinds{wrong_unit});
    CHECK(kinds_of(axis_faults("{a: {from: 1, to: 2, step: 0}}")) == Kinds{out_of_range});
    CHECK(kinds_of(axis_faults("{a: {from: 3, to: 2}}")) == Kinds{out_of_range});
    CHECK(kinds_of(axis_faults("{a: {from: 0, to: 2, factor: 2}}")) == Kinds{out_of_range});
    CHECK(kinds_of(axis_faults("{a: {from: 1, to: 2000}}, {b: {from: 1, to: 2000}}")) ==
          Kinds{out_of_range});  // 4 million points
    CHECK(kinds_of(axis_faults("{a: [1], engines: [evnt]}")) == Kinds{bad_choice});
}

TEST_CASE("faults of --vary") {
    CHECK(vary_faults("a") == Kinds{bad_override});
    CHECK(vary_faults("=1") == Kinds{bad_override});
    CHECK(vary_faults("a=1,,2") == Kinds{bad_override});
    CHECK(vary_faults(".a=1") == Kinds{bad_override});
    CHECK(vary_faults("a=3..1") == Kinds{out_of_range});
}

TEST_CASE("faults of the other keys, all at once and with the nearest name") {
    CHECK(kinds_of(study_faults("axes: [{a: [1]}]\nengnes: [event]\n")) == Kinds{missing_key, unknown_key});
    const std::string head = "scenario: a.yaml\naxes: [{a: [1]}]\n";
    CHECK(kinds_of(study_faults(head + "derived: [throughput]\n")) == Kinds{missing_key});
    CHECK(kinds_of(study_faults(head + "best: [{of: speed-up, over: a}]\n")) == Kinds{missing_key});
    CHECK(kinds_of(study_faults(head + "pool: 0\n")) == Kinds{out_of_range});
    CHECK(kinds_of(study_faults(head + "engines: event\n")) == Kinds{wrong_yaml_type});
    const std::string report = study_faults(head + "derived: [effciency]\nover: b\n").render();
    CHECK(holds(report, "s.yaml:3:11: error: unknown column `effciency`\n"));
    CHECK(holds(report, " ^^^^^^^^^ did you mean `efficiency`?\n"));
    CHECK(holds(report, "s.yaml:4:7: error: no axis sets `b`\n"));
}

TEST_CASE("a scenario without --vary is no study") {
    CHECK(kinds_of(study_faults("model: m.psl\n")) == Kinds{unknown_file_kind});
}

TEST_CASE("--vary of several keys links them: value k of each at a time, joined by colons") {
    const StudyPlan plan = study_of("model: m.psl\n", {.vary = {"a,b.c=1:2,2:{d: 5},x y:'4:5, 6'"}});
    CHECK(plan.axes.size() == 1);
    CHECK(values_of(plan, 0, 0) == Texts{"1", "2", "x y"});
    CHECK(values_of(plan, 0, 1) == Texts{"2", "{d: 5}", "4:5, 6"});
    CHECK(varied("a=1:2,3") == Texts{"1:2", "3"});  // of one key a colon is text
    CHECK(vary_faults("a,b=1:2,3") == Kinds{uneven_axis});
    CHECK(vary_faults("a,b=1:2:3") == Kinds{uneven_axis});
    CHECK(vary_faults("a,a=1:2") == Kinds{duplicate_key});
    CHECK(vary_faults("a,=1:2") == Kinds{bad_override});
    const std::string report = study_faults("model: m.psl\n", {.vary = {"a,b=1:2,3"}}).render();
    CHECK(holds(report, "error: `3` has 1 value\n"));
    CHECK(holds(report, "^ expected 2 values, one for each key, joined by colons"));
}

TEST_CASE("a number of ranks becomes the array nearest to the scenario's shape, powers of two of powers of two") {
    const auto shape = [](std::uint64_t ranks, const Extents& like) { return shape_of_ranks(ranks, like).value(); };
    CHECK(shape(1024, {1, 1}) == Extents{32, 32});
    CHECK(shape(2048, {1, 1}) == Extents{64, 32});     // as square as 32 x 64
    CHECK(shape(1024, {128, 64}) == Extents{32, 32});  // as near to 2 to 1 as 64 x 16, and squarer
    CHECK(shape(2048, {128, 64}) == Extents{64, 32});  // 2 to 1
    CHECK(shape(2048, {64, 128}) == Extents{32, 64});  // 1 to 2
    CHECK(shape(131072, {128, 64}) == Extents{512, 256});
    CHECK(shape(4096, {128, 16}) == Extents{128, 32});      // of 8 to 1: 4 to 1 and 16 to 1 (256 x 16) are as near
    CHECK(shape(4096, {4, 4, 16}) == Extents{16, 16, 16});  // planes stay: 256 in each
    CHECK_FALSE(shape_of_ranks(24, {1, 1, 16}));
    CHECK(shape(1, {1, 1}) == Extents{1, 1});
    CHECK(shape(6, {1, 1}) == Extents{3, 2});
    CHECK_FALSE(shape_of_ranks(3, {1, 1}));     // 3 x 1
    CHECK_FALSE(shape_of_ranks(1009, {2, 1}));  // a prime
    CHECK_FALSE(shape_of_ranks(10, {1, 1}));    // 5 x 2 is 2.5 times as wide as high
}

TEST_CASE("--ranks is an axis of columns and rows with the scenario's ratio, changes by --set included") {
    const auto arrays = [](const StudyArguments& arguments) {
        const StudyPlan plan = study_of("model: m.psl\nranks: {columns: 8, rows: 4}\n", arguments);
        Texts texts;
        for (std::size_t k = 0; k < plan.points(); ++k) texts.push_back(describe_point(plan, k));
        return texts;
    };
    CHECK(arrays({.ranks = "8..32*2"}) ==
          Texts{"ranks.columns=4, ranks.rows=2", "ranks.columns=4, ranks.rows=4", "ranks.columns=8, ranks.rows=4"});
    CHECK(arrays({.ranks = "8", .sets = {"ranks={columns: 1, rows: 2}"}}) == Texts{"ranks.columns=2, ranks.rows=4"});
    CHECK(arrays({.vary = {"a=1"}, .ranks = "12"}) == Texts{"a=1, ranks.columns=4, ranks.rows=3"});
}

TEST_CASE("a number of ranks that makes no such array is a fault that names the nearest that do") {
    const auto faults = study_faults("model: m.psl\nranks: {columns: 8, rows: 8}\n", {.ranks = "16,13"});
    CHECK(kinds_of(faults) == Kinds{out_of_range});
    const std::string report = faults.render();
    CHECK(holds(report, "no process grid of 13 ranks has proportions of about 8 to 8"));
    CHECK(holds(report, "the nearest numbers with such a grid are 12 (4 x 3) or 15 (5 x 3)"));
    const auto kinds = [](const std::string& ranks) {
        return kinds_of(study_faults("model: m.psl\nranks: {columns: 8, rows: 8}\n", {.ranks = ranks}));
    };
    CHECK(kinds_of(study_faults("axes: [{a: [1]}]\n", {.ranks = "16"})) == Kinds{missing_key});
    CHECK(kinds("x") == Kinds{bad_number});
    CHECK(kinds("0") == Kinds{out_of_range});
    CHECK(kinds("16777217") == Kinds{out_of_range});  // 2^24 + 1
    CHECK(kinds("16,,4") == Kinds{bad_override});
}

TEST_CASE("--x and --best choose axes as `x` and `best` of a file do, in their place") {
    const std::string head = "scenario: a.yaml\naxes: [{a: [1, 2]}, {b: [1, 2]}, {c: [1]}]\n";
    CHECK(study_of(head).x == 1);  // the last of several values
    CHECK(study_of(head + "x: b\n", {.x = "a"}).x == 0);
    const StudyPlan best = study_of(head + "best: [{of: time, over: b}]\n", {.best = {"time:a", "speed-up:b"}});
    REQUIRE(best.best.size() == 2);
    CHECK(best.best[0].axis == 0);
    CHECK(best.x == 0);
    CHECK(best.best[1].column == ColumnName::speed_up);
    CHECK(best.best[1].axis == 1);
    CHECK(best.derived == std::vector<ColumnName>{ColumnName::speed_up});
    CHECK(study_of(head, {.x = "a", .best = {"time"}}).best[0].axis == 0);  // along x
    CHECK(study_of("model: m.psl\n", {.vary = {"a=1,2", "b=1,2"}, .x = "a"}).x == 0);
    CHECK(study_of("model: m.psl\n", {.ranks = "4,16", .x = "ranks"}).x == 0);

    CHECK(kinds_of(study_faults(head, {.x = "d"})) == Kinds{bad_choice});
    CHECK(kinds_of(study_faults(head, {.best = {"tme:a"}})) == Kinds{bad_choice});
    CHECK(kinds_of(study_faults(head, {.best = {"time:d"}})) == Kinds{bad_choice});
    CHECK(kinds_of(study_faults(head, {.best = {"throughput:a"}})) == Kinds{missing_key});
    CHECK(holds(study_faults(head, {.best = {"tme:a"}}).render(), "did you mean `time`?"));
}

TEST_CASE("files that a study names are relative to it, those of the command line to the scenario") {
    const Scratch scratch;
    scratch.file("codes/a.yaml", "model: a.psl\nplatform: m.yaml\nranks: {columns: 2, rows: 1}\n");
    const std::filesystem::path file = scratch.file("studies/s.yaml",
                                                    "scenario: ../codes/a.yaml\n"
                                                    "axes:\n"
                                                    "  - model: [a.psl, {file: ../codes/a.psl}]\n"
                                                    "    platform: [{file: m.yaml}, m.yaml]\n"
                                                    "    placement: [{file: hosts.txt}, block]\n"
                                                    "    heterogeneity.map: [costs.csv, /costs.csv]\n"
                                                    "    platform.topology.file: [a.edges, a.edges]\n"
                                                    "    calibration: [fitted.yaml, off]\n");
    const auto at = [&](const StudyPlan& plan, const std::vector<std::string>& sets, std::size_t point) {
        return scenario_at(plan, scenario::read_document(plan.scenario, sets), point);
    };
    const StudyPlan plan = read_study(file, {});
    const std::filesystem::path own = scratch.folder() / "studies";
    const std::filesystem::path codes = scratch.folder() / "codes";
    const scenario::Scenario first = at(plan, {}, 0);
    CHECK(first.model == own / "a.psl");
    CHECK(first.model_as_written == "../studies/a.psl");
    CHECK(first.platform == own / "m.yaml");
    CHECK(first.overrides.tree.find("topology")->find("file")->scalar == "../studies/a.edges");
    CHECK(first.placement.request.rank_file == own / "hosts.txt");
    CHECK(first.noise_configuration.map->file == own / "costs.csv");
    CHECK(first.calibration.file == own / "fitted.yaml");
    const scenario::Scenario second = at(plan, {}, 1);
    CHECK(second.model == codes / "a.psl");
    CHECK(second.model_as_written == "a.psl");
    CHECK(second.platform == own / "m.yaml");
    CHECK(second.noise_configuration.map->file == "/costs.csv");
    CHECK_FALSE(second.calibration.on);
    CHECK(describe_point(plan, 0).starts_with("model=a.psl, "));  // as written

    const std::vector<std::string> sets{"placement={file: hosts.txt}"};
    const StudyPlan varied = read_study(codes / "a.yaml", {.vary = {"model=b.psl"}, .sets = sets});
    CHECK(at(varied, sets, 0).model == codes / "b.psl");
    CHECK(at(varied, sets, 0).placement.request.rank_file == codes / "hosts.txt");
}

TEST_CASE("files that the `set` of a study names are relative to it, whatever the current folder") {
    const Scratch scratch;
    scratch.file("codes/a.yaml", "trace: traces\nplatform: m.yaml\nranks: {columns: 2, rows: 1}\n");
    const std::string text =
        "scenario: ../codes/a.yaml\nset: {trace: traces, communicators: all.yaml}\naxes: [{seed: [1]}]\n";
    const std::filesystem::path file = scratch.file("studies/s.yaml", text);
    const auto traces = [](const StudyPlan& plan) {
        return scenario_at(plan, scenario::read_document(plan.scenario, {}), 0).trace;
    };
    CHECK(traces(read_study(file, {}))->list == scratch.folder() / "studies/traces");
    CHECK(traces(read_study(file, {}))->communicators->file == scratch.folder() / "studies/all.yaml");
    const std::filesystem::path from_here = std::filesystem::relative(file);
    CHECK(traces(read_study(from_here, {}))->list == from_here.parent_path() / "traces");
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(scratch.folder() / "studies");
    CHECK(traces(read_study("s.yaml", {}))->list == "../studies/traces");
    std::filesystem::current_path(scratch.folder() / "codes");
    scratch.file("codes/s.yaml", "scenario: a.yaml\naxes: [{trace: [others]}]\n");
    CHECK(traces(read_study("s.yaml", {}))->list == "others");
    std::filesystem::current_path(before);
}
