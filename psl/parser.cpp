#include "psl/parser.hpp"

#include <utility>

#include "psl/statement_parser.hpp"
#include "psl/token_reader.hpp"

namespace warpfront::psl {
namespace {

using Form = Statement::Form;

class Parser {
public:
    Parser(const input::SourceFilePtr& source, std::uint32_t file, input::Diagnostics& faults)
        : reader_(source, file, faults) {}

    // file = { import } { application | subtask | template } .
    File file() {
        File result;
        while (!reader_.at_end()) {
            reader_.recovering(depth_, [&] { top_level(result); });
            if (reader_.at("}")) reader_.take();
        }
        return result;
    }

private:
    void top_level(File& result) {
        if (reader_.at("import")) {
            if (!result.objects.empty()) {
                reader_.fail("expected imports before the first application, subtask or template");
            }
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
            reader_.recovering(depth_, [&] { item(*result); });
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
        if (reader_.at("require")) return application.body.push_back(statements_.require());
        if (reader_.at("let")) return application.body.push_back(statements_.let());
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
            each.type = statements_.type();
            result->parameters.push_back(std::move(each));
            if (!reader_.accept(",")) break;
        }
        reader_.expect_closing(")", open);
        result->body = statements_.block();
        return result;
    }

    // parameter = "param" name ":" type [ "=" expression ] .
    Statement parameter() {
        Statement result = statements_.begin(Form::parameter);
        result.name = reader_.expect_name("the parameter's name");
        reader_.expect(":", "`:` and the parameter's type");
        const Token first = reader_.now();
        result.declared = statements_.type();
        if (result.declared.list || result.declared.kind == Kind::corner || result.declared.kind == Kind::peer) {
            reader_.fault(input::DiagnosticKind::wrong_type, join(first.span, reader_.last()),
                          "a parameter of an application cannot be of type `" + type_name(result.declared) + "`",
                          "expected `int`, `real`, `time`, `bytes` or `bool`");
        }
        if (reader_.accept("=")) statements_.add_expression(result);
        statements_.end(result);
        return result;
    }

    // iteration = "iteration" [ name ] block .
    Statement iteration() {
        Statement result = statements_.begin(Form::iteration);
        if (reader_.now().form == Token::Form::name) result.name = reader_.expect_name("a name");
        statements_.end(result);
        result.body = statements_.block();
        return result;
    }

    // closed_form = "closed_form" "{" { name "=" expression } "}" .
    Statement closed_form() {
        Statement result = statements_.begin(Form::closed_form);
        const Token open = reader_.expect("{", "`{`");
        while (!reader_.at("}") && !reader_.at_end()) {
            reader_.recovering(depth_, [&] { result.body.push_back(field()); });
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
        statements_.add_expression(result);
        statements_.end(result);
        return result;
    }

    TokenReader reader_;
    unsigned depth_ = 0;
    StatementParser statements_{reader_, depth_};
};

}  // namespace

File parse(const input::SourceFilePtr& source, std::uint32_t file, input::Diagnostics& faults) {
    return Parser(source, file, faults).file();
}

}  // namespace warpfront::psl
