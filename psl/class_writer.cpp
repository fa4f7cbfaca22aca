#include "psl/class_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "psl/limits.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::psl {

using input::DiagnosticKind;

std::int64_t RankValues::operator()(SlotId id) {
    const ValueSlot& slot = slots_[id];
    if (slot.known) return *slot.known;
    const Value& value = evaluator_.value(slot.node);
    try {
        return finished(slot.use, value, evaluator_.here());
    } catch (const EvaluationError& error) {
        graph_.fail(error, slot.origin, &evaluator_.here());
    }
}

namespace {

using ResidualForm = ResidualStatement::Form;

/// Writes the program of the current rank's class.
class ClassWriter {
public:
    ClassWriter(const Skeleton& skeleton, const Graph& graph, RankValues& values)
        : skeleton_(skeleton), graph_(graph), values_(values) {}

    program::RankClass write() {
        for (const Stretch<Block>& stretch : skeleton_.iterations) iterations(stretch);
        push(program::Op::finish, skeleton_.iteration_site, 0, 0);
        return std::move(result_);
    }

private:
    void iterations(const Stretch<Block>& stretch) {
        const bool has_room = std::all_of(stretch.runs.begin(), stretch.runs.end(), [](const Run<Block>& run) {
            return 1 + loops_in(run.body) <= program::kMaxLoopDepth;
        });
        const bool turns = stretch.times > 1 && has_room;
        const std::size_t start = turns ? open_loop(stretch.times, skeleton_.iteration_site) : 0;
        for (std::int64_t turn = 0; turn < (turns ? 1 : stretch.times); ++turn) {
            for (const Run<Block>& run : stretch.runs) iterations(run, turns && &run == &stretch.runs.back());
        }
        if (turns) close_loop(start);
    }

    /// `ends_turn`: the last mark follows the loop. A loop that ends with a mark counts no wave, and a turn is not a
    /// wave.
    void iterations(const Run<Block>& run, bool ends_turn) {
        const std::int64_t alone = ends_turn ? 1 : 0;
        const bool loops = run.count - alone > 1 && depth_ + 1 + loops_in(run.body) <= program::kMaxLoopDepth;
        if (loops) {
            const std::size_t start = open_loop(run.count - alone, skeleton_.iteration_site);
            iteration(run.body);
            close_loop(start);
        }
        for (std::int64_t left = loops ? alone : run.count; left > 0; --left) iteration(run.body);
    }

    void iteration(const Block& body) {
        block(body);
        push(program::Op::iteration, skeleton_.iteration_site, 0, 0);
    }

    void push(program::Op op, std::uint16_t site, std::uint32_t place, std::int64_t amount) {
        if (result_.code.size() == kMostInstructions) {
            graph_.fail({DiagnosticKind::program_too_large,
                         fmt::format("the program of one rank has more than {} instructions", kMostInstructions)},
                        skeleton_.site_statements[site]->span, &values_.here());
        }
        const bool nests = op == program::Op::loop || op == program::Op::end_loop;
        result_.code.push_back({op, nests ? depth_ : std::uint8_t{0}, site, place, amount});
    }

    std::size_t open_loop(std::int64_t times, std::uint16_t site) {
        push(program::Op::loop, site, 0, times);
        ++depth_;
        return result_.code.size() - 1;
    }

    void close_loop(std::size_t start) {
        --depth_;
        if (result_.code.size() == start + 1) return result_.code.pop_back();
        result_.code[start].operand = static_cast<std::uint32_t>(result_.code.size());
        push(program::Op::end_loop, result_.code[start].site, static_cast<std::uint32_t>(start), 0);
    }

    void block(const Block& statements) {
        for (const ResidualStatement& each : statements) statement(each);
    }

    void statement(const ResidualStatement& each) {
        switch (each.form) {
            case ResidualForm::compute:
                if (const std::int64_t amount = values_(each.amount); amount > 0) {
                    push(program::Op::compute, each.site, 0, amount);
                }
                return;
            case ResidualForm::allreduce: return push(program::Op::allreduce, each.site, 0, values_(each.amount));
            case ResidualForm::loop: return loop(each);
            case ResidualForm::branch: return block(values_(each.amount) != 0 ? each.body : each.otherwise);
            case ResidualForm::require: return require(each);
            default: return message(each);
        }
    }

    void loop(const ResidualStatement& each) {
        const std::int64_t times = values_(each.amount);
        if (times == 0) return;
        if (only_work(each.body)) return work(each, times);
        if (times > kMostTrips) {
            graph_.fail({DiagnosticKind::program_too_large,
                         fmt::format("a loop of {} trips; the most is {}", times, kMostTrips)},
                        each.origin->span, &values_.here());
        }
        const std::size_t start = open_loop(times, each.site);
        block(each.body);
        close_loop(start);
    }

    /// Work of consecutive trips without other statements is one piece of work.
    void work(const ResidualStatement& each, std::int64_t times) {
        const std::size_t start = result_.code.size();
        block(each.body);
        for (std::size_t at = start; at < result_.code.size(); ++at) {
            const Wide all = Wide{result_.code[at].amount} * times;
            if (all > kLongestCost.ps) {
                graph_.fail({DiagnosticKind::out_of_range,
                             fmt::format("work of {:.6g} s in {} trips; the longest cost is {:.6g} s",
                                         static_cast<double>(all) * 1e-12, times, seconds(kLongestCost))},
                            each.origin->span, &values_.here());
            }
            result_.code[at].amount = static_cast<std::int64_t>(all);
        }
    }

    void require(const ResidualStatement& each) {
        if (values_(each.amount) != 0) return;
        graph_.fail({DiagnosticKind::requirement_failed, each.origin->message}, each.origin->expressions[0].span,
                    &values_.here());
    }

    void message(const ResidualStatement& each) {
        const std::int64_t delta = values_(each.peer);
        if (delta == kNoPeer) return;
        const program::Channel channel{static_cast<std::int32_t>(delta), static_cast<std::int32_t>(values_(each.tag))};
        switch (each.form) {
            case ResidualForm::send:
                return push(program::Op::send, each.site, place(result_.send_endpoints, send_endpoints_, channel),
                            values_(each.amount));
            case ResidualForm::recv:
                refuse_second(each, channel);
                return push(program::Op::recv, each.site, place(result_.receive_endpoints, receive_endpoints_, channel),
                            0);
            case ResidualForm::irecv:
                refuse_second(each, channel);
                posted_.insert(channel);
                return push(program::Op::irecv, each.site,
                            place(result_.receive_endpoints, receive_endpoints_, channel), 0);
            default:
                posted_.erase(channel);
                return push(program::Op::wait_recv, each.site,
                            place(result_.receive_endpoints, receive_endpoints_, channel), 0);
        }
    }

    /// An engine's channel holds one posted receive. A request is waited for in the block that posts it, so a request
    /// outstanding here is outstanding on every trip.
    void refuse_second(const ResidualStatement& each, const program::Channel& channel) const {
        if (!posted_.contains(channel)) return;
        graph_.fail({DiagnosticKind::overlapping_receives,
                     fmt::format("a receive with tag {} from the same rank is still posted: expected it to be waited "
                                 "for first, or another tag",
                                 channel.tag)},
                    each.origin->span, &values_.here());
    }

    using Places = std::map<program::Channel, std::uint32_t>;
    static std::uint32_t place(std::vector<program::Channel>& channels, Places& places,
                               const program::Channel& channel) {
        const auto [entry, fresh] = places.try_emplace(channel, static_cast<std::uint32_t>(channels.size()));
        if (fresh) channels.push_back(channel);
        return entry->second;
    }

    const Skeleton& skeleton_;
    const Graph& graph_;
    RankValues& values_;
    program::RankClass result_;
    Places send_endpoints_;
    Places receive_endpoints_;
    std::set<program::Channel> posted_;  // and not yet waited for
    std::uint8_t depth_ = 0;
};

}  // namespace

program::RankClass write_class(const Skeleton& skeleton, const Graph& graph, RankValues& values) {
    return ClassWriter(skeleton, graph, values).write();
}

}  // namespace warpfront::psl
