//! A writer for elements with attributes and text: SVG and HTML share it, and with it the one place that escapes.

use std::fmt::Write as _;

use crate::number::coordinate;

/// Markup under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Markup(String);

/// One attribute value: a text to be escaped, or a number to be rounded.
pub(crate) enum Value<'a> {
    Text(&'a str),
    Number(f64),
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

/// Attributes of an element.
pub(crate) type Attributes<'a, 'b> = &'b [(&'b str, Value<'a>)];

/// `attributes![class: "line", x: 3.5]`; a hyphen in a name is written as a string.
macro_rules! attributes {
    ($($name:literal : $value:expr),* $(,)?) => { &[$(($name, $crate::svg::Value::from($value))),*] };
}
pub(crate) use attributes;

impl Markup {
    pub(crate) fn into_string(self) -> String {
        self.0
    }

    fn tag(&mut self, name: &str, attributes: Attributes<'_, '_>) {
        let _ = write!(self.0, "<{name}");
        for (name, value) in attributes {
            let _ = write!(self.0, " {name}=\"");
            match value {
                Value::Text(text) => self.text(text),
                Value::Number(number) => self.0.push_str(&coordinate(*number)),
            }
            self.0.push('"');
        }
    }

    /// An element without content.
    pub(crate) fn empty(&mut self, name: &str, attributes: Attributes<'_, '_>) {
        self.tag(name, attributes);
        self.0.push_str("/>\n");
    }

    /// An element with text in it.
    pub(crate) fn leaf(&mut self, name: &str, attributes: Attributes<'_, '_>, text: &str) {
        self.tag(name, attributes);
        self.0.push('>');
        self.text(text);
        let _ = writeln!(self.0, "</{name}>");
    }

    /// An element with other elements in it.
    pub(crate) fn within(&mut self, name: &str, attributes: Attributes<'_, '_>, content: impl FnOnce(&mut Self)) {
        self.tag(name, attributes);
        self.0.push_str(">\n");
        content(self);
        let _ = writeln!(self.0, "</{name}>");
    }

    /// Text, escaped. Characters XML forbids even when escaped become the replacement character.
    pub(crate) fn text(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '&' => self.0.push_str("&amp;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\t' | '\n' | '\r' => self.0.push(c),
                _ if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => self.0.push('\u{fffd}'),
                _ => self.0.push(c),
            }
        }
    }

    /// Markup that is already written.
    pub(crate) fn raw(&mut self, markup: &str) {
        self.0.push_str(markup);
    }
}

/// A path through points; it breaks where a point is not finite.
pub(crate) fn path(points: impl IntoIterator<Item = (f64, f64)>) -> String {
    let mut path = String::new();
    let mut pen_down = false;
    for (x, y) in points {
        if x.is_finite() && y.is_finite() {
            let _ = write!(path, "{}{} {}", if pen_down { 'L' } else { 'M' }, coordinate(x), coordinate(y));
            pen_down = true;
        } else {
            pen_down = false;
        }
    }
    path
}

/// About how wide a text is, in the units of `size`: no font is at hand to ask.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    let width = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | '\'' | '|' | '!' => 0.3,
        'm' | 'w' | 'M' | 'W' => 0.87,
        'A'..='Z' => 0.68,
        c if c as u32 >= 0x1100 => 1.0,
        _ => 0.56,
    };
    size * text.chars().map(width).sum::<f64>()
}

/// A text cut to about `room` with an ellipsis.
pub(crate) fn shortened(text: &str, size: f64, room: f64) -> String {
    if text_width(text, size) <= room {
        return text.into();
    }
    let mut short = String::new();
    for c in text.chars() {
        if text_width(&short, size) + size > room {
            break;
        }
        short.push(c);
    }
    short.trim_end().to_owned() + "…"
}
