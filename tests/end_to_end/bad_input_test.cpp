// Every fault of a user: exit status 2, a message per fault with file, line and column on stderr, an empty stdout.
#include "tests/end_to_end/program.hpp"

namespace {

/// Runs `arguments`, which are wrong, and expects each of `parts` in the message.
Outcome refuses(const std::string& arguments, const std::vector<std::string>& parts) {
    CAPTURE(arguments);
    const Outcome outcome = invoke(arguments);
    CAPTURE(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.out == "");
    for (const std::string& part : parts) {
        CAPTURE(part);
        CHECK(holds(outcome.err, part));
    }
    return outcome;
}

std::string scenario(const std::string& model) {
    return "model: " + model + "\nplatform: " WARPFRONT_SOURCE_DIR "/platforms/xt4.yaml\n" +
           "ranks: {columns: 2, rows: 1}\n";
}

/// Returns "`event`, `simgrid`, ... or `allreduce`", from the choices in the help.
std::string engine_alternatives() {
    const std::string help = invoke("run --help").out;
    const std::size_t start = help.find("--engine ") + std::string("--engine ").size();
    std::string text = "`";
    std::size_t last = 0;
    for (const char letter : help.substr(start, help.find_first_of(" \n", start) - start)) {
        if (letter == '|') last = text.size();
        text += letter == '|' ? "`, `" : std::string(1, letter);
    }
    return text.replace(last, 3, "` or ") + "`";
}

}  // namespace

TEST_CASE("a value of `--set` that cannot be is refused at its place") {
    const auto set = [](const std::string& value, const std::vector<std::string>& parts) {
        refuses("run " + kSmall + "--set '" + value + "'", parts);
    };
    set("ranks.columns=20000000", {"ranks.columns=20000000:1:15: error:"});
    set("node.columns=3", {"--set node.columns=3:1:14: error: a patch of 3 x 1 ranks"});  // by the machine
    set("parameters.mk=0", {"error:", "mk"});                                             // by the model
    set("parameters.wg=4usec", {"--set parameters.wg=4usec:1:", "us"});
    set("platform=none.yaml", {"--set platform=none.yaml:1:10: error:", "none.yaml"});
}

TEST_CASE("faults of model, platform and scenario are reported together") {
    refuses("run " + kSmall + "--set parameters.wgg=1us --set 'node={columns: 4, rows: 4}'", {"`wgg`", "--set node="});
    refuses("run " + kSmall + "--set iteration=3 --set ranks.rows=0", {"`iteration`", "ranks.rows=0:1:12"});
}

TEST_CASE("a fault of a scenario or a model is refused with its file, line and column") {
    const Scratch scratch;
    const std::string model = WARPFRONT_SOURCE_DIR "/models/sweep3d/sweep3d.psl";
    const std::string parameters = "parameters: {nx: 8, ny: 8, nz: 8, mk: 1, mmi: 6, mmo: 6}\n";
    scratch.file("m.psl", "application lonely {\n    iteration k {\n        send 8B to east\n    }\n}\n");
    const auto run = [&](const std::string& text) { return "run " + quoted(scratch.file("s.yaml", text)); };
    refuses(run(scenario("m.psl") + "iterations: 1\niterations: 2\n"), {"s.yaml:5:1: error:", "`iterations`"});
    refuses(run(scenario(model) + parameters), {"`wg`"});  // which the model needs
    refuses(run(scenario("none.psl")), {"s.yaml:1:8: error:", "none.psl"});
    refuses(run(scenario("m.psl")), {"m.psl:3:9: error:", "rank 0", "rank 1"});  // a send that no rank receives
}

TEST_CASE("files that are missing, folders or junk are refused") {
    const Scratch scratch;
    const std::string junk("\x00\xff\xfe{[\x01\x02: - \n\x80", 12);
    refuses("run no-such-file.yaml", {"`no-such-file.yaml`"});
    refuses("run models", {"`models`"});
    refuses("run " + quoted(scratch.file("junk.yaml", junk)), {"error:"});
    refuses("check " + quoted(scratch.file("junk.psl", junk)), {"error:"});
    refuses("compare " + kSmall + "--against none.csv", {"`none.csv`"});
    refuses("compare " + kSmall + "--against models", {"`models`"});
    refuses("compare " + kSmall + "--against " + quoted(scratch.file("junk.csv", junk)), {"error:"});
}

TEST_CASE("the message on a wrong command line has the given word, the expected one, and where help is") {
    const auto says = [](const std::string& arguments, const std::string& err) {
        CAPTURE(arguments);
        const Outcome outcome = invoke(arguments);
        CHECK(outcome.status == 2);
        CHECK(outcome.out == "");
        CHECK(outcome.err == err);
    };
    const std::string help = "see `warpfront run --help`\n";
    says("run a.yaml --engine evnt --threads -1",
         "--engine evnt:1:1: error: unknown engine `evnt`\n"
         "    1 | evnt\n"
         "      | ^^^^ expected " +
             engine_alternatives() +
             "; did you mean `event`?\n"
             "--threads -1:1:1: error: `-1` is out of range\n"
             "    1 | -1\n"
             "      | ^^ expected a whole number from 1 to 1024\n" +
             help);
    says("run a.yaml --log-level inf",
         "--log-level inf:1:1: error: unknown level `inf`\n"
         "    1 | inf\n"
         "      | ^^^ expected `error`, `warn`, `info` or `debug`; did you mean `info`?\n" +
             help);
    says("run --hlep", "error: `run` has no option `--hlep`: did you mean `--help`?\n" + help);
    says("run a.yaml -threads 2", "error: `run` has no option `-threads`: did you mean `--threads`?\n" + help);
    says("run --iterations 3 a.yaml",
         "error: `run` has no option `--iterations`: expected `--set iterations=VALUE`\n" + help);
    says("run a.yaml --iterations 3",
         "error: `run` has no option `--iterations`: expected `--set iterations=3`\n" + help);
    says("run a.yaml --seed=7", "error: `run` has no option `--seed`: expected `--set seed=7`\n" + help);
    says("run a.yaml --noise", "error: `run` has no option `--noise`: expected `--set noise=VALUE`\n" + help);
    says("run a.yaml --columns 4",
         "error: `run` has no option `--columns`: expected `--set ranks.columns=4` or `--set node.columns=4`\n" + help);
    says("run a.yaml b.yaml", "error: `b.yaml` is one argument too many: expected `SCENARIO` and options\n" + help);
    says("run", "error: `run` needs `SCENARIO`: expected a scenario file, or jobs side by side (YAML)\n" + help);
    says("run ''", "error: the value of `SCENARIO` is empty: expected a name\n" + help);
    says("run a.yaml --json", "error: `--json` has no value: expected `--json FILE|-`\n" + help);
    says("run a.yaml --json ''", "error: the value of `--json` is empty: expected a name\n" + help);
    says("run a.yaml --seeds 2 --seeds 3", "error: `--seeds` is given 2 times: expected it once\n" + help);
    says("run a.yaml --quiet=5", "error: `--quiet` is given a value: expected the option without a value\n" + help);
    says("estimate a.yaml --seeds 3",
         "error: `estimate` has no option `--seeds`: this option belongs to `run`, `compare` or `study`\n"
         "see `warpfront estimate --help`\n");
    says("rn a.yaml", "error: unknown subcommand `rn`: did you mean `run`?\nsee `warpfront --help`\n");
    says("--hlep", "error: `warpfront` has no option `--hlep`: did you mean `--help`?\nsee `warpfront --help`\n");
    says("trace a.yaml",
         "error: `trace` needs `--out DIR`: expected the folder to write, with a script that replays "
         "it\nsee `warpfront trace --help`\n");
}

TEST_CASE("no subcommand, a value outside its range, and an override without a value are refused") {
    refuses("", {"subcommand"});
    refuses("run a.yaml --seeds 0", {"--seeds 0:1:1: error: `0` is out of range", "from 2 to 100000"});
    refuses("run " + kSmall + "--set iterations", {"no `=`"});
}

TEST_CASE("a file of another kind is refused once, by its kind") {
    const auto says = [](const std::string& arguments, const std::string& part) {
        CHECK(count(refuses(arguments, {part}).err, "error:") == 1);
    };
    says("run models/lu/lu.psl",
         "`models/lu/lu.psl` is a model: expected a scenario (.yaml); a scenario names a model");
    says("run platforms/xt4.xml", "`platforms/xt4.xml` is a SimGrid platform: expected a scenario");
    says("run models/lu/measured/xt3.csv", "is a table: expected a scenario (.yaml); `compare --against` takes");
    says("run platforms/xt4.yaml", "`platforms/xt4.yaml` is a hardware file");
    const Scratch scratch;
    const auto result = scratch.file("r.json", "{\n  \"schema\": \"warpfront.result/1\",\n  \"ranks\": 2\n}\n");
    says("run " + quoted(result), "r.json` is a result");
    says("compare models/lu/lu.yaml --against models/lu/lu.yaml",
         "`models/lu/lu.yaml` is a scenario: expected a published table (.csv)");
    says("check models", "`models` is a directory: expected files, such as `models/*.yaml`");
    says("check README.md", "`check` does not accept files such as `README.md`: expected a model (.psl), a scenario");
    says("check platforms/xt4.xml", "expected the hardware file (.yaml) that names this SimGrid platform");
    says("check models/lu/measured/xt3.csv", "`warpfront compare SCENARIO --against FILE.csv` checks a table");
    says("check no-such-file", "cannot read `no-such-file`: no such file");
    says("check --platform models/lu/lu.yaml", "`models/lu/lu.yaml` is a scenario");
}

TEST_CASE("every command names a file of another kind, and the kind that it expects") {
    const std::vector<std::pair<std::string, std::string>> commands{
        {"run ", "expected a scenario (.yaml)"},
        {"estimate ", "expected a scenario (.yaml)"},
        {"explain ", "expected a scenario (.yaml)"},
        {"compare ", "expected a scenario (.yaml)"},
        {"trace --out t ", "expected a scenario (.yaml)"},
        {"check --scenario ", "expected a scenario (.yaml)"},
        {"check --platform ", "expected a hardware file (.yaml)"},
        {"study ", "expected a study (.yaml), with a key `axes` or `variants`, or a scenario and"},
        {"sources ", "expected a study, with a key `axes` or `variants`, or a list with `comparisons` (.yaml)"},
        {"calibrate ", "expected a plan of a calibration (.yaml)"},
        {"serve ", "expected a scenario (.yaml)"},
        {"report -o t.html ", "expected a result of `--json` (.json)"},
        {"fit -o t.yaml ", "expected a table of a benchmark"},
        {"compare models/lu/lu.yaml --against ", "expected a published table (.csv)"},
        {"run models/lu/lu.yaml --set model=../../", "expected a model (.psl)"},
        {"run models/lu/lu.yaml --set platform=../../", "expected a hardware file (.yaml)"},
        {"run models/lu/lu.yaml --set calibration=../../", "expected a calibration (.yaml)"}};
    const std::vector<std::pair<std::string, std::string>> files{
        {"README.md", "is a page"}, {"models/main-job.png", "is a picture"}, {"tests/codes/sweep.c", "is source code"}};
    for (const auto& [command, expected] : commands) {
        for (const auto& [file, kind] : files) {
            const std::string arguments = command + file;
            CAPTURE(arguments);
            CHECK(count(refuses(arguments, {kind, expected}).err, "error:") == 1);
        }
    }
    for (const auto& [command, expected] : commands) {
        if (command.starts_with("check") || command.starts_with("study") || command.ends_with("../../")) continue;
        const bool takes_jobs = command == "run ";
        if (!takes_jobs) refuses(command + "models/jobs/sweep-and-transfers.yaml", {"is a file of jobs", expected});
        refuses(command + "platforms/xt4.yaml", {"is a hardware file", expected});
        if (command != "calibrate ") refuses(command + "models/calibration/xt4.yaml", {"is a plan", expected});
    }
}

TEST_CASE("help and version are no faults") {
    for (const std::string arguments : {"--help", "run --help", "estimate --help", "compare --help", "check --help"}) {
        CAPTURE(arguments);
        const Outcome outcome = invoke(arguments);
        CHECK(outcome.status == 0);
        CHECK(holds(outcome.out, "warpfront"));
        CHECK(holds(outcome.out, "Examples:\n  warpfront run") == (arguments == "--help" || arguments == "run --help"));
        CHECK(holds(outcome.out, "Examples:\n  warpfront "));
        CHECK(outcome.err == "");
    }
    CHECK(invoke("--version").out == "warpfront 0.1.0\n");
}
