// Statements of messages: from rank to rank, waits for requests, collectives.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "psl/syntax/statement_parser.hpp"

namespace warpfront::psl {
namespace {

using Collective = collectives::Kind;
using Form = Statement::Form;

struct Word {
    std::string_view word;
    Collective kind;
    std::string_view root{};  // what precedes it, if there may be one
    bool sized = true;
};

constexpr std::array<Word, 10> kCollectives{{{"barrier", Collective::barrier, "", false},
                                             {"broadcast", Collective::bcast, "from"},
                                             {"reduce", Collective::reduce, "to"},
                                             {"allreduce", Collective::allreduce},
                                             {"gather", Collective::gather, "to"},
                                             {"scatter", Collective::scatter, "from"},
                                             {"allgather", Collective::allgather},
                                             {"alltoall", Collective::alltoall},
                                             {"reduce_scatter", Collective::reduce_scatter},
                                             {"scan", Collective::scan}}};

}  // namespace

// message = send | isend | ssend | recv | irecv | sendrecv | wait | waitall | waitany .
std::optional<Statement> StatementParser::message() {
    if (reader_.at("send")) return send(Form::send);
    if (reader_.at("isend")) return send(Form::isend);
    if (reader_.at("ssend")) return send(Form::ssend);
    if (reader_.at("recv")) return receive(Form::recv);
    if (reader_.at("irecv")) return receive(Form::irecv);
    if (reader_.at("sendrecv")) return sendrecv();
    if (reader_.at("wait")) return wait(Form::wait);
    if (reader_.at("waitall")) return wait(Form::waitall);
    if (reader_.at("waitany")) return wait(Form::waitany);
    return std::nullopt;
}

// send = ( "send" | "ssend" | "isend" [ name ] ) expression "to" expression [ tag ] .     tag = "tag" expression .
Statement StatementParser::send(Form form) {
    Statement result = begin(form);
    const std::string_view word = form == Form::isend ? "isend" : form == Form::ssend ? "ssend" : "send";
    if (reader_.at_arguments()) reader_.fail(fmt::format("expected `{} BYTES to PEER`, without brackets", word));
    if (form == Form::isend && reader_.at_name_then_value()) result.name = reader_.expect_name("a name");
    add_expression(result);
    reader_.expect("to", "`to` and the rank that receives");
    add_expression(result);
    return with_tag(std::move(result));
}

// recv = ( "recv" | "irecv" [ name ] ) "from" expression [ tag ]
//      | ( "recv" | "irecv" ) [ name ] "from" "any" [ "tag" ( "any" | expression ) ] .
Statement StatementParser::receive(Form form) {
    Statement result = begin(form);
    const std::string_view word = form == Form::irecv ? "irecv" : "recv";
    if (reader_.at("(")) reader_.fail(fmt::format("expected `{} from PEER`, without brackets", word));
    const bool named = reader_.now().form == Token::Form::name;
    if (named) result.name = reader_.expect_name("a name");
    const bool sized = reader_.now().form == Token::Form::number;
    reader_.expect("from", sized ? "`from` and the rank that sends: its message has a size, a receive has none"
                                 : "`from` and the rank that sends");
    if (reader_.at("any")) return from_any(std::move(result));
    if (named && form == Form::recv) {
        reader_.fail("expected `any`: a `recv` has a name for its source, where that is any rank");
    }
    add_expression(result);
    return with_tag(std::move(result));
}

Statement StatementParser::from_any(Statement statement) {
    reader_.take();
    statement.form = statement.form == Form::irecv ? Form::irecv_any : Form::recv_any;
    if (reader_.accept("tag")) {
        statement.any_tag = reader_.accept("any");
        if (!statement.any_tag) add_expression(statement);
    }
    end(statement);
    return statement;
}

// sendrecv = "sendrecv" expression "to" expression "from" expression [ tag ] .
Statement StatementParser::sendrecv() {
    Statement result = begin(Form::sendrecv);
    if (reader_.at_arguments()) reader_.fail("expected `sendrecv BYTES to PEER from PEER`, without brackets");
    add_expression(result);
    reader_.expect("to", "`to` and the rank that receives");
    add_expression(result);
    reader_.expect("from", "`from` and the rank that sends");
    add_expression(result);
    return with_tag(std::move(result));
}

Statement StatementParser::with_tag(Statement statement) {
    if (reader_.accept("tag")) add_expression(statement);
    end(statement);
    return statement;
}

// wait = "wait" name | "waitall" | "waitany" .
Statement StatementParser::wait(Form form) {
    Statement result = begin(form);
    const bool calls = reader_.at_name_then("(") || reader_.at_name_then("=");
    if (form != Form::wait && reader_.now().form == Token::Form::name && !calls) {
        reader_.fail(fmt::format("expected `wait {}` for the request of this name: `{}` waits for {} without one",
                                 reader_.now().text, form == Form::waitall ? "waitall" : "waitany",
                                 form == Form::waitall ? "all" : "one"));
    }
    if (form == Form::wait)
        result.name = reader_.expect_name("the name of an `irecv` or `isend`; `waitall` needs none");
    end(result);
    return result;
}

/// What stands behind a collective by mistake: brackets, `in` for `over`, a root at the wrong place or none there.
void StatementParser::refuse_after_collective(std::string_view word, std::string_view root, bool sized, bool over) {
    const std::string form = fmt::format("`{}{}{} over EXPRESSION`", word, sized ? " BYTES" : "",
                                         root.empty() ? "" : fmt::format(" {} ROOT", root));
    if (reader_.at("(")) reader_.fail(fmt::format("expected {}, without brackets", form));
    if (reader_.at("in")) reader_.fail(fmt::format("expected `over`, as in {}", form));
    if (!reader_.at("to") && !reader_.at("from")) return;
    if (root.empty()) reader_.fail(fmt::format("expected {}: it has no root", form));
    reader_.fail(over ? fmt::format("expected the root before `over`: {}", form) : fmt::format("expected {}", form));
}

std::optional<Statement> StatementParser::collective() {
    const auto here =
        std::find_if(kCollectives.begin(), kCollectives.end(), [&](const Word& each) { return reader_.at(each.word); });
    if (here == kCollectives.end()) return std::nullopt;
    return collective(here->kind);
}

// collective = "barrier" [ over ] | ( "broadcast" | "scatter" ) expression [ "from" expression ] [ over ]
//            | ( "reduce" | "gather" ) expression [ "to" expression ] [ over ]
//            | ( "allreduce" | "allgather" | "alltoall" | "reduce_scatter" | "scan" ) expression [ over ] .
// over = "over" expression .
Statement StatementParser::collective(collectives::Kind kind) {
    const Word& word =
        *std::find_if(kCollectives.begin(), kCollectives.end(), [&](const Word& each) { return each.kind == kind; });
    Statement result = begin(Form::collective);
    result.collective = kind;
    if (word.sized && reader_.at_arguments())
        reader_.fail(fmt::format("expected `{} BYTES`, without brackets", word.word));
    if (word.sized) add_expression(result);
    result.rooted = !word.root.empty() && reader_.accept(word.root);
    if (result.rooted) add_expression(result);
    result.over_some = reader_.accept("over");
    if (result.over_some) add_expression(result);
    refuse_after_collective(word.word, word.root, word.sized, result.over_some);
    if (kind == Collective::allreduce && !result.over_some) result.form = Form::allreduce;
    end(result);
    return result;
}

}  // namespace warpfront::psl
