#include "simulator/input/diagnostic.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace warpfront::input {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

unsigned byte(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

bool is_control(std::string_view code_point) {
    const unsigned first = byte(code_point, 0);
    return first < 0x20 || first == 0x7F || (first == 0xC2 && byte(code_point, 1) < 0xA0);
}

/// A text as one entry per code point (or per bad byte), each escaped; tabs are kept.
using CodePoints = std::vector<std::string_view>;
CodePoints printable_code_points(std::string_view text) {
    CodePoints result;
    while (!text.empty()) {
        const std::size_t length = utf8_sequence(text);
        const std::string_view code_point = text.substr(0, std::max<std::size_t>(1, length));
        const bool shown = length > 0 && (code_point == "\t" || !is_control(code_point));
        result.push_back(shown ? code_point : kReplacement);
        text.remove_prefix(code_point.size());
    }
    return result;
}

constexpr std::size_t kLongestExpected = 800;  // code points; it may contain a list of names
constexpr std::size_t kLongestMessage = 400;   // code points
constexpr std::size_t kLongestLine = 120;      // code points; a longer line is cut around its caret
constexpr std::size_t kShownBeforeCaret = 60;
constexpr std::size_t kFar = 4 * kLongestLine;  // bytes; a code point has at most 4

/// Returns true if both are one file, possibly read twice by different paths.
bool same(const SourceFilePtr& a, const SourceFilePtr& b) {
    if (a == b) return true;
    if (!a || !b || a->text() != b->text()) return false;
    if (a->name() == b->name()) return true;  // such as an argument of --set that is read for several scenarios
    std::error_code failed;
    return std::filesystem::equivalent(a->name(), b->name(), failed);
}

std::atomic<DiagnosticObserver> current_observer = nullptr;

bool same(const Diagnostic& a, const Diagnostic& b) {
    return a.range.offset == b.range.offset && a.range.length == b.range.length && a.message == b.message &&
           same(a.range.source, b.range.source);
}

/// Returns the source line with carets under the range, both cut to the width of a terminal.
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

    std::string blank;  // a tab below each tab, so that the caret is aligned for any tab width
    for (const std::string_view code_point : before) blank += code_point == "\t" ? '\t' : ' ';
    return fmt::format("{:>5} | {}{}\n{:>5} | {}{}{}{}\n", number, fmt::join(before, ""), fmt::join(after, ""), "",
                       blank, std::string(carets, '^'), expected.empty() ? "" : " ",
                       escaped(expected, kLongestExpected));
}

std::string rendered(const Diagnostic& each) {
    const std::string message = escaped(each.message, kLongestMessage);
    if (!each.range.source) {
        if (each.expected.empty()) return fmt::format("error: {}\n", message);
        return fmt::format("error: {}: {}\n", message, escaped(each.expected, kLongestExpected));
    }
    const SourceFile::Position position = each.range.source->position(each.range.offset);
    return fmt::format("{}:{}:{}: error: {}\n{}", escaped(each.range.source->name(), kLongestMessage), position.line,
                       position.column, message, excerpt(each.range, each.expected));
}

constexpr std::size_t kLongestName = 100;  // a longer name is not a typing error
constexpr std::size_t kMostNamed = 40;     // a longer list is not helpful

}  // namespace

std::size_t utf8_sequence(std::string_view text) {
    if (text.empty()) return 0;
    const unsigned first = byte(text, 0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
    for (std::size_t at = 1; at < length; ++at) {
        if ((byte(text, at) & 0xC0U) != 0x80U) return 0;
    }
    const unsigned second = byte(text, 1);
    const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
    const bool surrogate = first == 0xED && second > 0x9F;
    const bool beyond = first == 0xF4 && second > 0x8F;
    return overlong || surrogate || beyond ? 0 : length;
}

std::string escaped(std::string_view text, std::size_t limit) {
    const bool cut = text.size() > 4 * limit;  // a code point has at most 4 bytes: the rest need not be read
    const CodePoints code_points = printable_code_points(cut ? text.substr(0, 4 * limit) : text);
    std::string result;
    for (std::size_t at = 0; at < std::min(limit, code_points.size()); ++at) result += code_points[at];
    if (cut || code_points.size() > limit) result += "...";
    return result;
}

std::string_view kind_name(DiagnosticKind kind) {
    static constexpr std::array names = {
#define DIAGNOSTIC_KIND(name) std::string_view(#name),
#include "simulator/input/diagnostic_kinds.def"
#undef DIAGNOSTIC_KIND
    };
    return names[static_cast<std::size_t>(kind)];
}

void observe_diagnostics(DiagnosticObserver observer) { current_observer = observer; }

void Diagnostics::add(DiagnosticKind kind, SourceRange range, std::string message, std::string expected) {
    if (const DiagnosticObserver observer = current_observer) observer(kind);
    Diagnostic diagnostic{kind, std::move(range), std::move(message), std::move(expected)};
    for (const Diagnostic& earlier : diagnostics_) {
        if (same(diagnostic, earlier)) return;
    }
    if (diagnostics_.size() < kMostDiagnostics) {
        diagnostics_.push_back(std::move(diagnostic));
    } else {
        ++beyond_;
    }
}

void Diagnostics::add(const Diagnostics& others) {
    for (const Diagnostic& each : others.diagnostics_) add(each.kind, each.range, each.message, each.expected);
    beyond_ += others.beyond_;
}

void Diagnostics::sort_by_place() {
    std::stable_sort(diagnostics_.begin(), diagnostics_.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return a.range.offset < b.range.offset; });
}

void Diagnostics::raise() const {
    if (!empty()) throw BadInput(*this);
}

std::string Diagnostics::render() const {
    std::string text;
    for (const Diagnostic& each : diagnostics_) text += rendered(each);
    if (beyond_ > 0) text += fmt::format("... and {} more\n", beyond_);
    return text;
}

BadInput::BadInput(Diagnostics all) : diagnostics_(std::move(all)), text_(diagnostics_.render()) {}

BadInput::BadInput(DiagnosticKind kind, SourceRange range, std::string message, std::string expected) {
    diagnostics_.add(kind, std::move(range), std::move(message), std::move(expected));
    text_ = diagnostics_.render();
}

void refuse_without(std::string_view package, std::string_view what, const SourceRange& range) {
    throw BadInput(DiagnosticKind::missing_module, range,
                   fmt::format("{} needs the package `{}`, and this program was built without it", what, package),
                   "install the package and build the program again");
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> two_back(b.size() + 1);
    std::vector<std::size_t> back(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        two_back.swap(back);
        back.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({back[j] + 1, row[j - 1] + 1, back[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], two_back[j - 2] + 1);
        }
    }
    return row[b.size()];
}

std::string_view nearest_name(std::string_view name, std::span<const std::string> candidates) {
    if (name.size() > kLongestName) return {};
    std::string_view best;
    std::size_t least = kLongestName;
    for (const std::string& candidate : candidates) {
        if (candidate.size() > kLongestName) continue;
        const std::size_t longer = std::max(name.size(), candidate.size());
        const std::size_t edits = edit_distance(name, candidate);
        if (edits < least && edits < longer && edits <= std::max<std::size_t>(1, longer / 3)) {
            least = edits;
            best = candidate;
        }
    }
    return best;
}

std::string suggestion(std::string_view name, std::span<const std::string> candidates) {
    if (candidates.empty()) return {};
    const std::string_view near = nearest_name(name, candidates);
    if (!near.empty()) return fmt::format("did you mean `{}`?", near);
    if (candidates.size() == 1) return fmt::format("expected `{}`", candidates[0]);
    std::string text = "expected one of ";
    for (std::size_t at = 0; at < std::min(kMostNamed, candidates.size()); ++at) {
        text += fmt::format("{}`{}`", at == 0 ? "" : ", ", candidates[at]);
    }
    if (candidates.size() > kMostNamed) text += fmt::format(" and {} others", candidates.size() - kMostNamed);
    return text;
}

}  // namespace warpfront::input
