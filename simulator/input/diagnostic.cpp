#include "simulator/input/diagnostic.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/escaping.hpp"

namespace warpfront::input {

namespace {

constexpr std::size_t kLongestExpected = 800;  // code points; it may list names
constexpr std::size_t kLongestMessage = 400;   // code points
constexpr std::size_t kLongestLine = 120;      // code points; a longer line is cut around its caret
constexpr std::size_t kShownBeforeCaret = 60;
constexpr std::size_t kFar = 4 * kLongestLine;  // bytes; a code point has at most 4

/// Whether both are one file, possibly read twice by different paths.
bool same(const SourceFilePtr& a, const SourceFilePtr& b) {
    if (a == b) return true;
    if (!a || !b || a->text() != b->text()) return false;
    std::error_code failed;
    return std::filesystem::equivalent(a->name(), b->name(), failed);
}

std::atomic<FaultObserver> fault_observer = nullptr;

bool same(const Diagnostic& a, const Diagnostic& b) {
    return a.range.offset == b.range.offset && a.range.length == b.range.length && a.message == b.message &&
           same(a.range.source, b.range.source);
}

/// The source line with carets under the range, both cut to the width of a terminal.
std::string excerpt(const SourceRange& range, const std::string& expected) {
    const unsigned number = range.source->position(range.offset).line;
    const std::string_view line = range.source->line_text(number);
    const std::size_t line_start = range.source->line_start(number);
    const std::size_t from = std::min(range.offset - std::min(range.offset, line_start), line.size());

    const std::size_t window = from - std::min(from, kFar);
    CodePoints before = printable_code_points(line.substr(window, from - window));
    CodePoints after = printable_code_points(line.substr(from, kFar));
    if (before.size() + after.size() > kLongestLine) {
        const std::size_t hidden = before.size() - std::min(before.size(), kShownBeforeCaret);
        before.erase(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(hidden));
        after.resize(std::min(after.size(), kLongestLine - before.size()));
    }
    const std::size_t marked = printable_code_points(line.substr(from, std::min(range.length, kFar))).size();
    const std::size_t carets = std::max<std::size_t>(1, std::min(marked, after.size()));

    std::string blank;  // a tab below each tab, so that the caret lines up whatever the tab width
    for (const std::string_view code_point : before) blank += code_point == "\t" ? '\t' : ' ';
    return fmt::format("{:>5} | {}{}\n{:>5} | {}{}{}{}\n", number, fmt::join(before, ""), fmt::join(after, ""), "",
                       blank, std::string(carets, '^'), expected.empty() ? "" : " ",
                       escaped(expected, kLongestExpected));
}

std::string render_fault(const Diagnostic& fault) {
    const std::string message = escaped(fault.message, kLongestMessage);
    if (!fault.range.source) {
        if (fault.expected.empty()) return fmt::format("error: {}\n", message);
        return fmt::format("error: {}: {}\n", message, escaped(fault.expected, kLongestExpected));
    }
    const SourceFile::Position position = fault.range.source->position(fault.range.offset);
    return fmt::format("{}:{}:{}: error: {}\n{}", escaped(fault.range.source->name(), kLongestMessage), position.line,
                       position.column, message, excerpt(fault.range, fault.expected));
}

}  // namespace

std::string_view kind_name(DiagnosticKind kind) {
    static constexpr std::array names = {
#define FAULT_KIND(name) std::string_view(#name),
#include "simulator/input/diagnostic_kinds.def"
#undef FAULT_KIND
    };
    return names[static_cast<std::size_t>(kind)];
}

void observe_faults(FaultObserver observer) { fault_observer = observer; }

void Diagnostics::add(DiagnosticKind kind, SourceRange range, std::string message, std::string expected) {
    if (const FaultObserver observer = fault_observer) observer(kind);
    Diagnostic fault{kind, std::move(range), std::move(message), std::move(expected)};
    for (const Diagnostic& earlier : faults_) {
        if (same(fault, earlier)) return;
    }
    if (faults_.size() < kMostFaults) {
        faults_.push_back(std::move(fault));
    } else {
        ++beyond_;
    }
}

void Diagnostics::add(const Diagnostics& others) {
    for (const Diagnostic& fault : others.faults_) add(fault.kind, fault.range, fault.message, fault.expected);
    beyond_ += others.beyond_;
}

void Diagnostics::sort_by_place() {
    std::stable_sort(faults_.begin(), faults_.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return a.range.offset < b.range.offset; });
}

void Diagnostics::raise() const {
    if (!empty()) throw BadInput(*this);
}

std::string Diagnostics::render() const {
    std::string text;
    for (const Diagnostic& fault : faults_) text += render_fault(fault);
    if (beyond_ > 0) text += fmt::format("... and {} more\n", beyond_);
    return text;
}

BadInput::BadInput(Diagnostics faults) : faults_(std::move(faults)), text_(faults_.render()) {}

BadInput::BadInput(DiagnosticKind kind, SourceRange range, std::string message, std::string expected) {
    faults_.add(kind, std::move(range), std::move(message), std::move(expected));
    text_ = faults_.render();
}

}  // namespace warpfront::input
