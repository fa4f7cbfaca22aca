#include "psl/editing/symbols.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "psl/checking/constants.hpp"
#include "psl/checking/model.hpp"
#include "psl/syntax/keywords.hpp"
#include "psl/syntax/lexer.hpp"
#include "psl/syntax/roles.hpp"

namespace warpfront::psl {
namespace {

using Form = Statement::Form;

bool contains(Span span, std::size_t offset) {
    return span.file == 0 && offset >= span.offset && offset < std::size_t{span.offset} + span.length;
}

std::string signature(const Object& object) {
    static constexpr std::string_view kForms[]{"application", "subtask", "template", "function", "hardware"};
    std::string text = fmt::format("{} {}", kForms[static_cast<std::size_t>(object.form)], object.name.text);
    if (!object.callable()) return text;
    std::string parameters;
    for (const Parameter& each : object.parameters) {
        parameters += fmt::format("{}{}: {}", parameters.empty() ? "" : ", ", each.name.text, type_name(each.type));
    }
    text += fmt::format("({})", parameters);
    return object.has_value() ? fmt::format("{}: {}", text, type_name(object.result)) : text;
}

/// Returns true if the statement declares a list of tasks, a task or a record.
bool declares_tasks(const Statement& each) {
    return each.form == Form::task_list || each.form == Form::task || each.form == Form::record;
}

/// Formats an index of a list, a task or a record, with its bounds: "b in 1..bricks".
std::string text_of_index(const CheckedModel& model, const Statement& each, std::size_t number) {
    const Span last = each.expressions[2 * number + 1].span;
    return model.line(join(each.clauses[0].indices[number].name.span, last));
}

constexpr std::string_view kWorker = "worker";

/// Finds the declaration of the word at an offset within one object.
class Finder {
public:
    Finder(const CheckedModel& model, std::size_t offset) : model_(model), offset_(offset) {}

    std::optional<Symbol> in(const Object& object, const Object* outer) {
        object_ = &object;
        outer_ = outer;
        if (contains(object.name.span, offset_)) return of(object, object.name.span);
        for (const Parameter& each : object.parameters) {
            if (contains(each.name.span, offset_)) return declared(each.slot, each.name.span);
            if (const auto found = in(each.preset)) return found;
        }
        return in(object.body);
    }

private:
    std::optional<Symbol> in(const std::vector<Statement>& statements) {
        for (const Statement& each : statements) {
            if (!each.clauses.empty()) {
                if (auto found = of_tasks(each)) return found;
            } else if (contains(each.name.span, offset_)) {
                if (each.form == Form::phase || each.form == Form::field || each.form == Form::trace)
                    return std::nullopt;
                if (each.callee != nullptr) return of(*each.callee, each.name.span);
                return declared(each.slot, each.name.span);
            }
            for (const auto& found : {in(each.expressions), in(each.body), in(each.otherwise)}) {
                if (found) return found;
            }
            if (!each.clauses.empty() && contains(each.span, offset_)) return block_word();
        }
        return std::nullopt;
    }

    /// Finds names at the beginning of a list, a task or a record, and names in reads and writes.
    std::optional<Symbol> of_tasks(const Statement& each) {
        if (contains(each.name.span, offset_)) return of(each, each.name.span);
        const TaskClauses& clauses = each.clauses[0];
        for (std::size_t k = 0; k < clauses.indices.size(); ++k) {
            const Span name = clauses.indices[k].name.span;
            if (contains(name, offset_)) return index(each, k, name);
        }
        for (const TaskClauses::Reference& reference : clauses.references) {
            if (contains(reference.name.span, offset_)) return of(*reference.target, reference.name.span);
        }
        return std::nullopt;
    }

    Symbol of(const Statement& declaring, Span name) const {
        std::string text = model_.line(declaring.span);
        if (declaring.form == Form::record) {
            const Expression& bytes = declaring.expressions[*declaring.clauses[0].bytes];
            const auto value = bytes.form == Expression::Form::literal ? std::nullopt : Constants().value(bytes);
            if (value) text += fmt::format("  = {}", to_text(*value));
        }
        return {model_.range_of(name), std::move(text), model_.range_of(declaring.name.span)};
    }

    Symbol index(const Statement& each, std::size_t number, Span name) const {
        const std::string_view of = each.name.text.empty() ? std::string_view("the list") : each.name.text;
        return {model_.range_of(name), fmt::format("{}  (int, index of {})", text_of_index(model_, each, number), of),
                model_.range_of(each.clauses[0].indices[number].name.span)};
    }

    /// Finds an index, or the variable for the worker in `prefer`.
    std::optional<Symbol> index(const std::vector<Statement>& statements, Slot slot, Span name) const {
        const auto same = [slot](Slot other) { return other.local == slot.local && other.index == slot.index; };
        for (const Statement& each : statements) {
            if (!each.clauses.empty()) {
                const TaskClauses& clauses = each.clauses[0];
                for (std::size_t k = 0; k < clauses.indices.size(); ++k) {
                    if (same(clauses.indices[k].slot)) return index(each, k, name);
                }
                if (clauses.preference && same(clauses.worker)) {
                    return Symbol{model_.range_of(name),
                                  fmt::format("{}: int, the number of the worker that may take it, from 0", kWorker),
                                  {}};
                }
            }
            for (const auto* inner : {&each.body, &each.otherwise}) {
                if (auto found = index(*inner, slot, name)) return found;
            }
        }
        return std::nullopt;
    }

    /// Finds a word that has a meaning only in lists of tasks, such as `among`.
    std::optional<Symbol> block_word() const {
        const std::string_view text = model_.sources[0]->text();
        const auto is_letter = [&](std::size_t at) { return (text[at] >= 'a' && text[at] <= 'z'); };
        std::size_t begin = offset_;
        std::size_t end = offset_;
        while (begin > 0 && is_letter(begin - 1)) --begin;
        while (end < text.size() && is_letter(end)) ++end;
        const BlockWord* word = find_block_word(text.substr(begin, end - begin));
        if (begin == end || word == nullptr || word->meaning.empty()) return std::nullopt;
        const Span span{0, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
        return Symbol{model_.range_of(span), fmt::format("{}: {}", word->word, word->meaning), {}};
    }

    std::optional<Symbol> in(const std::vector<Expression>& expressions) {
        for (const Expression& each : expressions) {
            if (!contains(each.span, offset_)) continue;
            const Span name{each.span.file, each.span.offset, static_cast<std::uint32_t>(each.name.size())};
            if (!each.name.empty() && contains(name, offset_)) return of(each, name);
            return in(each.operands);
        }
        return std::nullopt;
    }

    std::optional<Symbol> of(const Expression& expression, Span name) {
        if (expression.callee != nullptr) return of(*expression.callee, name);
        if (expression.builtin != nullptr) {
            return Symbol{
                model_.range_of(name), fmt::format("{}: {}", expression.name, type_name(expression.type)), {}};
        }
        if (const Function* function = find_function(expression.name)) {
            return Symbol{model_.range_of(name),
                          fmt::format("{}({}): {}", function->name, function->takes, type_name(expression.type)),
                          {}};
        }
        return declared(expression.slot, name);
    }

    Symbol of(const Object& object, Span name) const {
        return {model_.range_of(name), signature(object), model_.range_of(object.name.span)};
    }

    std::optional<Symbol> declared(Slot slot, Span name) {
        const Object* frame = !slot.local && outer_ != nullptr ? outer_ : object_;
        for (const Parameter& each : frame->parameters) {
            if (each.slot.index != slot.index) continue;
            return Symbol{model_.range_of(name), fmt::format("{}: {}", each.name.text, type_name(each.type)),
                          model_.range_of(each.name.span)};
        }
        const Statement* statement = declaration(frame->body, slot);
        if (statement == nullptr) return index(frame->body, slot, name);
        std::string text = model_.line(statement->span);
        const bool valued = statement->form == Form::let || statement->form == Form::variable;
        if (valued) text += fmt::format("  ({})", type_name(statement->expressions[0].type));
        if (const auto value = constant(*statement)) text += fmt::format("  = {}", to_text(*value));
        return Symbol{model_.range_of(name), std::move(text), model_.range_of(statement->name.span)};
    }

    static const Statement* declaration(const std::vector<Statement>& statements, Slot slot) {
        for (const Statement& each : statements) {
            const bool same = !each.name.text.empty() && each.slot.local == slot.local && each.slot.index == slot.index;
            const bool declares = each.form == Form::parameter || each.form == Form::let ||
                                  each.form == Form::variable || each.form == Form::for_each ||
                                  each.form == Form::for_range || each.form == Form::iteration ||
                                  each.form == Form::irecv || each.form == Form::isend || each.form == Form::recv_any ||
                                  each.form == Form::irecv_any || each.form == Form::ireply;
            if (same && declares) return &each;
            for (const auto* inner : {&each.body, &each.otherwise}) {
                if (const Statement* found = declaration(*inner, slot)) return found;
            }
        }
        return nullptr;
    }

    /// Returns the value of a `let` or a default, if it contains no names.
    static std::optional<Value> constant(const Statement& statement) {
        if (statement.form != Form::let && statement.form != Form::parameter) return std::nullopt;
        if (statement.expressions.empty() || statement.expressions[0].form == Expression::Form::literal) {
            return std::nullopt;  // the text already shows the value
        }
        return Constants().value(statement.expressions[0]);
    }

    const CheckedModel& model_;
    std::size_t offset_;
    const Object* object_ = nullptr;
    const Object* outer_ = nullptr;
};

/// Adds a word unless `all` contains it. Indices of several lists often have the same name.
void add_once(Word word, std::vector<Word>& all) {
    const auto is_same = [&](const Word& each) { return each.text == word.text && each.detail == word.detail; };
    if (std::ranges::none_of(all, is_same)) all.push_back(std::move(word));
}

void add_task_names(const CheckedModel& model, const Statement& each, std::vector<Word>& all) {
    if (!each.name.text.empty()) all.push_back({each.name.text, Word::Kind::object, model.line(each.span)});
    for (std::size_t k = 0; k < each.clauses[0].indices.size(); ++k) {
        add_once({each.clauses[0].indices[k].name.text, Word::Kind::variable, text_of_index(model, each, k)}, all);
    }
    if (each.form == Form::task) add_once({std::string(kWorker), Word::Kind::value, "int, in `prefer`"}, all);
}

void add_names(const CheckedModel& model, const std::vector<Statement>& statements, std::vector<Word>& all) {
    for (const Statement& each : statements) {
        const bool value = each.form == Form::let || each.form == Form::variable;
        const bool names = value || each.form == Form::parameter || each.form == Form::for_each ||
                           each.form == Form::for_range || (each.form == Form::iteration && !each.name.text.empty());
        const Type type = value                          ? each.expressions[0].type
                          : each.form == Form::parameter ? each.declared
                                                         : Type{Kind::integer, false};
        if (names) all.push_back({each.name.text, Word::Kind::variable, type_name(type)});
        if (declares_tasks(each)) add_task_names(model, each, all);
        add_names(model, each.body, all);
        add_names(model, each.otherwise, all);
    }
}

void add_names(const CheckedModel& model, const Object& object, std::vector<Word>& all) {
    if (object.callable()) all.push_back({object.name.text, Word::Kind::object, signature(object)});
    for (const Parameter& each : object.parameters) {
        all.push_back({each.name.text, Word::Kind::variable, type_name(each.type)});
    }
    add_names(model, object.body, all);
    for (const auto& inner : object.inner) add_names(model, *inner, all);
}

}  // namespace

std::optional<Symbol> symbol_at(const Model& model, std::size_t offset) {
    const CheckedModel& checked = model.checked();
    for (const auto& object : checked.files[0].objects) {
        Finder finder(checked, offset);
        if (auto found = finder.in(*object, nullptr)) return found;
        for (const auto& inner : object->inner) {
            if (auto found = finder.in(*inner, object.get())) return found;
        }
    }
    return std::nullopt;
}

std::vector<Word> words(const Model* model) {
    std::vector<Word> all;
    for (const Keyword& each : keywords()) {
        all.push_back({std::string(each.word), Word::Kind::keyword, "reserved word"});
    }
    for (const BlockWord& each : kBlockWords) {
        if (kind_named(each.word)) continue;
        all.push_back({std::string(each.word), Word::Kind::keyword, fmt::format("in {}", each.block)});
    }
    for (const std::string& each : kind_names()) all.push_back({each, Word::Kind::type, "type"});
    for (const std::string& each : function_names()) {
        all.push_back({each, Word::Kind::function, std::string(find_function(each)->takes)});
    }
    for (const Builtin& each : builtins()) {
        all.push_back({std::string(each.name), Word::Kind::value, type_name({each.kind, false})});
    }
    for (const RoleDescription& each : kRoles) {
        all.push_back({std::string(each.name), Word::Kind::value, fmt::format("role: {}", each.what)});
    }
    if (model == nullptr) return all;
    const CheckedModel& checked = model->checked();
    for (const auto& object : checked.files[0].objects) add_names(checked, *object, all);
    for (const std::uint32_t file : checked.files[0].imported) {
        for (const auto& object : checked.files[file].objects) {
            if (object->callable()) all.push_back({object->name.text, Word::Kind::object, signature(*object)});
        }
    }
    return all;
}

}  // namespace warpfront::psl
