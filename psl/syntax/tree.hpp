// The syntax tree of PSL. The parser builds it and limits its depth. The checker adds the meaning of names (types,
// slots, callees). Later stages never change it. Trees own their children by value.
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

/// Deepest nesting of expressions and of blocks.
inline constexpr unsigned kDeepestNesting = 200;

/// A range of bytes in one of the model's files.
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

/// The location of a variable's value: the application's frame or that of the current template or subtask.
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
    OperatorKind op = OperatorKind::literal;  // operator of an apply
    /// Operands of apply, list and call. Those of choose are condition, then and else; those of index list and number.
    std::vector<Expression> operands;

    // set by the checker
    Type type;
    const Builtin* builtin = nullptr;  // built-in value that a name denotes
    Slot slot;                         // variable that a name denotes
    const Object* callee = nullptr;    // object of a call, which the parser leaves as apply of an unknown function
};

struct Statement;

/// The clauses of a task list, a task, a record, a read or a write. Numbers are positions among the expressions of the
/// statement.
struct TaskClauses {
    struct Index {  // the bounds of index k are expressions 2 k and 2 k + 1
        Name name;
        Slot slot{};
    };
    struct Part {
        std::uint32_t expression = 0;
        bool is_range = false;  // true for a range up to the next expression
    };
    struct Reference {  // `pencil[p - 1, 1..i]`
        Name name;
        Span span;  // range of the whole reference
        std::vector<Part> parts{};
        const Statement* target = nullptr;  // task or record, set by the checker
    };

    std::vector<Index> indices{};
    std::vector<Reference> references{};  // references of `after`; one for a read or write
    bool on_nodes = false;
    bool given = false;
    program::Take::Rule rule = program::Take::Rule::chunk;
    std::optional<std::uint32_t> bytes{}, ahead{}, window{}, chunk{}, condition{}, preference{};
    Slot worker{};  // variable for the worker's number in a preference
};

inline constexpr std::string_view kNoteMark = "{}";  // placeholder of a value in a note

/// A statement. A new statement needs an enumerator here, a row of keywords.cpp, and a case in ObjectChecker::statement
/// and Specialiser::statement; the compiler reports missing cases.
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
        reply,  // a send or isend to the source of a recv_any or irecv_any; set by the checker
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
        // Entries of a subtask with a value.
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
    Span span;            // range of the whole statement, or of the head of a statement with a block
    Name name;            // name of a variable, request, phase, callee or field; path of a trace
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
    Slot slot;                       // slot of the variable or the request
    bool uses_variable = false;      // true if the body of a for_range uses its variable
    bool assigns = false;            // true if the body of a loop assigns a variable declared outside of it
    bool waits_for_send = false;     // true if a wait names the request of an isend
    const Object* callee = nullptr;  // object of a call
    /// The receive whose source a reply or ireply sends to; the irecv_any or ireply that a wait names.
    const Statement* source = nullptr;

    std::optional<collectives::Kind> collective{};  // kind of a collective
    bool rooted = false;                            // true if a collective has a root
    bool over_some = false;                         // true if a collective has a colour
    bool any_tag = false;                           // true if a recv_any or irecv_any has the tag `any`

    std::vector<TaskClauses> clauses{};  // clauses of task_list, task, record, read_record and write_record

    const Expression& root() const { return expressions[expressions.size() - (over_some ? 2 : 1)]; }
    const Expression& colour() const { return expressions.back(); }
};

struct Parameter {
    Name name;
    Type type;
    std::vector<Expression> preset;  // default of the parameter; one expression or none
    Slot slot;
};

/// An object of a model: an application, a subtask (a serial block), a template (communication between ranks), a
/// hardware object (costs of operations), or a function, whose body is its `result`. A subtask may have a value: the
/// sum of the times of the entries of its body.
struct Object {
    enum class Form : std::uint8_t { application, subtask, parallel_template, function, hardware };
    Form form = Form::application;
    Name name;
    std::vector<Parameter> parameters;           // parameters of all objects but an application
    Type result;                                 // type of a function's value; `time` for a subtask with a value
    Name processor;                              // name of the processor that a hardware object describes
    std::vector<Statement> body;                 // statements; the items of an application in order
    std::vector<std::unique_ptr<Object>> inner;  // objects that are declared inside an application
    std::size_t declared_after = 0;              // number of application items before an inner object

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
    std::vector<std::uint32_t> imported;  // indices of the files that `imports` name
};

inline Span join(Span first, Span last) { return {first.file, first.offset, last.offset + last.length - first.offset}; }

}  // namespace warpfront::psl
