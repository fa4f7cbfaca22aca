// A calendar queue: events in the order of their times (Brown 1988), those of one time in an order that is given.
//
//   later   beyond the year: one unsorted list
//   bins    the year, cut into bins of a few events (nine on average in the main job): an unsorted list each
//   open    the present bin, sorted; what is added to it is put into its place
//
// A new year begins when the bins are used up. It lasts four times as long as, on average, what waits is ahead of the
// first of it, so it follows the density of events: in sweeps a message that is due within a few tile times is put into
// a bin at once, and a single event far ahead does not widen the bins of the others. An event is moved three or four
// times, whatever their number. Events may be added at any time, also before that of the event taken last: they are
// taken next.
//
// `Order` has `bool comes_before(EventId, EventId)`, of events at one time; `void prefetch(EventId)`, called some
// events before one is taken; and `void prefetch_partner(EventId)`, called when its bin is opened. One thread at a
// time.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "simulator/engine/stepping/event.hpp"

namespace warpfront::engine {

/// The events of a year that are in no open bin, and those beyond. Those of a bin lie in chunks of a cache line.
class EventBins {
public:
    static constexpr std::size_t kMostBins = std::size_t{1} << 14;

    /// Behind the bin that was opened last.
    void add(const Event& event) {
        if (event.time < year_end_) {
            add_to_bin(event);
        } else {
            later_.push_back(event);
        }
    }
    /// Moves the events of the next bin that has any to `open`, which is empty; false if there is none.
    bool open_next(std::vector<Event>& open);
    /// Returns the end of the open bin.
    std::int64_t open_until() const { return open_until_; }

    /// Calls `visit` for the events that are soon to be taken, each once, some events before; `opened` were moved last.
    template <typename Visit>
    void visit_ahead(std::size_t opened, const Visit& visit) {
        visited_ -= std::min(visited_, opened);
        while (visited_ < kAhead && next_ < kMostBins) {
            const std::size_t bin = std::exchange(next_, used_from(next_ + 1));
            if (next_ < kMostBins) __builtin_prefetch(&chunks_[first_[next_]]);
            visited_ += for_each(bin, visit);
        }
    }

    std::uint64_t bytes() const;

private:
    static constexpr std::uint32_t kNoChunk = 0xFFFFFFFF;
    static constexpr unsigned kMostShift = 46;  // a year of 2^60 ps may begin at the horizon
    static constexpr std::size_t kAhead = 16;

    struct alignas(64) Chunk {
        std::array<Event, 3> events;
        std::uint32_t next = kNoChunk;  // of its bin
        std::uint32_t count = 0;
    };

    void add_to_bin(const Event& event) {
        const auto bin = static_cast<std::size_t>(event.time - year_begin_) >> bin_shift_;
        std::uint32_t chunk = first_[bin];
        if (chunk == kNoChunk || chunks_[chunk].count == chunks_[chunk].events.size()) chunk = begin_chunk(bin);
        chunks_[chunk].events[chunks_[chunk].count++] = event;
    }
    std::uint32_t begin_chunk(std::size_t bin);
    /// Returns how many there are in the bin.
    template <typename Visit>
    std::size_t for_each(std::size_t bin, const Visit& visit) const {
        std::size_t count = 0;
        for (std::uint32_t at = first_[bin]; at != kNoChunk; at = chunks_[at].next) {
            for (std::uint32_t k = 0; k < chunks_[at].count; ++k) visit(chunks_[at].events[k]);
            count += chunks_[at].count;
        }
        return count;
    }
    bool begin_year();
    std::size_t used_from(std::size_t bin) const;

    std::vector<Event> later_;
    std::int64_t year_begin_ = 0;
    std::int64_t year_end_ = 0;
    unsigned bin_shift_ = 0;            // of the length of a bin
    std::vector<std::uint32_t> first_;  // by bin, of its chunks
    std::vector<Chunk> chunks_;
    std::uint32_t free_ = kNoChunk;
    std::array<std::uint64_t, kMostBins / 64> used_{};  // a bit for each bin
    std::int64_t open_until_ = 0;
    std::size_t next_ = kMostBins;  // bin, the first that was not visited ahead
    std::size_t visited_ = 0;       // events that were and are not moved
};

template <typename Order>
class Calendar {
public:
    explicit Calendar(const Order& order) : order_(order) {}

    void add(std::int64_t time, EventId id) {
        const Event event{time, id};
        if (time >= bins_.open_until()) return bins_.add(event);
        insert(event);
    }
    /// Whether there is an event; then the first can be seen and taken.
    bool find_first() { return taken_ < open_.size() || open_next(); }
    const Event& first() const { return open_[taken_]; }
    EventId take_first() { return open_[taken_++].id; }

    std::uint64_t bytes() const { return bins_.bytes() + open_.capacity() * sizeof(Event); }

private:
    static constexpr std::size_t kFew = 24;  // quickest one by one

    bool comes_before(const Event& a, const Event& b) const {
        return a.time != b.time ? a.time < b.time : order_.comes_before(a.id, b.id);
    }
    /// Among those that are not taken.
    [[gnu::noinline]] void insert(const Event& event) {
        if (open_.size() - taken_ > kFew) return insert_among_many(event);
        open_.push_back(event);
        sink(open_.data() + taken_, open_.data() + open_.size() - 1);
    }
    [[gnu::noinline]] void insert_among_many(const Event& event) {
        const auto untaken = open_.begin() + static_cast<std::ptrdiff_t>(taken_);
        open_.insert(std::upper_bound(untaken, open_.end(), event,
                                      [this](const Event& a, const Event& b) { return comes_before(a, b); }),
                     event);
    }
    /// Moves an event forward to its place among those from `first` on.
    void sink(const Event* first, Event* at) {
        const Event event = *at;
        for (; at > first && comes_before(event, at[-1]); --at) *at = at[-1];
        *at = event;
    }
    [[gnu::noinline]] bool open_next() {
        open_.clear();
        taken_ = 0;
        if (!bins_.open_next(open_)) return false;
        for (const Event& event : open_) order_.prefetch_partner(event.id);
        bins_.visit_ahead(open_.size(), [this](const Event& event) { order_.prefetch(event.id); });
        if (open_.size() > kFew) {
            std::sort(open_.begin(), open_.end(),
                      [this](const Event& a, const Event& b) { return comes_before(a, b); });
        } else {
            Event* const end = open_.data() + open_.size();
            for (Event* at = open_.data() + 1; at < end; ++at) sink(open_.data(), at);
        }
        return true;
    }

    const Order& order_;
    EventBins bins_;
    std::vector<Event> open_;
    std::size_t taken_ = 0;
};

}  // namespace warpfront::engine
