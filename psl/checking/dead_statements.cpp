// Statements and branches that are never executed, and statements that do nothing, whatever the parameters: those whose
// condition, trips, amount or partner is a constant (constants.hpp). What a call passes to a template is not followed.
#include <fmt/format.h>

#include "psl/checking/constants.hpp"
#include "psl/checking/lint_rules.hpp"

namespace warpfront::psl {
namespace {

using Form = Statement::Form;

class DeadStatements {
public:
    explicit DeadStatements(std::vector<Lint>& found) : found_(found) {}

    /// Variables of an application are known to the objects inside it.
    void object(const Object& object) {
        constants_.enter_object();
        block(object.body);
        for (const auto& inner : object.inner) {
            constants_.enter_object();
            block(inner->body);
        }
    }

private:
    void block(const std::vector<Statement>& statements) {
        for (const Statement& each : statements) statement(each);
    }

    void statement(const Statement& each) {
        for (const Expression& expression : each.expressions) choices(expression);
        switch (each.form) {
            case Form::let: return constants_.bind(each);
            case Form::branch: return branch(each);
            case Form::compute: return work(each);
            case Form::analytic: return each.body.empty() ? work(each) : block(each.body);
            case Form::send:
            case Form::ssend:
            case Form::isend: return message(each, each.expressions[1]);
            case Form::recv:
            case Form::irecv: return message(each, each.expressions[0]);
            case Form::collective: return collective(each);
            case Form::repeat:
            case Form::for_range:
            case Form::for_each: return loop(each);
            default: return block(each.body);
        }
    }

    void branch(const Statement& each) {
        const std::optional<bool> known = truth(each.expressions[0]);
        if (known == false && !each.body.empty()) {
            add(each.expressions[0], "the condition is always false: what follows is never executed");
        }
        if (known == true && !each.otherwise.empty()) {
            add(each.expressions[0], "the condition is always true: the `else` is never executed");
        }
        if (known != false) block(each.body);
        if (known != true) block(each.otherwise);
    }

    void loop(const Statement& each) {
        if (!never_runs(each)) return block(each.body);
        add(each.expressions[0], "the loop has no trips: its body is never executed");
    }

    bool never_runs(const Statement& each) const {
        if (each.form == Form::for_each) return constants_.length(each.expressions[0]) == 0;
        const std::optional<Value> first = constants_.value(each.expressions[0]);
        if (each.form == Form::repeat) return first && first->whole == 0;
        const std::optional<Value> last = constants_.value(each.expressions[1]);
        return first && last && last->whole < first->whole;
    }

    void work(const Statement& each) {
        const std::optional<Value> time = constants_.value(each.expressions[0]);
        if (time && time->amount == 0.0L) add(each.expressions[0], "work of zero time is left out");
    }

    void message(const Statement& each, const Expression& peer) {
        const std::optional<Value> known = constants_.value(peer);
        if (!known || known->whole != kNobody) return;
        add(peer, fmt::format("a message {} `nobody` is left out",
                              each.expressions.size() > 1 && &peer == &each.expressions[1] ? "to" : "from"));
    }

    /// Whoever writes `over rows` means `over row`.
    void collective(const Statement& each) {
        if (!each.over_some) return;
        const Expression& colour = each.colour();
        const bool extent = colour.builtin != nullptr && (colour.name == "rows" || colour.name == "columns" ||
                                                          colour.name == "planes" || colour.name == "ranks");
        if (extent || constants_.value(colour)) {
            add(colour, "this is the same on all ranks, so all take part: `over row` or `over column`, or nothing");
        }
    }

    /// Every `if C then A else B` within the expression.
    void choices(const Expression& expression) {
        if (expression.form == Expression::Form::choose) {
            const std::optional<bool> known = truth(expression.operands[0]);
            if (known) {
                add(expression.operands[0],
                    fmt::format("the condition is always {0}: the value after `{1}` is never used", *known,
                                *known ? "else" : "then"));
            }
        }
        for (const Expression& operand : expression.operands) choices(operand);
    }

    std::optional<bool> truth(const Expression& condition) const {
        const std::optional<Value> known = constants_.value(condition);
        return known ? std::optional(known->whole != 0) : std::nullopt;
    }
    void add(const Expression& at, std::string text) { found_.push_back({at.span, std::move(text)}); }

    std::vector<Lint>& found_;
    Constants constants_;
};

}  // namespace

void find_dead_statements(const CheckedModel& model, std::vector<Lint>& found) {
    for (const auto& object : model.files[0].objects) DeadStatements(found).object(*object);
}

}  // namespace warpfront::psl
