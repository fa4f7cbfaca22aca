#include "tests/comparison/differences.hpp"

namespace warpfront::test {

namespace {

using Lines = std::vector<std::string>;

/// Converts a time. Every time of a record fits: it is at most an iteration count times the horizon.
std::int64_t picoseconds(WideTime time) { return static_cast<std::int64_t>(time.ps); }

void compare_times(std::string_view what, WideTime a, WideTime b, Lines& lines) {
    if (a == b) return;
    lines.push_back(
        fmt::format("{}: {} ps and {} ps ({:+} ps)", what, picoseconds(a), picoseconds(b), picoseconds(b - a)));
}

template <typename Value>
void compare_counts(std::string_view what, const Value& a, const Value& b, Lines& lines) {
    if (!(a == b)) lines.push_back(fmt::format("{}: {} and {}", what, a, b));
}

/// Compares parts, and names the first rank whose parts differ.
void compare_parts_of_ranks(const record::Record& a, const record::Record& b, Lines& lines) {
    compare_counts("breakdowns of ranks", a.rank_breakdown.size(), b.rank_breakdown.size(), lines);
    const std::size_t before = lines.size();
    for (std::size_t rank = 0; rank < std::min(a.rank_breakdown.size(), b.rank_breakdown.size()); ++rank) {
        for (const auto& [name, part] : record::kBreakdownParts) {
            const WideTime in_a = a.rank_breakdown[rank].*part;
            const WideTime in_b = b.rank_breakdown[rank].*part;
            if (in_a != in_b) compare_times(fmt::format("{} of rank {}", name, rank), in_a, in_b, lines);
        }
        if (lines.size() > before) return;
    }
}

/// Compares phases, and names the first phase and rank that differ.
void compare_phases(const record::Record& a, const record::Record& b, Lines& lines) {
    compare_counts("phases are there", a.phases.has_value(), b.phases.has_value(), lines);
    if (!a.phases || !b.phases || *a.phases == *b.phases) return;
    for (std::size_t k = 0; k < a.phases->times.size(); ++k) {
        for (std::size_t rank = 0; rank < a.phases->times[k].size(); ++rank) {
            const auto [in_a, in_b] = std::pair(a.phases->times[k][rank], b.phases->times[k][rank]);
            if (in_a == in_b) continue;
            compare_times(fmt::format("phase {} of rank {}", a.phases->names[k], rank), in_a, in_b, lines);
            return;
        }
    }
    lines.emplace_back("times outside of all phases differ");
}

/// Compares first tiles, and names the first rank that differs.
void compare_first_tiles(const record::Record& a, const record::Record& b, Lines& lines) {
    compare_counts("first tiles of ranks", a.rank_first_tile.size(), b.rank_first_tile.size(), lines);
    for (std::size_t rank = 0; rank < std::min(a.rank_first_tile.size(), b.rank_first_tile.size()); ++rank) {
        if (a.rank_first_tile[rank] == b.rank_first_tile[rank]) continue;
        compare_times(fmt::format("first tile of rank {}", rank), a.rank_first_tile[rank], b.rank_first_tile[rank],
                      lines);
        return;
    }
}

void compare_unexpected(const record::Record& a, const record::Record& b, Lines& lines) {
    if (a.unexpected == b.unexpected) return;
    const auto messages = [](const record::Record& each) { return each.unexpected ? each.unexpected->messages : 0; };
    const auto copying = [](const record::Record& each) {
        return each.unexpected ? each.unexpected->copying : WideTime{};
    };
    compare_counts("unexpected messages are counted", a.unexpected.has_value(), b.unexpected.has_value(), lines);
    compare_counts("unexpected messages", messages(a), messages(b), lines);
    compare_times("copies of unexpected messages", copying(a), copying(b), lines);
}

void compare_ranks(const record::Record& a, const record::Record& b, Lines& lines) {
    compare_counts("ranks", a.rank_finish.size(), b.rank_finish.size(), lines);
    if (a.rank_finish.size() != b.rank_finish.size()) return;
    const auto [first, in_b] = std::mismatch(a.rank_finish.begin(), a.rank_finish.end(), b.rank_finish.begin());
    if (first == a.rank_finish.end()) {
        compare_parts_of_ranks(a, b, lines);
        compare_first_tiles(a, b, lines);
        return;
    }
    const auto rank = static_cast<std::size_t>(first - a.rank_finish.begin());
    compare_times(fmt::format("finish of rank {}", rank), *first, *in_b, lines);
}

void compare_iterations(const record::Record& a, const record::Record& b, Lines& lines) {
    compare_counts("runs of equal iterations", a.iterations.size(), b.iterations.size(), lines);
    for (std::size_t k = 0; k < std::min(a.iterations.size(), b.iterations.size()); ++k) {
        if (a.iterations[k] == b.iterations[k]) continue;
        const auto& [time_a, count_a] = a.iterations[k];
        const auto& [time_b, count_b] = b.iterations[k];
        lines.push_back(fmt::format("iterations, run {}: {} x {} ps and {} x {} ps", k, count_a, picoseconds(time_a),
                                    count_b, picoseconds(time_b)));
        return;
    }
}

void compare_breakdowns(const record::Record& a, const record::Record& b, Lines& lines) {
    compare_counts("breakdown is there", a.breakdown.has_value(), b.breakdown.has_value(), lines);
    if (!a.breakdown || !b.breakdown) return;
    for (const auto& [name, part] : record::kBreakdownParts)
        compare_times(name, *a.breakdown.*part, *b.breakdown.*part, lines);
}

std::string text_of(const record::LinkWaits& waits, std::size_t k) {
    if (k >= waits.hottest.size()) return "no link";
    return fmt::format("{} {} ps", waits.hottest[k].link, picoseconds(waits.hottest[k].waited));
}

void compare_link_waits(const record::Record& a, const record::Record& b, Lines& lines) {
    compare_counts("link waits are there", a.link_waits.has_value(), b.link_waits.has_value(), lines);
    if (!a.link_waits || !b.link_waits) return;
    compare_times("waiting for all links", a.link_waits->all, b.link_waits->all, lines);
    for (std::size_t k = 0; k < record::LinkWaits::kMostNamed; ++k) {
        const std::string of_a = text_of(*a.link_waits, k);
        const std::string of_b = text_of(*b.link_waits, k);
        if (of_a == of_b) continue;
        lines.push_back(fmt::format("hottest link {}: {} and {}", k, of_a, of_b));
        return;
    }
}

std::string text_of(const record::Blocked& blocked) {
    constexpr std::array<std::string_view, 3> kDoes{"receives", "sends", "is in a collective"};
    return fmt::format("rank {} {} at site {}, peer {}, tag {}, since {} ps", blocked.rank.index,
                       kDoes[static_cast<std::size_t>(blocked.what)], blocked.site, blocked.peer.index, blocked.tag,
                       blocked.since->ps);
}

/// Adds the phases of the first rank for which they do not add up to its finish.
void sum_up_phases(const record::Record& record, Lines& lines) {
    if (!record.phases) return;
    for (std::size_t rank = 0; rank < record.rank_finish.size(); ++rank) {
        WideTime sum = record.phases->outside[rank];
        for (const std::vector<WideTime>& times : record.phases->times) sum += times[rank];
        if (sum == record.rank_finish[rank]) continue;
        compare_times(fmt::format("finish of rank {} and sum of its phases", rank), record.rank_finish[rank], sum,
                      lines);
        return;
    }
}

}  // namespace

std::vector<std::string> differences(const record::Record& a, const record::Record& b) {
    Lines lines;
    compare_times("time", a.finish, b.finish, lines);
    compare_counts("last rank", a.last ? std::int64_t{a.last->index} : -1, b.last ? std::int64_t{b.last->index} : -1,
                   lines);
    compare_ranks(a, b, lines);
    compare_iterations(a, b, lines);
    compare_breakdowns(a, b, lines);
    compare_link_waits(a, b, lines);
    compare_unexpected(a, b, lines);
    compare_phases(a, b, lines);
    if (a.work && b.work) compare_counts("messages of the model", a.work->messages, b.work->messages, lines);
    return lines;
}

std::vector<std::string> differences(const std::vector<record::Blocked>& a, const std::vector<record::Blocked>& b) {
    Lines lines;
    compare_counts("blocked ranks", a.size(), b.size(), lines);
    for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
        const std::string of_a = text_of(a[k]);
        const std::string of_b = text_of(b[k]);
        if (of_a == of_b) continue;
        lines.push_back(fmt::format("blocked: {}, and {}", of_a, of_b));
        return lines;
    }
    return lines;
}

std::vector<std::string> contradictions(const record::Record& record) {
    Lines lines;
    WideTime of_iterations;
    for (const auto& [time, count] : record.iterations) of_iterations += WideTime{time.ps * count};
    if (!record.iterations.empty()) compare_times("time and sum of iterations", record.finish, of_iterations, lines);
    if (record.link_waits && record.link_waits->all.ps < 0) lines.emplace_back("waiting for all links is negative");
    sum_up_phases(record, lines);
    if (!record.breakdown) return lines;
    compare_times("time and sum of the breakdown", record.finish, record.breakdown->total(), lines);
    for (const auto& [name, part] : record::kBreakdownParts) {
        const WideTime time = *record.breakdown.*part;
        if (time.ps < 0) lines.push_back(fmt::format("{} is negative: {} ps", name, picoseconds(time)));
    }
    return lines;
}

}  // namespace warpfront::test
