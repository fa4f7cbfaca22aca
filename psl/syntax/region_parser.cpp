// Statements of regions that are not stepped message by message, and the fields of closed forms.
#include <string>

#include "psl/syntax/statement_parser.hpp"

namespace warpfront::psl {

using Form = Statement::Form;

// analytic = "analytic" ( expression | fields ) .
Statement StatementParser::analytic() {
    Statement result = begin(Form::analytic);
    if (reader_.at("{")) {
        result.body = fields();
        return result;
    }
    add_expression(result);
    end(result);
    return result;
}

// fields = "{" { name "=" expression } "}" .
std::vector<Statement> StatementParser::fields() {
    std::vector<Statement> result;
    const Token open = reader_.expect("{", "`{`");
    while (!reader_.at("}") && !reader_.at_end()) {
        reader_.recovering(depth_, [&] { result.push_back(field()); });
    }
    reader_.expect_closing("}", open);
    return result;
}

Statement StatementParser::field() {
    Statement result;
    result.form = Form::field;
    result.span = reader_.now().span;
    result.name = reader_.expect_name("the name of a field, such as `work`");
    reader_.expect("=", "`=` and a value");
    add_expression(result);
    end(result);
    return result;
}

// trace = "trace" string [ "at" expression ] .
Statement StatementParser::trace() {
    Statement result = begin(Form::trace);
    if (reader_.now().form != Token::Form::string) {
        reader_.fail("expected the folder or the list of the traces in quotes, relative to this file");
    }
    const Token path = reader_.take();
    result.name = {std::string(path.text), path.span};
    if (reader_.accept("at")) add_expression(result);
    end(result);
    return result;
}

}  // namespace warpfront::psl
