// Checks the statements of one object: an application, a subtask or a template.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "psl/checking/expression_checker.hpp"
#include "psl/syntax/roles.hpp"

namespace warpfront::psl {

class ObjectChecker {
public:
    ObjectChecker(const CheckedModel& model, const Callables& callables, std::vector<Call>& calls,
                  input::Diagnostics& faults)
        : model_(model), callables_(callables), calls_(calls), expressions_(model, scope_, callables, calls, faults) {}

    void application(Object& object);
    void block_object(Object& object);
    void hardware(Object& object);

private:
    struct OpenRequest {
        Name name;
        Slot slot;
        bool sends = false;
        bool waited = false;
        const Statement* statement = nullptr;
    };

    void item(Statement& statement);
    void role(const Statement& parameter);
    void iteration(Statement& statement);
    void closed_form(Statement& statement);
    void fields(Statement& block);
    void field(Statement& statement, std::vector<std::string>& given);
    void analytic(Statement& statement);
    void trace(Statement& statement);
    void block(std::vector<Statement>& statements);
    void statement(Statement& statement);
    void note(Statement& statement);
    void amount(Statement& statement, Kind kind, std::string_view what);
    void message(Statement& statement);
    void request(Statement& statement);
    void receive_any(Statement& statement);
    bool answers(Statement& statement);
    bool refuse_early_answer(const Expression& to);
    bool refuse_misspelt_source(const Expression& to);
    void refuse_second_name(const Name& name);
    const Statement* find_source(const std::string& name) const;
    void wait(Statement& statement);
    void collective(Statement& statement);
    void variable(Statement& statement);
    void assignment(Statement& statement);
    void cost_entry(Statement& statement);
    void operation(const Statement& statement);
    void loop(Statement& statement);
    void while_loop(Statement& statement);
    void loop_body(Statement& statement);
    void enter(Object& object);
    void call(Statement& statement);
    void unknown_callee(const Statement& statement);
    static void compute_value(Statement& statement);
    Slot declare(const Name& name, Type type);
    void refuse_in_subtask(Span span, std::string_view what);
    void record(Statement& statement);
    void list_of_rank(Statement& statement);
    void task_list(Statement& statement, const Statement* around);
    void task(Statement& statement, const Statement& list);
    void task_step(Statement& statement, const Statement& list);
    void task_indices(Statement& statement);
    void task_reference(TaskClauses::Reference& reference, Statement& statement, std::size_t indices);
    void task_option(Statement& statement, const std::optional<std::uint32_t>& option, Type type,
                     std::string_view what);
    void refuse_second_of(const Name& name, const std::vector<const Statement*>& earlier, std::string_view what);

    const CheckedModel& model_;
    const Callables& callables_;
    std::vector<Call>& calls_;
    Scope scope_;
    ExpressionChecker expressions_;
    std::map<std::string, std::string> roles_;  // names of the application's parameters by the roles that they declare
    Object* object_ = nullptr;
    const Name* iteration_name_ = nullptr;
    /// open requests of each enclosing block; the innermost block is last
    std::vector<std::vector<OpenRequest>> requests_;
    /// For each enclosing block, the receives from any rank that are complete.
    std::vector<std::vector<const Statement*>> sources_;
    struct OpenLoop {
        Statement* statement;
        std::size_t outside;  // number of variables that are declared outside the loop
    };
    std::vector<OpenLoop> loops_;            // enclosing loops, the innermost last
    std::vector<const Statement*> records_;  // records of cluster memory that have been declared so far
    bool in_list_of_rank_ = false;
};

}  // namespace warpfront::psl
