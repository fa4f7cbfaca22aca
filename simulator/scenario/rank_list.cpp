#include "simulator/scenario/placement_key.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/input/words.hpp"

namespace warpfront::scenario {

namespace {

using input::NumberRange;
using machine::ListedRanks;

constexpr std::int64_t kMostRanks = std::int64_t{1} << 24;

/// A piece of a text, and its place.
struct Piece {
    std::string_view text;
    SourceRange range;

    /// Returns the piece from `begin` to before `end`, without blanks around it.
    Piece part(std::size_t begin, std::size_t end) const {
        const std::string_view whole = text.substr(begin, end - begin);
        const std::string_view bare = input::trimmed(whole, " \t\r");
        return {bare, {range.source, range.offset + static_cast<std::size_t>(bare.data() - text.data()), bare.size()}};
    }
};

std::vector<Piece> split(const Piece& whole, char separator) {
    std::vector<Piece> pieces;
    for (std::size_t start = 0; start <= whole.text.size();) {
        const std::size_t end = std::min(whole.text.find(separator, start), whole.text.size());
        pieces.push_back(whole.part(start, end));
        start = end + 1;
    }
    return pieces;
}

/// Adds ranks, their host and their cores, which are written as `whole`.
void read_ranks(const Piece& whole, const Piece& ranks, const Piece& host, const std::optional<Piece>& cores,
                std::vector<ListedRanks>& listed, Diagnostics& faults) {
    constexpr std::uint32_t kMostHosts = std::numeric_limits<std::uint32_t>::max();
    const std::size_t before = faults.count();
    ListedRanks read{};
    read.range = whole.range;
    const auto numbers = read_numbers(ranks.text, ranks.range, "rank", kMostRanks, faults);
    read.host = static_cast<std::uint32_t>(input::parse_integer(host.text, host.range, 0, kMostHosts, faults));
    if (cores) read.cores = read_numbers(cores->text, cores->range, "core", kMostOnNode, faults);
    if (faults.count() != before) return;
    read.ranks = *numbers;
    if (read.cores && read.cores->count() != read.ranks.count()) {
        faults.add(DiagnosticKind::core_list_length, cores->range,
                   fmt::format("{} cannot be assigned to {}",
                               input::counted(static_cast<std::uint64_t>(read.cores->count()), "core"),
                               input::counted(static_cast<std::uint64_t>(read.ranks.count()), "rank")),
                   "expected one core for each rank");
        return;
    }
    listed.push_back(read);
}

void read_entry(const Piece& entry, std::vector<ListedRanks>& listed, Diagnostics& faults) {
    const std::vector<Piece> parts = split(entry, ':');
    if (parts.size() < 2 || parts.size() > 3) {
        faults.add(DiagnosticKind::bad_range, entry.range, fmt::format("`{}` states no host", entry.text),
                   "expected RANKS:HOST or RANKS:HOST:CORES, such as `0..3:12` or `0..3:12:0..6..2`");
        return;
    }
    read_ranks(entry, parts[0], parts[1], parts.size() == 3 ? std::optional(parts[2]) : std::nullopt, listed, faults);
}

/// Returns the value of `KEY=VALUE`; nothing for another key.
std::optional<Piece> value_of(const Piece& word, std::string_view key) {
    if (!word.text.starts_with(key) || word.text.substr(key.size(), 1) != "=") return std::nullopt;
    return word.part(key.size() + 1, word.text.size());
}

/// Reads a line such as `rank 0=12 slot=3`.
void read_line(const Piece& line, std::vector<ListedRanks>& listed, Diagnostics& faults) {
    std::vector<Piece> words = split(line, ' ');
    std::erase_if(words, [](const Piece& word) { return word.text.empty(); });
    const std::size_t equals = words.size() > 1 ? words[1].text.find('=') : std::string_view::npos;
    const auto slot = words.size() == 3 ? value_of(words[2], "slot") : std::nullopt;
    if (words.front().text != "rank" || equals == std::string_view::npos || words.size() > 3 ||
        (words.size() == 3 && !slot)) {
        faults.add(DiagnosticKind::bad_range, line.range, fmt::format("`{}` is not a line of a rankfile", line.text),
                   "expected `rank NUMBER=HOST slot=CORE`, such as `rank 0=12 slot=3`");
        return;
    }
    Piece host = words[1].part(equals + 1, words[1].text.size());
    if (host.text.starts_with("+n")) host = host.part(2, host.text.size());
    read_ranks(line, words[1].part(0, equals), host, slot, listed, faults);
}

}  // namespace

std::optional<NumberRange> read_numbers(std::string_view text, const SourceRange& range, std::string_view kind,
                                        std::int64_t most, Diagnostics& faults) {
    const auto numbers = input::number_range(text);
    if (!numbers) {
        faults.add(DiagnosticKind::bad_range, range,
                   fmt::format("{} is neither a {} nor a range of {}s",
                               text.empty() ? "this" : fmt::format("`{}`", text), kind, kind),
                   fmt::format("expected a {} such as `3`, a range `0..7`, or one with a step, `0..56..8`", kind));
        return std::nullopt;
    }
    if (numbers->first >= 0 && numbers->last <= most) return numbers;
    faults.add(DiagnosticKind::out_of_range, range,
               fmt::format("there is no {} {}", kind, numbers->first < 0 ? numbers->first : numbers->last),
               fmt::format("expected a {} from 0 to {}", kind, most));
    return std::nullopt;
}

std::vector<ListedRanks> read_rank_list(std::string_view text, const SourceRange& range, Diagnostics& faults) {
    std::vector<ListedRanks> listed;
    for (const Piece& entry : split({text, range}, ',')) read_entry(entry, listed, faults);
    return listed;
}

std::vector<ListedRanks> read_rankfile(const SourceFilePtr& source, Diagnostics& faults) {
    std::vector<ListedRanks> listed;
    const std::size_t before = faults.count();
    const Piece whole{source->text(), {source, 0, source->text().size()}};
    for (const Piece& line : split(whole, '\n')) {
        if (faults.count() >= before + Diagnostics::kMostDiagnostics) break;
        const Piece content = line.part(0, std::min(line.text.find('#'), line.text.size()));
        if (!content.text.empty()) read_line(content, listed, faults);
    }
    if (listed.empty() && faults.count() == before) {
        faults.add(DiagnosticKind::missing_key, {source, 0, 0}, "the rankfile lists no ranks",
                   "expected lines such as `rank 0=12 slot=3`");
    }
    return listed;
}

}  // namespace warpfront::scenario
