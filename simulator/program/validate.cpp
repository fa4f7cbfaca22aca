#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "simulator/program/program.hpp"

namespace warpfront::program {
namespace {

class ClassCheck {
public:
    ClassCheck(const Program& program, const RankClass& rank_class) : program_(program), class_(rank_class) {}

    std::string run() {
        for (std::size_t at = 0; at < class_.code.size() && problem_.empty(); ++at) check(at);
        if (!problem_.empty()) return problem_;
        if (class_.code.empty() || class_.code.back().op != Op::finish) return "the code does not end with finish";
        if (!open_.empty()) return fmt::format("the loop at {} is never closed", open_.back().at);
        if (!away_.empty()) return "an isend is never waited for";
        if (!posted_.empty()) return "a receive from any source is never waited for";
        if (!replies_.empty()) return "an ireply is never waited for";
        if (marks_ != program_.iterations) return "the iteration marks are not as many as the iterations";
        if (duplicates(class_.send_endpoints)) return "a channel stands twice among the send endpoints";
        if (duplicates(class_.receive_endpoints)) return "a channel stands twice among the receive endpoints";
        return {};
    }

private:
    struct Open {
        std::size_t at;
        Wide marks_before;
    };

    void check(std::size_t at) {
        const Instruction& now = class_.code[at];
        if (now.amount < 0) return complain(at, "a negative amount");
        if (now.site >= program_.sites.size()) return complain(at, "no such site");
        switch (now.op) {
            case Op::send:
            case Op::ssend:
            case Op::isend:
            case Op::wait_send: check_operand(at, class_.send_endpoints.size()); return check_away(at);
            case Op::recv:
            case Op::irecv:
            case Op::wait_recv: return check_operand(at, class_.receive_endpoints.size());
            case Op::irecv_any:
            case Op::wait_recv_any:
                check_choice(at);
                return check_begun(at, now.op == Op::irecv_any, posted_, "receive of a choice");
            case Op::recv_any:
            case Op::wait_any: return check_choice(at);
            case Op::reply: return check_reply(at);
            case Op::ireply:
            case Op::wait_reply: check_reply(at); return check_begun(at, now.op == Op::ireply, replies_, "ireply");
            case Op::loop: return open(at);
            case Op::end_loop: return close(at);
            case Op::iteration: ++marks_; return;
            case Op::phase:
                if (now.operand > program_.phases.size()) complain(at, "no such phase");
                return;
            case Op::finish:
                if (at + 1 != class_.code.size()) complain(at, "finish is not last");
                return;
            default: return;
        }
    }

    void complain(std::size_t at, std::string_view what) { problem_ = fmt::format("instruction {}: {}", at, what); }

    void check_operand(std::size_t at, std::size_t channels) {
        if (class_.code[at].operand >= channels) complain(at, "no such channel");
    }

    void check_choice(std::size_t at) {
        if (class_.code[at].operand >= class_.choices.size()) return complain(at, "no such choice");
        const std::vector<std::uint32_t>& places = class_.choices[class_.code[at].operand].receive_endpoints;
        if (places.empty()) return complain(at, "a choice of nothing");
        for (const std::uint32_t place : places) {
            if (place >= class_.receive_endpoints.size()) complain(at, "a choice of no such channel");
        }
    }

    void check_reply(std::size_t at) {
        if (class_.code[at].operand >= class_.replies.size()) return complain(at, "no such reply");
        const Reply& reply = class_.replies[class_.code[at].operand];
        if (reply.choice >= class_.choices.size()) return complain(at, "a reply to no choice");
        if (reply.send_endpoints.size() != class_.choices[reply.choice].receive_endpoints.size()) {
            return complain(at, "a reply to others than the choice");
        }
        for (const std::uint32_t place : reply.send_endpoints) {
            if (place >= class_.send_endpoints.size()) complain(at, "a reply on no such channel");
        }
    }

    /// One operation of an operand is begun at a time.
    void check_begun(std::size_t at, bool begins, std::set<std::uint32_t>& begun, std::string_view what) {
        const std::uint32_t operand = class_.code[at].operand;
        if (!problem_.empty()) return;
        if (begins == begun.contains(operand)) {
            return complain(at, fmt::format("{} {}", begins ? "a second" : "a wait for no", what));
        }
        begins ? void(begun.insert(operand)) : void(begun.erase(operand));
    }

    void check_away(std::size_t at) {
        const Instruction& now = class_.code[at];
        if (problem_.empty() && (now.op == Op::wait_send) != away_.contains(now.operand)) {
            return complain(at, now.op == Op::wait_send ? "no isend to wait for" : "sends beside an isend");
        }
        if (now.op == Op::isend) away_.insert(now.operand);
        if (now.op == Op::wait_send) away_.erase(now.operand);
    }

    void open(std::size_t at) {
        const Instruction& now = class_.code[at];
        if (now.depth != open_.size()) return complain(at, "the depth is not that of the loop");
        if (open_.size() >= kMaxLoopDepth) return complain(at, "loops nest too deep");
        if (now.amount < 1) return complain(at, "a loop that never runs");
        if (now.operand >= class_.code.size() || class_.code[now.operand].op != Op::end_loop) {
            return complain(at, "the loop leads nowhere");
        }
        open_.push_back({at, marks_});
    }

    void close(std::size_t at) {
        const Instruction& now = class_.code[at];
        if (open_.empty() || now.operand != open_.back().at || class_.code[now.operand].operand != at) {
            return complain(at, "ends no loop");
        }
        if (now.depth + std::size_t{1} != open_.size()) return complain(at, "the depth is not that of the loop");
        const Wide inside = marks_ - open_.back().marks_before;
        if (inside > 0 && class_.code[now.operand].amount > program_.iterations) {
            return complain(at, "more iteration marks than iterations");
        }
        marks_ = open_.back().marks_before + inside * class_.code[now.operand].amount;
        open_.pop_back();
    }

    static bool duplicates(std::vector<Channel> channels) {
        std::sort(channels.begin(), channels.end());
        return std::adjacent_find(channels.begin(), channels.end()) != channels.end();
    }

    const Program& program_;
    const RankClass& class_;
    std::vector<Open> open_;
    std::set<std::uint32_t> away_;     // send endpoints of isends that are not waited for yet
    std::set<std::uint32_t> posted_;   // choices of irecv_any, likewise
    std::set<std::uint32_t> replies_;  // of ireply
    Wide marks_ = 0;
    std::string problem_;
};

}  // namespace

std::string validate(const Program& program) {
    if (program.class_of.size() != program.grid.ranks()) return "not every rank has a class";
    for (const std::uint32_t index : program.class_of) {
        if (index >= program.classes.size()) return fmt::format("there is no class {}", index);
    }
    for (std::size_t i = 0; i < program.classes.size(); ++i) {
        const std::string problem = ClassCheck(program, program.classes[i]).run();
        if (!problem.empty()) return fmt::format("class {}: {}", i, problem);
    }
    return {};
}

}  // namespace warpfront::program
