// The common part of the readers of all formats: it builds a recorded run. For the current rank it has a clock, which
// measures computing between calls, and a table of requests.
//
// The order of calls of a reader:
//   set_ranks                  once
//   for each rank:
//     start                    after the `pass` of MPI_Init, if the format has times
//     for each call of MPI:
//       site, phase, line      the place of the call, if known
//       pass                   its begin and end; formats without times call `compute` for computing instead
//       put(event(...))        a blocking call
//       begin, complete, wait  a nonblocking call; the requests that it completes; its wait, after the last `complete`
//     stop                     in MPI_Finalize
//     finish_rank
//   finish                     returns the run
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "simulator/trace/recorded_run.hpp"

namespace warpfront::trace {

inline constexpr std::uint32_t kMostRecordedRanks = 1U << 20;
inline constexpr std::int64_t kMostMessage = std::int64_t{1} << 50;  // limit of the size of a message in bytes

// The reasons for which calls are left out or refused in several formats.
inline constexpr std::string_view kProbe = "the receive after the probe waits as long";
inline constexpr std::string_view kNoMessages = "the replay sends no messages for such calls";
inline constexpr std::string_view kFiles = "the replay does not simulate files";
inline constexpr std::string_view kFreedReceive = "the time at which the receive takes its message is not recorded";

class RunBuilder {
public:
    RunBuilder(const std::filesystem::path& path, std::string format, const SourceRange& mentioned_at,
               const TakeRank& take);

    /// Sets the number of ranks, before all other calls: `world` is their communicator, number 0. At most
    /// kMostRecordedRanks.
    void set_ranks(std::uint32_t ranks);
    std::uint32_t ranks() const { return static_cast<std::uint32_t>(run.communicators.front().size()); }

    /// Returns the number of the communicator with these members. `earlier` is the number of communicators with the
    /// same members that were made before it. Returns nothing if `members` is empty, or contains a nonexistent rank or
    /// a rank twice.
    std::optional<std::uint32_t> communicator(const std::vector<Rank>& members, std::uint32_t earlier,
                                              std::string name = {});
    /// Converts a rank of a communicator to a rank of MPI_COMM_WORLD; nothing if there is no such rank.
    std::optional<Rank> member(std::uint32_t communicator, std::int64_t number) const;

    /// Notes calls that are left out of the replay.
    void left_out(std::string call, std::string why, std::uint64_t times = 1) {
        unread(std::move(call), std::move(why), false, 0, times);
    }
    /// Refuses calls without which the run cannot be replayed; `at` is the site of the first.
    void refuse(std::string call, std::string why, std::uint32_t at = 0) {
        unread(std::move(call), std::move(why), true, at, 1);
    }

    // The clock of the current rank. Formats without times add computing.
    /// Adds a call from `begin` to `end`, or a part of it. The time since the last call is computing, at most `busy`.
    void pass(Time begin, Time end, std::optional<Time> busy = std::nullopt);
    void compute(Time time) { own_.work += time; }
    Time computed() const { return own_.work; }
    /// Begins the run at the end of the last call, which is MPI_Init. Earlier computing does not count.
    void start();
    /// Ends the run in MPI_Finalize. Open sends are waited for here, with a note. Later computing does not count.
    void stop();
    bool stopped() const { return own_.stopped; }

    /// Makes an event of the current call.
    Event event(Call call) const;
    /// Appends an event. Throws BadInput trace_too_large.
    void put(Event event);
    /// Ends the current rank.
    void finish_rank();
    /// Ends a rank with errors, without passing it to `take`.
    void drop_rank();
    RecordedRun finish();

    // The requests of the current rank, by their numbers or other handles in the format.
    using Handle = std::int64_t;
    struct Request {
        Event event;  // the event that begins the request
        bool persistent = false;
        bool exists = true;         // false for a message to or from MPI_PROC_NULL
        std::uint32_t current = 0;  // number of the request while it is open; 0: not open
        std::size_t at = 0;         // index of the event that began the request
        bool receives() const { return event.call == Call::irecv; }
    };
    /// Returns a request; null if no call has made it, or if it has ended and cannot begin again.
    Request* request(Handle handle);
    /// Begins a request, or makes a persistent one, which each `start` begins. If a send of this handle is open, it is
    /// waited for.
    void begin(Handle handle, Event event, bool persistent = false, bool exists = true);
    void start(Request& request);
    /// Ends an open request within the current call; `taken` is the message of a receive, nothing if it was cancelled.
    void complete(Handle handle, const std::optional<Completion>& taken);
    /// Puts a wait for the requests that have ended in the current call, if any. With `any`, it is a wait for any of
    /// `among` unless all of these have ended.
    void wait(const std::vector<Handle>& among = {}, bool any = false, bool tested = false);
    /// Cancels an open receive. Its completion decides whether it has taken a message.
    void cancel(Handle handle);
    /// Frees a request. A send continues until MPI_Finalize; returns false for an open receive.
    bool free(Handle handle);
    const std::map<Handle, Request>& requests() const { return own_.requests; }

    RecordedRun run;
    RecordedRank rank;        // the current rank
    std::uint32_t site = 0;   // site of the current call
    std::uint32_t phase = 0;  // phase of the current call
    std::uint32_t line = 0;   // line of the current call; 0: the format is not a text

private:
    void unread(std::string call, std::string why, bool refused, std::uint32_t at, std::uint64_t times);
    void leave_out_cancelled();

    const SourceRange mentioned_at_;
    const TakeRank take_;
    std::map<std::pair<std::vector<Rank>, std::uint32_t>, std::uint32_t> numbers_;
    std::map<std::tuple<std::string, std::string, bool>, Unread> unread_;
    std::uint32_t rank_ = 0;  // number of the current rank
    std::uint64_t events_ = 0;

    /// The state of the current rank.
    struct Current {
        std::uint64_t listed = 0;  // number of words in lists
        Time start;                // the end of MPI_Init
        Time begin;                // begin of the current call
        Time end;                  // end of the last call
        Time work;
        bool stopped = false;
        std::map<Handle, Request> requests;
        std::uint32_t begun = 0;                  // number of requests begun
        std::map<Handle, std::uint32_t> ended;    // numbers of the requests that ended in the current call
        std::vector<Completion> done;             // completions in the current call
        std::vector<Completion> freed;            // sends that were freed
        std::set<std::uint32_t> cancelled;        // receives that are not completed yet, by their numbers
        std::set<std::uint32_t> without_message;  // cancelled receives that have taken no message
    } own_;
};

}  // namespace warpfront::trace
