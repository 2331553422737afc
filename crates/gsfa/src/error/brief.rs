//! What others wrote, as it stands in messages: short, on one line, and without effect on a terminal.
//!
//! Files hold numbers of 300 digits and names of a megabyte; a message shows enough of them to find them.

use std::path::Path;

/// The most characters of a name or a cell that are shown.
const LONGEST_TEXT: usize = 60;

/// The most characters of a sentence that is shown.
const LONGEST_SENTENCE: usize = 1000;
const LONGEST_REASON: usize = 160;

/// A number with all its digits, but without zeros that only fill: `0.1`, `1e300`.
///
/// ```
/// use gsfa::error::brief::number;
/// assert_eq!([number(0.1), number(-25.0), number(1e300), number(5e-324)], ["0.1", "-25", "1e300", "5e-324"]);
/// ```
pub fn number(x: f64) -> String {
    let plain = x == 0.0 || !x.is_finite() || (1e-5..1e16).contains(&x.abs());
    if plain { x.to_string() } else { format!("{x:e}") }
}

/// The name, cell or value that a user gave: its beginning and its length if it is long.
///
/// ```
/// use gsfa::error::brief::text;
/// assert_eq!(text("age"), "age");
/// assert_eq!(text("two\nlines"), "two\\nlines");
/// assert_eq!(text(&"x".repeat(1000)), format!("{}… (1000 characters)", "x".repeat(60)));
/// ```
pub fn text(text: &str) -> String {
    cut(text, LONGEST_TEXT)
}

/// A label by its name.
pub(crate) fn label(name: &str) -> String {
    format!("label '{}'", text(name))
}

/// What another program or a file says, which may quote what users gave.
pub fn sentence(sentence: &str) -> String {
    cut(sentence, LONGEST_SENTENCE)
}

/// One of several sentences.
pub(crate) fn reason(reason: &str) -> String {
    cut(reason, LONGEST_REASON)
}

/// A path, whole, since nothing less finds the file.
pub fn path(path: &Path) -> String {
    on_one_line(&path.to_string_lossy())
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}… ({} characters)", on_one_line(&text[..end]), text.chars().count()),
        None => on_one_line(text),
    }
}

/// Without characters that a terminal obeys or that change the order of those around them.
fn on_one_line(text: &str) -> String {
    let unseen = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if unseen(c) { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

/// A value that a message shows: numbers as [`number`] does, text as [`text`].
pub trait Shown {
    /// The value as it stands in the message.
    fn shown(&self) -> String;
}

impl Shown for f64 {
    fn shown(&self) -> String {
        number(*self)
    }
}

impl Shown for str {
    fn shown(&self) -> String {
        text(self)
    }
}

impl Shown for String {
    fn shown(&self) -> String {
        text(self)
    }
}

impl<T: Shown + ?Sized> Shown for &T {
    fn shown(&self) -> String {
        (**self).shown()
    }
}

macro_rules! shown_as_it_is {
    ($($type:ty),*) => {$(
        impl Shown for $type {
            fn shown(&self) -> String {
                self.to_string()
            }
        }
    )*};
}

shown_as_it_is!(bool, char, i32, u32, u64, usize);
