#include "tools/program/command_line/options.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/scenario/keys.hpp"
#include "tools/answer/prediction/option_values.hpp"

namespace warpfront::tools {

namespace {

bool is_option(const std::string& argument) { return argument.size() > 1 && argument.front() == '-'; }

/// Returns the options of `command` by name, such as `--json`, without positional arguments.
std::vector<std::string> option_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_positional()) names.push_back(option->get_name());
    }
    return names;
}

std::vector<std::string> positional_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_positional()) names.push_back(option->get_name());
    }
    return names;
}

std::vector<std::string> command_names(const CLI::App& program) {
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(command->get_name());
    }
    return names;
}

/// Returns the sub-commands that have an option of that name.
std::vector<std::string> commands_with(const CLI::App& program, const std::string& option) {
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
        const std::vector<std::string> options = option_names(*command);
        if (std::ranges::find(options, option) != options.end()) names.push_back(command->get_name());
    }
    return names;
}

/// Returns true if an argument is a scenario. Any other argument is taken for the value of an unknown option.
bool names_file(const std::string& argument) { return argument.ends_with(".yaml"); }

/// Suggests `--set` for an option that is a key of a scenario: `--set iterations=3`. `value` is the argument after the
/// option; it may be empty.
std::string as_set(const std::string& option, const std::string& value) {
    std::vector<std::string> sets;
    for (const std::string& path : scenario::paths_ending_in(std::string_view(option).substr(2))) {
        sets.push_back(fmt::format("--set {}={}", path, value));
    }
    return sets.empty() ? std::string() : "expected " + alternatives(sets);
}

/// Adds a fault for an unknown option. `value` is the argument after the option if that is its value.
void refuse_option(const std::string& argument, const std::string& value, const CLI::App& command,
                   const CLI::App& program, Diagnostics& faults) {
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const std::vector<std::string> others = commands_with(program, name);
    const std::vector<std::string> own = option_names(command);
    const std::string_view near = input::nearest_name(name, own);
    std::string expected = "expected " + alternatives(own);
    if (!near.empty()) expected = fmt::format("did you mean `{}`?", near);
    const bool takes_sets = std::ranges::find(own, "--set") != own.end();
    const std::string set = takes_sets && name.starts_with("--")
                                ? as_set(name, equals < argument.size() ? argument.substr(equals + 1) : value)
                                : "";
    if (!set.empty()) expected = set;
    if (!others.empty()) expected = fmt::format("this option belongs to {}", alternatives(others));
    faults.add(DiagnosticKind::bad_option, {}, fmt::format("`{}` has no option `{}`", command.get_name(), name),
               expected);
}

/// Reports words before the sub-command, which accepts only words after it.
void refuse_before_command(const std::vector<std::string>& extras, const CLI::App& program, const CLI::App& command,
                           Diagnostics& faults) {
    const auto first = std::ranges::find_if(extras, is_option);
    faults.add(DiagnosticKind::bad_option, {},
               fmt::format("`{}` comes before the subcommand", first != extras.end() ? *first : extras.front()),
               fmt::format("expected it after the subcommand: `{} {} {}`", program.get_name(), command.get_name(),
                           fmt::join(extras, " ")));
}

void refuse_command(const std::string& argument, const CLI::App& program, Diagnostics& faults) {
    const std::vector<std::string> names = command_names(program);
    const std::string_view near = input::nearest_name(argument, names);
    faults.add(DiagnosticKind::bad_option, {}, fmt::format("unknown subcommand `{}`", argument),
               near.empty() ? "expected " + alternatives(names) : fmt::format("did you mean `{}`?", near));
}

/// Reports arguments that no option takes. If some begin with a dash, only these are reported, because the others may
/// be values of an unknown option.
void refuse_extras(const std::vector<std::string>& extras, const CLI::App& program, Diagnostics& faults) {
    const CLI::App& command = command_given(program);
    const auto first_option = std::ranges::find_if(extras, is_option);
    if (first_option == extras.end() && &command == &program) {
        refuse_command(extras.front(), program, faults);
    } else if (first_option == extras.end()) {
        const std::vector<std::string> names = positional_names(command);
        faults.add(
            DiagnosticKind::bad_option, {}, fmt::format("`{}` is one argument too many", extras.front()),
            names.empty() ? "expected options only" : fmt::format("expected {} and options", alternatives(names)));
    }
    for (std::size_t at = 0; at < extras.size(); ++at) {
        const bool has_value = at + 1 < extras.size() && !is_option(extras[at + 1]) && !names_file(extras[at + 1]);
        if (is_option(extras[at]))
            refuse_option(extras[at], has_value ? extras[at + 1] : "VALUE", command, program, faults);
    }
}

/// Formats the option as in the help: `--json FILE|-`.
std::string form_of(const CLI::Option& option) {
    if (option.get_positional() || option.get_type_name().empty()) return option.get_name();
    return fmt::format("{} {}", option.get_name(), option.get_type_name());
}

void refuse_missing(const CLI::App& command, Diagnostics& faults) {
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_required() || option->count() > 0) continue;
        faults.add(DiagnosticKind::bad_option, {}, fmt::format("`{}` needs `{}`", command.get_name(), form_of(*option)),
                   fmt::format("expected {}", option->get_description()));
    }
}

/// Reports an option with too few or too many values. CLI11's message begins with the name of the option. The name of a
/// flag has no dashes.
void refuse_count(std::string_view message, const CLI::App& command, Diagnostics& faults) {
    for (const CLI::Option* option : command.get_options()) {
        const std::string name = option->get_name();
        if ("--" + std::string(message.substr(0, message.find(' '))) == name) {
            faults.add(DiagnosticKind::bad_option, {}, fmt::format("`{}` is given a value", name),
                       "expected the option without a value");
        }
        if (!message.starts_with(name + ":")) continue;
        const std::string form = form_of(*option);
        if (message.ends_with("missing")) {
            faults.add(DiagnosticKind::bad_option, {}, fmt::format("`{}` has no value", name),
                       fmt::format("expected `{}`", form));
        } else {
            faults.add(DiagnosticKind::bad_option, {}, fmt::format("`{}` is given {} times", name, option->count()),
                       "expected it once");
        }
    }
}

/// Returns the absolute path of the file, without links.
std::filesystem::path file_of(const std::string& target) {
    std::error_code error;
    const std::filesystem::path file = std::filesystem::weakly_canonical(std::filesystem::absolute(target), error);
    return error ? std::filesystem::path(target) : file;
}

bool is_device(const std::filesystem::path& file) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(file, error);
    return std::filesystem::is_character_file(status);
}

}  // namespace

void refuse_shared_outputs(const std::vector<OutputName>& outputs, Diagnostics& faults) {
    for (std::size_t later = 1; later < outputs.size(); ++later) {
        const OutputName& output = outputs[later];
        const bool to_stdout = output.target == "-";
        const std::filesystem::path file = file_of(output.target);
        for (std::size_t earlier = 0; earlier < later; ++earlier) {
            const OutputName& other = outputs[earlier];
            if ((other.target == "-") != to_stdout || file_of(other.target) != file) continue;
            if (to_stdout) {
                faults.add(DiagnosticKind::bad_option, {},
                           fmt::format("stdout (`-`) accepts only one of {} and {}", other.option, output.option),
                           "expected a file for one of them");
            } else if (!is_device(file)) {
                faults.add(DiagnosticKind::bad_option, {},
                           fmt::format("two outputs have the name `{}`: {} and {}", output.target, other.option,
                                       output.option),
                           "expected a different name for one of them");
            }
        }
    }
}

const CLI::App& command_given(const CLI::App& program) {
    const std::vector<CLI::App*> given = program.get_subcommands();
    return given.empty() ? program : *given.front();
}

void refuse_no_command(const CLI::App& program, Diagnostics& faults) {
    faults.add(DiagnosticKind::bad_option, {}, "a subcommand is missing",
               "expected " + alternatives(command_names(program)));
}

void explain(const CLI::ParseError& error, const CLI::App& program, Diagnostics& faults) {
    const std::size_t before = faults.count();
    const CLI::App& command = command_given(program);
    const std::vector<std::string> extras = command.remaining();
    if (!extras.empty()) {
        refuse_extras(extras, program, faults);
    } else if (const std::vector<std::string> before_it = program.remaining(); !before_it.empty()) {
        refuse_before_command(before_it, program, command, faults);
    } else if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
        refuse_missing(command, faults);
    } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
        refuse_count(error.what(), command, faults);
    }
    if (faults.count() == before) faults.add(DiagnosticKind::bad_option, {}, error.what());
}

}  // namespace warpfront::tools
