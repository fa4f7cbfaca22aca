#include "tests/properties/rewritten.hpp"
#include "tests/preamble.hpp"

namespace warpfront::test {

namespace {

using program::Instruction;
using program::Op;

/// Reconnects loops with their ends, which have moved.
void connect_loops(std::vector<Instruction>& code) {
    std::vector<std::uint32_t> open;
    for (std::uint32_t at = 0; at < code.size(); ++at) {
        if (code[at].op == Op::loop) open.push_back(at);
        if (code[at].op != Op::end_loop) continue;
        code[at].operand = open.back();
        code[open.back()].operand = at;
        open.pop_back();
    }
}

/// A program's messages as isends and irecvs, each begun before the work before it and waited for where its stretch of
/// code ends: at a loop, a mark, a collective, or the next message on its channel.
class Begun {
public:
    std::vector<Instruction> of(const std::vector<Instruction>& code) {
        for (const Instruction& step : code) {
            const bool plain = step.op == Op::compute || step.op == Op::recv || step.op == Op::send;
            if (!plain) end_stretch();
            if (step.op == Op::send) {
                begin(step);
            } else {
                code_.push_back(step);
            }
        }
        connect_loops(code_);
        return std::move(code_);
    }

private:
    void begin(Instruction step) {
        const auto same = [&](const Instruction& other) { return other.operand == step.operand; };
        if (std::any_of(open_.begin(), open_.end(), same)) end_stretch();
        step.op = Op::isend;
        auto at = code_.end();
        while (at != code_.begin() && ((at - 1)->op == Op::compute || (at - 1)->op == Op::isend)) --at;
        while (at != code_.end() && at->op == Op::isend) ++at;  // messages of a stretch keep their order
        code_.insert(at, step);
        open_.push_back(step);
    }
    void end_stretch() {
        for (Instruction wait : open_) {
            wait.op = Op::wait_send;
            wait.amount = 0;
            code_.push_back(wait);
        }
        open_.clear();
    }

    std::vector<Instruction> code_;
    std::vector<Instruction> open_;
};

/// A program in which adjacent instructions that do the same on different channels become choices among all of these.
class Chosen {
public:
    explicit Chosen(program::RankClass rank_class) : class_(std::move(rank_class)) {}

    program::RankClass rewritten() {
        std::vector<Instruction>& code = class_.code;
        for (std::size_t at = 0; at < code.size();) {
            std::size_t end = at + 1;
            const bool chooses = code[at].op == Op::recv || code[at].op == Op::wait_recv;
            while (chooses && code[end].op == code[at].op && !among(at, end)) ++end;
            if (end - at > 1) choose(at, end);
            if (code[at].op == Op::send && sends_++ % 3 == 2) code[at].op = Op::ssend;
            at = end;
        }
        return std::move(class_);
    }

private:
    /// Returns true if the channel of the instruction at `end` is one of those before it.
    bool among(std::size_t at, std::size_t end) const {
        const auto begin = class_.code.begin();
        return std::any_of(begin + static_cast<std::ptrdiff_t>(at), begin + static_cast<std::ptrdiff_t>(end),
                           [&](const Instruction& each) { return each.operand == class_.code[end].operand; });
    }
    void choose(std::size_t at, std::size_t end) {
        program::Choice choice;
        for (std::size_t k = at; k < end; ++k) choice.receive_endpoints.push_back(class_.code[k].operand);
        for (std::size_t k = at; k < end; ++k) {
            class_.code[k].op = class_.code[k].op == Op::recv ? Op::recv_any : Op::wait_any;
            class_.code[k].operand = static_cast<std::uint32_t>(class_.choices.size());
        }
        class_.choices.push_back(std::move(choice));
    }

    program::RankClass class_;
    std::size_t sends_ = 0;
};

/// A program in which adjacent receives from any source are posted at the beginning of the stretch of work and sends
/// before them.
class Posted {
public:
    explicit Posted(program::RankClass rank_class) : class_(std::move(rank_class)) {}

    program::RankClass rewritten() {
        const std::vector<Instruction> code = std::exchange(class_.code, {});
        for (std::size_t at = 0; at < code.size();) {
            std::size_t end = at + 1;
            while (code[at].op == Op::recv_any && code[end] == with_site_of(code[at], code[end])) ++end;
            if (code[at].op == Op::recv_any) {
                post({code.begin() + static_cast<std::ptrdiff_t>(at), code.begin() + static_cast<std::ptrdiff_t>(end)});
            } else {
                class_.code.push_back(code[at]);
            }
            at = end;
        }
        connect_loops(class_.code);
        return std::move(class_);
    }

private:
    static Instruction with_site_of(Instruction step, const Instruction& other) {
        step.site = other.site;
        return step;
    }

    void post(std::vector<Instruction> group) {
        std::vector<Instruction>& code = class_.code;
        std::size_t first = code.size();
        const auto may_follow = [](Op op) {
            return op == Op::compute || program::sends(op, program::Operand::send_endpoint) || op == Op::wait_send;
        };
        while (first > 0 && may_follow(code[first - 1].op)) --first;
        for (Instruction& each : group) {
            class_.choices.push_back(class_.choices[each.operand]);
            each.op = Op::irecv_any;
            each.operand = static_cast<std::uint32_t>(class_.choices.size() - 1);
        }
        code.insert(code.begin() + static_cast<std::ptrdiff_t>(first), group.begin(), group.end());
        if (groups_++ % 2 == 1) std::reverse(group.begin(), group.end());
        for (Instruction each : group) {
            each.op = Op::wait_recv_any;
            code.push_back(each);
        }
    }

    program::RankClass class_;
    std::size_t groups_ = 0;
};

}  // namespace

program::Program with_sends_begun(program::Program program) {
    for (program::RankClass& rank_class : program.classes) rank_class.code = Begun().of(rank_class.code);
    return program;
}

program::Program with_choices(program::Program program) {
    for (program::RankClass& rank_class : program.classes) rank_class = Chosen(std::move(rank_class)).rewritten();
    return program;
}

program::Program with_open_receives(program::Program program) {
    program = with_choices(std::move(program));
    for (program::RankClass& rank_class : program.classes) rank_class = Posted(std::move(rank_class)).rewritten();
    return program;
}

program::Program posted_and_waited_for(program::Program program) {
    for (program::RankClass& rank_class : program.classes) {
        std::vector<Instruction> code;
        for (Instruction step : rank_class.code) {
            const bool any = step.op == Op::recv_any;
            if (any) step.op = Op::irecv_any;
            code.push_back(step);
            if (any) step.op = Op::wait_recv_any;
            if (any) code.push_back(step);
        }
        connect_loops(code);
        rank_class.code = std::move(code);
    }
    return program;
}

}  // namespace warpfront::test
