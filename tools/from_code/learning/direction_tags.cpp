#include "tools/from_code/learning/direction_tags.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

namespace warpfront::learning {

namespace {

/// Returns the offset from the sender of a message to its receiver.
Offset direction_of(const Pattern& message) {
    const Offset& to = message.offset;
    return is_receive(message.kind) ? Offset{-to.columns, -to.rows, -to.planes} : to;
}

/// Adds the patterns of messages whose partners are offsets.
void add_messages(const Structure& structure, const std::vector<Part>& parts, std::set<std::uint32_t>& patterns) {
    for (const Part& part : parts) {
        add_messages(structure, part.body, patterns);
        if (part.kind != Part::Kind::step) continue;
        const Pattern& pattern = structure.patterns[part.pattern];
        if ((is_send(pattern.kind) || is_receive(pattern.kind)) && pattern.partner == PartnerKind::offset)
            patterns.insert(part.pattern);
    }
}

/// Searches for two open requests of one rank that have the same partner, because closed axes have only two ranks.
class MeetingRequests {
public:
    explicit MeetingRequests(const Structure& structure) : structure_(structure) {}

    bool any(const std::vector<Part>& parts) {
        return std::ranges::any_of(parts, [this](const Part& part) {
            return part.kind == Part::Kind::step ? meets(part.pattern) : any(part.body);
        });
    }

private:
    bool meets(std::uint32_t number) {
        const Pattern& pattern = structure_.patterns[number];
        if (pattern.partner != PartnerKind::offset) return false;
        if (pattern.kind == StepKind::wait) {
            if (const auto request = open_.find(pattern.begun); request != open_.end()) open_.erase(request);
            return false;
        }
        if (!has_partner(pattern.kind)) return false;
        const bool meets = std::ranges::any_of(open_, [&](std::uint32_t each) {
            const Pattern& other = structure_.patterns[each];
            return is_send(other.kind) == is_send(pattern.kind) && other.offset != pattern.offset &&
                   coincide(other.offset, pattern.offset);
        });
        if (begins(pattern.kind)) open_.insert(number);
        return meets;
    }

    /// Returns true if two offsets lead to the same rank when closed axes have two ranks.
    bool coincide(const Offset& a, const Offset& b) const {
        const auto meet = [](std::int32_t by, std::int32_t other, bool closed) {
            return by == other || (closed && by == -other);
        };
        const Closed& closed = structure_.closed;
        return meet(a.columns, b.columns, closed.columns) && meet(a.rows, b.rows, closed.rows) &&
               meet(a.planes, b.planes, closed.planes);
    }

    const Structure& structure_;
    std::multiset<std::uint32_t> open_;  // patterns of the open requests
};

}  // namespace

std::map<std::uint32_t, std::int32_t> direction_tags(const Structure& structure) {
    if (!structure.closed.any() || !MeetingRequests(structure).any(structure.parts)) return {};
    std::set<std::uint32_t> messages;
    add_messages(structure, structure.parts, messages);
    std::map<Offset, std::vector<std::uint32_t>> directions;
    std::map<Offset, std::set<bool>> ends;  // for each direction, whether messages are sent (true) and received (false)
    for (const std::uint32_t each : messages) {
        const Pattern& pattern = structure.patterns[each];
        directions[direction_of(pattern)].push_back(each);
        ends[direction_of(pattern)].insert(is_send(pattern.kind));
    }
    // If an axis has an even length, halfway around it there are two directions, of which a pattern has one.
    if (std::ranges::any_of(ends, [](const auto& each) { return each.second.size() < 2; })) return {};
    std::map<std::uint32_t, std::int32_t> tags;
    std::int32_t next = 0;
    for (const auto& [direction, patterns] : directions) {
        for (const std::uint32_t each : patterns)
            tags[each] = structure.patterns[each].tag * static_cast<std::int32_t>(directions.size()) + next;
        ++next;
    }
    return tags;
}

}  // namespace warpfront::learning
