// Names in comments and pages exist, and each comment can be read alone.
#include <cctype>

#include "tests/repository/files.hpp"

using namespace warpfront::repository;

namespace {

constexpr std::size_t kWidest = 120;  // columns

struct Comment {
    std::size_t line = 0;
    std::string text;     // behind the slashes
    bool begins = false;  // the first line of a doc comment
};

/// Returns the position of a line's comment; npos if it has none. A URL is none, since a letter or colon is before it.
std::size_t comment_in(const std::string& line) {
    for (std::size_t at = line.find("//"); at != std::string::npos; at = line.find("//", at + 2)) {
        if (at == 0 || line[at - 1] == ' ') return at;
    }
    return std::string::npos;
}

std::vector<Comment> comments_of(const std::string& path) {
    std::vector<Comment> comments;
    bool in_doc = false;
    std::size_t number = 0;
    for (const std::string& line : lines_of(text_of(root() / path))) {
        ++number;
        const std::size_t at = comment_in(line);
        const bool doc = at != std::string::npos && line.find_first_not_of(' ') == at &&
                         line.starts_with(std::string(at, ' ') + "/// ");
        if (at != std::string::npos) comments.push_back({number, line.substr(at + (doc ? 4 : 2)), doc && !in_doc});
        in_doc = doc;
    }
    return comments;
}

/// Returns the sources without their comments, and all text in other languages.
std::string code() {
    std::string all;
    for (const std::string& path : sources()) {
        for (const std::string& line : lines_of(text_of(root() / path))) all += line.substr(0, comment_in(line)) + '\n';
    }
    for (const std::string_view folder : {"models", "platforms", "tools", "tests"}) {
        for (const std::string& path : files_below(folder, {".psl", ".yaml", ".xml", ".js", ".py", ".proto", ".txt"})) {
            all += text_of(root() / path);
        }
    }
    return all;
}

std::set<std::string> words_of(const std::string& text) {
    const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::set<std::string> words;
    for (std::size_t start = 0; start < text.size();) {
        std::size_t end = start;
        while (end < text.size() && in_word(text[end])) ++end;
        if (end > start) words.insert(text.substr(start, end - start));
        start = end + 1;
    }
    return words;
}

/// Returns pieces of `text` between backticks.
std::vector<std::string> quoted_in(const std::string& text) {
    std::vector<std::string> pieces;
    for (std::size_t open = text.find('`'); open != std::string::npos; open = text.find('`', open)) {
        const std::size_t close = text.find('`', open + 1);
        if (close == std::string::npos) break;
        pieces.push_back(text.substr(open + 1, close - open - 1));
        open = close + 1;
    }
    return pieces;
}

/// Returns the last name of "Layout::link_number" and "served()"; empty for anything else, such as code or a key's
/// path.
std::string identifier_in(std::string text) {
    if (text.ends_with("()")) text.resize(text.size() - 2);
    std::string last;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text.compare(at, 2, "::") == 0 && !last.empty()) {
            last.clear();
            ++at;
        } else if (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_') {
            last += text[at];
        } else {
            return {};
        }
    }
    return last.empty() || std::isdigit(static_cast<unsigned char>(last.front())) != 0 ? "" : last;
}

/// Returns names of sources in `text`: "simulation.cpp", "engine/state/layout.hpp".
std::vector<std::string> sources_named_in(const std::string& text) {
    constexpr std::string_view kInPath = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
    std::vector<std::string> names;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find_first_not_of(kInPath, start), text.size());
        const std::string name = text.substr(start, end - start);
        for (const std::string_view extension : {".cpp", ".hpp"}) {
            if (name.ends_with(extension) && name.size() > extension.size()) names.push_back(name);
        }
        start = end + 1;
    }
    return names;
}

bool some_path_ends_in(const std::set<std::string>& paths, std::string name) {
    while (name.starts_with("../")) name.erase(0, 3);
    if (name.starts_with("warpfront/")) name.erase(0, name.find('/') + 1);  // where headers are installed
    return std::any_of(paths.begin(), paths.end(),
                       [&](const std::string& path) { return path == name || path.ends_with("/" + name); });
}

}  // namespace

TEST_CASE("no line is wider than 120 columns") {
    for (const std::string& path : sources()) {
        std::size_t number = 0;
        for (const std::string& line : lines_of(text_of(root() / path))) {
            ++number;
            if (line.size() <= kWidest) continue;
            FAIL_CHECK(path << ":" << number << ": " << line.size() << " columns");
        }
    }
}

TEST_CASE("a doc comment names its subject, so that it can be read without the one above") {
    for (const std::string& path : sources()) {
        for (const Comment& comment : comments_of(path)) {
            if (!comment.begins) continue;
            const std::string first = comment.text.substr(0, comment.text.find_first_of(" ,.:;"));
            for (const std::string_view word : {"Of", "As", "Its", "Their", "Those", "Whose", "Likewise", "Also"}) {
                if (first == word) FAIL_CHECK(path << ":" << comment.line << ": begins with `" << word << "`");
            }
            if (comment.text.starts_with("The same")) FAIL_CHECK(path << ":" << comment.line << ": the same as what?");
        }
    }
}

TEST_CASE("a source that a comment names is there") {
    const std::set<std::string> paths = sources();
    for (const std::string& path : paths) {
        for (const Comment& comment : comments_of(path)) {
            for (const std::string& name : sources_named_in(comment.text)) {
                if (!some_path_ends_in(paths, name)) FAIL_CHECK(path << ":" << comment.line << ": no `" << name << "`");
            }
        }
    }
}

TEST_CASE("a source that a page names is there") {
    const std::set<std::string> paths = sources();
    std::set<std::string> pages{"README.md"};
    for (const std::string_view folder : {"simulator", "psl", "tools", "tests", "models", "platforms"}) {
        pages.merge(files_below(folder, {".md"}));
    }
    for (const std::string& page : pages) {
        for (const std::string& name : sources_named_in(text_of(root() / page))) {
            if (!some_path_ends_in(paths, name)) FAIL_CHECK(page << ": no `" << name << "`");
        }
    }
}

TEST_CASE("a name that a comment has in backticks is one of the code's") {
    const std::set<std::string> known = words_of(code());
    for (const std::string& path : sources()) {
        for (const Comment& comment : comments_of(path)) {
            for (const std::string& quoted : quoted_in(comment.text)) {
                const std::string name = identifier_in(quoted);
                if (!name.empty() && !known.contains(name)) {
                    FAIL_CHECK(path << ":" << comment.line << ": nothing is called `" << name << "`");
                }
            }
        }
    }
}
