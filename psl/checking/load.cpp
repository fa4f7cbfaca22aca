// Reads a model file and all it imports, parses and checks them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <system_error>

#include "psl/checking/checker.hpp"
#include "psl/checking/load.hpp"
#include "psl/checking/model.hpp"
#include "psl/syntax/parser.hpp"
#include "simulator/input/read_file.hpp"

namespace warpfront::psl {
namespace {

using input::DiagnosticKind;

constexpr std::size_t kLargestModel = std::size_t{256} << 10;  // bytes of one file
constexpr std::size_t kMostFiles = 100;

class Loader {
public:
    CheckedModel run(const std::filesystem::path& path, const input::SourceRange& mentioned_at) {
        return run(path, read(path, mentioned_at));
    }

    CheckedModel run(const std::filesystem::path& path, std::string text) {
        return run(path, add(path, std::make_shared<const input::SourceFile>(path.string(), std::move(text))));
    }

private:
    CheckedModel run(const std::filesystem::path& path, std::optional<std::uint32_t> first) {
        if (first) follow_imports(*first, path);
        faults_.raise();
        check(model_, faults_);
        faults_.raise();
        return std::move(model_);
    }

    struct Known {
        std::filesystem::path path;
        std::uint32_t file;
        bool running;  // its imports are being read
    };

    /// Parses one file; nothing if it cannot be read.
    std::optional<std::uint32_t> read(const std::filesystem::path& path, const input::SourceRange& mentioned_at) {
        try {
            return add(path, input::read_file(path, mentioned_at));
        } catch (const input::BadInput& bad) {
            faults_.add(bad.faults());
            return std::nullopt;
        }
    }

    /// Nothing if the file is too large.
    std::optional<std::uint32_t> add(const std::filesystem::path& path, const input::SourceFilePtr& source) {
        if (source->text().size() > kLargestModel) {
            faults_.add(DiagnosticKind::file_too_large, {source, 0, 0},
                        fmt::format("a model of {} bytes", source->text().size()),
                        fmt::format("expected at most {}", kLargestModel));
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
            const auto target = (path.parent_path() / imports[k].path).lexically_normal();
            const auto imported = resolve(imports[k], target);
            if (!imported) continue;
            model_.files[file].imports[k].file = *imported;
            add_import(file, *imported);
        }
        known_[file].running = false;
    }

    void add_import(std::uint32_t file, std::uint32_t imported) {
        auto& all = model_.files[file].imported;
        if (std::find(all.begin(), all.end(), imported) == all.end()) all.push_back(imported);
    }

    std::optional<std::uint32_t> resolve(const Import& import, const std::filesystem::path& target) {
        const auto same =
            std::find_if(known_.begin(), known_.end(), [&](const Known& k) { return k.path == identity(target); });
        if (same != known_.end() && !same->running) return same->file;
        if (same != known_.end()) {
            faults_.add(DiagnosticKind::import_cycle, model_.range_of(import.span),
                        fmt::format("`{}` imports itself", target.string()), "expected imports without a cycle");
            return std::nullopt;
        }
        if (model_.files.size() >= kMostFiles) {
            faults_.add(DiagnosticKind::program_too_large, model_.range_of(import.span),
                        fmt::format("more than {} files", kMostFiles));
            return std::nullopt;
        }
        const auto file = read(target, model_.range_of(import.span));
        if (file) follow_imports(*file, target);
        return file;
    }

    CheckedModel model_;
    std::vector<Known> known_;  // by file index
    input::Diagnostics faults_;
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
        const bool called_so =
            std::find(wanted.usual.begin(), wanted.usual.end(), item.name.text) != wanted.usual.end();
        const bool fits_role = type_name(item.declared) == wanted.type && item.role.text.empty();
        if (called_so && fits_role && !usual) usual = item.name.text;
    }
    return usual;
}

std::vector<input::SourceFilePtr> Model::sources() const { return checked_->sources; }

Model load(const std::filesystem::path& path, const input::SourceRange& mentioned_at) {
    return Model(std::make_shared<const CheckedModel>(Loader().run(path, mentioned_at)));
}

Model load_text(const std::filesystem::path& path, std::string text) {
    return Model(std::make_shared<const CheckedModel>(Loader().run(path, std::move(text))));
}

}  // namespace warpfront::psl
