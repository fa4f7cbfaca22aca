#include "psl/checking/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "psl/checking/object_checker.hpp"

namespace warpfront::psl {
namespace {

using input::DiagnosticKind;

class Checker {
public:
    Checker(CheckedModel& model, input::Diagnostics& faults) : model_(model), faults_(faults) {}

    void run() {
        for (std::size_t file = 0; file < model_.files.size(); ++file) {
            const Callables outer = callables(model_.files[file]);
            for (const auto& object : model_.files[file].objects) check_object(*object, outer);
        }
        find_application();
        find_recursion();
    }

private:
    void fault(DiagnosticKind kind, Span span, std::string message, std::string expected = {}) {
        faults_.add(kind, model_.range_of(span), std::move(message), std::move(expected));
    }

    /// The declarations of a file and of its direct imports.
    Callables callables(const File& file) {
        Callables all;
        const auto add = [&](const File& from) {
            for (const auto& object : from.objects) {
                if (object->callable()) add_callable(all, *object);
            }
        };
        for (const std::uint32_t index : file.imported) add(model_.files[index]);
        add(file);
        return all;
    }

    void add_callable(Callables& all, const Object& object) {
        if (object.form == Object::Form::function && find_function(object.name.text) != nullptr) {
            fault(DiagnosticKind::duplicate_name, object.name.span,
                  fmt::format("`{}` is a function of the language", object.name.text), "expected a new name");
        }
        const auto same =
            std::find_if(all.begin(), all.end(), [&](const Object* o) { return o->name.text == object.name.text; });
        if (same != all.end()) {
            const input::SourceRange first = model_.range_of((*same)->name.span);
            fault(
                DiagnosticKind::duplicate_name, object.name.span, fmt::format("a second `{}`", object.name.text),
                fmt::format("the first is in {}:{}", first.source->name(), first.source->position(first.offset).line));
            return;
        }
        all.push_back(&object);
    }

    void check_object(Object& object, const Callables& outer) {
        if (object.form == Object::Form::hardware) {
            return ObjectChecker(model_, outer, calls_, faults_).hardware(object);
        }
        if (object.form != Object::Form::application) {
            return ObjectChecker(model_, outer, calls_, faults_).block_object(object);
        }
        Callables all = outer;
        for (const auto& inner : object.inner) add_callable(all, *inner);
        ObjectChecker(model_, all, calls_, faults_).application(object);
        count_blocks(object, Statement::Form::iteration, "iteration", 1);
        count_blocks(object, Statement::Form::closed_form, "closed_form", 0);
    }

    void count_blocks(const Object& application, Statement::Form form, std::string_view name, std::size_t least) {
        std::size_t count = 0;
        for (const Statement& each : application.body) {
            if (each.form == form && ++count == 2) {
                fault(DiagnosticKind::iteration_blocks, each.span, fmt::format("a second `{}` block", name),
                      "expected one per application");
            }
        }
        if (count >= least) return;
        fault(DiagnosticKind::iteration_blocks, application.name.span,
              fmt::format("application `{}` has no `{}` block", application.name.text, name), "expected exactly one");
    }

    void find_application() {
        for (const auto& object : model_.files[0].objects) {
            if (object->form != Object::Form::application) continue;
            if (model_.application) {
                fault(DiagnosticKind::several_applications, object->name.span,
                      fmt::format("a second application `{}`", object->name.text), "expected one per file");
                continue;
            }
            model_.application = object.get();
            model_.name = object->name.text;
        }
    }

    void find_recursion() {
        for (const Call& call : calls_) callees_[call.caller].push_back(&call);
        for (const Call& call : calls_) visit(call.caller, call.span, 0);
    }

    /// The depth of calls below `object`, 1 if it calls nothing.
    unsigned visit(const Object* object, Span called_at, unsigned depth) {
        Visit& visited = visits_[object];
        if (visited.state == State::running) {
            fault(DiagnosticKind::recursion, called_at, fmt::format("`{}` calls itself", object->name.text),
                  "expected a loop: templates, subtasks and functions cannot recur");
            return 1;
        }
        if (depth + visited.height >= kDeepestNesting) {
            fault(DiagnosticKind::nesting_too_deep, called_at,
                  fmt::format("calls nested more than {} levels deep", kDeepestNesting));
            return 1;
        }
        if (visited.state == State::done) return visited.height;
        visited.state = State::running;
        unsigned height = 1;
        if (const auto found = callees_.find(object); found != callees_.end()) {
            for (const Call* next : found->second) {
                height = std::max(height, 1 + visit(next->callee, next->span, depth + 1));
            }
        }
        visited = {State::done, height};
        return height;
    }

    enum class State : std::uint8_t { fresh, running, done };
    struct Visit {
        State state = State::fresh;
        unsigned height = 0;
    };

    CheckedModel& model_;
    input::Diagnostics& faults_;
    std::vector<Call> calls_;
    std::map<const Object*, std::vector<const Call*>>
        callees_;  // only looked up, so the order of addresses has no effect
    std::map<const Object*, Visit> visits_;
};

}  // namespace

void check(CheckedModel& model, input::Diagnostics& faults) { Checker(model, faults).run(); }

}  // namespace warpfront::psl
