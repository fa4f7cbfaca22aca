// Rooms include only what they may use: data flows one way, and nothing in the engine knows a file format.
#include <map>
#include <optional>
#include <regex>

#include <doctest/doctest.h>

#include "tests/repository/files.hpp"

using namespace warpfront::repository;

namespace {

const std::map<std::string, std::set<std::string>> kMayUse{
    {"units", {}},
    {"input", {"units"}},
    {"program", {"units"}},
    {"machine", {"units", "input"}},
    {"network", {"units", "machine"}},
    {"engine", {"units", "program", "machine", "network"}},
    {"trace", {"units", "input", "program", "machine", "network"}},
    {"reference", {"units", "input", "program", "machine", "network", "engine"}},
    {"analytic", {"units", "input", "program", "machine"}},
    {"results", {"units", "input", "program", "engine"}},
    {"psl", {"units", "input", "program"}},
    {"tools", {"units", "input", "program", "machine", "network", "engine", "trace", "reference", "analytic", "results", "psl"}},
};

/// "simulator/engine/wheel.hpp" lies in "engine", "psl/psl.hpp" in "psl".
std::optional<std::string> room_of(const std::string& path) {
    static const std::regex in_room("^(?:simulator/([^/]+)|(psl|tools|tests))/.*");
    std::smatch match;
    if (!std::regex_match(path, match, in_room)) return std::nullopt;
    return match[1].matched ? match[1].str() : match[2].str();
}

std::vector<std::string> project_includes(const std::string& path) {
    static const std::regex include("^#include \"([^\"]+)\".*");
    std::vector<std::string> included;
    std::smatch match;
    for (const std::string& line : lines_of(text_of(root() / path))) {
        if (std::regex_match(line, match, include)) included.push_back(match[1].str());
    }
    return included;
}

}  // namespace

TEST_CASE("every source of the simulator, the language and the tools lies in a room that has rules") {
    for (const std::string& path : sources()) {
        if (path.starts_with("tests/")) continue;
        CAPTURE(path);
        const auto room = room_of(path);
        REQUIRE(room.has_value());
        CHECK(kMayUse.contains(*room));
    }
}

TEST_CASE("a room includes itself and the rooms it may use, nothing else") {
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

TEST_CASE("of the engine, results and the referee know its records and no more") {
    std::set<std::string> files = files_below("simulator/results", {".cpp", ".hpp"});
    files.merge(files_below("simulator/reference", {".cpp", ".hpp"}));
    for (const std::string& path : files) {
        for (const std::string& included : project_includes(path)) {
            CAPTURE(path);
            if (room_of(included) == "engine") CHECK(included == "simulator/engine/record.hpp");
        }
    }
}

TEST_CASE("only the machine room and the referee know SimGrid, only the input room knows yaml-cpp") {
    const auto may_know_simgrid = [](const std::string& path) {
        return path.starts_with("simulator/machine/") || path.starts_with("simulator/reference/") ||
               path.starts_with("tests/machine/");
    };
    for (const std::string& path : sources()) {
        CAPTURE(path);
        for (const std::string& line : lines_of(text_of(root() / path))) {
            if (!may_know_simgrid(path)) CHECK_FALSE(line.starts_with("#include <simgrid"));
            if (!path.starts_with("simulator/input/")) CHECK_FALSE(line.starts_with("#include <yaml-cpp"));
        }
    }
}

TEST_CASE("includes do not go round in a circle") {
    enum class Mark { unseen, open, done };
    std::map<std::string, Mark> marks;
    const auto visit = [&](const auto& self, const std::string& path) -> void {
        marks[path] = Mark::open;
        for (const std::string& included : project_includes(path)) {
            CAPTURE(path);
            CAPTURE(included);
            const Mark mark = marks[included];
            CHECK(mark != Mark::open);
            if (mark == Mark::unseen && included.ends_with(".hpp")) self(self, included);
        }
        marks[path] = Mark::done;
    };
    for (const std::string& path : sources()) {
        if (path.ends_with(".hpp") && marks[path] == Mark::unseen) visit(visit, path);
    }
}
