// Shared helpers of this library's tests: models as texts, the faults of bad ones, and the programs of the others,
// executed instruction by instruction.
#pragma once

#include "psl/psl.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"

namespace warpfront::psl {

using Kinds = std::vector<DiagnosticKind>;
using Texts = std::map<std::string, std::string>;

/// A folder of model files.
class Folder {
public:
    explicit Folder(const Texts& files) {
        for (const auto& [name, text] : files) scratch_.file(name, text);
    }

    std::filesystem::path operator/(const std::string& name) const { return scratch_.folder() / name; }
    /// Returns `text` with file names relative to the folder.
    std::string shortened(std::string text) const {
        const std::string prefix = scratch_.folder().string() + "/";
        for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
            text.erase(at, prefix.size());
        }
        return text;
    }

private:
    test::Scratch scratch_;
};

/// Returns the items of a list in one text.
inline std::vector<std::string> each_of(std::string_view list, std::string_view between = " | ") {
    std::vector<std::string> items;
    for (std::size_t at = 0; at != std::string_view::npos;) {
        const std::size_t end = list.find(between, at);
        items.emplace_back(list.substr(at, end - at));
        at = end == std::string_view::npos ? end : end + between.size();
    }
    return items;
}

using Parameters = std::vector<std::pair<std::string, std::string>>;

/// Returns the parameters of a text such as "nx 9, wg 1us".
inline Parameters given(std::string_view list) {
    Parameters all;
    for (const std::string& each : each_of(list, ", ")) {
        const std::size_t name_end = each.find(' ');
        all.emplace_back(each.substr(0, name_end), each.substr(name_end + 1));
    }
    return all;
}

/// The parameters of a run; each is in its own text, named after it.
struct Run {
    std::uint32_t columns = 1;
    std::uint32_t rows = 1;
    std::int64_t iterations = 1;
    Parameters parameters = {};
    std::optional<Processor> processor = {};
    std::uint32_t planes = 1;

    Bindings bindings() const {
        Bindings all;
        all.grid = {columns, rows, planes};
        all.iterations = iterations;
        all.processor = processor;
        for (const auto& [name, text] : parameters) {
            const auto source = std::make_shared<const input::SourceFile>(name, text);
            all.parameters[name] = {text, {source, 0, text.size()}};
        }
        return all;
    }
};

/// The refusal of a model: every fault's kind, the text as the program reports it, and the summary of faults.hpp, in
/// which a place in code.psl has no file name.
struct Refusal {
    Kinds kinds;
    std::string text;
    std::string summary;
};

template <class Do>
Refusal refusal(Do work) {
    Refusal result;
    try {
        work();
    } catch (const input::BadInput& bad) {
        result.text = bad.what();
        result.kinds = test::kinds_of(bad.diagnostics());
        for (const input::Diagnostic& fault : bad.diagnostics().all()) {
            const std::string line = test::summary_of(fault);
            result.summary += (result.summary.empty() ? "" : "\n") + line.substr(line.starts_with("code.psl:") ? 9 : 0);
        }
    }
    return result;
}
template <class Do>
Refusal refusal(const Folder& folder, Do work) {
    const Refusal found = refusal(work);
    return {found.kinds, folder.shortened(found.text), folder.shortened(found.summary)};
}

/// Returns an application whose iteration is `body`.
inline std::string iterating(const std::string& body) {
    return "application code {\n    iteration k {\n" + body + "    }\n}\n";
}

/// Returns the refusal of loading "code.psl".
inline Refusal refused(const Texts& files) {
    const Folder folder(files);
    return refusal(folder, [&] { load(folder / "code.psl"); });
}
inline Model loaded(const std::string& text) { return load_text("code.psl", text); }
inline Refusal refused(const std::string& text) {
    return refusal([&] { loaded(text); });
}

/// Returns the refusal of lowering a sound model.
inline Refusal refused_run(const std::string& text, const Bindings& bindings) {
    const Model model = loaded(text);
    return refusal([&] { lower(model, bindings); });
}
inline Refusal refused_run(const std::string& text, const Run& run) { return refused_run(text, run.bindings()); }

/// A fault by name: the refusal that is found, and its summary.
struct Reported {
    const char* name;
    Refusal found;
    const char* summary;
};
inline void check_summaries(std::initializer_list<Reported> rows) {
    for (const Reported& each : rows) {
        CAPTURE(each.name);
        CHECK(each.found.summary == each.summary);
    }
}

/// A text by name, its refusal, and the kinds of its faults; none if it is sound.
struct Refused {
    const char* name;
    Refusal found;
    Kinds kinds;
};
inline void check_kinds(std::initializer_list<Refused> rows) {
    for (const Refused& each : rows) {
        CAPTURE(each.name);
        CHECK(each.found.kinds == each.kinds);
    }
}

/// Returns the refusals of a model whose iteration, from line 3, column 9 on, is this statement.
inline Refusal refused_in(const std::string& statement) { return refused(iterating("        " + statement + "\n")); }
inline Refusal refused_run_in(const std::string& statement, const Run& run) {
    return refused_run(iterating("        " + statement + "\n"), run);
}

inline program::Program lowered(const std::string& text, const Bindings& bindings) {
    return lower(loaded(text), bindings);
}
inline program::Program lowered(const std::string& text, const Run& run = {}) { return lowered(text, run.bindings()); }

/// Lowers one of the project's own models.
inline program::Program lowered_model(const std::string& name, const Run& run) {
    return lower(load(std::string(WARPFRONT_SOURCE_DIR "/models/") + name), run.bindings());
}

/// One event of a rank: loops are followed, partners are differences of rank numbers.
struct Event {
    program::Op op;
    std::int64_t amount = 0;
    std::int32_t delta = 0;
    std::int32_t tag = 0;
    friend bool operator==(const Event&, const Event&) = default;
};

using Events = std::vector<Event>;

/// Returns everything a rank does, in order, without iteration marks and the end.
inline Events steps(const program::Program& program, Rank rank) {
    const program::RankClass& rank_class = program.of(rank);
    Events all;
    std::vector<std::int64_t> left;
    for (std::size_t at = 0; at < rank_class.code.size(); ++at) {
        const program::Instruction& now = rank_class.code[at];
        const auto message = [&](const std::vector<program::Channel>& channels) {
            all.push_back({now.op, now.amount, channels[now.operand].delta, channels[now.operand].tag});
        };
        switch (now.op) {
            case program::Op::loop: left.push_back(now.amount); break;
            case program::Op::end_loop:
                if (--left.back() > 0) {
                    at = now.operand;
                } else {
                    left.pop_back();
                }
                break;
            case program::Op::send:
            case program::Op::ssend:
            case program::Op::isend:
            case program::Op::wait_send: message(rank_class.send_endpoints); break;
            case program::Op::recv:
            case program::Op::irecv:
            case program::Op::wait_recv: message(rank_class.receive_endpoints); break;
            case program::Op::iteration:
            case program::Op::phase:
            case program::Op::finish: break;
            default: all.push_back({now.op, now.amount}); break;
        }
    }
    return all;
}

/// Returns the microseconds that `1us * EXPRESSION` becomes on a rank, with declarations before the application.
inline std::int64_t figure(const std::string& expression, const Run& run = {}, std::uint32_t rank = 0,
                           const std::string& before = "") {
    const auto all = steps(lowered(before + iterating("compute 1us * (" + expression + ")\n"), run), {rank});
    REQUIRE(all.size() == 1);
    REQUIRE(all[0].amount % 1'000'000 == 0);
    return all[0].amount / 1'000'000;
}

}  // namespace warpfront::psl

using namespace warpfront::psl;
