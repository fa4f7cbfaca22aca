// Reads, parses and checks a model file and all its imports.
#include "psl/checking/load.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "psl/checking/model.hpp"
#include "psl/checking/object_checker.hpp"
#include "psl/syntax/parser.hpp"
#include "simulator/input/file_kind.hpp"
#include "simulator/input/read_file.hpp"

namespace warpfront::psl {

namespace {

constexpr std::size_t kLargestModel = std::size_t{256} << 10;  // bytes of one file
constexpr std::size_t kMostFiles = 100;

/// Finds all errors that do not depend on parameters: in names, types, units, numbers of arguments, requests and
/// recursion.
class Checker {
public:
    Checker(CheckedModel& model, Diagnostics& faults) : model_(model), faults_(faults) {}

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

    /// Returns the objects that a file and its direct imports declare.
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
        const auto same = std::ranges::find(all, object.name.text, [](const Object* each) { return each->name.text; });
        if (same != all.end()) {
            const SourceRange first = model_.range_of((*same)->name.span);
            fault(
                DiagnosticKind::duplicate_name, object.name.span,
                fmt::format("`{}` is declared twice", object.name.text),
                fmt::format("the first is in {}:{}", first.source->name(), first.source->position(first.offset).line));
            return;
        }
        all.push_back(&object);
    }

    void check_object(Object& object, const Callables& outer) {
        if (object.form != Object::Form::application) {
            return check_statements(object, model_, outer, calls_, faults_);
        }
        Callables all = outer;
        for (const auto& inner : object.inner) add_callable(all, *inner);
        check_statements(object, model_, all, calls_, faults_);
        const auto list = std::ranges::find(object.body, Statement::Form::task_list, &Statement::form);
        const bool has_tasks = list != object.body.end();
        count_blocks(object, Statement::Form::iteration, "iteration", has_tasks ? 0 : 1);
        count_blocks(object, Statement::Form::closed_form, "closed_form", 0);
        if (!has_tasks) return;
        for (const Statement& each : object.body) {
            if (each.form != Statement::Form::iteration && each.form != Statement::Form::closed_form) continue;
            fault(DiagnosticKind::iteration_blocks, each.span, "this block is not allowed beside lists of tasks",
                  "expected either lists of tasks, or an `iteration` and possibly a `closed_form`");
        }
    }

    void count_blocks(const Object& application, Statement::Form form, std::string_view name, std::size_t least) {
        std::size_t count = 0;
        for (const Statement& each : application.body) {
            if (each.form == form && ++count == 2) {
                fault(DiagnosticKind::iteration_blocks, each.span, fmt::format("a second `{}` block", name),
                      "expected one of these blocks per application");
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
                      fmt::format("a second application `{}`", object->name.text), "expected one application per file");
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

    /// Returns the greatest depth of calls below `object`. The depth is 1 if `object` calls nothing.
    unsigned visit(const Object* object, Span called_at, unsigned depth) {
        Visit& visited = visits_[object];
        if (visited.state == State::running) {
            fault(DiagnosticKind::recursion, called_at, fmt::format("`{}` calls itself", object->name.text),
                  "expected a loop: templates, subtasks and functions cannot call themselves");
            return 1;
        }
        if (depth + visited.height >= kDeepestNesting) {
            fault(DiagnosticKind::nesting_too_deep, called_at,
                  fmt::format("calls are nested more than {} levels deep", kDeepestNesting));
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
    Diagnostics& faults_;
    std::vector<Call> calls_;
    /// The calls of each object. The map is only for lookup, so the order of addresses has no effect.
    std::map<const Object*, std::vector<const Call*>> callees_;
    std::map<const Object*, Visit> visits_;
};

class Loader {
public:
    CheckedModel run(const std::filesystem::path& path, const SourceRange& mentioned_at) {
        return run(path, read(path, mentioned_at));
    }

    CheckedModel run(const std::filesystem::path& path, std::string text) {
        return run(path, add(path, std::make_shared<const input::SourceFile>(path.string(), std::move(text))));
    }

private:
    CheckedModel run(const std::filesystem::path& path, std::optional<std::uint32_t> first) {
        if (first) follow_imports(*first, path);
        faults_.raise();
        Checker(model_, faults_).run();
        faults_.raise();
        return std::move(model_);
    }

    struct Known {
        std::filesystem::path path;
        std::uint32_t file;
        bool running;  // true while the imports of the file are read
    };

    /// Parses one file. Returns nothing if the file cannot be read.
    std::optional<std::uint32_t> read(const std::filesystem::path& path, const SourceRange& mentioned_at) {
        try {
            const SourceFilePtr source = input::read_file(path, mentioned_at);
            const bool is_named_model = path.extension() == ".psl";
            if (!is_named_model) input::refuse_other_kind(source, {}, "a model (.psl)", mentioned_at);
            return add(path, source);
        } catch (const BadInput& bad) {
            faults_.add(bad.diagnostics());
            return std::nullopt;
        }
    }

    /// Adds a file. Returns nothing if the file is too large.
    std::optional<std::uint32_t> add(const std::filesystem::path& path, const SourceFilePtr& source) {
        if (source->text().size() > kLargestModel) {
            faults_.add(DiagnosticKind::file_too_large, {source, 0, 0},
                        fmt::format("this model has {} bytes", source->text().size()),
                        fmt::format("expected at most {} bytes", kLargestModel));
            return std::nullopt;
        }
        const auto file = static_cast<std::uint32_t>(model_.files.size());
        model_.sources.push_back(source);
        model_.files.push_back(parse(source, file, faults_));
        known_.push_back({identity(path), file, false});
        return file;
    }

    static std::filesystem::path identity(const std::filesystem::path& path) {
        std::error_code ignored;
        auto canonical = std::filesystem::weakly_canonical(path, ignored);
        return ignored ? path.lexically_normal() : canonical;
    }

    void follow_imports(std::uint32_t file, const std::filesystem::path& path) {
        known_[file].running = true;
        const std::vector<Import> imports = model_.files[file].imports;
        for (std::size_t k = 0; k < imports.size(); ++k) {
            const auto target = (input::folder_of(path) / imports[k].path).lexically_normal();
            const auto imported = resolve(imports[k], target);
            if (!imported) continue;
            model_.files[file].imports[k].file = *imported;
            add_import(file, *imported);
        }
        known_[file].running = false;
    }

    void add_import(std::uint32_t file, std::uint32_t imported) {
        auto& all = model_.files[file].imported;
        if (std::ranges::find(all, imported) == all.end()) all.push_back(imported);
    }

    std::optional<std::uint32_t> resolve(const Import& import, const std::filesystem::path& target) {
        const auto same = std::ranges::find_if(known_, [&](const Known& k) { return k.path == identity(target); });
        if (same != known_.end() && !same->running) return same->file;
        if (same != known_.end()) {
            faults_.add(DiagnosticKind::import_cycle, model_.range_of(import.span),
                        fmt::format("`{}` imports itself", target.string()), "expected imports without a cycle");
            return std::nullopt;
        }
        if (model_.files.size() >= kMostFiles) {
            faults_.add(DiagnosticKind::program_too_large, model_.range_of(import.span),
                        fmt::format("the model has more than {} files", kMostFiles));
            return std::nullopt;
        }
        const auto file = read(target, model_.range_of(import.span));
        if (file) follow_imports(*file, target);
        return file;
    }

    CheckedModel model_;
    std::vector<Known> known_;  // files read so far, by index
    Diagnostics faults_;
};

}  // namespace

std::string CheckedModel::line(Span span) const {
    std::string result;
    bool blank = false;
    for (const char c : text(span)) {
        const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (!is_blank && blank) result += ' ';
        if (!is_blank) result += c;
        blank = is_blank;
    }
    return result;
}

Model::Model(std::shared_ptr<const CheckedModel> checked) : checked_(std::move(checked)) {}

const std::string& Model::name() const { return checked_->name; }

std::vector<ParameterInfo> Model::parameters() const {
    std::vector<ParameterInfo> all;
    if (!checked_->application) return all;
    for (const Statement& item : checked_->application->body) {
        if (item.form != Statement::Form::parameter) continue;
        all.push_back({item.name.text, type_name(item.declared), item.expressions.empty()});
    }
    return all;
}

std::optional<std::string> Model::parameter_with(Role role) const {
    if (!checked_->application) return std::nullopt;
    const RoleDescription& wanted = description_of(role);
    std::optional<std::string> usual;
    for (const Statement& item : checked_->application->body) {
        if (item.form != Statement::Form::parameter) continue;
        if (item.role.text == wanted.name) return item.name.text;
        const bool has_usual_name = std::ranges::find(wanted.usual, item.name.text) != wanted.usual.end();
        const bool fits_role = type_name(item.declared) == wanted.type && item.role.text.empty();
        if (has_usual_name && fits_role && !usual) usual = item.name.text;
    }
    return usual;
}

bool Model::has_tasks() const {
    if (checked_->application == nullptr) return false;
    const auto& body = checked_->application->body;
    return std::ranges::find(body, Statement::Form::task_list, &Statement::form) != body.end();
}

std::vector<SourceFilePtr> Model::sources() const { return checked_->sources; }

Model load(const std::filesystem::path& path, const SourceRange& mentioned_at) {
    return Model(std::make_shared<const CheckedModel>(Loader().run(path, mentioned_at)));
}

Model load_text(const std::filesystem::path& path, std::string text) {
    return Model(std::make_shared<const CheckedModel>(Loader().run(path, std::move(text))));
}

}  // namespace warpfront::psl
