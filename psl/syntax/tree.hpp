// The syntax tree of PSL. The parser makes the tree and limits its depth. The checker adds what names mean (types,
// slots, callees). Later stages do not change the tree. A node owns its children by value.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "psl/syntax/types.hpp"
#include "psl/syntax/value.hpp"
#include "simulator/collectives/collective.hpp"
#include "simulator/program/task_lists.hpp"

namespace warpfront::psl {

/// The greatest depth of nested expressions and of nested blocks.
inline constexpr unsigned kDeepestNesting = 200;

/// A range of bytes in one of the files of a model.
struct Span {
    std::uint32_t file = 0;
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
    friend constexpr bool operator==(Span, Span) = default;
};

struct Name {
    std::string text;
    Span span;
};

/// The storage of a variable's value: the frame of the application, or that of the current template or subtask.
struct Slot {
    bool local = false;
    std::uint32_t index = 0;
};

struct Object;

struct Expression {
    enum class Form : std::uint8_t { literal, name, apply, choose, list, index, call };
    Form form = Form::literal;
    Span span;
    unsigned depth = 1;
    Value literal;
    std::string name;                         // the name of a variable, function (apply) or called object, as written
    OperatorKind op = OperatorKind::literal;  // the operator, if the form is apply
    /// Operands of apply, list and call. For choose: condition, value if true, value if false. For index: list, number.
    std::vector<Expression> operands;

    // set by the checker
    Type type;
    const Builtin* builtin = nullptr;  // the built-in value with this name
    Slot slot;                         // the variable with this name
    /// the called object; the parser makes an apply of an unknown function, and the checker a call
    const Object* callee = nullptr;
};

struct Statement;

/// The clauses of a task list, a task, a record, a read or a write. Numbers in them are positions in the expressions of
/// the statement.
struct TaskClauses {
    struct Index {  // the bounds of index k are the expressions 2 k and 2 k + 1
        Name name;
        Slot slot{};
    };
    struct Part {
        std::uint32_t expression = 0;
        bool is_range = false;  // true if the next expression is the end of a range
    };
    struct Reference {  // `pencil[p - 1, 1..i]`
        Name name;
        Span span;  // range of the whole reference
        std::vector<Part> parts{};
        const Statement* target = nullptr;  // the task or record, set by the checker
    };

    std::vector<Index> indices{};
    std::vector<Reference> references{};  // references after `after`; a read or write has one
    bool on_nodes = false;
    bool given = false;
    program::Take::Rule rule = program::Take::Rule::chunk;
    std::optional<std::uint32_t> bytes{}, ahead{}, window{}, chunk{}, condition{}, preference{};
    Slot worker{};  // the variable for the number of the worker in `prefer`
};

inline constexpr std::string_view kNoteMark = "{}";  // placeholder of a value in a note

/// A statement. For a new statement, add an enumerator here, a row in keywords.cpp, and cases in
/// ObjectChecker::statement and Specialiser::statement. The compiler reports missing cases.
struct Statement {
    enum class Form : std::uint8_t {
        parameter,
        let,
        variable,
        assign,
        require,
        note,
        compute,
        analytic,
        trace,
        send,
        recv,
        isend,
        irecv,
        ssend,
        recv_any,  // a recv or irecv from any source
        irecv_any,
        reply,  // a send or isend to the source of a receive from any rank; set by the checker
        ireply,
        sendrecv,
        wait,
        waitall,
        waitany,
        allreduce,   // an allreduce over all ranks
        collective,  // any other collective, and an allreduce over some ranks
        branch,
        for_range,
        for_each,
        repeat,
        while_loop,
        phase,
        call,
        iteration,
        closed_form,
        field,
        result,
        // Costs in a subtask with a value.
        duration,
        flops,
        count,
        average_loop,
        cases,
        alternative,
        // Items of a hardware object.
        achieved_rate,
        operation,
        // Statements of an application without an iteration.
        task_list,
        task,
        record,
        read_record,
        write_record
    };
    Form form = Form::compute;
    Span span;            // range of the statement; for a statement with a block, range of the text before the block
    Name name;            // name of a variable, request, phase, called object or field; folder or list of a trace
    Name role{};          // role of a parameter, as written; empty if it has none
    Type declared;        // type of a parameter
    std::string message;  // text of a require or note
    //  parameter                                [default]
    //  let, variable, assign, result, field     value
    //  require, branch, while_loop              condition
    //  note                                     condition, then the values of its message
    //  compute, allreduce, duration, flops, count, analytic without a body   amount
    //  trace                                    [rate]
    //  send, isend, ssend, reply, ireply        amount, peer, [tag]
    //  recv, irecv                              peer, [tag]
    //  recv_any, irecv_any                      [tag]
    //  sendrecv                                 amount, peer, source, [tag]
    //  collective                               [amount], [root], [colour]
    //  for_range                                first, last
    //  for_each                                 list
    //  repeat, average_loop                     times
    //  alternative                              probability
    //  achieved_rate, operation                 value
    //  call                                     arguments
    std::vector<Expression> expressions;
    std::vector<Statement> body;
    std::vector<Statement> otherwise;

    // set by the checker
    Slot slot;                       // slot of the variable or request
    bool uses_variable = false;      // true if the body of a `for` over a range uses the variable
    bool assigns = false;            // true if the body of a loop assigns a variable that is declared outside the loop
    bool waits_for_send = false;     // true for a wait for an isend
    const Object* callee = nullptr;  // the called object
    /// The receive to whose source a reply or ireply is sent. For a wait, the irecv_any or ireply that it waits for.
    const Statement* source = nullptr;

    std::optional<collectives::Kind> collective{};  // the kind of the collective
    bool rooted = false;                            // true if the collective has a root
    bool over_some = false;                         // true if the collective has a colour
    bool any_tag = false;                           // true for a recv_any or irecv_any with the tag `any`

    std::vector<TaskClauses> clauses{};  // the clauses, for forms of task lists; at most one item

    const Expression& root() const { return expressions[expressions.size() - (over_some ? 2 : 1)]; }
    const Expression& colour() const { return expressions.back(); }
};

struct Parameter {
    Name name;
    Type type;
    std::vector<Expression> preset;  // the default, if there is one
    Slot slot;
};

/// An object of a model: an application, a template (communication between ranks), a subtask (work of one rank), a
/// function, or a hardware object (times of operations). The body of a function is its `result`. A subtask may have a
/// value: the sum of the costs in its body.
struct Object {
    enum class Form : std::uint8_t { application, subtask, parallel_template, function, hardware };
    Form form = Form::application;
    Name name;
    std::vector<Parameter> parameters;           // parameters, except those of an application
    Type result;                                 // type of the value of a function; for a subtask with a value, `time`
    Name processor;                              // name of the processor that a hardware object describes
    std::vector<Statement> body;                 // statements; for an application, its items in order
    std::vector<std::unique_ptr<Object>> inner;  // objects that are declared inside an application
    /// for an inner object, the number of items of the application before it
    std::size_t declared_after = 0;

    std::uint32_t slots = 0;  // size of the object's frame, set by the checker

    bool has_value() const { return form == Form::function || result.kind == Kind::time; }
    bool callable() const { return form != Form::application && form != Form::hardware; }
};

struct Import {
    std::string path;
    Span span;
    std::uint32_t file = 0;  // index of the file, set by the loader
};

struct File {
    std::vector<Import> imports;
    std::vector<std::unique_ptr<Object>> objects;
    std::vector<std::uint32_t> imported;  // indices of the files that are imported, as in `imports`
};

inline Span join(Span first, Span last) { return {first.file, first.offset, last.offset + last.length - first.offset}; }

}  // namespace warpfront::psl
