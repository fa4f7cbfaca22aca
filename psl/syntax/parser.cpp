#include "psl/syntax/parser.hpp"

#include <fmt/format.h>

#include <utility>

#include "psl/syntax/keywords.hpp"
#include "psl/syntax/statement_parser.hpp"
#include "psl/syntax/token_reader.hpp"

namespace warpfront::psl {
namespace {

using Form = Statement::Form;

class Parser {
public:
    Parser(const SourceFilePtr& source, std::uint32_t file, Diagnostics& faults) : reader_(source, file, faults) {
        statements_.task_list = [this] { return tasks_.list(); };
    }

    // file = { import } { application | subtask | template | function | hardware } .
    File file() {
        File result;
        while (!reader_.at_end()) {
            bool whole = false;
            reader_.recovering(depth_, [&] {
                top_level(result);
                whole = true;
            });
            if (!whole) skip_to_object();
        }
        return result;
    }

private:
    bool at_object() const {
        return reader_.at("application") || reader_.at("import") || reader_.at("hardware") || at_callable();
    }
    /// Skips to the next object. Text between objects probably belongs to an object, so only its first error is
    /// reported.
    void skip_to_object() {
        while (!reader_.at_end() && !(at_object() && reader_.now().first_on_line)) reader_.take();
    }

    void top_level(File& result) {
        if (reader_.at("import")) {
            if (!result.objects.empty()) {
                reader_.fail("expected imports before the first application, subtask, template or function");
            }
            return result.imports.push_back(import());
        }
        if (reader_.at("application")) return result.objects.push_back(application());
        if (at_callable()) return result.objects.push_back(callable());
        if (reader_.at("hardware")) return result.objects.push_back(hardware());
        const std::string_view remedy = foreign_word_remedy(reader_.now().text, WordPlace::file);
        reader_.fail(!remedy.empty()
                         ? std::string(remedy)
                         : "expected `import`, `application`, `subtask`, `template`, `function` or `hardware`");
    }

    /// Returns true at an object that an application cannot contain. Then the `}` of the application is missing.
    bool at_next_file_object() const {
        return reader_.now().first_on_line &&
               (reader_.at("application") || reader_.at("import") || reader_.at("hardware"));
    }
    bool at_callable() const { return reader_.at("subtask") || reader_.at("template") || reader_.at("function"); }
    std::unique_ptr<Object> callable() { return reader_.at("function") ? function() : block_object(); }

    // import = "import" string .
    Import import() {
        reader_.take();
        if (reader_.now().form != Token::Form::string) reader_.fail("expected a file name in quotes");
        const Token path = reader_.take();
        return {std::string(path.text), path.span};
    }

    // application = "application" name "{" { item } "}" .
    // item        = parameter | require | note | let | subtask | template | function | iteration | closed_form
    //             | list | record .
    std::unique_ptr<Object> application() {
        auto result = std::make_unique<Object>();
        reader_.take();
        reader_.before_block(depth_, [&] {
            result->name = reader_.expect_name("the application's name");
            if (reader_.at("("))
                reader_.fail("expected `{`: an application has its parameters inside, as `param` lines");
        });
        const Token open = statements_.open_block();
        while (!reader_.at("}") && !reader_.at_end() && !at_next_file_object()) {
            reader_.recovering(depth_, [&] { item(*result); });
        }
        reader_.expect_closing("}", open);
        return result;
    }

    void item(Object& application) {
        if (at_callable()) {
            application.inner.push_back(callable());
            application.inner.back()->declared_after = application.body.size();
            return;
        }
        if (const Keyword* const word = statements_.at_statement(); word != nullptr && word->also.application) {
            return application.body.push_back(statements_.parse(*word));
        }
        if (reader_.at("param")) return application.body.push_back(parameter());
        if (reader_.at_block_word("note")) return application.body.push_back(statements_.note());
        if (reader_.at("iteration")) return application.body.push_back(iteration());
        if (reader_.at_block_word("tasks")) return application.body.push_back(tasks_.list());
        if (reader_.at_block_word("record")) return application.body.push_back(tasks_.record());
        if (reader_.at("closed_form")) return application.body.push_back(closed_form());
        refuse_item();
    }

    [[noreturn]] void refuse_item() {
        if (reader_.at("var")) reader_.fail("expected `let`: the variables of an application never change");
        if (const Keyword* const word = statements_.at_statement()) {
            reader_.fail(fmt::format("expected `iteration {{ }}` around `{}`", word->word));
        }
        const std::string_view remedy = foreign_word_remedy(reader_.now().text, WordPlace::statement);
        if (reader_.now().form == Token::Form::name && !remedy.empty()) reader_.fail(std::string(remedy));
        if (reader_.at_name_then("=")) reader_.fail("expected `let` or `param` before the name");
        reader_.fail(
            "expected `param`, `require`, `note`, `let`, `subtask`, `template`, `function`, `iteration`, "
            "`closed_form`, `tasks` or `record`");
    }

    // subtask  = "subtask" signature [ ":" "time" ] block .
    // template = "template" signature block .
    // signature = name "(" [ declared { "," declared } ] ")" .     declared = name ":" type [ "=" expression ] .
    std::unique_ptr<Object> block_object() {
        auto result = std::make_unique<Object>();
        const bool serial = reader_.take().text == "subtask";
        result->form = serial ? Object::Form::subtask : Object::Form::parallel_template;
        bool has_value = false;
        reader_.before_block(depth_, [&] {
            result->name = reader_.expect_name(serial ? "the subtask's name" : "the template's name");
            parameters(*result);
            has_value = serial && reader_.accept(":");
            if (has_value) result_of_subtask(*result);
        });
        result->body = has_value ? statements_.cost_block() : statements_.block();
        return result;
    }

    void result_of_subtask(Object& subtask) {
        const Span first = reader_.now().span;
        subtask.result = statements_.type();
        if (subtask.result != Type{Kind::time, false}) {
            reader_.fault(DiagnosticKind::wrong_type, join(first, reader_.last()),
                          "the value of a subtask is of type `" + type_name(subtask.result) + "`", "expected `time`");
        }
    }

    // hardware = "hardware" name "{" { processor | rate | operation } "}" .
    std::unique_ptr<Object> hardware() {
        auto result = std::make_unique<Object>();
        reader_.take();
        result->form = Object::Form::hardware;
        reader_.before_block(depth_, [&] { result->name = reader_.expect_name("the hardware's name"); });
        const Token open = statements_.open_block();
        while (!reader_.at("}") && !reader_.at_end()) {
            reader_.recovering(depth_, [&] { hardware_item(*result); });
        }
        reader_.expect_closing("}", open);
        return result;
    }

    // processor = "processor" string .     rate = "rate" "=" expression .
    // operation = "operation" name "=" expression .
    void hardware_item(Object& hardware) {
        const bool is_rate = reader_.at_block_word("rate");
        if (reader_.at_block_word("processor")) {
            reader_.take();
            if (reader_.now().form != Token::Form::string) reader_.fail("expected the processor's name in quotes");
            const Token name = reader_.take();
            hardware.processor = {std::string(name.text), name.span};
            return;
        }
        if (!is_rate && !reader_.at_block_word("operation")) {
            reader_.fail("expected `processor \"NAME\"`, `rate = 110Mflops` or `operation NAME = 9ns`");
        }
        Statement item = statements_.begin(is_rate ? Form::achieved_rate : Form::operation);
        if (item.form == Form::operation) item.name = reader_.expect_name("the operation's name");
        reader_.expect("=", "`=` and a value");
        statements_.add_expression(item);
        statements_.end(item);
        hardware.body.push_back(std::move(item));
    }

    void parameters(Object& object) {
        const Token open = reader_.expect("(", "`(` and parameters");
        while (!reader_.at(")")) {
            Parameter each;
            statements_.declaration(each.name, each.type, "parameter");
            if (reader_.accept("=")) {
                Statement preset;
                statements_.add_expression(preset);
                each.preset = std::move(preset.expressions);
            }
            object.parameters.push_back(std::move(each));
            if (!reader_.accept(",")) break;
        }
        reader_.expect_closing(")", open);
    }

    // function = "function" signature ":" type "=" expression .
    std::unique_ptr<Object> function() {
        auto result = std::make_unique<Object>();
        reader_.take();
        result->form = Object::Form::function;
        result->name = reader_.expect_name("the function's name");
        parameters(*result);
        reader_.expect(":", "`:` and the type of the value");
        result->result = statements_.type();
        if (!reader_.at("=")) reader_.fail("expected `=` and an expression: a function is one expression");
        Statement value = statements_.begin(Form::result);
        statements_.add_expression(value);
        statements_.end(value);
        result->body.push_back(std::move(value));
        return result;
    }

    // parameter = "param" name ":" type [ "=" expression ] [ "as" role ] .
    Statement parameter() {
        Statement result = statements_.begin(Form::parameter);
        const Span type = statements_.declaration(result.name, result.declared, "parameter");
        if (result.declared.kind == Kind::corner || result.declared.kind == Kind::peer) {
            reader_.fault(DiagnosticKind::wrong_type, type,
                          "a parameter of an application cannot be of type `" + type_name(result.declared) + "`",
                          "expected `int`, `real`, `time`, `bytes`, `rate`, `bool` or a list of one of them");
        }
        if (reader_.accept("=")) statements_.add_expression(result);
        if (reader_.at_block_word("as")) {
            reader_.take();
            result.role = reader_.expect_name("the parameter's role");
        }
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

    // closed_form = "closed_form" fields .
    Statement closed_form() {
        Statement result = statements_.begin(Form::closed_form);
        result.body = statements_.fields();
        return result;
    }

    TokenReader reader_;
    unsigned depth_ = 0;
    StatementParser statements_{reader_, depth_};
    TaskParser tasks_{reader_, depth_, statements_};
};

}  // namespace

File parse(const SourceFilePtr& source, std::uint32_t file, Diagnostics& faults) {
    Diagnostics found;  // errors of the lexer, then of the parser
    File tree = Parser(source, file, found).file();
    found.sort_by_place();
    faults.add(found);
    return tree;
}

}  // namespace warpfront::psl
