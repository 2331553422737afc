//! Tokens as a person writes them, on one line.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;

/// The tokens with the spaces that rustfmt would leave in one line.
pub fn tidy(tokens: &impl ToTokens) -> String {
    let mut out = String::new();
    write(tokens.to_token_stream(), &mut out);
    out.trim_end().to_string()
}

fn write(tokens: TokenStream, out: &mut String) {
    let mut tokens = tokens.into_iter().peekable();
    let mut last = Last::Start;
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) => {
                if matches!(last, Last::Word | Last::Closing) {
                    out.push(' ');
                }
                *out += &word.to_string();
                last = if matches!(word.to_string().as_str(), "mut" | "dyn" | "const" | "as" | "where") {
                    Last::Keyword
                } else {
                    Last::Word
                };
                if matches!(last, Last::Keyword) {
                    out.push(' ');
                }
            }
            TokenTree::Literal(literal) => {
                if matches!(last, Last::Word) {
                    out.push(' ');
                }
                *out += &literal.to_string();
                last = Last::Word;
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => (" { ", " }"),
                    Delimiter::None => ("", ""),
                };
                *out += open;
                write(group.stream(), out);
                out.truncate(out.trim_end().len().max(out.len().saturating_sub(1)));
                *out += close;
                last = Last::Closing;
            }
            TokenTree::Punct(sign) => {
                let sign = sign.as_char();
                let before = out.chars().next_back();
                match sign {
                    ':' if before == Some(':') => out.push(':'),
                    ':' if matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == ':') => {
                        out.push(':')
                    }
                    ':' | ',' | ';' => {
                        out.push(sign);
                        out.push(' ');
                    }
                    '>' if before == Some('-') => *out += "> ",
                    '-' if matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '>') => {
                        *out += " -"
                    }
                    '=' | '+' | '|' => {
                        if !out.ends_with(' ') {
                            out.push(' ');
                        }
                        out.push(sign);
                        out.push(' ');
                    }
                    // A lifetime; what follows its name stands apart.
                    '\'' => {
                        if matches!(last, Last::Closing) {
                            out.push(' ');
                        }
                        let name = tokens.next().map(|name| name.to_string()).unwrap_or_default();
                        *out += &format!("'{name}");
                        let apart = !matches!(tokens.peek(), None | Some(TokenTree::Punct(_)));
                        out.extend(apart.then_some(' '));
                        last = Last::Sign;
                        continue;
                    }
                    _ => out.push(sign),
                }
                last = if sign == '>' && !out.ends_with(' ') { Last::Closing } else { Last::Sign };
            }
        }
    }
}

/// What was written last.
enum Last {
    Start,
    Word,
    Keyword,
    Closing,
    Sign,
}

#[test]
fn tokens_are_written_as_people_write_them() {
    for text in [
        "fn(&self, input: &GraphInput<'_>) -> Result<TrainingGraph>",
        "fn<T: Real>(rows: ArrayViewMut2<'_, T>, mean: &'a [T], scale: &mut [T]) -> Option<[usize; 2]>",
        "fn(progress: &(dyn Fn(&Event<'_>) -> ControlFlow<()> + Sync)) -> impl Iterator<Item = (usize, f64)> + '_",
        "fn<S: Source + ?Sized>(x: std::sync::Arc<S>, y: &'a mut [u8]) -> Vec<T> where T: Copy, U: 'static",
        "impl<'a, T> From<&'a T> for Rows<'a>",
        "<Self as Real>::EPSILON",
        "const f64 = -1e-3",
        "for<'a> fn(&'a str) -> &'a str",
    ] {
        assert_eq!(tidy(&text.parse::<TokenStream>().unwrap()), text);
    }
}
