#include "tools/program/documentation/program_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "simulator/input/diagnostic.hpp"
#include "simulator/scenario/keys.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/program/command_line/options.hpp"

namespace warpfront::documentation {

namespace {

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(separator, start), text.size());
        parts.emplace_back(text.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

/// Returns true if a form is the literal words, such as `auto|full`. Forms in capitals, such as FILE, are placeholders.
bool is_literal(std::string_view form) {
    return std::ranges::none_of(form, [](unsigned char letter) { return std::isupper(letter) != 0; });
}

ValueKind kind_of(std::string_view form) {
    static constexpr std::array<std::pair<std::string_view, ValueKind>, 10> kKinds{{{"", ValueKind::none},
                                                                                    {"PROGRAM", ValueKind::file},
                                                                                    {"PATH=VALUE", ValueKind::key},
                                                                                    {"SCENARIO", ValueKind::scenario},
                                                                                    {"STUDY", ValueKind::scenario},
                                                                                    {"PATH=VALUES", ValueKind::key},
                                                                                    {"FILE.csv", ValueKind::table},
                                                                                    {"FILE", ValueKind::file},
                                                                                    {"FILE|-", ValueKind::file},
                                                                                    {"DIR", ValueKind::folder}}};
    const auto known = std::ranges::find_if(kKinds, [&](const auto& kind) { return kind.first == form; });
    if (known != kKinds.end()) return known->second;
    if (!is_literal(form)) return ValueKind::other;
    return form.find(',') == std::string_view::npos ? ValueKind::word : ValueKind::words;
}

OptionText text_of(const CLI::Option& option) {
    OptionText text;
    text.positional = option.get_positional();
    text.name = option.get_name();
    const bool flag = option.get_expected_max() == 0;
    text.form = text.positional ? text.name : flag ? "" : option.get_type_name();
    text.help = option.get_description();
    text.kind = kind_of(text.form);
    if (text.kind == ValueKind::word) text.choices = split(text.form, '|');
    if (text.kind == ValueKind::words) text.choices = split(text.form, ',');
    text.required = option.get_required();
    text.repeats = option.get_expected_max() > 1;
    return text;
}

std::vector<OptionText> options_of(const CLI::App& app) {
    std::vector<OptionText> options;
    for (const CLI::Option* option : app.get_options()) options.push_back(text_of(*option));
    return options;
}

std::vector<EngineText> engines() {
    std::vector<EngineText> all;
    for (std::size_t number = 0; number < tools::engine_names().size(); ++number) {
        const tools::Engine engine(number);
        std::string text = fmt::format("{}.", tools::description_of(engine));
        if (engine.is_closed_form()) {
            const analytic::ClosedForm& form = engine.closed_form();
            text += fmt::format(" {}.", form.source);
            if (!form.needs.empty()) text += fmt::format(" It needs {}.", form.needs);
        }
        all.push_back({std::string(tools::name_of(engine)), std::move(text)});
    }
    return all;
}

/// Returns the keys that `--set` accepts. A list is set as a whole, so the keys of its items are left out.
std::vector<std::string> settable_keys() {
    std::vector<std::string> paths;
    std::string_view list;
    for (const scenario::Key& key : scenario::keys()) {
        if (key.form.starts_with("list")) list = key.path;
        if (list.empty() || key.path == list || !key.path.starts_with(list)) paths.emplace_back(key.path);
    }
    return paths;
}

}  // namespace

ProgramText program_text() {
    CLI::App app;
    tools::AllOptions values;
    Diagnostics faults;
    tools::describe_program(app, values, faults);
    ProgramText program{app.get_name(),
                        std::string("warpfront ") + WARPFRONT_VERSION,
                        app.get_description(),
                        options_of(app),
                        {},
                        engines(),
                        settable_keys()};
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        program.commands.push_back({command->get_name(), command->get_description(), options_of(*command)});
    }
    return program;
}

}  // namespace warpfront::documentation
