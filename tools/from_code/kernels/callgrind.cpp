#include "tools/from_code/kernels/callgrind.hpp"

#include <algorithm>
#include <charconv>

namespace warpfront::kernels {

namespace {

/// Removes the number at the front of `text`, up to a blank, and returns it.
std::uint64_t take_number(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    int base = 10;
    if (text.starts_with("0x")) {
        base = 16;
        text.remove_prefix(2);
    }
    std::uint64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number, base);
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return number;
}

class CallgrindReader {
public:
    explicit CallgrindReader(std::string_view function) : function_(function) {}

    void read(std::string_view line) {
        const std::size_t equals = line.find('=');
        if (equals != std::string_view::npos && !line.starts_with("0x")) {
            return read_key(line.substr(0, equals), line.substr(equals + 1));
        }
        if (!line.starts_with("0x")) return;
        if (after_call_) {  // the cost of the call, which its own lines contain
            after_call_ = false;
            return;
        }
        CodeAddress at{std::string(object_), take_number(line)};
        const auto number = static_cast<unsigned>(take_number(line));
        Executed& executed = profile_.instructions[std::move(at)];
        executed.line = {std::string(file_), number};
        executed.function = caller_;
        executed.times += take_number(line);
    }

    Profile take() { return std::move(profile_); }

private:
    void read_key(std::string_view key, std::string_view value) {
        if (key == "ob") object_ = value;
        if (key == "fl" || key == "fi" || key == "fe") file_ = value;
        if (key == "fn") caller_ = value;
        if (key == "cfn") callee_ = value;
        if (key != "calls") return;
        after_call_ = true;
        if (!is_function(callee_)) return;
        profile_.calls += take_number(value);
        profile_.is_recursive |= is_function(caller_);
    }

    /// Returns true for the function. callgrind appends its level to a recursive call: `fib'2`.
    bool is_function(std::string_view name) const { return name.substr(0, name.find('\'')) == function_; }

    std::string_view function_, caller_, callee_, file_, object_;
    bool after_call_ = false;
    Profile profile_;
};

}  // namespace

Profile parse_callgrind(std::string_view text, std::string_view function) {
    CallgrindReader reader(function);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        reader.read(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return reader.take();
}

}  // namespace warpfront::kernels
