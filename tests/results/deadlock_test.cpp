
#include "simulator/results/deadlock.hpp"
#include "tests/preamble.hpp"

using namespace warpfront::results;
using record::Blocked;

namespace {

/// Returns `columns` by `rows` ranks whose model has a receive at line 12, a send at line 15 and an allreduce.
program::Program model(std::uint32_t columns, std::uint32_t rows) {
    program::Program program;
    program.grid = {columns, rows};
    program.sites = {
        {"x.psl", 12, 9, "recv from west"}, {"x.psl", 15, 5, "send to east"}, {"x.psl", 20, 1, "allreduce"}};
    return program;
}

Blocked waits(std::uint32_t rank, std::uint32_t peer) {
    return {Rank{rank}, Rank{peer}, 0, 0, Blocked::What::recv, Time{12'300'000}};
}

std::size_t lines(const std::string& text) {
    return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("a cycle is listed from its lowest rank on: rank, statement, peer, start of the wait") {
    const std::vector<Blocked> blocked = {{Rank{1}, Rank{4}, 7, 1, Blocked::What::send, Time{2'000'000}}, waits(4, 1)};
    CHECK(describe_deadlock(blocked, model(3, 2)) ==
          "deadlock: 2 ranks wait for each other; 2 ranks blocked in all\n"
          "  rank 1 (column 2, row 1) waits in `send to east` at x.psl:15:5 for rank 4 to receive, tag 7, since 2us\n"
          "  rank 4 (column 2, row 2) waits in `recv from west` at x.psl:12:9 for rank 1, tag 0, since 12.3us\n"
          "  these sends end only once their messages are received: expected sends and receives in the same order on "
          "both sides, or `isend`");
}

TEST_CASE("ranks that wait for a cycle from outside, even for its middle, are counted, not listed") {
    // rank 0 waits for the middle of the cycle, which is listed from its lowest rank on
    const std::vector<Blocked> blocked = {waits(0, 3), waits(1, 2), waits(2, 3), waits(3, 1)};
    CHECK(describe_deadlock(blocked, model(4, 1)) ==
          "deadlock: 3 ranks wait for each other; 4 ranks blocked in all\n  rank 1 (column 2, row 1) waits in `recv "
          "from west` at x.psl:12:9 for rank 2, tag 0, since 12.3us\n  rank 2 (column 3, row 1) waits in `recv from "
          "west` at x.psl:12:9 for rank 3, tag 0, since 12.3us\n  rank 3 (column 4, row 1) waits in `recv from west` "
          "at x.psl:12:9 for rank 1, tag 0, since 12.3us\n  expected one of these ranks to send before it receives");
}

TEST_CASE("the order in which the blocked ranks come does not matter") {
    const std::vector<Blocked> blocked = {waits(2, 0), waits(0, 1), waits(1, 2)};
    const std::vector<Blocked> sorted = {waits(0, 1), waits(1, 2), waits(2, 0)};
    CHECK(describe_deadlock(blocked, model(3, 1)) == describe_deadlock(sorted, model(3, 1)));
}

TEST_CASE("a rank may wait for itself") {
    const std::vector<Blocked> blocked = {waits(2, 2)};
    CHECK(describe_deadlock(blocked, model(3, 1)) ==
          "deadlock: 1 rank waits for itself; 1 rank blocked in all\n"
          "  rank 2 (column 3, row 1) waits in `recv from west` at x.psl:12:9 for rank 2, tag 0, since 12.3us\n"
          "  expected an `isend` to the rank itself before it receives");
}

TEST_CASE("without a cycle the chain of the lowest rank is listed up to the rank that has finished") {
    const std::vector<Blocked> blocked = {waits(0, 1), waits(1, 2)};
    CHECK(describe_deadlock(blocked, model(3, 1)) ==
          "deadlock: 2 ranks wait for a rank that has finished; 2 ranks blocked in all\n"
          "  rank 0 (column 1, row 1) waits in `recv from west` at x.psl:12:9 for rank 1, tag 0, since 12.3us\n"
          "  rank 1 (column 2, row 1) waits in `recv from west` at x.psl:12:9 for rank 2, tag 0, since 12.3us\n"
          "  rank 2 (column 3, row 1) has finished");
}

TEST_CASE("a cycle is preferred to a chain that starts at a lower rank, and of nothing there is no description") {
    const std::vector<Blocked> blocked = {waits(0, 4), waits(1, 2), waits(2, 1)};
    CHECK(describe_deadlock(blocked, model(5, 1)).starts_with("deadlock: 2 ranks wait for each other; 3 ranks"));
    CHECK(describe_deadlock({}, model(1, 1)) == "");
}

TEST_CASE("in a collective there is no tag, and a statement that is not known is left out") {
    std::vector<Blocked> blocked = {{Rank{0}, Rank{1}, 0, 2, Blocked::What::collective, Time{0}}};
    CHECK(describe_deadlock(blocked, model(2, 1)).find("in `allreduce` at x.psl:20:1 for rank 1, since 0s\n") !=
          std::string::npos);
    blocked[0].site = 99;
    CHECK(describe_deadlock(blocked, model(2, 1)).find("(column 1, row 1) waits for rank 1") != std::string::npos);
}

TEST_CASE("twelve ranks of a cycle of 20 are listed, and the closing wait") {
    std::vector<Blocked> blocked;
    for (std::uint32_t rank = 0; rank < 20; ++rank) blocked.push_back(waits(rank, (rank + 1) % 20));
    const std::string text = describe_deadlock(blocked, model(20, 1));
    CHECK(lines(text) == 1 + 12 + 1 + 1);
    CHECK(text.find("\n  ... and 8 more; the last of them waits for rank 0\n") != std::string::npos);
}

TEST_CASE("the twelve ranks nearest the end of a chain of 20 are listed") {
    std::vector<Blocked> blocked;
    for (std::uint32_t rank = 0; rank < 20; ++rank) blocked.push_back(waits(rank, rank + 1));
    const std::string text = describe_deadlock(blocked, model(21, 1));
    CHECK(lines(text) == 1 + 1 + 12 + 1);
    CHECK(text.find("\n  ... 8 more ranks wait for those that follow\n  rank 8 ") != std::string::npos);
    CHECK(text.ends_with("\n  rank 20 (column 21, row 1) has finished"));
}

TEST_CASE("if sends wait for each other, the remedy is that one rank receives first") {
    const auto sends = [](std::uint32_t rank, std::uint32_t peer) {
        return Blocked{Rank{rank}, Rank{peer}, 0, 1, Blocked::What::send, Time{0}};
    };
    const auto cycle = [](std::vector<Blocked> members) { return remedy({std::move(members), true}); };
    CHECK(cycle({sends(0, 1), sends(1, 0)}) ==
          "these sends end only once their messages are received: expected one of these ranks to receive first, or "
          "`isend` or `sendrecv`");
    CHECK(cycle({sends(0, 0)}) ==
          "these sends end only once their messages are received: expected an `irecv` before the send, or an `isend`");
    CHECK(remedy({{sends(0, 1)}, false}) == "");
}

TEST_CASE("a cycle through a collective needs one order of it and of the messages") {
    const Blocked collective{Rank{0}, Rank{1}, 0, 2, Blocked::What::collective, Time{0}};
    CHECK(remedy({{collective, waits(1, 0)}, true}) ==
          "expected the collective and the messages in the same order on all these ranks");
    const Blocked other{Rank{1}, Rank{0}, 0, 2, Blocked::What::collective, Time{0}};
    CHECK(remedy({{collective, other}, true}) == "expected the collectives in the same order on all these ranks");
}
