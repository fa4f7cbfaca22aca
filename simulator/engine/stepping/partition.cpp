#include "simulator/engine/stepping/partition.hpp"

#include <algorithm>

#include "simulator/engine/stepping/message_protocol_matching.hpp"
#include "simulator/engine/stepping/message_protocol_progress.hpp"

namespace warpfront::engine {

namespace {

constexpr std::uint32_t kEventsBetweenPauses = 32;

}  // namespace

void Partition::run_until_quiescent(std::uint64_t most) {
    context.is_plain() ? plain_.run_until_quiescent(most) : any_.run_until_quiescent(most);
}

void Partition::serve(std::int64_t limit, const std::function<void()>& pause) {
    context.limit = limit;
    while (!(context.is_plain() ? serve_with(plain_, pause) : serve_with(any_, pause))) {}
}

/// Returns false if the run has become plain, which happens when its timeline has ended.
template <bool kPlain>
bool Partition::serve_with(ProgramInterpreter<kPlain>& interpreter, const std::function<void()>& pause) {
    Event event;
    for (std::uint32_t served = 1; context.calendar.take_before(context.limit, event); ++served) {
        context.come_to(event.time);
        interpreter.serve(event.id);
        if (served % kEventsBetweenPauses != 0) continue;
        pause();
        if (context.is_plain() != kPlain) return false;
    }
    return true;
}

void Partition::take(const std::vector<RemoteEvent>& events) {
    context.is_plain() ? plain_.protocol().take(events) : any_.protocol().take(events);
}

bool Partition::has_sent() const {
    return std::any_of(sent_.begin(), sent_.end(), [](const auto& box) { return !box.empty(); });
}

void Partition::close_round() {
    sent_.resize(context.remote_events.size());
    for (auto& box : sent_) box.clear();
    sent_.swap(context.remote_events);
}

bool Partition::grant_links(LinkRequestId request) {
    return context.is_plain() ? plain_.protocol().grant_links(request) : any_.protocol().grant_links(request);
}

Partners Partition::partners_of(Rank rank) const { return any_.protocol().partners_of(rank); }

void Partition::count_messages(std::unordered_map<ReceiveEndpointId, std::uint64_t, IdHash>& sum) const {
    for (const auto* const boxes : {&sent_, &context.remote_events}) {
        for (const std::vector<RemoteEvent>& box : *boxes) {
            for (const RemoteEvent& event : box) {
                if (event.kind == RemoteEvent::data) ++sum[event.receive_endpoint()];
            }
        }
    }
}

std::uint64_t Partition::bytes() const {
    std::uint64_t sum = context.bytes();
    for (const auto& box : sent_) sum += box.capacity() * sizeof(RemoteEvent);
    return sum;
}

}  // namespace warpfront::engine
