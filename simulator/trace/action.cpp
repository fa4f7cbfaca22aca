#include "simulator/trace/action.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/nearest.hpp"

namespace warpfront::trace {

namespace {

using input::FaultKind;
using input::Faults;
using input::Place;

constexpr double kMostBytes = 9.0e15;  // whole numbers up to here are exact
constexpr double kMostFlops = 1e30;

/// Words after the verb: how many there must be, and may be besides; those by rank come once or twice as many as ranks.
struct Form {
    std::string_view name;
    std::size_t least = 0;
    std::size_t optional = 0;
    std::size_t by_rank = 0;
};

constexpr std::array<Form, 20> kForms{{{"init", 0, 1}, {"finalize"}, {"compute", 1}, {"send", 3, 1}, {"isend", 3, 1},
                                       {"recv", 3, 1}, {"irecv", 3, 1}, {"sendrecv", 4, 2}, {"wait", 3},
                                       {"waitall", 0, 1}, {"barrier"}, {"bcast", 1, 2}, {"reduce", 2, 2},
                                       {"allreduce", 2, 1}, {"gather", 2, 3}, {"gatherv", 1, 3, 1},
                                       {"allgather", 2, 2}, {"allgatherv", 1, 2, 1}, {"alltoall", 2, 2},
                                       {"alltoallv", 2, 2, 2}}};
constexpr std::array<std::int64_t, 7> kTypeBytes{8, 4, 1, 2, 8, 4, 1};

struct Word {
    std::string_view text;
    std::size_t offset = 0;  // within the line
};

std::vector<Word> words_of(std::string_view line) {
    std::vector<Word> words;
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    for (std::size_t at = 0; at < line.size();) {
        if (blank(line[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < line.size() && !blank(line[end])) ++end;
        words.push_back({line.substr(at, end - at), at});
        at = end;
    }
    return words;
}

/// The words of one line as what they mean; a fault that was found is told and remembered.
class Words {
public:
    Words(const Place& place, std::vector<Word> words, const Reading& reading, Faults& faults)
        : place_(place), words_(std::move(words)), reading_(reading), faults_(faults) {}

    bool sound() const { return sound_; }
    std::size_t after_verb() const { return words_.size() - 2; }
    bool has(std::size_t index) const { return index < after_verb(); }

    void refuse(FaultKind kind, const Word& word, std::string message, std::string expected = {}) {
        sound_ = false;
        faults_.add(kind, {place_.source, place_.offset + word.offset, word.text.size()}, std::move(message),
                    std::move(expected));
    }
    const Word& word(std::size_t index) const { return words_[index + 2]; }

    void check_owner() {
        const Word& first = words_.front();
        const std::int64_t rank = whole(first, 0, std::numeric_limits<std::int32_t>::max());
        if (!sound_ || rank == reading_.rank) return;
        refuse(FaultKind::wrong_trace_rank, first, fmt::format("an action of rank {}", rank),
               fmt::format("expected {}, whose trace this is", reading_.rank));
    }

    double real(const Word& word, double least, double most) {
        double value = 0.0;
        const char* const end = word.text.data() + word.text.size();
        const auto [stop, error] = std::from_chars(word.text.data(), end, value);
        if (error != std::errc{} || stop != end || !std::isfinite(value)) {
            refuse(FaultKind::bad_number, word, fmt::format("`{}` is no number", word.text));
            return least;
        }
        if (value < least || value > most) {
            refuse(FaultKind::out_of_range, word, fmt::format("{} is out of range", word.text),
                   fmt::format("expected {:g} to {:g}", least, most));
            return least;
        }
        return value;
    }
    std::int64_t whole(const Word& word, double least, double most) {
        const double value = real(word, least, most);
        if (value == std::floor(value)) return static_cast<std::int64_t>(value);
        refuse(FaultKind::bad_number, word, fmt::format("{} is no whole number", word.text));
        return static_cast<std::int64_t>(least);
    }
    std::int64_t whole(std::size_t index, double least, double most) { return whole(word(index), least, most); }

    std::uint32_t rank(std::size_t index) {
        const std::int64_t rank = whole(index, 0, std::numeric_limits<std::int32_t>::max());
        if (rank >= reading_.ranks) {
            refuse(FaultKind::peer_outside, word(index), fmt::format("there is no rank {}", rank),
                   fmt::format("expected 0 to {}", reading_.ranks - 1));
        }
        return static_cast<std::uint32_t>(rank);
    }
    std::uint32_t peer(std::size_t index) {
        const std::uint32_t rank = this->rank(index);
        if (sound_ && rank == reading_.rank) {
            refuse(FaultKind::self_message, word(index), fmt::format("rank {} and itself", rank),
                   "expected another rank");
        }
        return rank;
    }
    std::int32_t tag(std::size_t index) {
        return static_cast<std::int32_t>(whole(index, 0, std::numeric_limits<std::int32_t>::max()));
    }
    /// A count at `index` of the datatype at `type`, if there is one; `least` is -1 where it may be unknown.
    Bytes bytes(std::size_t index, std::size_t type, double least = 0) {
        const std::int64_t each = has(type) ? kTypeBytes[static_cast<std::size_t>(whole(type, 0, 6))]
                                            : reading_.count_bytes;
        return {whole(index, least, kMostBytes / 8) * each};
    }
    Flops flops(std::size_t index) { return {real(word(index), 0, kMostFlops)}; }

private:
    const Place& place_;
    const std::vector<Word> words_;
    const Reading& reading_;
    Faults& faults_;
    bool sound_ = true;
};

void read_shares(Words& words, std::size_t first, std::size_t type, const Reading& reading, Action& action) {
    for (std::size_t rank = 0; rank < reading.ranks; ++rank) action.shares.push_back(words.bytes(first + rank, type));
}

/// Fills in what the verb says; there are as many words as its form allows.
void read_words(Words& words, const Reading& reading, Action& action) {
    const std::size_t ranks = reading.ranks;
    switch (action.verb) {
        case Verb::init: action.counts_doubles = words.has(0); break;
        case Verb::finalize:
        case Verb::waitall:
        case Verb::barrier: break;
        case Verb::compute: action.flops = words.flops(0); break;
        case Verb::send:
        case Verb::isend:
        case Verb::recv:
        case Verb::irecv: {
            const bool receives = action.verb == Verb::recv || action.verb == Verb::irecv;
            action.peer = words.peer(0);
            action.tag = words.tag(1);
            action.bytes = words.bytes(2, 3, receives ? -1 : 0);
            break;
        }
        case Verb::sendrecv:
            action.bytes = words.bytes(0, 4);
            action.peer = words.peer(1);
            words.bytes(2, 5, -1);
            action.from = words.peer(3);
            break;
        case Verb::wait:
            action.from = words.rank(0);
            action.peer = words.rank(1);
            action.tag = words.tag(2);
            break;
        case Verb::bcast:
            action.bytes = words.bytes(0, 2);
            if (words.has(1)) action.peer = words.rank(1);
            break;
        case Verb::reduce:
        case Verb::allreduce:
            action.bytes = words.bytes(0, action.verb == Verb::reduce ? 3 : 2);
            action.flops = words.flops(1);
            if (action.verb == Verb::reduce && words.has(2)) action.peer = words.rank(2);
            break;
        case Verb::gather:
            action.bytes = words.bytes(0, 3);
            words.bytes(1, 4);
            if (words.has(2)) action.peer = words.rank(2);
            break;
        case Verb::gatherv:
            action.bytes = words.bytes(0, ranks + 2);
            read_shares(words, 1, ranks + 3, reading, action);
            if (words.has(ranks + 1)) action.peer = words.rank(ranks + 1);
            break;
        case Verb::allgather:
        case Verb::alltoall:
            action.bytes = words.bytes(0, 2);
            words.bytes(1, 3);
            break;
        case Verb::allgatherv:
            action.bytes = words.bytes(0, ranks + 1);
            read_shares(words, 1, ranks + 2, reading, action);
            break;
        case Verb::alltoallv:
            read_shares(words, 1, 2 * ranks + 2, reading, action);
            for (std::size_t rank = 0; rank < ranks; ++rank) words.bytes(ranks + 2 + rank, 2 * ranks + 3);
            break;
    }
}

std::string lowered(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

}  // namespace

std::string_view name_of(Verb verb) { return kForms[static_cast<std::size_t>(verb)].name; }

std::optional<Action> parse(const Place& place, std::string_view line, const Reading& reading, Faults& faults) {
    std::vector<Word> split = words_of(line);
    const auto at = [&place](const Word& word) {
        return Place{place.source, place.offset + word.offset, word.text.size()};
    };
    if (split.size() < 2) {
        faults.add(FaultKind::trace_line, place, "this line has no action", "expected `RANK ACTION ...`");
        return std::nullopt;
    }
    const std::string verb = lowered(split[1].text);
    const auto form = std::find_if(kForms.begin(), kForms.end(), [&](const Form& each) { return each.name == verb; });
    if (form == kForms.end()) {
        std::vector<std::string> names;
        for (const Form& each : kForms) names.emplace_back(each.name);
        faults.add(FaultKind::unknown_action, at(split[1]), fmt::format("unknown action `{}`", split[1].text),
                   input::suggestion(verb, names));
        return std::nullopt;
    }
    const std::size_t given = split.size() - 2;
    const std::size_t least = form->least + form->by_rank * reading.ranks;
    if (given < least || given > least + form->optional) {
        faults.add(FaultKind::trace_line, place, fmt::format("`{}` with {} words after it", form->name, given),
                   form->optional == 0 ? fmt::format("expected {}", least)
                                       : fmt::format("expected {} to {}", least, least + form->optional));
        return std::nullopt;
    }
    Words words(place, std::move(split), reading, faults);
    words.check_owner();
    Action action;
    action.verb = static_cast<Verb>(form - kForms.begin());
    read_words(words, reading, action);
    return words.sound() ? std::optional(action) : std::nullopt;
}

}  // namespace warpfront::trace
