// A calendar queue: events in the order of their times (Brown 1988), those of one time in an order that is given.
//
//   later        beyond the year: one unsorted list
//   bins         the year, cut into 1,024 bins: an unsorted list each
//   buckets      the open bin, cut into about as many buckets as it has events, linked lists
//   now          the present bucket, a heap; nearly always of one event or two
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

/// What is beyond the present bucket.
class EventBins {
public:
    EventBins();

    void add(const Event& event) {
        if (event.time < open_end_) {
            add_to_open(event);
        } else if (event.time < year_end_) {
            add_to_bin(event);
        } else {
            later_.push_back(event);
        }
    }
    /// Moves the events of the first bucket to `bucket`, which is empty; false if there is none.
    bool take_bucket(std::vector<Event>& bucket);
    /// Before this all events are in buckets that were taken.
    std::int64_t taken_until() const { return taken_until_; }

    /// Calls `visit` for an event of each bucket that is soon to be taken, once: up to the 64 buckets behind those 64 of
    /// which the last one taken is.
    template <typename Visit>
    void visit_ahead(const Visit& visit) {
        for (; visited_ <= bucket_ / 64 + 1 && visited_ < occupied_.size(); ++visited_) {
            for (std::uint64_t left = occupied_[visited_]; left != 0; left &= left - 1) {
                visit(open_[first_[visited_ * 64 + static_cast<std::size_t>(std::countr_zero(left))]].id);
            }
        }
    }

    std::uint64_t bytes() const;

private:
    static constexpr std::size_t kBins = 1024;
    static constexpr unsigned kLeastShift = 16;  // a bin is 2^16 ps at least, so it can be cut into most buckets
    static constexpr unsigned kMostShift = 50;   // a year of 2^60 ps may begin at the horizon
    static constexpr std::size_t kMostBuckets = std::size_t{1} << 16;
    static constexpr std::uint32_t kNoEvent = 0xFFFFFFFF;

    void add_to_open(const Event& event) {
        open_.push_back(event);
        link(static_cast<std::uint32_t>(open_.size() - 1));
    }
    void link(std::uint32_t number) {
        const auto bucket = static_cast<std::size_t>(open_[number].time - open_begin_) >> bucket_shift_;
        std::uint64_t& word = occupied_[bucket / 64];
        const std::uint64_t bit = std::uint64_t{1} << (bucket % 64);
        open_[number].next = (word & bit) != 0 ? first_[bucket] : kNoEvent;
        word |= bit;
        first_[bucket] = number;
    }
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
    bool open_next_bin();
    bool begin_year();

    std::vector<Event> later_;
    std::int64_t year_begin_ = 0;
    std::int64_t year_end_ = 0;
    unsigned bin_shift_ = kLeastShift;  // of the length of a bin
    std::vector<std::vector<Event>> bins_;
    std::vector<std::vector<Event>> spare_;  // empty, with memory
    std::array<std::uint64_t, kBins / 64> used_{};
    std::int64_t open_begin_ = 0;
    std::int64_t open_end_ = 0;
    unsigned bucket_shift_ = 0;
    std::vector<Event> open_;
    std::vector<std::uint32_t> first_;     // by bucket, where one is occupied
    std::vector<std::uint64_t> occupied_;  // a bit for each bucket
    std::size_t bucket_ = 0;               // the last that was taken
    std::size_t visited_ = 0;              // by visit_ahead: so many times 64 buckets
    std::int64_t taken_until_ = 0;
};

template <typename Order>
class Calendar {
public:
    explicit Calendar(const Order& order) : order_(order) {}

    void add(std::int64_t time, EventId id) {
        const Event event{time, id};
        if (time >= bins_.taken_until()) return bins_.add(event);
        now_.push_back(event);
        std::push_heap(now_.begin(), now_.end(), Later{order_});
    }
    /// Whether there is an event; then the first can be seen and taken.
    bool find_first() { return !now_.empty() || turn_page(); }
    const Event& first() const { return now_.front(); }
    EventId take_first() {
        const EventId first = now_.front().id;
        if (now_.size() > 1) std::pop_heap(now_.begin(), now_.end(), Later{order_});
        now_.pop_back();
        return first;
    }

    std::uint64_t bytes() const { return bins_.bytes() + now_.capacity() * sizeof(Event); }

private:
    struct Later {
        const Order& order;
        bool operator()(const Event& a, const Event& b) const {
            return a.time != b.time ? a.time > b.time : order.comes_before(b.id, a.id);
        }
    };

    bool turn_page() {
        if (!bins_.take_bucket(now_)) return false;
        bins_.visit_ahead([this](EventId id) { order_.prefetch(id); });
        if (now_.size() > 1) std::make_heap(now_.begin(), now_.end(), Later{order_});
        return true;
    }

    const Order& order_;
    EventBins bins_;
    std::vector<Event> now_;
};

}  // namespace warpfront::engine
