#include "simulator/program/program.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace warpfront::program {

namespace {

constexpr std::size_t kSiteColumn = 52;

/// Formats a duration in microseconds, exact to the picosecond.
std::string duration(std::int64_t picoseconds) {
    constexpr std::int64_t kMicrosecond = 1'000'000;
    std::string text = fmt::format("{}.{:06}", picoseconds / kMicrosecond, picoseconds % kMicrosecond);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text + "us";
}

std::string partner(const Channel& channel) {
    const std::int64_t delta = channel.delta;
    const std::string tag = channel.tag >= 0                  ? fmt::format("tag {}", channel.tag)
                            : channel.tag <= kHighestExtraTag ? "on an extra channel"
                                                              : "within a collective";
    return fmt::format("rank {} {}, {}", delta < 0 ? '-' : '+', delta < 0 ? -delta : delta, tag);
}

/// Formats up to four partners of an instruction.
std::string partners(const Instruction& step, const RankClass& rank_class) {
    constexpr std::size_t kShown = 4;
    const auto& channels = on_send_side(step.op) ? rank_class.send_endpoints : rank_class.receive_endpoints;
    const std::span<const std::uint32_t> places = endpoints_of(step, rank_class);
    std::string text;
    for (std::size_t k = 0; k < std::min(kShown, places.size()); ++k) {
        text += (k == 0 ? "" : "; ") + partner(channels[places[k]]);
    }
    return places.size() <= kShown ? text : text + fmt::format("; {} more", places.size() - kShown);
}

std::string text_of(const Instruction& step, const RankClass& rank_class, const Program& program) {
    const auto with = [&](std::string_view what) { return fmt::format("{} {}", what, partners(step, rank_class)); };
    const auto sized = [&](std::string_view what, std::string_view to) {
        return fmt::format("{} {} B {} {}", what, step.amount, to, partners(step, rank_class));
    };
    switch (step.op) {
        case Op::compute: return "compute " + duration(step.amount);
        case Op::delay: return "delay " + duration(step.amount);
        case Op::send: return sized("send", "to");
        case Op::recv: return with("recv from");
        case Op::irecv: return with("irecv from");
        case Op::wait_recv: return with("wait for irecv from");
        case Op::isend: return sized("isend", "to");
        case Op::wait_send: return with("wait for isend to");
        case Op::ssend: return sized("ssend", "to");
        case Op::recv_any: return with("recv from the first of");
        case Op::irecv_any: return with("irecv from the first of");
        case Op::wait_recv_any: return with("wait for irecv from the first of");
        case Op::wait_any: return with("wait for the first irecv from");
        case Op::reply: return sized("send", "to the sender of the message taken, one of");
        case Op::ireply: return sized("isend", "to the sender of the message taken, one of");
        case Op::wait_reply: return with("wait for isend to the sender of the message taken, one of");
        case Op::loop: return fmt::format("loop {} times", step.amount);
        case Op::end_loop: return "end of loop";
        case Op::allreduce: return fmt::format("allreduce {} B", step.amount);
        case Op::iteration: return "end of iteration";
        case Op::phase: return step.operand == 0 ? "no phase" : "phase " + program.phases[step.operand - 1];
        case Op::finish: return "finish";
    }
    return {};
}

/// Formats the file and line of a statement, without the folder.
std::string place(const Site& site) {
    return fmt::format("{}:{}", site.file.substr(site.file.find_last_of('/') + 1), site.line);
}

void list(const RankClass& rank_class, const Program& program, std::string& text) {
    std::size_t depth = 1;
    for (const Instruction& step : rank_class.code) {
        if (step.op == Op::end_loop) --depth;
        const std::string line = std::string(2 * depth, ' ') + text_of(step, rank_class, program);
        const bool sited = step.op != Op::end_loop && step.op != Op::finish && step.op != Op::iteration;
        text += sited ? fmt::format("{:<{}} {}\n", line, kSiteColumn, place(program.sites[step.site])) : line + '\n';
        if (step.op == Op::loop) ++depth;
    }
}

/// Writes task lists as text. A value that differs from task to task is written as `..`.
class TaskListing {
public:
    explicit TaskListing(const Program& program) : program_(program), lists_(*program.tasks) {}

    std::string text() {
        const std::size_t cores = program_.class_of.size();
        text_ = fmt::format("{}: lists of tasks on {} core{}\n\n", program_.name, cores, cores == 1 ? "" : "s");
        for (const std::uint32_t list : lists_.order) add(lists_.lists[list], 1);
        return std::move(text_);
    }

private:
    void line(unsigned depth, const std::string& text, std::uint16_t site) {
        text_ +=
            fmt::format("{:<{}} {}\n", std::string(2 * depth, ' ') + text, kSiteColumn, place(program_.sites[site]));
    }

    static std::string number(const TaskNumber& number) {
        return number.formula ? std::string("..") : fmt::format("{}", number.known);
    }

    static std::string indices(const std::vector<TaskIndex>& indices) {
        std::string text;
        for (const TaskIndex& index : indices) {
            text += fmt::format("{}{} in {}..{}", text.empty() ? "[" : ", ", index.name, number(index.first),
                                number(index.last));
        }
        return text.empty() ? text : text + "]";
    }

    static std::string taking(const TaskList& list) {
        using Rule = Take::Rule;
        std::string text = list.on_nodes ? " on node" : " on core";
        if (list.ahead > 0) text += fmt::format(" ahead {}", list.ahead);
        if (list.window > 1) text += fmt::format(" among {}", list.window);
        switch (list.take.rule) {
            case Rule::chunk: return list.take.chunk == 1 ? text : text + fmt::format(" take {}", list.take.chunk);
            case Rule::guided: return text + " take guided";
            case Rule::factoring: return text + " take factoring";
            case Rule::trapezoid: return text + " take trapezoid";
            case Rule::fixed: return text + " take fixed";
        }
        return text;
    }

    void add(const TaskList& list, unsigned depth) {
        line(depth, fmt::format("tasks {}{}{}", list.name, indices(list.indices), taking(list)), list.site);
        for (const std::uint32_t task : list.tasks) add(lists_.tasks[task], depth + 1);
    }

    void add(const Task& task, unsigned depth) {
        std::string text = fmt::format("task {}{}", task.name, indices(task.indices));
        for (const TaskCondition& condition : task.after)
            text += fmt::format(" after {}", lists_.tasks[condition.task].name);
        line(depth, text, task.site);
        for (const TaskStep& step : task.steps) add(step, depth + 1);
    }

    void add(const TaskStep& step, unsigned depth) {
        switch (step.form) {
            case TaskStep::Form::list: return add(lists_.lists[step.operand], depth);
            case TaskStep::Form::compute:
                return line(depth, "compute " + (step.amount.formula ? std::string("..") : duration(step.amount.known)),
                            step.site);
            case TaskStep::Form::read: return line(depth, "read " + lists_.records[step.operand].name, step.site);
            case TaskStep::Form::write: return line(depth, "write " + lists_.records[step.operand].name, step.site);
        }
    }

    const Program& program_;
    const TaskLists& lists_;
    std::string text_;
};

}  // namespace

std::string listing(const Program& program) {
    if (program.tasks) return TaskListing(program).text();
    std::vector<std::uint32_t> first(program.classes.size(), 0);
    std::vector<std::uint32_t> members(program.classes.size(), 0);
    for (std::uint32_t rank = 0; rank < program.class_of.size(); ++rank) {
        const std::uint32_t index = program.class_of[rank];
        if (members[index]++ == 0) first[index] = rank;
    }
    std::string text = fmt::format("{}: {} rank{} in {} class{}\n", program.name, program.class_of.size(),
                                   program.class_of.size() == 1 ? "" : "s", program.classes.size(),
                                   program.classes.size() == 1 ? "" : "es");
    for (std::size_t index = 0; index < program.classes.size(); ++index) {
        const std::uint32_t rank = first[index];
        text += fmt::format("\nclass {} of {}: rank {} ({})", index + 1, program.classes.size(), rank,
                            program.grid.coordinates({rank}));
        text += members[index] > 1 ? fmt::format(" and {} more\n", members[index] - 1) : "\n";
        list(program.classes[index], program, text);
    }
    return text;
}

}  // namespace warpfront::program
