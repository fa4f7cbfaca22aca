// Libraries use only the libraries that they may use, directly or through others: data flows one way, and the engine
// contains no file formats.
#include <regex>

#include "tests/repository/files.hpp"

using namespace warpfront::repository;

namespace {

using Rooms = std::set<std::string>;

Rooms operator+(Rooms some, const Rooms& others) {
    some.insert(others.begin(), others.end());
    return some;
}

/// The parts of an experiment for the engine, used by all libraries that execute programs.
const Rooms kExperiment{"units", "program", "collectives", "machine", "network"};
const Rooms kSteppable = kExperiment + Rooms{"record", "variation"};
/// The libraries from a platform and a hardware file to a machine.
const Rooms kLoading = kExperiment + Rooms{"input", "process", "machine/placement", "machine/loading"};
/// The event engine, each library above those before it.
const Rooms kStepping{"engine/state", "engine/recording", "engine/stepping"};
const Rooms kEngine = kStepping + Rooms{"engine/recurrence", "engine/parallel", "engine"};
/// The stages of the language, each above those before it, and the libraries that they use.
const Rooms kModel{"units", "input", "collectives", "program", "psl/syntax"};
const Rooms kSpecialised = kModel + Rooms{"psl/checking", "psl/specialising"};
/// All of the language, for other libraries.
const Rooms kLanguage = kSpecialised + Rooms{"psl/lowering", "psl/editing", "psl"};
/// The libraries for binding and running an experiment.
const Rooms kSimulator = kLoading + kSteppable + kEngine + kLanguage +
                         Rooms{"tasks", "trace", "reference", "analytic", "results", "scenario"};
/// One experiment, its prediction by any engine, many runs.
const Rooms kRuns =
    kSimulator + Rooms{"results/timeline", "tools/answer/experiment", "tools/answer/prediction", "tools/answer/runs"};
const Rooms kCases = kRuns + Rooms{"tools/answer/rendering", "tools/study/cases"};
const Rooms kComparison = kCases + Rooms{"tools/answer/difference", "tools/study/comparison"};
/// All libraries that the program's commands use.
const Rooms kCommands = kComparison + Rooms{"tools/answer/jobs",        "tools/study",
                                            "tools/study/sources",      "tools/study/calibration",
                                            "tools/answer/explanation", "tools/report/page",
                                            "tools/report/server",      "tools/editor",
                                            "tools/program/checking",   "tools/from_code/fitting",
                                            "tools/from_code/tracing",  "tools/from_code/learning",
                                            "tools/from_code/kernels",  "tools/study/regression"};

/// By library (its folder below simulator/, or psl, tools and below), the libraries it may use, including those that it
/// uses through others.
const std::map<std::string, Rooms> kMayUse{
    {"units", {}},
    {"input", {"units"}},
    {"process", {}},
    {"record", {"units"}},
    {"collectives", {"units"}},
    {"program", {"units"}},
    {"machine", {"units", "collectives"}},
    {"variation", {"units"}},
    {"network", {"units", "collectives", "machine"}},
    {"machine/placement", {"units", "input", "collectives", "machine"}},
    {"machine/loading", {"units", "input", "process", "collectives", "machine", "network", "machine/placement"}},
    {"engine/state", kExperiment + Rooms{"record"}},
    {"engine/recording", kExperiment + Rooms{"record", "engine/state"}},
    {"engine/stepping", kSteppable + Rooms{"engine/state", "engine/recording"}},
    {"engine/recurrence", kSteppable + kStepping},
    {"engine/parallel", kSteppable + kStepping + Rooms{"engine/recurrence"}},
    {"engine", kSteppable + kEngine},
    {"tasks", kSteppable},
    {"trace", kExperiment + Rooms{"input", "variation"}},
    {"reference", kSteppable + Rooms{"input", "process"}},
    {"simgrid", kSteppable + kLoading + Rooms{"reference"}},
    {"analytic", kExperiment + Rooms{"input", "record"}},
    {"results", {"units", "input", "record", "program"}},
    {"results/timeline", {"units", "record", "program"}},
    {"psl/syntax", {"units", "input", "collectives", "program"}},
    {"psl/checking", kModel},
    {"psl/specialising", kModel + Rooms{"psl/checking"}},
    {"psl/lowering", kSpecialised},
    {"psl/editing", kModel + Rooms{"psl/checking"}},
    {"psl", kSpecialised + Rooms{"psl/lowering"}},
    {"scenario", kSteppable + kLoading + kLanguage},
    {"tools/answer/rendering", {}},
    {"tools/study/regression", {}},
    {"tools/answer/experiment", kSimulator},
    {"tools/answer/prediction", kSimulator + Rooms{"results/timeline", "tools/answer/experiment"}},
    {"tools/answer/runs", kSimulator + Rooms{"results/timeline", "tools/answer/experiment", "tools/answer/prediction"}},
    {"tools/answer/jobs", kRuns + Rooms{"tools/answer/rendering"}},
    {"tools/answer/explanation", kRuns + Rooms{"tools/study/regression"}},
    {"tools/answer/difference", kRuns},
    {"tools/study/cases", kRuns},
    {"tools/study/comparison", kCases + Rooms{"tools/answer/difference"}},
    {"tools/study", kCases},
    {"tools/study/sources", kComparison + Rooms{"tools/study"}},
    {"tools/study/calibration", kRuns + Rooms{"tools/study/cases", "tools/study/regression"}},
    {"tools/from_code/tracing", kExperiment + Rooms{"input", "process", "variation", "trace"}},
    {"tools/from_code/learning",
     kExperiment + Rooms{"input", "variation", "trace", "tools/answer/rendering", "tools/study/regression"} +
         kLanguage},
    {"tools/from_code/fitting",
     kLoading + Rooms{"record", "program", "results", "tools/answer/rendering", "tools/study/regression"}},
    {"tools/report/page", {"units", "input", "record", "program", "results", "results/timeline"}},
    {"tools/report/server", kRuns + Rooms{"tools/report/page"}},
    {"tools/editor", kLanguage},
    {"tools/program/checking",
     kComparison + Rooms{"tools/answer/jobs", "tools/study", "tools/study/calibration", "tools/study/regression"}},
    {"tools/from_code/kernels", kRuns + Rooms{"tools/answer/rendering", "tools/study/regression"}},
    {"tools/program/commands", kCommands},
    {"tools/program/command_line", kCommands + Rooms{"tools/program/commands"}},
    {"tools/program", kCommands + Rooms{"tools/program/commands", "tools/program/command_line"}},
    {"tools/program/documentation", kCommands + Rooms{"tools/program/commands", "tools/program/command_line"}},
    {"tools/embedding", kComparison},
};

/// Returns the library of a file: "engine" for "simulator/engine/run.cpp", "machine/loading" for
/// "simulator/machine/loading/build.hpp".
std::optional<std::string> room_of(const std::string& path) {
    static const std::regex in_room(
        "^(?:simulator/(machine/placement|machine/loading|results/timeline|"
        "engine/(?:state|recording|stepping|recurrence|parallel)|[^/]+)|"
        "((?:tools/(?:answer|from_code|program|report|study)|psl|tools)/[^/]+(?=/)|psl|tools|tests))/.*");
    std::smatch match;
    if (!std::regex_match(path, match, in_room)) return std::nullopt;
    return match[1].matched ? match[1].str() : match[2].str();
}

/// Returns the paths that a file of the project includes; each file is read once.
const std::vector<std::string>& project_includes(const std::string& path) {
    static std::map<std::string, std::vector<std::string>> known;
    const auto [at, is_new] = known.try_emplace(path);
    if (!is_new) return at->second;
    constexpr std::string_view kInclude = "#include \"";
    for (const std::string& line : lines_of(text_of(root() / path))) {
        if (!line.starts_with(kInclude)) continue;
        at->second.push_back(line.substr(kInclude.size(), line.find('"', kInclude.size()) - kInclude.size()));
    }
    return at->second;
}

/// Returns the path without its extension.
std::string stem(const std::string& path) { return path.substr(0, path.rfind('.')); }

}  // namespace

TEST_CASE("every source of the simulator, the language and the tools is in a library that has rules") {
    for (const std::string& path : sources()) {
        if (path.starts_with("tests/")) continue;
        CAPTURE(path);
        const auto room = room_of(path);
        REQUIRE(room.has_value());
        CHECK(kMayUse.contains(*room));
    }
}

TEST_CASE("a library includes itself and the libraries it may use, nothing else") {
    for (const std::string& path : sources()) {
        if (path.starts_with("tests/")) continue;
        const auto room = room_of(path);
        if (!room || !kMayUse.contains(*room)) continue;
        for (const std::string& included : project_includes(path)) {
            CAPTURE(path);
            CAPTURE(included);
            const auto other = room_of(included);
            REQUIRE_MESSAGE(other.has_value(), "an include names the path from the project's root");
            CHECK((*other == *room || kMayUse.at(*room).contains(*other)));
        }
    }
}

TEST_CASE("a library uses nothing else through its includes and the sources behind them either") {
    const std::set<std::string> all = sources();
    std::map<std::string, std::set<std::string>> reached;  // by room, files
    for (const std::string& path : sources()) {
        const auto room = room_of(path);
        if (!room || !kMayUse.contains(*room)) continue;
        std::vector<std::string> open{path};
        while (!open.empty()) {
            const std::string file = open.back();
            open.pop_back();
            if (!reached[*room].insert(file).second) continue;
            for (const std::string& included : project_includes(file)) {
                open.push_back(included);
                const std::string behind = stem(included) + ".cpp";
                if (all.contains(behind)) open.push_back(behind);
            }
        }
    }
    for (const auto& [room, files] : reached) {
        for (const std::string& file : files) {
            CAPTURE(room);
            CAPTURE(file);
            const std::string other = room_of(file).value();
            CHECK((other == room || kMayUse.at(room).contains(other)));
        }
    }
}

TEST_CASE("only the library of SimGrid's headers includes them, only the input library uses yaml-cpp") {
    for (const std::string& path : sources()) {
        CAPTURE(path);
        for (const std::string& line : lines_of(text_of(root() / path))) {
            if (!path.starts_with("simulator/simgrid/")) CHECK_FALSE(line.starts_with("#include <simgrid"));
            if (!path.starts_with("simulator/input/")) CHECK_FALSE(line.starts_with("#include <yaml-cpp"));
        }
    }
}

TEST_CASE("modules, a header and the source of its name, do not include one another in a circle") {
    std::map<std::string, std::set<std::string>> used;
    for (const std::string& path : sources()) {
        for (const std::string& included : project_includes(path)) {
            if (stem(included) != stem(path)) used[stem(path)].insert(stem(included));
        }
    }
    enum class Mark { unseen, open, done };
    std::map<std::string, Mark> marks;
    std::vector<std::string> path_here;
    const auto visit = [&](const auto& self, const std::string& module) -> void {
        marks[module] = Mark::open;
        path_here.push_back(module);
        for (const std::string& next : used[module]) {
            if (marks[next] == Mark::open) {
                std::string circle = next;
                for (auto at = std::find(path_here.begin(), path_here.end(), next) + 1; at != path_here.end(); ++at) {
                    circle += " -> " + *at;
                }
                FAIL_CHECK(circle << " -> " << next);
            }
            if (marks[next] == Mark::unseen) self(self, next);
        }
        path_here.pop_back();
        marks[module] = Mark::done;
    };
    for (const std::string& path : sources()) {
        if (marks[stem(path)] == Mark::unseen) visit(visit, stem(path));
    }
}
