#include "tools/from_code/kernels/callgrind.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulator/input/diagnostic.hpp"
#include "tools/from_code/kernels/run_on_deck.hpp"

namespace warpfront::kernels {

namespace {

/// Removes the number at the front of `text`, up to a blank, and returns it.
std::uint64_t take_number(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    int base = 10;
    if (text.starts_with("0x")) {
        base = 16;
        text.remove_prefix(2);
    }
    std::uint64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number, base);
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return number;
}

class CallgrindReader {
public:
    explicit CallgrindReader(std::string_view function) : function_(function) {}

    void read(std::string_view line) {
        const std::size_t equals = line.find('=');
        if (equals != std::string_view::npos && !line.starts_with("0x")) {
            return read_key(line.substr(0, equals), line.substr(equals + 1));
        }
        if (!line.starts_with("0x")) return;
        if (after_call_) {  // this line has the cost of the call, which the lines of the callee contain too
            after_call_ = false;
            return;
        }
        CodeAddress at{std::string(object_), take_number(line)};
        const auto number = static_cast<unsigned>(take_number(line));
        Executed& executed = profile_.instructions[std::move(at)];
        executed.line = {std::string(file_), number};
        executed.function = caller_;
        executed.times += take_number(line);
    }

    Profile take() { return std::move(profile_); }

private:
    void read_key(std::string_view key, std::string_view value) {
        if (key == "ob") object_ = value;
        if (key == "fl" || key == "fi" || key == "fe") file_ = value;
        if (key == "fn") caller_ = value;
        if (key == "cfn") callee_ = value;
        if (key != "calls") return;
        after_call_ = true;
        if (!is_function(callee_)) return;
        profile_.calls += take_number(value);
        profile_.is_recursive |= is_function(caller_);
    }

    /// Returns true for the function. callgrind appends its level to a recursive call: `fib'2`.
    bool is_function(std::string_view name) const { return name.substr(0, name.find('\'')) == function_; }

    std::string_view function_, caller_, callee_, file_, object_;
    bool after_call_ = false;
    Profile profile_;
};

}  // namespace

Profile parse_callgrind(std::string_view text, std::string_view function) {
    CallgrindReader reader(function);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        reader.read(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return reader.take();
}

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> coverage_files(const fs::path& folder) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".gcda") found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

std::vector<BranchLine> parse_gcov(std::string_view json) {
    std::vector<BranchLine> lines;
    const auto whole = nlohmann::json::parse(json, nullptr, false);
    if (whole.is_discarded() || !whole.contains("files")) return lines;
    for (const auto& file : whole["files"]) {
        for (const auto& line : file.value("lines", nlohmann::json::array())) {
            BranchLine branches{{file.value("file", ""), line.value("line_number", 0U)}, {}};
            for (const auto& branch : line.value("branches", nlohmann::json::array())) {
                if (!branch.value("throw", false)) branches.taken.push_back(branch.value("count", std::uint64_t{0}));
            }
            if (!branches.taken.empty()) lines.push_back(std::move(branches));
        }
    }
    return lines;
}

std::vector<BranchLine> count_branches(const ProgramPattern& pattern, const Deck& deck,
                                       const std::vector<DeckParameter>& parameters) {
    const ScratchFolder scratch;
    const fs::path counters = scratch.path() / "counters";
    fs::create_directory(counters);
    run_on_deck(pattern, deck, parameters, {}, {{"GCOV_PREFIX", counters.string()}, {"GCOV_PREFIX_STRIP", "0"}});
    std::vector<BranchLine> lines;
    for (const fs::path& counted : coverage_files(counters)) {
        // gcov looks for the notes of the compiler beside the counters, but they are where the program was compiled.
        fs::path notes = fs::path("/") / counted.lexically_relative(counters);
        notes.replace_extension(".gcno");
        if (!fs::exists(notes)) continue;
        fs::path beside = counted;
        beside.replace_extension(".gcno");
        fs::create_symlink(notes, beside);
        const Outcome outcome = run_program({.words = {"gcov", "--json-format", "--stdout", "--branch-probabilities",
                                                       "--branch-counts", counted.filename().string()},
                                             .folder = counted.parent_path()});
        for (BranchLine& line : parse_gcov(outcome.out)) lines.push_back(std::move(line));
    }
    if (lines.empty()) {
        throw input::BadInput(input::DiagnosticKind::bad_option, {},
                              fmt::format("`{}` has written no counts of branches", pattern.program.string()),
                              "expected a program compiled and linked with --coverage, with its files .gcno where the "
                              "compiler wrote them");
    }
    return lines;
}

}  // namespace warpfront::kernels
