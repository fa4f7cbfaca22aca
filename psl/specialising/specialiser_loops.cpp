// Specialises loops: trips with equal bodies stay a loop, others are split (trips.hpp).
#include <fmt/format.h>

#include <array>
#include <limits>

#include "psl/specialising/specialiser.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::psl {

using input::DiagnosticKind;
using ResidualForm = ResidualStatement::Form;

void Specialiser::repeat(const Statement& each) {
    if (each.assigns) {
        constexpr std::string_view kTimes = "the number of trips of a loop that assigns a variable";
        return trip_by_trip(each, 1, folding_.constant(each.expressions[0], Kind::integer, kTimes).whole);
    }
    loop(each, folding_.value(each.expressions[0], Kind::integer), each.expressions[0].span);
}

void Specialiser::loop(const Statement& each, NodeId times, Span times_span) {
    const SlotId count = slot(Use::times, times, times_span);
    const auto known = slots_[count].known;
    if (known == 0) return;
    if (known == 1) return block(each.body);
    residual_loop(each, count);
}

void Specialiser::residual_loop(const Statement& each, SlotId times) {
    ++loops_;
    Block body = folded_apart(each.body, !slots_[times].known);
    --loops_;
    if (body.empty()) return;
    if (loops_ + 2 > program::kMaxLoopDepth && !only_work(body)) {
        fail(DiagnosticKind::loops_too_deep, each.span,
             fmt::format("loops nested {} deep within the iteration; the most is {}", loops_ + 1,
                         program::kMaxLoopDepth - 1));
    }
    ResidualStatement& left = emit(ResidualForm::loop, each);
    left.amount = times;
    left.body = std::move(body);
}

Block Specialiser::body_for(const Statement& each, const Trips& trips) {
    struct Around {
        Block* out;
        unsigned loops, depth, guards;
        Frame* local;
    };
    const Around around{out_, loops_, depth_, folding_.guards, folding_.local};
    const std::size_t level = folding_.loops.size() + 1;
    const auto leave = [&] {
        out_ = around.out;
        loops_ = around.loops;
        depth_ = around.depth;
        folding_.guards = around.guards;
        folding_.local = around.local;
        folding_.loops.resize(level - 1);
    };
    Block result;
    out_ = &result;
    folding_.loops.push_back({static_cast<unsigned>(level), trips});
    const std::size_t emitted = emitted_;
    try {
        folding_.step(each.span);
        if (!each.name.text.empty()) folding_.variable(each.slot) = {folding_.loop_variable(each.span), {}};
        block(each.body);
    } catch (const Distinction&) {
        leave();
        emitted_ = emitted;
        throw;
    }
    leave();
    return result;
}

/// A loop, or copies of its body if loops would nest too deep.
void Specialiser::repeated(const Statement& each, std::int64_t count, Block body) {
    if (body.empty()) return;
    const std::size_t size = statements_in(body);
    const bool nests = only_work(body) || loops_ + 2 + loops_in(body) <= program::kMaxLoopDepth;
    if (count > 1 && nests) {
        const SlotId times = slot(Use::times, graph_.literal(integer(count), each.span), each.span);
        spend(size, each);
        ResidualStatement& left = emit(ResidualForm::loop, each);
        left.amount = times;
        left.body = std::move(body);
        return;
    }
    for (; count > 0; --count) {
        spend(size, each);
        out_->insert(out_->end(), body.begin(), body.end());
    }
}

void Specialiser::counted_loop(const Statement& each, std::int64_t first, std::int64_t count) {
    const std::size_t emitted = emitted_;
    const auto level = static_cast<unsigned>(folding_.loops.size() + 1);
    auto stretches = by_trips(level, first, count, [&](const Trips& trips) { return body_for(each, trips); });
    emitted_ = emitted;
    for (Stretch<Block>& stretch : stretches) {
        Block turn;
        Block* const outer = out_;
        if (stretch.times > 1) out_ = &turn;
        for (Run<Block>& run : stretch.runs) repeated(each, run.count, std::move(run.body));
        out_ = outer;
        repeated(each, stretch.times, std::move(turn));
    }
}

void Specialiser::for_range(const Statement& each) {
    if (each.uses_variable || each.assigns) {
        constexpr std::string_view kBound = "a bound of a loop whose body uses its variable or assigns another";
        const std::int64_t first = folding_.constant(each.expressions[0], Kind::integer, kBound).whole;
        const std::int64_t last = folding_.constant(each.expressions[1], Kind::integer, kBound).whole;
        const Wide count = Wide{last} - first + 1;
        if (count > std::numeric_limits<std::int64_t>::max()) {
            fail(DiagnosticKind::program_too_large, each.span, "a loop of more trips than fit 64 bits");
        }
        if (each.assigns) return trip_by_trip(each, first, static_cast<std::int64_t>(count));
        if (count > 0) counted_loop(each, first, static_cast<std::int64_t>(count));
        return;
    }
    const bool guarded = folding_.guards > 0;
    const NodeId first = folding_.value(each.expressions[0], Kind::integer);
    const NodeId last = folding_.value(each.expressions[1], Kind::integer);
    const NodeId one = graph_.literal(integer(1), each.span);
    const auto apply = [&](OperatorKind op, NodeId a, NodeId b) {
        const std::array<NodeId, 2> operands{a, b};
        return graph_.apply(op, operands, each.span, guarded);
    };
    const NodeId count = apply(OperatorKind::add, apply(OperatorKind::subtract, last, first), one);
    loop(each, apply(OperatorKind::maximum, count, graph_.literal(integer(0), each.span)), each.span);
}

void Specialiser::trip_by_trip(const Statement& each, std::int64_t first, std::int64_t count) {
    for (std::int64_t trip = 0; trip < count; ++trip) {
        folding_.step(each.span);
        if (!each.name.text.empty())
            folding_.variable(each.slot) = {graph_.literal(integer(first + trip), each.span), {}};
        block(each.body);
    }
}

void Specialiser::while_loop(const Statement& each) {
    while (folding_.constant(each.expressions[0], Kind::boolean, "the condition of a `while`").whole != 0) {
        folding_.step(each.span);
        block(each.body);
    }
}

void Specialiser::for_each(const Statement& each) {
    const std::vector<NodeId> items = folding_.fold(each.expressions[0]).items;
    for (const NodeId item : items) {
        folding_.variable(each.slot) = {item, {}};
        folding_.step(each.span);
        block(each.body);
    }
}

}  // namespace warpfront::psl
