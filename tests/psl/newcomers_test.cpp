// First attempts of users of C, Python, Fortran and MPI, and the right form that each message names.
#include "psl/syntax/keywords.hpp"
#include "tests/psl/models.hpp"

namespace {

struct Mistake {
    const char* text;      // a statement of an iteration
    const char* expected;  // in the message
};

/// Returns every message about a statement, or about a whole file.
std::string messages(const std::string& statement) { return refused(iterating("        " + statement + "\n")).text; }

}  // namespace

TEST_CASE("C") {
    for (const Mistake& each : {
             Mistake{"int n = 3", "expected `let x = 3`: a variable takes the type of its value"},
             Mistake{"compute 1us;", "expected nothing: statements need no separator"},
             Mistake{"for (int i = 0; i < 3; i++) { }", "expected `for i in 1..N { }`: both ends are included"},
             Mistake{"if k == 1 && rank == 0 { }", "expected `and`"},
             Mistake{"if k == 1 || rank == 0 { }", "expected `or`"},
             Mistake{"if !true { }", "expected `not`"},
             Mistake{"if k = 1 { }", "expected `==` for a comparison, or `{`"},
             Mistake{"compute k > 1 ? 1us : 2us", "expected `if CONDITION then A else B`"},
             Mistake{"var n = 1  n += 1", "expected an assignment such as `n = n + 1`"},
             Mistake{"var n = 1  n++", "expected an assignment such as `n = n + 1`"},
             Mistake{"compute 1us * (1 << k)", "expected `* 2 ^ n`: there are no shifts"},
             Mistake{"compute 1us * pow(2, 3)", "expected `a ^ b`"},
             Mistake{"compute 1us * sqrt(2)", "expected `a ^ 0.5`"},
             Mistake{"let a = [1, 2]  a[1] = 3", "the items of a list never change"},
             Mistake{"while true { break }", "expected a condition in the `while`: only the condition ends a loop"},
             Mistake{"return 3", "a value comes from `function NAME(n: int): int = 2 * n`"},
             Mistake{"printf(\"%d\", 3)", "expected nothing: a model prints nothing"},
             Mistake{"sleep(3)", "`analytic TIME` for a time that neither noise nor calibration changes"},
             Mistake{"delay 3us", "`analytic TIME` for a time that neither noise nor calibration changes"},
             Mistake{"compute 3", "a number needs a unit: `1us`"},
             Mistake{"let x: time = 3us", "expected `=` and a value, which determines the type"},
             Mistake{"let int x = 3", "expected `x = ` and a value, which determines the type"},
         }) {
        CAPTURE(each.text);
        CHECK(messages(each.text).find(each.expected) != std::string::npos);
    }
    CHECK(refused("#include <mpi.h>\nint main() { return 0; }\n").text.find("expected `application NAME { }`") !=
          std::string::npos);
}

TEST_CASE("Python") {
    for (const Mistake& each : {
             Mistake{"# a comment", "expected `//`: it begins a comment"},
             Mistake{"x = 3", "expected `let x = ...`, or `var x = ...` if it changes"},
             Mistake{"let x = 3  x = 4", "expected a variable declared by `var`"},
             Mistake{"for i in range(10) { }", "expected `1..N`: both ends are included"},
             Mistake{"if k == 1: compute 1us", "expected `{`: blocks are in braces"},
             Mistake{"if k == 1 { } elif k == 2 { }", "expected `else if`"},
             Mistake{"if True { }", "expected `true`"},
             Mistake{"while True { compute 1us }", "nothing in the loop changes its condition"},
             Mistake{"let n = len([1, 2])", "expected `length(list)`"},
             Mistake{"let n = 2 ** 3", "expected `^`: a power is `2 ^ n`"},
             Mistake{"let n = int(2.5)", "expected `floor`, `ceil` or `round`"},
             Mistake{"let s = 'text'", "expected `\"` around a text"},
             Mistake{"compute 1.5e-6", "a number needs a unit: `1us`"},
             Mistake{"send 8B to None", "expected `nobody`"},
             Mistake{"print(3)", "expected nothing: a model prints nothing"},
         }) {
        CAPTURE(each.text);
        CHECK(messages(each.text).find(each.expected) != std::string::npos);
    }
    CHECK(refused("def sweep(n):\n    for i in range(n):\n        compute(3)\n").text ==
          "code.psl:1:1: error: unexpected `def`\n"
          "    1 | def sweep(n):\n"
          "      | ^^^ expected `template NAME(n: int) { }` for messages, `subtask NAME(n: int) { }` for work, or "
          "`function NAME(n: int): int = 2 * n` for a value\n");
    CHECK(refused("application a:\n    iteration:\n        compute 1us\n").kinds.size() == 1);
}

TEST_CASE("Fortran") {
    for (const Mistake& each : {
             Mistake{"if (rank .eq. 0) { }", "expected `==`"},
             Mistake{"if rank == 0 .and. k == 1 { }", "expected `and`"},
             Mistake{"if (rank == 0) then", "expected `{`: blocks are in braces"},
             Mistake{"end if", "expected `}`: blocks are in braces"},
             Mistake{"do i = 1, 10", "expected `repeat N { }`, `for i in 1..N { }` or `while CONDITION { }`"},
             Mistake{"for i = 1, 10 { }", "expected `for i in 1..N { }`: both ends are included"},
             Mistake{"call sweep(1)", "expected the name of the template or subtask, and `(`"},
             Mistake{"let n = mod(3, 2)", "expected `a % b`"},
             Mistake{"integer n", "expected `let x = 3`"},
         }) {
        CAPTURE(each.text);
        CHECK(messages(each.text).find(each.expected) != std::string::npos);
    }
    CHECK(refused("program sweep\n  integer :: n\nend program\n").text.find("expected `application NAME { }`") !=
          std::string::npos);
}

TEST_CASE("MPI") {
    for (const Mistake& each : {
             Mistake{"MPI_Send(&buf, 8, east)", "expected `and`, or nothing: there are no addresses and no buffers"},
             Mistake{"MPI_Send(8, east)", "expected `send BYTES to PEER tag N`"},
             Mistake{"MPI_Recv(8, east)", "expected `recv from PEER tag N`"},
             Mistake{"MPI_Barrier(1)", "expected `barrier`"},
             Mistake{"MPI_Bcast(8, 0)", "expected `broadcast BYTES from ROOT`"},
             Mistake{"MPI_Comm_split(1)", "expected `over EXPRESSION` at a collective"},
             Mistake{"MPI_Ssend(8, east)", "expected `ssend BYTES to PEER`, which waits for the receive"},
             Mistake{"allgatherv 8B", "expected `allgather BYTES`, one size for all"},
             Mistake{"MPI_Waitany(2)", "expected `waitany`"},
             Mistake{"waitsome", "`waitany` for the first receive"},
             Mistake{"waitany r", "expected `wait r` for this request"},
             Mistake{"recv from MPI_ANY_SOURCE", "expected `any`, as in `recv from any tag 1`"},
             Mistake{"recv from any tag MPI_ANY_TAG", "expected `any`, as in `recv from any tag 1`"},
             Mistake{"recv w from west", "only a `recv` from any rank has a name"},
             Mistake{"MPI_Init(1)", "a model needs no start and no end of MPI"},
             Mistake{"broadcast 8B to east", "expected `broadcast BYTES from ROOT over EXPRESSION`"},
             Mistake{"gather 8B over row to east",
                     "expected the root before `over`: `gather BYTES to ROOT over EXPRESSION`"},
             Mistake{"allreduce 8B to east", "expected `allreduce BYTES over EXPRESSION`: it has no root"},
             Mistake{"allreduce 8B in row", "expected `over`, as in `allreduce BYTES over EXPRESSION`"},
             Mistake{"barrier(row)", "expected `barrier over EXPRESSION`, without brackets"},
             Mistake{"waitall r", "expected `wait r` for this request"},
             Mistake{"isend(8B, east)", "expected `isend BYTES to PEER`, without brackets"},
             Mistake{"allreduce(8B, row)", "expected `allreduce BYTES`, without brackets"},
             Mistake{"send(8B, east)", "expected `send BYTES to PEER`, without brackets"},
             Mistake{"recv(west)", "expected `recv from PEER`, without brackets"},
             Mistake{"recv 8B from west", "a receive has no size"},
             Mistake{"replay \"setup\"", "expected `trace \"FOLDER\"`"},
             Mistake{"send 8 to east", "a number needs a unit: `8B`"},
             Mistake{"send 8B to rank + 1", "`rank_at(column, row)` is any rank"},
             Mistake{"send 8B to right", "expected `north`, `south`, `west` or `east`"},
             Mistake{"compute 1us * myrank", "expected `rank` (from 0), or `column` and `row` (from 1)"},
             Mistake{"compute 1us * nprocs", "expected `ranks`, or `columns` and `rows`"},
             Mistake{"send 8B * 1.5 to east", "bytes are whole, as in `8B * ceil(1.5 * n)`"},
         }) {
        CAPTURE(each.text);
        CHECK(messages(each.text).find(each.expected) != std::string::npos);
    }
}

TEST_CASE("declarations") {
    const auto application = [](const std::string& line) {
        return refused("application a {\n    " + line + "\n    iteration { }\n}\n").text;
    };
    for (const Mistake& each : {
             Mistake{"param nx = 3", "expected `:` and the parameter's type, such as `nx: int`"},
             Mistake{"param int nx = 3", "expected `nx: int`: the type follows the name"},
             Mistake{"param wg: float", "expected `real`"},
             Mistake{"param wg: seconds", "expected `time`"},
             Mistake{"nx = 3", "expected `let` or `param` before the name"},
             Mistake{"var n = 3", "expected `let`: the variables of an application never change"},
         }) {
        CAPTURE(each.text);
        CHECK(application(each.text).find(each.expected) != std::string::npos);
    }
    for (const Keyword& each : keywords()) {
        if (!each.form || each.also.application || each.form == Statement::Form::variable) continue;
        const std::string expected = fmt::format("expected `iteration {{ }}` around `{}`", each.word);
        CHECK(application(std::string(each.word)).find(expected) != std::string::npos);
    }
    CHECK(refused("application a(nx: int) { }\n").text.find("has its parameters inside") != std::string::npos);
    CHECK(refused("template t(int n) { }\n").text.find("expected `n: int`: the type follows the name") !=
          std::string::npos);
}

TEST_CASE("a foreign sign is one fault in a file, however often it stands there") {
    CHECK(refused(iterating("compute 1us;\ncompute 2us;\ncompute 3us;\n")).kinds ==
          Kinds{DiagnosticKind::foreign_word});
}
