#include "psl/parser.hpp"

#include <utility>

#include "psl/expression_parser.hpp"
#include "psl/token_reader.hpp"

namespace warpfront::psl {
namespace {

using Form = Statement::Form;

class Parser {
public:
    Parser(const input::SourcePtr& source, std::uint32_t file, input::Faults& faults) : reader_(source, file, faults) {}

    // file = { import } { application | subtask | template } .
    File file() {
        File result;
        while (!reader_.at_end()) {
            recovering([&] { top_level(result); });
            if (reader_.at("}")) reader_.take();
        }
        return result;
    }

private:
    template <class Parse>
    void recovering(Parse parse) {
        const std::size_t start = reader_.position();
        const unsigned depth = depth_;
        try {
            parse();
        } catch (const GiveUp&) {
            depth_ = depth;
            reader_.skip_statement(start);
        }
    }

    void top_level(File& result) {
        if (reader_.at("import")) {
            if (!result.objects.empty())
                reader_.fail("expected imports before the first application, subtask or template");
            return result.imports.push_back(import());
        }
        if (reader_.at("application")) return result.objects.push_back(application());
        if (reader_.at("subtask") || reader_.at("template")) return result.objects.push_back(block_object());
        reader_.fail("expected `import`, `application`, `subtask` or `template`");
    }

    // import = "import" string .
    Import import() {
        reader_.take();
        if (reader_.now().form != Token::Form::string) reader_.fail("expected a file name in quotes");
        const Token path = reader_.take();
        return {std::string(path.text), path.span};
    }

    // application = "application" name "{" { item } "}" .
    // item        = parameter | require | let | subtask | template | iteration | closed_form .
    std::unique_ptr<Object> application() {
        auto result = std::make_unique<Object>();
        reader_.take();
        result->name = reader_.expect_name("the application's name");
        const Token open = reader_.expect("{", "`{`");
        while (!reader_.at("}") && !reader_.at_end()) {
            recovering([&] { item(*result); });
        }
        reader_.expect_closing("}", open);
        return result;
    }

    void item(Object& application) {
        if (reader_.at("subtask") || reader_.at("template")) {
            application.inner.push_back(block_object());
            application.inner.back()->declared_after = application.body.size();
            return;
        }
        if (reader_.at("param")) return application.body.push_back(parameter());
        if (reader_.at("require")) return application.body.push_back(require());
        if (reader_.at("let")) return application.body.push_back(let());
        if (reader_.at("iteration")) return application.body.push_back(iteration());
        if (reader_.at("closed_form")) return application.body.push_back(closed_form());
        reader_.fail("expected `param`, `require`, `let`, `subtask`, `template`, `iteration` or `closed_form`");
    }

    // subtask  = "subtask" signature block .
    // template = "template" signature block .
    // signature = name "(" [ name ":" type { "," name ":" type } ] ")" .
    std::unique_ptr<Object> block_object() {
        auto result = std::make_unique<Object>();
        const bool serial = reader_.take().text == "subtask";
        result->form = serial ? Object::Form::subtask : Object::Form::parallel_template;
        result->name = reader_.expect_name(serial ? "the subtask's name" : "the template's name");
        const Token open = reader_.expect("(", "`(` and parameters");
        while (!reader_.at(")")) {
            Parameter each;
            each.name = reader_.expect_name("a parameter's name");
            reader_.expect(":", "`:` and the parameter's type");
            each.type = type();
            result->parameters.push_back(std::move(each));
            if (!reader_.accept(",")) break;
        }
        reader_.expect_closing(")", open);
        result->body = block();
        return result;
    }

    // type = kind | "[" kind "]" .     kind = "int" | "real" | "time" | "bytes" | "bool" | "corner" | "peer" .
    Type type() {
        const Token open = reader_.now();
        const bool list = reader_.accept("[");
        const auto kind = reader_.now().form == Token::Form::name ? kind_named(reader_.now().text) : std::nullopt;
        if (!kind)
            reader_.fail(
                "expected a type: `int`, `real`, `time`, `bytes`, `bool`, `corner`, `peer` or `[` one of them `]`");
        reader_.take();
        if (list) reader_.expect_closing("]", open);
        return {*kind, list};
    }

    // block = "{" { statement } "}" .
    std::vector<Statement> block() {
        const Nesting level(depth_, reader_);
        std::vector<Statement> result;
        const Token open = reader_.expect("{", "`{`");
        while (!reader_.at("}") && !reader_.at_end()) {
            recovering([&] { result.push_back(statement()); });
        }
        reader_.expect_closing("}", open);
        return result;
    }

    // statement = compute | send | recv | irecv | wait | allreduce | let | require | branch | loop | call .
    Statement statement() {
        if (reader_.at("compute")) return with_amount(Form::compute);
        if (reader_.at("allreduce")) return with_amount(Form::allreduce);
        if (reader_.at("send")) return send();
        if (reader_.at("recv")) return receive(Form::recv);
        if (reader_.at("irecv")) return receive(Form::irecv);
        if (reader_.at("wait")) return wait();
        if (reader_.at("let")) return let();
        if (reader_.at("require")) return require();
        if (reader_.at("if")) return branch();
        if (reader_.at("for")) return for_loop();
        if (reader_.at("repeat")) return repeat();
        if (reader_.at_name_then("(")) return call();
        reader_.fail("expected a statement or `}`");
    }

    Statement begin(Form form) {
        Statement result;
        result.form = form;
        result.span = reader_.take().span;
        return result;
    }

    void end(Statement& statement) { statement.span = join(statement.span, reader_.last()); }

    void add_expression(Statement& statement) { statement.expressions.push_back(parse_expression(reader_, depth_)); }

    // compute = "compute" expression .     allreduce = "allreduce" expression .
    Statement with_amount(Form form) {
        Statement result = begin(form);
        add_expression(result);
        end(result);
        return result;
    }

    // send = "send" expression "to" expression [ tag ] .     tag = "tag" expression .
    Statement send() {
        Statement result = begin(Form::send);
        add_expression(result);
        reader_.expect("to", "`to` and the rank that receives");
        add_expression(result);
        return with_tag(std::move(result));
    }

    // recv = "recv" "from" expression [ tag ] .     irecv = "irecv" name "from" expression [ tag ] .
    Statement receive(Form form) {
        Statement result = begin(form);
        if (form == Form::irecv) result.name = reader_.expect_name("a name for the request, for `wait`");
        reader_.expect("from", "`from` and the rank that sends");
        add_expression(result);
        return with_tag(std::move(result));
    }

    Statement with_tag(Statement statement) {
        if (reader_.accept("tag")) add_expression(statement);
        end(statement);
        return statement;
    }

    // wait = "wait" name .
    Statement wait() {
        Statement result = begin(Form::wait);
        result.name = reader_.expect_name("the name of an `irecv`");
        end(result);
        return result;
    }

    // let = "let" name "=" expression .
    Statement let() {
        Statement result = begin(Form::let);
        result.name = reader_.expect_name("a name");
        reader_.expect("=", "`=` and a value");
        add_expression(result);
        end(result);
        return result;
    }

    // parameter = "param" name ":" type [ "=" expression ] .
    Statement parameter() {
        Statement result = begin(Form::parameter);
        result.name = reader_.expect_name("the parameter's name");
        reader_.expect(":", "`:` and the parameter's type");
        const Token first = reader_.now();
        result.declared = type();
        if (result.declared.list || result.declared.kind == Kind::corner || result.declared.kind == Kind::peer) {
            reader_.fault(input::FaultKind::wrong_type, join(first.span, reader_.last()),
                          "a parameter of an application cannot be of type `" + type_name(result.declared) + "`",
                          "expected `int`, `real`, `time`, `bytes` or `bool`");
        }
        if (reader_.accept("=")) add_expression(result);
        end(result);
        return result;
    }

    // require = "require" expression "," string .
    Statement require() {
        Statement result = begin(Form::require);
        add_expression(result);
        reader_.expect(",", "`,` and the message for a requirement that does not hold");
        if (reader_.now().form != Token::Form::string) reader_.fail("expected the message in quotes");
        result.message = reader_.take().text;
        end(result);
        return result;
    }

    // branch = "if" expression block [ "else" ( branch | block ) ] .
    Statement branch() {
        const Nesting level(depth_, reader_);
        Statement result = begin(Form::branch);
        add_expression(result);
        end(result);
        result.body = block();
        if (!reader_.accept("else")) return result;
        if (reader_.at("if")) {
            result.otherwise.push_back(branch());
        } else {
            result.otherwise = block();
        }
        return result;
    }

    // loop = "for" name "in" expression [ ".." expression ] block | "repeat" expression block .
    Statement for_loop() {
        Statement result = begin(Form::for_each);
        result.name = reader_.expect_name("a name for what varies");
        reader_.expect("in", "`in` and a list or a range such as `1..4`");
        add_expression(result);
        if (reader_.accept("..")) {
            result.form = Form::for_range;
            add_expression(result);
        }
        end(result);
        result.body = block();
        return result;
    }

    Statement repeat() {
        Statement result = with_amount(Form::repeat);
        result.body = block();
        return result;
    }

    // call = name "(" [ expression { "," expression } ] ")" .
    Statement call() {
        Statement result;
        result.form = Form::call;
        result.span = reader_.now().span;
        result.name = reader_.expect_name("a name");
        const Token open = reader_.take();
        while (!reader_.at(")")) {
            add_expression(result);
            if (!reader_.accept(",")) break;
        }
        reader_.expect_closing(")", open);
        end(result);
        return result;
    }

    // iteration = "iteration" [ name ] block .
    Statement iteration() {
        Statement result = begin(Form::iteration);
        if (reader_.now().form == Token::Form::name) result.name = reader_.expect_name("a name");
        end(result);
        result.body = block();
        return result;
    }

    // closed_form = "closed_form" "{" { name "=" expression } "}" .
    Statement closed_form() {
        Statement result = begin(Form::closed_form);
        const Token open = reader_.expect("{", "`{`");
        while (!reader_.at("}") && !reader_.at_end()) {
            recovering([&] { result.body.push_back(field()); });
        }
        reader_.expect_closing("}", open);
        return result;
    }

    Statement field() {
        Statement result;
        result.form = Form::field;
        result.span = reader_.now().span;
        result.name = reader_.expect_name("the name of a field, such as `work`");
        reader_.expect("=", "`=` and a value");
        add_expression(result);
        end(result);
        return result;
    }

    TokenReader reader_;
    unsigned depth_ = 0;
};

}  // namespace

File parse(const input::SourcePtr& source, std::uint32_t file, input::Faults& faults) {
    return Parser(source, file, faults).file();
}

}  // namespace warpfront::psl
