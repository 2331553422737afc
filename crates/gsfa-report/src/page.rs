//! One HTML file with everything in it.

use std::collections::HashSet;

use crate::figure::Figure;
use crate::svg::{Markup, attributes};
use crate::table::Table;
use crate::theme;

/// A page: what was found, how, and on which machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// The heading and the title of the window.
    pub title: String,
    /// What was found, a few sentences.
    pub summary: Vec<String>,
    /// A few large numbers, each with what it is.
    pub highlights: Vec<(String, String)>,
    /// The parts of the page.
    pub sections: Vec<Section>,
    /// How to get the page again.
    pub commands: Vec<String>,
    /// What it was made on, and with: name and value.
    pub machine: Vec<(String, String)>,
}

/// A part of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// What it shows, in order.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// A paragraph in small type, e.g. how something was measured.
    Note(String),
    /// A figure; neighbouring ones share a line where there is room.
    Figure(Figure),
    /// A table.
    Table(Table),
    /// Commands or other text to be copied.
    Code(String),
}

impl Section {
    /// A section with nothing in it.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), blocks: Vec::new() }
    }
}

impl Page {
    /// The HTML file: no script, no outside reference, well-formed as XML too.
    pub fn html(&self) -> String {
        let anchors = self.anchors();
        let mut page = Markup::default();
        page.raw("<!DOCTYPE html>\n");
        page.within("html", attributes!["lang": "en"], |page| {
            page.within("head", &[], |page| {
                page.empty("meta", attributes!["charset": "utf-8"]);
                page.empty("meta", attributes!["name": "viewport", "content": "width=device-width, initial-scale=1"]);
                page.leaf("title", &[], &self.title);
                page.within("style", &[], |style| {
                    style.raw(&theme::figure_style());
                    style.raw(theme::PAGE);
                });
            });
            page.within("body", &[], |page| {
                page.within("header", &[], |page| self.head(page, &anchors));
                page.within("main", &[], |page| {
                    for (section, anchor) in self.sections.iter().zip(&anchors) {
                        page.within("section", attributes!["id": anchor], |page| section.html(page));
                    }
                });
                page.within("footer", &[], |page| self.foot(page));
            });
        });
        page.into_string()
    }

    fn head(&self, page: &mut Markup, anchors: &[String]) {
        page.leaf("h1", &[], &self.title);
        page.within("div", attributes!["class": "summary"], |page| {
            self.summary.iter().for_each(|sentence| page.leaf("p", &[], sentence));
        });
        if !self.highlights.is_empty() {
            page.within("ul", attributes!["class": "highlights"], |page| {
                for (number, meaning) in &self.highlights {
                    page.within("li", &[], |page| {
                        page.leaf("b", &[], number);
                        page.leaf("span", &[], meaning);
                    });
                }
            });
        }
        if self.sections.len() > 1 {
            page.within("nav", attributes!["aria-label": "Contents"], |page| {
                for (section, anchor) in self.sections.iter().zip(anchors) {
                    page.leaf("a", attributes!["href": &format!("#{anchor}")], &section.title);
                }
            });
        }
    }

    fn foot(&self, page: &mut Markup) {
        if !self.commands.is_empty() {
            page.leaf("h2", attributes!["id": "commands"], "Commands");
            page.leaf("pre", &[], &self.commands.join("\n"));
        }
        if !self.machine.is_empty() {
            page.leaf("h2", attributes!["id": "machine"], "Machine");
            page.within("dl", &[], |page| {
                for (name, value) in &self.machine {
                    page.leaf("dt", &[], name);
                    page.leaf("dd", &[], value);
                }
            });
        }
    }

    /// One anchor per section, from its title, made distinct by numbers.
    fn anchors(&self) -> Vec<String> {
        let mut taken: HashSet<String> = ["commands".into(), "machine".into()].into();
        let mut distinct = |section: &Section| {
            let mut anchor: String = section
                .title
                .chars()
                .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
                .collect();
            anchor.insert_str(0, if anchor.starts_with(|c: char| c.is_ascii_lowercase()) { "" } else { "section" });
            let mut number = 1;
            let mut name = anchor.clone();
            while !taken.insert(name.clone()) {
                number += 1;
                name = format!("{anchor}-{number}");
            }
            name
        };
        self.sections.iter().map(&mut distinct).collect()
    }
}

impl Section {
    fn html(&self, page: &mut Markup) {
        page.leaf("h2", &[], &self.title);
        for blocks in self.blocks.chunk_by(|a, b| matches!((a, b), (Block::Figure(_), Block::Figure(_)))) {
            if let [Block::Figure(_), ..] = blocks {
                let narrow =
                    |block: &Block| !matches!(block, Block::Figure(figure) if !figure.wide && !figure.is_narrow());
                let class = if blocks.iter().all(narrow) { "figures three" } else { "figures" };
                page.within("div", attributes!["class": class], |page| {
                    blocks.iter().for_each(|block| block.html(page))
                });
            } else {
                blocks.iter().for_each(|block| block.html(page));
            }
        }
    }
}

impl Block {
    fn html(&self, page: &mut Markup) {
        match self {
            Self::Text(text) => page.leaf("p", &[], text),
            Self::Note(text) => page.leaf("p", attributes!["class": "note"], text),
            Self::Code(text) => page.leaf("pre", &[], text),
            Self::Table(table) => table.html(page),
            Self::Figure(figure) => {
                let class = if figure.wide { "wide" } else { "" };
                page.within("figure", attributes!["class": class], |page| {
                    figure.inline(page);
                    if !figure.caption.is_empty() {
                        page.leaf("figcaption", &[], &figure.caption);
                    }
                });
            }
        }
    }
}
