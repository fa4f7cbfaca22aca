#include "tools/from_code/kernels/branches.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulator/input/diagnostic.hpp"
#include "tools/from_code/kernels/external_program.hpp"
#include "tools/from_code/kernels/run_on_deck.hpp"

namespace warpfront::kernels {

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
        // gcov looks for the notes of the compiler beside the counters; they are where the program was compiled.
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
                              fmt::format("`{}` leaves no counts of branches", pattern.program.string()),
                              "expected a program compiled and linked with --coverage, its files .gcno where they were "
                              "written");
    }
    return lines;
}

}  // namespace warpfront::kernels
