// Files and a stdout that cannot be written: reported, early if possible, and the rest of the answer is kept.
// `--log-level` selects the messages on stderr; the answer on stdout is the same except for its notes.
#include "tests/end_to_end/program.hpp"

namespace {

/// A run of many hours.
const std::string kEndless = kSmall + "--replay full --set iterations=100000000 ";

/// Returns the messages on stderr of a run whose timeline is empty, because the run is over before the window begins.
std::string messages_of_warned_run(const std::string& options) {
    const Scratch scratch;
    const Outcome outcome = invoke("run " + kSmall + "--timeline-time 100s..101s --timeline " +
                                   quoted(scratch.folder() / "timeline.json") + " " + options);
    CHECK(outcome.status == 0);
    return without_heartbeats(outcome.err);
}

}  // namespace

TEST_CASE("JSON that cannot be written is refused before the run") {
    const Outcome folder = invoke("run " + kEndless + "--json no-such-folder/r.json");
    CHECK(folder.status == 2);
    CHECK(folder.out == "");
    CHECK(folder.err == "error: cannot write `no-such-folder/r.json`: there is no folder `no-such-folder`\n");
    CHECK(invoke("run " + kEndless + "--json models").err == "error: cannot write `models`: it is a directory\n");
    CHECK(invoke("estimate " + kEndless + "--json no-such-folder/r.json").status == 2);
    CHECK(invoke("compare " + kEndless + "--json no-such-folder/r.json").status == 2);
    CHECK(invoke("run " + kEndless + "--json /proc/r.json").status == 2);
}

TEST_CASE("a full disk for ranks or a timeline loses neither the table nor the JSON") {
    const Scratch scratch;
    const auto result = scratch.folder() / "r.json";
    std::filesystem::create_symlink("/dev/full", scratch.folder() / "t.json");
    const Outcome outcome = invoke("run " + kSmall + "--set iterations=1 --ranks /dev/full --timeline " +
                                   quoted(scratch.folder() / "t.json") + " --json " + quoted(result));
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.out, "predicted time"));
    CHECK(nlohmann::json::parse(text_of(result)).at("schema") == "warpfront.result/1");
    CHECK(without_heartbeats(outcome.err) == fmt::format("error: cannot write `{}`: no space left on device\nerror: "
                                                         "cannot write `/dev/full`: no space left on device\n",
                                                         (scratch.folder() / "t.json").string()));
}

TEST_CASE("an output that is an input of the same run is refused, and the input stays") {
    const Scratch scratch;
    const auto result = scratch.folder() / "r.json";
    REQUIRE(invoke("run " + kSmall + "--json " + quoted(result)).status == 0);
    const std::string before = text_of(result);
    const Outcome report = invoke(fmt::format("report {0} -o {0} --force", quoted(result)));
    CHECK(report.status == 2);
    CHECK(report.err == fmt::format("error: cannot write `{}`: it is an input of this run; expected another name\n",
                                    result.string()));
    CHECK(text_of(result) == before);
    const auto table = scratch.folder() / "t.csv";
    std::filesystem::copy_file(
        std::filesystem::path(WARPFRONT_SOURCE_DIR) / "tools/from_code/fitting/tables/open-mpi.csv", table);
    const std::string rows = text_of(table);
    CHECK(holds(invoke(fmt::format("fit {0} -o {0} --force", quoted(table))).err, "it is an input of this run"));
    CHECK(holds(invoke(fmt::format("fit {0} -o {0}", quoted(table))).err, "warpfront did not write it"));
    CHECK(text_of(table) == rows);
    const OwnModel model("model m { proc main { } }");
    CHECK(holds(invoke(fmt::format("run {} --force --json {}", quoted(model.folder() / "s.yaml"),
                                   quoted(model.folder() / "m.psl")))
                    .err,
                "it is an input of this run"));
}

TEST_CASE("a file that warpfront did not write is kept without --force; its own files are replaced") {
    const Scratch scratch;
    const auto own = [&](const char* name) { return quoted(scratch.folder() / name); };
    const auto mine = scratch.file("mine.yaml", "my: notes\n");
    const std::string kept = fmt::format(
        "error: cannot write `{}`: it exists, and warpfront did not write it; expected another name, or `--force`\n",
        mine.string());
    const std::string run = "run " + kSmall + "--set iterations=1 ";
    const Outcome outcome = invoke(run + "--json " + quoted(mine));
    CHECK(outcome.status == 2);
    CHECK(outcome.out == "");
    CHECK(outcome.err == kept);
    const Outcome paraver =
        invoke(run + "--timeline " + quoted(scratch.file("mine.prv", "#Paraver (by another one)\n")));
    CHECK(paraver.out == "");
    CHECK(holds(paraver.err, "warpfront did not write it"));
    CHECK(invoke("fit tools/from_code/fitting/tables/open-mpi.csv -o " + quoted(mine)).err == kept);
    CHECK(invoke("calibrate models/none.yaml --json " + quoted(mine)).err == kept);
    CHECK(invoke("opcodes -o " + quoted(mine)).err == kept);
    const auto model_beside = scratch.folder() / "mine.psl";  // its scenario is mine.yaml
    CHECK(invoke("learn no-run -o " + quoted(model_beside)).err == kept);
    CHECK(holds(invoke("record --mpicc mpicc --object " + quoted(mine)).err, "warpfront did not write it"));
    CHECK(text_of(mine) == "my: notes\n");
    CHECK(invoke(run + "--force --json " + quoted(mine)).status == 0);
    CHECK(nlohmann::json::parse(text_of(mine)).at("schema") == "warpfront.result/1");

    const std::string small = kSmall + "--set iterations=1 ";
    std::vector<std::string> commands{
        run + "--json " + own("r.json") + " --csv " + own("r.csv") + " --ranks " + own("ranks.csv"),
        "explain " + small + "--json " + own("e.json"),
        "estimate " + small + "--csv " + own("s.csv"),
        "compare " + small + "--csv " + own("c.csv") + " --json " + own("c.json"),
        "study " + small + "--vary parameters.mk=10,20 --out " + own("study"),
        "trace " + small + "--out " + own("traces"),
        "report " + own("r.json") + " -o " + own("p.html"),
        "fit tools/from_code/fitting/tables/open-mpi.csv -o " + own("f.yaml") + " --json " + own("f.json")};
    for (const char* ending : {"pftrace", "json", "otf2", "prv"}) {
        commands.push_back(run + "--timeline " + quoted(scratch.folder() / "timelines" / fmt::format("t.{}", ending)));
    }
    std::filesystem::create_directory(scratch.folder() / "timelines");
    for (const std::string& command : commands) {
        for (const char* turn : {"first", "second"}) {
            CAPTURE(command);
            CAPTURE(turn);
            const Outcome done = invoke(command);
            CHECK_MESSAGE(done.status == 0, done.err);
        }
    }
}

TEST_CASE("every command notices a stdout that is full") {
    const Scratch scratch;
    const std::string out = quoted(scratch.folder() / "traces");
    for (const std::string& command :
         {"run " + kSmall, "run " + kSmall + "--json -", "estimate " + kSmall, "compare " + kSmall,
          "compare " + kSmall + "--json -", "trace " + kSmall + "--set iterations=1 --out " + out,
          std::string("check models/lu/lu.psl"), std::string("check --platform platforms/xt4.yaml"),
          std::string("--help"), std::string("run --help"), std::string("--version")}) {
        CAPTURE(command);
        const Outcome outcome = invoke(command + " >/dev/full");
        CHECK(outcome.status == 2);
        CHECK(without_heartbeats(outcome.err) == "error: cannot write `stdout`: no space left on device\n");
    }
}

TEST_CASE("the level error leaves out warnings, the other levels and --quiet have them") {
    const std::string warned = messages_of_warned_run("");
    CHECK(warned.starts_with("warning: "));
    CHECK(count(warned, "\n") == 1);
    CHECK(messages_of_warned_run("--log-level error") == "");
    CHECK(messages_of_warned_run("--log-level warn") == warned);
    CHECK(messages_of_warned_run("--log-level info") == warned);
    CHECK(messages_of_warned_run("--quiet") == warned);
    CHECK(holds(messages_of_warned_run("--log-level debug"), warned));
    CHECK(messages_of_warned_run("--quiet --log-level error") == "");
}

TEST_CASE("the level error leaves out the notes of tables, the other levels have them") {
    const auto table = [](const std::string& options) {
        return invoke("run models/chimaera/chimaera.yaml --set iterations=1 " + options).out;
    };
    CHECK(holds(table(""), "\nnote: "));
    CHECK(holds(table("--log-level warn"), "\nnote: "));
    CHECK(!holds(table("--log-level error"), "note: "));
    CHECK(!holds(invoke("compare models/chimaera/chimaera.yaml --set iterations=1 --log-level error").out, "note: "));
}

TEST_CASE("the level debug reports what was read, the machine, the engine, and the resources used") {
    const Outcome outcome =
        invoke("run " + kSmall + "--seeds 2 --threads 2 --set noise.cv=0.05 --set seed=1 --log-level debug");
    CHECK(outcome.status == 0);
    for (const std::string& line : lines_of(without_heartbeats(outcome.err)))
        CHECK_MESSAGE(line.starts_with("debug: "), line);
    for (const char* part : {"read `", "/billion.yaml`, `", "/sweep3d.psl`", "machine `", "16 ranks on 8 nodes",
                             "engine `event`, seed 1", "engine `event`, seed 2", "threads: 1", " of memory needed, ",
                             " available", " of 24,576 messages simulated in "}) {
        CHECK_MESSAGE(holds(outcome.err, part), std::string(part));
    }
    const Outcome closed_form = invoke("run " + kSmall + "--engine analytic --log-level debug");
    CHECK(holds(closed_form.err, "engine `analytic`"));
    CHECK(closed_form.out == invoke("run " + kSmall + "--engine analytic").out);
}

TEST_CASE("each sub-command takes a level, and errors are of every level") {
    for (const char* command : {"run", "explain", "estimate", "compare", "study", "serve", "calibrate"}) {
        const Outcome outcome = invoke(std::string(command) + " no.yaml --log-level error");
        CHECK(outcome.status == 2);
        CHECK(holds(outcome.err, "cannot read `no.yaml`"));
    }
    CHECK(holds(invoke("trace no.yaml --out build/no --log-level error").err, "cannot read `no.yaml`"));
    CHECK(holds(invoke("report no.json -o - --log-level error").err, "cannot read `no.json`"));
    CHECK(holds(invoke("check no.yaml --log-level error").err, "cannot read `no.yaml`"));
    CHECK(invoke("lsp --log-level error").err == "");
}
