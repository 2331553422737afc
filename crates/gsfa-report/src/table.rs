//! Tables: aligned text for a terminal, HTML for a page, CSV for other programs.

use crate::number::{fixed, signed};
use crate::svg::{Markup, attributes};

/// A table with a title, columns and rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What stands above it; may be empty.
    pub title: String,
    /// The columns from left to right.
    pub columns: Vec<Column>,
    /// The rows; missing cells are empty, surplus ones are left out.
    pub rows: Vec<Vec<Cell>>,
}

/// What a column is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// A name over it and its neighbours with the same group; may be empty.
    pub group: String,
    /// Where its cells stand.
    pub align: Align,
}

/// Where cells stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// Texts.
    #[default]
    Left,
    /// Numbers.
    Right,
}

/// What a cell holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Cell {
    /// Nothing was measured or published.
    #[default]
    Missing,
    /// Words.
    Text(String),
    /// A number with so many decimals.
    Number(f64, usize),
    /// Mean and standard deviation with so many decimals.
    Spread(f64, f64, usize),
    /// A difference with its sign, so many decimals; `true` if a smaller number is better and the sign may be coloured so.
    Difference(f64, usize, bool),
}

impl Column {
    /// A column of texts.
    pub fn text(name: impl Into<String>) -> Self {
        Self { name: name.into(), group: String::new(), align: Align::Left }
    }

    /// A column of numbers.
    pub fn number(name: impl Into<String>) -> Self {
        Self { align: Align::Right, ..Self::text(name) }
    }

    /// The same column under a common name.
    pub fn under(mut self, group: impl Into<String>) -> Self {
        self.group = group.into();
        self
    }
}

impl Cell {
    fn show(&self) -> String {
        match self {
            Self::Missing => "–".into(),
            Self::Text(text) => text.clone(),
            Self::Number(value, decimals) => fixed(*value, *decimals),
            Self::Spread(mean, spread, decimals) => {
                format!("{} ± {}", fixed(*mean, *decimals), fixed(*spread, *decimals))
            }
            Self::Difference(value, decimals, _) => signed(*value, *decimals),
        }
    }

    fn value(&self) -> Option<f64> {
        match *self {
            Self::Number(value, _) | Self::Spread(value, _, _) | Self::Difference(value, _, _) => Some(value),
            Self::Missing | Self::Text(_) => None,
        }
    }
}

impl Table {
    /// An empty table.
    pub fn new(title: impl Into<String>, columns: Vec<Column>) -> Self {
        Self { title: title.into(), columns, rows: Vec::new() }
    }

    fn cell(&self, row: usize, column: usize) -> &Cell {
        self.rows.get(row).and_then(|cells| cells.get(column)).unwrap_or(&Cell::Missing)
    }

    fn head(&self, column: usize) -> String {
        let Column { name, group, .. } = &self.columns[column];
        if group.is_empty() { name.clone() } else { format!("{group}: {name}") }
    }

    /// Aligned columns of text under the title; names of groups stand over their columns.
    pub fn text(&self) -> String {
        let mut lines: Vec<Vec<String>> = vec![self.columns.iter().map(|column| one_line(&column.name)).collect()];
        lines.extend(
            (0..self.rows.len()).map(|r| (0..self.columns.len()).map(|c| one_line(&self.cell(r, c).show())).collect()),
        );
        let mut widths: Vec<usize> =
            (0..self.columns.len()).map(|c| lines.iter().map(|line| width(&line[c])).max().unwrap_or(0)).collect();
        let groups = self.group_line(&mut widths);
        let total = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
        let mut text = if self.title.is_empty() { String::new() } else { one_line(&self.title) + "\n" };
        text += &groups;
        for (n, line) in lines.iter().enumerate() {
            let mut row = String::new();
            for (c, cell) in line.iter().enumerate() {
                let room = " ".repeat(widths[c] - width(cell));
                row += &match self.columns[c].align {
                    Align::Left => format!("{cell}{room}  "),
                    Align::Right => format!("{room}{cell}  "),
                };
            }
            text += row.trim_end();
            text.push('\n');
            if n == 0 {
                text += &"-".repeat(total);
                text.push('\n');
            }
        }
        text
    }

    /// The line with the names of the groups, each in the middle of its columns, which are widened if need be.
    fn group_line(&self, widths: &mut [usize]) -> String {
        let mut line = String::new();
        let mut start = 0;
        for columns in self.columns.chunk_by(|a, b| a.group == b.group) {
            let name = one_line(&columns[0].group);
            let end = start + columns.len();
            let room = widths[start..end].iter().sum::<usize>() + 2 * (columns.len() - 1);
            widths[end - 1] += width(&name).saturating_sub(room);
            let space = room.saturating_sub(width(&name));
            line += &format!("{}{name}{}  ", " ".repeat(space - space / 2), " ".repeat(space / 2));
            start = end;
        }
        if line.trim().is_empty() { String::new() } else { line.trim_end().to_owned() + "\n" }
    }

    /// The numbers at full precision; a group is written before the name of its column, and mean and standard deviation
    /// become two columns, the second with `sd` after its name, so that every field is one number or text.
    pub fn csv(&self) -> String {
        let spread = |c: usize| (0..self.rows.len()).any(|r| matches!(self.cell(r, c), Cell::Spread(..)));
        let columns: Vec<(usize, bool)> = (0..self.columns.len())
            .flat_map(|c| [Some((c, false)), spread(c).then_some((c, true))])
            .flatten()
            .collect();
        let mut lines =
            vec![columns.iter().map(|&(c, sd)| self.head(c) + if sd { " sd" } else { "" }).collect::<Vec<_>>()];
        for r in 0..self.rows.len() {
            lines.push(columns.iter().map(|&(c, sd)| csv_field(self.cell(r, c), sd)).collect());
        }
        csv_lines(&lines)
    }

    pub(crate) fn html(&self, page: &mut Markup) {
        page.within("div", attributes!["class": "table"], |page| {
            page.within("table", &[], |page| {
                if !self.title.is_empty() {
                    page.leaf("caption", &[], &self.title);
                }
                page.within("thead", &[], |page| self.html_head(page));
                page.within("tbody", &[], |page| (0..self.rows.len()).for_each(|row| self.html_row(page, row)));
            });
        });
    }

    fn html_head(&self, page: &mut Markup) {
        if self.columns.iter().any(|column| !column.group.is_empty()) {
            page.within("tr", &[], |page| {
                for columns in self.columns.chunk_by(|a, b| a.group == b.group) {
                    let class = if columns[0].group.is_empty() { "" } else { "group" };
                    let span = attributes!["class": class, "colspan": columns.len() as f64];
                    page.leaf("th", span, &columns[0].group);
                }
            });
        }
        page.within("tr", &[], |page| {
            for column in &self.columns {
                let class = if column.align == Align::Right { "right" } else { "" };
                page.leaf("th", attributes!["class": class, "scope": "col"], &column.name);
            }
        });
    }

    fn html_row(&self, page: &mut Markup, row: usize) {
        page.within("tr", &[], |page| {
            for (c, column) in self.columns.iter().enumerate() {
                let cell = self.cell(row, c);
                let mut class = if column.align == Align::Right { "right" } else { "" }.to_owned();
                // What rounds to zero is neither better nor worse.
                if let Cell::Difference(value, _, true) = *cell
                    && cell.show().starts_with(['+', '−'])
                {
                    class += if value < 0.0 { " better" } else { " worse" };
                }
                match cell.value().filter(|value| value.is_finite()) {
                    Some(value) => {
                        page.leaf("td", attributes!["class": &class, "data-value": &value.to_string()], &cell.show())
                    }
                    None => page.leaf("td", attributes!["class": &class], &cell.show()),
                }
            }
        });
    }
}

/// Columns a text takes in a terminal.
fn width(text: &str) -> usize {
    text.chars().count()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn csv_field(cell: &Cell, sd: bool) -> String {
    match cell {
        Cell::Text(text) if !sd => text.clone(),
        Cell::Spread(_, spread, _) if sd => spread.to_string(),
        _ if sd => String::new(),
        cell => cell.value().map_or_else(String::new, |value| value.to_string()),
    }
}

/// Lines of CSV: fields in quotes where they need them.
pub fn csv_lines(lines: &[Vec<String>]) -> String {
    let mut csv = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    // Writing to memory does not fail.
    lines.iter().for_each(|line| csv.write_record(line).unwrap_or_default());
    csv.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}
