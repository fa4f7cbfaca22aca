// The token stream of the parser: inspects tokens, takes expected ones, and continues after a faulty statement.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "psl/syntax/lexer.hpp"

namespace warpfront::psl {

/// An exception that ends the parsing of a statement whose error has been reported.
struct GiveUp {};

class TokenReader {
public:
    TokenReader(const SourceFilePtr& source, std::uint32_t file, Diagnostics& faults)
        : source_(source), tokens_(tokens(source, file, faults)), faults_(faults) {}

    const Token& now() const { return tokens_[at_]; }
    Span last() const { return tokens_[at_ == 0 ? 0 : at_ - 1].span; }
    std::size_t position() const { return at_; }
    bool at_end() const { return now().form == Token::Form::end; }
    bool at(std::string_view text) const;             // true before this keyword or sign
    bool at_block_word(std::string_view word) const;  // true before this word, one of kBlockWords
    bool at_name_then(std::string_view sign) const;
    /// Returns true at a name followed by the beginning of another value: another name or a number.
    bool at_name_then_value() const;
    /// Returns true at `(` with a comma within this pair of brackets, as in the arguments of a call.
    bool at_arguments() const;
    /// Returns the number without a unit just before `now`, on its line; null if there is none.
    const Token* number_before() const;
    bool accept(std::string_view text);
    Token take();
    /// Takes the expected token; `what` completes "expected ...".
    Token expect(std::string_view text, std::string_view what);
    Name expect_name(std::string_view what);
    /// Takes the `{` of a block.
    Token expect_block();
    /// Takes the closing bracket that belongs to `open`.
    Token expect_closing(std::string_view text, const Token& open);

    [[noreturn]] void fail(std::string expected);
    void fault(DiagnosticKind kind, Span span, std::string message, std::string expected = {});
    /// Skips to the first token of a following line, over whole blocks, or to the `}` of the enclosing block. `start`
    /// is the position at which the statement began.
    void skip_statement(std::size_t start);
    /// Returns true at the beginning of a line with a declaration that a block of statements cannot contain, so that a
    /// `}` is missing before the line.
    bool at_declaration() const;
    /// Parses the head of a block; after a GiveUp continues at the `{` of that line, so that the errors in the block
    /// are found too.
    template <class Parse>
    void before_block(unsigned& depth, Parse parse) {
        const unsigned outer = depth;
        try {
            parse();
        } catch (const GiveUp&) {
            depth = outer;
            if (!skip_to_block()) throw;
        }
    }
    /// Parses one element; after a GiveUp continues with the next. `depth` is the enclosing nesting.
    template <class Parse>
    void recovering(unsigned& depth, Parse parse) {
        const std::size_t start = position();
        const unsigned outer = depth;
        try {
            parse();
        } catch (const GiveUp&) {
            depth = outer;
            skip_statement(start);
        }
    }

private:
    bool skip_to_block();

    SourceFilePtr source_;
    std::vector<Token> tokens_;
    Diagnostics& faults_;
    std::size_t at_ = 0;
    std::optional<std::size_t> unexpected_;  // index of the last unexpected token, which is reported once
};

/// Counts levels of nesting; beyond kDeepestNesting throws GiveUp.
class Nesting {
public:
    Nesting(unsigned& depth, TokenReader& reader);
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

private:
    unsigned& depth_;
};

}  // namespace warpfront::psl
