#include "simulator/trace/expanded_trace.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/words.hpp"
#include "simulator/trace/expander.hpp"

namespace warpfront::trace {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::SourceRange;
using program::Op;

/// The lines of one rank as operations.
class LineExpander : Expander {
public:
    LineExpander(const input::SourceFilePtr& source, const Reading& reading, const Costs& costs, std::uint64_t most,
                 Diagnostics& faults)
        : Expander(reading.rank, costs, most, faults),
          source_(source),
          reading_(reading),
          order_(reading.communicators->order_of(reading.rank)) {
        trace_.source = source;
        take_communicator();
    }

    ExpandedTrace read() {
        const std::string_view text = source_->text();
        for (std::size_t at = 0; at < text.size() && !full_;) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            line_ = site_ = ++trace_.lines;
            read_line(at, text.substr(at, end - at));
            at = end + 1;
        }
        if (!full_) finish();
        return std::move(trace_);
    }

private:
    void read_line(std::size_t offset, std::string_view line) {
        line = line.substr(0, line.find('#'));
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos) return;
        line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
        here_ = {source_, offset + first, line.size() - first};
        const std::optional<Action> action = parse({source_, offset, line.size()}, line, reading_, faults_);
        if (!action) {
            sound_ = false;
            return;
        }
        verb_ = action->verb;
        if (finalized_) return refuse(DiagnosticKind::trace_line, "an action after `finalize`", "expected it last");
        if ((verb_ == Verb::init) == began_) {
            return refuse(DiagnosticKind::trace_line, began_ ? "a second `init`" : "an action before `init`",
                          fmt::format("expected one `{} init`, first", reading_.rank));
        }
        began_ = true;
        if (action->size_unknown) ++trace_.sizes_unknown;
        act(*action);
    }

    /// Adds an error of the line, without its context.
    void refuse(DiagnosticKind kind, std::string message, std::string expected = {}) {
        complain_at(here_, kind, std::move(message), std::move(expected));
    }

    void act(const Action& action) {
        const ChannelEnd to{action.peer, action.tag, 0, true};
        switch (action.verb) {
            case Verb::init:
                if (action.counts_doubles) reading_.count_bytes = sizeof(double);
                break;
            case Verb::finalize: finalized_ = true; break;
            case Verb::compute: compute_flops(action.flops); break;
            case Verb::sleep: compute_seconds(action.seconds); break;
            case Verb::location:
            case Verb::comm_size:
            case Verb::comm_split:
            case Verb::comm_dup: break;
            case Verb::send: begin(Op::send, to, action.bytes); break;
            case Verb::isend: open(begin(Op::isend, to, action.bytes)); break;
            case Verb::ssend: begin(Op::ssend, to, action.bytes); break;
            case Verb::recv:
            case Verb::irecv: receive(action); break;
            case Verb::sendrecv: exchange({action.peer, action.bytes, action.from}, to); break;
            case Verb::wait: wait(action); break;
            case Verb::waitall: wait_for_all(); break;
            case Verb::waitany: wait_for_any(); break;
            default: take_part(action);
        }
    }

    void compute_flops(Flops flops) {
        const auto time = from_seconds(flops.count / costs_.speed.per_second);
        if (time) return compute(*time);
        refuse(DiagnosticKind::cost_too_large, fmt::format("{:g} flops take too long", flops.count),
               fmt::format("expected at most {:g} s at {:g} flop/s, the `speed` of the scenario", seconds(kLongestCost),
                           costs_.speed.per_second));
    }

    void compute_seconds(double seconds) {
        if (const auto time = from_seconds(seconds)) return compute(*time);
        refuse(DiagnosticKind::cost_too_large, fmt::format("a sleep of {:g} s", seconds),
               fmt::format("expected at most {:g} s", warpfront::seconds(kLongestCost)));
    }

    static Wildcard wildcard_of(const Action& action) {
        Wildcard wildcard;
        if (!action.any_source) wildcard.peer = action.verb == Verb::wait ? action.from : action.peer;
        if (!action.any_tag) wildcard.tag = action.tag;
        return wildcard;
    }

    void receive(const Action& action) {
        const ChannelEnd end{action.peer, action.tag, 0, false};
        const bool posted = action.verb == Verb::irecv;
        if (posted && open_.left_of_group() > 0) {
            return refuse(
                DiagnosticKind::unwaited_request,
                fmt::format("`irecv` while {} of a `waitany` {} open", input::counted(open_.left_of_group(), "request"),
                            open_.left_of_group() == 1 ? "is" : "are"),
                "expected `waitany` for each of them, or `waitall`, first: which are left is not known");
        }
        if (!action.any_source && !action.any_tag) {
            const OpenRequest request = begin(posted ? Op::irecv : Op::recv, end, {});
            if (posted) open(request);
            return;
        }
        const Wildcard wildcard = wildcard_of(action);
        posted ? post_any(wildcard) : take_any(any_.number_of(wildcard));
    }

    void wait(const Action& action) {
        const bool sends = !action.any_source && action.from == reading_.rank;
        const ChannelEnd end{sends ? action.peer : action.from, action.tag, 0, sends};
        const bool own = sends != (action.peer == reading_.rank);
        std::optional<std::uint32_t> wildcard;
        if (action.any_source || action.any_tag) wildcard = any_.number_of(wildcard_of(action));
        const std::optional<OpenRequest> request = own ? open_.take(end, wildcard) : std::nullopt;
        if (request) return wait_for(*request);
        refuse(DiagnosticKind::unknown_request,
               fmt::format("no request from {} to rank {} with {} is open",
                           action.any_source ? "any source" : fmt::format("rank {}", action.from), action.peer,
                           action.any_tag ? "any tag" : fmt::format("tag {}", action.tag)),
               own ? fmt::format("expected an `{}` before it that nothing waits for yet", sends ? "isend" : "irecv")
                   : fmt::format("expected one of the two to be {}, whose trace this is", reading_.rank));
    }

    void wait_for_any() {
        if (open_.left_of_group() == 0) begin_group([](const OpenRequest&) { return true; });
        if (open_.left_of_group() > 0) return take_of_group();
        if (const auto sent = open_.take_oldest_send()) return wait_for(*sent);
        refuse(DiagnosticKind::unknown_request,
               open_.empty() ? "no request is open" : "a receive from any source is open, which no `waitany` can take",
               "expected an `irecv` or `isend` before it that nothing waits for yet");
    }

    /// Assigns the next communicator of the order to a collective that names none.
    void take_communicator() {
        if (order_ == nullptr || next_run_ == order_->runs.size()) return;
        const Communicators::Run& run = order_->runs[next_run_];
        reading_.next_communicator = run.name;
        if (++of_run_ < run.collectives) return;
        ++next_run_;
        of_run_ = 0;
    }

    void take_part(const Action& action) {
        if (!action.names_communicator) {
            ++unnamed_;
            take_communicator();
            if (order_ == nullptr) ++trace_.of_all_ranks;
        }
        collective({kind_of(verb_), action.peer, action.bytes, action.shares, action.element}, action.communicator,
                   action.size_unknown);
        compute_flops(action.flops);
    }

    void finish() {
        if (!sound_) return;
        if (!finalized_) {
            complain(DiagnosticKind::trace_truncated, "the trace ends before `finalize`",
                     fmt::format("expected `{} finalize` last: is the file whole?", reading_.rank));
        }
        if (order_ != nullptr && order_->collectives != unnamed_) {
            faults_.add(DiagnosticKind::unmatched_collectives, order_->range,
                        fmt::format("`over` names {} collectives of rank {}, whose trace has {} without `comm=`",
                                    order_->collectives, reading_.rank, unnamed_),
                        "expected as many");
        }
        check_open();
    }

    const input::SourceFilePtr& source_;
    Reading reading_;
    const Communicators::Order* const order_;
    std::size_t next_run_ = 0;   // of the order
    std::uint64_t of_run_ = 0;   // its collectives so far
    std::uint64_t unnamed_ = 0;  // collectives that name no communicator
    SourceRange here_;
    bool began_ = false;
    bool finalized_ = false;
};

}  // namespace

ExpandedTrace expand_trace(const input::SourceFilePtr& source, const Reading& reading, const Costs& costs,
                           std::uint64_t most, Diagnostics& faults) {
    return LineExpander(source, reading, costs, most, faults).read();
}

}  // namespace warpfront::trace
