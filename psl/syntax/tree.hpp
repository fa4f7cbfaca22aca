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
    std::string name;                         // of a name, a function (apply), or a call, as written
    OperatorKind op = OperatorKind::literal;  // apply
    std::vector<Expression> operands;         // apply, list, call; choose: condition, then, else; index: list, number

    // set by the checker
    Type type;
    const Builtin* builtin = nullptr;  // of a name, if it is a built-in value
    Slot slot;                         // of a name, if it is a variable
    const Object* callee = nullptr;    // of a call, which the parser leaves as apply of an unknown function
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
        Span span;  // of the whole reference
        std::vector<Part> parts{};
        const Statement* target = nullptr;  // set by the checker
    };

    std::vector<Index> indices{};
    std::vector<Reference> references{};  // of `after`; one of a read or write
    bool on_nodes = false;
    bool given = false;
    program::Take::Rule rule = program::Take::Rule::chunk;
    std::optional<std::uint32_t> bytes{}, ahead{}, window{}, chunk{}, condition{}, preference{};
    Slot worker{};  // of a preference
};

inline constexpr std::string_view kNoteMark = "{}";  // placeholder of a value in a note

/// A statement. A new one is an enumerator here, a row of keywords.cpp, and a case in ObjectChecker::statement and
/// Specialiser::statement, as the compiler reports.
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
        recv_any,  // recv and irecv from any source
        irecv_any,
        reply,  // send and isend to the source of a recv_any or irecv_any; set by the checker
        ireply,
        sendrecv,
        wait,
        waitall,
        waitany,
        allreduce,   // over all ranks
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
        // of a subtask with a value
        duration,
        flops,
        count,
        average_loop,
        cases,
        alternative,
        // of a hardware object
        achieved_rate,
        operation,
        // of an application without an iteration
        task_list,
        task,
        record,
        read_record,
        write_record
    };
    Form form = Form::compute;
    Span span;            // of the whole statement, or of the head of a statement with a block
    Name name;            // of a variable, request, phase, callee or field; the path of a trace
    Name role{};          // of a parameter, as written; empty if it has none
    Type declared;        // of a parameter
    std::string message;  // of a require or note
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
    Slot slot;                          // of the variable or the request
    bool uses_variable = false;         // for_range: true if the body uses the variable
    bool assigns = false;               // loops: true if the body assigns a variable declared outside of it
    bool waits_for_send = false;        // wait: true if the request is that of an isend
    const Object* callee = nullptr;     // of a call
    const Statement* source = nullptr;  // the recv_any or irecv_any that a reply or ireply answers; the irecv_any or
                                        // ireply of a wait

    std::optional<collectives::Kind> collective{};  // of a collective
    bool rooted = false;                            // collective: true if it has a root
    bool over_some = false;                         // collective: true if it has a colour
    bool any_tag = false;                           // recv_any, irecv_any

    std::vector<TaskClauses> clauses{};  // one for task_list, task, record, read_record, write_record

    const Expression& root() const { return expressions[expressions.size() - (over_some ? 2 : 1)]; }
    const Expression& colour() const { return expressions.back(); }
};

struct Parameter {
    Name name;
    Type type;
    std::vector<Expression> preset;  // its default, if it has one
    Slot slot;
};

/// An object of a model: an application, a subtask (a serial block), a template (communication between ranks), a
/// hardware object (costs of operations), or a function, whose body is its `result`. A subtask may have a value: the
/// sum of the times of the entries of its body.
struct Object {
    enum class Form : std::uint8_t { application, subtask, parallel_template, function, hardware };
    Form form = Form::application;
    Name name;
    std::vector<Parameter> parameters;           // of all but an application
    Type result;                                 // of a function; `time` of a subtask with a value
    Name processor;                              // that a hardware object describes
    std::vector<Statement> body;                 // an application's body has its items in order
    std::vector<std::unique_ptr<Object>> inner;  // objects declared inside an application
    std::size_t declared_after = 0;              // of an inner object: number of application items before it

    std::uint32_t slots = 0;  // set by the checker: size of its frame

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
