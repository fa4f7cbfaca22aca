// Diagnostics: faults in a user's input, each with its source range, the observation and the expectation. All kinds are
// in one registry (diagnostic_kinds.def); a test fails for any kind that no suite triggers. The faults of a run are
// collected and reported together. Message style: lower case, no full stop, names in backticks, the observation first.
//
//   models/x.psl:12:17: error: unknown name `wgg`
//      12 |     compute wgg * cells;
//         |             ^^^ expected a parameter or a variable; did you mean `wg`?
//
// A suggestion is the nearest valid name by edit distance (Damerau-Levenshtein, transpositions count one). Text of
// unknown origin is escaped for a terminal: control characters and bytes that are not UTF-8 become U+FFFD, and long
// text is cut. So a report of any file stays one readable line.
//
// Thread rules: `observe_diagnostics` may be called at any time; a Diagnostics belongs to one thread.
#pragma once

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/source.hpp"

namespace warpfront::input {

enum class DiagnosticKind {
#define DIAGNOSTIC_KIND(name) name,
#include "simulator/input/diagnostic_kinds.def"
#undef DIAGNOSTIC_KIND
};
std::string_view kind_name(DiagnosticKind kind);

/// A function that is called with the kind of every fault, on the thread that adds it. Tests record the kinds that they
/// trigger; the program sets no observer.
using DiagnosticObserver = void (*)(DiagnosticKind kind);
void observe_diagnostics(DiagnosticObserver observer);

struct Diagnostic {
    DiagnosticKind kind;
    SourceRange range;
    std::string message;   // after "error: "
    std::string expected;  // beside the caret; may be empty
};

/// An ordered collection of faults. Faults beyond `kMostDiagnostics` are counted, not kept.
class Diagnostics {
public:
    static constexpr std::size_t kMostDiagnostics = 20;

    void add(DiagnosticKind kind, SourceRange range, std::string message, std::string expected = {});
    void add(const Diagnostics& others);
    /// Calls `step`, and adds the faults of a BadInput that it throws.
    template <class Step>
    void collect(const Step& step);
    /// Orders faults of one file by their place; faults at one place stay in the order in which they were found.
    void sort_by_place();
    bool empty() const { return diagnostics_.empty(); }
    std::size_t count() const { return diagnostics_.size() + beyond_; }
    std::span<const Diagnostic> all() const { return diagnostics_; }
    /// Throws BadInput unless it is empty.
    void raise() const;
    /// Returns the text for stderr; it ends with a line break unless empty. A repeated message at the same range is
    /// reported once.
    std::string render() const;

private:
    std::vector<Diagnostic> diagnostics_;
    std::size_t beyond_ = 0;
};

/// An exception that ends the run with exit status 2.
class BadInput : public std::exception {
public:
    explicit BadInput(Diagnostics all);
    BadInput(DiagnosticKind kind, SourceRange range, std::string message, std::string expected = {});
    const Diagnostics& diagnostics() const { return diagnostics_; }
    const char* what() const noexcept override { return text_.c_str(); }

private:
    Diagnostics diagnostics_;
    std::string text_;
};

template <class Step>
void Diagnostics::collect(const Step& step) {
    try {
        step();
    } catch (const BadInput& bad) {
        add(bad.diagnostics());
    }
}

/// Throws BadInput missing_module: a command or a file needs a part of the program that was not built because this
/// Debian package was missing.
[[noreturn]] void refuse_without(std::string_view package, std::string_view what, const SourceRange& range = {});

// Suggestions of names.

/// Returns the number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (optimal
/// string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns the candidate with the smallest edit distance; the first of several. Returns an empty text if this distance
/// exceeds a third of the longer name (but at least 1), or if it equals the length of the longer name.
std::string_view nearest_name(std::string_view name, std::span<const std::string> candidates);

/// Returns "did you mean `x`?"; if none is near, "expected one of `a`, `b`" (beyond 40 names their number); "" without
/// candidates.
std::string suggestion(std::string_view name, std::span<const std::string> candidates);

// Escaping of text.

/// Returns the length in bytes of the valid UTF-8 sequence at the front of `text`; 0 if there is none.
std::size_t utf8_sequence(std::string_view text);

/// Returns at most `limit` code points, then "...".
std::string escaped(std::string_view text, std::size_t limit);

}  // namespace warpfront::input

namespace warpfront {

using input::BadInput;
using input::Diagnostic;
using input::DiagnosticKind;
using input::Diagnostics;

}  // namespace warpfront
