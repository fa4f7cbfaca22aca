// Studies: keys that hide one another, and values, labels and bests that occur twice.
#include "tests/tools/experiments.hpp"
#include "tests/tools/study/study_texts.hpp"

TEST_CASE("the same key twice is a fault: in two options, in an option and --set, in a file's axis and `set`") {
    const auto kinds = [](const StudyArguments& arguments) {
        return kinds_of(study_faults("model: m.psl\n", arguments));
    };
    const Kinds conflict{conflicting_keys};
    CHECK(kinds({.vary = {"a=1", "a=2"}}) == conflict);
    CHECK(kinds({.vary = {"platform.bus.enabled=on", "platform.bus.enabled=off"}}) == conflict);
    CHECK(kinds({.vary = {"ranks.rows=4"}, .ranks = "16"}) == conflict);
    CHECK(kinds({.vary = {"a=1"}, .sets = {"a=2"}}) == conflict);
    CHECK(kinds({.vary = {"a={b: 1}"}, .sets = {"a.b=2"}}) == conflict);
    CHECK(kinds({.vary = {"a.b=1"}, .sets = {"a={b: 2, c: 3}"}}) == conflict);
    CHECK(study_of("model: m.psl\n", {.vary = {"a.b=1"}, .sets = {"a={c: 3}"}}).points() == 1);
    CHECK(study_of("model: m.psl\n", {.vary = {"platform=x.yaml", "platform.bus.enabled=on"}}).points() == 1);

    const std::string file = "scenario: a.yaml\nset: {a: 3}\naxes: [{b: [1, 2]}]\n";
    CHECK(study_of(file, {.vary = {"a=1,2"}}).points() == 4);  // the command line comes after the file
    CHECK(kinds_of(study_faults("scenario: a.yaml\nset: {b: 3}\naxes: [{b: [1, 2]}]\n")) == conflict);
    CHECK(kinds_of(study_faults(file, {.sets = {"b=1"}})) == conflict);
    CHECK(holds(study_faults(file, {.sets = {"b=1"}}).render(), "`b` has no effect, since an axis sets `b`"));
}

TEST_CASE(
    "a machine and what lies within it are axes beside each other, in either order and from file or command line") {
    const std::string base = "model: m.psl\n";
    for (const std::vector<std::string>& vary :
         {std::vector<std::string>{"platform=a.yaml,b.yaml", "platform.layers.network.L=1x,2x"},
          std::vector<std::string>{"platform.layers.network.L=1x,2x", "platform=a.yaml,b.yaml"}}) {
        CHECK(study_of(base, {.vary = vary}).points() == 4);
    }
    CHECK(study_of("scenario: a.yaml\naxes: [{platform: [a.yaml, b.yaml]}]\n",
                   {.vary = {"platform.layers.network.L=1us,10us,20us"}})
              .points() == 6);
}

TEST_CASE("two names of one quantity are one key: cells of a rank or of the grid, a machine or its file") {
    const Kinds conflict{conflicting_keys};
    CHECK(kinds_of(axis_faults("{cells_per_rank.x: [1]}, {parameters.nx: [2]}")) == conflict);
    CHECK(kinds_of(axis_faults("{platform: [a.yaml]}, {platform.file: [b.yaml]}")) == conflict);
    CHECK(kinds_of(study_faults("model: m.psl\n", {.vary = {"cells_per_rank.y=1,2"}, .sets = {"parameters.ny=100"}})) ==
          conflict);
}

TEST_CASE("planes are no axis beside --ranks, whose arrays have those of the scenario") {
    const Kinds conflict{conflicting_keys};
    const std::string scenario = "model: m.psl\nranks: {columns: 4, rows: 4, planes: 4}\n";
    CHECK(kinds_of(study_faults(scenario, {.vary = {"ranks.planes=2,4"}, .ranks = "64"})) == conflict);
}

TEST_CASE("a key within a mapping that is set is a fault beside an axis that hides it, at its own place") {
    const Kinds conflict{conflicting_keys};
    const std::string scenario = "model: m.psl\nranks: {columns: 2, rows: 2}\n";
    const auto faults =
        study_faults(scenario, {.vary = {"ranks.columns=2,4"}, .sets = {"ranks={columns: 8, rows: 8}"}});
    CHECK(kinds_of(faults) == conflict);
    CHECK(faults.render() ==
          "--set ranks={columns: 8, rows: 8}:1:8: error: `ranks.columns` has no effect, since an axis sets "
          "`ranks.columns`\n"
          "    1 | ranks={columns: 8, rows: 8}\n"
          "      |        ^^^^^^^ expected the values by `--vary`, or no `--set` of this key\n");
    CHECK(kinds_of(study_faults(
              "scenario: a.yaml\nset: {ranks: {columns: 8, rows: 8}}\naxes: [{ranks.columns: [2, 4]}]\n")) == conflict);
    CHECK(kinds_of(study_faults(scenario, {.vary = {"cells_per_rank.x=2,4"}, .sets = {"parameters={nx: 8}"}})) ==
          conflict);
    CHECK(kinds_of(study_faults(
              scenario, {.vary = {"platform.cores=2,4"}, .sets = {"platform={file: p.yaml, cores: 8}"}})) == conflict);
    CHECK(
        study_of(scenario, {.vary = {"platform.cores=2,4"}, .sets = {"platform={file: p.yaml, chips: 1}"}}).points() ==
        2);
    // --ranks keeps only its ratio of columns to rows.
    CHECK(study_of(scenario, {.ranks = "16", .sets = {"ranks={columns: 8, rows: 8}"}}).points() == 1);
}

TEST_CASE("keys of `set` that hide one another are a fault") {
    const auto kinds = [](const std::string& set) {
        return kinds_of(study_faults("scenario: a.yaml\nset: {" + set + "}\naxes: [{a: [1]}]\n"));
    };
    const Kinds conflict{conflicting_keys};
    CHECK(kinds("ranks.columns: 4, ranks: {columns: 8, rows: 8}") == conflict);
    CHECK(kinds("parameters.nx: 4, cells_per_rank.x: 8") == conflict);
    CHECK(
        kinds("'platform.layers.network[up_to=1KiB].o_send': 2x, 'platform.layers.network[up_to=1024B].o_send': 4x") ==
        conflict);
    CHECK(kinds("platform: p.yaml, platform.cores: 8").empty());
}

TEST_CASE("a row of a layer is one key of axes, however its size is written, and messages have it as written") {
    const std::string kib = "platform.layers.network[up_to=1KiB].o_send",
                      bytes = "platform.layers.network[up_to=1024B].o_send";
    const std::string base = "model: m.psl\n";
    const Kinds conflict{conflicting_keys};
    const auto faults = study_faults(base, {.vary = {kib + "=1x,2x", bytes + "=1x,4x"}});
    CHECK(kinds_of(faults) == conflict);
    CHECK(holds(faults.render(), "`" + bytes + "` conflicts with `" + kib + "` of another option"));
    CHECK(kinds_of(study_faults(base, {.vary = {kib + "=1x,2x"}, .sets = {bytes + "=4x"}})) == conflict);
    CHECK(vary_faults(kib + "," + bytes + "=1x:2x") == Kinds{duplicate_key});
    CHECK(study_of(base, {.vary = {kib + "=1x,2x", "b=1,2"}, .x = bytes}).x == 0);
    const StudyPlan replaced =
        study_of("scenario: a.yaml\naxes: [{'" + kib + "': [1x, 2x]}, {b: [1]}]\n", {.vary = {bytes + "=4x,8x,16x"}});
    CHECK(replaced.points() == 3);
}

TEST_CASE("a value that stands twice in an axis is a fault at its place, in whatever form") {
    const Kinds twice{duplicate_key};
    for (const char* values : {"4,4", "4,2,4.0", "1KiB,1024B", "1us,1000ns", "on,true", "1..3,2", "x,y,x",
                               "{a: 1, b: 2},{b: 2.0, a: 1}", "2x,2.0x"}) {
        CAPTURE(values);
        CHECK(vary_faults(std::string("k=") + values) == twice);
    }
    for (const char* values :
         {"4,4us", "1kB,1KiB", "4,-4", "2,2x", "9007199254740992,9007199254740993", "{a: 1},{b: 1}", "on,1"}) {
        CAPTURE(values);
        CHECK(vary_faults(std::string("k=") + values).empty());
    }
    CHECK(vary_faults("a,b=1:2,1:3,1:2.0") == twice);
    CHECK(vary_faults("a,b=1:2,1:3").empty());
    CHECK(kinds_of(axis_faults("{a: [1, 1]}")) == twice);
    CHECK(kinds_of(axis_faults("{a: [1, 1], b: [2, 2]}")) == twice);
    CHECK(kinds_of(study_faults("model: m.psl\nranks: {columns: 2, rows: 2}\n", {.ranks = "16,16"})) == twice);
    CHECK(study_faults("model: m.psl\n", {.vary = {"mk=4,2,4.0"}}).render() ==
          "--vary mk=4,2,4.0:1:8: error: `4.0` is the same value as `4`\n"
          "    1 | mk=4,2,4.0\n"
          "      |        ^^^ expected each value of an axis once\n");
}

TEST_CASE("labels of an axis differ, and so do the names of labels and keys") {
    const Kinds twice{duplicate_key};
    CHECK(kinds_of(axis_faults("{a: [1, 2, 3], label: {l: [x, y, x]}}")) == twice);
    CHECK(kinds_of(axis_faults("{a: [1, 2], label: {l: [x, y]}}, {b: [1, 2], label: {l: [u, v]}}")) == twice);
    CHECK(kinds_of(axis_faults("{a: [1, 2], label: {b: [x, y]}}, {b: [1, 2]}")) == twice);
    CHECK(holds(axis_faults("{a: [1, 2], label: {l: [x, x]}}").render(), "error: two values have the label `x`"));
}

TEST_CASE("a best stands once and along an axis of several values") {
    const std::string head = "scenario: a.yaml\naxes: [{a: [1, 2]}, {b: [1, 2]}, {c: [1]}]\n";
    const Kinds twice{duplicate_key}, single{out_of_range};
    CHECK(kinds_of(study_faults(head, {.best = {"time:a", "time:a"}})) == twice);
    CHECK(kinds_of(study_faults(head, {.best = {"time:b", "time"}})) == twice);  // b is the axis of pictures
    CHECK(study_of(head, {.best = {"time:a", "time:b", "speed-up:a"}}).best.size() == 3);
    CHECK(kinds_of(study_faults(head + "best: [{of: time, over: a}, {of: time, over: a}]\n")) == twice);
    CHECK(kinds_of(study_faults(head, {.best = {"time:c"}})) == single);
    CHECK(kinds_of(study_faults(head + "best: [{of: time, over: c}]\n")) == single);
    CHECK(holds(study_faults(head, {.best = {"time:c"}}).render(),
                "error: the best time along `c`, which has one value"));
    // The file's best stays if the command line has a single value of its axis.
    CHECK(study_of(head + "best: [{of: time, over: a}]\n", {.vary = {"a=2"}}).best.size() == 1);
}

TEST_CASE("several seeds exclude an axis of seeds, and count among the points of a study") {
    const std::string file = "scenario: a.yaml\nseeds: 4\naxes: [{seed: [1, 2]}]\n";
    CHECK(kinds_of(study_faults(file)) == Kinds{conflicting_keys});
    CHECK(holds(study_faults(file).render(), "an axis of `seed` cannot be combined with 4 seeds of each point"));
    CHECK(study_of(file, {.seeds = 1}).seeds == 1);  // the option replaces the key
    CHECK(study_of("scenario: a.yaml\nseeds: 4\naxes: [{a: [1, 2]}]\n").seeds == 4);
    CHECK(study_of("model: m.psl\n", {.vary = {"a=1,2"}, .seeds = 5}).seeds == 5);
    CHECK(kinds_of(study_faults("scenario: a.yaml\nseeds: 0\naxes: [{a: [1, 2]}]\n")) == Kinds{out_of_range});
    CHECK(kinds_of(study_faults("scenario: a.yaml\nseeds: 1000\naxes: [{a: {from: 1, to: 2000}}]\n")) ==
          Kinds{out_of_range});
}
