#include "psl/editing/format.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "psl/syntax/lexer.hpp"
#include "psl/syntax/parser.hpp"

namespace warpfront::psl {

namespace {

constexpr std::size_t kIndent = 4;  // number of columns by which a block or a continued line is indented

/// A line of the layout: its text, where it may be broken, and its trailing comment.
struct LayoutLine {
    std::size_t indent = 0;  // in columns
    std::string text;
    std::vector<std::size_t> breaks;  // offsets in `text` where the line may be broken
    std::string comment;              // the trailing comment
    bool blank_before = false;
};

constexpr std::size_t kWidest = 120;

/// Breaks a line into parts. Each part is as long as possible within the limit. If a part cannot be broken, it exceeds
/// the limit.
std::vector<LayoutLine> broken(const LayoutLine& line) {
    std::vector<LayoutLine> pieces;
    std::size_t start = 0;
    std::size_t indent = line.indent;
    const auto add = [&](std::size_t end) {
        std::string text = line.text.substr(start, end - start);
        text.erase(text.find_last_not_of(' ') + 1);
        pieces.push_back({indent, std::move(text), {}, {}, line.blank_before && pieces.empty()});
        start = end;
        indent = line.indent + kIndent;
    };
    while (indent + line.text.size() - start > kWidest) {
        std::size_t best = 0;
        for (const std::size_t each : line.breaks) {
            if (each <= start) continue;
            if (best == 0 || indent + each - start <= kWidest + 1) best = each;
        }
        if (best == 0) break;
        add(best);
    }
    add(line.text.size());
    pieces.back().comment = line.comment;
    return pieces;
}

std::size_t width(const LayoutLine& line) { return line.indent + line.text.size(); }

/// Returns the column of the trailing comments in the paragraph that begins at `first`. A paragraph consists of
/// consecutive lines with the same indentation.
std::size_t comment_column(const std::vector<LayoutLine>& lines, std::size_t first) {
    std::size_t column = 0;
    for (std::size_t k = first; k < lines.size(); ++k) {
        if (k > first && (lines[k].blank_before || lines[k].indent != lines[first].indent)) break;
        if (!lines[k].comment.empty()) column = std::max(column, width(lines[k]) + 2);
    }
    return column;
}

/// Breaks long lines, and aligns the comments of each paragraph.
std::string rendered(const std::vector<LayoutLine>& lines) {
    std::vector<LayoutLine> pieces;
    for (const LayoutLine& line : lines) {
        for (LayoutLine& piece : broken(line)) pieces.push_back(std::move(piece));
    }
    std::string result;
    std::size_t column = 0;  // column of the trailing comments in the current paragraph
    for (std::size_t k = 0; k < pieces.size(); ++k) {
        const LayoutLine& line = pieces[k];
        if (k == 0 || line.blank_before || line.indent != pieces[k - 1].indent) column = comment_column(pieces, k);
        if (line.blank_before) result += '\n';
        result += std::string(line.indent, ' ') + line.text;
        if (!line.comment.empty()) result += std::string(column - width(line), ' ') + line.comment;
        result += '\n';
    }
    return result;
}

using Form = Statement::Form;

/// Finds the statements that begin a line, by the offset of their first token.
class Starts {
public:
    explicit Starts(const File& file) {
        for (const auto& object : file.objects) add(*object);
    }

    bool contains(const Token& token) const { return forms_.contains(token.span.offset); }
    bool is(const Token& token, Form form) const {
        const auto found = forms_.find(token.span.offset);
        return found != forms_.end() && found->second == form;
    }

private:
    void add(const Object& object) {
        add(object.body);
        for (const auto& inner : object.inner) add(*inner);
    }
    void add(const std::vector<Statement>& statements) {
        for (const Statement& each : statements) {
            if (each.form != Form::result) forms_[each.span.offset] = each.form;
            add(each.body);
            add(each.otherwise);
        }
    }

    std::map<std::uint32_t, Form> forms_;
};

struct Comment {
    std::string_view text;
    bool own_line = false;      // true if there are only blanks before the comment on its line
    bool blank_before = false;  // true if there is a blank line before the comment
    bool to_line_end = false;   // true for a comment with `//`
};

/// The comments and blank lines between two tokens.
struct Gap {
    std::vector<Comment> comments;
    bool blank_at_end = false;  // true if there is a blank line after the last comment
};

Gap gap_of(std::string_view text, bool at_line_start) {
    Gap gap;
    std::size_t breaks = at_line_start ? 1 : 0;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] != '/') {
            if (text[at++] == '\n') ++breaks;
            continue;
        }
        const bool line = text.substr(at, 2) == "//";
        const std::size_t end = line ? std::min(text.find('\n', at), text.size()) : text.find("*/", at + 2) + 2;
        std::string_view comment = text.substr(at, end - at);
        comment = comment.substr(0, comment.find_last_not_of(" \t\r") + 1);
        gap.comments.push_back({comment, breaks > 0, breaks > 1, line});
        at = end;
        breaks = 0;
    }
    gap.blank_at_end = breaks > 1;
    return gap;
}

class Formatter {
public:
    Formatter(std::string_view text, const std::vector<Token>& tokens, const Starts& starts)
        : text_(text), tokens_(tokens), starts_(starts) {}

    std::string run() {
        std::size_t end = 0;  // offset at which the last token ends
        for (at_ = 0; at_ < tokens_.size(); ++at_) {
            const Span span = tokens_[at_].span;
            const Gap gap = gap_of(text_.substr(end, span.offset - end), at_ == 0);
            token(gap);
            end = span.offset + span.length;
        }
        return rendered(lines_);
    }

private:
    const Token& now() const { return tokens_[at_]; }
    const Token& before() const { return tokens_[at_ - 1]; }
    static bool sign(const Token& token, std::string_view text) {
        return token.form == Token::Form::sign && token.text == text;
    }
    static bool word(const Token& token, std::string_view text) {
        return token.form == Token::Form::keyword && token.text == text;
    }
    bool after_sign(std::string_view text) const { return at_ > 0 && sign(before(), text); }

    void token(const Gap& gap) {
        const bool ends = now().form == Token::Form::end;
        const bool empty_block = sign(now(), "}") && after_sign("{") && gap.comments.empty();
        bool fresh = ends || (begins_line() && !empty_block);
        const bool inner = sign(now(), "}");  // comments before `}` belong to its block
        comments(gap, fresh, inner);
        if (inner && depth_ > 0) --depth_;
        if (ends) return;
        fresh = fresh ||
                (at_ > 0 && !gap.comments.empty() && (gap.comments.back().own_line || gap.comments.back().to_line_end));
        if (fresh) {
            open_line(continues() ? 1 : 0, wants_blank(gap));
        }
        append(token_text(), !fresh && spaced());
        if (sign(now(), "{")) ++depth_;
    }

    /// Returns true if the token begins a line.
    bool begins_line() const {
        if (at_ == 0 || sign(now(), "}") || after_sign("{")) return true;
        if (word(now(), "else")) return false;
        if (after_sign("}")) return true;
        if (now().form == Token::Form::keyword) {
            for (const std::string_view each :
                 {"application", "subtask", "template", "function", "hardware", "import"}) {
                if (now().text == each) return true;
            }
        }
        const bool processor = now().text == "processor" && tokens_[at_ + 1].form == Token::Form::string;
        return processor || (starts_.contains(now()) && !word(before(), "else"));
    }

    /// Returns true if a comment ended the line within a statement, and the token continues this statement.
    bool continues() const { return !begins_line() && !word(now(), "else"); }

    void comments(const Gap& gap, bool fresh, bool inner) {
        bool after_open = at_ > 0 && after_sign("{");
        for (const Comment& each : gap.comments) {
            if (at_ > 0 && !each.own_line) {
                trail(each);
                continue;
            }
            const bool blank = each.blank_before && !after_open && !lines_.empty();
            open_line(fresh || inner ? 0 : 1, blank || new_object(&each == &gap.comments.front()));
            lines_.back().text = each.text;
            own_comment_ = true;
            after_open = false;
        }
    }

    void trail(const Comment& comment) {
        LayoutLine& line = lines_.back();
        const bool inside = !comment.to_line_end && !begins_line() && now().form != Token::Form::end;
        if (inside || own_comment_) return append(std::string(comment.text), true);
        line.comment += (line.comment.empty() ? "" : " ") + std::string(comment.text);
    }

    /// Returns true if a blank line must precede the token. The token begins an object, or is the first comment before
    /// it.
    bool new_object(bool first) const {
        return first && depth_ == 0 && at_ > 0 && after_sign("}") && now().form != Token::Form::end;
    }

    bool wants_blank(const Gap& gap) const {
        if (lines_.empty() || sign(now(), "}")) return false;
        if (gap.comments.empty()) {
            if (after_sign("{")) return false;
            return gap.blank_at_end || new_object(true);
        }
        const bool trailed_only = std::ranges::none_of(gap.comments, [](const Comment& each) { return each.own_line; });
        return gap.blank_at_end && !(trailed_only && after_sign("{")) ? true : trailed_only && new_object(true);
    }

    void open_line(std::size_t deeper, bool blank) {
        lines_.push_back({});
        const std::size_t depth = depth_ + deeper;
        lines_.back().indent = kIndent * depth;
        lines_.back().blank_before = blank;
        own_comment_ = false;
    }

    void append(const std::string& text, bool space) {
        LayoutLine& line = lines_.back();
        if (space && !line.text.empty()) line.text += ' ';
        if (breakable()) line.breaks.push_back(line.text.size());
        line.text += text;
    }

    /// Returns true if the line may be broken here: after a comma, or before an operator between values.
    bool breakable() const {
        if (after_sign(",")) return true;
        if (word(now(), "and") || word(now(), "or") || word(now(), "then") || word(now(), "else")) return true;
        return now().form == Token::Form::sign && is_operator(now()) && !unary(at_);
    }

    static bool is_operator(const Token& token) {
        constexpr std::string_view kArithmetic = "+-*/%^";
        return token.form == Token::Form::sign && token.text.size() == 1 &&
               kArithmetic.find(token.text[0]) != std::string_view::npos;
    }

    bool unary(std::size_t k) const {
        if (!sign(tokens_[k], "-") || k == 0) return false;
        const Token& left = tokens_[k - 1];
        if (left.form == Token::Form::sign) return left.text != ")" && left.text != "]";
        return left.form == Token::Form::keyword && left.text != "true" && left.text != "false";
    }

    /// Returns true if there is a blank before the token on its line.
    bool spaced() const {
        const Token& left = before();
        if (now().form == Token::Form::sign) {
            for (const std::string_view tight : {")", "]", ",", ":", ".."}) {
                if (now().text == tight) return false;
            }
            if (now().text == "(") return !calls();
            if (now().text == "[") return !indexes();
        }
        if (sign(left, "(") || sign(left, "[") || sign(left, "..")) return false;
        return !unary(at_ - 1);
    }

    /// Returns true if the `(` follows the name of an object or function. It may also follow a word such as `time`.
    bool calls() const {
        const Token& left = before();
        if (left.form != Token::Form::name) return sign(left, "(") || sign(left, "[") || unary(at_ - 1);
        if (at_ > 1 && starts_.is(tokens_[at_ - 2], Form::count)) return false;
        return !starts_.is(left, Form::duration) && !starts_.is(left, Form::flops) &&
               !starts_.is(left, Form::average_loop);
    }

    bool indexes() const {
        const Token& left = before();
        return left.form == Token::Form::name || sign(left, ")") || sign(left, "]") || sign(left, "(") ||
               sign(left, "[") || sign(left, "..");
    }

    std::string token_text() const { return std::string(text_.substr(now().span.offset, now().span.length)); }

    std::string_view text_;
    const std::vector<Token>& tokens_;
    const Starts& starts_;
    std::vector<LayoutLine> lines_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
    bool own_comment_ = false;  // true if the last line consists of a comment
};

}  // namespace

std::string formatted(const SourceFilePtr& source) {
    Diagnostics faults;
    const File file = parse(source, 0, faults);
    faults.raise();
    const std::vector<Token> all = tokens(source, 0, faults);
    return Formatter(source->text(), all, Starts(file)).run();
}

}  // namespace warpfront::psl
