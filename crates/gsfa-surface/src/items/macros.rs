//! Macros by example, expanded: items that a macro declares are items like others.

use std::collections::HashMap;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};

/// Arms of a `macro_rules!`.
pub struct Rules(Vec<(Vec<Piece>, Vec<Piece>)>);

/// A part of a pattern or of what it becomes.
#[derive(Clone)]
enum Piece {
    Token(TokenTree),
    Group(Delimiter, Vec<Piece>),
    /// `$name:kind`; the kind is empty on the right side.
    Variable(String, String),
    /// `$( … ) separator operator`.
    Repeat(Vec<Piece>, Option<TokenTree>, char),
}

/// What a variable stands for: tokens, or one meaning for each repetition.
#[derive(Clone)]
enum Bound {
    One(TokenStream),
    Each(Vec<Bound>),
}

type Bindings = HashMap<String, Bound>;

impl Rules {
    /// The arms `(pattern) => { result };`.
    pub fn new(tokens: TokenStream) -> Self {
        let mut arms = Vec::new();
        let mut groups = tokens.into_iter().filter_map(|token| match token {
            TokenTree::Group(group) => Some(pieces(group.stream())),
            _ => None,
        });
        while let (Some(pattern), Some(result)) = (groups.next(), groups.next()) {
            arms.push((pattern, result));
        }
        Self(arms)
    }

    /// What the first arm that matches makes of the tokens.
    pub fn expand(&self, tokens: &TokenStream) -> Option<TokenStream> {
        self.0.iter().find_map(|(pattern, result)| {
            let bindings = matched(pattern, tokens.clone()).ok()?;
            Some(transcribed(result, &bindings))
        })
    }
}

fn pieces(tokens: TokenStream) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    let punct =
        |token: Option<&TokenTree>, sign: char| matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == sign);
    while let Some(token) = tokens.next() {
        found.push(match token {
            TokenTree::Punct(sign) if sign.as_char() == '$' => match tokens.next() {
                Some(TokenTree::Group(group)) => {
                    let mut next = tokens.next();
                    let operator =
                        |token: Option<&TokenTree>| ['*', '+', '?'].into_iter().find(|&sign| punct(token, sign));
                    let separator = if operator(next.as_ref()).is_none() {
                        std::mem::replace(&mut next, tokens.next())
                    } else {
                        None
                    };
                    Piece::Repeat(pieces(group.stream()), separator, operator(next.as_ref()).unwrap_or('*'))
                }
                Some(TokenTree::Ident(name)) if name == "crate" => Piece::Token(name.into()),
                Some(name) => {
                    let kind = match punct(tokens.peek(), ':').then(|| (tokens.next(), tokens.peek())) {
                        Some((_, Some(TokenTree::Ident(kind)))) if KINDS.contains(&kind.to_string().as_str()) => {
                            kind.to_string()
                        }
                        Some((Some(colon), _)) => {
                            found.push(Piece::Variable(name.to_string(), String::new()));
                            found.push(Piece::Token(colon));
                            continue;
                        }
                        _ => String::new(),
                    };
                    if !kind.is_empty() {
                        tokens.next();
                    }
                    Piece::Variable(name.to_string(), kind)
                }
                None => break,
            },
            TokenTree::Group(group) => Piece::Group(group.delimiter(), pieces(group.stream())),
            token => Piece::Token(token),
        });
    }
    found
}

/// Kinds of fragments, each with its parser in [`fragment`].
const KINDS: [&str; 11] = ["ident", "ty", "expr", "literal", "meta", "vis", "path", "block", "lifetime", "item", "tt"];

fn fragment(kind: &str, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    fn tokens<T: syn::parse::Parse + ToTokens>(input: ParseStream<'_>) -> syn::Result<TokenStream> {
        input.parse::<T>().map(ToTokens::into_token_stream)
    }
    match kind {
        "ident" => tokens::<Ident>(input),
        "ty" => tokens::<syn::Type>(input),
        "expr" => tokens::<syn::Expr>(input),
        "literal" => tokens::<syn::Lit>(input),
        "meta" => tokens::<syn::Meta>(input),
        "vis" => tokens::<syn::Visibility>(input),
        "path" => tokens::<syn::Path>(input),
        "block" => tokens::<syn::Block>(input),
        "lifetime" => tokens::<syn::Lifetime>(input),
        "item" => tokens::<syn::Item>(input),
        _ => tokens::<TokenTree>(input),
    }
}

fn matched(pattern: &[Piece], tokens: TokenStream) -> syn::Result<Bindings> {
    let parser = |input: ParseStream<'_>| {
        let mut bindings = Bindings::new();
        follow(pattern, input, &mut bindings)?;
        Ok(bindings)
    };
    parser.parse2(tokens)
}

fn follow(pattern: &[Piece], input: ParseStream<'_>, bindings: &mut Bindings) -> syn::Result<()> {
    for piece in pattern {
        match piece {
            Piece::Token(token) => same(token, input)?,
            Piece::Variable(name, kind) => {
                bindings.insert(name.clone(), Bound::One(fragment(kind, input)?));
            }
            Piece::Group(delimiter, inner) => match input.parse::<TokenTree>()? {
                TokenTree::Group(group) if group.delimiter() == *delimiter => {
                    bindings.extend(matched(inner, group.stream())?);
                }
                _ => return Err(input.error("another group")),
            },
            Piece::Repeat(inner, separator, operator) => {
                repeat(inner, separator.as_ref(), *operator, input, bindings);
            }
        }
    }
    Ok(())
}

fn same(token: &TokenTree, input: ParseStream<'_>) -> syn::Result<()> {
    let found = input.parse::<TokenTree>()?;
    if found.to_string() == token.to_string() { Ok(()) } else { Err(input.error("another token")) }
}

fn repeat(inner: &[Piece], separator: Option<&TokenTree>, operator: char, input: ParseStream<'_>, all: &mut Bindings) {
    let mut each: HashMap<String, Vec<Bound>> = variables(inner).into_iter().map(|name| (name, Vec::new())).collect();
    let most = if operator == '?' { 1 } else { usize::MAX };
    for round in 0..most {
        let fork = input.fork();
        let mut bindings = Bindings::new();
        let begun = separator.filter(|_| round > 0).map_or(Ok(()), |separator| same(separator, &fork));
        if input.is_empty() || begun.and_then(|()| follow(inner, &fork, &mut bindings)).is_err() {
            break;
        }
        input.advance_to(&fork);
        for (name, bound) in bindings {
            each.entry(name).or_default().push(bound);
        }
    }
    all.extend(each.into_iter().map(|(name, bounds)| (name, Bound::Each(bounds))));
}

fn variables(pieces: &[Piece]) -> Vec<String> {
    let names = pieces.iter().map(|piece| match piece {
        Piece::Token(_) => Vec::new(),
        Piece::Variable(name, _) => vec![name.clone()],
        Piece::Group(_, inner) | Piece::Repeat(inner, ..) => variables(inner),
    });
    names.flatten().collect()
}

fn transcribed(result: &[Piece], bindings: &Bindings) -> TokenStream {
    let mut out = TokenStream::new();
    for piece in result {
        match piece {
            Piece::Token(token) => out.extend([token.clone()]),
            Piece::Group(delimiter, inner) => {
                out.extend([TokenTree::from(Group::new(*delimiter, transcribed(inner, bindings)))]);
            }
            Piece::Variable(name, _) => match bindings.get(name) {
                Some(Bound::One(tokens)) => out.extend(tokens.clone()),
                _ => out.extend([TokenTree::from(Ident::new(name, Span::call_site()))]),
            },
            Piece::Repeat(inner, separator, _) => {
                let repeated: Vec<(String, &Vec<Bound>)> = variables(inner)
                    .into_iter()
                    .filter_map(|name| match bindings.get(&name) {
                        Some(Bound::Each(bounds)) => Some((name, bounds)),
                        _ => None,
                    })
                    .collect();
                for round in 0..repeated.iter().map(|(_, bounds)| bounds.len()).min().unwrap_or(0) {
                    let mut one = bindings.clone();
                    one.extend(repeated.iter().map(|(name, bounds)| (name.clone(), bounds[round].clone())));
                    out.extend(separator.iter().filter(|_| round > 0).cloned());
                    out.extend(transcribed(inner, &one));
                }
            }
        }
    }
    out
}

#[test]
fn repetitions_options_and_fragments_are_written_out() {
    let rules = |text: &str| Rules::new(text.parse().unwrap());
    // Spaces between signs are no part of the meaning.
    let plain = |tokens: TokenStream| tokens.to_string().replace(' ', "");
    let expanded = |rules: &Rules, text: &str| rules.expand(&text.parse().unwrap()).map(plain);
    let plain = |text: &str| Some(plain(text.parse().unwrap()));
    let table = rules(
        "($($file:ident: $name:ident, $doc:literal;)*) => { $(mod $file;)* enum E { $(#[doc = $doc] $name($name)),* } };",
    );
    assert_eq!(
        expanded(&table, "a: A, \"x\"; b: B, \"y\";"),
        plain("mod a; mod b; enum E { #[doc = \"x\"] A(A), #[doc = \"y\"] B(B) }")
    );
    let function = rules(
        "($v:vis fn $n:ident($($a:ident: $t:ty),* $(,)?) $(-> $r:ty)? $b:block) => { $v fn $n($($a: $t),*) $(-> $r)? $b };",
    );
    for text in ["pub fn f(a: u8, b: &[u8]) -> Vec<u8> { a }", "fn f() {}"] {
        assert_eq!(expanded(&function, text), plain(text));
    }
    assert_eq!(expanded(&function, "struct X;"), None);
    let second = rules("(a) => { 1 }; ($t:ty, |$x:ident| $e:expr) => { impl T for $t { $crate::f($x, $e) } };");
    assert_eq!(expanded(&second, "&S, |x| x + 1"), plain("impl T for &S { crate::f(x, x + 1) }"));
}
