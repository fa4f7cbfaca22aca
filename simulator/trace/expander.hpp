// Conversion of one rank's calls to operations: messages are numbered, collectives expanded, waits assigned to
// requests. The readers of lines (expanded_lines.cpp) and of recorded events (expanded_events.cpp) derive from it and
// define the effect of each call.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "simulator/collectives/exchanges.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/trace/expanded_trace.hpp"
#include "simulator/trace/open_requests.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::trace {

/// The receives of one rank's trace from any source or of any tag: the messages that they may take, and the receives
/// that are matched by their posts (open_requests.hpp). Those that are open at once with one wildcard have slots of
/// their own, since each is a choice of the program.
class WildcardReceives {
public:
    WildcardReceives(ExpandedTrace& trace, OpenRequests& open) : trace_(trace), open_(open) {}

    std::uint32_t number_of(const Wildcard& wildcard);
    /// Posts a receive, which gets a slot if its post matches it.
    AnySource post(std::uint32_t wildcard);
    /// Waits for a receive that was matched by its post.
    void complete(const AnySource& any);
    /// Takes a message by a blocking receive, or by one that was not matched by its post.
    void take(std::uint32_t wildcard);
    /// Postpones the match of open receives, since another receive may take their messages.
    void postpone_beside(const Wildcard& wildcard);

private:
    ExpandedTrace& trace_;
    OpenRequests& open_;
    std::set<std::uint32_t> taken_slots_;
};

class Expander {
protected:
    Expander(std::uint32_t rank, const Costs& costs, std::uint64_t most, input::Diagnostics& faults)
        : rank_(rank), costs_(costs), most_(most), faults_(faults) {}
    ~Expander() = default;

    /// Adds an error of the current call.
    void complain(input::DiagnosticKind kind, std::string message, std::string expected = {});
    /// Adds an error at another range.
    void complain_at(const input::SourceRange& range, input::DiagnosticKind kind, std::string message,
                     std::string expected);

    void compute(Time time);
    /// Begins the phase of this number, 0 for none.
    void mark_phase(std::uint32_t phase);
    /// Begins a send or a receive from a named source; `request` is the number in the format.
    OpenRequest begin(program::Op op, const ChannelEnd& end, Bytes bytes, std::uint32_t request = 0);
    void open(const OpenRequest& request);
    /// Posts a receive from any source or of any tag, nonblocking or blocking.
    void post_any(const Wildcard& wildcard, std::uint32_t request = 0);
    void take_any(std::uint32_t wildcard);
    void wait_for(const OpenRequest& request);
    void wait_for_all();
    /// Makes a group of the open receives for which `belongs`; returns false if there are none.
    bool begin_group(const std::function<bool(const OpenRequest&)>& belongs);
    void take_of_group();
    void exchange(const collectives::Exchange& step, const ChannelEnd& like);
    void collective(const collectives::Collective& call, const Communicator& over, bool size_unknown);
    /// Adds an error for requests that are open at the end.
    void check_open();

    const std::uint32_t rank_;
    const Costs& costs_;
    const std::uint64_t most_;
    input::Diagnostics& faults_;
    ExpandedTrace trace_;
    OpenRequests open_;
    WildcardReceives any_{trace_, open_};
    // The current call.
    Verb verb_ = Verb::init;
    std::uint32_t line_ = 0;
    std::uint32_t site_ = 0;
    bool sound_ = true;
    bool full_ = false;

private:
    void put(program::Op op, const ChannelEnd& end, std::uint32_t number, std::int64_t amount);
    void wait_for(const AnySource& any);
    void wait_for_begun();
    void note(const collectives::Collective& call, std::uint32_t members);

    /// Uses by kind, members, total bytes and elements, and equality of shares.
    using Noted = std::tuple<collectives::Kind, std::uint32_t, std::int64_t, std::int64_t, bool>;
    std::set<Noted> noted_;
    std::vector<OpenRequest> begun_;  // by the collective being expanded
};

}  // namespace warpfront::trace
