#include "tests/validation/validate.hpp"

#include "simulator/program/operation.hpp"

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
        if (!begun_.empty()) return fmt::format("the {} is never waited for", name_of(*begun_.begin()));
        if (marks_ != program_.iterations) return "the iteration marks are not as many as the iterations";
        if (duplicates(class_.send_endpoints)) return "a channel stands twice among the send endpoints";
        if (duplicates(class_.receive_endpoints)) return "a channel stands twice among the receive endpoints";
        return {};
    }

private:
    /// A nonblocking operation (isend, ireply or irecv_any) that is not waited for yet.
    using Request = std::pair<Operand, std::uint32_t>;
    static Request request_of(const Instruction& step) { return {operation(step.op).operand, step.operand}; }
    static std::string_view name_of(const Request& request) {
        return request.first == Operand::send_endpoint ? "isend"
               : request.first == Operand::reply       ? "ireply"
                                                       : "receive of a choice";
    }

    struct Open {
        std::size_t at;
        Wide marks_before;
        std::set<Request> begun_before;
    };

    void check(std::size_t at) {
        const Instruction& now = class_.code[at];
        if (now.amount < 0) return complain(at, "a negative amount");
        if (now.site >= program_.sites.size()) return complain(at, "no such site");
        check_operand(at);
        if (!problem_.empty()) return;
        switch (operation(now.op).effect) {
            case Effect::send: return check_channel(at);
            case Effect::begin_send: check_channel(at); return begin(at);
            case Effect::end_send: return end(at);
            case Effect::post:
                if (chooses(now.op)) begin(at);
                return;
            case Effect::end_receive:
                if (now.op == Op::wait_recv_any) end(at);
                return;
            case Effect::loop: return now.op == Op::loop ? open(at) : close(at);
            case Effect::mark: marks_ += now.op == Op::iteration ? 1 : 0; return;
            case Effect::finish:
                if (at + 1 != class_.code.size()) complain(at, "finish is not last");
                return;
            case Effect::work:
            case Effect::receive:
            case Effect::collective: return;
        }
    }

    void complain(std::size_t at, std::string_view what) { problem_ = fmt::format("instruction {}: {}", at, what); }

    void check_operand(std::size_t at) {
        const Instruction& now = class_.code[at];
        const auto fits = [&](std::size_t count, std::string_view what) {
            if (now.operand >= count) complain(at, what);
        };
        switch (operation(now.op).operand) {
            case Operand::send_endpoint: return fits(class_.send_endpoints.size(), "no such channel");
            case Operand::receive_endpoint: return fits(class_.receive_endpoints.size(), "no such channel");
            case Operand::choice: return check_choice(at);
            case Operand::reply: return check_reply(at);
            case Operand::phase: return fits(program_.phases.size() + 1, "no such phase");
            case Operand::instruction:  // checked with its loop
            case Operand::none: return;
        }
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

    /// Checks that nothing else is sent on an endpoint with a message under way.
    void check_channel(std::size_t at) {
        for (const std::uint32_t place : endpoints_of(class_.code[at], class_)) {
            if (under_way_.contains(place)) return complain(at, "sends beside an isend");
        }
    }

    /// Begins an operation; an operand has at most one at a time.
    void begin(std::size_t at) {
        const Instruction& now = class_.code[at];
        if (!problem_.empty()) return;
        if (!begun_.insert(request_of(now)).second) return complain(at, "a second receive of a choice");
        if (!on_send_side(now.op)) return;
        for (const std::uint32_t place : endpoints_of(now, class_)) under_way_.insert(place);
    }

    void end(std::size_t at) {
        const Instruction& now = class_.code[at];
        if (begun_.erase(request_of(now)) == 0) {
            return complain(at, fmt::format("no {} to wait for", name_of(request_of(now))));
        }
        if (!on_send_side(now.op)) return;
        for (const std::uint32_t place : endpoints_of(now, class_)) under_way_.erase(place);
    }

    void open(std::size_t at) {
        const Instruction& now = class_.code[at];
        if (now.depth != open_.size()) return complain(at, "the depth is not that of the loop");
        if (open_.size() >= kMaxLoopDepth) return complain(at, "loops nest too deep");
        if (now.amount < 1) return complain(at, "a loop that never runs");
        if (now.operand >= class_.code.size() || class_.code[now.operand].op != Op::end_loop) {
            return complain(at, "the loop leads nowhere");
        }
        open_.push_back({at, marks_, begun_});
    }

    void close(std::size_t at) {
        const Instruction& now = class_.code[at];
        if (open_.empty() || now.operand != open_.back().at || class_.code[now.operand].operand != at) {
            return complain(at, "ends no loop");
        }
        if (now.depth + std::size_t{1} != open_.size()) return complain(at, "the depth is not that of the loop");
        if (begun_ != open_.back().begun_before)
            return complain(at, "an iteration leaves other requests open than it finds");
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
    std::set<Request> begun_;
    std::set<std::uint32_t> under_way_;  // send endpoints that these may use
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
