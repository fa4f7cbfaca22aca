#include "simulator/results/answer.hpp"

#include "simulator/input/diagnostic.hpp"
#include "simulator/results/json.hpp"

namespace warpfront::results {

namespace {

using input::BadInput;

std::optional<Output> output(const std::optional<std::string>& target) {
    return target ? std::optional<Output>(std::in_place, *target) : std::nullopt;
}

bool on_stdout(const std::optional<Output>& output) { return output && output->to_stdout(); }

}  // namespace

Answer::Answer(const std::optional<std::string>& json, const std::optional<std::string>& csv)
    : json_(output(json)), csv_(output(csv)) {
    if (!on_stdout(json_) || !on_stdout(csv_)) return;
    throw BadInput(input::DiagnosticKind::bad_option, {}, "stdout (`-`) takes one of `--json` and `--csv`",
                   "expected a file for the other");
}

bool Answer::has_table() const { return !on_stdout(json_) && !on_stdout(csv_); }

void Answer::write(const nlohmann::ordered_json& data, std::string_view table) const {
    input::Diagnostics faults;
    const auto attempt = [&faults](const auto& write_one) {
        try {
            write_one();
        } catch (const BadInput& unwritable) {
            faults.add(unwritable.faults());
        }
    };
    if (json_) attempt([&] { json_->write(json_text(data)); });
    if (csv_) attempt([&] { csv_->write(quantities_csv(data)); });
    if (has_table()) attempt([&] { write_stdout(table); });
    faults.raise();
}

std::string quantities_csv(const nlohmann::ordered_json& data) {
    std::string text = "quantity,value\n";
    const auto add = [&text](const auto& self, const std::string& name, const nlohmann::ordered_json& value) -> void {
        if (!value.is_structured()) {
            const std::string shown = value.is_string() ? value.get<std::string>() : value.dump();
            text += csv_cell(name) + ',' + csv_cell(shown) + '\n';
            return;
        }
        std::size_t place = 0;
        for (const auto& [key, item] : value.items()) {
            const std::string part = value.is_array() ? std::to_string(place++) : key;
            self(self, name.empty() ? part : name + '.' + part, item);
        }
    };
    add(add, "", data);
    return text;
}

std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char letter : text) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    return quoted + '"';
}

}  // namespace warpfront::results
