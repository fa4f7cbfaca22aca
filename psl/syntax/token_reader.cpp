#include "psl/syntax/token_reader.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "psl/syntax/keywords.hpp"
#include "simulator/input/quantity.hpp"

namespace warpfront::psl {
namespace {

std::string shown(const Token& token) {
    switch (token.form) {
        case Token::Form::end: return "the end of the file";
        case Token::Form::string: return fmt::format("\"{}\"", token.text);
        default: return fmt::format("`{}`", token.text);
    }
}

}  // namespace

bool TokenReader::at(std::string_view text) const {
    return (now().form == Token::Form::keyword || now().form == Token::Form::sign) && now().text == text;
}

bool TokenReader::at_block_word(std::string_view word) const {
    return now().form == Token::Form::name && now().text == word && find_block_word(word) != nullptr;
}

bool TokenReader::at_name_then(std::string_view sign) const {
    return now().form == Token::Form::name && tokens_[at_ + 1].form == Token::Form::sign &&
           tokens_[at_ + 1].text == sign;
}

bool TokenReader::at_name_then_value() const {
    const Token::Form next = tokens_[std::min(at_ + 1, tokens_.size() - 1)].form;
    return now().form == Token::Form::name && (next == Token::Form::name || next == Token::Form::number);
}

bool TokenReader::at_arguments() const {
    if (!at("(")) return false;
    std::size_t open = 0;
    for (std::size_t k = at_; tokens_[k].form != Token::Form::end; ++k) {
        if (tokens_[k].form != Token::Form::sign) continue;
        if (tokens_[k].text == "(" || tokens_[k].text == "[") ++open;
        if ((tokens_[k].text == ")" || tokens_[k].text == "]") && --open == 0) return false;
        if (tokens_[k].text == "," && open == 1) return true;
        if (tokens_[k].text == "{" || tokens_[k].text == "}") return false;
    }
    return false;
}

const Token* TokenReader::number_before() const {
    if (at_ == 0 || now().first_on_line) return nullptr;
    const Token& before = tokens_[at_ - 1];
    const bool number = before.value.kind == Kind::integer || before.value.kind == Kind::real;
    return before.form == Token::Form::number && number ? &before : nullptr;
}

bool TokenReader::accept(std::string_view text) {
    if (!at(text)) return false;
    ++at_;
    return true;
}

Token TokenReader::take() {
    const Token token = now();
    if (!at_end()) ++at_;
    return token;
}

Token TokenReader::expect(std::string_view text, std::string_view what) {
    if (!at(text)) fail(fmt::format("expected {}", what));
    return take();
}

Name TokenReader::expect_name(std::string_view what) {
    if (now().form == Token::Form::keyword && !now().first_on_line) {
        std::string others;
        for (const Keyword& each : keywords()) others += fmt::format("{}`{}`", others.empty() ? "" : ", ", each.word);
        fault(DiagnosticKind::psl_syntax, now().span, fmt::format("`{}` is a reserved word", now().text),
              fmt::format("expected {}, none of {}", what, others));
        throw GiveUp{};
    }
    if (now().form != Token::Form::name) fail(fmt::format("expected {}", what));
    const Token token = take();
    return {std::string(token.text), token.span};
}

Token TokenReader::expect_block() {
    if (at("=")) fail("expected `==` for a comparison, or `{`");
    if (at(":") || at("then") || (now().form == Token::Form::name && now().text == "do")) {
        fail("expected `{`: blocks are in braces");
    }
    return expect("{", "`{`");
}

Token TokenReader::expect_closing(std::string_view text, const Token& open) {
    if (at(text)) return take();
    const unsigned line = source_->position(open.span.offset).line;
    fail(fmt::format("expected `{}` to close the `{}` of line {}", text, open.text, line));
}

void TokenReader::fail(std::string expected) {
    if (number_before() && input::find_unit(now().text)) {
        expected = fmt::format("expected the unit without a blank: `{}{}`", number_before()->text, now().text);
    }
    if (at("?")) expected = "expected `if CONDITION then A else B`";
    if (unexpected_ != at_) {
        fault(DiagnosticKind::psl_syntax, now().span, "unexpected " + shown(now()), std::move(expected));
    }
    unexpected_ = at_;
    throw GiveUp{};
}

void TokenReader::fault(DiagnosticKind kind, Span span, std::string message, std::string expected) {
    faults_.add(kind, {source_, span.offset, span.length}, std::move(message), std::move(expected));
}

bool TokenReader::at_declaration() const {
    constexpr std::array kWords{"application", "import",   "hardware",  "subtask",
                                "template",    "function", "iteration", "param"};
    return now().first_on_line && now().form == Token::Form::keyword &&
           std::ranges::find(kWords, now().text) != kWords.end();
}

bool TokenReader::skip_to_block() {
    while (!at_end() && !at("{") && !at("}") && !now().first_on_line) ++at_;
    return at("{");
}

void TokenReader::skip_statement(std::size_t start) {
    std::size_t open = 0;
    for (; !at_end(); ++at_) {
        if (open == 0 && at("}") && at_ > start) return;
        if (open == 0 && now().first_on_line && at_ > start) return;
        if (at("{")) ++open;
        if (at("}") && open > 0) --open;
    }
}

Nesting::Nesting(unsigned& depth, TokenReader& reader) : depth_(depth) {
    if (depth_ >= kDeepestNesting) {
        reader.fault(DiagnosticKind::nesting_too_deep, reader.now().span,
                     fmt::format("nested more than {} levels deep", kDeepestNesting));
        throw GiveUp{};
    }
    ++depth_;
}

}  // namespace warpfront::psl
