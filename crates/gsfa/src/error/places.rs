//! Where something is wrong.

/// Positions of offending values: the first five and how many there are in all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// The first five positions.
    pub first: Vec<usize>,
    /// How many there are.
    pub total: usize,
}

impl Places {
    /// The positions at which `bad` holds, or `None` if there are none.
    pub(crate) fn find<T>(values: &[T], bad: impl Fn(&T) -> bool) -> Option<Self> {
        let mut places = Self { first: Vec::new(), total: 0 };
        for (n, value) in values.iter().enumerate() {
            if bad(value) {
                places.push(n);
            }
        }
        (places.total > 0).then_some(places)
    }

    pub(crate) fn push(&mut self, position: usize) {
        if self.first.len() < 5 {
            self.first.push(position);
        }
        self.total += 1;
    }

    pub(super) fn describe(&self, word: &str) -> String {
        let list: Vec<String> = self.first.iter().map(usize::to_string).collect();
        let more = self.total - self.first.len();
        let s = if self.total == 1 { "" } else { "s" };
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{word}{s} {}{rest}", list.join(", "))
    }
}
