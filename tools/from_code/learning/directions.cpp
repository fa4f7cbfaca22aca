#include "tools/from_code/learning/directions.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "tools/from_code/learning/structure.hpp"

namespace warpfront::learning {

namespace {

/// An axis of a process grid.
struct GridAxis {
    std::uint32_t ranks = 0;
    bool closed = false;
    std::int32_t Offset::*along = nullptr;
};
std::array<GridAxis, 3> axes_of(const Array& array) {
    return {GridAxis{array.columns, array.closed.columns, &Offset::columns},
            GridAxis{array.rows, array.closed.rows, &Offset::rows},
            GridAxis{array.planes, array.closed.planes, &Offset::planes}};
}

Offset distance_of(const Offset& offset) {
    return {std::abs(offset.columns), std::abs(offset.rows), std::abs(offset.planes)};
}

/// Returns the offset from the sender of a message to its receiver.
Offset direction_of(const Pattern& message) {
    const Offset& to = message.offset;
    return is_receive(message.kind) ? Offset{-to.columns, -to.rows, -to.planes} : to;
}

/// Adds the patterns of messages to partners at offsets.
void add_messages(const Structure& structure, const std::vector<Part>& parts, std::set<std::uint32_t>& patterns) {
    for (const Part& part : parts) {
        add_messages(structure, part.body, patterns);
        if (part.kind != Part::Kind::step) continue;
        const Pattern& pattern = structure.patterns[part.pattern];
        if ((is_send(pattern.kind) || is_receive(pattern.kind)) && pattern.partner == PartnerKind::offset)
            patterns.insert(part.pattern);
    }
}

/// Search for two open requests of one rank that closed axes of two ranks direct to one partner.
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

    /// Returns whether offsets lead to one rank if the closed axes have two ranks.
    bool coincide(const Offset& a, const Offset& b) const {
        const Closed& closed = structure_.closed;
        return distance_of(a) == distance_of(b) && (closed.columns || a.columns == b.columns) &&
               (closed.rows || a.rows == b.rows) && (closed.planes || a.planes == b.planes);
    }

    const Structure& structure_;
    std::multiset<std::uint32_t> open_;  // patterns of requests
};

/// Shortens a sequence to its smallest period.
void keep_period(std::vector<std::int32_t>& signs) {
    for (std::size_t period = 1; 2 * period <= signs.size(); ++period) {
        bool repeats = signs.size() % period == 0;
        for (std::size_t at = period; repeats && at < signs.size(); ++at) repeats = signs[at] == signs[at - period];
        if (!repeats) continue;
        signs.resize(period);
        return;
    }
}

}  // namespace

DirectedCall directed_call(const trace::RecordedSite& site, StepKind kind, const Offset& offset) {
    return {{site.file, site.line, site.function}, kind, distance_of(offset)};
}

void Directions::add(const trace::RecordedRun& recorded, const RankSteps& steps, const Array& array, Rank rank) {
    const std::array<GridAxis, 3> axes = axes_of(array);
    std::map<DirectedCall, std::array<Signs, 3>> own;
    for (const Step& step : steps.steps) {
        if (!has_partner(step.kind) || step.kind == StepKind::wait) continue;
        const Offset offset = offset_of(array, rank, step.peer);
        const DirectedCall call = directed_call(recorded.sites[step.site], step.kind, offset);
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            const std::int32_t by = offset.*axes[axis].along;
            if (axes[axis].closed && axes[axis].ranks > 2 && by != 0) own[call][axis].push_back(by > 0 ? 1 : -1);
        }
    }
    for (auto& [call, signs] : own) {
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            Signs& known = known_[call][axis];
            if (!known.empty() || signs[axis].empty()) continue;
            known = std::move(signs[axis]);
            keep_period(known);
        }
    }
}

Offset Directions::directed(const DirectedCall& call, std::size_t ordinal, const Array& array,
                            const Offset& offset) const {
    const auto found = known_.find(call);
    if (found == known_.end()) return offset;
    const std::array<GridAxis, 3> axes = axes_of(array);
    Offset directed = offset;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const Signs& signs = found->second[axis];
        if (!axes[axis].closed || axes[axis].ranks != 2 || signs.empty()) continue;
        directed.*axes[axis].along *= signs[ordinal % signs.size()];
    }
    return directed;
}

std::map<std::uint32_t, std::int32_t> direction_tags(const Structure& structure) {
    if (!structure.closed.any() || !MeetingRequests(structure).any(structure.parts)) return {};
    std::set<std::uint32_t> messages;
    add_messages(structure, structure.parts, messages);
    std::map<Offset, std::vector<std::uint32_t>> directions;
    std::map<Offset, std::set<bool>> ends;  // whether messages of a direction are sent and received
    for (const std::uint32_t each : messages) {
        const Pattern& pattern = structure.patterns[each];
        directions[direction_of(pattern)].push_back(each);
        ends[direction_of(pattern)].insert(is_send(pattern.kind));
    }
    // Halfway around an axis there are two directions, of which a pattern has one.
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
