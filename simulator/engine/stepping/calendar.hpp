// A calendar queue: events in the order of their times (Brown 1988). Simultaneous events have a given order.
//
//   later   events after the present year, in one unsorted list
//   bins    events of the year, in bins of about twenty events; a bin is an unsorted list
//   slots   the present bin, divided into 64 slots, so that most of them have at most one event. A word of bits shows
//           which slot is the next
//   open    the present slot if it has several events; they are sorted, and further events are inserted
//   late    events that are added to an open slot with many events, in a heap
//
// A new year begins when all bins have been used. It lasts four times as long as the average distance of the waiting
// events from the first one, so it adapts to the density of events. In sweeps, a message that is due within a few tile
// times is put into a bin at once, and a single distant event does not make the bins of others longer. Each event is
// moved three times, independently of the number of events. A queue loses most of its time to mispredicted branches,
// when events are compared and sorted; a slot with one event needs no comparison. Events may be added at any time, even
// for times before the event taken last. These are taken next.
//
// A year may begin with few events, far apart, and then become much denser: for example, when all ranks wait for one
// that was interrupted. Then its slots are too long, and most events are late. When there have been as many late events
// as the latest division had events, the present year ends, and a new one begins with the events that are left.
//
// `Order` must have `place_of(EventId)`, which returns the place of an event among those of the same time, and `void
// prefetch(EventId)`, which is called a few events before an event is taken. Places must be comparable by `<`. Only one
// thread at a time may use a calendar.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "simulator/engine/stepping/event.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::engine {

/// The events of the year that follow the present bin, and the events after the year. The events of a bin are stored in
/// chunks of two cache lines.
class EventBins {
public:
    static constexpr std::size_t kMostBins = std::size_t{1} << 13;

    /// Adds an event after the present bin.
    void add(const Event& event) {
        if (event.time >= year_end_) return add_later(event);
        const auto bin = static_cast<std::size_t>(event.time - year_begin_) >> shift_;
        if (first_[bin] == kNoChunk) return add_to_new_chunk(event, bin);
        Chunk& chunk = chunks_[first_[bin]];
        if (chunk.count == chunk.events.size()) return add_to_new_chunk(event, bin);
        chunk.events[chunk.count++] = event;
    }
    /// Makes the next bin with events the present bin. Returns false if there is none.
    bool go_to_next();
    /// Ends the present year. Begins a new one with `events` and all events after the present bin, and no present bin.
    /// Returns the number of events.
    std::size_t begin_year_with(std::span<const Event> events);
    /// Calls `visit` for the events that were in the present bin when it became the present one, in no particular
    /// order.
    template <typename Visit>
    void for_each(const Visit& visit) const {
        for (std::uint32_t at = present_; at != kNoChunk; at = chunks_[at].next) {
            const Chunk& chunk = chunks_[at];
            for (std::uint32_t k = 0; k < chunk.count; ++k) visit(chunk.events[k]);
        }
    }
    /// Returns the beginning of the present bin. end() below returns its end.
    std::int64_t begin() const { return begin_; }
    std::int64_t end() const { return end_; }
    unsigned shift() const { return shift_; }  // binary logarithm of the length of a bin

    std::uint64_t bytes() const;

private:
    static constexpr std::uint32_t kNoChunk = 0xFFFFFFFF;
    static constexpr unsigned kMostShift = 47;  // a year of 2^60 ps may begin at the horizon

    struct alignas(64) Chunk {
        std::array<Event, 7> events;
        std::uint32_t next = kNoChunk;  // next chunk of the bin
        std::uint32_t count = 0;
    };

    // The rare cases of `add`. They are called at its end, so that `add` itself needs no stack.
    [[gnu::noinline]] void add_later(Event event);
    [[gnu::noinline]] void add_to_new_chunk(Event event, std::size_t bin);
    bool begin_year();
    void take_out(std::size_t bin, std::vector<Event>& events);
    void free_chunks(std::uint32_t first);
    std::size_t used_from(std::size_t bin) const;

    std::int64_t year_begin_ = 0;
    std::int64_t year_end_ = 0;
    unsigned shift_ = 0;
    std::vector<std::uint32_t> first_;  // first chunk of each bin
    std::vector<Chunk> chunks_;
    std::uint32_t free_ = kNoChunk;
    std::uint32_t present_ = kNoChunk;  // first chunk of the present bin, which is freed when the next bin is opened
    std::int64_t begin_ = 0;
    std::int64_t end_ = 0;
    std::array<std::uint64_t, kMostBins / 64> used_{};  // one bit per bin, set if the bin has events
    std::vector<Event> later_;
};

template <typename Order>
class Calendar {
public:
    explicit Calendar(const Order& order) : order_(order) { slots_.fill(kNoEvent); }

    void add(std::int64_t time, EventId id) {
        if (time >= bins_.end()) return bins_.add({time, id});
        if (time >= open_until_) return add_to_slot({time, id});
        insert({time, id});
    }
    /// Takes the first event if it precedes `limit`.
    bool take_before(std::int64_t limit, Event& event) {
        if (!late_.empty()) [[unlikely]]
            return take_with_late(limit, event);
        if (open_.empty() && find_in_slots(limit, event)) return true;
        if (open_.empty() || open_[taken_].time >= limit) return false;
        take_open(event);
        return true;
    }
    /// Returns the time of the first event; kHorizon if there is none.
    std::int64_t first_time();
    /// Returns true if another event has the same time as the event taken last. Such an event is in the open slot.
    bool has_more_at(std::int64_t time_of_last) const {
        return (!open_.empty() && open_[taken_].time == time_of_last) ||
               (!late_.empty() && late_.front().time == time_of_last);
    }

    std::uint64_t bytes() const {
        return bins_.bytes() + waiting_.capacity() * sizeof(Waiting) + open_.capacity() * sizeof(Event) +
               late_.capacity() * sizeof(Late);
    }

private:
    using Place = decltype(std::declval<const Order&>().place_of(EventId{}));

    static constexpr std::uint32_t kNoEvent = 0xFFFFFFFF;
    static constexpr unsigned kSlotBits = 6;
    static constexpr std::size_t kFew = 24;     // up to this many events, moving them one by one is fastest
    static constexpr std::size_t kMany = 1024;  // below this number of late events, dividing again is not worthwhile

    /// An event in a slot.
    struct Waiting {
        std::int64_t time = 0;
        EventId id;
        std::uint32_t behind = kNoEvent;
    };
    static_assert(sizeof(Waiting) == 16);

    /// A late event, with its place among the events of its time.
    struct Late {
        std::int64_t time = 0;
        Place place;
        EventId id;
    };

    bool comes_before(const Event& a, const Event& b) const {
        return a.time != b.time ? a.time < b.time : order_.place_of(a.id) < order_.place_of(b.id);
    }
    void add_to_slot(const Event& event) {
        if (free_ == kNoEvent) return add_with_new_entry(event);
        const auto slot = static_cast<std::size_t>(event.time - bins_.begin()) >> slot_shift_;
        const std::uint32_t at = std::exchange(free_, waiting_[free_].behind);
        waiting_[at] = {event.time, event.id, std::exchange(slots_[slot], at)};
        used_ |= std::uint64_t{1} << slot;
    }
    [[gnu::noinline]] void add_with_new_entry(Event event) {
        free_ = static_cast<std::uint32_t>(waiting_.size());
        waiting_.emplace_back();
        add_to_slot(event);
    }
    /// Takes the event of the next slot with events if the slot has one event and this precedes `limit`. If the slot
    /// has several events, moves them to `open_`.
    bool find_in_slots(std::int64_t limit, Event& event) {
        if (used_ == 0 && !open_bin()) return false;
        const auto slot = static_cast<std::size_t>(std::countr_zero(used_));
        const std::uint32_t first = slots_[slot];
        Waiting& waiting = waiting_[first];
        if (waiting.behind != kNoEvent) {
            open_slot(slot);
            return false;
        }
        if (waiting.time >= limit) return false;
        event = {waiting.time, waiting.id};
        waiting.behind = std::exchange(free_, first);
        leave_slot(slot);
        return true;
    }
    /// Marks the first slot with events as empty. Its events must have been taken out.
    void leave_slot(std::size_t slot) {
        slots_[slot] = kNoEvent;
        used_ &= used_ - 1;
        open_until_ = bins_.begin() + (static_cast<std::int64_t>(slot + 1) << slot_shift_);
    }
    void move_to_open(std::size_t slot) {
        std::uint32_t last = slots_[slot];
        for (std::uint32_t at = last; at != kNoEvent; at = waiting_[at].behind) {
            open_.push_back({waiting_[at].time, waiting_[at].id});
            last = at;
        }
        waiting_[last].behind = std::exchange(free_, slots_[slot]);
    }
    [[gnu::noinline]] void open_slot(std::size_t slot) {
        move_to_open(slot);
        leave_slot(slot);
        open_.size() > kFew ? sort_many(open_) : sort_few(open_);
    }
    void sort_few(std::span<Event> events) {
        for (std::size_t at = 1; at < events.size(); ++at) sink(events.data(), &events[at]);
    }
    /// Sorts events. In codes whose ranks all do the same, thousands of events may have the same time. Their places are
    /// computed once, since this needs data of many ranks.
    [[gnu::noinline]] void sort_many(std::span<Event> events) {
        std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.time < b.time; });
        while (!events.empty()) {
            const auto is_later = [time = events.front().time](const Event& event) { return event.time > time; };
            const auto end = std::find_if(events.begin(), events.end(), is_later);
            const auto count = static_cast<std::size_t>(end - events.begin());
            count > kFew ? sort_by_place(events.first(count)) : sort_few(events.first(count));
            events = events.subspan(count);
        }
    }
    void sort_by_place(std::span<Event> events) {
        std::vector<std::pair<Place, EventId>> places;
        places.reserve(events.size());
        for (const Event& event : events) places.emplace_back(order_.place_of(event.id), event.id);
        std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t k = 0; k < events.size(); ++k) events[k].id = places[k].second;
    }
    [[gnu::noinline]] bool open_bin() {
        if (!bins_.go_to_next()) return false;
        slot_shift_ = bins_.shift() > kSlotBits ? bins_.shift() - kSlotBits : 0;
        open_until_ = bins_.begin();
        bins_.for_each([this](const Event& event) {
            order_.prefetch(event.id);
            add_to_slot(event);
        });
        return true;
    }
    /// Inserts an event among the events of the open slot that have not been taken.
    [[gnu::noinline]] void insert(Event event) {
        if (open_.size() - taken_ > kFew) return insert_late(event);
        open_.push_back(event);
        sink(open_.data() + taken_, open_.data() + open_.size() - 1);
    }
    [[gnu::noinline]] void insert_late(Event event) {
        late_.push_back({event.time, order_.place_of(event.id), event.id});
        std::push_heap(late_.begin(), late_.end(), is_later);
        if (++inserted_late_ >= divide_after_ && late_.size() > kMany) divide_again();
    }
    [[gnu::noinline]] bool take_with_late(std::int64_t limit, Event& event) {
        const Late& late = late_.front();
        const bool takes_late = open_.empty() || precedes(late, open_[taken_]);
        if ((takes_late ? late.time : open_[taken_].time) >= limit) return false;
        if (!takes_late) {
            take_open(event);
            return true;
        }
        event = {late.time, late.id};
        std::pop_heap(late_.begin(), late_.end(), is_later);
        late_.pop_back();
        return true;
    }
    bool precedes(const Late& late, const Event& event) const {
        return late.time != event.time ? late.time < event.time : late.place < order_.place_of(event.id);
    }
    static bool is_later(const Late& a, const Late& b) {
        return a.time != b.time ? b.time < a.time : b.place < a.place;
    }
    void take_open(Event& event) {
        event = open_[taken_++];
        if (taken_ < open_.size()) return;
        open_.clear();
        taken_ = 0;
    }
    /// Ends the year. Only the events of the earliest time stay in the open slot (see has_more_at).
    [[gnu::noinline]] void divide_again() {
        const std::int64_t now = first_time();
        const auto stays = [now](const auto& event) { return event.time == now; };
        open_.erase(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(taken_));
        taken_ = 0;
        const auto stay = std::find_if_not(open_.begin(), open_.end(), stays) - open_.begin();
        const auto late = std::partition(late_.begin(), late_.end(), stays);
        for (auto at = late; at != late_.end(); ++at) open_.push_back({at->time, at->id});
        late_.erase(late, late_.end());
        std::make_heap(late_.begin(), late_.end(), is_later);
        while (used_ != 0) {
            const auto slot = static_cast<std::size_t>(std::countr_zero(used_));
            move_to_open(slot);
            leave_slot(slot);
        }
        const std::size_t divided = bins_.begin_year_with(std::span(open_).subspan(static_cast<std::size_t>(stay)));
        open_.resize(static_cast<std::size_t>(stay));
        open_until_ = bins_.end();
        inserted_late_ = 0;
        divide_after_ = std::max(divided, kMany);
    }
    /// Moves an event forward to its position among the events from `first` on.
    void sink(const Event* first, Event* at) {
        const Event event = *at;
        for (; at > first && comes_before(event, at[-1]); --at) *at = at[-1];
        *at = event;
    }

    const Order& order_;
    EventBins bins_;
    std::array<std::uint32_t, std::size_t{1} << kSlotBits> slots_{};  // first event of each slot that has any
    std::uint64_t used_ = 0;                                          // one bit per slot, set if the slot has events
    unsigned slot_shift_ = 0;
    std::uint32_t free_ = kNoEvent;
    std::vector<Waiting> waiting_;
    /// end of the slot that was opened last; if none was, the beginning of the present bin
    std::int64_t open_until_ = 0;
    std::vector<Event> open_;
    std::size_t taken_ = 0;
    std::vector<Late> late_;         // a heap
    std::size_t inserted_late_ = 0;  // number of events that have been late since the latest division
    std::size_t divide_after_ = kMany;
};

template <typename Order>
std::int64_t Calendar<Order>::first_time() {
    std::int64_t first = late_.empty() ? kHorizon.ps : late_.front().time;
    if (!open_.empty()) return std::min(first, open_[taken_].time);
    if (!late_.empty() || (used_ == 0 && !open_bin())) return first;
    for (std::uint32_t at = slots_[static_cast<std::size_t>(std::countr_zero(used_))]; at != kNoEvent;
         at = waiting_[at].behind) {
        first = std::min(first, waiting_[at].time);
    }
    return first;
}

}  // namespace warpfront::engine
