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

/// Checks the message about each of the texts.
void check_mistakes(std::initializer_list<Mistake> mistakes, std::string (*message_of)(const std::string&) = messages) {
    for (const Mistake& each : mistakes) {
        CAPTURE(each.text);
        CHECK(message_of(each.text).find(each.expected) != std::string::npos);
    }
}

}  // namespace

TEST_CASE("C") {
    check_mistakes({
        {"int n = 3", "expected `let x = 3`: a variable takes the type of its value"},
        {"compute 1us;", "expected nothing: statements need no separator"},
        {"for (int i = 0; i < 3; i++) { }", "expected `for i in 1..N { }`: both ends are included"},
        {"if k == 1 && rank == 0 { }", "expected `and`"},
        {"if k == 1 || rank == 0 { }", "expected `or`"},
        {"if !true { }", "expected `not`"},
        {"if k = 1 { }", "expected `==` for a comparison, or `{`"},
        {"compute k > 1 ? 1us : 2us", "expected `if CONDITION then A else B`"},
        {"var n = 1  n += 1", "expected an assignment such as `n = n + 1`"},
        {"var n = 1  n++", "expected an assignment such as `n = n + 1`"},
        {"compute 1us * (1 << k)", "expected `* 2 ^ n`: there are no shifts"},
        {"compute 1us * pow(2, 3)", "expected `a ^ b`"},
        {"compute 1us * sqrt(2)", "expected `a ^ 0.5`"},
        {"let a = [1, 2]  a[1] = 3", "the items of a list never change"},
        {"while true { break }", "expected a condition in the `while`: only the condition ends a loop"},
        {"return 3", "a value comes from `function NAME(n: int): int = 2 * n`"},
        {"printf(\"%d\", 3)", "expected nothing: a model prints nothing"},
        {"sleep(3)", "`analytic TIME` for a time that neither noise nor calibration changes"},
        {"delay 3us", "`analytic TIME` for a time that neither noise nor calibration changes"},
        {"compute 3", "a number needs a unit: `1us`"},
        {"let x: time = 3us", "expected `=` and a value, which determines the type"},
        {"let int x = 3", "expected `x = ` and a value, which determines the type"},
    });
    CHECK(refused("#include <mpi.h>\nint main() { return 0; }\n").text.find("expected `application NAME { }`") !=
          std::string::npos);
}

TEST_CASE("Python") {
    check_mistakes({
        {"# a comment", "expected `//`: it begins a comment"},
        {"x = 3", "expected `let x = ...`, or `var x = ...` if it changes"},
        {"let x = 3  x = 4", "expected a variable declared by `var`"},
        {"for i in range(10) { }", "expected `1..N`: both ends are included"},
        {"if k == 1: compute 1us", "expected `{`: blocks are in braces"},
        {"if k == 1 { } elif k == 2 { }", "expected `else if`"},
        {"if True { }", "expected `true`"},
        {"while True { compute 1us }", "nothing in the loop changes its condition"},
        {"let n = len([1, 2])", "expected `length(list)`"},
        {"let n = 2 ** 3", "expected `^`: a power is `2 ^ n`"},
        {"let n = int(2.5)", "expected `floor`, `ceil` or `round`"},
        {"let s = 'text'", "expected `\"` around a text"},
        {"compute 1.5e-6", "a number needs a unit: `1us`"},
        {"send 8B to None", "expected `nobody`"},
        {"print(3)", "expected nothing: a model prints nothing"},
    });
    CHECK(refused("def sweep(n):\n    for i in range(n):\n        compute(3)\n").text ==
          "code.psl:1:1: error: unexpected `def`\n"
          "    1 | def sweep(n):\n"
          "      | ^^^ expected `template NAME(n: int) { }` for messages, `subtask NAME(n: int) { }` for work, or "
          "`function NAME(n: int): int = 2 * n` for a value\n");
    CHECK(refused("application a:\n    iteration:\n        compute 1us\n").kinds.size() == 1);
}

TEST_CASE("Fortran") {
    check_mistakes({
        {"if (rank .eq. 0) { }", "expected `==`"},
        {"if rank == 0 .and. k == 1 { }", "expected `and`"},
        {"if (rank == 0) then", "expected `{`: blocks are in braces"},
        {"end if", "expected `}`: blocks are in braces"},
        {"do i = 1, 10", "expected `repeat N { }`, `for i in 1..N { }` or `while CONDITION { }`"},
        {"for i = 1, 10 { }", "expected `for i in 1..N { }`: both ends are included"},
        {"call sweep(1)", "expected the name of the template or subtask, and `(`"},
        {"let n = mod(3, 2)", "expected `a % b`"},
        {"integer n", "expected `let x = 3`"},
    });
    CHECK(refused("program sweep\n  integer :: n\nend program\n").text.find("expected `application NAME { }`") !=
          std::string::npos);
}

TEST_CASE("MPI") {
    check_mistakes({
        {"MPI_Send(&buf, 8, east)", "expected `and`, or nothing: there are no addresses and no buffers"},
        {"MPI_Send(8, east)", "expected `send BYTES to PEER tag N`"},
        {"MPI_Recv(8, east)", "expected `recv from PEER tag N`"},
        {"MPI_Barrier(1)", "expected `barrier`"},
        {"MPI_Bcast(8, 0)", "expected `broadcast BYTES from ROOT`"},
        {"MPI_Comm_split(1)", "expected `over EXPRESSION` at a collective"},
        {"MPI_Ssend(8, east)", "expected `ssend BYTES to PEER`, which waits for the receive"},
        {"allgatherv 8B", "expected `allgather BYTES`, one size for all"},
        {"MPI_Waitany(2)", "expected `waitany`"},
        {"waitsome", "`waitany` for the first receive"},
        {"waitany r", "expected `wait r` for this request"},
        {"recv from MPI_ANY_SOURCE", "expected `any`, as in `recv from any tag 1`"},
        {"recv from any tag MPI_ANY_TAG", "expected `any`, as in `recv from any tag 1`"},
        {"recv w from west", "only a `recv` from any rank has a name"},
        {"MPI_Init(1)", "a model needs no start and no end of MPI"},
        {"broadcast 8B to east", "expected `broadcast BYTES from ROOT over EXPRESSION`"},
        {"gather 8B over row to east", "expected the root before `over`: `gather BYTES to ROOT over EXPRESSION`"},
        {"allreduce 8B to east", "expected `allreduce BYTES over EXPRESSION`: it has no root"},
        {"allreduce 8B in row", "expected `over`, as in `allreduce BYTES over EXPRESSION`"},
        {"barrier(row)", "expected `barrier over EXPRESSION`, without brackets"},
        {"waitall r", "expected `wait r` for this request"},
        {"isend(8B, east)", "expected `isend BYTES to PEER`, without brackets"},
        {"allreduce(8B, row)", "expected `allreduce BYTES`, without brackets"},
        {"send(8B, east)", "expected `send BYTES to PEER`, without brackets"},
        {"recv(west)", "expected `recv from PEER`, without brackets"},
        {"recv 8B from west", "a receive has no size"},
        {"replay \"setup\"", "expected `trace \"FOLDER\"`"},
        {"send 8 to east", "a number needs a unit: `8B`"},
        {"send 8B to rank + 1", "`rank_at(column, row)` is any rank"},
        {"send 8B to right", "expected `north`, `south`, `west` or `east`"},
        {"compute 1us * myrank", "expected `rank` (from 0), or `column` and `row` (from 1)"},
        {"compute 1us * nprocs", "expected `ranks`, or `columns` and `rows`"},
        {"send 8B * 1.5 to east", "bytes are whole, as in `8B * ceil(1.5 * n)`"},
    });
}

TEST_CASE("declarations") {
    const auto application = [](const std::string& line) {
        return refused("application a {\n    " + line + "\n    iteration { }\n}\n").text;
    };
    check_mistakes(
        {
            {"param nx = 3", "expected `:` and the parameter's type, such as `nx: int`"},
            {"param int nx = 3", "expected `nx: int`: the type follows the name"},
            {"param wg: float", "expected `real`"},
            {"param wg: seconds", "expected `time`"},
            {"nx = 3", "expected `let` or `param` before the name"},
            {"var n = 3", "expected `let`: the variables of an application never change"},
        },
        application);
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
    CHECK(refused(iterating("compute 1us;\ncompute 2us;\ncompute 3us;\n")).kinds == Kinds{foreign_word});
}
