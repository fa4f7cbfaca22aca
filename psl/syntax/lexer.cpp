#include "psl/syntax/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "psl/syntax/keywords.hpp"
#include "simulator/input/decimal.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/input/read_file.hpp"

namespace warpfront::psl {
namespace {

constexpr std::array<std::string_view, 5> kLongSigns{"..", "<=", ">=", "==", "!="};
constexpr std::string_view kSigns = "(){}[],:=+-*/%^<>?";  // the parser reports `?`

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return starts_name(c) || is_digit(c); }

class Lexer {
public:
    Lexer(const SourceFilePtr& source, std::uint32_t file, Diagnostics& faults)
        : source_(source), text_(source->text()), file_(file), faults_(faults) {}

    std::vector<Token> run() {
        std::vector<Token> all;
        if (const std::size_t binary = no_text(); binary != std::string_view::npos) {
            faults_.add(DiagnosticKind::unexpected_character, {source_, binary, 1}, "this is not a text file",
                        "expected a model written in UTF-8 text; this byte never occurs in text");
            at_ = text_.size();
        }
        if (text_.starts_with(input::kByteOrderMark)) at_ = std::max(at_, input::kByteOrderMark.size());
        while (skip_blanks(), at_ < text_.size()) {
            Token token;
            token.first_on_line = first_on_line_;
            if (take(token)) {
                all.push_back(token);
                first_on_line_ = false;
            }
        }
        Token end;
        end.span = {file_, static_cast<std::uint32_t>(text_.size()), 0};
        end.first_on_line = true;
        all.push_back(end);
        return all;
    }

private:
    /// Returns the position of the first control character that a text file never contains.
    std::size_t no_text() const {
        const auto control = [](char c) {
            const auto byte = static_cast<unsigned char>(c);
            return byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\v';
        };
        const auto found = std::ranges::find_if(text_, control);
        return found == text_.end() ? std::string_view::npos : static_cast<std::size_t>(found - text_.begin());
    }

    void skip_blanks() {
        while (at_ < text_.size()) {
            if (text_.substr(at_, 2) == "//") {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (text_.substr(at_, 2) == "/*") {
                skip_comment();
            } else if (text_[at_] == '\n') {
                first_on_line_ = true;
                ++at_;
            } else if (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r') {
                ++at_;
            } else {
                return;
            }
        }
    }

    void skip_comment() {
        const std::size_t last = text_.find("*/", at_ + 2);
        if (last == std::string_view::npos) {
            faults_.add(DiagnosticKind::unclosed_comment, {source_, at_, 2}, "this comment has no end",
                        "expected `*/` later in the file");
        }
        const std::size_t end = last == std::string_view::npos ? text_.size() : last + 2;
        first_on_line_ = first_on_line_ || text_.substr(at_, end - at_).find('\n') != std::string_view::npos;
        at_ = end;
    }

    bool take(Token& token) {
        if (const ForeignSign* foreign = find_foreign_sign(text_.substr(at_))) return take_foreign(*foreign, token);
        const char first = text_[at_];
        if (starts_name(first)) return take_name(token);
        if (is_digit(first)) return take_number(token);
        if (first == '"') return take_string(token);
        return take_sign(token);
    }

    void finish(Token& token, Token::Form form, std::size_t length) {
        token.form = form;
        token.text = text_.substr(at_, length);
        token.span = {file_, static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(length)};
        at_ += length;
    }

    bool take_name(Token& token) {
        const auto last =
            std::find_if_not(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.end(), continues_name);
        const auto length = static_cast<std::size_t>(last - text_.begin()) - at_;
        const bool keyword = find_keyword(text_.substr(at_, length)) != nullptr;
        finish(token, keyword ? Token::Form::keyword : Token::Form::name, length);
        return true;
    }

    bool take_sign(Token& token) {
        const bool is_long = std::ranges::find(kLongSigns, text_.substr(at_, 2)) != kLongSigns.end();
        if (!is_long && kSigns.find(text_[at_]) == std::string_view::npos) return refuse_character();
        finish(token, Token::Form::sign, is_long ? 2 : 1);
        return true;
    }

    /// Takes a sign of another language. Each sign is reported once per file.
    bool take_foreign(const ForeignSign& foreign, Token& token) {
        const std::size_t length = foreign.length(text_.substr(at_));
        if (std::ranges::find(seen_, &foreign) == seen_.end()) {
            faults_.add(DiagnosticKind::foreign_word, {source_, at_, length},
                        fmt::format("`{}` is not part of this language", foreign.sign), std::string(foreign.remedy));
            seen_.push_back(&foreign);
        }
        if (foreign.extent == ForeignSign::Extent::quoted) {
            finish(token, Token::Form::string, length);
            token.text = token.text.substr(1, length > 1 ? length - 2 : 0);
            return true;
        }
        finish(token, foreign.is_word ? Token::Form::keyword : Token::Form::sign, length);
        token.text = foreign.meant;
        return !foreign.meant.empty();
    }

    /// Reports an unknown character and skips all its bytes in UTF-8, so that it gives one error.
    bool refuse_character() {
        std::size_t length = 1;
        while (at_ + length < text_.size() && (static_cast<unsigned char>(text_[at_ + length]) & 0xC0U) == 0x80U) {
            ++length;
        }
        faults_.add(DiagnosticKind::unexpected_character, {source_, at_, length}, "unexpected character",
                    "this character has no meaning");
        at_ += length;
        return false;
    }

    bool take_string(Token& token) {
        const std::size_t last = text_.find_first_of("\"\n", at_ + 1);
        if (last == std::string_view::npos || text_[last] == '\n') {
            const std::size_t end = std::min(last, text_.size());
            faults_.add(DiagnosticKind::unclosed_string, {source_, at_, end - at_}, "this text has no closing quote",
                        "expected `\"` before the end of the line");
            finish(token, Token::Form::string, end - at_);
            token.text.remove_prefix(1);
            return true;
        }
        finish(token, Token::Form::string, last + 1 - at_);
        token.text = token.text.substr(1, token.text.size() - 2);
        return true;
    }

    bool take_number(Token& token) {
        const input::Decimal number = input::read_decimal(text_.substr(at_));
        std::size_t length = number.length;
        while (at_ + length < text_.size() && continues_name(text_[at_ + length])) ++length;
        finish(token, Token::Form::number, length);
        token.value = value_of(token, number);
        return true;
    }

    Value value_of(const Token& token, const input::Decimal& number) {
        const std::string_view unit_name = token.text.substr(number.length);
        if (unit_name.empty())
            return number.whole ? whole(token) : finite(token, Kind::real, input::scaled(number, 1.0L));
        const SourceRange unit_range{source_, token.span.offset + number.length, unit_name.size()};
        const input::Unit* unit = input::find_unit(unit_name);
        if (!unit) {
            constexpr std::array kDimensions{input::Dimension::time, input::Dimension::bytes,
                                             input::Dimension::flop_rate};
            faults_.add(DiagnosticKind::unknown_unit, unit_range, fmt::format("unknown unit `{}`", unit_name),
                        input::unit_suggestion(unit_name, kDimensions));
            return {};
        }
        if (unit->dimension == input::Dimension::time) {
            return finite(token, Kind::time, input::scaled(number, input::picoseconds_of(unit->factor)));
        }
        if (unit->dimension == input::Dimension::flop_rate) {
            return finite(token, Kind::rate, input::scaled(number, unit->factor));
        }
        if (unit->dimension == input::Dimension::bytes) return bytes(token, input::scaled(number, unit->factor));
        faults_.add(DiagnosticKind::wrong_unit, unit_range,
                    fmt::format("`{}` is a unit of {}", unit_name, input::dimension_name(unit->dimension)),
                    "expected a unit of time or of bytes, or a rate such as `110Mflops`");
        return {};
    }

    Value whole(const Token& token) {
        if (const auto result = input::number_of<std::int64_t>(token.text)) return integer(*result);
        return refuse_number(token, "expected at most 9223372036854775807");
    }

    Value finite(const Token& token, Kind kind, long double amount) {
        if (std::isfinite(amount)) return {kind, 0, amount};
        return refuse_number(token, "expected a finite number");
    }

    Value bytes(const Token& token, long double count) {
        if (count < 9223372036854775807.0L && count == std::floor(count)) {
            return {Kind::bytes, static_cast<std::int64_t>(count), 0.0L};
        }
        return refuse_number(token, "expected a whole number of bytes that fits 64 bits");
    }

    Value refuse_number(const Token& token, std::string expected) {
        faults_.add(DiagnosticKind::bad_number, {source_, token.span.offset, token.span.length},
                    fmt::format("bad number `{}`", token.text), std::move(expected));
        return {};
    }

    const SourceFilePtr& source_;
    std::string_view text_;
    std::uint32_t file_;
    Diagnostics& faults_;
    std::size_t at_ = 0;
    bool first_on_line_ = true;
    std::vector<const ForeignSign*> seen_;
};

}  // namespace

const BlockWord* find_block_word(std::string_view word) {
    const auto* const found = std::ranges::find(kBlockWords, word, &BlockWord::word);
    return found == kBlockWords.end() ? nullptr : found;
}

std::vector<Token> tokens(const SourceFilePtr& source, std::uint32_t file, Diagnostics& faults) {
    return Lexer(source, file, faults).run();
}

}  // namespace warpfront::psl
