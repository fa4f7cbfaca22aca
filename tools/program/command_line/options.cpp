#include "tools/program/command_line/options.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/common.h>

#include "simulator/input/quantity.hpp"
#include "simulator/results/ensemble.hpp"
#include "tools/answer/prediction/option_values.hpp"
#include "tools/study/axis.hpp"

namespace warpfront::tools {

namespace {

constexpr unsigned kMostThreads = 1024;
constexpr std::string_view kSetHelp = "override a key of the scenario, such as ranks.columns=256; may be repeated";
constexpr std::string_view kAgainstHelp =
    "a published table: each row changes the scenario. Columns: n, m (ranks), nx, ny (cells per rank), nz, "
    "Wg, Wg_fix (s), htile, cores_per_node, pred, warpp, pace, exec (s), pred_us, exec_us, or a path such as "
    "parameters.wg; "
    "problem, cells, ranks, comp, comm are passed through";

/// Describes each engine, for the help of the sub-commands that take one.
std::string engines_text() {
    std::string text = "Engines:";
    const std::size_t engines = engine_names().size();
    for (std::size_t number = 0; number < engines; ++number) {
        const Engine engine(number);
        text += fmt::format("\n  {:<26}{}", name_of(engine), description_of(engine));
    }
    return text + "\n\n";
}

/// Resolves an input file of the command line. If a relative path does not exist, it is searched in the installation of
/// the program: the program is bin/warpfront, its files are below share/warpfront and share/warpfront/models. A note
/// names the place where the file was found.
std::string installed(const std::string& named, std::vector<std::string>& notes) {
    std::error_code ignored;
    if (named.empty() || std::filesystem::path(named).is_absolute() || std::filesystem::exists(named, ignored))
        return named;
    const std::filesystem::path shared =
        std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "share/warpfront";
    for (const std::filesystem::path& folder : {shared, shared / "models"}) {
        const std::filesystem::path found = folder / named;
        if (!std::filesystem::is_regular_file(found, ignored)) continue;
        notes.push_back(fmt::format("`{}` does not exist, so `{}` is used", named, found.string()));
        return found.string();
    }
    return named;
}

spdlog::level::level_enum read_log_level(const OptionValue& value, Diagnostics& faults) {
    static const std::array<std::string, 4> kNames{"error", "warn", "info", "debug"};
    constexpr std::array levels{spdlog::level::err, spdlog::level::warn, spdlog::level::info, spdlog::level::debug};
    return levels.at(read_choice(value, "level", kNames, faults));
}

/// A sub-command to which options are added.
class Command {
public:
    /// Makes a sub-command that calls `act` once the command line is read.
    Command(CLI::App& app, const std::string& name, const std::string& what, AllOptions& options, Diagnostics& faults,
            std::function<ExitStatus()> act)
        : command_(*app.add_subcommand(name, what)), notes_(options.notes), outputs_(options.outputs), faults_(faults) {
        options.actions[name] = std::move(act);
        command_.footer(examples_text(name));
        add("--log-level", "error|warn|info|debug",
            "the messages that go to stderr: those of this level and of the levels before it (default: info)",
            [&options](const OptionValue& value, Diagnostics& wrong) {
                options.log_level = read_log_level(value, wrong);
            });
        static constexpr std::array<std::string_view, 3> kWithoutOutput{"check", "lsp", "serve"};
        if (std::ranges::find(kWithoutOutput, name) != kWithoutOutput.end()) return;
        add_flag("--force", options.force, "replace files that warpfront did not write");
    }

    void add_flag(const std::string& name, bool& given, const std::string& help) {
        command_.add_flag(name, given, help)->disable_flag_override();
    }

    /// Adds an option with one value, which is passed to `read`. The help shows `form` in place of the value.
    CLI::Option& add(const std::string& name, const std::string& form, std::string_view help,
                     std::function<void(const OptionValue&, Diagnostics&)> read) {
        const auto read_text = [name, read = std::move(read), &faults = faults_](const std::string& text) {
            read(option_value(name, text), faults);
        };
        CLI::Option& option = *command_.add_option_function<std::string>(name, read_text, std::string(help));
        if (!option.get_positional()) option.type_name(form);
        return option;
    }

    /// Adds an option whose value is kept as it is, with its place or as text alone.
    template <typename Target>
    CLI::Option& add_kept(const std::string& name, const std::string& form, std::string_view help, Target& target) {
        return add(name, form, help, [&target](const OptionValue& value, Diagnostics&) {
            if constexpr (std::is_assignable_v<Target&, const OptionValue&>) {
                target = value;
            } else {
                target = value.text;
            }
        });
    }

    /// Adds an option that may be repeated, each time with one value.
    template <typename Value>
    CLI::Option& add_repeated(const std::string& name, const std::string& form, const std::string& help,
                              std::vector<Value>& values) {
        const auto keep = [name, &values](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
                if constexpr (std::is_same_v<Value, OptionValue>) {
                    values.push_back(option_value(name, text));
                } else {
                    values.emplace_back(text);
                }
            }
        };
        CLI::Option& option = *command_.add_option_function<std::vector<std::string>>(name, keep, help);
        return *option.type_name(form)->allow_extra_args(false);
    }

    void add_scenario(std::filesystem::path& scenario, std::vector<std::string>& sets,
                      std::string_view is = "a scenario file (YAML)") {
        add_input("SCENARIO", "", is, scenario).required();
        add_sets(sets);
    }

    template <typename Path>
    CLI::Option& add_path(const std::string& name, const std::string& form, std::string_view help, Path& path) {
        return add(name, form, help, [name, &path](const OptionValue& value, Diagnostics& faults) {
            if (value.text.empty()) {
                faults.add(DiagnosticKind::bad_option, {}, fmt::format("the value of `{}` is empty", name),
                           "expected a name");
            }
            path = value.text;
        });
    }

    /// Adds a file or folder to write, or stdout.
    template <typename Path>
    CLI::Option& add_output(const std::string& name, const std::string& form, std::string_view help, Path& path) {
        return writes(add_path(name, form, help, path), fmt::format("`{}`", name.substr(0, name.find(','))));
    }

    /// Notes the value of the option, with the extension if one is given, as the name of an output.
    CLI::Option& writes(CLI::Option& option, const std::string& called, const char* extension = nullptr) {
        const auto note = [called, extension, &outputs = outputs_](const std::string& target) {
            std::filesystem::path path(target);
            if (extension != nullptr) path.replace_extension(extension);
            outputs.push_back({called, path.string()});
        };
        return *option.each(note);
    }

    /// Adds a file to read, which may come from the installation.
    template <typename Path>
    CLI::Option& add_input(const std::string& name, const std::string& form, std::string_view help, Path& path) {
        return *add_path(name, form, help, path).transform(found());
    }
    CLI::Option& add_inputs(const std::string& name, const std::string& help,
                            std::vector<std::filesystem::path>& paths) {
        return *command_.add_option(name, paths, help)->transform(found());
    }

    void add_sets(std::vector<std::string>& sets) { add_repeated("--set", "PATH=VALUE", std::string(kSetHelp), sets); }

    void add_json(std::optional<std::string>& json) {
        add_output("--json", "FILE|-", "write the result to a file, or to stdout (-) in place of the table", json);
    }

    void add_csv(std::optional<std::string>& csv) {
        add_output("--csv", "FILE|-", "write the result as CSV to a file, or to stdout (-) in place of the table", csv);
    }

    void add_engines(std::string_view help, std::vector<Engine>& engines) {
        add("--engines", fmt::format("{}", fmt::join(engine_names(), ",")), help,
            [&engines](const OptionValue& value, Diagnostics& wrong) { engines = read_engines(value, wrong); });
    }

    void add_replay(engine::Replay& replay) {
        add("--replay", "auto|full", "auto skips iterations that repeat, with the same times (default: auto)",
            [&replay](const OptionValue& value, Diagnostics& faults) { replay = read_replay(value, faults); });
    }

    /// Adds a whole number in [least, most].
    template <typename Count>
    void add_count(const std::string& name, std::string_view help, std::uint32_t least, std::uint32_t most,
                   Count& count) {
        add(name, "N", help, [least, most, &count](const OptionValue& value, Diagnostics& faults) {
            count = static_cast<std::uint32_t>(input::parse_integer(value.text, value.range, least, most, faults));
        });
    }

    void add_threads(unsigned& threads) {
        add_count("--threads", "threads of the host; the result does not depend on them (default: 1)", 1, kMostThreads,
                  threads);
    }

    CLI::App& app() { return command_; }

private:
    std::function<std::string(std::string)> found() const {
        return [&notes = notes_](const std::string& named) { return installed(named, notes); };
    }

    CLI::App& command_;
    std::vector<std::string>& notes_;
    std::vector<OutputName>& outputs_;
    Diagnostics& faults_;
};

void add_timeline(Command& command, TimelineOptions& options) {
    CLI::Option& timeline = command.add_kept(
        "--timeline", "FILE",
        "write the activities of ranks over time for a viewer: FILE.pftrace, .json, .otf2 or .prv", options.file);
    command.writes(timeline, "`--timeline`");
    command.add(
        "--timeline-ranks", "A..B", "ranks to include (default: the first 256)",
        [&options](const OptionValue& value, Diagnostics& wrong) { read_timeline_ranks(value, options, wrong); });
    command.add(
        "--timeline-time", "A..B", "time to include, such as 0us..500us (default: the first iteration)",
        [&options](const OptionValue& value, Diagnostics& wrong) { read_timeline_time(value, options, wrong); });
}

void add_run(CLI::App& app, AllOptions& all, Diagnostics& faults) {
    RunOptions& options = all.run;
    Command command(app, "run", "predict the time of one run", all, faults, [&options] { return run(options); });
    command.app().footer(engines_text() + examples_text("run"));
    command.add_scenario(options.scenario, options.sets, "a scenario file, or jobs side by side (YAML)");
    command.add(
        "--engine", fmt::format("{}", fmt::join(engine_names(), "|")), "the engine (default: event)",
        [&options](const OptionValue& value, Diagnostics& wrong) { options.engine = read_engine(value, wrong); });
    command.add_replay(options.replay);
    command.add_count("--seeds",
                      "run this number of seeds, --threads at a time, for a mean, a spread and a 95 % interval", 2,
                      results::kMostSeeds, options.seeds);
    command.add_count(
        "--samples",
        "run this number of samples, each with its own seed and drawn values of keys such as `0.4us +- 0.01us`", 2,
        results::kMostSeeds, options.samples);
    command.add_threads(options.threads);
    command.add_json(options.json);
    command.add_csv(options.csv);
    command.add_flag("--path", options.path, "add the critical path to the table and the JSON; uses one thread");
    command.add_output("--ranks", "FILE.csv", "write the breakdown of the time of every rank", options.ranks);
    add_timeline(command, options.timeline);
    command.add_flag("--quiet", options.quiet, "print only the predicted time, and messages of --log-level warn");
}

void add_explain(CLI::App& app, AllOptions& all, Diagnostics& faults) {
    ExplainOptions& options = all.explain;
    Command command(app, "explain", "show what limits the time of a run, and what would shorten it", all, faults,
                    [&options] { return explain(options); });
    command.add_scenario(options.scenario, options.sets);
    command.add_replay(options.replay);
    command.add_flag("--reruns", options.reruns,
                     "list runs with a tenth less of each kind of cost, even if a run has over a million messages");
    command.add_json(options.json);
    command.add_csv(options.csv);
    command.add_flag("--quiet", options.quiet, "print no table, and messages of --log-level warn");
}

void add_estimate(CLI::App& app, AllOptions& all, Diagnostics& faults) {
    EstimateOptions& options = all.estimate;
    Command command(app, "estimate", "print the messages, memory and time that `run` would need", all, faults,
                    [&options] { return estimate(options); });
    command.add_scenario(options.scenario, options.sets);
    command.add_replay(options.replay);
    command.add_threads(options.threads);
    command.add_json(options.json);
    command.add_csv(options.csv);
}

void add_compare(CLI::App& app, AllOptions& all, Diagnostics& faults) {
    CompareOptions& options = all.compare;
    Command command(app, "compare", "compare engines with each other and with published runs", all, faults,
                    [&options] { return compare(options); });
    command.app().footer(engines_text() + examples_text("compare"));
    command.add_input("SCENARIO", "", "a scenario file, or a list of comparisons (YAML)", options.scenario).required();
    command.add_sets(options.sets);
    command.add_engines("the engines (default: event,analytic)", options.engines);
    command.add_input("--against", "FILE.csv", kAgainstHelp, options.against);
    command.add(
        "--tolerance", "PCT",
        "fail if an engine differs by more than PCT per cent from pred or, without a table, from another engine",
        [&options](const OptionValue& value, Diagnostics& wrong) { options.tolerance = read_tolerance(value, wrong); });
    command.add_flag("--parts", options.parts,
                     "split the difference between event and analytic into parts; takes several runs per row");
    command.add_count("--seeds",
                      "run this number of seeds of each row with noise, for a mean and the 95 % interval of a run", 2,
                      results::kMostSeeds, options.seeds);
    command.add_threads(options.threads);
    command.add_json(options.json);
    command.add_output("--csv", "FILE|-", "write the rows as CSV to a file, or to stdout (-) in place of the table",
                       options.csv);
}

void add_study(CLI::App& app, AllOptions& all, Diagnostics& faults) {
    StudyOptions& options = all.study;
    Command command(app, "study", "run a scenario with every combination of the values of several keys", all, faults,
                    [&options] { return study(options); });
    command.app().footer(engines_text() + examples_text("study"));
    command.add_input("STUDY", "", "a study, or a scenario with --vary (YAML)", options.study).required();
    command.add_sets(options.sets);
    command.add_repeated(
        "--vary", "PATH=VALUES",
        "add an axis: PATH=1,2,4 or 1..5, 0..100..25 (step), 32..512*2 (factor); for linked keys PATH,PATH=1:2,2:4",
        options.vary);
    command.add_kept("--ranks", "VALUES",
                     "add an axis of numbers of ranks, such as 1024..131072*2, with process grids shaped like the "
                     "scenario's (`run --ranks` writes a file)",
                     options.ranks);
    command.add_kept("--x", "PATH", "the axis of the charts", options.x);
    command.add_repeated("--best", "COLUMN:PATH", "print the best value of a column along an axis; may be repeated",
                         options.best);
    command.add_engines("engines to run in place of those of the study (default: event,analytic)", options.engines);
    command.add_count("--seeds",
                      "run this number of seeds of each point with noise, for means, their 95 % intervals, and whether "
                      "the best differs from the others",
                      1, results::kMostSeeds, options.seeds);
    command.add_count("--point", "run only this point, counted from 0, and keep its result in --out", 0,
                      static_cast<std::uint32_t>(kMostPoints) - 1, options.point);
    command.add_count("--jobs", "number of parallel points; the result does not depend on it (default: one per core)",
                      1, kMostThreads, options.jobs);
    command.add_output("--out", "DIR", "folder of finished points, table (CSV, JSON) and page (default: NAME.study)",
                       options.out);
    command.add_json(options.json);
    command.add_flag("--count", options.count, "print the number of points and end");
    command.add_flag("--quiet", options.quiet, "print only best values and verdicts, and messages of --log-level warn");
}

void add_sources(CLI::App& app, AllOptions& all, Diagnostics& faults) {
    SourcesOptions& options = all.sources;
    Command command(app, "sources",
                    "compare published results with those of warpfront, at the settings of the publications", all,
                    faults, [&options] { return sources(options); });
    command.add_inputs("ITEM", "studies and lists of comparisons, or folders of them (default: models/sources)",
                       options.items);
    command.app().callback([&options, &all] {
        if (options.items.empty()) options.items = {installed("models/sources", all.notes)};
    });
    command.add_flag("--quick", options.quick, "skip runs of the event engine with more than 20 million messages");
    command.add_count("--threads", "threads of the host; the result does not depend on them (default: one per core)", 1,
                      kMostThreads, options.threads);
    command.add_output("--out", "DIR",
                       "folder of finished points, table (CSV, JSON) and page (default: sources.results)", options.out);
    command.add_json(options.json);
    command.add_flag("--quiet", options.quiet, "print only messages of --log-level warn");
}

void add_report(CLI::App& app, AllOptions& all, Diagnostics& faults) {
    ReportOptions& options = all.report;
    Command command(app, "report", "show results and timelines as one page for a browser, which needs no network", all,
                    faults, [&options] { return report(options); });
    command.app()
        .add_option("RESULT", options.results,
                    "JSON results of run, compare, study, sources or fit, or timelines of run --timeline FILE.json")
        ->required();
    command.add_output("-o,--out", "FILE.html|-", "the page to write", options.out).required();
}

void add_serve(CLI::App& app, AllOptions& all, Diagnostics& faults) {
    ServeOptions& options = all.serve;
    Command command(app, "serve", "explore a scenario in a browser on localhost, with sliders", all, faults,
                    [&options]() -> ExitStatus {
                        if constexpr (WARPFRONT_WITH_SERVER) return serve(options);
                        input::refuse_without("libcpp-httplib-dev", "`serve`");
                    });
    command
        .add_inputs("FILE", "a scenario (YAML), or a JSON result of `run`; the page shows further results below it",
                    options.files)
        .required();
    command.add_sets(options.sets);
    command.add_count("--threads", "number of parallel runs of the event engine (default: one per core)", 1,
                      kMostThreads, options.threads);
    command.add_count("--port", "port of the loopback interface (default: a free one)", 1, 65535, options.port);
    command.add_output("--out", "DIR", "folder of saved scenarios (default: served)", options.out);
}

void add_calibrate(CLI::App& app, AllOptions& all, Diagnostics& faults) {
    CalibrateOptions& options = all.calibrate;
    Command command(app, "calibrate", "fit terms of a machine to measured runs", all, faults,
                    [&options]() -> ExitStatus {
                        if constexpr (WARPFRONT_WITH_CALIBRATION) return calibrate(options);
                        input::refuse_without("libeigen3-dev", "`calibrate`");
                    });
    command.add_input("PLAN", "", "a plan: the measured runs and the terms to fit (YAML)", options.plan).required();
    command.add_output("--out", "FILE", "the calibration to write, in place of the file that the plan names",
                       options.out);
    command.add_threads(options.threads);
    command.add_json(options.json);
    command.add_csv(options.csv);
}

/// Parses the limit of eager messages. Adds a fault if no library has a limit this large, since receivers need buffers
/// for eager messages.
std::uint64_t eager_limit(const OptionValue& value, Diagnostics& wrong) {
    constexpr std::int64_t kLargestLimit = std::int64_t{1} << 30;
    const std::int64_t bytes = input::parse_bytes(value.text, value.range, wrong).count;
    if (bytes > kLargestLimit) {
        wrong.add(DiagnosticKind::out_of_range, value.range, "no library sends messages this large eagerly",
                  "expected at most 1GiB");
    }
    return static_cast<std::uint64_t>(bytes);
}

void add_fit(CLI::App& app, AllOptions& all, Diagnostics& faults) {
    FitOptions& options = all.fit;
    Command command(app, "fit", "fit the costs of messages of a hardware file to tables of benchmarks", all, faults,
                    [&options] { return fit(options); });
    command.add_inputs("TABLE", "tables of the network from tools/from_code/fitting/benchmark.c, NetPIPE, OSU or IMB",
                       options.tables);
    command.add_repeated("--layer", "LAYER=TABLE",
                         "a table of another layer, such as chip=build/chip.csv; may be repeated", options.layers);
    command.add_output("-o,--out", "FILE.yaml|-", "the hardware file to write", options.out).required();
    command.add_input("--like", "FILE", "the hardware file whose platform, cores and other layers are used",
                      options.like);
    command.add(
        "--eager", "SIZE", "the largest eager message of the MPI library, if no table has the threshold",
        [&options](const OptionValue& value, Diagnostics& wrong) { options.eager = eager_limit(value, wrong); });
    command.add("--overhead", "TIME", "the value of o_send and of o_recv, if no table has the times of calls",
                [&options](const OptionValue& value, Diagnostics& wrong) {
                    options.overhead = seconds(input::parse_time(value.text, value.range, wrong));
                });
    command.add_json(options.json);
    command.add_csv(options.csv);
}

void add_trace(CLI::App& app, AllOptions& all, Diagnostics& faults) {
    TraceOptions& options = all.trace;
    Command command(app, "trace", "write the messages of a run as traces for SimGrid's own replay", all, faults,
                    [&options] { return trace_scenario(options); });
    command.add_scenario(options.scenario, options.sets);
    command.add_output("--out", "DIR", "the folder to write, with a script that replays it", options.out).required();
}

void add_record(CLI::App& app, AllOptions& all, Diagnostics& faults) {
    RecordOptions& options = all.record;
    Command command(app, "record", "record the MPI calls of every rank of a code, with their times", all, faults,
                    [&options] { return record(options); });
    command.add_count("-n,--ranks", "ranks to start (default: 1)", 1, 65'536, options.ranks);
    command.add_output("--out", "DIR", "the folder to write (default: recording)", options.out);
    command.add_repeated("--parameter", "NAME=VALUE",
                         "a parameter of this run, such as nz=100, for `learn`; may be repeated",
                         options.parameter_words);
    command.add("--buffer", "SIZE", "size of each rank's buffer (default: 64MiB, about a million calls)",
                [&options](const OptionValue& value, Diagnostics& wrong) {
                    options.buffer = input::parse_bytes(value.text, value.range, wrong);
                });
    command.add_kept(
        "--mpicc", "COMPILER",
        "compiler of the code's MPI library (default: found from the libraries that the code is linked to)",
        options.compiler);
    command.add_kept("--launcher", "WORDS",
                     "the command that starts the ranks, with its options (default: the mpirun of the library)",
                     options.launcher_words);
    command.add_output("--object", "FILE", "write the tracer, to link or to preload by hand, and run nothing",
                       options.object);
    command.app().add_option("CODE", options.code, "after `--`: the code and its arguments");
}

/// Adds the options of `learn` for a counted kernel.
void add_counted(Command& command, LearnOptions& options) {
    command.add_kept("--costs", "KERNEL.psl",
                     "a file of `warpfront costs`, whose subtask replaces the block that computes most", options.costs);
    command.add_kept("--subtask", "NAME", "the subtask of that file (default: the first whose operations have times)",
                     options.subtask);
    command.add_repeated("--block", "NAME",
                         "a block that the subtask replaces, by its time parameter, such as main_work; may be repeated",
                         options.blocks);
    command.add_repeated(
        "--bind", "PARAMETER=NAME",
        "the value that a parameter of the subtask has in the model, such as i=nx_share (default: the value of the "
        "same name); may be repeated",
        options.bindings);
    command.add_repeated(
        "--hardware", "FILE.psl",
        "times of operations from `warpfront opcodes`; the first file belongs to the processor of the recording; may "
        "be repeated",
        options.hardware);
}

void add_learn(CLI::App& app, AllOptions& all, Diagnostics& faults) {
    LearnOptions& options = all.learn;
    Command command(app, "learn", "derive a model in PSL from recorded runs of a code on a few small process grids",
                    all, faults, [&options] { return learn(options); });
    command.app().add_option("RUN", options.runs, "folders of `record`, or other recorded runs")->required();
    CLI::Option& model = command.add_output(
        "-o,--out", "MODEL.psl",
        "the model to write; MODEL.yaml in the same folder becomes a scenario of the largest run", options.out);
    command.writes(*model.required(), "the scenario of `-o`", ".yaml");
    command.add_repeated("--check", "RUN", "a run that is only compared with the model; may be repeated",
                         options.checks);
    command.add_kept("--platform", "FILE",
                     "the hardware file of the scenario, relative to the scenario (default: the shipped XT4)",
                     options.platform);
    command.add("--speed", "RATE",
                "the rate of the processor on which the runs were recorded, such as 3.7Gflops, by which the scenario's "
                "times are scaled to other processors",
                [&options](const OptionValue& value, Diagnostics& wrong) {
                    input::parse_quantity(value.text, value.range, input::Dimension::flop_rate, wrong);
                    options.speed = value.text;
                });
    command.add_flag("--strict", options.strict, "refuse runs if the model would leave out a part of them");
    add_counted(command, options);
    command.add_json(options.json);
}

void add_check(CLI::App& app, AllOptions& all, Diagnostics& faults) {
    CheckOptions& options = all.check;
    Command command(app, "check", "report all faults of models, scenarios and hardware files", all, faults,
                    [&options] { return check(options); });
    command.add_inputs("FILE", "files to check", options.files);
    command.add_input("--platform", "FILE", "describe the machine of a hardware file", options.platform);
    command.add_input("--scenario", "SCENARIO", "place the ranks of a scenario on the machine", options.scenario);
    command.add_flag("--format", options.format, "print a model in its canonical layout");
    command.add_flag("--costs", options.costs,
                     "print the costs of the work in a scenario; a model before the scenario replaces its own");
    command.add_flag("--ir", options.ir,
                     "print the program of every rank in a scenario; a model before the scenario replaces its own");
    command.add_sets(options.sets);
}

void add_costs(CLI::App& app, AllOptions& all, Diagnostics& faults) {
    CostsOptions& options = all.costs;
    Command command(app, "costs",
                    "count the operations of a kernel on small inputs (decks), and write them as subtasks of a model",
                    all, faults, [&options] { return costs(options); });
    command
        .add_path("PROGRAM", "", "an executable that is compiled with -g and does not inline the kernel",
                  options.program)
        .required();
    command
        .add_kept("--kernel", "NAME",
                  "the function to count; Fortran names are in lower case, with an underscore at the end",
                  options.kernel)
        .required();
    command
        .add_repeated(
            "--deck", "RANGES",
            "values of parameters: NAME=LEAST..MOST, LEAST..MOST..STEP or VALUE, with commas between; may be repeated",
            options.decks)
        .required();
    command.add_path("--input", "FILE",
                     "a template of the program's input, which is provided on stdin and as FILE without `.template`",
                     options.input);
    command.add_path("--gcov", "PROGRAM",
                     "the program compiled with --coverage, for the probabilities of branches that depend on data",
                     options.coverage);
    command.add_kept("--time", "NAME=VALUE,...", "time the unchanged kernel on this deck, to compute its achieved rate",
                     options.time);
    command.add_output("-o,--out", "FILE|-", "the file of subtasks to write", options.out);
    command.app().add_option("ARGUMENT", options.arguments,
                             "after `--`: arguments of the program, with {NAME} for the value of a parameter");
}

void add_opcodes(CLI::App& app, AllOptions& all, Diagnostics& faults) {
    OpcodesOptions& options = all.opcodes;
    Command command(app, "opcodes",
                    "measure the times of operations on the host, and write them as a hardware object of a model", all,
                    faults, [&options] { return opcodes(options); });
    command.add("--chains", "independent|dependent",
                "whether each measured operation waits for the previous one (default: independent)",
                [&options](const OptionValue& value, Diagnostics& wrong) {
                    static const std::array<std::string, 2> kNames{"independent", "dependent"};
                    constexpr std::array kChains{kernels::Chains::independent, kernels::Chains::dependent};
                    options.chains = kChains.at(read_choice(value, "kind of chains", kNames, wrong));
                });
    command.add(
        "--rate", "RATE",
        "the rate that the application achieves, such as 812Mflops (default: measured with a kernel like Sweep3D's)",
        [&options](const OptionValue& value, Diagnostics& wrong) {
            input::parse_quantity(value.text, value.range, input::Dimension::flop_rate, wrong);
            options.rate = value.text;
        });
    command.add_output("-o,--out", "FILE|-", "the file of the hardware object to write", options.out);
}

void add_lsp(CLI::App& app, AllOptions& all, Diagnostics& faults) {
    const Command command(app, "lsp", "provide diagnostics, hover, definitions and completion of models to an editor",
                          all, faults, lsp);
}

}  // namespace

void describe_program(CLI::App& app, AllOptions& options, Diagnostics& faults) {
    app.name("warpfront");
    app.description("predicts how long a wavefront MPI code runs on a machine that may not exist yet");
    app.footer(examples_text());
    app.set_help_flag("-h,--help", "print this help and exit");
    app.set_version_flag("--version", std::string("warpfront ") + WARPFRONT_VERSION, "print the version and exit");
    for (const auto add :
         {add_run, add_explain, add_estimate, add_compare, add_study, add_sources, add_report, add_serve, add_calibrate,
          add_fit, add_trace, add_record, add_learn, add_check, add_costs, add_opcodes, add_lsp}) {
        add(app, options, faults);
    }
}

namespace {

constexpr std::array kExamples{
    Example{"run", "models/lu/lu.yaml --set ranks.columns=16 --set iterations=10 --json build/lu.json",
            "NPB LU on 16 x 4 ranks, ten iterations: a table, and the result as JSON"},
    Example{"run", "models/chimaera/chimaera.yaml --set iterations=1 --set noise.cv=0.05 --seeds 10",
            "ten seeds with noise: the mean time, its spread and its 95 % interval"},
    Example{"run", "models/jobs/sweep-and-transfers.yaml",
            "two jobs on one machine: the time of each alone, and beside the other"},
    Example{"run", "models/lu/lu.yaml --set iterations=1 --timeline build/lu.pftrace",
            "the activities of the ranks in the first iteration, for ui.perfetto.dev"},
    Example{"run",
            "models/chimaera/chimaera.yaml --set iterations=1 --json build/chimaera.json --timeline "
            "build/chimaera-timeline.json --timeline-ranks 0..7",
            "the result and the activities of the first eight ranks, both for a page"},
    Example{"explain", "models/lu/lu.yaml --set iterations=10 --reruns",
            "the parts of the longest chain of events, and runs with ten per cent less of each part"},
    Example{"estimate", "models/lu/lu.yaml --set ranks.columns=64",
            "the messages, memory and time that this run would need"},
    Example{"compare", "models/lu/lu.yaml --engines analytic --against models/lu/measured/xt3.csv --tolerance 1",
            "the closed form beside each published prediction and measurement; fails beyond 1 %"},
    Example{"compare", "models/lu/lu.yaml --set ranks.columns=4 --set iterations=1 --engines event,simgrid",
            "the same messages in the event engine and on SimGrid's network"},
    Example{"compare", "models/measured.yaml --engines analytic --json build/measured.json",
            "errors of the closed form and of published predictions in all measured runs, and the result for a page"},
    Example{"study",
            "models/chimaera/chimaera.yaml --vary parameters.htile=1..10 --engines analytic --out build/heights",
            "the closed form over ten tile heights: a table, and CSV, JSON and a page in build/heights"},
    Example{
        "study",
        "models/sweep3d/billion.yaml --ranks '1024..131072*2' --engines analytic --best efficiency --out build/scaling",
        "1,024 to 131,072 ranks in process grids shaped like the scenario's: times and efficiency beside ideal "
        "scaling"},
    Example{"sources", "models/sources/mudalige-2009/table-4.13.yaml --out build/sources",
            "a published table at its own settings, beside the closed form and the event engine"},
    Example{"report", "build/lu.json -o build/lu.html",
            "a page with the prediction, its critical path, the process grid, links and inputs"},
    Example{"report", "build/chimaera.json build/chimaera-timeline.json -o build/chimaera.html",
            "the same with a timeline of a few ranks"},
    Example{"serve", "models/lu/lu.yaml",
            "an address on localhost: a page with sliders for latency, bandwidth, topology, ranks, tile height"},
    Example{"fit",
            "--layer chip=tools/from_code/fitting/tables/open-mpi.csv --like platforms/xt4.yaml -o build/fitted.yaml",
            "a machine like the XT4, with messages within a chip as measured by a benchmark"},
    Example{"trace", "models/lu/lu.yaml --set ranks.columns=4 --set iterations=1 --out build/traces",
            "one trace per rank, and a script that has SimGrid replay them"},
    Example{"record", "-n 3 --buffer 1MiB --out build/true -- build/walk/sweep 3 30 30 10 5 2",
            "the MPI calls of three ranks of a code"},
    Example{"learn", "build/walk/3x3 build/walk/4x3 build/walk/3x4 -o build/walk/learnt.psl",
            "a model from three recorded runs, and the largest of them as a scenario"},
    Example{"learn",
            "build/walk/3x3 build/walk/4x3 build/walk/3x4 --costs build/walk/block.psl -o build/walk/counted.psl",
            "the same with a counted kernel in place of the block that computes most"},
    Example{"check", "models/lu/lu.psl models/lu/lu.yaml platforms/xt3.yaml", "all faults of these files at once"},
    Example{"check", "--platform platforms/xt4.yaml --scenario models/sweep3d/billion.yaml",
            "the machine: nodes, links, diameter, bisection bandwidth, and the distances of communicating ranks"},
    Example{"check", "--costs models/sweep3d/pentium3.yaml",
            "the cost of each piece of work, and the origin of its numbers"},
    Example{"check", "--ir models/lu/lu.yaml --set ranks.columns=4", "the program of each rank, as the engine runs it"},
    Example{"costs",
            "build/kernel --kernel sweep_ --deck i=2..9,j=2..8,k=4,m=6 --time i=40,j=40 -o build/sweep.psl -- "
            "{i} {j} {k} {m}",
            "the operations of `sweep` in tests/codes/kernel.f, as subtasks of a model; its achieved rate"},
    Example{"opcodes", "-o build/hardware.psl", "times of operations on the host, as a hardware object of a model"},
};

}  // namespace

std::span<const Example> examples() { return kExamples; }

std::string examples_text(std::string_view command) {
    std::string text = "Examples:";
    std::string_view shown;
    for (const Example& example : kExamples) {
        const bool chosen = command.empty() ? example.command != shown : example.command == command;
        if (!chosen) continue;
        shown = example.command;
        text += fmt::format("\n  warpfront {} {}\n      {}", example.command, example.arguments, example.answers);
    }
    return text;
}

}  // namespace warpfront::tools
