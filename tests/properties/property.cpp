#include "tests/properties/property.hpp"

#include "tests/comparison/differences.hpp"

namespace warpfront::test {

namespace {

std::int64_t picoseconds(WideTime time) { return static_cast<std::int64_t>(time.ps); }

}  // namespace

void assert_same(const record::Record& a, const record::Record& b) {
    RC_ASSERT(differences(a, b) == std::vector<std::string>{});
}

bool skipped(const record::Record& record) {
    return std::any_of(record.notes.begin(), record.notes.end(),
                       [](const std::string& note) { return note.find("iterations skipped") != std::string::npos; });
}

record::Record multiplied(record::Record a, std::int64_t factor) {
    const auto grow = [factor](WideTime& time) { time.ps *= factor; };
    for (WideTime& time : a.rank_finish) grow(time);
    for (WideTime& time : a.rank_first_tile) grow(time);
    for (auto& [duration, count] : a.iterations) grow(duration);
    for (const record::BreakdownPart& part : record::kBreakdownParts) {
        grow(*a.breakdown.*part.time);
        for (record::Breakdown& parts : a.rank_breakdown) grow(parts.*part.time);
    }
    grow(a.finish);
    if (a.unexpected) grow(a.unexpected->copying);
    if (a.link_waits) {
        grow(a.link_waits->all);
        for (record::LinkWait& link : a.link_waits->hottest) grow(link.waited);
    }
    return a;
}

void assert_adds_up(const record::Record& record) {
    const record::PathParts& path = *record.path;
    RC_ASSERT(path.total().ps == record.finish.ps);
    for (const record::PathPart& part : record::kPathParts) {
        const bool of_transfer = part.time == &record::PathParts::overhead ||
                                 part.time == &record::PathParts::bandwidth || part.time == &record::PathParts::wire ||
                                 part.time == &record::PathParts::packets;
        if (!of_transfer) RC_ASSERT((path.*part.time).ps >= 0);
    }
}

void assert_never_earlier(const record::Record& later, const record::Record& sooner) {
    for (std::size_t rank = 0; rank < sooner.rank_finish.size(); ++rank) {
        RC_ASSERT(picoseconds(later.rank_finish[rank]) >= picoseconds(sooner.rank_finish[rank]));
    }
}

}  // namespace warpfront::test
