// Lists of self-scheduled tasks: their translation, and refusals. Their times on a machine are in tests/tasks.
#include "simulator/program/task_lists.hpp"
#include "tests/psl/models.hpp"
#include "tests/validation/validate.hpp"

using program::Take;

namespace {

const std::string kBricks = R"(application bricks {
    param n: int = 3
    record cells[b in 1..4]: 1MB * b given
    tasks step[s in 1..n] on node ahead 2 {
        task brick[b in 1..4] if b != s after brick[s - 1, b - 1..b + 1] {
            read cells[b]
            let each = 2us
            tasks pass[p in 1..6] on core take guided {
                task pencil[i in 1..n] after pass[p - 1] { compute each * i }
            }
            write cells[b]
            write cells[[b, b + 1]]
        }
    }
}
)";

program::TaskLists lists_of(const std::string& text) { return *lowered(text).tasks; }

/// Returns the fault of a model with one list, whose task is `task`.
std::string fault_of(const std::string& task, const std::string& list = "tasks step[s in 1..3] on node") {
    return refused("application a {\nrecord r[k in 1..2]: 8B given\n" + list + " {\n" + task + "\n}\n}\n").summary;
}

}  // namespace

TEST_CASE("a list has its indices, its workers and how many tasks these take; bounds by parameters are known") {
    const program::TaskLists lists = lists_of(kBricks);
    REQUIRE(lists.lists.size() == 2);
    CHECK(lists.order == std::vector<std::uint32_t>{0});
    const program::TaskList& steps = lists.lists[0];
    CHECK(steps.on_nodes);
    CHECK(steps.ahead == 2);
    CHECK(steps.window == 1);
    REQUIRE(steps.indices.size() == 1);
    CHECK(steps.indices[0].last.known == 3);
    CHECK(lists.lists[1].take.rule == Take::Rule::guided);
    CHECK_FALSE(lists.lists[1].on_nodes);
}

TEST_CASE("a value that depends on indices is a formula of all those around it, outermost first") {
    const program::TaskLists lists = lists_of(kBricks);
    const auto formulas = lists.formulas();
    const program::Task& brick = lists.tasks[0];
    const program::Task& pencil = lists.tasks[1];
    const std::vector<std::int64_t> s2b2{2, 2};
    const std::vector<std::int64_t> s2b3{2, 3};
    CHECK(formulas->value(*brick.exists.formula, s2b2) == 0);
    CHECK(formulas->value(*brick.exists.formula, s2b3) == 1);
    REQUIRE(brick.after.size() == 1);
    const program::Subscript& near = brick.after[0].subscripts[1];
    CHECK(near.is_range);
    CHECK(formulas->value(*near.numbers[0].formula, s2b3) == 2);
    CHECK(formulas->value(*near.numbers[1].formula, s2b3) == 4);
    const std::vector<std::int64_t> pencil7{2, 3, 6, 7};  // s, b, p, i
    CHECK(formulas->value(*pencil.steps[0].amount.formula, pencil7) == 14'000'000);
    const std::vector<std::int64_t> third{3};
    CHECK(formulas->value(*lists.records[0].bytes.formula, third) == 3'000'000);
}

TEST_CASE("values that are used twice each, 40 deep, are looked at once each") {
    // a40 has 2^40 uses of i, but 121 parts.
    std::string lets = "let a0 = i";
    for (int k = 1; k <= 40; ++k) lets += fmt::format("\nlet a{0} = (a{1} + a{1}) % 7", k, k - 1);
    const program::TaskLists lists =
        lists_of("application a { tasks on core { task t[i in 1..3] {\n" + lets + "\ncompute 1us * a40 } } }");
    const std::vector<std::int64_t> third{3};
    // 2^40 * 3 modulo 7: 2^3 is 1, so 2^40 is 2
    CHECK(lists.formulas()->value(*lists.tasks[0].steps[0].amount.formula, third) == 6'000'000);
}

TEST_CASE("reads that stand first are fetched ahead, writes that stand last are written behind") {
    const program::Task brick = lists_of(kBricks).tasks[0];
    CHECK(brick.steps.size() == 4);
    CHECK(brick.prefetched == 1);
    CHECK(brick.written_behind == 2);
    CHECK(brick.steps[3].subscripts[0].numbers.size() == 2);  // a list of values
}

TEST_CASE("a condition on a list is one on each of its tasks") {
    const program::TaskLists lists = lists_of(
        "application a { tasks both[k in 1..2] on core { task x { } task y after both[k - 1] { compute 1us } } }");
    REQUIRE(lists.tasks[1].after.size() == 2);
    CHECK(lists.tasks[1].after[0].task == 0);
    CHECK(lists.tasks[1].after[1].task == 1);
}

TEST_CASE("ranks have nothing to do where there are tasks") {
    const program::Program program = lowered(kBricks);
    CHECK(program::validate(program) == "");
    CHECK(program.classes.size() == 1);
}

TEST_CASE("a listing shows lists with their bounds, `..` for what differs from task to task") {
    const std::string text = program::listing(lowered(kBricks));
    CHECK(text.starts_with(R"(bricks: lists of tasks on 1 core

  tasks step[s in 1..3] on node ahead 2              code.psl:4
    task brick[b in 1..4] after brick                code.psl:5
      read cells                                     code.psl:6
      tasks pass[p in 1..6] on core take guided      code.psl:8
        task pencil[i in 1..3] after pencil          code.psl:9
          compute ..                                 code.psl:9
)"));
}

TEST_CASE("an application has an iteration or lists of tasks") {
    CHECK(refused("application a {\n    tasks on core { task x { } }\n    iteration { }\n}\n").summary ==
          "3:5 iteration_blocks [iteration] this block is not allowed beside lists of tasks | expected either lists of "
          "tasks, or an `iteration` and possibly a `closed_form`");
}

TEST_CASE("names of tasks and records come with the nearest known one") {
    CHECK(fault_of("task brick after brik { }") ==
          "4:18 unknown_name [brik] this list has no task `brik` | did you mean `brick`?");
    CHECK(fault_of("task brick { read s1 }") == "4:19 unknown_name [s1] there is no record `s1` | expected `r`");
    CHECK(fault_of("task x { }\ntask x { }") == "5:6 duplicate_name [x] a second task `x` | expected a new name");
}

TEST_CASE("a task does not have the name of its list") {
    CHECK(fault_of("task step after step[s - 1] { }") ==
          "4:6 duplicate_name [step] the list and one of its tasks have the name `step` | expected different names, "
          "since `after` could mean either");
}

TEST_CASE("a reference has no more indices than what it names, and these are ints") {
    CHECK(fault_of("task x after x[s - 1, 2] { }") ==
          "4:14 wrong_arity [x[s - 1, 2]] `x` is given 2 indices | expected at most 1: first the indices of the "
          "list, then those of the task");
    CHECK(fault_of("task x { read r[1.5] }") ==
          "4:17 wrong_type [1.5] this index is of type `real` | expected `int` or `[int]`");
}

TEST_CASE("a list within a task of a core has a kind of fault of its own") {
    CHECK(refused("application a { tasks on core { task x { tasks on core { task y { } } } } }").kinds ==
          Kinds{task_order});
}

TEST_CASE("cores have no cores, and lists for nodes are the application's") {
    const std::string inner = "task x { tasks on core { task y { tasks on core { task z { } } } } }";
    CHECK(fault_of(inner) ==
          "4:35 task_order [tasks on core] a task of a core cannot contain a list | expected the list within a task of "
          "a list `on node`");
    CHECK(fault_of("task x { tasks on node { task y { } } }") ==
          "4:10 task_order [tasks on node] a task cannot contain a list for nodes | expected `on core`: lists for "
          "nodes belong in the application");
}

TEST_CASE("who chooses among tasks takes one") {
    CHECK(fault_of("task x { }", "tasks on core among 4 take guided") ==
          "3:21 task_order [4] `among` and `take` exclude each other | expected one of them: a worker that takes "
          "several tasks takes the next ones");
}

TEST_CASE("bounds of a task do not depend on the indices of its list: every turn has the same places") {
    CHECK(fault_of("task x[i in 1..s] { }") ==
          "4:16 unknown_name [s] unknown name `s` | expected a parameter or a variable");
}

TEST_CASE("tasks do not depend on ranks, and take at least one") {
    CHECK(
        refused_run("application a {\n    tasks on core {\n        task x { compute 1us * column }\n    }\n}\n", Run{})
            .summary ==
        "3:26 rank_dependent [1us * column] a value in a list of tasks differs from rank to rank | expected "
        "indices of lists and tasks, and values that are equal on all ranks");
    CHECK(refused_run("application a {\n    tasks on core among 2000000 { task x { } }\n}\n", Run{}).summary ==
          "2:25 out_of_range [2000000] the number of tasks to choose among is 2000000, expected 1000000 or less");
    CHECK(refused_run("application a {\n    tasks on core take 0 { task x { } }\n}\n", Run{}).summary ==
          "2:24 out_of_range [0] the number of tasks to take is 0, expected 1 or more");
}

TEST_CASE("more places than a list may have are refused where it stands") {
    const auto fault = [](const std::string& text) {
        return refused_run("application a {\nparam n: int = 10\n" + text + "\n}\n", Run{}).summary;
    };
    const std::string expected =
        " | expected at most 1125899906842624 tasks: narrow the bounds of the indices of the list or of its tasks";
    CHECK(fault("tasks L[s in 1..n ^ 15] on node { task t[i in 1..4] { } }") ==
          "3:1 program_too_large [tasks L[s in 1..n ^ 15] on node] the bounds of the indices permit 4e+15 tasks in "
          "this list" +
              expected);
    CHECK(fault("tasks on core { task t[i in -9000000000000000000..9000000000000000000] { } }") ==
          "3:1 program_too_large [tasks on core] the bounds of the indices permit 1.8e+19 tasks in this list" +
              expected);
    CHECK(fault("tasks on node { task t { tasks on core { task x[i in 1..n ^ 9, j in 1..n ^ 9] { } } } }") ==
          "3:26 program_too_large [tasks on core] the bounds of the indices permit 1e+18 tasks in this list" +
              expected);
    CHECK(fault("tasks L[s in 1..n ^ 15] on node { task t[i in 4..1] { } }") == "");  // no places at all
    CHECK(fault("record r[i in 1..n ^ 5, j in 1..n ^ 5]: 1B given\ntasks on node { task t { read r } }") ==
          "3:1 out_of_range [record r[i in 1..n ^ 5, j in 1..n ^ 5]: 1B given] the array of records has more than "
          "100000000 items");
}

TEST_CASE("sizes that the items of a record cannot have are refused, whether tasks use them or not") {
    const auto fault = [](const std::string& size) {
        return refused_run(
                   "application a {\nrecord r[i in 1..3]: " + size + " given\ntasks on node { task t { } }\n}\n", Run{})
            .summary;
    };
    CHECK(fault("1MB * (i - 2)") ==
          "2:22 out_of_range [1MB * (i - 2)] a record of -1000000 B is negative | found for the indices 1");
    CHECK(fault("1MB / (i - 1)").find("division by zero") != std::string::npos);
    CHECK(fault("1TB * 2 ^ i").find("expected at most 1024 GiB, or several items") != std::string::npos);
    CHECK(fault("1MB * i") == "");
}

TEST_CASE("tasks that wait for later ones of a list in order are refused where the condition stands") {
    const auto fault = [](const std::string& tasks, const std::string& list = "tasks step[s in 1..3] on core") {
        return refused_run("application a {\nparam n: int = 3\n" + list + " {\n" + tasks + "\n}\n}\n", Run{}).summary;
    };
    const std::string later =
        ", which comes later in the list | expected earlier tasks: the tasks of this list begin in order, unless it "
        "has `among N`";
    CHECK(fault("task x after x[s + 1] { }") == "4:14 task_order [x[s + 1]] `x[1]` waits for `x[2]`" + later);
    CHECK(fault("task x[i in 1..n] after step[s - 1], x[s, i + 1] { }") ==
          "4:38 task_order [x[s, i + 1]] `x[1, 1]` waits for `x[1, 2]`" + later);
    CHECK(fault("task x after y[s] { }\ntask y { }") == "4:14 task_order [y[s]] `x[1]` waits for `y[1]`" + later);
    CHECK(fault("task x after x[s] { }") ==
          "4:14 task_order [x[s]] `x[1]` waits for itself | expected another task after `after`: this task can never "
          "begin");
    CHECK(fault("task x after y[s] { }\ntask y after z[s] { }\ntask z after x[s] { }",
                "tasks step[s in 1..3] on core among 9") ==
          "4:14 task_order [y[s]] `x[1]` waits for `y[1]`, which waits for `z[1]`, which waits for `x[1]` | expected "
          "other tasks after `after`: none of these tasks can ever begin");
    CHECK(fault("task x[i in 1..9] after x[s, i + 2..i + 2] { }", "tasks step[s in 1..3] on core among 2") ==
          "4:25 task_order [x[s, i + 2..i + 2]] `x[1, 1]` waits for `x[1, 3]`, which is never among the first 2 tasks "
          "that are left | expected earlier tasks, or a larger number after `among`: these tasks can never begin");
    // A condition may name tasks that do not exist; only the others count.
    CHECK(fault("task x[i in 1..4] if i != 4 after x[s, 1..i + 1] { }") ==
          "4:35 task_order [x[s, 1..i + 1]] `x[1, 1]` waits for `x[1, 2]`" + later);
    CHECK(fault("task x[i in 1..4] if i < 3 and s == 2 after x[s, 1..4] { }") ==
          "4:45 task_order [x[s, 1..4]] `x[2, 1]` waits for `x[2, 2]`" + later);
    CHECK(fault("task x { tasks pass[p in 1..2] on core { task y if s == 2 after pass[3 - p] { } } }",
                "tasks step[s in 1..3] on node") == "4:65 task_order [pass[3 - p]] `y[1]` waits for `y[2]`" + later);
    // A list within a task: the fault is certain if the task exists.
    const std::string inner = "{ tasks pass[p in 1..2] on core { task y after pass[p + 1] { } } }";
    CHECK(fault("task x if s == 2 " + inner, "tasks step[s in 1..3] on node") ==
          "4:65 task_order [pass[p + 1]] `y[1]` waits for `y[2]`" + later);
    for (const std::string& good : {
             "task x if s == 4 " + inner,                             // never there
             std::string("task x[i in 1..n] after x[s, i + 3] { }"),  // beyond the bounds
             std::string("task x if s < 2 after x[s + 1] { }"),       // nor is the later one
             std::string("task x[i in 1..n] if i == 2 after x[s, i + 1] { }"),
             std::string("task x[i in 1..9] if i % 3 == 1 after x[s, i + 1..i + 2] { }"),
             std::string("task x { }\ntask y after x[s] { }"),
             std::string("task x after y[s - 1] { }\ntask y after x[s] { }"),
         }) {
        CAPTURE(good);
        CHECK(fault(good, "tasks step[s in 1..3] on node") == "");
    }
    for (const char* options : {"among 2", "take 2", "take guided"}) {  // others may come first
        CAPTURE(options);
        CHECK(fault("task x[i in 1..n] after x[s, 4 - 2 * i] { }",
                    std::string("tasks step[s in 1..3] on core ") + options) == "");
    }
}

TEST_CASE("a fault in a list is reported at its place") {
    CHECK(fault_of("task x { send 8B to east }").find("expected `read`, `compute`, `tasks`, `write`, `let` or `}`") !=
          std::string::npos);
    CHECK(fault_of("x", "tasks steps").find("expected `on node` or `on core`, the workers of the list") !=
          std::string::npos);
    CHECK(fault_of("pencil { }").find("expected `task` and its name, or `}`") != std::string::npos);
    CHECK(fault_of("task x[i 1..2] { }").find("expected `in` and the bounds of the index") != std::string::npos);
}

// --- lists that ranks run --------------------------------------------------------------------------------------------

namespace {

/// Returns the compute blocks of rank 0 if a list takes 1 us for each of its places.
std::vector<std::int64_t> blocks_of(const std::string& iteration, std::vector<std::int64_t>* costs = nullptr) {
    const std::string list =
        "subtask block(n: int, each: time): time {\n"
        "    time 5us\n"
        "    tasks on core { task t[i in 1..n] { compute each * i } }\n"
        "}\n";
    Bindings bindings;
    bindings.list_time = [&](const program::Program& program) {
        const program::TaskLists& lists = *program.tasks;
        const program::Task& task = lists.tasks[lists.lists[lists.order[0]].tasks[0]];
        const std::int64_t places = task.indices[0].last.known;
        if (costs != nullptr) {
            const auto formulas = lists.formulas();
            for (std::int64_t i = 1; i <= places; ++i) {
                costs->push_back(formulas->value(*task.steps[0].amount.formula, std::vector{i}));
            }
        }
        return Time{places * 1'000'000};
    };
    const program::Program program =
        lower(load_text("code.psl", list + "application a { iteration { " + iteration + " } }\n"), bindings);
    std::vector<std::int64_t> blocks;
    for (const program::Instruction& step : program.of({0}).code) {
        if (step.op == program::Op::compute) blocks.push_back(step.amount);
    }
    return blocks;
}

}  // namespace

TEST_CASE("a list as an entry of costs takes what its cores take, beside the other entries") {
    std::vector<std::int64_t> costs;
    CHECK(blocks_of("compute block(3, 2us)", &costs) == std::vector<std::int64_t>{5'000'000 + 3'000'000});
    CHECK(costs == std::vector<std::int64_t>{2'000'000, 4'000'000, 6'000'000});
}

TEST_CASE("a list that differs between iterations is run for each") {
    CHECK(blocks_of("for k in 1..3 { compute block(k, 2us) }") ==
          std::vector<std::int64_t>{6'000'000, 7'000'000, 8'000'000});
}

TEST_CASE("a list that ranks run is the same on all of them") {
    CHECK(refused_run("subtask t(n: int): time { tasks on core { task x[i in 1..n] { compute 1us } } }\n"
                      "application a { iteration { compute t(column) } }\n",
                      Run{})
              .kinds == Kinds{rank_dependent});
}

namespace {

/// Returns the fault of `compute tile(ARGUMENTS)`, where `tile` has lists and another subtask calls one of the kind.
std::string fault_of_call(const std::string& arguments, const std::string& head = "") {
    const std::string model =
        "subtask tile(n: int, each: time, by: int = 1): time {\n"
        "    let m = 2 * n\n"
        "    tasks on core take by { task x[i in 1..quotient(m, 2)] if i <= n { compute i * each } task y { compute "
        "each } }\n"
        "}\n"
        "subtask around(n: int): time { time tile(n, 1us) }\n"
        "application a { iteration k { " +
        head + " { compute " + arguments + " } } }\n";
    return refused_run(model, Run{}).summary;
}

}  // namespace

TEST_CASE("a fault in an argument of a subtask with a list stands at the argument, as of any subtask") {
    const std::string differs =
        "] a value in a list of tasks differs from rank to rank | expected indices of lists and tasks, and "
        "values that are equal on all ranks";
    const std::string head = "if true";
    CHECK(fault_of_call("tile(1 + column, 1us)", head) == "6:54 rank_dependent [1 + column" + differs);
    CHECK(fault_of_call("tile(3, 1us * column)", head) == "6:57 rank_dependent [1us * column" + differs);
    CHECK(fault_of_call("around(column)", head) == "6:56 rank_dependent [column" + differs);
    CHECK(fault_of_call("tile(3, 1us, column)", head) ==
          "6:62 rank_dependent [column] the number of tasks to take differs from rank to rank");
    CHECK(fault_of_call("tile(3, 1us, 2 - 2)", head) ==
          "6:62 out_of_range [2 - 2] the number of tasks to take is 0, expected 1 or more");
    CHECK(fault_of_call("tile(0, 0us - 1us)", head) == "6:57 out_of_range [0us - 1us] work of -1 us is negative");
    CHECK(fault_of_call("tile(quotient(4, 0), 1us)", head) ==
          "6:54 bad_arithmetic [quotient(4, 0)] a quotient by zero");
}

TEST_CASE("an argument that fails in a branch is the fault of the ranks that take the branch, and of no other") {
    const std::string some = "if column == 1";
    CHECK(fault_of_call("tile(quotient(4, 0), 1us)", some).find("[quotient(4, 0)] a quotient by zero") !=
          std::string::npos);
    CHECK(fault_of_call("tile(3, 1us / 0)", some).find("[1us / 0] division by zero") != std::string::npos);
    CHECK(fault_of_call("tile(3, 1us, [1, 2][3])", some).find("[[1, 2][3]] a list of 2 items has no item 3") !=
          std::string::npos);
    for (const char* arguments : {"tile(quotient(4, 0), 1us)", "tile(3, 1us / 0)", "tile(3, 1us, [1, 2][3])"}) {
        CAPTURE(arguments);
        const std::string model =
            "subtask tile(n: int, each: time, by: int = 1): time {\n"
            "    tasks on core take by { task x[i in 1..n] { compute i * each } }\n"
            "}\n"
            "application a { iteration { if column == 9 { compute " +
            std::string(arguments) + " } } }\n";
        const program::Program program = lower(load_text("code.psl", model), Bindings{});
        for (const program::Instruction& step : program.of({0}).code) CHECK(step.op != program::Op::compute);
    }
}

TEST_CASE("a list that ranks run is for their cores, computes, and is an entry of costs") {
    const auto fault = [](const std::string& list) {
        return refused("subtask t(): time { " + list + " }\napplication a { iteration { compute t() } }\n").summary;
    };
    CHECK(fault("tasks on node { task x { } }") ==
          "1:21 task_order [tasks on node] a rank cannot run a list for nodes | expected `on core`: a rank has only "
          "cores of its node");
    CHECK(fault("tasks on core { task x { read r } }") ==
          "1:46 task_order [read r] a list that a rank runs has no records | expected `compute`: only lists of an "
          "application without `iteration` read and write records");
    CHECK(refused_in("tasks on core { task x { } }")
              .summary.find("expected `compute NAME(...)`, with the list as an entry of "
                            "`subtask NAME(...): time { }`") != std::string::npos);
}

TEST_CASE("a task runs no list as its cost") {
    CHECK(refused_run("subtask t(): time { tasks on core { task x { } } }\n"
                      "application a { tasks on core { task y { compute t() } } }\n",
                      Run{})
              .summary ==
          "1:21 task_order [tasks on core] the work of a task cannot contain a list of tasks among its costs | "
          "expected the list as work of ranks");
}
