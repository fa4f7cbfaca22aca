// GOAL, the schedules of LogGOPSim, as recorded runs:
//
//   num_ranks 2
//   rank 0 {
//     l1: calc 100                    nanoseconds
//     l2: send 10b to 1 tag 4         the tag may be missing (0); so may `cpu 0` and `nic 0` behind it
//     l3: recv 10b from 1 tag 5       `from -1` is any source, `tag -1` any tag
//     l2 requires l1                  begins when l1 has ended
//     l3 irequires l2                 begins when l2 has begun
//   }
// with comments `// ...` and `/* ... */`. Bits 24 and up of a tag are the number of a communicator; schedules do not
// state its ranks, so each communicator has all ranks. If some receive takes messages of any tag, all bits belong to
// the tag. A schedule is a partial order, but a rank program is sequential. So the reader puts the operations in a
// sequence. Among the operations that can begin, messages come before computing, both in the order of the file. An
// operation that requires open messages comes last, after a wait for these messages. If there are several such
// operations, the first is the one whose open messages all others require as well. Operations after this wait that do
// not require its messages could begin earlier, so a schedule with such operations is refused. Receives that are waited
// for together end in the order in which their messages arrive. Receives from one source with one tag whose sizes do
// not decrease complete in order, so a step that requires the later ones may also wait for the earlier ones. Some
// patterns of schedgen are refused: (n-way) dissemination, the double ring and the allreduce by recursive doubling. In
// these, two receives of a rank may end in either order, and a different operation follows each. Computing uses the one
// processor of a rank, so other processors (`cpu 1`) are refused.
#include "simulator/trace/formats.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/trace/expanded_trace.hpp"
#include "simulator/trace/run_builder.hpp"

namespace warpfront::trace {

namespace {

constexpr unsigned kTagBits = 24;  // bits for the tag; the higher bits contain the communicator
constexpr std::string_view kAnyInGoal = "-1";
constexpr std::int32_t kUnknownTag = -1;  // the tag of a message taken by a receive from any source

/// The words of a schedule: names and numbers, and `{`, `}`, `:` each alone.
class GoalWords {
public:
    explicit GoalWords(const SourceFilePtr& source) : source_(source), text_(source->text()) { next(); }

    std::string_view word() const { return text_.substr(at_, length_); }
    bool is_end() const { return length_ == 0; }
    SourceRange range() const { return {source_, at_, length_}; }
    std::uint32_t line() {
        line_ += static_cast<std::uint32_t>(std::count(text_.begin() + counted_, text_.begin() + at_offset(), '\n'));
        counted_ = at_offset();
        return line_;
    }

    void next() {
        at_ += length_;
        skip();
        length_ = 0;
        if (at_ == text_.size()) return;
        length_ = 1;
        if (is_sign(text_[at_])) return;
        while (at_ + length_ < text_.size() && !is_blank(text_[at_ + length_]) && !is_sign(text_[at_ + length_])) {
            ++length_;
        }
    }
    bool take(std::string_view wanted) {
        if (word() != wanted) return false;
        next();
        return true;
    }
    void require(std::string_view wanted) {
        if (!take(wanted)) refuse(fmt::format("expected `{}`", wanted));
    }
    /// Reads a number, at most `largest`; a size ends with `b`.
    std::int64_t number(std::int64_t largest, std::string_view unit = "") {
        std::string_view digits = word();
        if (!unit.empty() && digits.ends_with(unit)) digits.remove_suffix(unit.size());
        const auto number = input::number_of<std::int64_t>(digits);
        if (!number) refuse(unit.empty() ? "expected a number" : "expected a size such as `8b`");
        if (*number < 0 || *number > largest) {
            throw BadInput(DiagnosticKind::out_of_range, range(), fmt::format("`{}` is out of range", word()),
                           fmt::format("expected 0 to {}", largest));
        }
        next();
        return *number;
    }
    [[noreturn]] void refuse(std::string expected) const {
        throw BadInput(DiagnosticKind::goal_syntax, range(),
                       is_end() ? "the schedule ends here" : fmt::format("`{}` is not expected", word()),
                       std::move(expected));
    }

private:
    static bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
    static bool is_sign(char c) { return c == '{' || c == '}' || c == ':'; }
    std::ptrdiff_t at_offset() const { return static_cast<std::ptrdiff_t>(at_); }
    void skip() {
        for (;;) {
            while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
            const std::string_view rest = text_.substr(at_);
            if (rest.starts_with("//")) {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (rest.starts_with("/*")) {
                const std::size_t end = text_.find("*/", at_ + 2);
                at_ = end == std::string_view::npos ? text_.size() : end + 2;
            } else {
                return;
            }
        }
    }

    const SourceFilePtr source_;
    const std::string_view text_;
    std::size_t at_ = 0;
    std::size_t length_ = 0;
    std::uint32_t line_ = 1;
    std::ptrdiff_t counted_ = 0;
};

struct GoalStep {
    enum class Kind : std::uint8_t { calc, send, recv } kind = Kind::calc;
    std::string_view name;
    SourceRange range;
    std::uint32_t line = 0;
    std::uint32_t peer = 0;
    std::int64_t tag = 0;
    bool any_source = false;
    bool any_tag = false;
    std::int64_t amount = 0;               // size in bytes, or duration in nanoseconds
    std::vector<std::uint32_t> requires_;  // steps that must have ended
    std::vector<std::uint32_t> begun;      // steps that must have begun
    std::vector<std::uint32_t> next;       // steps that need this step
    std::uint32_t missing = 0;             // number of steps in both lists that are missing
    std::uint32_t epoch = 0;               // number of waits before this step
    std::uint32_t order = 0;               // position among the messages of its rank, in the order in which they begin
};

/// The steps of one rank in an order that a rank program can keep.
class GoalOrder {
public:
    /// Takes the steps of a rank. With `whole_tags`, tags do not contain communicators, since some receive takes
    /// messages of any tag.
    GoalOrder(std::vector<GoalStep> steps, bool whole_tags, RunBuilder& builder)
        : steps_(std::move(steps)), whole_tags_(whole_tags), builder_(builder) {}

    void put() {
        for (std::uint32_t step = 0; step < steps_.size(); ++step) {
            GoalStep& each = steps_[step];
            for (const auto* needs : {&each.requires_, &each.begun}) {
                for (const std::uint32_t need : *needs) steps_[need].next.push_back(step);
                each.missing += static_cast<std::uint32_t>(needs->size());
            }
            if (each.missing == 0) offer(step);
        }
        std::size_t begun = 0;
        for (; begun < steps_.size(); ++begun) {
            if (const auto step = choose()) {
                begin(*step);
            } else {
                break;
            }
        }
        if (begun < steps_.size()) {
            const auto stuck = std::ranges::find_if(steps_, [](const GoalStep& each) { return each.missing > 0; });
            throw BadInput(DiagnosticKind::goal_order, stuck->range,
                           fmt::format("`{}` requires itself, directly or through other operations", stuck->name),
                           "expected requirements without a cycle");
        }
        std::vector<std::uint32_t> open;
        for (std::uint32_t step = 0; step < steps_.size(); ++step) {
            if (is_open(step)) open.push_back(step);
        }
        if (!open.empty()) wait(open, steps_[open.back()].line);
        builder_.stop();
        builder_.finish_rank();
    }

private:
    /// Makes a step available when all steps that it needs have begun. The step is ready when no message that it
    /// requires is open.
    void offer(std::uint32_t step) {
        const GoalStep& each = steps_[step];
        const bool open = std::ranges::any_of(each.requires_, [this](std::uint32_t need) { return is_open(need); });
        if (open) {
            held_.insert(step);
        } else {
            (each.kind == GoalStep::Kind::calc ? computing_ : messages_).insert(step);
        }
    }
    bool is_open(std::uint32_t step) const { return builder_.requests().contains(step); }

    std::optional<std::uint32_t> choose() {
        for (std::set<std::uint32_t>* const ready : {&messages_, &computing_}) {
            if (!ready->empty()) return ready->extract(ready->begin()).value();
        }
        if (held_.empty()) return std::nullopt;
        const auto next = std::ranges::find_if(held_, [this](std::uint32_t step) { return is_next(step); });
        const std::uint32_t step = held_.extract(next == held_.end() ? held_.begin() : next).value();
        wait_before(step);
        return step;
    }

    /// Returns true if all held operations can begin after the wait for the messages that `held` requires.
    bool is_next(std::uint32_t held) const {
        const std::vector<std::uint32_t> open = open_needs(held);
        return std::ranges::all_of(held_, [&](std::uint32_t other) {
            return std::ranges::all_of(open, [&](std::uint32_t need) { return ends_before(need, steps_[other]); });
        });
    }

    /// Returns the open messages that a step requires, each once.
    std::vector<std::uint32_t> open_needs(std::uint32_t step) const {
        std::vector<std::uint32_t> open;
        for (const std::uint32_t need : steps_[step].requires_) {
            if (is_open(need) && std::ranges::find(open, need) == open.end()) open.push_back(need);
        }
        return open;
    }

    void wait_before(std::uint32_t step) {
        std::vector<std::uint32_t> open = open_needs(step);
        wait(open, steps_[step].line);
        waits_.push_back({step, std::move(open)});
        for (auto held = held_.begin(); held != held_.end();) {
            const std::uint32_t each = *held;
            held = held_.erase(held);
            // `offer` holds the step again or finds it ready.
            ready_again_.push_back(each);
        }
        for (const std::uint32_t each : std::exchange(ready_again_, {})) offer(each);
    }

    /// Throws BadInput unless every earlier wait is for a step that this one requires, directly or indirectly.
    void check(const GoalStep& step) const {
        std::uint32_t known = 0;
        for (const auto* needs : {&step.requires_, &step.begun}) {
            for (const std::uint32_t need : *needs) known = std::max(known, steps_[need].epoch);
        }
        for (std::size_t wait = waits_.size(); wait > known; --wait) {
            const auto& [before, open] = waits_[wait - 1];
            for (const std::uint32_t each : open) {
                if (ends_before(each, step)) continue;
                throw BadInput(
                    DiagnosticKind::goal_order, step.range,
                    fmt::format("`{}` may begin while `{}` in line {} is open, but `{}` in line {} waits for that "
                                "operation first: a rank program performs its waits in a fixed order",
                                step.name, steps_[each].name, steps_[each].line, steps_[before].name,
                                steps_[before].line),
                    fmt::format("expected `{} requires {}`, or no requirement of either operation on a receive",
                                step.name, steps_[each].name));
            }
        }
    }

    /// Returns true if `earlier` has ended when the step can begin. The step requires `earlier` itself, or a later
    /// receive of a message of at least the same size from the same source with the same tag: such messages do not
    /// overtake each other.
    bool ends_before(std::uint32_t earlier, const GoalStep& step) const {
        const GoalStep& first = steps_[earlier];
        return std::ranges::any_of(step.requires_, [&](std::uint32_t need) {
            const GoalStep& later = steps_[need];
            const bool receive = first.kind == GoalStep::Kind::recv && later.kind == GoalStep::Kind::recv;
            const bool named = !first.any_source && !first.any_tag && !later.any_source && !later.any_tag;
            const bool one_channel = receive && named && first.peer == later.peer && first.tag == later.tag;
            return need == earlier || (one_channel && first.order < later.order && first.amount <= later.amount);
        });
    }

    void begin(std::uint32_t number) {
        GoalStep& step = steps_[number];
        check(step);
        step.epoch = static_cast<std::uint32_t>(waits_.size());
        if (step.kind == GoalStep::Kind::calc) {
            builder_.compute(Time{step.amount * 1000});
            if (builder_.computed() > kLongestCost) {
                throw BadInput(DiagnosticKind::out_of_range, step.range,
                               "the time of computing since the last message is too long",
                               fmt::format("expected at most {:g} s between messages", seconds(kLongestCost)));
            }
        } else {
            message(number);
        }
        for (const std::uint32_t next : step.next) {
            if (--steps_[next].missing == 0) offer(next);
        }
    }

    void message(std::uint32_t number) {
        GoalStep& step = steps_[number];
        if (whole_tags_ && step.tag > std::numeric_limits<std::int32_t>::max()) {
            throw BadInput(DiagnosticKind::out_of_range, step.range, fmt::format("the tag {} is too large", step.tag),
                           fmt::format("expected at most {} in a schedule that receives messages of any tag",
                                       std::numeric_limits<std::int32_t>::max()));
        }
        builder_.line = step.line;
        Event event = builder_.event(step.kind == GoalStep::Kind::send ? Call::isend : Call::irecv);
        const auto communicator = static_cast<std::uint32_t>(whole_tags_ ? 0 : step.tag >> kTagBits);
        event.communicator = *builder_.communicator(builder_.run.communicators[0], communicator);
        event.tag = static_cast<std::int32_t>(whole_tags_ ? step.tag : step.tag & ((1U << kTagBits) - 1));
        event.peer = {step.peer};
        event.any_source = step.any_source;
        event.any_tag = step.any_tag;
        event.bytes = {step.amount};
        step.order = ++messages_begun_;
        builder_.begin(number, std::move(event));
    }

    /// Waits for open messages: for sends, then for receives in the order of arrival, which the schedule leaves open.
    void wait(const std::vector<std::uint32_t>& open, std::uint32_t line) {
        for (const std::uint32_t each : open) {
            const GoalStep& step = steps_[each];
            const bool received = step.kind == GoalStep::Kind::recv;
            const std::int32_t tag = step.any_source || step.any_tag ? kUnknownTag : 0;
            builder_.complete(each, Completion{0, received, {step.peer}, tag, {received ? step.amount : 0}});
        }
        builder_.line = line;
        builder_.wait();
        builder_.rank.events.back().by_arrival = true;
    }

    /// A wait before a step.
    struct Wait {
        std::uint32_t before = 0;
        std::vector<std::uint32_t> open;  // indices of open messages
    };

    std::vector<GoalStep> steps_;
    const bool whole_tags_;
    RunBuilder& builder_;
    std::set<std::uint32_t> messages_;   // messages that can begin, in the order of the file
    std::set<std::uint32_t> computing_;  // computations that can begin, in the order of the file
    std::set<std::uint32_t> held_;       // operations that open messages delay
    std::vector<std::uint32_t> ready_again_;
    std::vector<Wait> waits_;
    std::uint32_t messages_begun_ = 0;
};

class GoalReader {
public:
    GoalReader(const SourceFilePtr& source, RunBuilder& builder) : source_(source), words_(source), builder_(builder) {}

    void read() {
        words_.require("num_ranks");
        const SourceRange range = words_.range();
        ranks_ = static_cast<std::uint32_t>(words_.number(kMostRecordedRanks));
        if (ranks_ == 0) throw BadInput(DiagnosticKind::out_of_range, range, "no ranks", "expected at least 1");
        builder_.set_ranks(ranks_);
        // Ranks may be listed in any order, and a rank may have no operations.
        std::vector<std::optional<std::vector<GoalStep>>> ranks(ranks_);
        while (!words_.is_end()) {
            words_.require("rank");
            const SourceRange here = words_.range();
            const auto rank = static_cast<std::uint32_t>(words_.number(ranks_ - 1));
            if (ranks[rank]) {
                throw BadInput(DiagnosticKind::duplicate_name, here, fmt::format("rank {} stands twice", rank),
                               "expected each once");
            }
            ranks[rank] = steps_of(rank);
        }
        for (std::optional<std::vector<GoalStep>>& steps : ranks) {
            builder_.rank.source = source_;
            GoalOrder(std::move(steps).value_or(std::vector<GoalStep>{}), any_tag_, builder_).put();
            steps.reset();
        }
    }

private:
    std::vector<GoalStep> steps_of(std::uint32_t rank) {
        std::vector<GoalStep> steps;
        names_.clear();
        words_.require("{");
        while (!words_.take("}")) {
            const SourceRange range = words_.range();
            const std::string_view name = words_.word();
            if (words_.is_end() || name == "{" || name == ":") words_.refuse("expected a name, or `}`");
            words_.next();
            if (words_.take(":")) {
                steps.push_back(step_of(rank, name, range));
                if (++steps_ > kMostOperations) {
                    throw BadInput(DiagnosticKind::trace_too_large, range, "this schedule contains too many operations",
                                   fmt::format("expected at most {}", kMostOperations));
                }
                const auto number = static_cast<std::uint32_t>(steps.size() - 1);
                if (!names_.emplace(name, number).second) {
                    throw BadInput(DiagnosticKind::duplicate_name, range, fmt::format("`{}` stands twice", name),
                                   "expected each name once in a rank");
                }
                continue;
            }
            const bool only_begun = words_.word() == "irequires";
            if (!only_begun && words_.word() != "requires") words_.refuse("expected `:`, `requires` or `irequires`");
            words_.next();
            GoalStep& step = steps[number_of(name, range)];
            const std::uint32_t needed = number_of(words_.word(), words_.range());
            (only_begun ? step.begun : step.requires_).push_back(needed);
            words_.next();
        }
        return steps;
    }

    std::uint32_t number_of(std::string_view name, const SourceRange& range) const {
        const auto found = names_.find(name);
        if (found != names_.end()) return found->second;
        throw BadInput(DiagnosticKind::unknown_name, range, fmt::format("no operation above is called `{}`", name),
                       "expected one of this rank");
    }

    GoalStep step_of(std::uint32_t rank, std::string_view name, const SourceRange& range) {
        GoalStep step;
        step.name = name;
        step.range = range;
        step.line = words_.line();
        if (words_.take("calc")) {
            step.amount = words_.number(kLongestCost.ps / 1000);
        } else {
            const bool sends = words_.word() == "send";
            if (!sends && words_.word() != "recv") words_.refuse("expected `calc`, `send` or `recv`");
            step.kind = sends ? GoalStep::Kind::send : GoalStep::Kind::recv;
            words_.next();
            step.amount = words_.number(kMostMessage, "b");
            words_.require(sends ? "to" : "from");
            if (!sends && words_.take(kAnyInGoal)) {
                step.any_source = true;
            } else {
                step.peer = peer_of(rank, sends);
            }
            if (words_.take("tag")) {
                step.any_tag = !sends && words_.take(kAnyInGoal);
                any_tag_ = any_tag_ || step.any_tag;
                if (!step.any_tag) step.tag = words_.number(std::numeric_limits<std::uint32_t>::max());
            }
        }
        if (words_.take("cpu")) {
            const SourceRange at = words_.range();
            if (words_.number(std::numeric_limits<std::int32_t>::max()) != 0) {
                throw BadInput(DiagnosticKind::goal_order, at, "a second processor of a rank",
                               "expected `cpu 0`: a rank program computes one thing after another");
            }
        }
        if (words_.take("nic")) words_.number(std::numeric_limits<std::int32_t>::max());
        return step;
    }

    std::uint32_t peer_of(std::uint32_t rank, bool sends) {
        const SourceRange at = words_.range();
        const auto peer = input::number_of<std::int64_t>(words_.word());
        if (!peer) words_.refuse("expected a rank");
        if (*peer < 0 || *peer >= ranks_) {
            throw BadInput(DiagnosticKind::peer_outside, at, fmt::format("there is no rank {}", *peer),
                           fmt::format("expected 0 to {}{}", ranks_ - 1, sends ? "" : ", or -1 for any source"));
        }
        if (*peer == rank) {
            throw BadInput(DiagnosticKind::self_message, at, "a message of a rank to itself", "expected another rank");
        }
        words_.next();
        return static_cast<std::uint32_t>(*peer);
    }

    const SourceFilePtr& source_;
    GoalWords words_;
    RunBuilder& builder_;
    bool any_tag_ = false;  // a receive of some rank takes any tag
    std::uint32_t ranks_ = 0;
    std::uint64_t steps_ = 0;
    std::map<std::string_view, std::uint32_t> names_;  // operations of the current rank, by name
};

}  // namespace

bool is_goal(std::string_view text) {
    const SourceFilePtr start = std::make_shared<input::SourceFile>("", std::string(text));
    return GoalWords(start).word() == "num_ranks";
}

RecordedRun read_goal(const SourceFilePtr& source, const SourceRange& mentioned_at, const TakeRank& take) {
    RunBuilder builder(source->name(), "GOAL", mentioned_at, take);
    builder.run.sources.push_back(source);
    GoalReader(source, builder).read();
    return builder.finish();
}

}  // namespace warpfront::trace
