// The words of one line of a trace as values: numbers, ranks, tags, counts of MPI's datatypes. A word of the wrong form
// is an error at its range: bad_number, out_of_range, peer_outside, self_message, wrong_trace_rank. The value is then a
// default and the line is marked as faulty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/trace/communicators.hpp"
#include "simulator/units/bytes.hpp"

namespace warpfront::trace {

// MPI's datatypes by their numbers in traces of SMPI 3.32.

/// The number of every derived datatype (MPI_Type_vector and so on): SMPI does not write the datatype itself.
inline constexpr std::int64_t kDerivedType = -1;
inline constexpr std::int64_t kLastType = 59;
inline constexpr Bytes kLargestType{32};

/// Returns the bytes of one element; 0 for kDerivedType, as in SMPI's own replay. Returns nothing if SMPI has no such
/// number.
std::optional<Bytes> size_of_type(std::int64_t number);

struct Flops {
    double count = 0.0;
};

/// The context of a line: the rank of the trace, the number of ranks, the communicators, and settings from earlier
/// lines.
struct Reading {
    std::uint32_t rank = 0;
    std::uint32_t ranks = 1;
    const Communicators* communicators = nullptr;
    std::uint32_t next_communicator = kWorld;  // of a collective that names none
    std::int64_t count_bytes = 1;              // of a count without a datatype
};

struct Word {
    std::string_view text;
    std::size_t offset = 0;  // within the line
};
std::vector<Word> split_words(std::string_view line);

/// The words of a line. Indices count from the word after the verb.
class Words {
public:
    /// Requires at least two words; the references must outlive it.
    Words(const input::SourceRange& range, std::vector<Word> words, const Reading& reading, input::Diagnostics& faults);

    bool sound() const { return sound_; }
    /// Returns true if a count so far was in a derived datatype.
    bool size_unknown() const { return size_unknown_; }
    /// Returns the bytes of an element of the first count so far; 0 if its datatype is derived.
    Bytes element() const { return element_.value_or(Bytes{}); }
    bool has(std::size_t index) const { return index + 2 < words_.size(); }

    /// Checks that the first word is the rank of the trace.
    void check_owner();
    bool is_any_source(std::size_t index) const;
    bool is_any_tag(std::size_t index) const;
    std::uint32_t rank(std::size_t index);
    std::uint32_t peer(std::size_t index);
    std::int32_t tag(std::size_t index);
    /// Reads a count at `index` of the datatype at `type`, if there is one; `least` is -1 if the count may be unknown.
    Bytes bytes(std::size_t index, std::size_t type, double least = 0);
    Flops flops(std::size_t index);
    double seconds(std::size_t index);

private:
    const Word& word(std::size_t index) const { return words_[index + 2]; }
    void refuse(input::DiagnosticKind kind, const Word& word, std::string message, std::string expected);
    double real(const Word& word, double least, double most);
    std::int64_t whole(const Word& word, double least, double most);
    std::int64_t type_bytes(const Word& word);

    const input::SourceRange& range_;
    const std::vector<Word> words_;
    const Reading& reading_;
    input::Diagnostics& faults_;
    bool sound_ = true;
    bool size_unknown_ = false;
    std::optional<Bytes> element_;
};

}  // namespace warpfront::trace
