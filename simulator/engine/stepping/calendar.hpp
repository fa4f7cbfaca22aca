// A calendar queue: events in the order of their times (Brown 1988), those of one time in an order that is given.
//
//   later   beyond the year: one unsorted list
//   bins    the year, cut into bins of some four events on average: an unsorted list each
//   open    the present bin, sorted; what is added to it is put into its place
//
// A new year begins when the bins are used up. It lasts four times as long as, on average, what waits is ahead of the
// first of it, so it follows the density of events: in sweeps a message that is due within a few tile times is put into
// a bin at once, and a single event far ahead does not widen the bins of the others. An event is moved three or four
// times, whatever their number. Events may be added at any time, also before that of the event taken last: they are
// taken next.
//
// `Order` has `bool comes_before(EventId, EventId)`, of events at one time, and `void prefetch(EventId)`, called some
// events before one is taken. One thread at a time.
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

/// The events of a year that are in no open bin, and those beyond.
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
    /// Opens the next bin that has events, in place of `open`; false if there is none.
    bool open_next(std::vector<Event>& open);
    /// Calls `visit` for the events that are soon to be taken, each once, some events before.
    template <typename Visit>
    void visit_ahead(std::size_t opened, const Visit& visit) {
        visited_ -= std::min(visited_, opened);
        for (; visited_ < kAhead && next_ < kMostBins; next_ = used_from(next_ + 1)) {
            for (const Event& event : bins_[next_]) visit(event);
            visited_ += bins_[next_].size();
        }
    }
    /// When the open bin ends.
    std::int64_t open_until() const { return open_until_; }

    std::uint64_t bytes() const;

private:
    static constexpr unsigned kMostShift = 46;  // a year of 2^60 ps may begin at the horizon
    static constexpr std::size_t kAhead = 16;

    void add_to_bin(const Event& event) {
        const auto bin = static_cast<std::size_t>(event.time - year_begin_) >> bin_shift_;
        std::uint64_t& word = used_[bin / 64];
        const std::uint64_t bit = std::uint64_t{1} << (bin % 64);
        if ((word & bit) == 0) begin_bin(bins_[bin]);
        word |= bit;
        bins_[bin].push_back(event);
    }
    /// With the memory of one that was used up.
    void begin_bin(std::vector<Event>& bin) {
        if (spare_.empty()) return;
        bin.swap(spare_.back());
        spare_.pop_back();
    }
    bool begin_year();
    std::size_t used_from(std::size_t bin) const;

    std::vector<Event> later_;
    std::int64_t year_begin_ = 0;
    std::int64_t year_end_ = 0;
    unsigned bin_shift_ = 0;  // of the length of a bin
    std::vector<std::vector<Event>> bins_;
    std::vector<std::vector<Event>> spare_;             // empty, with memory
    std::array<std::uint64_t, kMostBins / 64> used_{};  // a bit for each bin
    std::size_t next_ = kMostBins;                      // the first that was not visited ahead
    std::size_t visited_ = 0;                           // events that were and are not taken
    std::int64_t open_until_ = 0;
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
        if (!bins_.open_next(open_)) return false;
        taken_ = 0;
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
