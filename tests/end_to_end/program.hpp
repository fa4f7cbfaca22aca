// The built program as a user runs it: a command line, an exit status, and the outputs on stdout and stderr.
#pragma once

#include <sys/wait.h>

#include <concepts>

#include <nlohmann/json.hpp>

#include "tests/approx.hpp"
#include "tests/scratch.hpp"
#include "tests/texts.hpp"

namespace warpfront::end_to_end {

using test::approx;
using test::holds;
using test::lacking;
using test::platform_xml;
using test::Scratch;

inline const std::filesystem::path kRoot = WARPFRONT_SOURCE_DIR;

struct Outcome {
    int status = -1;  // exit status; 128 + signal if it was killed
    std::string out;
    std::string err;
};

inline std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Quotes a path as one word of a shell command.
inline std::string quoted(const std::filesystem::path& path) { return fmt::format("'{}'", path.string()); }

/// Runs a shell command in `folder`.
inline Outcome run_in(const std::filesystem::path& folder, const std::string& command) {
    const Scratch scratch;
    const std::filesystem::path out = scratch.folder() / "out";
    const std::filesystem::path err = scratch.folder() / "err";
    const std::string whole =
        fmt::format("cd {} && ( {} ) </dev/null >{} 2>{}", quoted(folder), command, quoted(out), quoted(err));
    const int status = std::system(whole.c_str());
    if (status == -1) throw std::runtime_error("no shell");
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(out), text_of(err)};
}

/// Runs `warpfront ARGUMENTS` from the project's folder.
inline Outcome invoke(const std::string& arguments) {
    return run_in(WARPFRONT_SOURCE_DIR, fmt::format("{} {}", quoted(WARPFRONT_PROGRAM), arguments));
}

/// The XT4 with its torus by rule, which takes the program a third of the time that the platform file takes.
inline const std::filesystem::path kXt4 = kRoot / "tests/end_to_end/xt4.yaml";

/// Sweep3D on 4 x 4 ranks of that machine, 2 to a node, small enough to run almost instantly.
inline const std::string kSmall =
    "models/sweep3d/billion.yaml --set platform=../../tests/end_to_end/xt4.yaml --set 'ranks={columns: 4, rows: 4}' "
    "--set cells_per_rank.x=5 --set cells_per_rank.y=5 --set parameters.nz=20 --set calibration=off ";

/// A model and a scenario of it, in their own folder.
class OwnModel {
public:
    /// Writes the files; `more` has further lines of the scenario, `machine` a hardware file in place of the XT4's.
    explicit OwnModel(const std::string& model, const std::string& ranks = "{columns: 2, rows: 1}",
                      const std::string& more = "", const std::string& machine = "") {
        file("m.psl", model);
        if (!machine.empty()) file("h.yaml", machine);
        const std::string platform = machine.empty() ? kXt4.string() : "h.yaml";
        file("s.yaml", fmt::format("model: m.psl\nplatform: {}\nranks: {}\n{}", platform, ranks, more));
    }

    const std::filesystem::path& folder() const { return scratch_.folder(); }
    std::filesystem::path file(const std::string& name, const std::string& text) const {
        return scratch_.file(name, text);
    }
    /// Returns the scenario as an argument.
    std::string argument() const { return quoted(folder() / "s.yaml") + " "; }

private:
    Scratch scratch_;
};

/// Returns `application m` whose iterations consist of `body`.
inline std::string iterating(const std::string& body) { return "application m { iteration k {\n" + body + "\n} }\n"; }

inline std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// Returns stderr without progress messages, which a slow host causes.
inline std::string without_heartbeats(const std::string& err) {
    std::string rest;
    for (const std::string& line : lines_of(err)) {
        if (!line.starts_with("running for ")) rest += line + "\n";
    }
    return rest;
}

inline nlohmann::json json_of(const std::string& arguments) {
    return nlohmann::json::parse(invoke(arguments + " --json -").out);
}

/// The table and the JSON of one run of the program.
struct Answer {
    std::string table;
    nlohmann::json result;
};

inline Answer answer_of(const std::string& arguments) {
    const Scratch scratch;
    const std::filesystem::path file = scratch.folder() / "answer.json";
    const std::string table = invoke(arguments + " --json " + quoted(file)).out;
    return {table, nlohmann::json::parse(text_of(file))};
}

inline double time_of(const std::string& arguments) { return json_of(arguments).at("time_s"); }

/// Returns true if a string of JSON contains `part`.
template <std::same_as<nlohmann::json> Json>
bool holds(const Json& text, std::string_view part) {
    return test::holds(text.template get_ref<const std::string&>(), part);
}

/// Counts the occurrences; overlapping ones count once.
inline std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
    return found;
}

}  // namespace warpfront::end_to_end

using namespace warpfront::end_to_end;
using nlohmann::json;
