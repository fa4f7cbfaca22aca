// The instructions that the engine executes for the shipped models, from `check --ir`: no expression is left to
// evaluate.
#include <doctest/doctest.h>

#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include <fmt/ranges.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;

namespace {

/// Returns the scenarios of models beside their codes, relative to the project.
std::set<std::string> shipped_scenarios() {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / "models")) {
        const std::string path = entry.path().lexically_relative(kRoot).string();
        if (entry.path().extension() != ".yaml" || holds(path, "/studies/") || holds(path, "/calibration/")) continue;
        if (holds("\n" + text_of(entry.path()), "\nmodel:")) found.insert(path);
    }
    return found;
}

/// Returns the distinct instructions of a listing, without depth and place.
std::set<std::string> instructions(const std::string& listing) {
    static const std::regex indented(" +(.*?)( +[\\w.]+:\\d+)?");
    std::set<std::string> found;
    const std::vector<std::string> all = lines_of(listing);
    for (const std::string& line : std::set(all.begin(), all.end())) {
        std::smatch parts;
        if (std::regex_match(line, parts, indented)) found.insert(parts[1]);
    }
    return found;
}

/// Returns the first words of the first innermost loop in the class of `rank`.
std::vector<std::string> inner_loop(const std::string& listing, const std::string& rank) {
    std::vector<std::string> words;
    std::istringstream stream(listing.substr(listing.find(": rank " + rank + " ")));
    std::string line;
    while (std::getline(stream, line) && !holds(line, "end of loop")) {
        std::istringstream rest(line);
        std::string word;
        rest >> word;
        if (word == "loop") {
            words.clear();
        } else {
            words.push_back(word);
        }
    }
    return words;
}

std::string listing(const std::string& scenario) {
    const Outcome outcome = invoke("check --ir " + scenario);
    CHECK_MESSAGE(outcome.status == 0, outcome.err);
    return outcome.out;
}

}  // namespace

TEST_CASE("every instruction of every shipped model is a time, bytes, iterations or a partner, all of them numbers") {
    static const std::regex folded(
        "(compute|delay) [\\d.]+us|(send|isend|ssend) \\d+ B to PEER|(recv|irecv|wait for irecv) from PEER|"
        "wait for isend to PEER|(recv from the first of|wait for the first irecv from) PEERS|"
        "send \\d+ B to the source among PEERS|allreduce \\d+ B|loop \\d+ times|end of loop|end of iteration|"
        "phase \\w+|no phase|finish");
    static const std::regex peer("rank [+-] \\d+, (tag \\d+|within a collective)");
    static const std::regex peers("PEER(; PEER)*(; \\d+ more)?$");
    const auto without_numbers = [](const std::string& instruction) {
        const std::string one = std::regex_replace(instruction, peer, "PEER");
        return holds(one, " first ") || holds(one, " among ") ? std::regex_replace(one, peers, "PEERS") : one;
    };
    std::set<std::string> applications;
    for (const std::string& scenario : shipped_scenarios()) {
        CAPTURE(scenario);
        const std::string listed = listing(scenario);
        if (holds(listed, ": lists of tasks on ")) continue;  // indices stay
        applications.insert(listed.substr(0, listed.find(':')));
        for (const std::string& instruction : instructions(listed)) {
            CHECK_MESSAGE(std::regex_match(without_numbers(instruction), folded), instruction);
        }
    }
    // Every model that is an application and has a scenario; models/pipeline.psl, halo.psl, butterfly.psl,
    // all_corners.psl, own_corner.psl and pace/kernel.psl are parts of them; separate.psl and
    // chimaera/simultaneous.psl belong to studies.
    CHECK(fmt::format("{}", fmt::join(applications, " ")) ==
          "bandwidth chimaera gradients halo3d hybrid jacobi kripke lu lu_faithful master_worker multiphysics "
          "pace_sweep3d plane reduction redundant snap steps sweep3d sweep3d_faithful sweep3d_groups "
          "sweep3d_simultaneous");
}

TEST_CASE("a tile in the interior is its messages and its work, and no instruction more") {
    using Words = std::vector<std::string>;
    const Words tile{"recv", "recv", "compute", "send", "send"};
    const Words with_pre_work{"compute", "recv", "recv", "compute", "send", "send"};
    // In each, the rank in column 2 and row 2: 128 columns, 8 or 12, 16, and 8.
    CHECK(inner_loop(listing("models/sweep3d/billion.yaml"), "129") == tile);
    CHECK(inner_loop(listing("models/chimaera/chimaera.yaml"), "17") == tile);
    CHECK(inner_loop(listing("models/lu/lu.yaml"), "9") == with_pre_work);
    CHECK(inner_loop(listing("models/lu/faithful.yaml"), "9") == with_pre_work);
}
